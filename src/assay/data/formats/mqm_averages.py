"""Mean MQM or pSQM scores by segment, as google/wmt-mqm-human-evaluation publishes them beside the ratings.

The columns are `system mqm_avg_score seg_id`, separated by tabs or spaces; None is not rated. Segments are numbered
from 1. Higher is better in the files of 2021, where scores are negative; positive penalties need `better=lower`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format
from assay.data.tables.collectors import ScoreCollector
from assay.data.tables.names import task_and_pair
from assay.data.tables.notes import table_gap_notes
from assay.data.tables.numbers import parse_index, parse_score
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import EmptyInputError, InputError, option_name
from assay.types import Campaign
from assay.types.note import plural

__all__ = ["MqmAverages"]

_HEADER = re.compile(r"system\s+(?P<name>mqm|psqm)_avg_score\s+seg_id")
_PROTOCOLS = {"mqm": "MQM", "psqm": "pSQM"}


@data_format("mqm-averages")
@dataclass(frozen=True)
class MqmAverages(Format):
    """Mean MQM scores by segment."""

    better: Literal["higher", "lower"] = "higher"

    suffixes = (".tsv",)
    penalty_hint = f"if lower is better: {option_name('input_format', 'mqm-averages:better=lower')}"

    def recognises(self, path: Path, head: str) -> int:
        return CERTAIN if _HEADER.fullmatch(head.partition("\n")[0].strip()) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        header = _HEADER.fullmatch(lines[0].strip()) if lines else None
        if header is None:
            raise InputError("unrecognised header", path=shown, line=1, hint="expected: system mqm_avg_score seg_id")
        if len(lines) < 2:
            raise EmptyInputError("no scores", path=shown)
        protocol = _PROTOCOLS[header["name"]]
        collector = ScoreCollector(
            header["name"],
            "segment",
            shown,
            digest_of(path),
            protocol=protocol,
            higher_is_better=self.better == "higher",
        )
        skipped = SkippedRows(shown, rows=len(lines) - 1)
        for line, text in enumerate(lines[1:], 2):
            row = text.split()
            if len(row) != 3:
                skipped.add(line, f"{plural(len(row), 'field')}, expected a system, a score and a segment")
                continue
            try:
                score = parse_score(row[1], path=shown, line=line)
                collector.add(row[0], parse_index(row[2], path=shown, line=line), score, line=line)
            except InputError as error:
                skipped.add_error(error, line)
        table = collector.table()
        notes += (*skipped.notes(), *table_gap_notes((table,)))
        name, lp = task_and_pair(path)
        name = name.removesuffix(".avg_seg_scores")
        return (Campaign(name, lp, table.values.shape[1], table.systems, (), None, (table,), notes=tuple(notes)),)
