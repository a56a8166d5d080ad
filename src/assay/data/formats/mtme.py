"""The folder layout of mt-metrics-eval, version 2: one folder per test set, with all its language pairs.

    sources/LP.txt  references/LP.NAME.txt  documents/LP.docs  system-outputs/LP/SYSTEM.txt
    human-scores/LP.NAME.LEVEL.score  metric-scores/LP/METRIC-REFERENCES.LEVEL.score  judgements/LP.NAME.tsv

Newer releases have ratings beside the scores, `human-scores/LP.NAME.seg.rating`. Byte order marks are kept and noted,
because published scores were computed with them. Any part may be missing: a test set without texts still has its
scores. A reference with scores or judgements of its own is an output too. Other files are named in a note.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from assay.data import LIKELY, NO
from assay.data.faults import Faults
from assay.data.formats import Format, StoredCampaign, data_format
from assay.data.joined import align_items
from assay.data.tables.judgement_tables import UnknownHeaderError, read_judgement_table
from assay.data.tables.notes import missing_score_notes
from assay.data.tables.quoting import enclosed_line
from assay.data.tables.score_files import LEVELS, name_and_level, read_score_file, score_text
from assay.data.text_files import read_column, read_lines, shown_path
from assay.errors import (
    AlignmentError,
    DecodeError,
    EmptyInputError,
    InputError,
    NameClashError,
    nearest,
    option_name,
    printable,
)
from assay.files.strict_json import parse_object
from assay.types import (
    Campaign,
    Column,
    Judgements,
    Note,
    NoteKind,
    ScoreTable,
    TestSet,
    as_column,
    check_names,
    present,
)
from assay.types.language_codes import LANGUAGE_PAIR
from assay.types.metric_names import ALL, metric_label, spell_out, split_name
from assay.types.note import listed, plural
from assay.types.rater_names import column_of, language_model_in

__all__ = ["Mtme", "human_protocol", "language_pairs", "read_pair", "testset_folders"]

_NO_TRANSLATION = "[No translation supplied]"  # stands for a missing output
_MARK = "\ufeff"
_JSON_LINES = (".jsonl", ".jsonl.gz")
_TEXT_FILES = (".txt", ".txt.gz", *_JSON_LINES)
_PARTS = ("sources", "references", "documents", "system-outputs", "human-scores", "metric-scores", "judgements")
_TYPICAL_PARTS = _PARTS[3:]  # a folder with one of these is a test set
_FILES = {
    "sources": re.compile(rf"{LANGUAGE_PAIR}\.(txt|jsonl)(\.gz)?"),
    "references": re.compile(rf"{LANGUAGE_PAIR}\..+\.(txt|jsonl)(\.gz)?"),
    "documents": re.compile(rf"{LANGUAGE_PAIR}\.docs"),
    "system-outputs": re.compile(r".+\.(txt|jsonl)(\.gz)?"),
    "human-scores": re.compile(rf"{LANGUAGE_PAIR}\..+\.(score|seg\.rating)"),
    "metric-scores": re.compile(r".+\.score"),
    "judgements": re.compile(rf"{LANGUAGE_PAIR}\..+\.tsv"),
}
"""The names of the files that are read."""
_WITHOUT_DATA = ("human-significance",)  # published p-values and clusters
_MAX_SHOWN = 20


@data_format("mtme")
@dataclass(frozen=True)
class Mtme(Format):
    """The folder of a test set, or a folder that contains such folders."""

    mqm: Literal["auto", "lower", "higher"] = "auto"
    """Which MQM scores are better. Default: higher, as in this layout; scores that are all positive are refused."""

    is_folder = True
    penalty_hint = f"if lower is better: {option_name('input_format', 'mtme:mqm=lower')}"

    def recognises(self, path: Path, head: str) -> int:
        return LIKELY if testset_folders(path) else NO  # names of files can make another layout certain

    def contents(self, path: Path) -> tuple[StoredCampaign, ...]:
        folders = testset_folders(path)
        if not folders:
            parts = ", ".join(f"{part}/" for part in _TYPICAL_PARTS)
            inside = [shown_path(each) for each in sorted(path.glob("[!.]*")) if each.is_file()]
            hint = f"it needs one of {parts}"
            hint += f"; to read the files in it, give each of them: {listed(inside, 2)}" if inside else ""
            raise InputError("not the folder of a test set", path=shown_path(path), hint=hint)
        stored = tuple(
            StoredCampaign(folder.resolve().name, lp, functools.partial(self._read, path, folder, lp))
            for folder in folders
            for lp in language_pairs(folder)
        )
        if not stored:
            hint = "files are called LP.NAME.…, with a language pair such as en-de"
            raise EmptyInputError("no language pairs", path=shown_path(path), hint=hint)
        return stored

    def _read(self, named: Path, folder: Path, lp: str, faults: Faults) -> Campaign:
        """A language pair; if its folder is not the one that was named, a note says so."""
        campaign = read_pair(folder, lp, faults)
        if self.mqm == "lower":
            tables = (replace(t, higher_is_better=False) if t.protocol == "MQM" else t for t in campaign.scores)
            campaign = replace(campaign, scores=tuple(tables))
        if folder == named:
            return campaign
        text = f"read from the folder {folder.relative_to(named)} in it"
        note, testset = Note(NoteKind.PROVENANCE, text, shown_path(named)), campaign.testset
        if testset is not None:
            testset = replace(testset, notes=(*testset.notes, note))
        return replace(campaign, testset=testset, notes=(*campaign.notes, note))

    def read(self, path: Path) -> tuple[Campaign, ...]:
        return tuple(campaign.read() for campaign in self.contents(path))

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        """Write a folder for each test set into `path`, which must be new or empty."""
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise InputError("already exists", path=shown_path(path), hint="choose a new folder")
        files: dict[Path, str] = {}
        for campaign in campaigns:
            for name, text in _files(campaign):
                if path / name in files:
                    raise InputError(f"duplicate campaign {campaign.name} {campaign.lp}", path=campaign.name or None)
                files[path / name] = text
        try:
            for place, text in files.items():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(text.encode())
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"cannot be written: {reason}", path=shown_path(path)) from error


def testset_folders(path: Path) -> list[Path]:
    """The folder itself, if it is a test set, or the test sets in it."""

    def is_testset(folder: Path) -> bool:
        return folder.is_dir() and any((folder / part).is_dir() for part in _TYPICAL_PARTS)

    if is_testset(path) or not path.is_dir():
        return [path] if path.is_dir() else []
    folders = sorted(inside for inside in path.iterdir() if inside.is_dir() and not inside.name.startswith("."))
    inside = ([folder] if is_testset(folder) else sorted(filter(is_testset, folder.iterdir())) for folder in folders)
    return [folder for group in inside for folder in group]


def language_pairs(folder: Path) -> list[str]:
    """The language pairs of a test set, sorted."""
    pairs: set[str] = set()
    for part in _PARTS:
        if (folder / part).is_dir():
            names = (path.name for path in (folder / part).iterdir())
            pairs |= {match[1] for name in names if (match := re.fullmatch(rf"({LANGUAGE_PAIR})(\..*)?", name))}
    return sorted(pairs)


def read_pair(folder: Path, lp: str, faults: Faults | None = None) -> Campaign:
    """One language pair of a test set: texts, scores and judgements.

    A faulty text is an error, and a faulty table is left out with a note. With `faults`, the errors are added to them.
    """
    if lp not in language_pairs(folder):
        hint = nearest(lp, language_pairs(folder))
        raise InputError(f"no language pair '{lp}'", path=shown_path(folder), hint=hint)
    found = Faults() if faults is None else faults
    campaign = _read_sound(folder, lp, found)
    return campaign if faults is not None else found.settled(campaign, shown_path(folder))


def _read_sound(folder: Path, lp: str, faults: Faults) -> Campaign:
    notes: list[Note] = [*_unread_files(folder, lp), *_language_models(folder, lp)]
    testset = _texts(folder, lp, notes, faults)
    labels, documents = _Labels(), folder / "documents" / f"{lp}.docs"
    with faults.found():
        labels = _labels(documents, None if testset is None else len(testset), notes)
    if testset is not None:
        testset = replace(testset, documents=labels.documents, domains=labels.domains)
    scores = list(_scores(folder, lp, testset, labels, notes, faults))
    segments, scores = _of_usual_length(scores, None if testset is None else len(testset), faults)
    segments = segments or len(labels)
    with faults.found():
        _check_documents(len(labels) or segments, segments, documents)
    scores = [labels.added_to(table, has_texts=testset is not None) for table in scores]
    judgements = [align_items(judged, testset, notes) for judged in _judgements(folder, lp, notes, faults)]
    named = {name for table in (*scores, *judgements) for name in table.systems}
    if testset is not None:
        testset = _with_judged_references(testset, named)
        notes += _without_output(scores, testset, folder, lp)
    scored = {name for table in scores for name in table.systems}
    systems = (*testset.systems, *sorted(scored - {*testset.systems})) if testset else tuple(sorted(named))
    used = {name for table in scores for name in table.references if name != ALL}
    references = tuple(sorted({*(testset.references if testset else ()), *used}))
    return Campaign(
        name=folder.resolve().name,
        lp=lp,
        segments=segments,
        systems=systems,
        references=references,
        testset=testset,
        scores=tuple(scores),
        judgements=tuple(judgements),
        notes=(*notes, *missing_score_notes(scores, systems, references)),
    )


def _without_output(scores: Iterable[ScoreTable], testset: TestSet, folder: Path, lp: str) -> Iterator[Note]:
    """A note on systems that have scores, but no output, not even a faulty one."""
    texts = {*testset.outputs, *map(_name, (folder / "system-outputs" / lp).iterdir())}
    files: dict[str, None] = {}
    absent: dict[str, None] = {}
    for table in scores:
        if names := [name for name in table.systems if name not in texts]:
            files[str(Path(table.origin).relative_to(folder))] = None
            absent |= dict.fromkeys(names)
    if absent:
        text = f"scores of systems without an output are kept: {', '.join(sorted(absent))}, in {listed(files)}"
        yield Note(NoteKind.MISSING, text, f"system-outputs/{lp}", len(absent))


def _of_usual_length(
    scores: Sequence[ScoreTable], segments: int | None, faults: Faults
) -> tuple[int, list[ScoreTable]]:
    """The number of segments, without texts the one that most tables have, and the tables that have so many."""
    if segments is not None:  # each file was compared with the texts
        return segments, list(scores)
    lengths = Counter(table.values.shape[1] for table in scores if table.level == "segment")
    usual = max(lengths, key=lambda length: (lengths[length], length), default=0)
    kept = []
    for table in scores:
        with faults.in_table():
            if table.level == "segment" and table.values.shape[1] != usual:
                message = f"{table.values.shape[1]:,} scores per system, but other files have {usual:,}"
                raise AlignmentError(message, path=shown_path(table.origin))
            kept.append(table)
    return usual, kept


def _with_judged_references(testset: TestSet, judged: Collection[str]) -> TestSet:
    """A reference with scores or judgements is an output, also if its file is only among the references."""
    others = {name: column for name, column in testset.references.items() if name in judged}
    if others.keys() <= testset.outputs.keys():
        return testset
    return replace(testset, outputs=dict(sorted((others | dict(testset.outputs)).items())))


def _unread_files(folder: Path, lp: str) -> Iterator[Note]:
    """A note on the files of this language pair, or of none, that are not read."""
    others = [path for path in sorted(folder.iterdir()) if path.name not in (*_PARTS, *_WITHOUT_DATA)]
    unread = [f"{path.name}{'/' * path.is_dir()}" for path in others if not path.name.startswith(".")]
    for part in _PARTS:
        place = folder / part / lp if part in ("system-outputs", "metric-scores") else folder / part
        for path in sorted(place.iterdir()) if place.is_dir() else ():
            if not _FILES[part].fullmatch(path.name) and _is_of(path, part, lp):
                unread.append(f"{place.relative_to(folder)}/{path.name}")
    if unread:
        text = f"not read: {listed(map(printable, unread), _MAX_SHOWN)}"
        yield Note(NoteKind.UNREAD, text, shown_path(folder), len(unread))


def _language_models(folder: Path, lp: str) -> Iterator[Note]:
    """A note on scores of language models among the human scores."""
    files = sorted((folder / "human-scores").glob(f"{lp}.*.score"))
    names = dict.fromkeys(path.name.removeprefix(f"{lp}.").removesuffix(".score").rpartition(".")[0] for path in files)
    if models := [name for name in names if language_model_in(name)]:
        text = f"by their names, scores of language models, not of people: {', '.join(models)}"
        remedy = f"they are used as human scores only on request: {option_name('gold', models[0])}"
        yield Note(NoteKind.PROVENANCE, f"{text} ({remedy})", f"human-scores/{lp}.*", len(models))


def _is_of(path: Path, part: str, lp: str) -> bool:
    """Whether a file of a part belongs to the language pair, or to none."""
    if path.name.startswith("."):
        return False
    pair = re.match(rf"({LANGUAGE_PAIR})(\.|$)", path.name)
    return part in ("system-outputs", "metric-scores") or pair is None or pair[1] == lp


def _texts(folder: Path, lp: str, notes: list[Note], faults: Faults) -> TestSet | None:
    def columns_of(part: str, is_wanted: Callable[[str], bool], key: str) -> dict[Path, Column]:
        columns = {}
        for path in _text_files(folder / part, is_wanted, faults):
            with faults.found():
                columns[path] = _column(path, key, notes)
        return columns

    outputs = columns_of(f"system-outputs/{lp}", lambda name: True, "hypothesis")
    if not outputs:
        return None
    references = columns_of("references", lambda name: name.startswith(f"{lp}."), "target")
    sources = columns_of("sources", lambda name: name == lp, "source")
    columns = {**outputs, **references, **sources}
    sound = _of_one_length(columns, faults)
    notes += _kept_notes(sound)
    named = {path: _checked_name(path, lp, outputs, faults) for path in sound}
    outputs = {path: column for path, column in outputs.items() if named.get(path)}
    if not outputs:
        return None
    segments = len(next(iter(outputs.values())))
    absent = sum(segments - int(present(column).sum()) for column in outputs.values())
    if absent:
        text = f"{plural(absent, 'output')} missing ('{_NO_TRANSLATION}')"
        notes.append(Note(NoteKind.MISSING, text, f"system-outputs/{lp}", absent))
    return TestSet(
        outputs={named[path]: column for path, column in outputs.items()},
        references={named[path]: column for path, column in references.items() if named.get(path)},
        sources=next((column for path, column in sources.items() if path in sound), None),
        lp=lp,
        name=folder.resolve().name,
    )


def _kept_notes(columns: Mapping[Path, Column]) -> Iterator[Note]:
    """Notes on byte order marks and spreadsheet quotation marks in texts."""
    marked = [path for path, column in columns.items() if column and (column[0] or "").startswith(_MARK)]
    quoted = [path for path, column in columns.items() if enclosed_line(column) is not None]
    for description, paths in (("byte order marks", marked), ("spreadsheet quotation marks", quoted)):
        if paths:
            files = ", ".join(path.name for path in paths)
            text = f"kept {description}, because published scores were computed with them: {files}"
            yield Note(NoteKind.KEPT, text, count=len(paths))


def _of_one_length(columns: Mapping[Path, Column], faults: Faults) -> dict[Path, Column]:
    """The columns that have as many segments as most."""
    usual = Counter(map(len, columns.values())).most_common(1)[0][0]
    baseline = next(path for path, column in columns.items() if len(column) == usual)
    kept = {}
    for path, column in columns.items():
        with faults.found():
            if len(column) != usual or not column:
                message = f"has {plural(len(column), 'segment')}, but {baseline.name} has {usual:,}"
                hint = "all files need one text per segment, in the same order"
                raise AlignmentError(message, path=shown_path(path), hint=hint)
            kept[path] = column
    return kept


def _checked_name(path: Path, lp: str, outputs: Container[Path], faults: Faults) -> str:
    """The name of a system or reference; empty if it is unsafe."""
    kind, name = ("system", _name(path)) if path in outputs else ("reference", _name(path).removeprefix(f"{lp}."))
    with faults.found():
        try:
            check_names(kind, [name])
        except InputError as error:
            raise type(error)(error.message, path=shown_path(path), hint="rename the file") from None
        return name
    return ""


def _name(path: Path) -> str:
    """The name of a text file without its suffixes."""
    return Path(path.name.removesuffix(".gz")).stem


def _text_files(folder: Path, is_wanted: Callable[[str], bool], faults: Faults) -> list[Path]:
    """The text files of a folder whose names without suffixes are wanted."""
    if not folder.is_dir():
        return []
    paths = sorted(p for p in folder.iterdir() if p.name.endswith(_TEXT_FILES) and is_wanted(_name(p)))
    kept: list[Path] = []
    for path in paths:
        with faults.found():
            if kept and _name(kept[-1]) == _name(path):
                message = f"the same text twice: {kept[-1].name} and {path.name}"
                raise NameClashError(message, path=shown_path(folder))
            kept.append(path)
    return kept


def _column(path: Path, key: str, notes: list[Note]) -> Column:
    if path.name.endswith(_JSON_LINES):
        lines, changes = read_lines(path)
        fields = (_field(line, key, path, number) for number, line in enumerate(lines, 1))
        column = as_column(None if text == _NO_TRANSLATION else text for text in fields)
    else:
        column, changes = read_column(path, keep_mark=True)
        column = column.without(_NO_TRANSLATION)
    notes += changes
    return column


def _field(line: str, key: str, path: Path, number: int) -> str:
    text = parse_object(line, path=str(path), line=number).get(key)
    if not isinstance(text, str):
        raise DecodeError(f"the field '{key}' must be a text", path=str(path), line=number)
    return text


@dataclass(frozen=True, slots=True)
class _Labels:
    """The domain and the document of each segment; None if they are not known."""

    domains: Column | None = None
    documents: Column | None = None

    def __len__(self) -> int:
        return len(self.documents or ())

    def added_to(self, table: ScoreTable, *, has_texts: bool) -> ScoreTable:
        """Human scores of segments with their domains; without texts, which know the documents, also with these."""
        if self.documents is None or not table.is_human or table.level != "segment":
            return table
        if len(self) != table.values.shape[1]:
            return table
        domains, documents = (tuple(name or "" for name in column or ()) for column in (self.domains, self.documents))
        return replace(table, domains=domains, documents=() if has_texts else documents)

    def items(self, segments: int | None) -> dict[str, tuple[str, ...] | int | None]:
        """By level, the number of items or their names."""
        documents = tuple(dict.fromkeys(name or "" for name in self.documents or ())) or None
        domains = tuple(sorted({name or "" for name in self.domains or ()})) or None
        return {"system": 1, "segment": segments, "document": documents, "domain": domains}


def _labels(path: Path, segments: int | None, notes: list[Note]) -> _Labels:
    """Domain and document of each segment; documents must be contiguous. Without texts, `segments` is not known."""
    if not path.exists():
        return _Labels()
    lines, changes = read_lines(path)
    notes += changes
    if segments is not None:
        _check_documents(len(lines), segments, path)
    rows = [line.split() for line in lines]
    for number, row in enumerate(rows, 1):
        if len(row) != 2:
            raise InputError("expected a domain and a document", path=str(path), line=number)
    seen: set[str] = set()
    for number, (row, before) in enumerate(zip(rows, [["", ""], *rows[:-1]], strict=True), 1):
        if row[1] != before[1] and row[1] in seen:
            raise InputError(f"the document '{row[1]}' is not contiguous", path=str(path), line=number)
        seen.add(row[1])
    return _Labels(as_column(row[0] for row in rows), as_column(row[1] for row in rows))


def _check_documents(lines: int, segments: int, path: Path) -> None:
    if lines != segments:
        message = f"has {plural(lines, 'line')}, but there are {plural(segments, 'segment')}"
        raise AlignmentError(message, path=shown_path(path))


def _scores(
    folder: Path, lp: str, testset: TestSet | None, labels: _Labels, notes: list[Note], faults: Faults
) -> Iterator[ScoreTable]:
    items = labels.items(None if testset is None else len(testset))
    known = () if testset is None else tuple(testset.references)

    def human_scores(path: Path) -> ScoreTable:
        name, level = _name_and_level(path, path.name.removeprefix(f"{lp}."))
        protocol, rater = human_protocol(name), column_of(name)
        return read_score_file(
            path, name=name, level=level, items=items[level], protocol=protocol, rater=rater, notes=notes
        )

    def metric_scores(path: Path) -> ScoreTable:
        name, level = _name_and_level(path, path.name)
        named = split_name(name)
        if named is None:
            hint = "e.g. BLEU-refA.seg.score"
            raise InputError("the file name does not end in -REFERENCES", path=shown_path(path), hint=hint)
        metric, references = named
        if testset is not None:
            references = spell_out(references, known)
        return read_score_file(path, name=metric, level=level, items=items[level], references=references, notes=notes)

    readers = (("human-scores", f"{lp}.*.score", human_scores), (f"metric-scores/{lp}", "*.score", metric_scores))
    for part, pattern, read in readers:
        for path in sorted((folder / part).glob(pattern)):
            table = None
            with faults.in_table():
                table = read(path)
            if table is not None:
                yield table


def _name_and_level(path: Path, name: str) -> tuple[str, str]:
    named = name_and_level(name)
    if named is None:
        levels = ", ".join(LEVELS)
        raise InputError(f"the file name does not end in a level ({levels}) and .score", path=shown_path(path))
    return named


def human_protocol(name: str) -> str:
    """The protocol of human scores, by their name in this layout; `other` if a language model made them."""
    if language_model_in(name):
        return "other"
    z = "-z" if re.search(r"-z\b", name) else ""
    if re.match(r"(wmt-appraise|da-sqm|da\+sqm)", name):
        return f"DA+SQM{z}"
    known = {"mqm": "MQM", "psqm": "pSQM", "esa": f"ESA{z}", "wmt": f"DA{z}", "da": f"DA{z}", "rr": "RR"}
    return next((protocol for start, protocol in known.items() if re.match(rf"{start}\b", name)), "other")


def _judgements(folder: Path, lp: str, notes: list[Note], faults: Faults) -> Iterator[Judgements]:
    def table(path: Path) -> list[Judgements]:
        try:
            return [read_judgement_table(path, path.name.removeprefix(f"{lp}.").removesuffix(".tsv"), notes=notes)]
        except UnknownHeaderError as error:  # judgements of another kind, which harm nothing
            notes.append(Note(NoteKind.UNREAD, f"not read: {error.problem}", shown_path(path)))
            return []

    def ratings(path: Path) -> list[Judgements]:
        campaigns = data_format.create("ratings").read(path)
        notes.extend(note for campaign in campaigns for note in campaign.notes)
        return [judged for campaign in campaigns for judged in campaign.judgements]

    readers = (("judgements", f"{lp}.*.tsv", table), ("human-scores", f"{lp}.*.seg.rating", ratings))
    for part, pattern, read in readers:
        for path in sorted((folder / part).glob(pattern)):
            found: list[Judgements] = []
            with faults.in_table():
                found = read(path)
            yield from found


def _files(campaign: Campaign) -> Iterator[tuple[Path, str]]:
    """The files of a campaign: paths inside the folder, and texts."""
    if not campaign.name or re.fullmatch(LANGUAGE_PAIR, campaign.lp) is None:
        raise InputError("writing a folder needs the name of the test set and a language pair")
    check_names("test set", [campaign.name])
    check_names("metric", dict.fromkeys(table.name for table in campaign.scores))
    check_names("reference", campaign.references)
    if campaign.judged_or_predicted:
        message = "this layout cannot hold individual judgements or predicted errors"
        raise InputError(f"{campaign.name} {campaign.lp}: {message}")
    for name, text in (*_text_contents(campaign), *_score_contents(campaign)):
        yield Path(campaign.name) / name, text


def _text_contents(campaign: Campaign) -> Iterator[tuple[str, str]]:
    lp, testset = campaign.lp, campaign.testset
    if testset is None:
        table = next((t for t in campaign.human if t.documents), None)
        if table is not None:
            yield f"documents/{lp}.docs", _document_lines(table.domains, table.documents)
        return
    for name, column in testset.outputs.items():
        yield f"system-outputs/{lp}/{name}.txt", _text(column, name)
    for name, column in testset.references.items():
        yield f"references/{lp}.{name}.txt", _text(column, name)
    if testset.sources is not None:
        yield f"sources/{lp}.txt", _text(testset.sources, "sources")
    if testset.documents is not None:
        yield f"documents/{lp}.docs", _document_lines(testset.domains, testset.documents)


def _document_lines(domains: Sequence[str | None] | None, documents: Sequence[str | None]) -> str:
    rows = zip(domains or ("unknown",) * len(documents), documents, strict=True)
    return "".join(f"{_word(domain)} {_word(name)}\n" for domain, name in rows)


def _score_contents(campaign: Campaign) -> Iterator[tuple[str, str]]:
    levels = {level: short for short, level in LEVELS.items()}
    for table in campaign.scores:
        end = f"{levels[table.level]}.score"
        name = f"human-scores/{campaign.lp}.{table.name}.{end}"
        if not table.is_human:
            name = f"metric-scores/{campaign.lp}/{metric_label(table.name, table.references)}.{end}"
        yield name, score_text(table)


def _text(column: Column, name: str) -> str:
    for number, text in enumerate(column, 1):
        if text is not None and "\n" in text:
            raise InputError(f"segment {number} of {name} contains a line end, which this layout cannot hold")
    return "".join(f"{_NO_TRANSLATION if text is None else text}\n" for text in column)


def _word(name: str | None) -> str:
    return "_".join((name or "unknown").split()) or "unknown"
