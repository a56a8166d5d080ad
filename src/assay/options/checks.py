"""Checks of options: integers within bounds, shares between 0 and 1, names to choose from, and idle options."""

from __future__ import annotations

import math
from collections.abc import Collection
from numbers import Real

from assay.errors import ConfigError, nearest, option_name

__all__ = ["check_choice", "check_count", "check_integer", "check_positive", "check_share", "no_effect"]


def check_integer(name: str, value: object, low: int, high: int) -> None:
    """Raise unless an option is an integer within bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ConfigError(f"{option_name(name)} must be an integer between {low:,} and {high:,}, not {value}")


def check_count(name: str, value: int) -> None:
    """Raise if a number of things is negative."""
    if value < 0:
        raise ConfigError(f"{option_name(name)} must not be negative, not {value}")


def check_positive(name: str, value: float) -> None:
    """Raise unless an option is a finite number above 0."""
    if not 0 < value < math.inf:
        raise ConfigError(f"{option_name(name)} must be a positive number, not {value:g}")


def check_share(name: str, value: object) -> None:
    """Raise unless an option is a number between 0 and 1, without both."""
    if not isinstance(value, Real) or isinstance(value, bool) or not 0 < float(value) < 1:
        raise ConfigError(f"{option_name(name)} must be between 0 and 1, not {value!r}")


def check_choice(name: str, value: object, known: Collection[str]) -> None:
    """Raise unless an option has one of the known values."""
    if value == "" not in known:
        raise ConfigError(f"no {name} was given", hint=f"available: {', '.join(sorted(known))}")
    if value not in known:
        raise ConfigError(f"unknown {name} '{value}'", hint=nearest(str(value), known))


def no_effect(name: str, reason: str, where: str = "") -> ConfigError:
    """The error for an option that changes nothing here, although the user expects an effect."""
    place = f" on '{where}'" if where else ""
    return ConfigError(f"{option_name(name)} has no effect{place}", hint=reason)
