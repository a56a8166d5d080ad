"""Error spans in the WMT25 evaluation task (task 2): one output per line, with a header.

    doc_id  segment_id  source_lang  target_lang  set_id  system_id  source_segment  hypothesis_segment
    reference_segment  domain_name  method  start_indices  end_indices  error_types

The last three columns have spaces between values, `end` is exclusive, and `no-error` is an output without errors.
`missing` instead of both positions is an omission. Segments are numbered from 0 through all documents of a language
pair, and named `doc_id:position`, where the position counts from 0 in the document, as far as the file has it.
`method` is how people judged the set, not the metric, which has the name of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format
from assay.data.tables.fields import check_fields
from assay.data.tables.languages import pair_of_codes
from assay.data.tables.long_table import encoded, write_packed
from assay.data.tables.names import stem_of
from assay.data.tables.skipped import SkippedRows
from assay.data.tables.spans import SpanCollector, errors_in_columns
from assay.data.tables.written_spans import marked_outputs, marks_to_write, one_line, span_columns, text_of
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import ConfigError, EmptyInputError, InputError
from assay.types import Campaign, Column, Ratings
from assay.types.note import plural

__all__ = ["WmtMtevalSpans"]

_PLACE = ("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id")
_ERRORS = ("start_indices", "end_indices", "error_types")
_OUTPUT, _SOURCE, _DOMAIN = "hypothesis_segment", "source_segment", "domain_name"
_REFERENCE, _METHOD = "reference_segment", "method"
_OFFICIAL = "official"  # the set of the general task; the others are challenge sets


@data_format("wmt-mteval-spans")
@dataclass(frozen=True)
class WmtMtevalSpans(Format):
    """Errors that a metric predicted in the outputs; or, with `human=yes`, those that people marked."""

    human: bool = False

    suffixes = (".tsv",)
    written_suffixes = ()

    def recognises(self, path: Path, head: str) -> int:
        names = head.removeprefix("\ufeff").partition("\n")[0].rstrip("\r").split("\t")
        return CERTAIN if {*_PLACE, *_ERRORS} <= set(names) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if len(lines) < 2:
            raise EmptyInputError("no outputs", path=shown)
        check_fields(lines, "\t", path=shown)
        names = lines[0].split("\t")
        for name in (*_PLACE, *_ERRORS):
            if names.count(name) != 1:
                raise InputError(f"no column '{name}', or several", path=shown, line=1)
        skipped = SkippedRows(shown, rows=len(lines) - 1)
        rows = list(_rows(lines, names, shown, skipped))
        positions = _positions([row for _, row in rows])
        collector = SpanCollector(shown, digest_of(path), "ESA" if self.human else "other", self.human)
        metric = stem_of(path)
        for line, row in rows:
            try:
                _add(collector, metric, row, positions, shown, line)
            except InputError as error:
                skipped.add_error(error, line)
        return tuple(collector.campaigns((*notes, *skipped.notes())))

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        """Segments are numbered from 0 through all documents, in the order of the texts."""
        form = "a file of WMT25"
        rows = [one_line((*_PLACE, _SOURCE, _OUTPUT, _REFERENCE, _DOMAIN, _METHOD, *_ERRORS), form)]
        for campaign in campaigns:
            if campaign.scores or not campaign.lp:
                raise ConfigError(f"{form} needs a language pair, and has no place for scores")
            rows += (one_line(cells, form) for cells in _written(campaign, marks_to_write(campaign, form), form))
        write_packed(path, encoded("".join(rows)))


def _written(campaign: Campaign, ratings: Ratings, form: str) -> Iterator[Sequence[str]]:
    """The cells of each output."""
    texts, (source, _, target) = campaign.testset, campaign.lp.partition("-")
    if texts is None or ratings.items:
        raise ConfigError(f"{form} has the texts of the outputs", hint="give them together with the errors")
    names = [name.rpartition(":")[0] for name in texts.items] or [name or "" for name in texts.documents or ()]
    if len(names) != len(texts) or not all(names):
        raise ConfigError(f"{form} names the document of each segment, and those of some texts are not known")
    reference = next(iter(texts.references.values()), None)
    for system, segment, errors in marked_outputs(ratings):
        yield (
            *(names[segment], str(segment), source, target, campaign.name or _OFFICIAL, system),
            _cell(texts.sources, segment),
            text_of(texts.outputs.get(system), segment, form),
            _cell(reference, segment),
            _cell(texts.domains, segment),
            ratings.protocol if ratings.is_human else "",
            *span_columns(errors, form, has_missing=True),
        )


def _cell(column: Column | None, segment: int) -> str:
    return "" if column is None else column[segment] or ""


def _rows(
    lines: Sequence[str], names: Sequence[str], path: str, skipped: SkippedRows
) -> Iterator[tuple[int, dict[str, str]]]:
    """Line numbers and cells by column."""
    for number, line in enumerate(lines[1:], 2):
        fields = line.split("\t")
        row = dict(zip(names, fields, strict=False))
        if len(fields) != len(names):
            skipped.add(number, f"{plural(len(fields), 'field')}, but the header has {len(names):,}")
        elif not (row["system_id"] and row["doc_id"] and row["segment_id"].isdigit()):
            skipped.add(number, "the system or document is empty, or the segment is not a number")
        else:
            yield number, row


def _positions(rows: Sequence[Mapping[str, str]]) -> dict[tuple[str, ...], int]:
    """By test set, languages, document and segment, the position in the document, from 0."""
    found: dict[tuple[str, ...], set[int]] = {}
    for row in rows:
        found.setdefault(_document(row), set()).add(int(row["segment_id"]))
    return {
        (*document, str(number)): position
        for document, numbers in found.items()
        for position, number in enumerate(sorted(numbers))
    }


def _document(row: Mapping[str, str]) -> tuple[str, ...]:
    return row["set_id"], row["source_lang"], row["target_lang"], row["doc_id"]


def _add(
    collector: SpanCollector,
    metric: str,
    row: Mapping[str, str],
    positions: Mapping[tuple[str, ...], int],
    path: str,
    line: int,
) -> None:
    lp = pair_of_codes(row["source_lang"], row["target_lang"])
    if lp is None:
        languages = f"'{row['source_lang'][:20]}' and '{row['target_lang'][:20]}'"
        raise InputError(f"{languages} are not languages", path=path, line=line)
    errors = errors_in_columns(*(row[name] for name in _ERRORS), path=path, line=line)
    document = row["doc_id"]
    collector.add(
        ("" if row["set_id"] == _OFFICIAL else row["set_id"], lp, metric),
        row["system_id"],
        f"{document}:{positions[(*_document(row), str(int(row['segment_id'])))]}",
        errors,
        line=line,
        document=document,
        domain=row.get(_DOMAIN, ""),
        source=row.get(_SOURCE),
        output=row.get(_OUTPUT),
    )
