"""The folder layout of mt-metrics-eval, version 2: one folder a test set, with all its language pairs.

    sources/LP.txt  references/LP.NAME.txt  documents/LP.docs  system-outputs/LP/SYSTEM.txt
    human-scores/LP.NAME.LEVEL.score  metric-scores/LP/METRIC-REFERENCES.LEVEL.score  judgements/LP.NAME.tsv

Byte order marks are kept and counted, because published scores were computed with them. Parts may be missing: a test
set without texts still has its scores.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from assay.data.formats import CERTAIN, NO, Format, form
from assay.data.formats.score import LEVELS, read_score_file, score_text
from assay.data.judgement_tables import read_judgement_table
from assay.data.noting import score_notes
from assay.data.quoting import enclosed_line
from assay.data.text import read_lines, shown_path
from assay.errors import AlignmentError, DecodeError, InputError, NameClashError, nearest
from assay.types import Campaign, Column, Judgements, ScoreTable, TestSet, check_names

__all__ = ["Mtme", "human_protocol", "language_pairs", "read_pair", "testset_folders"]

_NO_TRANSLATION = "[No translation supplied]"  # what the layout writes where a system gave no output
_PARTS = ("sources", "references", "documents", "system-outputs", "human-scores", "metric-scores", "judgements")
_MARKS = _PARTS[3:]  # a folder with one of these is that of a test set
_PAIR = r"[a-z]{2,3}(_[A-Za-z]+)*-[a-z]{2,3}(_[A-Za-z]+)*"


@form("mtme")
@dataclass(frozen=True)
class Mtme(Format):
    """A test set's folder, or one that holds such folders."""

    def recognises(self, path: Path, head: str) -> int:
        return CERTAIN if path.is_dir() and testset_folders(path) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        folders = testset_folders(path)
        if not folders:
            parts = ", ".join(f"{part}/" for part in _MARKS)
            raise InputError(f"no folder of a test set: none of {parts} is there", path=shown_path(path))
        return tuple(read_pair(folder, lp) for folder in folders for lp in language_pairs(folder))

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        """A folder for each test set inside `path`, which must not be there yet or be empty."""
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise InputError("is there already and is not replaced", path=shown_path(path), hint="name a new folder")
        files: dict[Path, str] = {}
        for campaign in campaigns:
            for name, text in _files(campaign):
                if path / name in files:
                    raise InputError(f"{campaign.name} {campaign.lp} is there twice", path=campaign.name or None)
                files[path / name] = text
        try:
            for place, text in files.items():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(text.encode())
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise InputError(f"cannot be written: {reason}", path=shown_path(path)) from error


def testset_folders(path: Path) -> list[Path]:
    """The folder itself, if it is that of a test set, or those it holds."""

    def is_testset(folder: Path) -> bool:
        return folder.is_dir() and any((folder / part).is_dir() for part in _MARKS)

    if is_testset(path) or not path.is_dir():
        return [path] if path.is_dir() else []
    below = sorted(inside for inside in path.iterdir() if inside.is_dir() and not inside.name.startswith("."))
    return [
        found for inside in below for found in ([inside] if is_testset(inside) else _in_release(inside, is_testset))
    ]


def _in_release(folder: Path, is_testset: Callable[[Path], bool]) -> list[Path]:
    return sorted(filter(is_testset, folder.iterdir()))


def language_pairs(folder: Path) -> list[str]:
    """The language pairs of a test set, sorted."""
    found: set[str] = set()
    for part in _PARTS:
        if (folder / part).is_dir():
            names = (path.name for path in (folder / part).iterdir())
            found |= {match[1] for name in names if (match := re.fullmatch(rf"({_PAIR})(\..*)?", name))}
    return sorted(found)


def read_pair(folder: Path, lp: str) -> Campaign:
    """Everything a test set has in one language pair."""
    if lp not in language_pairs(folder):
        raise InputError(
            f"has no language pair '{lp}'", path=shown_path(folder), hint=nearest(lp, language_pairs(folder))
        )
    notes: list[str] = []
    testset = _texts(folder, lp, notes)
    segments = 0 if testset is None else len(testset)
    scores = list(_scores(folder, lp, testset, notes))
    judgements = list(_judgements(folder, lp, notes))
    named = [*(s.systems for s in scores), *(j.systems for j in judgements)]
    systems = testset.systems if testset else tuple(sorted({name for names in named for name in names}))
    if not segments:
        segments = max((table.values.shape[1] for table in scores if table.level == "segment"), default=0)
    given = {name for table in scores for name in table.references if name not in ("all", "src")}
    references = {*(testset.references if testset else ()), *given}
    return Campaign(
        name=folder.resolve().name,
        lp=lp,
        segments=segments,
        systems=systems,
        references=tuple(sorted(references)),
        testset=testset,
        scores=tuple(scores),
        judgements=tuple(judgements),
        notes=(*notes, *score_notes(scores, systems, references)),
    )


def _texts(folder: Path, lp: str, notes: list[str]) -> TestSet | None:
    marks: list[Path] = []
    outputs = {path: _column(path, "hypothesis", marks, notes) for path in _text_files(folder / "system-outputs" / lp)}
    if not outputs:
        return None
    references = {path: _column(path, "target", marks, notes) for path in _text_files(folder / "references", f"{lp}.")}
    exact = [path for path in _text_files(folder / "sources", f"{lp}.") if path.stem == lp]
    sources = {path: _column(path, "source", marks, notes) for path in exact}
    columns = {**outputs, **references, **sources}
    enclosed = [path for path, column in columns.items() if enclosed_line(text or "" for text in column) is not None]
    notes += (
        f"{what}, which were kept, because published scores were computed with them: "
        f"{', '.join(path.name for path in found)}"
        for what, found in (("byte order marks", marks), ("quotation marks as spreadsheets put them", enclosed))
        if found
    )
    _check_lengths(columns)
    segments = len(next(iter(outputs.values())))
    absent = sum(column.count(None) for column in outputs.values())
    if absent:
        notes.append(f"{absent} outputs are missing ('{_NO_TRANSLATION}')")
    domains, documents = _documents(folder / "documents" / f"{lp}.docs", segments, notes)
    return TestSet(
        outputs={_checked_name("system", path.stem, path): column for path, column in outputs.items()},
        references={
            _checked_name("reference", path.stem.removeprefix(f"{lp}."), path): column
            for path, column in references.items()
        },
        sources=next(iter(sources.values()), None),
        documents=documents,
        domains=domains,
        lp=lp,
        name=folder.resolve().name,
    )


def _check_lengths(columns: Mapping[Path, Column]) -> None:
    usual = Counter(map(len, columns.values())).most_common(1)[0][0]
    yardstick = next(path for path, column in columns.items() if len(column) == usual)
    for path, column in columns.items():
        if len(column) != usual or not column:
            what = f"has {len(column):,} segments, {yardstick.name} has {usual:,}"
            raise AlignmentError(
                what, path=shown_path(path), hint="all need one text for each segment, in the same order"
            )


def _checked_name(kind: str, name: str, path: Path) -> str:
    try:
        check_names(kind, [name])
    except InputError as error:
        raise type(error)(error.message, path=shown_path(path), hint="give the file another name") from None
    return name


def _text_files(folder: Path, prefix: str = "") -> list[Path]:
    if not folder.is_dir():
        return []
    found = sorted(p for p in folder.iterdir() if p.name.startswith(prefix) and p.suffix in (".txt", ".jsonl"))
    for one, other in pairwise(found):
        if one.stem == other.stem:
            raise NameClashError(f"is there twice: {one.name} and {other.name}", path=shown_path(folder))
    return found


def _column(path: Path, key: str, marks: list[Path], notes: list[str]) -> Column:
    lines, changes = read_lines(path, keep_mark=True)
    if any("byte order mark" in note for note in changes):
        marks.append(path)
    notes += [note for note in changes if "byte order mark" not in note]
    if path.suffix == ".jsonl":
        lines = tuple(_field(line, key, path, number) for number, line in enumerate(lines, 1))
    return tuple(None if line == _NO_TRANSLATION else line for line in lines)


def _field(line: str, key: str, path: Path, number: int) -> str:
    try:
        text = json.loads(line)[key]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise DecodeError(f"no JSON object with the field '{key}'", path=str(path), line=number) from None
    if not isinstance(text, str) or any("\ud800" <= c <= "\udfff" for c in text):
        raise DecodeError(f"the field '{key}' is not a text", path=str(path), line=number)
    return text


def _documents(path: Path, segments: int, notes: list[str]) -> tuple[Column | None, Column | None]:
    """Domain and document of each segment; documents are contiguous."""
    if not path.exists():
        return None, None
    lines, changes = read_lines(path)
    notes += changes
    if len(lines) != segments:
        raise AlignmentError(f"{len(lines):,} lines for {segments:,} segments", path=str(path))
    rows = [line.split() for line in lines]
    for number, row in enumerate(rows, 1):
        if len(row) != 2:
            raise InputError("not a domain and a document", path=str(path), line=number)
    seen: set[str] = set()
    for number, (row, before) in enumerate(zip(rows, [["", ""], *rows[:-1]], strict=True), 1):
        if row[1] != before[1] and row[1] in seen:
            raise InputError(f"the document '{row[1]}' begins a second time", path=str(path), line=number)
        seen.add(row[1])
    return tuple(row[0] for row in rows), tuple(row[1] for row in rows)


def _scores(folder: Path, lp: str, testset: TestSet | None, notes: list[str]) -> Iterator[ScoreTable]:
    known = None if testset is None else testset.systems
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
            rater=name.rpartition("-")[2] if re.search(r"-col\d+$", name) else None,
            notes=notes,
        )
    for path in sorted((folder / "metric-scores" / lp).glob("*.score")):
        name, level = _name_and_level(path, path.name)
        metric, dash, given = name.rpartition("-")
        if not dash:
            raise InputError(
                "the name does not end in -REFERENCES", path=shown_path(path), hint="e.g. BLEU-refA.seg.score"
            )
        references = _references(given, testset)
        yield read_score_file(
            path, name=metric, level=level, systems=known, items=items[level], references=references, notes=notes
        )


def _items(testset: TestSet | None) -> dict[str, tuple[str, ...] | int | None]:
    """By level: how many items there are, or their names."""
    if testset is None:
        return {"system": 1, "segment": None, "document": None, "domain": None}
    documents = tuple(dict.fromkeys(name or "" for name in testset.documents or ())) or None
    domains = tuple(sorted({name or "" for name in testset.domains or ()})) or None
    return {"system": 1, "segment": len(testset), "document": documents, "domain": domains}


def _name_and_level(path: Path, name: str) -> tuple[str, str]:
    base, _, level = name.removesuffix(".score").rpartition(".")
    if level not in LEVELS or not base:
        raise InputError(f"the name does not end in a level ({', '.join(LEVELS)}) and .score", path=shown_path(path))
    return base, LEVELS[level]


def _references(given: str, testset: TestSet | None) -> tuple[str, ...]:
    """The references a metric was given, by the end of its name: `src` means none."""
    if given == "src":
        return ()
    return tuple(testset.references) if given == "all" and testset is not None else tuple(given.split("."))


def human_protocol(name: str) -> str:
    """How people judged, by what the layout calls their scores."""
    z = "-z" if re.search(r"-z\b", name) else ""
    if re.match(r"(wmt-appraise|da-sqm|da\+sqm)", name):
        return f"DA+SQM{z}"
    known = {"mqm": "MQM", "psqm": "pSQM", "esa": "ESA", "wmt": f"DA{z}", "da": f"DA{z}", "rr": "RR"}
    return next((protocol for start, protocol in known.items() if re.match(rf"{start}\b", name)), "other")


def _judgements(folder: Path, lp: str, notes: list[str]) -> Iterator[Judgements]:
    for path in sorted((folder / "judgements").glob(f"{lp}.*.tsv")):
        yield read_judgement_table(path, path.name.removeprefix(f"{lp}.").removesuffix(".tsv"), notes=notes)


def _files(campaign: Campaign) -> Iterator[tuple[Path, str]]:
    """The files a campaign is written as, by their names inside the folder."""
    if not campaign.name or re.fullmatch(_PAIR, campaign.lp) is None:
        raise InputError("a test set needs a name and a language pair to be written as a folder")
    check_names("test set", [campaign.name])
    check_names("metric", dict.fromkeys(table.name for table in campaign.scores))
    check_names("reference", campaign.references)
    if campaign.judgements:
        raise InputError(f"{campaign.name} {campaign.lp} has single judgements, which this layout has no place for")
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
            name = f"metric-scores/{campaign.lp}/{table.name}-{'.'.join(table.references) or 'src'}.{end}"
        yield name, score_text(table)


def _text(column: Column, name: str) -> str:
    for number, text in enumerate(column, 1):
        if text is not None and "\n" in text:
            raise InputError(f"segment {number} of {name} contains a line end, which this layout cannot hold")
    return "".join(f"{_NO_TRANSLATION if text is None else text}\n" for text in column)


def _word(name: str | None) -> str:
    return "_".join((name or "unknown").split()) or "unknown"
