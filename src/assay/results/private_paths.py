"""Results without private paths, for what is passed on: pages, tables of papers, JSON and other files.

A path below the working folder becomes relative to it, one below the home folder begins with `~`, and of any other
absolute path only the last two parts stay, after `…/`. So a command can be repeated from the same folder, or shows what
to fill in. Texts are never changed.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from assay.results.contrasts import Examples, NgramDifferences, WordGroups
from assay.types import Column, FrozenDict, LazyDict, Statistics, TestSet

__all__ = ["command_without_private_paths", "quoted", "text_without_private_paths", "without_private_paths"]

_T = TypeVar("_T")
_KEPT = 2
_UNCHANGED = (Column, TestSet, Examples, NgramDifferences, WordGroups, Statistics, LazyDict)
"""What holds texts, or quotes them, and what holds numbers only, which may not have been computed yet."""

_PART = r"""[^\s/:,;=<>()'"]+"""
_PART_WITH_SPACES = r"""[^\n/:,;=<>()'"]+"""
_BEFORE = r"""(?:^|(?<=[\s=,:('"@]))"""
_PATHS = re.compile(rf"{_BEFORE}(?:/{_PART})+/?")
_PATHS_IN_WORDS = re.compile(rf"(?:{_BEFORE}|(?<=^-o))(?:/{_PART_WITH_SPACES})+/?")
_OPTION_AT_HOME = re.compile(r"^(--[\w-]+)=(?=~/)")
_PLAIN_BEGINNING = re.compile(r"[\w=-]*…/|(?:\w+=)?~/")


def without_private_paths(result: _T) -> _T:
    """A result, with the paths in its notes, settings, names and other descriptions shortened."""
    return _shortened(result)  # type: ignore[no-any-return]


def text_without_private_paths(text: str) -> str:
    """A sentence, a name or a path, with all paths in it shortened."""
    return _PATHS.sub(lambda match: _short(match[0]), text) if "/" in text else text


def command_without_private_paths(command: str) -> str:
    """A command line, with all paths in it shortened."""
    try:
        words = shlex.split(command)
    except ValueError:  # not a command of ours
        return text_without_private_paths(command)
    shortened = (_PATHS_IN_WORDS.sub(lambda match: _short(match[0]), word) for word in words)
    return " ".join(quoted(part) for word in shortened for part in _parted(word))


def quoted(word: str) -> str:
    """A word of a command for the shell, without quotation marks around `~/`, which it expands, and `…/`."""
    match = _PLAIN_BEGINNING.match(word)
    beginning, rest = ("", word) if match is None else (match[0], word[match.end() :])
    return beginning + (shlex.quote(rest) if rest or not beginning else "")


def _parted(word: str) -> tuple[str, ...]:
    """`--ref` and `~/x` of `--ref=~/x`, in which shells do not expand the `~`."""
    match = _OPTION_AT_HOME.match(word)
    return (word,) if match is None else (match[1], word[match.end() :])


def _short(path: str) -> str:
    """An absolute path as it is passed on."""
    normal = os.path.normpath(path)
    for folder, shown in _known_folders().items():
        if normal == folder:
            return shown
        if normal.startswith(f"{folder}/"):
            rest = normal.removeprefix(f"{folder}/")
            return _relative(rest) if shown == "." else f"{shown}/{rest}"
    parts = normal.split("/")[1:]
    return "/".join(("…", *parts[-_KEPT:])) if len(parts) > 1 else path


def _relative(path: str) -> str:
    """A path in the working folder. Metrics are named by files with a path that begins with `./`."""
    return f"./{path}" if path.endswith(".py") else path


def _known_folders() -> dict[str, str]:
    """What the folders of the person are called; the working folder counts first."""
    folders = {os.path.expanduser("~"): "~"}
    with suppress(OSError):  # the working folder was deleted
        folders = {str(Path.cwd()): "."} | folders
    return {folder: shown for folder, shown in folders.items() if folder not in ("/", "~")}


def _shortened(value: Any) -> Any:
    """A value with the paths in its strings shortened; the same object if it has none."""
    if isinstance(value, str):
        return text_without_private_paths(value) if type(value) is str else value
    if isinstance(value, _UNCHANGED):
        return value
    if isinstance(value, Mapping):
        items = [(key, _shortened(key), each, _shortened(each)) for key, each in value.items()]
        if all(key is new_key and each is new for key, new_key, each, new in items):
            return value
        return FrozenDict({new_key: new for _, new_key, _, new in items})
    if type(value) is tuple:
        changed = tuple(map(_shortened, value))
        return value if all(old is new for old, new in zip(value, changed, strict=True)) else changed
    return _shortened_fields(value) if is_dataclass(value) else value


def _shortened_fields(value: Any) -> Any:
    given = {name: getattr(value, name) for name in _fields(type(value))}
    changed = {name: new for name, old in given.items() if (new := _shortened(old)) is not old}
    return replace(value, **changed) if changed else value


def _fields(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls) if field.init)
