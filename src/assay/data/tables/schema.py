"""The column schema of tables with named columns: what each column means, and the rows it makes of records.

What names of columns mean is in `headers`, and what other columns are taken for in `roles`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path

from assay.data import CERTAIN, LIKELY, NO, POSSIBLE
from assay.data.tables.document_ids import parse_document_id
from assay.data.tables.headers import FIELD_OF_ALIAS, LABELS, Meaning, header_of_kind, is_known, meaning_of, word_of
from assay.data.tables.misspelt import check_spelling
from assay.data.tables.names import stem_of
from assay.data.tables.notes import unread_notes
from assay.data.tables.numbers import check_scale, score_of
from assay.data.tables.rating_tables import campaigns_of_ratings
from assay.data.tables.roles import (
    NEEDS_HEADER,
    RATERS,
    SAMPLE,
    SPAN_COLUMNS,
    advice_on_columns,
    are_texts,
    is_number,
    refuse_score_lines,
    roles_of,
)
from assay.data.tables.row_numbers import numbered_rows
from assay.data.tables.rows import EVERY_SYSTEM, Row, ScoreKind, campaigns_from_rows
from assay.data.tables.skipped import SkippedRows
from assay.data.tables.summary_rows import SummaryRows
from assay.data.text_files import digest_of, shown_path
from assay.errors import InputError, NameClashError, option_name, printable
from assay.types import Campaign, Note, NoteKind
from assay.types.note import plural

__all__ = ["Schema", "campaigns_of_table", "certainty_of"]

_JUDGEMENT_COLUMNS = (*RATERS, "user", "category", "severity")
_ITEM_KINDS = ("kind", "type")
_ODD_TEXTS = dict.fromkeys(("nan", "NaN", "<NA>"), "was there no text?") | dict.fromkeys(
    ("#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#N/A", "#NUM!", "#NULL!", "#ERROR!"),
    "a spreadsheet took the text for a formula; write it again",
)
_SPREADSHEET_TYPES = ("datetime", "date", "time", "timedelta", "bool")  # that a spreadsheet makes of texts
_LONGEST_SHOWN = 100  # characters of the names of columns in a message
_WHOLE_FLOATS = 2**53
_KNOWN = "recognised columns: dataset, lp, system, segment, source, reference, output, score:NAME, human:NAME, …"


def campaigns_of_table(
    path: Path,
    names: Sequence[str],
    records: Iterable[tuple[int, Sequence[object]]],
    *,
    notes: Iterable[Note] = (),
    header_line: int | None = None,
    has_gaps: bool,
    columns: str = "",
    metric: str = "",
) -> tuple[Campaign, ...]:
    """The campaigns of a table, given the names of its columns and its records with their line numbers.

    `columns` is what the user says about columns (see `roles`), and `metric` the name of a score that is wanted.

    A record has a value for each column, or None. Formats that cannot write None have `has_gaps=False`: there, an empty
    label is missing, and so is an empty text in a record without a segment or system. Single faulty records of scores
    are skipped; without one of its texts, a test set would be another.
    """
    shown, skipped = shown_path(path), SkippedRows(shown_path(path))
    summaries = SummaryRows(names, records, shown)
    sample = list(islice(remaining := iter(summaries), SAMPLE))
    contents = [record for _, record in sample]
    refuse_score_lines(names, contents, shown, stem_of(path), header_line)
    roles = roles_of(names, contents, path=shown, stem=stem_of(path), said=columns, metric=metric)
    numbered = numbered_rows(names, roles.headers, chain(sample, remaining), shown)
    headers = ["segment" if i == numbered.segment else header for i, header in enumerate(roles.headers)]
    schema = Schema.of(headers, path, line=header_line, hint=advice_on_columns(names, contents, shown))
    present, odd = _PresentRecords(numbered.records), _OddTexts(has_gaps)

    def rows() -> Iterator[tuple[Sequence[str], Row]]:
        for line, record in present:
            try:
                has_empty = not has_gaps and "" in record
                row = schema.row(schema.with_gaps(record, line) if has_empty else record, line)
            except InputError as error:
                if schema.has_texts:
                    raise
                skipped.add_error(error, line)
            else:
                odd.look_at(row, record)
                yield [str(record[position] or "") for position in schema.rater_and_kind], row

    def all_notes() -> Iterator[Note]:
        unread = [name for name in roles.names_of(schema.unread) if name != numbered.order]
        yield from (*notes, *roles.notes(shown), *unread_notes(shown, unread))
        yield from (*numbered.notes, *summaries.notes())
        yield from (*present.notes(shown), *odd.notes(shown), *skipped.notes(present.count))

    origin = {"path": shown, "digest": digest_of(path)}
    if schema.rater_and_kind:
        (kind,) = schema.kinds.values()
        return campaigns_of_ratings(rows(), kind, **origin, skipped=skipped, notes=all_notes())
    only_rows = (row for _, row in rows())
    return campaigns_from_rows(only_rows, **origin, kinds=schema.kinds, notes=all_notes(), hint=schema.hint)


class _PresentRecords:
    """Records with their lines, without those at the end that have nothing: spreadsheets may write such."""

    def __init__(self, records: Iterable[tuple[int, Sequence[object]]]) -> None:
        self._records, self._empty = records, list[tuple[int, Sequence[object]]]()
        self.count = 0

    def __iter__(self) -> Iterator[tuple[int, Sequence[object]]]:
        for line, record in self._records:
            if not any(record) and all(value in (None, "") for value in record):
                self._empty.append((line, record))
                continue
            if self._empty:
                self.count += len(self._empty)
                yield from self._empty
                self._empty.clear()
            self.count += 1
            yield line, record

    def notes(self, path: str) -> Iterator[Note]:
        """A note on the empty records at the end, once all have been read."""
        if self._empty:
            rows = plural(len(self._empty), "empty row")
            yield Note(NoteKind.UNREAD, f"{rows} at the end, from line {self._empty[0][0]}", path, len(self._empty))


class _OddTexts:
    """Texts that a program wrote instead of the real ones, counted."""

    def __init__(self, has_gaps: bool) -> None:
        self._lines: dict[str, list[int]] = {}
        self._has_gaps = has_gaps

    def look_at(self, row: Row, record: Sequence[object]) -> None:
        """Remember the line of a row with such a text."""
        if not self._has_gaps and _ODD_TEXTS.keys().isdisjoint(record):  # a quick look, where no cell is a list
            return
        for text in (row.source, *row.references.values(), *row.outputs.values()):
            if text in _ODD_TEXTS:
                self._lines.setdefault(text, []).append(row.line)

    def notes(self, path: str) -> Iterator[Note]:
        """A warning for each such text."""
        for text, lines in self._lines.items():
            texts = f"{plural(len(lines), 'text')} {'is' if len(lines) == 1 else 'are'} '{text}'"
            message = f"{texts}, first in line {lines[0]}: {_ODD_TEXTS[text]}"
            yield Note(NoteKind.SUSPECT, message, path, len(lines), "warning")


def certainty_of(names: Sequence[str], first: Sequence[str] = ()) -> int:
    """How certain it is that columns with these names are such a table; another format may be more certain.

    A file without a header may have a cell like `refA`, or a text that starts with `Output:`. Without a known name,
    the `first` record shows whether the columns are those of scores.
    """
    if len(names) > 1 and len(first) == len(names) and not any(map(is_known, names)):
        return POSSIBLE if all(map(is_number, first)) and not any(map(is_number, names)) else NO
    words = [(word_of(name), ":" in name) for name in names if is_known(name) or word_of(name) in _JUDGEMENT_COLUMNS]
    known = [has_colon or word in FIELD_OF_ALIAS for word, has_colon in words if word not in _JUDGEMENT_COLUMNS]
    if len(known) < 2 or not any(known):
        return POSSIBLE if any(known) else NO
    if any(has_colon for _, has_colon in words):
        return LIKELY if {word_of(name) for name in names} >= SPAN_COLUMNS else CERTAIN
    return POSSIBLE if len(known) < len(words) else LIKELY


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A column of scores: the key of what they are, and the system, if the row does not say it."""

    key: str
    position: int
    system: str | None = None


@dataclass(frozen=True)
class Schema:
    """The meaning of the columns, with their positions: fields, references, outputs by system, and scores.

    `where` is the path for messages; `stem` is the name of a system or metric that has none.
    """

    where: str
    stem: str
    fields: Mapping[str, int]
    references: Mapping[str, int]
    outputs: Mapping[str, int]
    scores: tuple[ScoreColumn, ...]
    kinds: Mapping[str, ScoreKind]
    """What the scores are, by the keys of their columns."""
    unread: tuple[str, ...]
    hint: str | None = None
    """What to do if the columns make no campaign."""
    rater_and_kind: tuple[int, ...] = ()
    """If the scores are individual ratings: the columns with the rater and, if there is one, the kind of item."""

    @classmethod
    def of(cls, names: Sequence[str], path: Path, *, line: int | None = None, hint: str | None = None) -> Schema:
        """The schema of columns with these names, which are in a line of a file."""
        meanings: dict[Meaning, int] = {}
        unread: dict[str, None] = {}
        where, stem = shown_path(path), stem_of(path)
        for position, name in enumerate(names):
            try:
                meaning = meaning_of(name, stem)
            except (ValueError, InputError) as error:
                reason = error.message if isinstance(error, InputError) else str(error)
                raise InputError(f"column '{printable(name)}': {reason}", path=where, line=line) from error
            if name in unread or (meaning in meanings and name == names[meanings[meaning]]):
                message = f"duplicate column '{printable(name)[:_LONGEST_SHOWN]}'"
                advice = NEEDS_HEADER if are_texts(names) else "give each column a name of its own"
                raise NameClashError(message, path=where, line=line, hint=advice)
            if meaning is None:
                unread[name] = None
            elif meanings.setdefault(meaning, position) != position:
                first = names[meanings[meaning]]
                message = f"the columns '{printable(first)}' and '{printable(name)}' have the same meaning"
                said = option_name("columns", f"{meaning[1]}={printable(first)}")
                hint = f"keep one, or say which: {said}" if meaning[0] == "field" else "keep one"
                raise NameClashError(message, path=where, line=line, hint=hint)

        def group(kind: str) -> dict[str, int]:
            return {str(name): position for (other, name), position in meanings.items() if other == kind}

        scores, kinds = _score_columns(names, meanings)
        groups = group("field"), group("reference"), group("output")
        raters = [name for name in unread if scores and word_of(name) in RATERS][:1]
        raters += [name for name in unread if raters and word_of(name) in _ITEM_KINDS][:1]
        others = tuple(name for name in unread if name not in raters)
        present = {what for kind, what in meanings if kind == "field"} | {kind for kind, _ in meanings}
        absent = [alias for alias, field in FIELD_OF_ALIAS.items() if field not in present]
        absent += ["score"] if not scores else RATERS if not raters else _ITEM_KINDS if len(raters) == 1 else []
        check_spelling([name for name in others if "." not in name], absent, path=where, line=line)
        schema = cls(where, stem, *groups, scores, kinds, others, hint, tuple(map(names.index, raters)))
        schema._check(names, line)
        return schema

    def _check(self, names: Sequence[str], line: int | None) -> None:
        hint, message = None, None
        if not (self.fields or self.references or self.outputs or self.scores):
            message, hint = (
                f"no recognised column: {', '.join(map(printable, names))[:_LONGEST_SHOWN]}",
                self.hint or _KNOWN,
            )
            if len(names) == 1 and re.search(r"[;,\t]", names[0]):
                hint = "check the separator: CSV uses commas, TSV uses tabs"
        elif self.is_wide and ({"system", "output"} & self.fields.keys() or any(s.system is None for s in self.scores)):
            message = "a row has the outputs or scores of several systems, but a column is about one system"
            hint = "name the system of a score, score:NAME/SYSTEM, or write one row per system and segment"
        elif self.rater_and_kind and not self._has_ratings:
            message = "this table of ratings needs one rater, system, segment and score in a row, and no reference"
            hint = "name the columns rater, system, segment and score or human:NAME"
        if message is not None:
            raise InputError(message, path=self.where, line=line, hint=hint)

    @property
    def _has_ratings(self) -> bool:
        is_one = len(self.scores) == 1 and not any(word_of(name) in RATERS for name in self.unread)
        return {"system", "segment"} <= self.fields.keys() and is_one and not self.has_references

    @cached_property
    def has_references(self) -> bool:
        """Whether a record has references."""
        return bool(self.references) or "reference" in self.fields

    @property
    def has_texts(self) -> bool:
        """Whether a record has texts, not only labels and scores."""
        return bool(
            self.outputs or self.references or {"source", "reference", "output", "outputs"} & self.fields.keys()
        )

    @cached_property
    def is_wide(self) -> bool:
        """Whether a record has the outputs or scores of several systems."""
        return bool(self.outputs) or "outputs" in self.fields or any(score.system is not None for score in self.scores)

    def with_gaps(self, record: Sequence[object], line: int) -> Sequence[object]:
        """A record with empty cells of a format without None: those that mean a missing value become None."""
        values = list(record)
        for name in LABELS:
            if name in self.fields and values[self.fields[name]] == "":
                values[self.fields[name]] = None
        if "segment" in self.fields and values[self.fields["segment"]] is None:
            texts = [*self.references.values(), *self.outputs.values()]
            texts += [self.fields[name] for name in ("source", "reference", "output") if name in self.fields]
            if any(values[position] for position in texts):
                raise InputError("a text without a segment", path=self.where, line=line)
            return [value if value != "" else None for value in values]
        if {"system", "output"} <= self.fields.keys() and values[self.fields["system"]] is None:
            values[self.fields["output"]] = values[self.fields["output"]] or None
        return values

    def row(self, record: Sequence[object], line: int) -> Row:
        """The row of a record."""
        reader = _Record(self, record, line)
        labels = {name: reader.label(record[position], name) for name, position in self._labels}
        texts = {name: reader.text(name) for name in self._texts}
        system = EVERY_SYSTEM if self.is_wide else labels.get("system", self.stem)
        scores = reader.scores(system or "") if self.scores else {}
        if self.is_wide:
            outputs = reader.outputs()
        else:
            output = texts.get("output")
            if not system and (output is not None or scores):
                raise InputError("an output or score without a system", path=self.where, line=line)
            outputs = {system: output} if system and output is not None else {}
        document, segment = labels.get("document"), labels.get("segment") or None
        lp, domain = labels.get("lp") or None, labels.get("domain")
        known = parse_document_id(document) if document else None
        if known is not None:  # it names the document, and says what has no column of its own
            lp = lp if "lp" in labels else known.lp
            domain = domain if "domain" in labels else known.domain
            segment = segment if "segment" in labels else document
        return Row(
            line=line,
            dataset=labels.get("dataset") or "",
            lp=lp,
            segment=segment,
            source=texts.get("source"),
            document=document,
            domain=domain,
            references=reader.references() if self.has_references else {},
            outputs=outputs,
            scores=scores,
            system=system,
            says_system="system" in self.fields,
        )

    @cached_property
    def labelled_scores(self) -> tuple[tuple[ScoreColumn, str], ...]:
        """The columns of scores, and what messages call them."""
        return tuple((score, f"score '{self.kinds[score.key].name}'") for score in self.scores)

    @cached_property
    def _labels(self) -> tuple[tuple[str, int], ...]:
        return tuple((name, self.fields[name]) for name in LABELS if name in self.fields)

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        return tuple(name for name in ("source", "output") if name in self.fields)


def _score_columns(
    names: Sequence[str], meanings: Mapping[Meaning, int]
) -> tuple[tuple[ScoreColumn, ...], dict[str, ScoreKind]]:
    """The columns of scores, and by their keys what they are."""
    kinds: dict[str, ScoreKind] = {}
    columns = []
    for meaning, position in meanings.items():
        match meaning:
            case "score", ScoreKind() as kind:
                columns.append(ScoreColumn(names[position], position))
            case "score of", (str() as system, ScoreKind() as kind):
                columns.append(ScoreColumn(header_of_kind(kind), position, system))
            case _:
                continue
        kinds[columns[-1].key] = kind
    return tuple(columns), kinds


@dataclass(slots=True)  # not frozen: there are millions of them
class _Record:
    """A record, and its values by kind of column."""

    schema: Schema
    values: Sequence[object]
    line: int

    def _value(self, name: str) -> object:
        position = self.schema.fields.get(name)
        return None if position is None else self.values[position]

    def label(self, value: object, name: str) -> str | None:
        """A name or number. Some programs write 3.0 for 3 in columns with missing values."""
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, float) and math.isnan(value):
            return None
        if isinstance(value, float) and value.is_integer() and abs(value) < _WHOLE_FLOATS:
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self._text(value, name)

    def text(self, name: str) -> str | None:
        return self._text(self._value(name), name)

    def _text(self, value: object, kind: str, name: str = "") -> str | None:
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, float) and math.isnan(value):  # what Python programs write for a missing text
            return None
        label = f"{kind} '{printable(name)}'" if name else kind
        message = f"the {label} must be text, not {type(value).__name__}"
        hint = "format the cell as text, and write it again" if type(value).__name__ in _SPREADSHEET_TYPES else None
        raise InputError(message, path=self.schema.where, line=self.line, hint=hint)

    def references(self) -> dict[str, str | None]:
        value, named = self._value("reference"), {}
        if isinstance(value, str) and not self.schema.references:
            return {"ref": value}
        if isinstance(value, list):
            named = {f"ref{k}": text for k, text in enumerate(value, 1)}
        elif isinstance(value, dict):
            named = value
        elif value is not None:
            named = {"ref": value}
        return self._merged(named, self.schema.references, "reference")

    def outputs(self) -> dict[str, str | None]:
        value = self._value("outputs")
        if not isinstance(value, dict | None):
            message = f"the outputs must be an object of systems and texts, not {type(value).__name__}"
            raise InputError(message, path=self.schema.where, line=self.line)
        return self._merged(value or {}, self.schema.outputs, "output")

    def _merged(self, named: Mapping[str, object], columns: Mapping[str, int], kind: str) -> dict[str, str | None]:
        texts = {name: self._text(value, kind, name) for name, value in named.items()}
        for name, position in columns.items():
            if name in texts:
                message = f"two {kind}s are called '{printable(name)}'"
                raise NameClashError(message, path=self.schema.where, line=self.line)
            texts[name] = self._text(self.values[position], kind, name)
        return texts

    def scores(self, system: str) -> dict[tuple[str, str], float]:
        """The scores of a system, by its name and that of their column, without missing ones."""
        scores = {}
        for score, label in self.schema.labelled_scores:
            value = score_of(self.values[score.position], path=self.schema.where, line=self.line, name=label)
            if not math.isnan(value):
                protocol = self.schema.kinds[score.key].protocol
                value = check_scale(value, protocol, path=self.schema.where, line=self.line)
                scores[score.system or system, score.key] = value
        return scores
