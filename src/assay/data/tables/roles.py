"""What the columns of a table are, beyond what their names say.

A column whose name is not known may still be plain: texts beside a source and a reference are outputs, numbers beside a
system are its scores, `data.src` is the source, `target` is the reference if other columns are outputs. The role of a
column is the name that it could have had, such as `output:SysA`, so that whoever disagrees renames it, or says so:
`reference=target,SysA,SysB`, where a column without a role is the output of the system it is named after.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from assay.data.tables.headers import FIELD_OF_ALIAS, meaning_of, protocol_called, word_of
from assay.data.tables.languages import language_without_region
from assay.data.tables.misspelt import misspelt
from assay.data.tables.numbers import score_of
from assay.errors import ConfigError, InputError, nearest, option_name, printable
from assay.options.option import split_list
from assay.registry import unescaped
from assay.types import Note, NoteKind
from assay.types.language_codes import LANGUAGES

__all__ = [
    "NEEDS_HEADER",
    "RATERS",
    "SAMPLE",
    "SPAN_COLUMNS",
    "Roles",
    "advice_on_columns",
    "are_texts",
    "is_number",
    "names_metric",
    "refuse_score_lines",
    "roles_of",
]

SAMPLE = 1000
"""Records that decide what columns hold."""
RATERS = tuple(
    f"{who}{end}" for who in ("rater", "annotator", "worker", "judge", "user") for end in ("", "_id", "id", "name")
)
"""Names of columns with the rater of a score."""
SPAN_COLUMNS = frozenset({"start", "end", "severity"})
"""The columns of a table of marked errors."""

NEEDS_HEADER = "the first line must name the columns: add one, e.g. source, reference and the names of systems"
_UNREAD = "unread:"
_ROLES_OF_SCORES = ("score", "human", "system")
_TRANSLATIONS = ("target", "translation")  # the reference beside outputs, otherwise the output
_ALSO = {
    "source": ("source_sentence", "source_segment_text", "input", "original"),
    "reference": ("tgt", "trg", "target_text", "target_segment", "gold", "reference_translation", "human_reference"),
    "output": (
        "prediction",
        "pred",
        "predictions",
        "candidate",
        "generated",
        "output_text",
        "system_output",
        "mt_text",
    ),
}
"""Names that only a column of texts has."""
_OBJECTS_OF_OUTPUTS = ("output", "outputs", "mt", "systems", "models", "translation", "translations", "hypotheses")
"""Names of objects that hold the texts of systems."""
_NAMES_OF_TEXTS = ("source", "reference", "output", "hypothesis", "translation", "target")
_NAMES_OF_NUMBERS = ("segment", "segment_id", "score", "zscore")
_NO_SYSTEM = re.compile(
    r"(.*_)?(comments?|notes?|remarks?|titles?|context|prompt|instructions?|explanation|feedback|severity|errors?"
    r"|annotations?|spans?|terms?|glossary)"
)
"""Names of texts about texts, which may look like translations."""
_NO_TEXT = re.compile(
    r"(.*_)?(urls?|links?|dates?|times?|timestamp|status|state|types?|kind|categor(y|ies)|labels?|tags?|topics?|genre"
    r"|domain|split|subset|lang|language|locale|direction|author|speaker|keys?|uuid|guid|hash|file|filename|path|index"
    r"|ids?|idx|client|project|reviewer|version|format|names?|codes?|checked|ok|done|n/?a|word_?count)"
)
"""Names of labels and other values, unless the column has running text: then a system may be called so."""
_METRICS = re.compile(
    r".*(bleu|chrf|comet|kiwi|bleurt|metricx|bertscore|bert_score|bartscore|yisi|prism|gemba|meteor|rouge|unite|nist"
    r"|labse|sentsim).*|ter|hter|wer|cer|cder|per"
)
_HUMAN = re.compile(r".*(human|rating|adequacy|fluency|judg|likert|expert|annotator|quality|mqm|esa|sqm).*|da(_.*)?")
_NO_SCORE = re.compile(
    r"|.*rank(ing|s)?|rank_.*|#|no\.?|nr\.?|n|row(_(id|number|nr|index))?|index|idx|line|number|unnamed:.*|level_\d|__index_level_\d__"
)
_STATISTIC = re.compile(
    r"(.*_)?(length|len)|means?|average|avg|std|stdev|std_dev|sd|var|variance|min|max|median|sum|total|count"
)
_SYSTEM_AND_METRIC = re.compile(
    r"(.+)[_. /-]((?:sacre)?bleu|chrf(?:2|pp|\+\+|2\+\+)?|x?comet(?:kiwi)?|bleurt|metricx|bertscore|ter)", re.IGNORECASE
)
_QUALIFIER = re.compile(
    r"sent(ence)?|corpus|seg(ment)?|sys(tem)?|doc(ument)?|raw|norm(alized)?|mean|avg|wmt\d+|sp|spm|ref.?",
    re.IGNORECASE,
)
_NO_OUTPUTS = ("source", "reference", "system", "segment", "document", "domain", "lp")
"""Roles that a system cannot be named after in the choice of columns."""
_LONGEST_NAME = 30  # characters; longer ones are texts
_MOSTLY = 0.5
_FEW_LABELS = 0.2  # different texts among those of a column: fewer are labels
_MIN_ROWS = 10  # to tell labels from texts
_MIN_WORDS = 3  # of running text, on average
_ALIKE = 0.2  # pairs of letters that two translations share; a comment shares fewer


@dataclass(frozen=True, slots=True)
class Roles:
    """The name that each column should have had, and which columns have a role that their names do not say."""

    headers: tuple[str, ...]
    said: Mapping[str, str]
    """Roles that the user gave to columns."""
    guessed: Mapping[str, str]
    """Roles that columns have by their contents."""
    doubtful: tuple[str, ...] = ()
    """Columns with texts like translations that are not read, because they are named as remarks or languages are."""

    def notes(self, path: str) -> Iterator[Note]:
        """What was taken for what, and how to say otherwise."""
        if self.said:
            yield Note(NoteKind.PROVENANCE, f"columns read as asked: {_by_role(self.said)}", path, len(self.said))
        for name in self.doubtful:
            text = f"column '{printable(name)}' is not read as the outputs of a system, because of its name; if it has"
            text += f" them, call it 'output:{printable(name)}'"
            yield Note(NoteKind.UNREAD, text, path, 1, "warning")
        if not self.guessed:
            return
        remedy = "otherwise rename them, e.g. to score:NAME, human:NAME or score:NAME/SYSTEM"
        if not all(role.startswith(_ROLES_OF_SCORES) for role in self.guessed.values()):
            roles = {**self.said, **self.guessed}.items()
            spelled = ",".join(_spelled(name, role) for name, role in roles if name.strip())
            remedy = f"otherwise say {option_name('columns', spelled)} with other roles"
        text = f"columns read by their contents: {_by_role(self.guessed)}; {remedy}"
        yield Note(NoteKind.PROVENANCE, text, path, len(self.guessed))

    def names_of(self, headers: Iterable[str]) -> list[str]:
        """The names of columns as the file writes them."""
        return [header.removeprefix(_UNREAD) for header in headers]


def _by_role(roles: Mapping[str, str]) -> str:
    """The columns of each role, in words."""
    found: dict[str, list[str]] = {}
    for name, role in roles.items():
        word, _, rest = role.partition(":")
        metric, slash, _ = rest.partition("/")
        what = "output" if word == "output" else role
        found.setdefault(f"{word} '{metric}' by system" if slash else what, []).append(printable(name) or "(unnamed)")
    return "; ".join(f"{', '.join(names)} as {what}" for what, names in found.items())


def _spelled(name: str, role: str) -> str:
    """A column with its role, as an option says it."""
    column = re.sub("[%,={}]", lambda match: f"%{ord(match[0]):02X}", name)
    return column if role == f"output:{name}" else f"{role}={column}"


def advice_on_columns(names: Sequence[str], sample: Sequence[Sequence[object]], path: str) -> str:
    """How to say which column is what, for a table that does not say it."""
    if len(absent := SPAN_COLUMNS - {word_of(name) for name in names}) == 1:
        return f"if these are marked errors, they need the columns start, end and severity: there is no {min(absent)}"
    table = _Table(names, sample, path)
    texts = [names[i] for i in range(len(names)) if table.is_text(i) and names[i].strip()]
    numbers = [i for i in table.unknown if table.is_number(i) and not table.is_row_number(i)]
    if len(texts) < 2 or numbers:
        return "name the columns of texts source, reference and output, and those of scores system and score:NAME"
    if are_texts(texts):
        return NEEDS_HEADER
    roles = ["source", "reference"] if len(texts) > 2 else ["source"]
    pieces = [_spelled(name, role) for name, role in zip(texts, roles, strict=False)]
    systems = [name for i, name in enumerate(names) if name in texts[len(roles) :] and table.is_system(i)]
    pieces += [_spelled(name, f"output:{name}") for name in systems]
    said = f"{option_name('columns', ','.join(pieces))} (columns without a role are systems)"
    return f"say which column is what, e.g. {said}"


def are_texts(names: Iterable[str]) -> bool:
    """Whether the names of columns are too long to be names: then the first line is a row of texts."""
    return any(len(name) > _LONGEST_NAME for name in names)


def refuse_score_lines(
    names: Sequence[str], records: Sequence[Sequence[object]], path: str, stem: str, line: int | None
) -> None:
    """Refuse `SYSTEM SCORE` lines instead of a header in this line: they are read from files with another name."""
    if line is None or len(names) != 2 or not is_number(names[1]) or is_number(names[0]):
        return
    if _Table(names, records, path).kind(0):
        return
    systems = [names[0], *(record[0] for record in records)]
    level = "seg" if len(set(systems)) < len(systems) else "sys"
    message = f"the first line has no names of columns, but a score: '{printable(names[0])}', {printable(names[1])}"
    hint = f"add a line 'system', 'score' above, or call the file {stem}.{level}.score if it has no other lines"
    if level == "seg":
        hint = f"call the file {stem}.seg.score, if each system has a line for each segment in order"
    raise InputError(message, path=path, line=line, hint=hint)


def roles_of(
    names: Sequence[str], sample: Sequence[Sequence[object]], *, path: str, stem: str, said: str = "", metric: str = ""
) -> Roles:
    """The roles of columns by what the user `said`, by their names and by the start of their contents.

    `metric` is the name of a score that the table should have; `stem` is the name of the file.
    """
    table = _Table(names, sample, path, stem)
    table.take_said(said)
    table.take_nested()
    table.take_texts()
    table.take_translation()
    table.take_systems()
    table.refuse_languages()
    table.take_scores(metric)
    return Roles(tuple(table.headers), table.said, table.guessed, tuple(table.doubtful))


@dataclass
class _Table:
    """The columns of a table while their roles are found."""

    names: Sequence[str]
    sample: Sequence[Sequence[object]]
    path: str
    stem: str = ""
    headers: list[str] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)
    guessed: dict[str, str] = field(default_factory=dict)
    doubtful: list[str] = field(default_factory=list)
    has_said_systems: bool = False

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for number, name in enumerate(self.names, 1):
            is_again_unnamed = not name.strip() and name in seen
            self.headers.append(f"{_UNREAD}column {number}" if is_again_unnamed else name)
            seen.add(name)

    def kind(self, position: int) -> str | None:
        """The kind of a column by the name it has now: a field, or the kind of its meaning."""
        return self._kind_of(self.headers[position])

    def _kind_of(self, header: str) -> str | None:
        try:
            meaning = meaning_of(header, self.stem)
        except (ValueError, InputError):
            return "invalid"
        return None if meaning is None else str(meaning[1]) if meaning[0] == "field" else meaning[0]

    def has(self, *kinds: str) -> bool:
        """Whether any column is one of these."""
        return any(self.kind(position) in kinds for position in range(len(self.headers)))

    @property
    def unknown(self) -> list[int]:
        """Columns without a meaning."""
        read = [i for i, header in enumerate(self.headers) if not header.startswith(_UNREAD)]
        return [i for i in read if self.kind(i) is None and self.names[i] not in self.said]

    def values(self, position: int) -> list[object]:
        """The values of a column that are there."""
        return [v for record in self.sample if (v := record[position]) not in (None, "") and v == v]

    def is_number(self, position: int) -> bool:
        """Whether a column has numbers, and nothing else."""
        values = self.values(position)
        return bool(values) and all(map(is_number, values))

    def is_text(self, position: int) -> bool:
        """Whether most records have a text in a column, and no other value."""
        values = self.values(position)
        if not values or not all(isinstance(value, str) for value in values) or self.is_number(position):
            return False
        return len(values) >= _MOSTLY * len(self.sample)

    def is_system(self, position: int) -> bool:
        """Whether a column may hold the texts of a system: no remarks, no labels and not named after a language."""
        word = word_of(self.names[position])
        if (
            _is_language(self._inner(position))
            or word in RATERS
            or _NO_SYSTEM.fullmatch(word)
            or not self._has_texts(position)
        ):
            return False
        is_value = _NO_TEXT.fullmatch(word) or _NO_SCORE.fullmatch(word)
        return not is_value or self._is_running_text(position)

    def _has_texts(self, position: int) -> bool:
        """Whether a column with a name, which no other text has almost, has texts that are no labels."""
        name = self.names[position]
        if not name.strip() or misspelt([name], _NAMES_OF_TEXTS):
            return False
        values = self.values(position)
        are_labels = len(values) >= _MIN_ROWS and len(set(map(str, values))) < _FEW_LABELS * len(values)
        return self.is_text(position) and not are_labels

    def _is_running_text(self, position: int) -> bool:
        """Whether the texts of a column are like a reference or, if there is none, have several words."""
        references = [i for i in range(len(self.names)) if i != position and self.kind(i) == "reference"]
        if references:
            return any(self._are_alike(position, reference) for reference in references)
        values = self.values(position)
        return sum(len(str(value).split()) for value in values) >= _MIN_WORDS * len(values) > 0

    def take(self, position: int, role: str) -> None:
        """Give a column a role."""
        self.headers[position] = role
        self.guessed[self.names[position]] = role

    def take_said(self, said: str) -> None:
        """The roles that the user gives; a column that had one of them by its name loses it."""
        pieces = [piece.rpartition("=") for piece in split_list(said)] if said.strip() else []
        for role, equals, name in sorted(pieces, key=lambda piece: not piece[1]):  # systems last: sources name objects
            position = self._position(unescaped(name).strip())
            if not equals:
                self._refuse_field(position)
                role = f"output:{self._inner(position)}"
                self.has_said_systems = True
            self._clear(role)
            self.headers[position] = self.said[self.names[position]] = role
        if self.has_said_systems:
            for i in range(len(self.headers)):
                if self.kind(i) in ("output", "outputs", "system", "score") and self.names[i] not in self.said:
                    self.headers[i] = f"{_UNREAD}{self.names[i]}"

    def _position(self, name: str) -> int:
        alike: list[Callable[[str], bool]] = [
            lambda other: other == name,
            lambda other: word_of(other) == word_of(name),
        ]
        for is_meant in alike:
            for position, other in enumerate(self.names):
                if is_meant(other.strip()):
                    return position
        message = f"{self.path} has no column '{printable(name)}'"
        hint = nearest(name, [each for each in self.names if each.strip()])
        if name.isdecimal():
            hint = "columns are chosen by their names in the first line, not by their numbers"
        raise ConfigError(message, hint=hint)

    def _refuse_field(self, position: int) -> None:
        """Refuse a column without a role if its name gives it another role than that of a system."""
        name, kind = self.names[position], self._kind_of(self.names[position])
        if kind in _NO_OUTPUTS:
            message = f"column '{printable(name)}' has no role, so it would be a system"
            hint = (
                f"say {option_name('columns', f'{kind}={printable(name)},…')}, or leave it out: its name says its role"
            )
            raise ConfigError(message, hint=hint)

    def _clear(self, role: str) -> None:
        """Take a role from the columns that have it."""
        if role == RATERS[0]:
            self.headers = [f"{_UNREAD}{name}" if word_of(name) in RATERS else name for name in self.headers]
            return
        try:
            meaning = meaning_of(role, self.stem)
        except (ValueError, InputError) as error:
            raise ConfigError(f"{option_name('columns')}: {error}") from None
        if meaning is None:
            hint = (
                "roles are source, reference, output, system, segment, document, domain, lp, rater, score:NAME and "
                "human:NAME"
            )
            raise ConfigError(f"'{printable(role)}' is no role of a column", hint=hint)
        for position, header in enumerate(self.headers):
            try:
                is_same = meaning_of(header, self.stem) == meaning
            except (ValueError, InputError):
                is_same = False
            if is_same:
                self.headers[position] = f"{_UNREAD}{self.names[position]}"

    def take_nested(self) -> None:
        """`data.src` is the source if nothing else is."""
        leaves = {position: self._leaf(position) for position in self.unknown if "." in self.names[position]}
        kinds = {position: self._kind_of(leaf) for position, leaf in leaves.items()}
        for position, leaf in leaves.items():
            kind = kinds[position]
            if kind == "output" and list(kinds.values()).count(kind) > 1:
                continue  # `base.mt` and `new.mt` are systems
            if kind not in (None, "invalid") and not self.has(str(kind)) and not self._is_said(str(kind)):
                self.take(position, FIELD_OF_ALIAS.get(word_of(leaf), leaf))

    def _inner(self, position: int) -> str:
        """The name of a column without the objects that it is nested in; other dots belong to it: `Claude-3.5`."""
        *objects, leaf = self.names[position].strip().split(".")
        texts = ("source", "reference")
        about = [i for i in range(len(self.names)) if self.kind(i) in texts or self._kind_of(self._leaf(i)) in texts]
        around = {part for i in about for part in self.names[i].strip().split(".")[:-1]}
        while objects and (objects[0] in around or word_of(objects[0]) in _OBJECTS_OF_OUTPUTS):
            del objects[0]
        return ".".join((*objects, leaf)) or self.names[position].strip()

    def _leaf(self, position: int) -> str:
        """The last part of the name of a nested field."""
        name = self.names[position].strip()
        return name.rpartition(".")[2] or name

    def _is_said(self, kind: str) -> bool:
        return self.has_said_systems and kind in ("output", "outputs", "system")

    def take_texts(self) -> None:
        """Names that are those of texts, if texts they are."""
        for role, words in _ALSO.items():
            if self.has(role) or (role == "output" and self.has_said_systems):
                continue
            for position in self.unknown:
                if word_of(self.names[position]) in words and self.is_text(position):
                    self.take(position, role)
                    break

    def take_translation(self) -> None:
        """`target` is the reference if other columns are outputs, and there is no other reference."""
        found = [i for i, name in enumerate(self.headers) if word_of(name) in _TRANSLATIONS and ":" not in name]
        if len(found) != 1 or self.has("reference"):
            return
        (target,) = found
        outputs = [i for i in range(len(self.headers)) if i != target and self.kind(i) == "output"]
        is_long = self.has("system") or self.has_said_systems
        like = [i for i in self.unknown if self.is_system(i) and self._are_alike(i, target)]
        if outputs or (like and not is_long):
            self.take(target, "reference")

    def _are_alike(self, first: int, second: int) -> bool:
        """Whether two columns are translations of the same: many of their pairs of letters are the same."""
        shares = [_shared_pairs(str(record[first]), str(record[second])) for record in self.sample[:100]]
        return bool(shares) and sum(shares) / len(shares) >= _ALIKE

    def take_systems(self) -> None:
        """Texts beside a source or a reference are outputs, if no column says that it has some."""
        if self.has("output", "outputs", "system") or not self.has("source", "reference"):
            return
        systems = [position for position in self.unknown if self.is_system(position)]
        self.doubtful += [
            self.names[i] for i in self.unknown if i not in systems and self._has_texts(i) and self._is_running_text(i)
        ]
        inner = [self._inner(position) for position in systems]
        for position, short in zip(systems, inner, strict=True):
            name = short if inner.count(short) == 1 else self.names[position].strip()
            self.take(position, f"output:{name}")

    def refuse_languages(self) -> None:
        """Ask which of two columns called by languages is the source and which the reference."""
        found = [self.names[i] for i in self.unknown if _is_language(self._leaf(i)) and self.is_text(i)]
        if len(found) == 2 and self.has("output") and not self.has("source", "reference"):
            said = option_name("columns", f"source={found[0]},reference={found[1]}")
            message = f"which of the columns '{found[0]}' and '{found[1]}' is the source, and which the reference?"
            raise InputError(message, path=self.path, hint=f"say so: {said}, or the other way round")

    def take_scores(self, metric: str) -> None:
        """Numbers are scores if they have the name of a metric, or if the table has nothing else."""
        numbers = [i for i in self.unknown if self.is_number(i) and not self.is_row_number(i)]
        named = [i for i in numbers if self._is_metric(i) or self.names[i].strip().casefold() == metric.casefold()]
        if self.has("outputs", "score of") or any(header.startswith("output:") for header in self.headers):
            return  # scores of which system?
        if self._take_systems_and_metrics(named):
            return
        if self.has("source", "reference", "output", "score"):
            self._take_metrics(named)
            return
        if not self.has("system"):
            self._take_system(numbers)
        others = [i for i in numbers if i not in named and self._may_be_score(i)]
        if named or self.has("system") or any(map(self._is_human, others)):
            self._take_metrics(sorted((*named, *others)))
        elif len(others) * len(self.sample) > 1:  # a single number is no table
            self._take_scores_of_systems(others, metric)

    def _take_scores_of_systems(self, positions: Iterable[int], metric: str) -> None:
        for position in positions:
            if not _STATISTIC.fullmatch(word_of(self.names[position])):
                system = _escaped(self.names[position].strip())
                self.take(position, f"score:{_escaped(metric or self.stem)}/{system}")

    def _take_systems_and_metrics(self, named: Sequence[int]) -> bool:
        """Take columns such as `A_comet` as scores of systems; whether there are such."""
        pairs = {} if self.has("system", "output", "score") else self._systems_and_metrics(named)
        for position, (system, metric) in pairs.items():
            self.take(position, f"score:{_escaped(metric)}/{_escaped(system)}")
        return bool(pairs)

    def _systems_and_metrics(self, named: Sequence[int]) -> dict[int, tuple[str, str]]:
        """The systems and metrics of columns such as `A_comet`, if each metric has a column for each of them."""
        found = {i: match.groups() for i in named if (match := _SYSTEM_AND_METRIC.fullmatch(self.names[i].strip()))}
        pairs = {i: (system, metric) for i, (system, metric) in found.items() if not _QUALIFIER.fullmatch(system)}
        systems, metrics = ({pair[part] for pair in pairs.values()} for part in (0, 1))
        if len(systems) < 2 or len(pairs) == len(metrics):
            return {}
        if len(pairs) < len(systems) * len(metrics) or len(pairs) < len(named):
            names = ", ".join(printable(self.names[i]) for i in named)
            hint = "call the columns score:METRIC/SYSTEM, or score:METRIC if they are of one system"
            raise InputError(f"are these scores of several systems or of one: {names}?", path=self.path, hint=hint)
        return pairs

    def _take_metrics(self, positions: Iterable[int]) -> None:
        for position in positions:
            self.take(position, self._score_role(position))

    def _take_system(self, numbers: Sequence[int]) -> None:
        """A first column without a known name is that of systems, if each row has a name there, and scores."""
        values = self.values(0) if self.names else []
        is_first_unknown = 0 in self.unknown and self.is_text(0)
        if numbers and is_first_unknown and len(values) == len(self.sample) and not self.has("segment"):
            self._refuse_transposed([str(value) for value in values], numbers)
            self.take(0, "system")

    def _refuse_transposed(self, rows: Sequence[str], numbers: Sequence[int]) -> None:
        """Refuse rows that are metrics, and rows and columns that may be either: each column must be a metric."""
        is_index = _NO_SCORE.fullmatch(word_of(self.names[0])) is not None
        if any(self._is_metric(i) or self._is_human(i) for i in numbers) or not (
            is_index or all(map(names_metric, rows))
        ):
            return
        message = f"are '{printable(rows[0][:40])}', … systems and the columns scores, or the other way round?"
        hint = "write a row for each system, call its column system, and the others score:NAME or human:NAME"
        raise InputError(message, path=self.path, hint=hint)

    def is_row_number(self, position: int) -> bool:
        """Whether a column is named as numbers of rows or segments are."""
        name = self.names[position]
        return bool(_NO_SCORE.fullmatch(word_of(name)) or misspelt([name], _NAMES_OF_NUMBERS))

    def _is_metric(self, position: int) -> bool:
        """Whether a column has the name of a metric or a protocol."""
        return names_metric(self.names[position])

    def _is_human(self, position: int) -> bool:
        """Whether the name of a column says that people gave its scores, or that of another column does."""
        has_rater = any(word_of(other) in RATERS for other in (*self.names, *self.headers))
        return has_rater or bool(_HUMAN.fullmatch(word_of(self.names[position])))

    def _may_be_score(self, position: int) -> bool:
        """Whether the numbers of a column are no counts, as far as it shows."""
        return self._is_human(position) or not all(_is_whole(value) for value in self.values(position))

    def _score_role(self, position: int) -> str:
        """A score of people if its name, or that of another column, says so; else that of a metric."""
        name = self.names[position].strip()
        if protocol := _protocol(name):
            return f"human:{protocol}"
        is_human = self._is_human(position) and not _METRICS.fullmatch(word_of(name))
        return f"human:{_escaped(name)}:protocol=other" if is_human else f"score:{_escaped(name)}"


def names_metric(name: str) -> bool:
    """Whether this is the name of a metric or a protocol."""
    return bool(_METRICS.fullmatch(word_of(name)) or _protocol(name))


def _protocol(name: str) -> str | None:
    protocol = protocol_called(name.strip())
    return protocol if protocol != "other" else None


def is_number(value: object) -> bool:
    """Whether a value is a number, or a text that is one, perhaps with a decimal comma, which reading refuses."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return False
    try:
        score_of(value.replace(",", ".", 1) if isinstance(value, str) else value, path="")
    except InputError:
        return False
    return True


def _is_whole(value: object) -> bool:
    return re.fullmatch(r"[+-]?[0-9]+(\.0*)?", str(value).strip()) is not None


def _is_language(name: str) -> bool:
    """Whether a column is called by a language: `de`, `de-AT`, `German`. A system may be called by three letters."""
    return language_without_region(name) in LANGUAGES and len(re.split("[_-]", name)[0]) != 3


def _escaped(name: str) -> str:
    return re.sub("[%:,/]", lambda match: f"%{ord(match[0]):02X}", name)


def _shared_pairs(first: str, second: str) -> float:
    """Twice the pairs of letters that two texts share, by the number of all pairs."""
    pairs = [{text[i : i + 2] for i in range(len(text) - 1)} for text in (first.casefold(), second.casefold())]
    total = len(pairs[0]) + len(pairs[1])
    return 2 * len(pairs[0] & pairs[1]) / total if total else 0.0
