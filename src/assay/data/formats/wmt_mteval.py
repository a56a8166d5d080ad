"""Submissions to the WMT evaluation task since 2025: one score per line, with a header.

    doc_id  segment_id  source_lang  target_lang  set_id  system_id  domain_name  method  overall

`overall` is the score. `all` in `doc_id` and `segment_id` is the score of a whole system. Segments are numbered within
documents, and named `doc_id:segment_id`. `method` is how people judged the set, not the metric, which has the name of
the file. The texts may stand beside the scores: `source_segment`, `hypothesis_segment`, `reference_segment`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.data.certainty import CERTAIN, NO
from assay.data.formats import Format, data_format
from assay.data.tables.fields import check_fields
from assay.data.tables.languages import pair_of_codes
from assay.data.tables.names import stem_of
from assay.data.tables.notes import unread_notes
from assay.data.tables.numbers import parse_score
from assay.data.tables.rows import Row, ScoreKind, campaigns_from_rows
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import ConfigError, EmptyInputError, InputError, nearest
from assay.types import PROTOCOLS, Campaign
from assay.types.note import plural

__all__ = ["WmtMteval"]

_COLUMNS = ("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "domain_name")
_SCORE = "overall"
_TEXTS = ("source_segment", "hypothesis_segment", "reference_segment")
_WHOLE_TESTSET = "all"
_OFFICIAL = "official"  # the set of the general task; the others are challenge sets
_SCORE_KEY = "score"


@data_format("wmt-mteval")
@dataclass(frozen=True)
class WmtMteval(Format):
    """Scores of a metric, or with `protocol`, of people; a campaign for each set and language pair."""

    protocol: str = ""

    suffixes = (".tsv",)

    def __post_init__(self) -> None:
        if self.protocol not in ("", *PROTOCOLS):
            raise ConfigError(f"unknown protocol '{self.protocol}'", hint=nearest(self.protocol, PROTOCOLS))

    def recognises(self, path: Path, head: str) -> int:
        names = head.removeprefix("\ufeff").partition("\n")[0].rstrip("\r").split("\t")
        return CERTAIN if {*_COLUMNS} <= set(names) and {_SCORE, "hypothesis_segment"} & set(names) else NO

    def read(self, path: Path) -> tuple[Campaign, ...]:
        lines, notes = read_lines(path)
        shown = shown_path(path)
        if len(lines) < 2:
            raise EmptyInputError("no scores", path=shown)
        check_fields(lines, "\t", path=shown)
        names = lines[0].split("\t")
        for name in (*_COLUMNS, *(() if "hypothesis_segment" in names else (_SCORE,))):
            if names.count(name) != 1:
                raise InputError(f"no column '{name}', or several", path=shown, line=1)
        unread = [name for name in names if name not in (*_COLUMNS, *_TEXTS, _SCORE)]
        has_texts = any(name in names for name in _TEXTS)
        skipped = SkippedRows(shown, rows=len(lines) - 1)
        rows = list(_rows(lines, names, shown, None if has_texts else skipped))
        kind = ScoreKind(stem_of(path), self.protocol or None)
        all_notes = (*notes, *unread_notes(shown, unread), *skipped.notes())
        return campaigns_from_rows(rows, path=shown, digest=digest_of(path), kinds={_SCORE_KEY: kind}, notes=all_notes)


def _rows(lines: Sequence[str], names: Sequence[str], path: str, skipped: SkippedRows | None) -> Iterator[Row]:
    """The rows of the lines. Faulty ones are skipped, but not if they have texts: fewer would be another test set."""
    seen: set[tuple[str, ...]] = set()
    for number, line in enumerate(lines[1:], 2):
        try:
            fields = line.split("\t")
            if len(fields) != len(names):
                message = f"{plural(len(fields), 'field')}, but the header has {len(names):,}"
                raise InputError(message, path=path, line=number)
            cells = dict(zip(names, fields, strict=True))
            row = _row(cells, path, number)
            key = row.dataset, row.lp or "", row.segment or "", cells["system_id"]
            if key in seen:
                raise InputError("a second line of this system and segment", path=path, line=number)
            seen.add(key)
        except InputError as error:
            if skipped is None:
                raise
            skipped.add_error(error, number)
        else:
            yield row


def _row(cells: dict[str, str], path: str, line: int) -> Row:
    system, document, number = cells["system_id"], cells["doc_id"], cells["segment_id"]
    if not (system and document and number):
        raise InputError("the system, document or segment is empty", path=path, line=line)
    lp = pair_of_codes(cells["source_lang"], cells["target_lang"])
    if lp is None:
        languages = f"'{cells['source_lang'][:20]}' and '{cells['target_lang'][:20]}'"
        raise InputError(f"{languages} are not languages", path=path, line=line)
    score = parse_score(cells.get(_SCORE, ""), path=path, line=line)
    is_whole = document == number == _WHOLE_TESTSET
    source, output, reference = (cells.get(name) for name in _TEXTS)
    return Row(
        line=line,
        dataset="" if cells["set_id"] == _OFFICIAL else cells["set_id"],
        lp=lp,
        segment=None if is_whole else f"{document}:{number}",
        source=source,
        document=None if is_whole else document,
        domain=None if is_whole else cells["domain_name"] or None,
        references={} if reference in (None, "", "NaN") else {"ref": reference},
        outputs={} if output is None else {system: output},
        scores={} if score != score else {(system, _SCORE_KEY): score},
        system=system,
    )
