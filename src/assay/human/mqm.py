"""MQM scores from marked errors, by their weights or by the penalties that are stored with them."""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from pathlib import Path

from assay.errors import ConfigError, InputError, UnknownNameError, most_similar, nearest, printable, shortened
from assay.lazily import numpy as np
from assay.types import ErrorSpan, Note, NoteKind, Ratings
from assay.types.error_weights import DEFAULT_WEIGHTS, GOOGLE_WEIGHTS, WEIGHTS, matching_keys
from assay.types.note import listed
from assay.types.severity import SEVERITIES

__all__ = [
    "DEFAULT_WEIGHTS",
    "GOOGLE_WEIGHTS",
    "STORED",
    "WEIGHTS",
    "Weights",
    "find_weights",
    "has_only_errors",
    "mqm_ratings",
    "unused_weights",
    "weight_of",
]

STORED = "stored"
_SHOWN_KEYS = 5


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights with the name that stands in signatures; no table: the penalties stored with the errors."""

    name: str
    table: Mapping[str, float] | None
    is_own: bool = False
    """Whether the user wrote them, so that a key may be misspelt."""


def has_only_errors(ratings: Ratings) -> bool:
    """Whether the raters marked errors but gave no scores (MQM)."""
    return bool(ratings.errors) and bool(np.isnan(ratings.score).all())


def find_weights(
    weights: str | Path | Mapping[str, float] | None, ratings: Ratings, default: str = DEFAULT_WEIGHTS
) -> Weights:
    """Weights by name (`google2020`, `wmt22`, …, `stored`), from a TOML file, or from a mapping.

    None: the stored penalties if every error of the ratings has one, else the weights called `default`.
    """
    if weights is None:
        scores = [error.score is not None for errors in ratings.errors for error in errors or ()]
        weights = STORED if scores and all(scores) else default
    if isinstance(weights, Mapping):
        table = _checked(weights)
        return Weights(_digest(table), table, is_own=True)
    if weights == STORED:
        return Weights(STORED, None)
    if weights in WEIGHTS:
        return Weights(str(weights), WEIGHTS[str(weights)])
    if isinstance(weights, str) and not weights.endswith(".toml") and not Path(weights).exists():
        names = (*WEIGHTS, STORED)
        hint = nearest(weights, names) or f"use {', '.join(names)}, or a TOML file"
        raise UnknownNameError(f"there are no weights called '{weights}'", hint=hint)
    table = read_weights(weights)
    return Weights(_digest(table), table, is_own=True)


def mqm_ratings(ratings: Ratings, weights: Weights) -> Ratings:
    """The ratings, scored by minus the sum of the weights of their errors: 0 is perfect, higher is better.

    An error without a weight raises `ConfigError`, because it would otherwise silently count as no error.
    """
    if not ratings.errors:
        raise InputError(f"the ratings '{ratings.name}' have no marked errors", path=ratings.origin or None)
    penalties: dict[tuple[str, str], float] = {}

    def penalty(error: ErrorSpan) -> float:
        if weights.table is None:
            if error.score is None:
                raise ConfigError(f"an error of '{ratings.name}' has no stored penalty", hint="choose other weights")
            return error.score
        key = error.severity, error.category
        if key not in penalties:
            penalties[key] = weight_of(error, weights.table, where=_where(ratings, weights))
        return penalties[key]

    sums = np.array([-sum(map(penalty, errors)) for errors in ratings.marks], dtype=np.float64)
    return replace(ratings, score=sums + 0.0, higher_is_better=True, protocol="MQM")  # + 0.0 turns -0.0 into 0.0


def _where(ratings: Ratings, weights: Weights) -> str:
    """Whose errors are weighted by what."""
    path = f"{printable(shortened(ratings.origin))}: " if ratings.origin else ""
    return f"{path}'{printable(ratings.name)}' by {weights.name}: "


def weight_of(error: ErrorSpan, weights: Mapping[str, float], *, where: str = "") -> float:
    """The weight of the longest matching key: severity, then the levels of the category."""
    for key in matching_keys(error):
        if key in weights:
            return weights[key]
    severity = error.severity.lower()
    of = f"of the severity '{printable(severity)}'" if severity else "without a severity"
    message = f"{where}there is no weight for errors {of} (here of the category '{printable(error.category)}')"
    raise ConfigError(message, hint=_weighting(severity, weights))


def _weighting(severity: str, weights: Mapping[str, float]) -> str:
    """How to give a severity a weight: no known one is a misspelling of another."""
    advice = f'write the weights of all severities into a TOML file, with a line "{severity}" = NUMBER'
    if having := [name for name, table in WEIGHTS.items() if severity in table]:
        return f"choose weights that have it ({', '.join(having)}), or {advice}"
    similar = None if severity in SEVERITIES else most_similar(severity, (key for key in weights if "/" not in key))
    return advice if similar is None else f"did you mean '{similar}'? If not, {advice}"


def unused_weights(ratings: Ratings, weights: Weights) -> Iterator[Note]:
    """A note on keys of the user's own weights that match no error: they may be misspelt. Not on known severities."""
    if not weights.is_own:
        return
    kinds = {(error.severity, error.category): error for errors in ratings.marks for error in errors}
    matching = {key: None for error in kinds.values() for key in matching_keys(error)}
    unused = [key for key in weights.table or () if key not in matching and key not in SEVERITIES]
    if unused:
        shown = listed((f"'{key}'{_suggestion(key, matching)}" for key in unused), _SHOWN_KEYS)
        yield Note(NoteKind.SUSPECT, f"weights that match no error: {shown}", count=len(unused))


def _suggestion(key: str, known: Iterable[str]) -> str:
    similar = most_similar(key, known)
    return "" if similar is None else f" (did you mean '{similar}'?)"


def read_weights(path: str | Path) -> dict[str, float]:
    """Read weights from a TOML file: `major = 5`, `"minor/fluency/punctuation" = 0.1`."""
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError((error.strerror or str(error)).lower(), path=str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not TOML: {error}", path=str(path)) from error
    return _checked(table, path=str(path))


def _checked(weights: Mapping[str, object], path: str | None = None) -> dict[str, float]:
    """The weights with keys in lower case."""
    table: dict[str, float] = {}
    for key, value in weights.items():
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) < math.inf:
            raise InputError(f"the weight of '{key}' must be a non-negative number", path=path)
        table[str(key).lower()] = float(value)
    if not table:
        raise InputError("the file has no weights" if path else "there are no weights", path=path)
    if len(table) < len(weights):
        raise InputError("two weights differ only in case, which is ignored", path=path)
    return table


def _digest(weights: Mapping[str, float]) -> str:
    """A name for weights that have none; it depends on the weights alone, not on their order."""
    lines = "".join(f"{key}={value!r}\n" for key, value in sorted(weights.items()))
    return f"sha256-{hashlib.sha256(lines.encode()).hexdigest()[:12]}"
