"""Tables that name their columns: what each column means, and what a record with such columns says.

A name is taken in any case, with spaces or hyphens for underscores. `reference:NAME` is a reference, `output:NAME` the
output of a system (the wide form), `score:NAME` a metric and `human:NAME` people, both with what else has to be told of
them: `score:BLEU:references=refA,refB`, `human:round-1:protocol=MQM:rater=3:better=lower`. A colon, comma or per cent
sign in any of that is written %3A, %2C, %25.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.data.formats import CERTAIN, LIKELY, NO, POSSIBLE
from assay.data.noting import unread_note
from assay.data.numbers import score_of
from assay.data.rows import EVERY_SYSTEM, Row, ScoreKind, campaigns_from_rows
from assay.data.text import digest_of, shown_path
from assay.errors import InputError, NameClashError, printable
from assay.registry import unescaped
from assay.types import PROTOCOLS, Campaign, check_names

__all__ = ["LABELS", "NamedColumns", "campaigns_of_table", "certainty_of", "header_of_kind", "kind_of_header"]

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
_FOREIGN = (*_RATERS, "user", "category", "severity")  # of single judgements
_WHOLE_FLOATS = 2**53
_KNOWN = "columns that are known: dataset, lp, system, segment, source, reference, output, score:NAME, human:NAME, …"


def campaigns_of_table(
    path: Path,
    names: Sequence[str],
    records: Iterable[tuple[int, Sequence[object]]],
    *,
    notes: Iterable[str] = (),
    header_line: int | None = None,
    has_gaps: bool,
) -> tuple[Campaign, ...]:
    """What a table says, given the names of its columns and its records with their lines.

    A record has a value for each column, None where there is none. Where a form can say no such thing (`has_gaps` is
    false), an empty label says nothing, and so does an empty text in a record that names no segment or system.
    """
    columns = NamedColumns.of(names, path, line=header_line)
    rows = (columns.row(record if has_gaps else columns.said(record, line), line) for line, record in records)
    noted = (*notes, *unread_note(shown_path(path), columns.unread))
    return campaigns_from_rows(rows, path=shown_path(path), digest=digest_of(path), kinds=columns.kinds, notes=noted)


def certainty_of(names: Iterable[str]) -> int:
    """How surely columns with these names are a table of this kind; other formats may know them better.

    A file without a header may have a cell like `refA`, or a text that begins with `Output:`.
    """
    words = [(_word(name), ":" in name) for name in names if _is_known(name) or _word(name) in _FOREIGN]
    known = [has_colon or word in _FIELDS for word, has_colon in words if word not in _FOREIGN]
    if len(known) < 2 or not any(known):
        return POSSIBLE if any(known) else NO
    if any(has_colon for _, has_colon in words):
        return CERTAIN
    return POSSIBLE if len(known) < len(words) else LIKELY


@dataclass(frozen=True)
class NamedColumns:
    """What the columns mean, each with its position: fields, references, outputs by system, and scores.

    `where` is what to call the file, `stem` what a system or metric without a name is called after.
    """

    where: str
    stem: str
    fields: Mapping[str, int]
    references: Mapping[str, int]
    outputs: Mapping[str, int]
    scores: Mapping[str, int]
    kinds: Mapping[str, ScoreKind]
    unread: tuple[str, ...]

    @classmethod
    def of(cls, names: Sequence[str], path: Path, *, line: int | None = None) -> NamedColumns:
        """The columns with these names, as they stand in a line of a file."""
        meanings: dict[tuple[str, object], int] = {}
        unread: dict[str, None] = {}
        where, stem = shown_path(path), Path(path.name.removesuffix(".gz")).stem
        for position, name in enumerate(names):
            try:
                meaning = _meaning(name, stem)
            except (ValueError, InputError) as error:
                why = error.message if isinstance(error, InputError) else str(error)
                raise InputError(f"the column '{printable(name)}': {why}", path=where, line=line) from error
            if name in unread or (meaning in meanings and name == names[meanings[meaning]]):
                raise NameClashError(f"two columns are called '{printable(name)}'", path=where, line=line)
            if meaning is None:
                unread[name] = None
            elif meanings.setdefault(meaning, position) != position:
                pair = f"'{printable(names[meanings[meaning]])}' and '{printable(name)}'"
                raise NameClashError(f"the columns {pair} mean the same", path=where, line=line, hint="keep one")

        def group(kind: str) -> dict[str, int]:
            return {str(name): position for (found, name), position in meanings.items() if found == kind}

        kinds = {names[i]: kind for (_, kind), i in meanings.items() if isinstance(kind, ScoreKind)}
        scores = {names[i]: i for (_, kind), i in meanings.items() if isinstance(kind, ScoreKind)}
        named = group("field"), group("reference"), group("output")
        columns = cls(where, stem, *named, scores, kinds, tuple(unread))
        columns._check(names, line)
        return columns

    def _check(self, names: Sequence[str], line: int | None) -> None:
        hint, what = None, None
        if not (self.fields or self.references or self.outputs or self.scores):
            what, hint = f"no column is known: {', '.join(map(printable, names))[:100]}", _KNOWN
            if len(names) == 1 and re.search(r"[;,\t]", names[0]):
                hint = "are the fields separated by something else? CSV has commas, TSV has tabs"
        elif self.is_wide and ({"system", "output"} & self.fields.keys() or self.scores):
            what = "outputs of several systems in a row, and a column about one system"
            hint = "write a row for each system and segment: system, segment, output, score:NAME"
        elif self.scores and not {"system", "output"} & self.fields.keys():
            what, hint = "scores, but nothing says of which system", "add a column 'system'"
        elif self.scores and any(_word(name) in _RATERS for name in self.unread):
            what = "single judgements, of which some may be there for quality control, and not scores"
            hint = "write scores of one rater in a column of their own: human:NAME:rater=RATER"
        if what is not None:
            raise InputError(what, path=self.where, line=line, hint=hint)

    @property
    def is_wide(self) -> bool:
        """Whether a record has the outputs of several systems."""
        return bool(self.outputs) or "outputs" in self.fields

    def said(self, record: Sequence[object], line: int) -> Sequence[object]:
        """A record of a form in which only an empty cell can say nothing."""
        values = list(record)
        for name in LABELS:
            if name in self.fields and values[self.fields[name]] == "":
                values[self.fields[name]] = None
        if "segment" in self.fields and values[self.fields["segment"]] is None:
            texts = [*self.references.values(), *self.outputs.values()]
            texts += [self.fields[name] for name in ("source", "reference", "output") if name in self.fields]
            if any(values[position] for position in texts):
                raise InputError("a text of no segment", path=self.where, line=line)
            return [value if value != "" else None for value in values]
        if {"system", "output"} <= self.fields.keys() and values[self.fields["system"]] is None:
            values[self.fields["output"]] = values[self.fields["output"]] or None
        return values

    def row(self, record: Sequence[object], line: int) -> Row:
        """What a record says."""
        reader = _Record(self, record, line)
        system: str | None = EVERY_SYSTEM
        outputs, scores = reader.outputs(), reader.scores()
        if not self.is_wide:
            system = reader.label("system") if "system" in self.fields else self.stem
            output = reader.text("output")
            if not system and (output is not None or scores):
                raise InputError("an output or score of no system", path=self.where, line=line)
            outputs = {system: output} if system and output is not None else {}
        return Row(
            line=line,
            dataset=reader.label("dataset") or "",
            lp=reader.label("lp") or None,
            segment=reader.label("segment") or None,
            source=reader.text("source"),
            document=reader.label("document"),
            domain=reader.label("domain"),
            references=reader.references(),
            outputs=outputs,
            scores={(system or "", name): value for name, value in scores.items()},
            system=system,
        )


@dataclass(frozen=True, slots=True)
class _Record:
    """A record, and what each kind of column says in it."""

    columns: NamedColumns
    values: Sequence[object]
    line: int

    def _value(self, name: str) -> object:
        position = self.columns.fields.get(name)
        return None if position is None else self.values[position]

    def label(self, name: str) -> str | None:
        """A name or number; programs that know numbers with gaps only as decimals write 3.0 for 3."""
        value = self._value(name)
        if isinstance(value, float) and math.isnan(value):
            return None
        if isinstance(value, float) and value.is_integer() and abs(value) < _WHOLE_FLOATS:
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self._text(value, name)

    def text(self, name: str) -> str | None:
        return self._text(self._value(name), name)

    def _text(self, value: object, what: str, name: str = "") -> str | None:
        if value is None or isinstance(value, str):
            return value
        named = f"{what} '{printable(name)}'" if name else what
        raise InputError(
            f"the {named} is not text but a {type(value).__name__}", path=self.columns.where, line=self.line
        )

    def references(self) -> dict[str, str | None]:
        value, given = self._value("reference"), {}
        if isinstance(value, list):
            given = {f"ref{k}": text for k, text in enumerate(value, 1)}
        elif isinstance(value, dict):
            given = value
        elif value is not None:
            given = {"ref": value}
        return self._merged(given, self.columns.references, "reference")

    def outputs(self) -> dict[str, str | None]:
        value = self._value("outputs")
        if not isinstance(value, dict | None):
            what = f"the outputs are not an object of systems and texts but a {type(value).__name__}"
            raise InputError(what, path=self.columns.where, line=self.line)
        return self._merged(value or {}, self.columns.outputs, "output")

    def _merged(self, given: Mapping[str, object], columns: Mapping[str, int], what: str) -> dict[str, str | None]:
        texts = {name: self._text(value, what, name) for name, value in given.items()}
        for name, position in columns.items():
            if name in texts:
                raise NameClashError(
                    f"two {what}s are called '{printable(name)}'", path=self.columns.where, line=self.line
                )
            texts[name] = self._text(self.values[position], what, name)
        return texts

    def scores(self) -> dict[str, float]:
        """Scores by the name of their column; a gap is left out."""
        scores = {}
        for name, position in self.columns.scores.items():
            what = f"score '{self.columns.kinds[name].name}'"
            value = score_of(self.values[position], path=self.columns.where, line=self.line, what=what)
            if not math.isnan(value):
                scores[name] = value
        return scores


def kind_of_header(header: str) -> ScoreKind:
    """What `score:NAME` or `human:NAME` with what follows it means; a ValueError says what is wrong with it."""
    word, *parts = header.split(":")
    name, *options = [part.strip() for part in parts] or [""]
    given: dict[str, str] = {}
    for option in options:
        key, _, value = option.partition("=")
        if key not in ("references", "protocol", "rater", "better") or key in given or not value:
            hint = "references=, protocol=, rater= or better= may follow the name, each once"
            raise ValueError(f"'{printable(option)}' says nothing of a score; {hint}; a colon in a name is %3A")
        given[key] = value
    name = unescaped(name)
    check_names("score", [name])
    protocol = None
    if _word(word) == "human":
        protocol = _PROTOCOLS.get(given.get("protocol", name).casefold(), None if "protocol" in given else "other")
    if ("protocol" in given and protocol is None) or given.get("better", "higher") not in ("higher", "lower"):
        raise ValueError(f"people have protocol={'|'.join(PROTOCOLS)}, and all have better=higher|lower")
    references = tuple(map(unescaped, given["references"].split(","))) if "references" in given else ()
    check_names("reference", references)
    rater = unescaped(given["rater"]) if "rater" in given else None
    return ScoreKind(name, protocol, references, rater, given.get("better") != "lower")


def header_of_kind(kind: ScoreKind) -> str:
    """The name of a column that `kind_of_header` reads."""
    parts = ["score" if kind.protocol is None else "human", _escaped(kind.name)]
    if kind.references:
        parts.append(f"references={','.join(map(_escaped, kind.references))}")
    if kind.protocol not in (None, _PROTOCOLS.get(kind.name.casefold(), "other")):
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
    """Which kind of column it is, and what of that kind."""
    word, rest = _word(name), name.partition(":")[2] if ":" in name else None
    if word in ("score", "human") and rest is not None:
        return "score", kind_of_header(name)
    if rest is not None:
        found = _FIELDS.get(word)
        return (found, rest) if found in ("reference", "output") else None
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
        return True  # known, and wrong


def _word(name: str) -> str:
    return re.sub(r"[ -]", "_", name.partition(":")[0].strip().casefold())
