"""Registries of classes by name: from the files of a package, or from entry points of other distributions.

To add a class, add a file to the package. A name is looked up first in the module of the same name, so that one metric
does not import all the others, then in modules whose name it contains (`spbleu` is in `bleu`, `yisi-0` in `yisi`), then
in all modules of the package, and last among the plug-ins.

A spec is a name with options: `bleu:tok=intl,smooth=floor`. Options are the fields of the frozen dataclass registered
under the name. A registry that ignores case also ignores it in the names of its specs.

An option of type `NestedSpec` holds a spec itself, such as the tokeniser of a metric: `bleu:tok=spm:flores.model`. A
class can name one option that needs no `name=` (`argument`; the model of the tokeniser `spm`). A nested spec with
several options is put in parentheses: `bleu:tok=(moses-en:language=de,aggressive=yes)`. A class can say which options
belong in a nested spec (`nested_options`), so that an error can show where to write them. Inside a value, write a
comma as %2C and a per cent sign as %25.

A registry can also load classes from files: `./my_metric.py:Mine:n=4`. The path must be explicit (`./`, `../`, `/`); no
folder is searched. The full name of such a class has a digest of the file (`my_metric.py@1a2b3c4d:Mine`), which
is thereby part of every signature, and is checked if it is given. A file that `assay train` wrote is a class by itself:
`./my-metric.json`.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import pkgutil
import re
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from assay.errors import ConfigError, PluginError, nearest, spelling_options

__all__ = [
    "NestedSpec",
    "Registry",
    "is_pattern",
    "name_list",
    "option_text",
    "option_texts",
    "options_of",
    "split_spec",
    "unescaped",
]

T = TypeVar("T")

_FILE_SUFFIXES = (".py", ".json")  # those of `plugin_files`, which is rarely needed
_SHORTEST = 3  # letters of a name that a longer one is taken for

NestedSpec: TypeAlias = Annotated[str, "spec"]
"""The type of an option that holds a spec."""


class Registry(Generic[T]):
    """Frozen dataclasses by name, created from specs."""

    def __init__(
        self,
        kind: str,
        package: str,
        *,
        entry_point_group: str | None = None,
        ignores_case: bool = False,
        from_file: Callable[[Any, str], type[T]] | None = None,
        elsewhere: Callable[[str], str | None] = lambda name: None,
    ) -> None:
        """`from_file` makes a class of an object in a file and its name; `elsewhere` is a hint for an unknown name."""
        self.kind = kind
        self._from_file = from_file
        self._elsewhere = elsewhere
        self._ignores_case = ignores_case
        self._package = package
        self._group = entry_point_group
        self._types: dict[str, tuple[type[T], dict[str, Any]]] = {}
        self._has_plugins = False
        self._failures: list[str] = []

    def __call__(
        self, name: str, *, aliases: Mapping[str, Mapping[str, Any]] | None = None
    ) -> Callable[[type[T]], type[T]]:
        """Class decorator: register under `name`, and under each alias with some options preset."""

        def register(cls: type[T]) -> type[T]:
            self._add(name, cls, {})
            for alias, preset in (aliases or {}).items():
                self._add(alias, cls, dict(preset))
            cls.name = name  # type: ignore[attr-defined]
            return cls

        return register

    @property
    def failures(self) -> tuple[str, ...]:
        """Why plug-ins cannot be used, for those loaded so far."""
        return tuple(self._failures)

    def names(self) -> list[str]:
        """All names, sorted."""
        self._import_package()
        self._load_plugins()
        return sorted(self._types, key=str.swapcase)  # capitals last

    def has(self, spec: str) -> bool:
        """Whether the name of a spec is registered."""
        return split_spec(spec)[0] in self.names()

    def check(self, spec: str, others: Collection[str] = ()) -> None:
        """Raise unless a spec describes an object or is one of `others`. A message on an unknown name lists both."""
        if spec not in others:
            self.type_of(split_spec(spec)[0], others)
            self.create(spec)

    def type_of(self, name: str, others: Collection[str] = ()) -> tuple[type[T], dict[str, Any]]:
        """The class registered under a name, and the options that the name presets."""
        if self._from_file is not None and name not in self._types and _names_file(name):
            return self._load_file(self._from_file, name), {}
        module = re.sub(r"\W", "", name.lower() if self._ignores_case else name)
        steps: tuple[Callable[[], None], ...] = (
            lambda: None,
            lambda: self._import_package(lambda name: name == module),
            lambda: self._import_package(lambda name: name in module),
            self._import_package,
            self._load_plugins,
        )
        for step in steps:
            step()
            key = self._registered_name(name)
            if key is not None:
                return self._types[key]
        failures = "".join(f"\n{failure}" for failure in self._failures)
        raise ConfigError(f"unknown {self.kind} '{name}'", hint=self._hint(name, others) + failures)

    def _hint(self, name: str, others: Collection[str]) -> str:
        before, _, options = (part.strip() for part in name.partition(","))
        if "=" in options and self._registered_name(before) is not None:
            return f"options follow a colon: {before}:{options}"
        return self._elsewhere(name) or nearest(name, (*self._types, *others))

    def _load_file(self, from_file: Callable[[Any, str], type[T]], name: str) -> type[T]:
        """Register the class or function that a name like `./my_metric.py:Mine` refers to."""
        from assay.registry.plugin_files import load_from_file  # rarely needed

        loaded = load_from_file(name)
        if loaded.name not in self._types:
            try:
                cls = from_file(loaded.value, loaded.name)
            except ConfigError as error:
                raise PluginError(f"{name}: {error.message}", hint=error.hint) from error
            cls.name = loaded.name  # type: ignore[attr-defined]
            self._add(loaded.name, cls, {})
        return self._types[loaded.name][0]

    def _registered_name(self, name: str) -> str | None:
        """The name as it was registered. The exact spelling wins over one that differs in case."""
        if name in self._types or not self._ignores_case:
            return name if name in self._types else None
        return next((known for known in self._types if known.lower() == name.lower()), None)

    def create(self, spec: str | T) -> T:
        """Create the object that a spec describes; return an object unchanged."""
        if not isinstance(spec, str):
            return self._checked_object(spec)
        name, text = split_spec(spec)
        cls, preset = self.type_of(name)
        given: dict[str, str] = {}
        for item in _split_items(spec, text):
            key, value = self._split_item(spec, item)
            if key in given:
                raise ConfigError(f"'{spec}' sets the option '{key}' twice", hint="leave out one of them")
            given[key] = value
        options = preset | {key: self._convert(name, cls, key, given) for key in given}
        try:
            with spelling_options(_in_spec):
                return cls(**options)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"'{spec}': {error}") from error

    def _checked_object(self, value: T) -> T:
        if isinstance(value, type) or not dataclasses.is_dataclass(value):
            hint = f"{value.__name__}()" if isinstance(value, type) else "give its name, or an object of its class"
            raise ConfigError(f"{value!r} is not a {self.kind}", hint=hint)
        return value

    def explicit_options(self, spec: str) -> frozenset[str]:
        """The options that a spec sets, itself or through an alias."""
        name, text = split_spec(spec)
        _, preset = self.type_of(name)
        return frozenset(preset) | {self._split_item(spec, item)[0] for item in _split_items(spec, text)}

    def _split_item(self, spec: str, item: str) -> tuple[str, str]:
        """An option's name and value; `item` may be the value alone, if the name or the class allows it."""
        key, equals, value = (part.strip() for part in item.partition("="))
        if equals and ":" not in key:  # a colon: the name of a nested spec with options
            return key, value
        name, _ = split_spec(spec)
        cls, preset = self.type_of(name)
        nested = [name for name in preset if name in _nested_options(cls)]  # type: ignore[arg-type]
        if nested:  # spbleu:flores.model is bleu:tok=spm:flores.model
            return nested[0], f"{preset[nested[0]]}:{item.strip()}"
        argument: str | None = getattr(cls, "argument", None)
        if argument is None:
            required = _required_option(cls)
            example = "" if required is None else f": {name}:{required}={item.strip()}"
            raise ConfigError(f"'{item}' in '{spec}' is not an option", hint=f"write options as name=value{example}")
        return argument, item.strip()

    def spec(self, value: T, preferred: str | None = None) -> str:
        """The shortest spec of an object: the name that presets most options, and the options that differ.

        Of two names that preset the same, it has the `preferred` one.
        """
        options, texts = dict(options_of(value)), option_texts(value)
        best: tuple[int, str] | None = None
        first = None if preferred is None else self._registered_name(preferred)
        order = sorted(self._types.items(), key=lambda item: (item[0] != first, item[0].swapcase()))  # ter-moses first
        for name, (cls, preset) in order:
            if cls is not type(value) or any(options[key] != setting for key, setting in preset.items()):
                continue
            defaults = {f.name: f.default for f in dataclasses.fields(cls)} | preset  # type: ignore[arg-type]
            differing = [key for key, option in options.items() if option != defaults[key]]
            if best is None or len(differing) < best[0]:
                items = ",".join(_option_item(cls, key, texts[key]) for key in differing)
                best = (len(differing), f"{name}:{items}" if items else name)
        if best is None:
            raise ConfigError(f"{type(value).__name__} is not registered as a {self.kind}")
        return best[1]

    def _add(self, name: str, cls: type[T], preset: dict[str, Any]) -> None:
        existing = self._types.get(name)
        if existing is not None and (existing[0].__module__, existing[0].__qualname__) != (
            cls.__module__,
            cls.__qualname__,
        ):
            raise PluginError(f"two {self.kind}s are called '{name}': {existing[0].__module__} and {cls.__module__}")
        self._types[name] = (cls, preset)

    def _import_package(self, is_wanted: Callable[[str], bool] = lambda module: True) -> None:
        package = importlib.import_module(self._package)
        for module in pkgutil.iter_modules(package.__path__):
            if is_wanted(module.name):
                importlib.import_module(f"{self._package}.{module.name}")

    def _load_plugins(self) -> None:
        if self._group is None or self._has_plugins:
            return
        from importlib.metadata import entry_points  # slow to import, and only needed here

        self._has_plugins = True
        for entry in entry_points(group=self._group):
            plugin = f"the {self.kind} plug-in '{entry.name}' ({entry.value})"
            try:
                entry.load()
            except Exception as error:  # a broken plug-in must not stop the others
                self._failures.append(f"{plugin} cannot be loaded: {error}")
            else:
                if entry.name not in self._types:
                    self._failures.append(f"{plugin} does not register a {self.kind} of that name")

    def _convert(self, name: str, cls: type[T], key: str, given: Mapping[str, str]) -> Any:
        text = given[key]
        hints = _option_types(cls)  # type: ignore[arg-type]  # a class is hashable
        if not hints:
            raise ConfigError(f"{self.kind} '{name}' has no options")
        if key not in hints:
            hint = _nested_option_hint(name, cls, key, given) or _shorter_hint(key, hints) or nearest(key, hints)
            raise ConfigError(f"{self.kind} '{name}' has no option '{key}'", hint=hint)
        if key in _nested_options(cls):  # type: ignore[arg-type]
            return text[1:-1] if text.startswith("(") else text
        try:
            return _from_text(hints[key], unescaped(text))
        except ValueError:
            raise ConfigError(f"'{key}={text}' of '{name}': expected {_type_name(hints[key])}") from None


def _shorter_hint(key: str, known: Iterable[str]) -> str | None:
    """The option whose name an unknown one starts with: `tok` for `tokenize`."""
    shorter = [name for name in known if len(name) >= _SHORTEST and key.startswith(name)]
    return f"did you mean '{max(shorter, key=len)}'?" if shorter else None


def split_spec(spec: str) -> tuple[str, str]:
    """The name and the options of a spec, as text."""
    spec = spec.strip()
    if _names_file(spec):
        from assay.registry.plugin_files import split_file_name  # rarely needed

        if (parts := split_file_name(spec)) is not None:
            return parts
    name, _, options = (part.strip() for part in spec.partition(":"))
    return name, options


def _names_file(spec: str) -> bool:
    """Whether a spec may name a file."""
    return any(suffix in spec for suffix in _FILE_SUFFIXES)


def is_pattern(text: str) -> bool:
    """Whether a text is a shell pattern for names, and not a spec."""
    return any(character in text for character in "*?[")


_PARENTHESES = "put a value with commas in parentheses, and a list of such values in another pair: metrics=((A:x,y)+B)"


def _split_items(spec: str, text: str) -> list[str]:
    """Split at commas, except in a value in parentheses."""
    items, depth = [""], 0
    for piece in re.split(r"(,|=\s*\(|\)(?=\s*(?:[,)]|$)))", text):
        depth += piece[:1] == "=" and piece[-1:] == "("
        depth -= piece == ")" and depth > 0
        if piece == "," and depth == 0:
            items.append("")
        else:
            items[-1] += piece
    if depth:
        raise ConfigError(
            f"unclosed parenthesis in '{spec}'",
            hint=_PARENTHESES,
        )
    return [item for item in items if item.strip()]


def _in_spec(name: str, value: str | None) -> str:
    """An option as it is written in a spec, in errors about its value."""
    return name if value is None else f"{name}={value}"


def _option_item(cls: type[Any], key: str, text: str) -> str:
    return text if key == getattr(cls, "argument", None) and "=" not in text else f"{key}={text}"


def option_text(value: object) -> str:
    """The text of a value in specs and signatures."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    text = "none" if value is None else str(value)
    if text.isalnum():  # most are, and a substitution is slow
        return text
    return re.sub(r"[%,|\s]|^\(", lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), text)


def name_list(names: Iterable[str]) -> str:
    """Names as the value of one setting; empty without any."""
    joined = "+".join(names)
    return option_text(joined) if joined else ""


def option_texts(value: object) -> dict[str, str]:
    """The options of an object by name, as text in specs and signatures."""
    nested = _nested_options(type(value))  # type: ignore[arg-type]  # a class is hashable
    return {name: _nested_text(option) if name in nested else option_text(option) for name, option in options_of(value)}


def _nested_text(spec: str) -> str:
    """A spec as the value of an option; its own values are escaped already."""
    return f"({spec})" if "," in spec or spec.startswith("(") else spec


def options_of(value: object) -> list[tuple[str, Any]]:
    """The options of a frozen dataclass: the fields used in comparison."""
    return [(name, getattr(value, name)) for name in _option_names(type(value))]  # type: ignore[arg-type]  # hashable


@functools.cache
def _option_names(cls: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls) if field.compare)


def unescaped(text: str) -> str:
    """The value that `option_text` wrote."""
    return re.sub(r"(?:%[0-9A-Fa-f]{2})+", lambda m: bytes.fromhex(m[0].replace("%", "")).decode(), text)


@functools.cache
def _option_types(cls: type[Any]) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls) if field.compare}


@functools.cache
def _nested_options(cls: type[Any]) -> frozenset[str]:
    """The options that hold a spec. Annotations are compared as text: those of a plug-in may not be importable."""
    return frozenset(f.name for f in dataclasses.fields(cls) if f.compare and f.type in (NestedSpec, "NestedSpec"))


def _required_option(cls: type[Any]) -> str | None:
    """The first option that holds a spec and has no default, if there is one."""
    nested = _nested_options(cls)  # type: ignore[arg-type]  # a class is hashable
    return next((f.name for f in dataclasses.fields(cls) if f.name in nested and f.default == ""), None)


def _nested_option_hint(name: str, cls: type[Any], key: str, given: Mapping[str, str]) -> str | None:
    """How to write an option that belongs into the spec which another option holds, if it is one."""
    nested: Mapping[str, Collection[str]] = getattr(cls, "nested_options", {})
    owner = next((option for option, names in nested.items() if key in names), None)
    if owner is None:
        return None
    inner = given.get(owner, "NAME").strip("()")
    for option in nested[owner]:
        if option in given:
            inner += f"{',' if ':' in inner else ':'}{option}={given[option]}"
    return f"{key} is an option of {owner}: write {name}:{owner}=({inner})"


def _alternatives(hint: Any) -> tuple[Any, ...]:
    """The types or values that int | None, Optional[int], Literal["a", "b"] or int allow."""
    kinds = typing.get_args(hint) if typing.get_origin(hint) in (types.UnionType, typing.Union) else (hint,)
    return tuple(
        choice for k in kinds for choice in (typing.get_args(k) if typing.get_origin(k) is typing.Literal else (k,))
    )


def _from_text(hint: Any, text: str) -> Any:
    kinds = _alternatives(hint)
    if types.NoneType in kinds and text == "none":
        return None
    if not any(isinstance(k, type) and k is not types.NoneType for k in kinds):  # one of several words
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
        *others, last = map(str, choices)
        return f"{', '.join(others)} or {last}" if others else last
    words = {bool: "yes or no", int: "an integer", float: "a number", str: "text"}
    kind = next(k for k in _alternatives(hint) if k is not types.NoneType)
    return words.get(kind, str(kind))
