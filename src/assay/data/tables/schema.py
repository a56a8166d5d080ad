"""The column schema of tables with named columns: what each column means, and the rows it makes of records.

Case does not matter, and spaces or hyphens may replace underscores. `reference:NAME` is a reference, `output:NAME` the
output of a system (the wide form), `score:NAME` a metric and `human:NAME` a human score. Options may follow the name of
a score: `score:BLEU:references=refA,refB`, `human:round-1:protocol=MQM:rater=3:better=lower`. A colon, comma or per
cent sign in any of them is written %3A, %2C, %25.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from assay.data import CERTAIN, LIKELY, NO, POSSIBLE
from assay.data.tables.document_ids import parse_document_id
from assay.data.tables.misspelt import check_spelling, misspelt
from assay.data.tables.names import stem_of
from assay.data.tables.notes import unread_notes
from assay.data.tables.numbers import check_scale, score_of
from assay.data.tables.rating_tables import campaigns_of_ratings
from assay.data.tables.rows import EVERY_SYSTEM, Row, ScoreKind, campaigns_from_rows
from assay.data.tables.skipped import SkippedRows
from assay.data.text_files import digest_of, shown_path
from assay.errors import InputError, NameClashError, printable
from assay.registry import unescaped
from assay.types import PROTOCOLS, Campaign, Note, check_names

__all__ = ["LABELS", "Schema", "campaigns_of_table", "certainty_of", "header_of_kind", "kind_of_header"]

LABELS = ("dataset", "lp", "system", "segment", "document", "domain")
_ALIASES = {
    "dataset": ("dataset", "testset", "test_set", "corpus"),
    "lp": ("lp", "langs", "language_pair"),
    "system": ("system", "sys"),
    "segment": ("segment", "seg", "seg_id", "segment_id", "id"),
    "document": ("document", "doc", "doc_id", "docid", "document_id"),
    "domain": ("domain",),
    "source": ("source", "src"),
    "reference": ("reference", "ref", "references", "refs"),
    "output": ("output", "mt", "hyp", "hypothesis", "translation", "target"),
    "outputs": ("outputs",),
}
_FIELDS = {alias: name for name, aliases in _ALIASES.items() for alias in aliases}
_HUMAN = {"raw": "DA", "z": "DA-z", "z_score": "DA-z", "zscore": "DA-z"}
_REFERENCE = re.compile(r"ref(erence)?_?([a-z]|[0-9]{1,3})")
_PROTOCOLS = {protocol.casefold(): protocol for protocol in PROTOCOLS}
_RATERS = tuple(
    f"{who}{end}" for who in ("rater", "annotator", "worker", "judge", "user") for end in ("", "_id", "id", "name")
)
_JUDGEMENT_COLUMNS = (*_RATERS, "user", "category", "severity")
_ITEM_KINDS = ("kind", "type")
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
) -> tuple[Campaign, ...]:
    """The campaigns of a table, given the names of its columns and its records with their line numbers.

    A record has a value for each column, or None. Formats that cannot write None have `has_gaps=False`: there, an empty
    label is missing, and so is an empty text in a record without a segment or system. Single faulty records of scores
    are skipped; without one of its texts, a test set would be another.
    """
    schema = Schema.of(names, path, line=header_line)
    shown, skipped = shown_path(path), SkippedRows(shown_path(path))
    total = 0

    def rows() -> Iterator[tuple[Sequence[str], Row]]:
        nonlocal total
        for line, record in records:
            total += 1
            try:
                has_empty = not has_gaps and "" in record
                row = schema.row(schema.with_gaps(record, line) if has_empty else record, line)
            except InputError as error:
                if schema.has_texts:
                    raise
                skipped.add_error(error, line)
            else:
                yield [str(record[position] or "") for position in schema.rater_and_kind], row

    def all_notes() -> Iterator[Note]:
        yield from (*notes, *unread_notes(shown, schema.unread), *skipped.notes(total))

    origin = {"path": shown, "digest": digest_of(path)}
    if schema.rater_and_kind:
        (kind,) = schema.kinds.values()
        return campaigns_of_ratings(rows(), kind, **origin, skipped=skipped, notes=all_notes())
    return campaigns_from_rows((row for _, row in rows()), **origin, kinds=schema.kinds, notes=all_notes())


def certainty_of(names: Iterable[str]) -> int:
    """How certain it is that columns with these names are such a table; another format may be more certain.

    A file without a header may have a cell like `refA`, or a text that starts with `Output:`.
    """
    words = [(_word(name), ":" in name) for name in names if _is_known(name) or _word(name) in _JUDGEMENT_COLUMNS]
    known = [has_colon or word in _FIELDS for word, has_colon in words if word not in _JUDGEMENT_COLUMNS]
    if len(known) < 2 or not any(known):
        return POSSIBLE if any(known) else NO
    if any(has_colon for _, has_colon in words):
        return CERTAIN
    return POSSIBLE if len(known) < len(words) else LIKELY


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
    scores: Mapping[str, int]
    kinds: Mapping[str, ScoreKind]
    unread: tuple[str, ...]
    rater_and_kind: tuple[int, ...] = ()
    """If the scores are individual ratings: the columns with the rater and, if there is one, the kind of item."""

    @classmethod
    def of(cls, names: Sequence[str], path: Path, *, line: int | None = None) -> Schema:
        """The schema of columns with these names, which are in a line of a file."""
        meanings: dict[tuple[str, object], int] = {}
        unread: dict[str, None] = {}
        where, stem = shown_path(path), stem_of(path)
        for position, name in enumerate(names):
            try:
                meaning = _meaning(name, stem)
            except (ValueError, InputError) as error:
                reason = error.message if isinstance(error, InputError) else str(error)
                raise InputError(f"column '{printable(name)}': {reason}", path=where, line=line) from error
            if name in unread or (meaning in meanings and name == names[meanings[meaning]]):
                raise NameClashError(f"duplicate column '{printable(name)}'", path=where, line=line)
            if meaning is None:
                unread[name] = None
            elif meanings.setdefault(meaning, position) != position:
                pair = f"'{printable(names[meanings[meaning]])}' and '{printable(name)}'"
                raise NameClashError(
                    f"the columns {pair} have the same meaning", path=where, line=line, hint="keep one"
                )

        def group(kind: str) -> dict[str, int]:
            return {str(name): position for (other, name), position in meanings.items() if other == kind}

        kinds = {names[i]: kind for (_, kind), i in meanings.items() if isinstance(kind, ScoreKind)}
        scores = {names[i]: i for (_, kind), i in meanings.items() if isinstance(kind, ScoreKind)}
        groups = group("field"), group("reference"), group("output")
        raters = [name for name in unread if scores and _word(name) in _RATERS][:1]
        raters += [name for name in unread if raters and _word(name) in _ITEM_KINDS][:1]
        others = tuple(name for name in unread if name not in raters)
        present = {what for kind, what in meanings if kind == "field"} | {kind for kind, _ in meanings}
        absent = [alias for alias, field in _FIELDS.items() if field not in present]
        absent += ["score"] if not scores else _RATERS if not raters else _ITEM_KINDS if len(raters) == 1 else []
        check_spelling(others, absent, path=where, line=line)
        schema = cls(where, stem, *groups, scores, kinds, others, tuple(map(names.index, raters)))
        schema._check(names, line)
        return schema

    def _check(self, names: Sequence[str], line: int | None) -> None:
        hint, message = None, None
        if not (self.fields or self.references or self.outputs or self.scores):
            message, hint = f"no recognised column: {', '.join(map(printable, names))[:100]}", _KNOWN
            if len(names) == 1 and re.search(r"[;,\t]", names[0]):
                hint = "check the separator: CSV uses commas, TSV uses tabs"
        elif self.is_wide and ({"system", "output"} & self.fields.keys() or self.scores):
            message = "a row has the outputs of several systems, but a column is about one system"
            hint = "write one row per system and segment: system, segment, output, score:NAME"
        elif self.scores and not {"system", "output"} & self.fields.keys():
            message, hint = "scores without a system", "add a column 'system'"
        elif self.rater_and_kind and not self._has_ratings:
            message = "this table of ratings needs one rater, system, segment and score in a row, and no reference"
            hint = "name the columns rater, system, segment and score or human:NAME"
        if message is not None:
            raise InputError(message, path=self.where, line=line, hint=hint)

    @property
    def _has_ratings(self) -> bool:
        is_one = len(self.scores) == 1 and not any(_word(name) in _RATERS for name in self.unread)
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
        """Whether a record has the outputs of several systems."""
        return bool(self.outputs) or "outputs" in self.fields

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
        )

    @cached_property
    def labelled_scores(self) -> tuple[tuple[str, int, str], ...]:
        """The columns of scores: name, position, and what messages call them."""
        return tuple((name, i, f"score '{self.kinds[name].name}'") for name, i in self.scores.items())

    @cached_property
    def _labels(self) -> tuple[tuple[str, int], ...]:
        return tuple((name, self.fields[name]) for name in LABELS if name in self.fields)

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        return tuple(name for name in ("source", "output") if name in self.fields)


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
        label = f"{kind} '{printable(name)}'" if name else kind
        message = f"the {label} must be text, not {type(value).__name__}"
        raise InputError(message, path=self.schema.where, line=self.line)

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
        for name, position, label in self.schema.labelled_scores:
            value = score_of(self.values[position], path=self.schema.where, line=self.line, name=label)
            if not math.isnan(value):
                protocol = self.schema.kinds[name].protocol
                scores[system, name] = check_scale(value, protocol, path=self.schema.where, line=self.line)
        return scores


def kind_of_header(header: str) -> ScoreKind:
    """The score that a header `score:NAME…` or `human:NAME…` describes; a ValueError if the header is invalid."""
    word, *parts = header.split(":")
    name, *options = [part.strip() for part in parts] or [""]
    values: dict[str, str] = {}
    for option in options:
        key, _, value = option.partition("=")
        if key not in ("references", "protocol", "rater", "better") or key in values or not value:
            allowed = "references=, protocol=, rater= and better= may follow the name, once each"
            raise ValueError(f"invalid option '{printable(option)}'; {allowed}; write a colon in a name as %3A")
        values[key] = value
    name = unescaped(name)
    check_names("score", [name])
    protocol = None
    if _word(word) == "human":
        protocol = _PROTOCOLS.get(values["protocol"].casefold()) if "protocol" in values else _protocol_of_name(name)
    if ("protocol" in values and protocol is None) or values.get("better", "higher") not in ("higher", "lower"):
        raise ValueError(f"use protocol={'|'.join(PROTOCOLS)} (human scores only) and better=higher|lower")
    references = tuple(map(unescaped, values["references"].split(","))) if "references" in values else ()
    check_names("reference", references)
    rater = unescaped(values["rater"]) if "rater" in values else None
    return ScoreKind(name, protocol, references, rater, values.get("better") != "lower")


def _protocol_of_name(name: str) -> str:
    """The protocol that human scores of this name have by default; a ValueError if it is misspelt."""
    if intended := _intended_protocol(name):
        hint = f"did you mean human:{intended}? If not, say so: human:{_escaped(name)}:protocol=other"
        raise ValueError(f"no protocol is called '{printable(name)}'; {hint}")
    return _PROTOCOLS.get(name.casefold(), "other")


def _intended_protocol(name: str) -> str | None:
    """The protocol that a name is almost: ESA for ESAA, but not pSQM for SQM."""
    folded = name.casefold()
    if folded in _PROTOCOLS:
        return None
    known = [protocol for protocol in _PROTOCOLS if protocol != "other" and protocol[0] == folded[:1]]
    return next((_PROTOCOLS[found] for found in misspelt([name], known, shortest=3).values()), None)


def header_of_kind(kind: ScoreKind) -> str:
    """The header that `kind_of_header` reads back."""
    parts = ["score" if kind.protocol is None else "human", _escaped(kind.name)]
    if kind.references:
        parts.append(f"references={','.join(map(_escaped, kind.references))}")
    if kind.protocol not in (None, _PROTOCOLS.get(kind.name.casefold(), "other")) or (
        kind.protocol is not None and _intended_protocol(kind.name)
    ):
        parts.append(f"protocol={kind.protocol}")
    if kind.rater:
        parts.append(f"rater={_escaped(kind.rater)}")
    if not kind.higher_is_better:
        parts.append("better=lower")
    return ":".join(parts)


def _escaped(text: str) -> str:
    return re.sub(
        r"[%:,\x00-\x1f\x7f]|^\s|\s$", lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), text
    )


def _meaning(name: str, stem: str) -> tuple[str, object] | None:
    """The kind of a column, and its name or description; None if it is not recognised."""
    word, rest = _word(name), name.partition(":")[2] if ":" in name else None
    if word in ("score", "human") and rest is not None:
        return "score", kind_of_header(name)
    if rest is not None:
        field = _FIELDS.get(word)
        return (field, rest) if field in ("reference", "output") else None
    if word in _HUMAN:
        return "score", ScoreKind(_HUMAN[word], _HUMAN[word])
    if word == "score":
        check_names("score", [stem])
        return "score", ScoreKind(stem)
    if word in _FIELDS:
        return "field", _FIELDS[word]
    return ("reference", name.strip()) if _REFERENCE.fullmatch(word) else None


def _is_known(name: str) -> bool:
    try:
        return _meaning(name, "") is not None
    except (ValueError, InputError):
        return True  # recognised, but invalid


def _word(name: str) -> str:
    return re.sub(r"[ -]", "_", name.partition(":")[0].strip().casefold())
