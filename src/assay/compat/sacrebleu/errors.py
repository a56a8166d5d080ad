"""Assay's errors that are also of the type that sacreBLEU raises, so that code that catches either keeps working."""

from __future__ import annotations

from assay.errors import AlignmentError, ConfigError, EmptyInputError, InputError

__all__ = [
    "ArgumentTypeError",
    "ArgumentValueError",
    "NoReferencesError",
    "NoScoreError",
    "NoSegmentsError",
    "NoSystemsError",
    "StatisticsError",
    "TextError",
    "UnknownChoiceError",
]


class ArgumentTypeError(ConfigError, TypeError):
    """An option of a metric that has the wrong type."""


class ArgumentValueError(ConfigError, ValueError):
    """An option of a metric that is out of range."""


class TextError(InputError, TypeError):
    """A hypothesis or reference that is not text, or a segment without any reference."""


class NoReferencesError(ConfigError, RuntimeError, IndexError):
    """References were given neither here nor to the constructor."""


class NoSegmentsError(EmptyInputError, IndexError):
    """An empty list of hypotheses."""


class NoSystemsError(InputError, IndexError):
    """A paired test without systems."""


class NoScoreError(ConfigError, ValueError):
    """A signature was asked for before the number of references is known."""


class StatisticsError(AlignmentError, IndexError):
    """Statistics for too many or too few orders."""


class UnknownChoiceError(ConfigError, ValueError, AssertionError):
    """An unknown smoothing method or test."""
