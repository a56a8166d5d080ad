"""The public functions: arguments are read by one rule everywhere, and warnings in a result reach the user.

A string is read as on the command line: `metrics="bleu,chrf"` is a list of two metrics, `systems="online-*"` one
pattern. One campaign stands for a list of one. Any other type than the declared one is an error that shows the right
call. Notes with the severity `warning` are warnings of Python, too, at the line that called the function.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from assay import types
from assay.contracts import Metric
from assay.errors import ConfigError, EmptyInputError, InputError, option
from assay.options.option import split_list, split_specs
from assay.options.python_warnings import inside_call, warn
from assay.results import Result

__all__ = ["kind_of", "public_function"]

_P = ParamSpec("_P")
_R = TypeVar("_R")


@dataclass(frozen=True, slots=True)
class _Data:
    """What a parameter for data takes, and how to make it."""

    noun: str
    example: str
    type_names: tuple[str, ...]
    """Names in `assay.types`, which are imported when they are needed."""
    takes_several: bool = False


_CAMPAIGN = 'campaign = assay.load_campaign("wmt22", lp="en-de")'
_TESTSET = 'testset = assay.load(outputs={"base": […]}, references={"refA": […]})'
_JUDGED = ("Campaign", "Ratings", "Rankings", "ScoreTable")
_CAMPAIGNS = "a campaign or a list of campaigns", 'campaigns = assay.load_campaigns("wmt22")', ("Campaign",)
_DATA = {  # by declared type
    "TestSet": _Data("a test set", _TESTSET, ("TestSet",)),
    "Campaign": _Data("a campaign", _CAMPAIGN, ("Campaign",)),
    "Iterable[Campaign]": _Data(*_CAMPAIGNS, takes_several=True),
    "TestSet | Campaign | Iterable[Campaign]": _Data(
        "a test set or campaigns", _CAMPAIGN, ("TestSet", "Campaign"), takes_several=True
    ),
    "Judged | Campaign": _Data("a campaign or judgements", _CAMPAIGN, _JUDGED),
    "Judged | Campaign | Iterable[Campaign]": _Data("a campaign or judgements", _CAMPAIGN, _JUDGED, takes_several=True),
}
_SPECS = ("metrics", "statistics")  # parameters for lists of specs
_SHORT_FORMS = {"level": {"sys": "system", "seg": "segment"}}  # by parameter, as on the command line
_STRINGS = ("str | Iterable[str]", "Iterable[str]", "Sequence[str]")  # declared types
_PATHS = "str | Path | Iterable[str | Path]"
_KINDS: dict[str, tuple[str, type]] = {
    "str": ("a string", str),
    "Path": ("a path", Path),
    "Result": ("a result", Result),
    "bool": ("True or False", bool),
    "int": ("an integer", Integral),
    "float": ("a number", Real),
}


def public_function(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorator: check and convert the arguments by the names and types of the parameters, and warn of what was found.

    Warnings that an argument has already, such as those of a test set, were given when it was made.
    """
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{function.__name__}() {error}") from None
        for name, value in bound.arguments.items():
            parameter = signature.parameters[name]
            if value is not parameter.default:
                bound.arguments[name] = _converted(parameter, value, function.__name__)
        with inside_call() as is_outermost:
            result = function(*bound.args, **bound.kwargs)
        if is_outermost:
            known = [note for value in bound.arguments.values() for note in _warnings(value)]
            for note in _warnings(result):
                if not any(_is_same(note, other) for other in known):
                    warn(str(note))
        return result

    return call


def _warnings(value: Any) -> Sequence[types.Note]:
    """The warnings of a test set, a campaign or a result, or of several campaigns or results."""
    if isinstance(value, tuple) and value and hasattr(value[0], "warnings"):
        return tuple(dict.fromkeys(note for each in value for note in _warnings(each)))
    found: Sequence[types.Note] = getattr(value, "warnings", ())
    return found


def _is_same(note: types.Note, known: types.Note) -> bool:
    """Whether a note of a result is one of its data, of which Python has warned already. It may name more places."""
    is_there = not known.where or f", {known.where}, " in f", {note.where}, "  # "s1" is not "s10"
    return (note.kind, note.text) == (known.kind, known.text) and is_there


def _converted(parameter: inspect.Parameter, value: Any, function: str) -> Any:
    name, declared = parameter.name, str(parameter.annotation).removesuffix(" | None")
    if value is None and str(parameter.annotation) != declared:
        return None
    if declared in _DATA:
        return _data(name, value, declared, function)
    if name in _SPECS:
        return _strings(name, value, split_specs)
    if declared in _STRINGS:
        return _strings(name, value, split_list)
    if declared in _NUMBERS:
        return tuple(_NUMBERS[declared](name, item) for item in _strings(name, value, split_list))
    if declared == _PATHS and isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping):
        return [_simple(name, path, ("str", "Path")) for path in value]
    kinds = ("str", "Path") if declared == _PATHS else tuple(declared.split(" | "))
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        return tuple(_simple(name, item, kinds) for item in _unpacked(value))
    return _simple(name, value, kinds) if _KINDS.keys() >= set(kinds) else value


def _unpacked(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values, also if they are given as one list."""
    return tuple(values[0]) if len(values) == 1 and isinstance(values[0], list | tuple) else values


def _simple(name: str, value: Any, kinds: tuple[str, ...]) -> Any:
    nouns, expected = zip(*(_KINDS[kind] for kind in kinds), strict=True)
    if not isinstance(value, expected) or (isinstance(value, bool) and "bool" not in kinds):
        raise ConfigError(f"{name} must be {' or '.join(nouns)}, not {kind_of(value)}")
    return _SHORT_FORMS[name].get(value, value) if name in _SHORT_FORMS else value


def _data(name: str, value: Any, declared: str, function: str) -> Any:
    data = _DATA[declared]
    expected = tuple(getattr(types, type_name) for type_name in data.type_names)
    single = (str, bytes, Mapping, *expected)
    is_several = data.takes_several and isinstance(value, Iterable) and not isinstance(value, single)
    values = tuple(value) if is_several else (value,)
    if not values:
        raise EmptyInputError(f"{name} is empty", hint=_call(data, function))
    if is_several:
        data, expected = _DATA["Iterable[Campaign]"], (types.Campaign,)
    for item in values:
        if not isinstance(item, expected):
            has_texts = isinstance(item, types.Campaign)  # and only a test set is taken
            hint = f"select its texts: assay.{function}(campaign.select_texts(), …)" if has_texts else None
            message = f"{name} must be {data.noun}, not {kind_of(item)}"
            raise InputError(message, hint=hint or _call(data, function))
    return values if is_several or declared.startswith("Iterable") else value


def _call(data: _Data, function: str) -> str:
    """The right call."""
    return f"{data.example}; assay.{function}({data.example.partition(' ')[0]}, …)"


def _strings(name: str, value: Any, split: Callable[[str], tuple[str, ...]]) -> Any:
    """A list from a string; a single metric or an iterable is left as it is."""
    if isinstance(value, str):
        return split(value)
    if isinstance(value, bytes) or not isinstance(value, Iterable | Metric | types.ScoreTable):
        one, several = ("bleu", '["bleu", "chrf"]') if name == "metrics" else ("a", '["a", "b"]')
        hint = f'{name}="{one}" or {name}={several}'
        if name == "metrics" and callable(value):
            hint = "assay.metrics.from_function makes a metric of a function"
        raise ConfigError(f"{name} must be a string or a list of strings, not {kind_of(value)}", hint=hint)
    return value


def _number(name: str, value: Any) -> float:
    """A finite number, or a string that is one."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        shown = value if isinstance(value, float) else kind_of(value)
        raise ConfigError(f"{option(name)} must be finite numbers, not {shown}")
    return number


def _integer(name: str, value: Any) -> int:
    """An integer, or a string that is one."""
    if isinstance(value, str) and value.removeprefix("-").isdecimal():
        return int(value)
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise ConfigError(f"{option(name)} must be integers, not {kind_of(value)}")
    return int(value)


_NUMBERS = {"Sequence[float]": _number, "Sequence[int]": _integer}
"""How each item of a list of numbers is checked, by the declared type."""


def kind_of(value: Any) -> str:
    """What a value is, in a message."""
    return "None" if value is None else repr(value) if isinstance(value, str) else type(value).__name__
