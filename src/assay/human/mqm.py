"""MQM scores from marked errors and their weights.

The key of a weight is `severity`, `severity/category` or `severity/category/subcategory`. An error has the weight of
the longest key that matches it, ignoring case (Freitag et al. 2021).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from assay.errors import ConfigError, InputError
from assay.human.scoring import segment_scores
from assay.types import ErrorSpan, Ratings, ScoreTable

__all__ = ["GOOGLE_WEIGHTS", "mqm_scores", "read_weights", "weight_of"]

GOOGLE_WEIGHTS: Mapping[str, float] = {
    "major": 5.0,
    "minor": 1.0,
    "neutral": 0.0,
    "no-error": 0.0,
    "major/non-translation": 25.0,
    "major/non-translation!": 25.0,  # as Google's files spell it
    "minor/fluency/punctuation": 0.1,
}


def mqm_scores(
    ratings: Ratings,
    *,
    weights: Mapping[str, float] = GOOGLE_WEIGHTS,
    segments: int | None = None,
    systems: tuple[str, ...] = (),
) -> ScoreTable:
    """Minus the sum of the weights of a rater's errors, averaged over raters: 0 is perfect, higher is better.

    An error without a weight raises `ConfigError`, because it would otherwise silently count as no error.
    """
    if not ratings.errors:
        raise InputError(f"the ratings '{ratings.name}' have no marked errors", path=ratings.origin or None)
    lowercase = {key.lower(): float(value) for key, value in weights.items()}
    sums = np.array([-sum(weight_of(error, lowercase) for error in errors) for errors in ratings.errors])
    scored = replace(ratings, score=sums + 0.0, higher_is_better=True, protocol="MQM")  # + 0.0 turns -0.0 into 0.0
    return segment_scores(scored, segments=segments, systems=systems)


def weight_of(error: ErrorSpan, weights: Mapping[str, float]) -> float:
    """The weight of the longest matching key: severity, then the levels of the category."""
    levels = [error.severity.lower(), *error.category.lower().split("/")]
    for length in range(len(levels), 0, -1):
        key = "/".join(levels[:length])
        if key in weights:
            return weights[key]
    raise ConfigError(f"no weight for '{'/'.join(levels)}'", hint="add it to the weights")


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
    weights = {key.lower(): float(value) for key, value in table.items()}
    if len(weights) < len(table):
        raise InputError("two weights differ only in case, which is ignored", path=str(path))
    return weights
