"""Things found by name: a class in a file of a package, or an entry point of another distribution.

Dropping a file into the package is all it takes. A name is looked for first in the module of the same name, so one
metric does not import all others; then in all modules of the package, and last among the plug-ins.

A spec is a name with options, `bleu:tok=intl,smooth=floor`; options are the fields of the frozen dataclass that
carries the name. Where a registry ignores case, so do the names in its specs. A comma, colon or per cent sign inside
a value is written %2C, %3A, %25.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import pkgutil
import re
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from assay.errors import ConfigError, PluginError, nearest

__all__ = ["Registry", "option_text", "options_of", "unescaped"]

T = TypeVar("T")


class Registry(Generic[T]):
    """Frozen dataclasses by name, with options given as text."""

    def __init__(
        self, kind: str, package: str, *, entry_point_group: str | None = None, ignores_case: bool = False
    ) -> None:
        self.kind = kind
        self._ignores_case = ignores_case
        self._package = package
        self._group = entry_point_group
        self._types: dict[str, tuple[type[T], dict[str, Any]]] = {}
        self._has_plugins = False
        self._failures: list[str] = []  # plug-ins that cannot be used, and why

    def __call__(
        self, name: str, *, aliases: Mapping[str, Mapping[str, Any]] | None = None
    ) -> Callable[[type[T]], type[T]]:
        """Class decorator: carry `name`, and each alias as the class with some options preset."""

        def register(cls: type[T]) -> type[T]:
            self._add(name, cls, {})
            for alias, preset in (aliases or {}).items():
                self._add(alias, cls, dict(preset))
            cls.name = name  # type: ignore[attr-defined]
            return cls

        return register

    @property
    def failures(self) -> tuple[str, ...]:
        """Plug-ins that cannot be used, and why, as far as they have been tried."""
        return tuple(self._failures)

    def names(self) -> list[str]:
        """All names, sorted."""
        self._read_package()
        self._read_plugins()
        return sorted(self._types, key=str.swapcase)  # capitals last

    def type_of(self, name: str) -> tuple[type[T], dict[str, Any]]:
        """The class that carries a name, and the options the name presets."""
        module = re.sub(r"\W", "", name.lower() if self._ignores_case else name)
        steps: tuple[Callable[[], None], ...] = (
            lambda: None,
            lambda: self._read_package(module),
            self._read_package,
            self._read_plugins,
        )
        for read in steps:
            read()
            key = self._known(name)
            if key is not None:
                return self._types[key]
        failures = "".join(f"\n{failure}" for failure in self._failures)
        raise ConfigError(f"unknown {self.kind} '{name}'", hint=nearest(name, self._types) + failures)

    def _known(self, name: str) -> str | None:
        """The name as it was registered; of several that differ in case only, the one that is spelt like this."""
        if name in self._types or not self._ignores_case:
            return name if name in self._types else None
        return next((known for known in self._types if known.lower() == name.lower()), None)

    def create(self, spec: str | T) -> T:
        """The value a spec describes; one that is made already stays as it is."""
        if not isinstance(spec, str):
            return spec
        name, _, text = spec.partition(":")
        cls, options = self.type_of(name.strip())
        options = dict(options)
        for item in filter(None, text.split(",")):
            key, equals, value = (part.strip() for part in item.partition("="))
            if not equals:
                raise ConfigError(f"'{item}' in '{spec}' is not an option", hint="write options as name=value")
            options[key] = self._convert(name, cls, key, unescaped(value))
        try:
            return cls(**options)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"'{spec}': {error}") from error

    def given_options(self, spec: str) -> frozenset[str]:
        """The options that a spec sets, by itself or by the name it uses."""
        name, _, text = spec.partition(":")
        _, preset = self.type_of(name.strip())
        return frozenset(preset) | {item.partition("=")[0].strip() for item in filter(None, text.split(","))}

    def spec(self, value: T) -> str:
        """The shortest spec of a value: the name that presets most, and the options that still differ."""
        options = dict(options_of(value))
        best: tuple[int, str] | None = None
        for name, (cls, preset) in sorted(self._types.items(), key=lambda item: item[0].swapcase()):  # ter-moses first
            if cls is not type(value) or any(options[key] != given for key, given in preset.items()):
                continue
            defaults = {f.name: f.default for f in dataclasses.fields(cls)} | preset  # type: ignore[arg-type]
            differing = [f"{key}={option_text(v)}" for key, v in options.items() if v != defaults[key]]
            text = name + (":" + ",".join(differing) if differing else "")
            if best is None or len(differing) < best[0]:
                best = (len(differing), text)
        if best is None:
            raise ConfigError(f"{type(value).__name__} carries no name among the {self.kind}s")
        return best[1]

    def _add(self, name: str, cls: type[T], preset: dict[str, Any]) -> None:
        taken = self._types.get(name)
        if taken is not None and (taken[0].__module__, taken[0].__qualname__) != (cls.__module__, cls.__qualname__):
            raise PluginError(f"two {self.kind}s are called '{name}': {taken[0].__module__} and {cls.__module__}")
        self._types[name] = (cls, preset)

    def _read_package(self, only: str | None = None) -> None:
        package = importlib.import_module(self._package)
        for found in pkgutil.iter_modules(package.__path__):
            if only in (None, found.name):
                importlib.import_module(f"{self._package}.{found.name}")

    def _read_plugins(self) -> None:
        if self._group is None or self._has_plugins:
            return
        from importlib.metadata import entry_points  # slow to import, and only needed here

        self._has_plugins = True
        for entry in entry_points(group=self._group):
            plugin = f"the {self.kind} plug-in '{entry.name}' ({entry.value})"
            try:
                entry.load()
            except Exception as error:  # another's fault must not keep the others from working
                self._failures.append(f"{plugin} cannot be loaded: {error}")
            else:
                if entry.name not in self._types:
                    self._failures.append(f"{plugin} registers no {self.kind} of that name")

    def _convert(self, name: str, cls: type[T], key: str, text: str) -> Any:
        hints = _option_types(cls)  # type: ignore[arg-type]  # a class is hashable
        if key not in hints:
            raise ConfigError(f"{self.kind} '{name}' has no option '{key}'", hint=nearest(key, hints))
        try:
            return _from_text(hints[key], text)
        except ValueError:
            raise ConfigError(f"'{key}={text}' of '{name}': expected {_type_name(hints[key])}") from None


def option_text(value: object) -> str:
    """An option's value as specs and signatures write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    text = "none" if value is None else str(value)
    return re.sub(r"[%,:|\s]", lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), text)


def options_of(value: object) -> list[tuple[str, Any]]:
    """The options of a frozen dataclass: its fields, but for those that take no part in comparison."""
    return [(f.name, getattr(value, f.name)) for f in dataclasses.fields(value) if f.compare]  # type: ignore[arg-type]


def unescaped(text: str) -> str:
    """The value that `option_text` wrote."""
    return re.sub(r"(?:%[0-9A-Fa-f]{2})+", lambda m: bytes.fromhex(m[0].replace("%", "")).decode(), text)


@functools.cache
def _option_types(cls: type[Any]) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls) if field.compare}


def _alternatives(hint: Any) -> tuple[Any, ...]:
    """int | None, Optional[int], Literal["a", "b"] or int: what a value may be."""
    kinds = typing.get_args(hint) if typing.get_origin(hint) in (types.UnionType, typing.Union) else (hint,)
    return tuple(
        each for k in kinds for each in (typing.get_args(k) if typing.get_origin(k) is typing.Literal else (k,))
    )


def _from_text(hint: Any, text: str) -> Any:
    kinds = _alternatives(hint)
    if types.NoneType in kinds and text == "none":
        return None
    if not any(isinstance(k, type) and k is not types.NoneType for k in kinds):  # a choice of words
        if text not in kinds:
            raise ValueError(text)
        return text
    kind = next(k for k in kinds if k is not types.NoneType)
    if kind is bool:
        words = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
        if text.lower() not in words:
            raise ValueError(text)
        return words[text.lower()]
    return kind(text)


def _type_name(hint: Any) -> str:
    choices = [k for k in _alternatives(hint) if not isinstance(k, type)]
    if choices:
        return " or ".join(map(str, choices))
    words = {bool: "yes or no", int: "a whole number", float: "a number", str: "text"}
    kind = next(k for k in _alternatives(hint) if k is not types.NoneType)
    return words.get(kind, str(kind))
