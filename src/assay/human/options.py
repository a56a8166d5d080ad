"""The options of a ranking, and which of them have an effect on given judgements."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from numbers import Real
from pathlib import Path
from typing import Literal, TypedDict

from assay.aggregate.resample import CONFIDENCE, MAX_RESAMPLES, MAX_SEED, RESAMPLES, SEED
from assay.errors import ConfigError, option
from assay.human.domains import OVER_DOMAINS, OverDomains
from assay.human.methods import Method
from assay.human.methods import method as method_registry
from assay.human.mqm import has_only_errors
from assay.human.presets import Preset, find_preset
from assay.human.scoring import DEVIATIONS, Deviation
from assay.human.selection import Judged
from assay.options.checks import check_choice, check_integer, check_share, no_effect
from assay.registry import option_text
from assay.significance import ALPHA, Test
from assay.significance import test as test_registry
from assay.significance.alternative import Alternative
from assay.significance.corrections import CORRECTIONS
from assay.types import Rankings, Ratings

__all__ = ["MEAN", "RankingChoices", "RankingOptions", "check_effect"]

MEAN = "mean"
_RANKING_METHOD = "expected-wins"
_ALWAYS_DRAWS = "trueskill"  # the only method that is random without resamples
_RANDOMISED = (
    "MQM",
    "ESA",
    "ESA-z",
)  # protocols whose scores are compared by randomisation; others by rank sums, as WMT does

_ALTERNATIVES: tuple[Alternative, ...] = ("better", "two-sided")

_APPLIES_TO = {
    "weights": f"{option('weights')} applies to marked errors without scores (MQM)",
    "standardise": f"{option('standardise')} applies to scores of individual raters, not to errors or stored scores",
    "quality": f"{option('quality')} applies to the ratings of individual raters",
    "threshold": f"{option('threshold')} applies to scores that a method for rankings compares",
    "test": "a test compares means of scores; methods for rankings resample the judgements",
    "over_domains": f"{option('over_domains')} applies to means of scores",
    "by_domain": f"{option('by_domain')} applies to means of scores",
    "preset": "presets apply to means of scores",
    "alternative": "the p-values of methods for rankings are of resamples",
    "seed": "without resamples and with this test, nothing is random",
    "confidence": "without resamples, there are no intervals",
    "alpha": "without resamples, rankings have no p-values",
    "correction": "without resamples, rankings have no p-values",
}


_RANGES: Mapping[str, tuple[Callable[[float], bool], str]] = {
    "quality": (lambda value: 0 < value <= 1, "above 0 and at most 1"),
    "threshold": (lambda value: 0 <= value < math.inf, "a number from 0"),
}


class RankingChoices(TypedDict, total=False):
    """The options of `RankingOptions`, all of which may be left out."""

    preset: str | None
    method: str | None
    test: str | None
    alternative: Alternative | None
    alpha: float
    correction: str
    resamples: int
    seed: int
    confidence: float
    standardise: Deviation | Literal["none"]
    weights: str | Path | Mapping[str, float] | None
    threshold: float | None
    quality: float | None
    over_domains: OverDomains | None
    by_domain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingOptions:
    """How to rank. `assay.rank` describes the options."""

    preset: str | None = None
    method: str | None = None
    test: str | None = None
    alternative: Alternative | None = None
    alpha: float = ALPHA
    correction: str = "none"
    resamples: int = RESAMPLES
    seed: int = SEED
    confidence: float = CONFIDENCE
    standardise: Deviation | Literal["none"] = "none"
    weights: str | Path | Mapping[str, float] | None = None
    threshold: float | None = None
    quality: float | None = None
    over_domains: OverDomains | None = None
    by_domain: bool = False

    def __post_init__(self) -> None:
        find_preset(self.preset)
        if self.test is not None:
            test_registry.create(self.test)
        if self.method not in (None, MEAN):
            method_registry.create(self.method)
        check_integer("resamples", self.resamples, 0, MAX_RESAMPLES)
        check_integer("seed", self.seed, 0, MAX_SEED)
        check_share("alpha", self.alpha)
        check_share("confidence", self.confidence)
        check_choice("correction", self.correction, CORRECTIONS)
        check_choice("standardise", self.standardise, ("none", *DEVIATIONS))
        if self.alternative is not None:
            check_choice("alternative", self.alternative, _ALTERNATIVES)
        if self.over_domains is not None:
            check_choice("over_domains", self.over_domains, OVER_DOMAINS)
        for name, value in self.nondefault.items():
            if name in _RANGES:
                is_valid, words = _RANGES[name]
                if not isinstance(value, Real) or isinstance(value, bool) or not is_valid(float(value)):
                    raise ConfigError(f"{name} must be {words}, not {value!r}")

    @property
    def nondefault(self) -> dict[str, object]:
        """The options that differ from their defaults."""
        values = {field.name: (getattr(self, field.name), field.default) for field in fields(self)}
        return {name: value for name, (value, default) in values.items() if value != default}

    @property
    def chosen_preset(self) -> Preset:
        """The preset, or our own defaults."""
        return find_preset(self.preset)

    @property
    def averages_domains(self) -> bool:
        """Whether the score of a system is the mean of its domain means, not of all its segments."""
        return (self.over_domains or self.chosen_preset.over_domains) == "mean"

    @property
    def tested_alternative(self) -> Alternative:
        """What p-values are evidence for."""
        return self.alternative or self.chosen_preset.alternative

    @property
    def has_own_test(self) -> bool:
        """Whether the test was chosen, not left to the judgements."""
        return bool(self.test or self.chosen_preset.test)

    @property
    def needs_domains(self) -> bool:
        """Whether anything depends on the domains of segments."""
        return self.averages_domains or self.by_domain

    def uses_mean(self, judgements: Judged) -> bool:
        """Whether systems are ranked by the mean of their scores: the default for everything but rankings."""
        return self.method == MEAN or (self.method is None and not isinstance(judgements, Rankings))

    @property
    def ranking_method(self) -> Method:
        """How to score systems by rankings."""
        return method_registry.create(self.method or _RANKING_METHOD)

    def test_of(self, protocol: str | None) -> Test:
        """The test of scores of this protocol. If it draws, with our resamples and seed unless its spec sets them."""
        test, names = self._test(protocol)
        return replace(test, **{name: getattr(self, name) for name in names})  # type: ignore[type-var]  # a dataclass

    def _test(self, protocol: str | None) -> tuple[Test, list[str]]:
        """The test as its spec describes it, and the names of the options that it takes from ours.

        Without resamples of the judgements, it keeps its own number of resamples.
        """
        spec = self.test or self.chosen_preset.test or ("randomisation" if protocol in _RANDOMISED else "rank-sum")
        test, own = test_registry.create(spec), test_registry.explicit_options(spec)
        names = ("resamples", "seed") if self.resamples else ("seed",)
        return test, [name for name in names if hasattr(test, name) and name not in own]

    def draws(self, judgements: Judged) -> bool:
        """Whether anything depends on the seed."""
        if self.resamples or (self.method or "").partition(":")[0] == _ALWAYS_DRAWS:
            return True
        return self.uses_mean(judgements) and "seed" in self._test(getattr(judgements, "protocol", None))[1]

    @property
    def settings(self) -> dict[str, str]:
        """What every ranking depends on, as text."""
        names = ("correction", "alpha", "resamples", "seed", "confidence")
        return {name: option_text(getattr(self, name)) for name in names}


def check_effect(judgements: Judged, options: RankingOptions) -> None:
    """Raise if an option was given that has no effect on these judgements."""
    idle = _without_effect(judgements, options) if options.nondefault else set()
    for name in options.nondefault:
        if name in idle:
            raise no_effect(name, _APPLIES_TO[name], judgements.name)


def _without_effect(judgements: Judged, options: RankingOptions) -> set[str]:
    idle = (
        {"threshold"}
        if options.uses_mean(judgements)
        else {"test", "alternative", "over_domains", "by_domain", "preset"}
    )
    if isinstance(judgements, Rankings):
        idle |= {"threshold"}
    if not isinstance(judgements, Ratings):
        idle |= {"weights", "standardise", "quality"}
    else:
        idle |= {"standardise"} if has_only_errors(judgements) else {"weights"}
    if not options.draws(judgements):
        idle |= {"seed"}
    if not options.resamples:
        idle |= {"confidence"}
        if not options.uses_mean(judgements):
            idle |= {"alpha", "correction"}
    return idle
