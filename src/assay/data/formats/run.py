"""The segment scores that `assay score --segments` wrote: rows as TSV, CSV or JSON lines, or the whole run as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format
from assay.data.tables.collectors import ScoreCollector
from assay.data.tables.fields import check_fields, csv_fields
from assay.data.tables.names import checked_name
from assay.data.tables.notes import table_gap_notes
from assay.data.tables.numbers import parse_index, score_of
from assay.data.text_files import digest_of, read_lines, read_text, shown_path
from assay.errors import EmptyInputError, InputError
from assay.files.strict_json import parse_object
from assay.results import Run
from assay.types import Campaign, Note, NoteKind
from assay.types.note import plural

__all__ = ["RunFile"]

_HEADER = tuple(column.name for column in Run.file_columns())
_TREE = re.compile(r'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"inputs"\s*:')
_SEGMENT = "segment:"
_QUOTED_FORMULA = re.compile(r"'[=+\-@\t\r\n＝＋－＠]")  # as the CSV form marks texts


@data_format("run")
@dataclass(frozen=True)
class RunFile(Format):
    """Metric scores by segment; scores of whole systems and of groups are not read."""

    has_own_metrics = True

    def recognises(self, path: Path, head: str) -> int:
        first = head.partition("\n")[0]
        if first in ("\t".join(_HEADER), ",".join(_HEADER)) or _TREE.match(head):
            return CERTAIN
        try:
            return CERTAIN if tuple(json.loads(first)) == _HEADER else NO
        except (ValueError, TypeError, RecursionError):
            return NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        shown = shown_path(path)
        text, notes = read_text(path)
        cells = _cells_of_tree(text, shown) if _TREE.match(text) else _cells_of_rows(path, shown)
        collectors: dict[str, ScoreCollector] = {}
        others, digest = 0, digest_of(path)
        for cell in cells:
            if cell.segment is None:
                others += 1
                continue
            if cell.metric not in collectors:
                collectors[cell.metric] = ScoreCollector(cell.metric, "segment", str(path), digest)
            system = checked_name("system", cell.system, path=shown, line=cell.line)
            collectors[cell.metric].add(system, cell.segment, cell.value, line=cell.line)
        if not collectors:
            hint = "write them with `assay score --segments`"
            raise EmptyInputError("no segment scores", path=shown, hint=hint)
        if others:
            text = f"{plural(others, 'score')} of whole systems or groups not used"
            notes.append(Note(NoteKind.UNREAD, text, shown, others))
        tables = tuple(collector.table() for collector in collectors.values())
        segments = max(table.values.shape[1] for table in tables)
        tables = tuple(collector.table(segments) for collector in collectors.values())
        systems = tuple(dict.fromkeys(system for table in tables for system in table.systems))
        return (Campaign("", "", segments, systems, (), None, tables, notes=(*notes, *table_gap_notes(tables))),)


@dataclass(frozen=True, slots=True)
class _Cell:
    """A score; `segment` (from 0) is None for the score of a whole system or a group."""

    system: str
    metric: str
    segment: int | None
    value: float
    line: int | None = None


def _cells_of_tree(text: str, path: str) -> Iterator[_Cell]:
    tree = parse_object(text, path=path)
    yield from (_Cell("", "", None, 0.0) for _ in tree.get("rows", ()))
    for scores in tree.get("segment_scores", ()):
        if not isinstance(scores, Mapping) or not isinstance(scores.get("values"), Sequence):
            raise InputError("segment_scores must be objects with a system, a metric and values", path=path)
        for i, value in enumerate(scores["values"]):
            label = f"score of segment {i + 1:,}"
            system, metric = str(scores.get("system", "")), str(scores.get("metric", ""))
            yield _Cell(system, metric, i, score_of(value, path=path, name=label))


def _cells_of_rows(path: Path, shown: str) -> Iterator[_Cell]:
    lines, _ = read_lines(path)
    is_json, separator = lines[0].startswith("{"), "\t" if "\t" in lines[0] else ","
    check_fields(lines, separator, path=shown)
    for number, line in enumerate(lines, 1):
        if is_json:
            row = parse_object(line, path=shown, line=number)
        elif number == 1:
            continue
        else:
            fields = line.split("\t") if separator == "\t" else _unmarked(csv_fields(line, path=shown, line=number))
            if len(fields) != len(_HEADER):
                raise InputError(f"{plural(len(fields), 'field')}, expected {len(_HEADER)}", path=shown, line=number)
            row = dict(zip(_HEADER, fields, strict=True))
        group = str(row.get("group") or "")
        segment = None
        if group.startswith(_SEGMENT):
            segment = parse_index(group.removeprefix(_SEGMENT), path=shown, line=number)
        value = score_of(row.get("value"), path=shown, line=number)
        yield _Cell(str(row.get("system")), str(row.get("metric")), segment, value, number)


def _unmarked(fields: Sequence[str]) -> list[str]:
    """Fields without the apostrophe that keeps spreadsheets from running a text as a formula."""
    return [field[1:] if _QUOTED_FORMULA.match(field) else field for field in fields]
