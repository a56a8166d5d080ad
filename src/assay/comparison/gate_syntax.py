"""The syntax of the conditions of `--fail-if`. A small language with a parser of its own; nothing runs as Python.

    any        = all {"or" all}
    all        = negated {"and" negated}
    negated    = "not" negated | "(" any ")" | comparison
    comparison = operand ("<" | "<=" | ">" | ">=" | "==" | "!=") operand
    operand    = number | name
    name       = metric [":" aggregation] ["[" system "]"] "." field

A metric whose spec has more than letters, digits, `_`, `+` and `-` is written in quotes: `"bleu:tok=intl".delta`.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from assay.errors import ConfigError, nearest, printable

__all__ = ["FIELDS", "MAX_DEPTH", "MAX_LENGTH", "Expression", "Name", "parse_expression"]

FIELDS = ("delta", "p", "low", "high", "score")
_ALIASES = {"difference": "delta"}  # as tables call it
MAX_LENGTH = 10_000  # characters
MAX_DEPTH = 50  # of parentheses and `not`

_FORM = "a condition looks like 'bleu.delta < -0.5' or 'chrf.p < 0.05 and chrf:segment[new].delta < 0'"
_OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.]))
      | (?P<operator>[<>]=?(?!=)|[=!]=(?!=))
      | (?P<parenthesis>[()])
      | (?P<name>
            (?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<word>[^\W\d][\w+-]*))
            (?P<aggregation>:\w+)?
            (?P<system>\[(?:"[^"]*"|'[^']*'|[^\]"'][^\]]*)\])?
            (?P<field>\.\w+)?
        )
    )""",
    re.VERBOSE,
)
_INSTEAD = {  # what people write who know another language, and what comes from word processors
    "&": "write 'and'",
    "|": "write 'or'",
    "!": "write 'not', or != to compare",
    "=": "write == to compare",
    "≤": "write <=",
    "≥": "write >=",
    "≠": "write !=",
    "−": "write - (hyphen-minus) for a negative number",
    "–": "write - (hyphen-minus) for a negative number",
    "“": 'write straight quotes: "',
    "”": 'write straight quotes: "',
    "‘": "write straight quotes: '",
    "’": "write straight quotes: '",
    "%": "write a number without a unit",
    '"': "the closing quote is missing",
    "'": "the closing quote is missing",
}


def parse_expression(text: str) -> Expression:
    """The expression that a condition describes; a `ConfigError` says where the condition cannot be read."""
    if len(text) > MAX_LENGTH:
        raise ConfigError(f"the condition has {len(text):,} characters, more than {MAX_LENGTH:,}")
    return _Parser(text).parse()


@dataclass(frozen=True, slots=True)
class Name:
    """A value of a comparison. No aggregation: the first of the metric; no system: each compared one in turn."""

    text: str
    """As it was written."""
    metric: str
    aggregation: str | None
    system: str | None
    field: str


class Expression(Protocol):
    """A comparison, or several joined by `and`, `or` and `not`."""

    def is_true(self, values: Mapping[Name, float]) -> bool:
        """Whether it is true for these values of its names, none of them NaN."""

    def names(self) -> Iterator[Name]:
        """The names in it, in order."""


@dataclass(frozen=True, slots=True)
class _Comparison:
    left: Name | float
    operator: str
    right: Name | float

    def is_true(self, values: Mapping[Name, float]) -> bool:
        left, right = (values[side] if isinstance(side, Name) else side for side in (self.left, self.right))
        return _OPERATORS[self.operator](left, right)

    def names(self) -> Iterator[Name]:
        return (side for side in (self.left, self.right) if isinstance(side, Name))


@dataclass(frozen=True, slots=True)
class _Joined:
    """Several expressions joined by `and` (`all`) or `or` (`any`)."""

    join: Callable[[Iterable[bool]], bool]
    parts: tuple[Expression, ...]

    def is_true(self, values: Mapping[Name, float]) -> bool:
        return self.join(part.is_true(values) for part in self.parts)

    def names(self) -> Iterator[Name]:
        return (name for part in self.parts for name in part.names())


@dataclass(frozen=True, slots=True)
class _Not:
    part: Expression

    def is_true(self, values: Mapping[Name, float]) -> bool:
        return not self.part.is_true(values)

    def names(self) -> Iterator[Name]:
        return self.part.names()


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # number, operator, parenthesis, keyword, name, end
    text: str
    begin: int
    value: Name | float | None = None


class _Parser:
    """Recursive descent, one method for each rule of the grammar."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._position = 0
        self._depth = 0

    def parse(self) -> Expression:
        expression = self._any()
        if self._next.text == ")":
            raise _error(self._next.begin, "this parenthesis was never opened")
        if self._next.kind != "end":
            raise _error(self._next.begin, f"expected 'and' or 'or' before {self._shown()}")
        return expression

    @property
    def _next(self) -> _Token:
        return self._tokens[self._position]

    def _shown(self) -> str:
        return "the end" if self._next.kind == "end" else f"'{printable(self._next.text)}'"

    def _accept(self, kind: str, text: str) -> bool:
        if (self._next.kind, self._next.text) != (kind, text):
            return False
        self._position += 1
        return True

    def _any(self) -> Expression:
        return self._joined("or", any, self._all)

    def _all(self) -> Expression:
        return self._joined("and", all, self._negated)

    def _joined(
        self, keyword: str, join: Callable[[Iterable[bool]], bool], part: Callable[[], Expression]
    ) -> Expression:
        parts = [part()]
        while self._accept("keyword", keyword):
            parts.append(part())
        return parts[0] if len(parts) == 1 else _Joined(join, tuple(parts))

    def _negated(self) -> Expression:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _error(self._next.begin, f"nested more than {MAX_DEPTH} deep")
        begin = self._next.begin
        if self._accept("keyword", "not"):
            expression: Expression = _Not(self._negated())
        elif self._accept("parenthesis", "("):
            expression = self._any()
            if not self._accept("parenthesis", ")"):
                raise _error(self._next.begin, f"expected ')' for the '(' at character {begin + 1}")
        else:
            expression = self._comparison()
        self._depth -= 1
        return expression

    def _comparison(self) -> Expression:
        begin = self._next.begin
        left = self._operand()
        if self._next.kind != "operator":
            raise _error(self._next.begin, f"expected a comparison such as < or >= before {self._shown()}")
        sign = self._next.text
        self._position += 1
        right = self._operand()
        if self._next.kind == "operator":
            raise _error(self._next.begin, "comparisons cannot be chained", hint="join two comparisons with 'and'")
        if not isinstance(left, Name) and not isinstance(right, Name):
            raise _error(begin, "a comparison of two numbers does not depend on the systems")
        return _Comparison(left, sign, right)

    def _operand(self) -> Name | float:
        value = self._next.value
        if value is None:
            raise _error(self._next.begin, f"expected a number or a name such as bleu.delta, not {self._shown()}")
        self._position += 1
        return value


def _tokens(text: str) -> Iterator[_Token]:
    position = 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            raise _unreadable(text, position)
        yield _token(match, text)
        position = match.end()
    yield _Token("end", "", position)


def _token(match: re.Match[str], text: str) -> _Token:
    kind = next(kind for kind in ("number", "operator", "parenthesis", "name") if match[kind] is not None)
    written, begin = match[kind], match.start(kind)
    if kind == "number":
        number = float(written)
        if not math.isfinite(number):
            raise _error(begin, f"the number {written[:20]} is too large")
        return _Token(kind, written, begin, number)
    if kind != "name":
        return _Token(kind, written, begin)
    if written.lower() in ("and", "or", "not"):
        return _Token("keyword", written.lower(), begin)
    return _Token(kind, written, begin, _name(match, text))


def _name(match: re.Match[str], text: str) -> Name:
    written, end = match["name"], match.end()
    metric = next(part for part in (match["double"], match["single"], match["word"]) if part is not None)
    if match["field"] is None:
        raise _incomplete_name(match, text)
    written_value = match["field"][1:]
    value = _ALIASES.get(written_value, written_value)
    if value not in FIELDS:
        raise _error(
            match.start("field") + 1, f"unknown value '{value}' of {printable(metric)}", hint=_field_hint(value)
        )
    if text[end : end + 1] in (".", ":", "["):
        raise _error(
            end, f"unexpected '{printable(text[end : end + 12])}'", hint="write metric:aggregation[system].value"
        )
    system = None if match["system"] is None else match["system"][1:-1].strip()
    if system is not None and system[0] in "\"'":
        system = system[1:-1]
    aggregation = None if match["aggregation"] is None else match["aggregation"][1:]
    return Name(written, metric, aggregation, system, value)


def _incomplete_name(match: re.Match[str], text: str) -> ConfigError:
    """The error for a name without a field."""
    written, end = match["name"], match.end()
    options = re.compile(r"(?:=(?!=)[^\s<>=!()\[\]]*)+").match(text, end)
    if match["aggregation"] and options:
        spec, dot, last = (written + options[0]).rpartition(".")
        example = f'"{spec}".{last}' if dot and last in FIELDS else f'"{written + options[0]}".delta'
        return _error(match.start("name"), "a metric with options must be quoted", hint=f"write {printable(example)}")
    if text[end : end + 1] == ":":
        return _error(end, "the aggregation stands before the system", hint="write metric:aggregation[system].value")
    if text[end : end + 1] == "[":
        return _error(end, "expected the name of a system in brackets, such as [new]")
    return _error(
        match.start("name"),
        f"'{printable(written)}' does not say which value",
        hint=f"write {printable(written)}.delta; values: {', '.join(FIELDS)}",
    )


def _field_hint(name: str) -> str:
    return f"{nearest(name, FIELDS)}; delta or difference: from the baseline; low and high are its interval"


def _unreadable(text: str, position: int) -> ConfigError:
    position += len(text[position:]) - len(text[position:].lstrip())
    character = text[position]
    if character in "0123456789.+-":
        return _error(position, f"'{printable(text[position : position + 20].split()[0])}' is not a number")
    return _error(position, f"unexpected '{printable(character)}'", hint=_INSTEAD.get(character, _FORM))


def _error(position: int, problem: str, *, hint: str = _FORM) -> ConfigError:
    return ConfigError(f"cannot read the condition at character {position + 1}: {problem}", hint=hint)
