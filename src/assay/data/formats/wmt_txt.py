"""The plain texts of the WMT general task, in a folder or its subfolders.

    generaltest2022.de-en.src.de  generaltest2022.de-en.ref.A.en  generaltest2022.de-en.hyp.Online-W.en

Files have one segment per line. A reference that is one letter is called `refA`, as in the XML of the task.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.data import CERTAIN, NO
from assay.data.faults import Faults
from assay.data.formats import Format, StoredCampaign, data_format
from assay.data.tables.names import checked_name
from assay.data.text_files import read_column, shown_path
from assay.errors import AlignmentError, EmptyInputError, InputError, NameClashError
from assay.types import Campaign, Column, Note, NoteKind, TestSet
from assay.types.note import listed, plural

__all__ = ["WmtTxt"]

_LANGUAGE = r"[A-Za-z]{2,3}(?:_[A-Za-z0-9]+)*"
_FILE = re.compile(
    rf"(?P<testset>.+?)\.(?P<lp>{_LANGUAGE}-{_LANGUAGE})\."
    rf"(?P<kind>src|ref|hyp)(?:\.(?P<name>.+?))?\.(?P<language>{_LANGUAGE})(?:\.txt)?(?:\.gz)?"
)
_DEPTH = 2  # folders below the given one, e.g. system-outputs/de-en
_MAX_SHOWN = 10


@data_format("wmt-txt")
@dataclass(frozen=True)
class WmtTxt(Format):
    """Sources, references and outputs, a campaign for each test set and language pair."""

    is_folder = True

    def recognises(self, path: Path, head: str) -> int:
        return CERTAIN if any(file.kind == "hyp" for file in _files(path)) else NO

    def contents(self, path: Path) -> tuple[StoredCampaign, ...]:
        if not path.is_dir():
            raise InputError("not a folder", path=shown_path(path))
        groups: dict[tuple[str, str], list[_File]] = {}
        for file in _files(path):
            groups.setdefault((file.testset, file.lp), []).append(file)
        if not any(file.kind == "hyp" for files in groups.values() for file in files):
            hint = "outputs are called TESTSET.LP.hyp.SYSTEM.LANGUAGE"
            raise EmptyInputError("no system outputs", path=shown_path(path), hint=hint)
        others = tuple(_other_notes(path))
        return tuple(
            StoredCampaign(testset, lp, functools.partial(_read, testset, lp, files, path, others))
            for (testset, lp), files in sorted(groups.items())
            if any(file.kind == "hyp" for file in files)
        )

    def read(self, path: Path) -> tuple[Campaign, ...]:
        return tuple(campaign.read() for campaign in self.contents(path))


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    testset: str
    lp: str
    kind: str
    name: str

    @classmethod
    def of(cls, path: Path) -> _File | None:
        """What the name of a file says; None if it is another file."""
        match = _FILE.fullmatch(path.name)
        if match is None or (match["name"] is None) != (match["kind"] == "src"):
            return None
        name = match["name"] or ""
        if match["kind"] == "ref" and len(name) == 1:
            name = f"ref{name}"
        return cls(path, match["testset"], match["lp"], match["kind"], name)


def _paths(folder: Path, depth: int = _DEPTH) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and depth and not path.name.startswith("."):
            yield from _paths(path, depth - 1)
        elif path.is_file():
            yield path


def _files(folder: Path) -> Iterator[_File]:
    return filter(None, map(_File.of, _paths(folder)))


def _other_notes(folder: Path) -> Iterator[Note]:
    others = [path.relative_to(folder) for path in _paths(folder) if _File.of(path) is None]
    if others:
        text = f"not read: {listed(map(shown_path, others), _MAX_SHOWN)}"
        yield Note(NoteKind.UNREAD, text, shown_path(folder), len(others))


def _read(
    testset: str, lp: str, files: Sequence[_File], folder: Path, others: Sequence[Note], faults: Faults
) -> Campaign:
    notes: list[Note] = list(others)
    columns: dict[str, dict[str, Column]] = {"src": {}, "ref": {}, "hyp": {}}
    first: tuple[Path, int] | None = None
    for file in files:
        with faults.found():
            lines = _lines(file, columns, notes)
            first = first or (file.path, len(lines))
            if len(lines) != first[1]:
                message = f"{plural(len(lines), 'line')}, but {first[0].name} has {first[1]:,}"
                raise AlignmentError(message, path=shown_path(file.path))
            columns[file.kind][file.name] = lines
    missing = [label for kind, label in (("src", "no sources"), ("ref", "no references")) if not columns[kind]]
    notes += (Note(NoteKind.MISSING, label, f"{testset} {lp}") for label in missing)
    texts = TestSet(
        outputs=columns["hyp"],
        references=columns["ref"],
        sources=columns["src"].get(""),
        lp=lp,
        notes=tuple(notes),
        name=testset,
    )
    references = tuple(texts.references)
    return Campaign(testset, lp, len(texts), texts.systems, references, texts, notes=tuple(notes))


def _lines(file: _File, columns: Mapping[str, Mapping[str, Column]], notes: list[Note]) -> Column:
    """The lines of a file, which must be the only one of its kind and name."""
    if file.name:
        checked_name("system" if file.kind == "hyp" else "reference", file.name, path=shown_path(file.path))
    if file.name in columns[file.kind]:
        raise NameClashError("the same text twice", path=shown_path(file.path), hint="remove one of the files")
    lines, changes = read_column(file.path)
    notes += changes
    return lines
