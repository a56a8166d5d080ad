"""Metrics and statistics from files, named by an explicit path: `./my_metric.py:Mine` is in a Python file, and
`./my-metric.json` is a file that `assay train` wrote.
"""

from __future__ import annotations

import json
import re
import sys
import traceback
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from assay.errors import ConfigError, InputError, MissingExtraError, PluginError, nearest, printable

__all__ = [
    "JsonFile",
    "LoadedObject",
    "file_of",
    "is_from_file",
    "load_from_file",
    "object_name",
    "short_names",
    "split_file_name",
]

_DIGEST = r"@(?P<digest>[0-9a-f]{8})"
_OBJECT = r":(?P<object>[^\W\d]\w*)"
_NAME = re.compile(rf"(?P<path>(?:\.{{1,2}}/|/)[^:@]*\.py)(?:{_DIGEST})?{_OBJECT}")
_LOADED_NAME = re.compile(
    rf"(?P<file>[^/:@]+\.py)(?:{_DIGEST})?{_OBJECT}"
)  # without a folder, of a file that was loaded before; without the digest, as `short_names` shortens it
_JSON_NAME = re.compile(rf"(?P<path>(?:\.{{1,2}}/|/)(?:[^:@]*/)?(?P<object>[^/:@]+)\.json)(?:{_DIGEST})?")
_LOADED_JSON_NAME = re.compile(rf"(?P<file>(?P<object>[^/:@]+)\.json)(?:{_DIGEST})?")


_TRAINED = "give a file that assay train -o FILE.json wrote"


@dataclass(frozen=True, slots=True)
class JsonFile:
    """What a JSON file holds, and where it is."""

    path: Path
    tree: Any


@dataclass(frozen=True, slots=True)
class LoadedObject:
    """An object from a file, and its full name: that of the file without its folder, and a digest of the file.

    A JSON file has its own digest in it, which whoever reads the object checks.
    """

    name: str
    value: Any


def split_file_name(spec: str) -> tuple[str, str] | None:
    """The name of an object in a file, and its options, as text; None if a spec does not start with such a name."""
    match = _match(spec)
    return None if match is None else (match[0], spec[match.end() + 1 :])


def is_from_file(spec: str) -> bool:
    """Whether a spec names an object in a file, by its path, its full name, or its name with the file alone.

    A JSON file is one object.
    """
    return _match(spec) is not None


def object_name(spec: str) -> str | None:
    """The name of an object in a file without the file and the options; None if a spec names none."""
    match = _match(spec)
    return None if match is None else match["object"]


def _match(spec: str) -> re.Match[str] | None:
    names = (_NAME, _LOADED_NAME, _JSON_NAME, _LOADED_JSON_NAME)
    match = next(filter(None, (name.match(spec) for name in names)), None)
    return match if match is not None and spec[match.end() : match.end() + 1] in ("", ":") else None


def short_names(specs: Iterable[str], taken: Collection[str]) -> dict[str, str]:
    """What to call objects in tables: `bad` for `my.py@b042dfea:bad`, with its options; other specs stay.

    A name that two of them would have, or that is `taken`, gets the file as well, `my.py:bad`; two files of the same
    name also keep their digests.
    """
    names = {spec: _shorter_names(spec, taken) for spec in specs}
    levels = dict.fromkeys(names, 0)
    while True:
        chosen = {spec: choices[levels[spec]] for spec, choices in names.items()}
        folded = [name.casefold() for name in chosen.values()]
        clashes = [spec for spec, name in chosen.items() if folded.count(name.casefold()) > 1]
        longer = [spec for spec in clashes if levels[spec] + 1 < len(names[spec])]
        if not longer:
            return chosen
        for spec in longer:
            levels[spec] += 1


def _shorter_names(spec: str, taken: Collection[str]) -> list[str]:
    """The names of an object in a file from the shortest on; the last one is the spec itself."""
    match = _LOADED_NAME.match(spec) or _LOADED_JSON_NAME.match(spec)
    if match is None or match["digest"] is None:
        return [spec]
    name, options = match["object"], spec[match.end() :]
    short = [] if name.casefold() in taken else [f"{name}{options}"]
    longer = match["file"] if match.re is _LOADED_JSON_NAME else f"{match['file']}:{name}"
    return [*short, f"{longer}{options}", spec]


def file_of(spec: str) -> Path | None:
    """The file that a spec names; None if it names none."""
    match = _NAME.match(spec) or _JSON_NAME.match(spec)
    return None if match is None else Path(match["path"])


def load_from_file(name: str) -> LoadedObject:
    """Run a file, and find the object that a name like `./my_metric.py:Mine` refers to; or read a JSON file."""
    if name.partition("@")[0].endswith(".json"):
        return _load_json(name)
    match = _NAME.fullmatch(name)
    if match is None:
        file = name.partition(":")[0]
        is_plain = file.endswith(".py") and not file.startswith((".", "/"))
        hint = (
            f"write ./{file}:{object_name(name) or 'NAME'}"
            if is_plain
            else "give its path and the name: ./my_metric.py:MyMetric"
        )
        raise ConfigError(f"'{printable(name)}' does not name a class or function in a file", hint=hint)
    path = match["path"]
    digest, code = _read(path)
    if match["digest"] not in (None, digest):
        raise ConfigError(f"{path} has changed: its digest is {digest}, not {match['digest']}")
    module = _run(path, digest, code)
    if not hasattr(module, match["object"]):
        public = [key for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
        raise ConfigError(f"{path} has no class or function '{match['object']}'", hint=nearest(match["object"], public))
    return LoadedObject(f"{Path(path).name}@{digest}:{match['object']}", getattr(module, match["object"]))


def _load_json(name: str) -> LoadedObject:
    match = _JSON_NAME.fullmatch(name)
    if match is None:
        raise ConfigError(f"'{printable(name)}' does not name a file", hint=f"give its path: ./{Path(name).name}")
    path = Path(match["path"])
    try:
        tree = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(error.strerror or str(error), path=match["path"]) from error
    except (ValueError, RecursionError):
        raise InputError("this is not JSON, or only a part of it", path=match["path"], hint=_TRAINED) from None
    given = tree.get("digest") if isinstance(tree, dict) else None
    if not isinstance(given, str) or re.fullmatch("[0-9a-f]{8,}", given) is None:
        raise InputError("this is not the file of a trained metric", path=match["path"], hint=_TRAINED)
    if match["digest"] not in (None, given[:8]):
        raise ConfigError(f"{path} has changed: its digest is {given[:8]}, not {match['digest']}")
    return LoadedObject(f"{path.name}@{given[:8]}", JsonFile(path, tree))


def _read(path: str) -> tuple[str, bytes]:
    import hashlib  # slow to import, and rarely needed

    try:
        code = Path(path).read_bytes()
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from error
    return hashlib.blake2b(code, digest_size=4).hexdigest(), code


def _run(path: str, digest: str, code: bytes) -> ModuleType:
    """The module of a file, run once for each content. Dataclasses look it up in `sys.modules`."""
    stem = re.sub(r"\W", "_", Path(path).stem)
    name = f"assay_file_{digest}_{stem}"
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name)
    module.__file__ = path
    sys.modules[name] = module
    try:
        exec(compile(code, path, "exec", dont_inherit=True), vars(module))  # noqa: S102  # the user named it
    except Exception as error:
        del sys.modules[name]
        if isinstance(error, ModuleNotFoundError):
            message = f"{path}{_line(path, error)}: it needs the module '{error.name}', which is not installed"
            raise MissingExtraError(
                message, hint=f"install the package that has it, often: pip install {error.name}"
            ) from error
        raise PluginError(f"{path}{_line(path, error)}: {type(error).__name__}: {error}") from error
    return module


def _line(path: str, error: Exception) -> str:
    """The line of the file that an error comes from."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    return "" if line is None else f", line {line}"
