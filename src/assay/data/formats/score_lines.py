"""One score per line: the segment scores of one system, which the file does not name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assay.data import LIKELY, NO
from assay.data.formats import Format, data_format
from assay.data.tables.names import checked_name, stem_of
from assay.data.tables.notes import table_gap_notes
from assay.data.tables.numbers import parse_score
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError
from assay.types import Campaign, ScoreTable

__all__ = ["ScoreLines"]

_HEAD_LINES = 100
_FAULTY = re.compile(r"[+-]?(inf(inity)?|[0-9]+,[0-9]+)", re.IGNORECASE)  # numbers that reading refuses with their line


@data_format("score-lines")
@dataclass(frozen=True)
class ScoreLines(Format):
    """The file gives its name to the system and to the metric, unless they are named: `--scores METRIC/SYSTEM=FILE`."""

    names_systems = False

    def recognises(self, path: Path, head: str) -> int:
        lines = head.removeprefix("\ufeff").split("\n", _HEAD_LINES)
        if len(lines) > 1:
            lines.pop()  # it may be cut, or empty after the last line end
        try:
            scores = [
                0.0 if _FAULTY.fullmatch(line.strip()) else parse_score(line, path="", line=None) for line in lines
            ]
        except InputError:
            return NO
        return LIKELY if any(score == score for score in scores) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if not lines:
            raise EmptyInputError("no scores", path=shown)
        values = [parse_score(line, path=shown, line=number) for number, line in enumerate(lines, 1)]
        name = checked_name("system", stem_of(path), path=shown)
        table = ScoreTable(name, "segment", (name,), np.array([values]), str(path), digest_of(path))
        all_notes = (*notes, *table_gap_notes([table]))
        return (Campaign("", "", len(values), (name,), (), None, (table,), notes=all_notes),)
