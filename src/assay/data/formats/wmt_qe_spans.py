"""Error spans of the WMT23 task on quality estimation: one segment per line, seven fields separated by tabs.

    LP  METHOD  SEGMENT  TARGET  STARTS  ENDS  TYPES

Three lines stand before the predictions of a submission: the size on disk, the number of parameters and the number of
models. A line of names stands before the labels of people. Segments are numbered from 0. Positions and types have
spaces between them, and `end` is exclusive. -1 and no-error are none.
A file does not name the system, because the task has one output for each segment.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format
from assay.data.tables.long_table import encoded, write_packed
from assay.data.tables.skipped import SkippedRows
from assay.data.tables.spans import SpanCollector, errors_in_columns
from assay.data.tables.written_spans import marked_outputs, marks_to_write, one_line, span_columns, text_of
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import ConfigError, EmptyInputError, InputError, printable
from assay.types import Campaign, Note, NoteKind
from assay.types.language_codes import is_language_pair, not_a_language_pair
from assay.types.note import plural

__all__ = ["WmtQeSpans"]

_FIELDS = 7
_ABOUT = ("bytes on disk", "parameters", "models")  # the three lines before predictions
_NAMES = ("lp", "method", "segment", "target", "starts", "ends", "types")
_SYSTEM = "output"


@data_format("wmt-qe-spans")
@dataclass(frozen=True)
class WmtQeSpans(Format):
    """Errors of one system's output, predicted or marked by people.

    Predictions are written with what a submission says of the model: `disk_bytes`, `parameters` and `models`.
    """

    disk_bytes: int = 0
    parameters: int = 0
    models: int = 1

    suffixes = (".tsv", ".txt")
    written_suffixes = ()

    def recognises(self, path: Path, head: str) -> int:
        lines = [line.removesuffix("\r") for line in head.removeprefix("\ufeff").split("\n")]
        return CERTAIN if any(_is_row(line) for line in lines[1:2] + lines[len(_ABOUT) : len(_ABOUT) + 1]) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if len(lines) < 2:
            raise EmptyInputError("no segments", path=shown)
        first = 1 if _is_row(lines[1]) else len(_ABOUT)
        is_human = first == 1
        collector = SpanCollector(shown, digest_of(path), "MQM" if is_human else "other", is_human)
        skipped = SkippedRows(shown, rows=len(lines) - first)
        for number, text in enumerate(lines[first:], first + 1):
            try:
                _add(collector, text, shown, number)
            except InputError as error:
                skipped.add_error(error, number)
        notes += skipped.notes()
        if not is_human:
            about = ", ".join(f"{text.strip()} {name}" for text, name in zip(lines, _ABOUT, strict=False))
            notes.append(Note(NoteKind.PROVENANCE, f"the submission has {about}", shown))
        return tuple(collector.campaigns(notes))

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        form, rows, is_human = "a file of WMT23", [], set()
        for campaign in campaigns:
            ratings, texts = marks_to_write(campaign, form), campaign.testset
            is_human.add(ratings.is_human)
            if len(ratings.systems) > 1 or campaign.scores:
                raise ConfigError(f"{form} holds errors in the output of one system, and no scores")
            if not campaign.lp or ratings.items:
                raise ConfigError(f"{form} needs a language pair, and segments with numbers")
            for system, segment, errors in marked_outputs(ratings):
                columns = span_columns(errors, form, has_missing=False)
                text = text_of(None if texts is None else texts.outputs.get(system), segment, form)
                rows.append(one_line((campaign.lp, ratings.name, str(segment), text, *columns), form))
        if len(is_human) != 1:
            raise ConfigError(f"{form} holds either predictions or errors that people marked")
        about = "\t".join(_NAMES) if is_human.pop() else f"{self.disk_bytes}\n{self.parameters}\n{self.models}"
        write_packed(path, encoded(f"{about}\n{''.join(rows)}"))


def _is_row(line: str) -> bool:
    fields = line.split("\t")
    if len(fields) != _FIELDS or not is_language_pair(fields[0].strip()):
        return False
    # Other tables have texts where these have the starts and ends of errors; one of the two columns may be faulty.
    return fields[2].strip().isdecimal() and any(_are_numbers(positions) for positions in fields[4:6])


def _are_numbers(cell: str) -> bool:
    return cell.strip() != "" and all(number.removeprefix("-").isdecimal() for number in cell.split())


def _add(collector: SpanCollector, text: str, path: str, line: int) -> None:
    fields: Sequence[str] = [field.strip() for field in text.split("\t")]
    if len(fields) != _FIELDS:
        message = f"{plural(len(fields), 'field')}, expected {_FIELDS}"
        raise InputError(message, path=path, line=line, hint="separate fields by tabs")
    lp, method, segment, output, starts, ends, kinds = fields
    if not is_language_pair(lp):
        raise not_a_language_pair(lp, path=path, line=line)
    if not (segment.isascii() and segment.isdigit()):
        raise InputError(f"the segment '{printable(segment[:40])}' must be a number from 0", path=path, line=line)
    errors = errors_in_columns(starts, ends, kinds, path=path, line=line)
    collector.add(("", lp, method), _SYSTEM, int(segment), errors, line=line, output=output)
