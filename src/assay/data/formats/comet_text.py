"""What `comet-score` prints: a line for each segment, and one with the mean for each system.

    base.de<tab>Segment 0<tab>score: 0.8417
    base.de<tab>score: 0.8129

Segments count from 0. With `--only_system` there are only the second lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format
from assay.data.tables.names import systems_of_files
from assay.data.tables.notes import table_gap_notes
from assay.data.tables.numbers import parse_score
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError
from assay.types import Campaign, Note, NoteKind, ScoreTable
from assay.types.note import plural

__all__ = ["CometText"]

_LINE = re.compile(r"(?P<file>[^\t]+)\t(?:Segment (?P<segment>[0-9]{1,9})\t)?score: ?(?P<score>\S+)")
_METRIC = "COMET"
_ROUNDING = 1e-4  # of four decimals, in a mean and in what it is a mean of


@data_format("comet-text")
@dataclass(frozen=True)
class CometText(Format):
    """The scores of one or several systems, which are named after their files. The metric is called COMET."""

    suffixes = (".txt", ".out", ".log")

    def recognises(self, path: Path, head: str) -> int:
        lines = head.removeprefix("\ufeff").split("\n")
        return CERTAIN if any(_LINE.fullmatch(line.removesuffix("\r")) for line in lines) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown, digest = shown_path(path), digest_of(path)
        found = _Scores(shown)
        for number, line in enumerate(lines, 1):
            found.add(line, number)
        found.check_lengths()
        if not (found.segments or found.whole):
            raise EmptyInputError("no scores", path=shown)
        names = dict(zip(found.files, systems_of_files(list(found.files), path=shown), strict=True))
        tables = []
        if found.segments:
            size = len(next(iter(found.segments.values())))
            values = np.array(list(found.segments.values()))
            systems = tuple(names[file] for file in found.segments)
            tables.append(ScoreTable(_METRIC, "segment", systems, values, str(path), digest))
        else:
            size, systems = 0, tuple(names[file] for file in found.whole)
            means = np.array([[mean] for mean in found.whole.values()])
            tables.append(ScoreTable(_METRIC, "system", systems, means, str(path), digest))
        all_notes = (*notes, *found.notes(), *table_gap_notes(tables))
        return (Campaign("", "", size, systems, (), None, tuple(tables), notes=all_notes),)


@dataclass
class _Scores:
    """Scores of segments by file, and means."""

    path: str
    files: dict[str, None] = field(default_factory=dict)
    segments: dict[str, list[float]] = field(default_factory=dict)
    whole: dict[str, float] = field(default_factory=dict)
    others: list[int] = field(default_factory=list)

    def add(self, text: str, line: int) -> None:
        match = _LINE.fullmatch(text)
        if match is None:
            self.others.append(line)  # messages of the program
            return
        file, score = match["file"], parse_score(match["score"], path=self.path, line=line)
        self.files[file] = None
        if match["segment"] is None:
            if file in self.whole:
                raise InputError(f"a second mean of '{file}'", path=self.path, line=line)
            self._check_mean(file, score, line)
            self.whole[file] = score
            return
        scores = self.segments.setdefault(file, [])
        if int(match["segment"]) != len(scores):
            message = f"segment {match['segment']} of '{file}' where segment {len(scores)} should be"
            raise InputError(message, path=self.path, line=line, hint="was a part of the output lost?")
        scores.append(score)

    def _check_mean(self, file: str, mean: float, line: int) -> None:
        """Refuse a mean that is not that of the segments: some of them are missing."""
        scores = self.segments.get(file)
        if scores and abs(sum(scores) / len(scores) - mean) > _ROUNDING:
            message = f"the mean of {plural(len(scores), 'segment')} of '{file}' is {sum(scores) / len(scores):.4f}"
            hint = "was a part of the output lost?"
            raise InputError(f"{message}, not {mean:.4f}", path=self.path, line=line, hint=hint)

    def check_lengths(self) -> None:
        """Refuse systems with different numbers of segments."""
        sizes = {file: len(scores) for file, scores in self.segments.items()}
        first = next(iter(sizes), "")
        for file, size in sizes.items():
            if size != sizes[first]:
                message = f"{plural(size, 'segment')} of '{file}', but {sizes[first]:,} of '{first}'"
                raise InputError(message, path=self.path)

    def notes(self) -> Iterator[Note]:
        """A note on lines that are no scores."""
        if self.others:
            text = f"{plural(len(self.others), 'line')} without a score, first line {self.others[0]}"
            yield Note(NoteKind.UNREAD, text, self.path, len(self.others))
