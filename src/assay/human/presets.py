"""Presets: how a campaign ranked its systems, under one name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.errors import UnknownNameError, nearest
from assay.human.domains import OverDomains
from assay.significance.alternative import Alternative

__all__ = ["PRESETS", "Preset", "find_preset"]


@dataclass(frozen=True, slots=True)
class Preset:
    """Choices in place of the defaults; an option that is given goes before them."""

    name: str | None = None
    test: str | None = None
    over_domains: OverDomains = "pooled"
    weights: str = "google2020"
    """Of MQM errors without stored penalties."""
    alternative: Alternative = "better"
    """Of the p-values."""
    only_last: bool = False
    """Drop filler documents, and all but a rater's last score of an output."""


PRESETS: Mapping[str, Preset] = {
    # The scripts of wmt24-news-systems. SciPy's signed-rank test has no correction for continuity.
    "wmt24": Preset(
        name="wmt24",
        test="signed-rank:continuity=no",
        over_domains="mean",
        weights="wmt24",
        alternative="two-sided",
        only_last=True,
    ),
}


def find_preset(name: str | None) -> Preset:
    """The preset of this name; None: our own defaults."""
    if name is None:
        return Preset()
    if name not in PRESETS:
        raise UnknownNameError(f"there is no preset '{name}'", hint=nearest(name, PRESETS))
    return PRESETS[name]
