"""Read task files: the shipped ones by name, others by path. docs/guide/metrics-task.md describes the keys."""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.aggregate.resample import MAX_RESAMPLES
from assay.agreement import statistic as statistic_registry
from assay.errors import ConfigError, DecodeError, InputError, UnknownNameError, nearest
from assay.human.methods import method as method_registry
from assay.metaeval.alignment import GROUPINGS
from assay.metaeval.gold import VIEWS
from assay.metaeval.grouped_statistic import AVERAGES
from assay.metaeval.intervals import interval_method
from assay.metaeval.scores_by_level import LEVELS
from assay.metaeval.tasks.definition import (
    ATTRIBUTES,
    COMBINE,
    INCOMPLETE,
    MAD,
    OVER_PAIRS,
    PAIRS,
    ComponentRule,
    PairSettings,
    TableRule,
    TaskDefinition,
)

__all__ = ["read_task", "shipped_tasks"]

_FOLDER = Path(__file__).parent
_ALL_DOMAINS = "all"


def shipped_tasks() -> tuple[str, ...]:
    """The names of the shipped tasks."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def read_task(task: str | Path) -> TaskDefinition:
    """A shipped task by its name, or a task file by its path."""
    if task in shipped_tasks():
        path = _FOLDER / f"{task}.toml"
    elif isinstance(task, str) and not task.endswith(".toml") and not Path(task).exists():
        raise UnknownNameError(
            f"there is no task called '{task}'", hint=f"use {', '.join(shipped_tasks())} or the path of a TOML file"
        )
    else:
        path = Path(task)
    try:
        data = path.read_bytes()
        content = tomllib.loads(data.decode())
    except OSError as error:
        raise InputError((error.strerror or str(error)).lower(), path=str(path)) from error
    except UnicodeDecodeError as error:
        raise DecodeError(f"not UTF-8 at byte {error.start + 1}", path=str(path)) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not a TOML file: {error}", path=str(path)) from None
    try:
        definition = _task(path.stem, content)
    except ConfigError as error:
        raise InputError(error.message, path=str(path), hint=error.hint) from None
    if path.parent == _FOLDER:
        return definition
    digest = hashlib.blake2b(data, digest_size=4).hexdigest()  # another file may have the same name
    return replace(definition, settings={**definition.settings, "digest": digest})


def _task(name: str, content: Mapping[str, Any]) -> TaskDefinition:
    values = _parsed(content, _TASK, "")
    for key in ("pairs", "components"):
        if not values.get(key):
            raise ConfigError(f"a task needs '{key}'")
    defaults = values.pop("defaults", {})
    pairs = {
        lp: PairSettings(**_parsed({**defaults, **_table(f"pairs.{lp}", settings)}, _PAIR, f"pairs.{lp}."))
        for lp, settings in values.pop("pairs").items()
    }
    rules = tuple(
        ComponentRule(**_parsed(rule, _COMPONENT, f"components[{number}].", required=("statistic",)))
        for number, rule in enumerate(values.pop("components"), 1)
    )
    tables = tuple(
        TableRule(**_parsed(table, _TABLE, f"tables[{number}].", required=("title", "pairs")))
        for number, table in enumerate(values.pop("tables", ()), 1)
    )
    split = values.setdefault("split", ())
    if split and any(rule.weight not in (0, 1) for rule in rules):
        raise ConfigError("components have weights, but 'split' divides the weight", hint="leave one of them out")
    if all(rule.weight == 0 for rule in rules):
        raise ConfigError("no component counts: all weights are 0")
    given = {"title": name, "sources": (), "combine": "score", "incomplete": "drop", **values}
    return TaskDefinition(name=name, pairs=pairs, components=rules, tables=tables, settings={"task": name}, **given)


def _parsed(
    table: Any, parsers: Mapping[str, Callable[[str, Any], Any]], prefix: str, *, required: Iterable[str] = ()
) -> dict[str, Any]:
    """The values of a table. A key that is unknown, or whose value is not what it should be, is an error."""
    checked = _table(prefix.rstrip("."), table)
    for key in checked:
        if key not in parsers:
            raise ConfigError(f"unknown key '{prefix}{key}'", hint=nearest(key, parsers))
    for key in required:
        if key not in checked:
            raise ConfigError(f"'{prefix}{key}' is missing")
    return {key: parsers[key](f"{prefix}{key}", value) for key, value in checked.items()}


def _table(key: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"'{key}' must be a table, not {value!r}")
    return value


def _array(key: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ConfigError(f"'{key}' must be an array of tables: [[{key}]]")
    return value


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ConfigError(f"'{key}' must be a string, not {value!r}")
    return value


def _texts(key: str, value: Any) -> tuple[str, ...]:
    """A list of strings; one string is a list of one."""
    return tuple(_text(key, item) for item in (value if isinstance(value, list) else [value]))


def _one_of(known: Iterable[str]) -> Callable[[str, Any], str]:
    def parse(key: str, value: Any) -> str:
        if _text(key, value) not in known:
            raise ConfigError(f"unknown value '{value}' of '{key}'", hint=nearest(value, known))
        return str(value)

    return parse


def _some_of(known: Iterable[str]) -> Callable[[str, Any], tuple[str, ...]]:
    return lambda key, value: tuple(_one_of(known)(key, item) for item in _texts(key, value))


def _statistics(key: str, value: Any) -> tuple[str, ...]:
    return tuple(statistic_registry.spec(statistic_registry.create(spec)) for spec in _texts(key, value))


def _domains(key: str, value: Any) -> tuple[str | None, ...]:
    return tuple(None if name == _ALL_DOMAINS else name for name in _texts(key, value))


def _outliers(key: str, value: Any) -> tuple[str, ...] | str:
    return MAD if value == MAD else _texts(key, value)


def _flags(key: str, value: Any) -> tuple[bool, ...]:
    flags = tuple(value) if isinstance(value, list) else (value,)
    if not all(isinstance(flag, bool) for flag in flags):
        raise ConfigError(f"'{key}' must be true, false or both, not {value!r}")
    return flags


def _weight(key: str, value: Any) -> float | str:
    if value == PAIRS:
        return PAIRS
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < math.inf:
        raise ConfigError(f"'{key}' must be a number from 0, or \"{PAIRS}\", not {value!r}")
    return float(value)


def _method(key: str, value: Any) -> str:
    return method_registry.spec(method_registry.create(_text(key, value)))


def _interval_method(key: str, value: Any) -> str:
    return interval_method.spec(interval_method.create(_text(key, value)))


def _resamples(key: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_RESAMPLES:
        raise ConfigError(f"'{key}' must be an integer from 0 to {MAX_RESAMPLES:,}, not {value!r}")
    return value


_PAIR: Mapping[str, Callable[[str, Any], Any]] = {
    "gold": _text,
    "reference": _texts,
    "human_outputs": _texts,
    "outliers": _outliers,
    "exclude": _texts,
    "method": _method,
}
_COMPONENT: Mapping[str, Callable[[str, Any], Any]] = {
    "statistic": _statistics,
    "level": _some_of(LEVELS),
    "grouping": _some_of(GROUPINGS),
    "average": _one_of(AVERAGES),
    "domain": _domains,
    "human_outputs": _flags,
    "view": _some_of(VIEWS),
    "over_pairs": _one_of(OVER_PAIRS),
    "weight": _weight,
}
_TABLE: Mapping[str, Callable[[str, Any], Any]] = {"title": _text, "pairs": _texts}
_TASK: Mapping[str, Callable[[str, Any], Any]] = {
    "title": _text,
    "sources": _texts,
    "unpublished": _text,
    "combine": _one_of(COMBINE),
    "incomplete": _one_of(INCOMPLETE),
    "split": _some_of(ATTRIBUTES),
    "metrics": _texts,
    "resamples": _resamples,
    "ci": _interval_method,
    "defaults": _table,
    "pairs": _table,
    "components": _array,
    "tables": _array,
}
