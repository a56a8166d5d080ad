"""Presets: how a campaign ranked its systems, under one name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from assay.errors import UnknownNameError, nearest
from assay.human.domains import OverDomains
from assay.options.option import choice_of
from assay.results.outcome import RankingAlternative

__all__ = ["PRESETS", "PRESET_LIST", "Preset", "RankRanges", "find_preset"]

RankRanges = Literal["resamples", "wins", "neighbours"]
"""Where rank ranges come from: resamples of the judgements, the number of systems that are significantly better and
worse, or the nearest ones of those."""

Clusters = Literal["tests", "differences", "ranges"]
"""What clusters follow from: the tests of all pairs of systems, where the higher-ranked one must be better; the tests,
whichever system they favour; or the rank ranges."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Choices in place of the defaults; an option that is given goes before them."""

    name: str | None = None
    about: str = ""
    """What help pages say of it."""
    test: str | None = None
    over_domains: OverDomains = "pooled"
    weights: str = "google2020"
    """Of MQM errors without stored penalties."""
    alternative: RankingAlternative = "better"
    """Of the p-values. WMT24 tested on both sides, but first published rank ranges of one-sided tests."""
    only_last: bool = False
    """Drop filler documents, and all but a rater's last score of an output in a wave."""
    counts_ratings: bool = False
    """Average all ratings and test on them, so that an output with two ratings counts twice."""
    rank_ranges: RankRanges = "resamples"
    clusters: Clusters = "tests"
    consistency: float | None = None
    """The least agreement with the others on differences side by side, of raters who count."""


PRESETS: Mapping[str, Preset] = {
    # The scripts of wmt24-news-systems. SciPy's signed-rank test has no correction for continuity.
    "wmt24": Preset(
        name="wmt24",
        about="ESA, by domain",
        test="signed-rank:continuity=no",
        over_domains="mean",
        weights="wmt24",
        alternative="two-sided",
        only_last=True,
        counts_ratings=True,
        rank_ranges="wins",
        clusters="differences",
    ),
    # The scripts of wmt25-general-mt. Its one-sided tests at half the level are two-sided tests.
    "wmt25": Preset(
        name="wmt25",
        test="signed-rank:continuity=no",
        alternative="two-sided",
        counts_ratings=True,
        rank_ranges="neighbours",
        clusters="ranges",
    ),
    # The scripts of wmt26-general-mt. A pair differs if either of two one-sided tests says so.
    "wmt26": Preset(
        name="wmt26", about="side by side", test="bootstrap-either", rank_ranges="neighbours", consistency=0.75
    ),
}


PRESET_LIST = choice_of(f"{name} ({preset.about})" if preset.about else name for name, preset in PRESETS.items())
"""All of them, for help pages."""


def find_preset(name: str | None) -> Preset:
    """The preset of this name; None: our own defaults."""
    if name is None:
        return Preset()
    if name not in PRESETS:
        raise UnknownNameError(f"there is no preset '{name}'", hint=nearest(name, PRESETS))
    return PRESETS[name]
