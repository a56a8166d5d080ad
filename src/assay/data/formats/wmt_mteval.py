"""Submissions to the WMT evaluation task since 2025: one score per line, with a header.

    doc_id  segment_id  source_lang  target_lang  set_id  system_id  domain_name  method  overall

`overall` is the score. `all` in `doc_id` and `segment_id` is the score of a whole system. Segments are numbered within
documents, and named `doc_id:segment_id`. `method` is how people judged the set, not the metric, which has the name of
the file. Nothing in a file says whether the scores are a metric's or people's; without `protocol` they are a metric's.
The texts may stand beside the scores: `source_segment`, `hypothesis_segment`, `reference_segment`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.data import CERTAIN, NO
from assay.data.formats import Format, data_format
from assay.data.tables.fields import check_fields
from assay.data.tables.languages import pair_of_codes
from assay.data.tables.names import stem_of
from assay.data.tables.notes import unread_notes
from assay.data.tables.numbers import check_scale, parse_score
from assay.data.tables.rows import Row, ScoreKind, campaigns_from_rows
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, read_lines, shown_path
from assay.errors import ConfigError, EmptyInputError, InputError, nearest, option_name
from assay.types import PROTOCOLS, Campaign, Note, NoteKind
from assay.types.note import listed, plural

__all__ = ["WmtMteval"]

_COLUMNS = ("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "domain_name")
_SCORE = "overall"
_TEXTS = ("source_segment", "hypothesis_segment", "reference_segment")
_WHOLE_TESTSET = "all"
_OFFICIAL = "official"  # the set of the general task; the others are challenge sets
_METHOD = "method"
_WITH_METHOD = option_name("input_format", f"wmt-mteval:protocol={_METHOD}")


@data_format("wmt-mteval")
@dataclass(frozen=True)
class WmtMteval(Format):
    """Scores of a metric, or with `protocol`, of people; a campaign for each set and language pair.

    `protocol` is the protocol of all scores, or `method`: that in the column of this name, in every row.
    """

    protocol: str = ""
    mqm: Literal["lower", "higher"] = "higher"
    """Which MQM scores are better; positive scores are refused unless lower is."""

    penalty_hint = "if lower is better: --input-format wmt-mteval:protocol=method,mqm=lower"
    suffixes = (".tsv",)

    def __post_init__(self) -> None:
        if self.protocol not in ("", _METHOD, *PROTOCOLS):
            hint = nearest(self.protocol, (_METHOD, *PROTOCOLS))
            raise ConfigError(f"unknown protocol '{self.protocol}'", hint=hint)

    def recognises(self, path: Path, head: str) -> int:
        names = head.removeprefix("\ufeff").partition("\n")[0].rstrip("\r").split("\t")
        is_ours = {*_COLUMNS} <= set(names) and {_SCORE, "hypothesis_segment"} & set(names)
        return CERTAIN if is_ours and "start_indices" not in names else NO  # those are spans

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
        unread = [name for name in names if name not in (*_COLUMNS, *_TEXTS, _METHOD, _SCORE)]
        has_texts = any(name in names for name in _TEXTS)
        skipped = SkippedRows(shown, rows=len(lines) - 1)
        methods: Counter[str] = Counter()
        rows = list(self._rows(lines, names, shown, methods, None if has_texts else skipped))
        kinds = {protocol or "": self._kind(stem_of(path), protocol) for protocol in (None, *PROTOCOLS)}
        if not rows and methods.total():
            text = f"the column '{_METHOD}' names no protocol of people, in any of {plural(len(lines) - 1, 'row')}"
            hint = "if these are the scores of a metric, give them with --scores NAME=FILE"
            raise EmptyInputError(f"no human scores: {text}", path=shown, hint=hint)
        all_notes = (*notes, *unread_notes(shown, unread), *self._method_notes(shown, methods), *skipped.notes())
        return campaigns_from_rows(rows, path=shown, digest=digest_of(path), kinds=kinds, notes=all_notes)

    def _kind(self, name: str, protocol: str | None) -> ScoreKind:
        return ScoreKind(name, protocol, higher_is_better=protocol != "MQM" or self.mqm == "higher")

    def _method_notes(self, path: str, methods: Counter[str]) -> Iterator[Note]:
        """How the column `method` was used, from its contents."""
        known = [method for method in methods if method in PROTOCOLS]
        if not self.protocol and known:
            text = f"read as the scores of a metric; if people gave them: {_WITH_METHOD}"
            yield Note(NoteKind.UNREAD, f"the column '{_METHOD}' ({listed(known)}) is not used: {text}", path)
        if self.protocol == _METHOD and (count := methods.total() - sum(methods[method] for method in known)):
            yield Note(NoteKind.EXCLUDED, f"{plural(count, 'score')} without a human '{_METHOD}' left out", path, count)

    def _protocol(self, method: str, path: str, line: int) -> str | None:
        """The protocol of a row, empty for a metric; None if the row has none although the column should say it."""
        if self.protocol == _METHOD:
            return method if method in PROTOCOLS else None
        if self.protocol and method in PROTOCOLS and method != self.protocol:
            hint = f"to take the protocol from the column: {_WITH_METHOD}"
            raise ConfigError(f"{path}, line {line}: the {_METHOD} is {method}, not {self.protocol}", hint=hint)
        return self.protocol

    def _rows(
        self, lines: Sequence[str], names: Sequence[str], path: str, methods: Counter[str], skipped: SkippedRows | None
    ) -> Iterator[Row]:
        """The rows with a score or text, counting the methods."""
        for cells, row in _parsed_rows(lines, names, path, skipped):
            method = cells.get(_METHOD, "")
            methods[method] += bool(row.scores)
            protocol = self._protocol(method, path, row.line)
            if protocol is not None:
                row.scores = {(system, protocol): score for (system, _), score in row.scores.items()}
            elif row.has_text:
                row.scores = {}
            else:
                continue
            try:
                for score in row.scores.values():
                    check_scale(score, protocol, path=path, line=row.line)
            except InputError as error:
                if skipped is None:
                    raise
                skipped.add_error(error, row.line)
            else:
                yield row


def _parsed_rows(
    lines: Sequence[str], names: Sequence[str], path: str, skipped: SkippedRows | None
) -> Iterator[tuple[dict[str, str], Row]]:
    """The cells of the lines, by column, and what they say.

    Faulty lines are skipped, but not if they have texts: fewer would be another test set.
    """
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
            yield cells, row


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
        scores={} if score != score else {(system, ""): score},
        system=system,
    )
