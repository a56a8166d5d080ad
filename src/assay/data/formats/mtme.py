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
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Literal

from assay.data.certainty import LIKELY, NO
from assay.data.formats import Format, StoredCampaign, data_format
from assay.data.joined import align_items
from assay.data.tables.judgement_tables import read_judgement_table
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
    option,
    printable,
)
from assay.strict_json import parse_object
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
from assay.types.metric_names import ALL, metric_label, spell_out, split_name
from assay.types.note import listed, plural
from assay.types.rater_names import column_of

__all__ = ["Mtme", "human_protocol", "language_pairs", "read_pair", "testset_folders"]

_NO_TRANSLATION = "[No translation supplied]"  # stands for a missing output
_MARK = "\ufeff"
_JSON_LINES = (".jsonl", ".jsonl.gz")
_TEXT_FILES = (".txt", ".txt.gz", *_JSON_LINES)
_PARTS = ("sources", "references", "documents", "system-outputs", "human-scores", "metric-scores", "judgements")
_TYPICAL_PARTS = _PARTS[3:]  # a folder with one of these is a test set
_PAIR = r"[a-z]{2,3}(_[A-Za-z]+)*-[a-z]{2,3}(_[A-Za-z]+)*"
_FILES = {
    "sources": re.compile(rf"{_PAIR}\.(txt|jsonl)(\.gz)?"),
    "references": re.compile(rf"{_PAIR}\..+\.(txt|jsonl)(\.gz)?"),
    "documents": re.compile(rf"{_PAIR}\.docs"),
    "system-outputs": re.compile(r".+\.(txt|jsonl)(\.gz)?"),
    "human-scores": re.compile(rf"{_PAIR}\..+\.(score|seg\.rating)"),
    "metric-scores": re.compile(r".+\.score"),
    "judgements": re.compile(rf"{_PAIR}\..+\.tsv"),
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
    penalty_hint = f"if lower is better: {option('input_format', 'mtme:mqm=lower')}"

    def recognises(self, path: Path, head: str) -> int:
        return LIKELY if testset_folders(path) else NO  # names of files can make another layout certain

    def contents(self, path: Path) -> tuple[StoredCampaign, ...]:
        folders = testset_folders(path)
        if not folders:
            parts = ", ".join(f"{part}/" for part in _TYPICAL_PARTS)
            hint = f"it needs one of {parts}; to read the files in it, give them: {shown_path(path).rstrip('/')}/*"
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

    def _read(self, named: Path, folder: Path, lp: str) -> Campaign:
        """A language pair; if its folder is not the one that was named, a note says so."""
        campaign = read_pair(folder, lp)
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
            pairs |= {match[1] for name in names if (match := re.fullmatch(rf"({_PAIR})(\..*)?", name))}
    return sorted(pairs)


def read_pair(folder: Path, lp: str) -> Campaign:
    """One language pair of a test set: texts, scores and judgements."""
    if lp not in language_pairs(folder):
        hint = nearest(lp, language_pairs(folder))
        raise InputError(f"no language pair '{lp}'", path=shown_path(folder), hint=hint)
    notes: list[Note] = [*_unread_files(folder, lp)]
    testset = _texts(folder, lp, notes)
    segments = 0 if testset is None else len(testset)
    scores = [_with_domains(table, testset) for table in _scores(folder, lp, testset, notes)]
    judgements = [align_items(judged, testset, notes) for judged in _judgements(folder, lp, notes)]
    named = {name for table in (*scores, *judgements) for name in table.systems}
    if testset is not None:
        testset = _with_judged_references(testset, named)
    systems = testset.systems if testset else tuple(sorted(named))
    if not segments:
        segments = max((table.values.shape[1] for table in scores if table.level == "segment"), default=0)
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
        notes=(*notes, *missing_score_notes(scores, systems, references, lp)),
    )


def _with_judged_references(testset: TestSet, judged: Collection[str]) -> TestSet:
    """A reference with scores or judgements is an output, also if its file is only among the references."""
    others = {name: column for name, column in testset.references.items() if name in judged}
    if others.keys() <= testset.outputs.keys():
        return testset
    return replace(testset, outputs=dict(sorted((others | dict(testset.outputs)).items())))


def _with_domains(table: ScoreTable, testset: TestSet | None) -> ScoreTable:
    """Human scores of segments with the domains of the segments."""
    if testset is None or testset.domains is None or not table.is_human or table.level != "segment":
        return table
    return replace(table, domains=tuple(domain or "" for domain in testset.domains))


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


def _is_of(path: Path, part: str, lp: str) -> bool:
    """Whether a file of a part belongs to the language pair, or to none."""
    if path.name.startswith("."):
        return False
    pair = re.match(rf"({_PAIR})(\.|$)", path.name)
    return part in ("system-outputs", "metric-scores") or pair is None or pair[1] == lp


def _texts(folder: Path, lp: str, notes: list[Note]) -> TestSet | None:
    outputs = {path: _column(path, "hypothesis", notes) for path in _text_files(folder / "system-outputs" / lp)}
    if not outputs:
        return None
    references = {path: _column(path, "target", notes) for path in _text_files(folder / "references", f"{lp}.")}
    exact = [path for path in _text_files(folder / "sources", f"{lp}.") if _name(path) == lp]
    sources = {path: _column(path, "source", notes) for path in exact}
    columns = {**outputs, **references, **sources}
    notes += _kept_notes(columns)
    _check_lengths(columns)
    segments = len(next(iter(outputs.values())))
    absent = sum(segments - int(present(column).sum()) for column in outputs.values())
    if absent:
        text = f"{plural(absent, 'output')} missing ('{_NO_TRANSLATION}')"
        notes.append(Note(NoteKind.MISSING, text, f"system-outputs/{lp}", absent))
    domains, documents = _documents(folder / "documents" / f"{lp}.docs", segments, notes)
    return TestSet(
        outputs={_checked_name("system", _name(path), path): column for path, column in outputs.items()},
        references={
            _checked_name("reference", _name(path).removeprefix(f"{lp}."), path): column
            for path, column in references.items()
        },
        sources=next(iter(sources.values()), None),
        documents=documents,
        domains=domains,
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


def _check_lengths(columns: Mapping[Path, Column]) -> None:
    usual = Counter(map(len, columns.values())).most_common(1)[0][0]
    baseline = next(path for path, column in columns.items() if len(column) == usual)
    for path, column in columns.items():
        if len(column) != usual or not column:
            message = f"has {plural(len(column), 'segment')}, but {baseline.name} has {usual:,}"
            hint = "all files need one text per segment, in the same order"
            raise AlignmentError(message, path=shown_path(path), hint=hint)


def _checked_name(kind: str, name: str, path: Path) -> str:
    try:
        check_names(kind, [name])
    except InputError as error:
        raise type(error)(error.message, path=shown_path(path), hint="rename the file") from None
    return name


def _name(path: Path) -> str:
    """The name of a text file without its suffixes."""
    return Path(path.name.removesuffix(".gz")).stem


def _text_files(folder: Path, prefix: str = "") -> list[Path]:
    if not folder.is_dir():
        return []
    paths = sorted(p for p in folder.iterdir() if p.name.startswith(prefix) and p.name.endswith(_TEXT_FILES))
    for path, other in pairwise(paths):
        if _name(path) == _name(other):
            raise NameClashError(f"the same text twice: {path.name} and {other.name}", path=shown_path(folder))
    return paths


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


def _documents(path: Path, segments: int, notes: list[Note]) -> tuple[Column | None, Column | None]:
    """Domain and document of each segment; documents must be contiguous."""
    if not path.exists():
        return None, None
    lines, changes = read_lines(path)
    notes += changes
    if len(lines) != segments:
        raise AlignmentError(
            f"has {plural(len(lines), 'line')}, but there are {plural(segments, 'segment')}", path=str(path)
        )
    rows = [line.split() for line in lines]
    for number, row in enumerate(rows, 1):
        if len(row) != 2:
            raise InputError("expected a domain and a document", path=str(path), line=number)
    seen: set[str] = set()
    for number, (row, before) in enumerate(zip(rows, [["", ""], *rows[:-1]], strict=True), 1):
        if row[1] != before[1] and row[1] in seen:
            raise InputError(f"the document '{row[1]}' is not contiguous", path=str(path), line=number)
        seen.add(row[1])
    return as_column(row[0] for row in rows), as_column(row[1] for row in rows)


def _scores(folder: Path, lp: str, testset: TestSet | None, notes: list[Note]) -> Iterator[ScoreTable]:
    known = None if testset is None else tuple(dict.fromkeys((*testset.systems, *testset.references)))
    items = _items(testset)
    for path in sorted((folder / "human-scores").glob(f"{lp}.*.score")):
        name, level = _name_and_level(path, path.name.removeprefix(f"{lp}."))
        yield read_score_file(
            path,
            name=name,
            level=level,
            systems=known,
            items=items[level],
            protocol=human_protocol(name),
            rater=column_of(name),
            notes=notes,
        )
    for path in sorted((folder / "metric-scores" / lp).glob("*.score")):
        name, level = _name_and_level(path, path.name)
        named = split_name(name)
        if named is None:
            hint = "e.g. BLEU-refA.seg.score"
            raise InputError("the file name does not end in -REFERENCES", path=shown_path(path), hint=hint)
        metric, references = named
        if testset is not None:
            references = spell_out(references, testset.references)
        yield read_score_file(
            path, name=metric, level=level, systems=known, items=items[level], references=references, notes=notes
        )


def _items(testset: TestSet | None) -> dict[str, tuple[str, ...] | int | None]:
    """By level, the number of items or their names."""
    if testset is None:
        return {"system": 1, "segment": None, "document": None, "domain": None}
    documents = tuple(dict.fromkeys(name or "" for name in testset.documents or ())) or None
    domains = tuple(sorted({name or "" for name in testset.domains or ()})) or None
    return {"system": 1, "segment": len(testset), "document": documents, "domain": domains}


def _name_and_level(path: Path, name: str) -> tuple[str, str]:
    named = name_and_level(name)
    if named is None:
        levels = ", ".join(LEVELS)
        raise InputError(f"the file name does not end in a level ({levels}) and .score", path=shown_path(path))
    return named


def human_protocol(name: str) -> str:
    """The protocol of human scores, by their name in this layout."""
    z = "-z" if re.search(r"-z\b", name) else ""
    if re.match(r"(wmt-appraise|da-sqm|da\+sqm)", name):
        return f"DA+SQM{z}"
    known = {"mqm": "MQM", "psqm": "pSQM", "esa": f"ESA{z}", "wmt": f"DA{z}", "da": f"DA{z}", "rr": "RR"}
    return next((protocol for start, protocol in known.items() if re.match(rf"{start}\b", name)), "other")


def _judgements(folder: Path, lp: str, notes: list[Note]) -> Iterator[Judgements]:
    for path in sorted((folder / "judgements").glob(f"{lp}.*.tsv")):
        yield read_judgement_table(path, path.name.removeprefix(f"{lp}.").removesuffix(".tsv"), notes=notes)
    for path in sorted((folder / "human-scores").glob(f"{lp}.*.seg.rating")):
        for campaign in data_format.create("ratings").read(path):
            notes += campaign.notes
            yield from campaign.judgements


def _files(campaign: Campaign) -> Iterator[tuple[Path, str]]:
    """The files of a campaign: paths inside the folder, and texts."""
    if not campaign.name or re.fullmatch(_PAIR, campaign.lp) is None:
        raise InputError("writing a folder needs the name of the test set and a language pair")
    check_names("test set", [campaign.name])
    check_names("metric", dict.fromkeys(table.name for table in campaign.scores))
    check_names("reference", campaign.references)
    if campaign.judgements:
        raise InputError(f"{campaign.name} {campaign.lp}: this layout cannot hold individual judgements")
    for name, text in (*_text_contents(campaign), *_score_contents(campaign)):
        yield Path(campaign.name) / name, text


def _text_contents(campaign: Campaign) -> Iterator[tuple[str, str]]:
    lp, testset = campaign.lp, campaign.testset
    if testset is None:
        return
    for name, column in testset.outputs.items():
        yield f"system-outputs/{lp}/{name}.txt", _text(column, name)
    for name, column in testset.references.items():
        yield f"references/{lp}.{name}.txt", _text(column, name)
    if testset.sources is not None:
        yield f"sources/{lp}.txt", _text(testset.sources, "sources")
    if testset.documents is not None:
        rows = zip(testset.domains or ("unknown",) * len(testset), testset.documents, strict=True)
        yield f"documents/{lp}.docs", "".join(f"{_word(domain)} {_word(name)}\n" for domain, name in rows)


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
