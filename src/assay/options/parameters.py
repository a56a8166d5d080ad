"""The parameters of a function with their real types, and how a value is checked and converted by them.

A string is read as on the command line: `metrics="bleu,chrf"` is a list of two metrics, `systems="online-*"` one
pattern. One campaign stands for a list of one. Any other type than the declared one is an error that shows the right
call.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from functools import cache
from numbers import Integral, Real
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from assay.errors import ConfigError, EmptyInputError, InputError, option_name
from assay.options.checks import check_choice
from assay.options.option import Data, Option

__all__ = ["Parameter", "check_fields", "fields_of", "kind_of", "parameters_of"]

_KINDS: Mapping[Any, tuple[str, Any]] = {
    str: ("a string", str),
    Path: ("a path", Path),
    bool: ("True or False", bool),
    int: ("an integer", Integral),
    float: ("a number", Real),
    Callable: ("a function", Callable),
}
"""What values of a type are called, and the type that they are checked by."""
_NO_OPTION = Option("")
_SINGLE = (str, bytes, Mapping)  # never a list of data


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function: its name, type, default and what its option says."""

    name: str
    annotation: Any
    """As declared, evaluated: `Annotated[float | None, Option("…")]`."""
    default: Any = inspect.Parameter.empty
    kind: Any = inspect.Parameter.KEYWORD_ONLY
    part_of: str = ""
    """The parameter of whose value it is a field."""

    @property
    def option(self) -> Option:
        """What the annotation says about the values."""
        found = (each for each in getattr(self.annotation, "__metadata__", ()) if isinstance(each, Option))
        return next(found, _NO_OPTION)

    @property
    def is_command_option(self) -> bool:
        """Whether commands have an option for it. Positional ones are arguments of a command, or made of its files."""
        is_named = self.kind is inspect.Parameter.KEYWORD_ONLY or bool(self.option.flags)
        return is_named and self.option.is_command_option and not self.part_of

    @property
    def plain_type(self) -> Any:
        """The type without what else the annotation says."""
        return get_args(self.annotation)[0] if get_origin(self.annotation) is Annotated else self.annotation

    @property
    def members(self) -> tuple[Any, ...]:
        """The types of its values, except None."""
        plain = self.plain_type
        found = get_args(plain) if get_origin(plain) in (Union, types.UnionType) else (plain,)
        return tuple(member for member in found if member is not type(None))

    @property
    def takes_none(self) -> bool:
        """Whether None is a value."""
        return type(None) in get_args(self.plain_type)

    @property
    def item_types(self) -> tuple[Any, ...]:
        """The types of the items if it takes several values, else empty."""
        lists = [get_args(m)[0] for m in self.members if get_origin(m) in (Iterable, Sequence)]
        return tuple(each for item in lists for each in Parameter("", item).members)

    @property
    def takes_several(self) -> bool:
        """Whether it takes a list of values."""
        return bool(self.item_types) and self.option.is_checked

    @property
    def choices(self) -> tuple[str, ...]:
        """All values that it takes; empty: any."""
        literals = [get_args(m) for m in (*self.members, *self.item_types) if get_origin(m) is Literal]
        return tuple(self.option.choices) or tuple(choice for choices in literals for choice in choices)

    def convert(self, value: Any, function: str = "") -> Any:
        """The value as the function takes it; raise if it is of another type or not among the choices."""
        if (value is None and self.takes_none) or not self.option.is_checked:
            return value
        if isinstance(data := self.option, Data):
            return self._data(data, value, function)
        if self.kind is inspect.Parameter.VAR_POSITIONAL:
            return tuple(map(self._single, _unpacked(value)))
        if not self.item_types:
            return self._chosen(self._single(value))
        converted = self._several(value)
        return tuple(map(self._chosen, converted)) if isinstance(converted, tuple) else converted

    def _chosen(self, value: Any) -> Any:
        """A single value in its usual spelling; raise if it is not among the choices or does not pass the check."""
        if isinstance(value, str):
            value = (self.option.short_forms or {}).get(value, value)
        if self.choices and isinstance(value, str):
            noun = option_name(self.name) if "_" in self.name else self.name
            check_choice(self.option.noun or noun, value, self.choices)
        if self.option.check is not None:
            self.option.check(self.name, value)
        return value

    def _single(self, value: Any) -> Any:
        classes = [_class_of(member) for member in self.members]
        if None in classes:  # it cannot be checked
            return value
        nouns, expected = zip(*(_kind(each) for each in classes if each is not None), strict=True)
        if not isinstance(value, expected) or (isinstance(value, bool) and bool not in classes):
            raise ConfigError(f"{self.name} must be {_either(nouns)}, not {kind_of(value)}")
        return value

    def _several(self, value: Any) -> Any:
        """A tuple of strings, numbers or paths; other lists as they are."""
        items = {_class_of(item) for item in self.item_types}
        if items <= {int, float}:
            read = _integer if items == {int} else _number
            return tuple(read(self.name, item) for item in self._strings(value))
        if Path in items:
            is_list = isinstance(value, Iterable) and not isinstance(value, _SINGLE)
            single = dataclasses.replace(self, annotation=str | Path)
            return tuple(map(single._single, value)) if is_list else single._single(value)
        return self._strings(value) if str in items else value

    def _strings(self, value: Any) -> Any:
        """A tuple of the items of a string or a list; a single value of another type, such as a metric, as it is."""
        if isinstance(value, str):
            return self.option.split(value)
        others = tuple(each for each in map(_class_of, self.members) if each not in (None, str, Iterable, Sequence))
        if isinstance(value, others):
            return value
        if isinstance(value, bytes) or not isinstance(value, Iterable):
            one, several = ("bleu", '["bleu", "chrf"]') if self.name == "metrics" else ("a", '["a", "b"]')
            hint = f'{self.name}="{one}" or {self.name}={several}'
            if self.name == "metrics" and callable(value):
                hint = "assay.metrics.from_function makes a metric of a function"
            raise ConfigError(f"{self.name} must be a string or a list of strings, not {kind_of(value)}", hint=hint)
        return tuple(value)

    def _data(self, data: Data, value: Any, function: str) -> Any:
        items = tuple(filter(None, map(_class_of, self.item_types)))
        singles = tuple(each for each in map(_class_of, self.members) if each not in (None, Iterable, Sequence))
        is_several = bool(items) and isinstance(value, Iterable) and not isinstance(value, (*_SINGLE, *singles, *items))
        values = tuple(value) if is_several else (value,)
        hint = f"{data.example}; assay.{function}({data.example.partition(' ')[0]}, …)"
        if not values and self.default != ():
            raise EmptyInputError(f"{self.name} is empty", hint=hint)
        for item in values:
            if not isinstance(item, items if is_several else (*singles, *items)):
                if hasattr(item, "select_texts"):  # a campaign, where only a test set is taken
                    hint = f"select its texts: assay.{function}(campaign.select_texts(), …)"
                raise InputError(f"{self.name} must be {data.noun}, not {kind_of(item)}", hint=hint)
        return values if is_several or not singles else value


def parameters_of(function: Callable[..., Any], spread: type | None = None) -> dict[str, Parameter]:
    """The parameters of a function by name. Those of `**options` are the fields of `spread`, a dataclass."""
    parameters = {}
    for parameter in inspect.signature(function, follow_wrapped=True).parameters.values():
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            parameters[parameter.name] = parameter
    hints = _hints(function, parameters)
    found = {
        name: Parameter(name, hints.get(name, Any), parameter.default, parameter.kind)
        for name, parameter in parameters.items()
    }
    if spread is not None:
        found |= fields_of(spread)
    for whole in [each for each in found.values() if each.option.takes_fields]:
        fields = fields_of(whole.members[0])
        found |= {name: dataclasses.replace(field, part_of=whole.name) for name, field in fields.items()}
    return found


@cache
def fields_of(options: type[Any]) -> dict[str, Parameter]:
    """The fields of a dataclass of options as parameters."""
    hints = get_type_hints(options, include_extras=True)
    return {
        field.name: Parameter(field.name, hints[field.name], None if field.default is MISSING else field.default)
        for field in dataclasses.fields(options)
    }


def check_fields(options: Any) -> None:
    """Raise if a field of a dataclass of options has a value that its annotation does not allow."""
    for name, parameter in fields_of(type(options)).items():  # type: ignore[arg-type]  # a class is hashable
        if (value := getattr(options, name)) is not parameter.default:
            parameter.convert(value)


def _hints(function: Callable[..., Any], names: Iterable[str]) -> dict[str, Any]:
    """The evaluated annotations of these parameters. That of the result may name a type that is slow to import."""
    unwrapped = inspect.unwrap(function)
    declared = types.SimpleNamespace(
        __annotations__={name: text for name, text in unwrapped.__annotations__.items() if name in names}
    )
    return get_type_hints(declared, globalns=unwrapped.__globals__, include_extras=True)


def _class_of(member: Any) -> type | None:
    """The class that a value of a type has; None: it is not known, and the value is not checked."""
    origin = get_origin(member)
    if origin is Literal:
        return str
    found = member if origin is None else origin
    return found if isinstance(found, type) else None


def _kind(cls: type) -> tuple[str, type]:
    return _KINDS.get(cls, (f"a {cls.__name__}", cls))


def _either(nouns: Iterable[str]) -> str:
    *others, last = dict.fromkeys(nouns)
    return f"{', '.join(others)} or {last}" if others else last


def _unpacked(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values, also if they are given as one list."""
    return tuple(values[0]) if len(values) == 1 and isinstance(values[0], list | tuple) else values


def _number(name: str, value: Any) -> float:
    """A finite number, or a string that is one."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        shown = value if isinstance(value, float) else kind_of(value)
        raise ConfigError(f"{option_name(name)} must be finite numbers, not {shown}")
    return number


def _integer(name: str, value: Any) -> int:
    """An integer, or a string that is one."""
    if isinstance(value, str) and value.removeprefix("-").isdecimal():
        return int(value)
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise ConfigError(f"{option_name(name)} must be integers, not {kind_of(value)}")
    return int(value)


def kind_of(value: Any) -> str:
    """What a value is, in a message."""
    return "None" if value is None else repr(value) if isinstance(value, str) else type(value).__name__
