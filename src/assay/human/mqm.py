"""MQM scores from marked errors, by their weights or by the penalties that are stored with them.

The key of a weight is `severity`, `severity/category` or `severity/category/subcategory`; the severity `*` stands for
any. An error has the weight of the longest key that matches it, ignoring case (Freitag et al. 2021); at the same
length, a key that names the severity goes first.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from assay.errors import ConfigError, InputError, UnknownNameError, nearest
from assay.types import ErrorSpan, Ratings

__all__ = [
    "DEFAULT_WEIGHTS",
    "GOOGLE_WEIGHTS",
    "STORED",
    "WEIGHTS",
    "Weights",
    "find_weights",
    "has_only_errors",
    "mqm_ratings",
    "weight_of",
]

STORED = "stored"
DEFAULT_WEIGHTS = "google2020"

GOOGLE_WEIGHTS: Mapping[str, float] = {
    "major": 5.0,
    "minor": 1.0,
    "neutral": 0.0,
    "no-error": 0.0,
    "major/non-translation": 25.0,
    "major/non-translation!": 25.0,  # as Google's files spell it
    "minor/fluency/punctuation": 0.1,
}
_WMT22: Mapping[str, float] = {**GOOGLE_WEIGHTS, "*/source issue": 0.0, "*/source error": 0.0}
_WMT23: Mapping[str, float] = {
    **_WMT22,
    "critical": 5.0,
    **{f"{severity}/non-translation{mark}": 25.0 for severity in ("critical", "minor") for mark in ("", "!")},
    "*/creative reinterpretation": 0.0,
    "*/accuracy/creative reinterpretation": 0.0,
}

WEIGHTS: Mapping[str, Mapping[str, float]] = {
    # Freitag et al. 2021, and the converter score_mqm.py of mt-metrics-eval. An error in the source counts like any
    # other: so it does in the scores of WMT21's TED talks. (The files of newstest2020 leave such errors out.)
    DEFAULT_WEIGHTS: GOOGLE_WEIGHTS,
    # WMT22: errors of the source became a category of their own, which is not the fault of the translation.
    "wmt22": _WMT22,
    # The penalties stored in the .seg.rating files of WMT23: creative reinterpretation counts 0 too.
    "wmt23": _WMT23,
    # The scripts of wmt24-news-systems weigh as WMT23 does; a critical error is a major one.
    "wmt24": _WMT23,
}
"""Weights by name."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights with the name that stands in signatures; no table: the penalties stored with the errors."""

    name: str
    table: Mapping[str, float] | None


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
        scores = [error.score is not None for errors in ratings.errors for error in errors]
        weights = STORED if scores and all(scores) else default
    if isinstance(weights, Mapping):
        table = _lowercase(weights)
        return Weights(_digest(table), table)
    if weights == STORED:
        return Weights(STORED, None)
    if weights in WEIGHTS:
        return Weights(str(weights), WEIGHTS[str(weights)])
    if isinstance(weights, str) and not weights.endswith(".toml") and not Path(weights).exists():
        names = (*WEIGHTS, STORED)
        hint = nearest(weights, names) or f"use {', '.join(names)}, or a TOML file"
        raise UnknownNameError(f"there are no weights called '{weights}'", hint=hint)
    table = read_weights(weights)
    return Weights(_digest(table), table)


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
            penalties[key] = weight_of(error, weights.table)
        return penalties[key]

    sums = np.array([-sum(map(penalty, errors)) for errors in ratings.errors], dtype=np.float64)
    return replace(ratings, score=sums + 0.0, higher_is_better=True, protocol="MQM")  # + 0.0 turns -0.0 into 0.0


def weight_of(error: ErrorSpan, weights: Mapping[str, float]) -> float:
    """The weight of the longest matching key: severity, then the levels of the category."""
    severity, levels = error.severity.lower(), error.category.lower().split("/")
    for length in range(len(levels), -1, -1):
        for key in ("/".join([severity, *levels[:length]]), "/".join(["*", *levels[:length]])):
            if key in weights:
                return weights[key]
    raise ConfigError(
        f"there is no weight for errors of the severity '{severity}' (here of the category '{error.category}')",
        hint=f'choose other weights, or give a TOML file with a line "{severity}" = NUMBER: --weights FILE',
    )


def read_weights(path: str | Path) -> dict[str, float]:
    """Read weights from a TOML file: `major = 5`, `"minor/fluency/punctuation" = 0.1`."""
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError((error.strerror or str(error)).lower(), path=str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"not TOML: {error}", path=str(path)) from error
    for key, value in table.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
            raise InputError(f"the weight of '{key}' must be a non-negative number", path=str(path))
    if not table:
        raise InputError("the file has no weights", path=str(path))
    weights = _lowercase(table)
    if len(weights) < len(table):
        raise InputError("two weights differ only in case, which is ignored", path=str(path))
    return weights


def _lowercase(weights: Mapping[str, float]) -> dict[str, float]:
    return {key.lower(): float(value) for key, value in weights.items()}


def _digest(weights: Mapping[str, float]) -> str:
    """A name for weights that have none; it depends on the weights alone, not on their order."""
    lines = "".join(f"{key}={value!r}\n" for key, value in sorted(weights.items()))
    return f"sha256-{hashlib.sha256(lines.encode()).hexdigest()[:12]}"
