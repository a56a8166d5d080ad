"""The options of a ranking, and which of them have an effect on given judgements."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Literal, TypedDict

from assay.aggregate.resample import CONFIDENCE, RESAMPLES, SEED, Confidence, Seed, resamples_option
from assay.errors import ConfigError, option_name
from assay.human.domains import OverDomains
from assay.human.methods import Method
from assay.human.methods import method as method_registry
from assay.human.mqm import STORED, WEIGHTS, has_only_errors
from assay.human.presets import PRESET_LIST, PRESETS, Preset, find_preset
from assay.human.scoring import DEVIATIONS, Deviation
from assay.human.selection import Judged
from assay.measurement.units import Unit, test_of_segments
from assay.options.checks import no_effect
from assay.options.option import HUMAN, TESTS, Option, choice_of
from assay.options.parameters import check_fields
from assay.options.shared import Alpha, ByDomain
from assay.registry import option_text
from assay.results.outcome import RankingAlternative
from assay.significance import ALPHA, SampleTest, Test, option_of_test
from assay.significance import test as test_registry
from assay.significance.corrections import Correction
from assay.types import Rankings, Ratings

__all__ = [
    "MEAN",
    "DomainAverage",
    "MethodChoice",
    "PresetChoice",
    "Quality",
    "RankingChoices",
    "RankingOptions",
    "Standardise",
    "TestChoice",
    "Weights",
    "check_effect",
]

MEAN = "mean"
_RANKING_METHOD = "expected-wins"
_ALWAYS_DRAWS = "trueskill"  # the only method that is random without resamples
_RANDOMISED = (
    "MQM",
    "ESA",
    "ESA-z",
)  # protocols whose scores are compared by randomisation; others by rank sums, as WMT does


_APPLIES_TO = {
    "weights": f"{option_name('weights')} applies to marked errors (MQM, ESA)",
    "standardise": f"{option_name('standardise')} applies to scores of individual raters, "
    "not to errors or stored scores",
    "quality": f"{option_name('quality')} applies to the ratings of individual raters",
    "threshold": f"{option_name('threshold')} applies to scores that a method for rankings compares",
    "test": "a test compares means of scores; methods for rankings resample the judgements",
    "over_domains": f"{option_name('over_domains')} applies to means of scores",
    "by_domain": f"{option_name('by_domain')} applies to means of scores",
    "unit": f"{option_name('unit')} applies to means of scores",
    "preset": "presets apply to means of scores",
    "alternative": "the p-values of methods for rankings are of resamples",
    "seed": "without resamples and with this test, nothing is random",
    "confidence": "without resamples, there are no intervals",
    "alpha": "without resamples, rankings have no p-values",
    "correction": "without resamples, rankings have no p-values",
}


def _check_quality(name: str, value: float) -> None:
    if not 0 < value <= 1:
        raise ConfigError(f"{name} must be above 0 and at most 1, not {value!r}")


def _check_threshold(name: str, value: float) -> None:
    if not 0 <= value < math.inf:
        raise ConfigError(f"{name} must be a number from 0, not {value!r}")


PresetChoice = Annotated[
    str | None,
    Option(
        f"Score and test as a campaign did: {PRESET_LIST}.",
        group=HUMAN,
        choices=tuple(PRESETS),
        metavar="NAME",
        default="none",
    ),
]
MethodChoice = Annotated[
    str | None,
    Option(
        "How to score systems: mean (of scores); for rankings expected-wins, wins:ties=share or trueskill.",
        group=HUMAN,
        check=lambda _, spec: method_registry.check(spec, (MEAN,)),
        metavar="SPEC",
        default="mean; for rankings expected-wins",
    ),
]
TestChoice = Annotated[
    str | None, option_of_test("Test of the human scores.", default="rank-sum; for MQM and ESA randomisation")
]
Standardise = Annotated[
    Deviation | Literal["none"],
    Option(
        "Convert the scores of each rater to z-scores, by the standard deviation of the sample or the population.",
        group=HUMAN,
        choices=("none", *DEVIATIONS),
    ),
]
Weights = Annotated[
    str | Path | Mapping[str, float] | None,
    Option(
        f"Weights of marked errors: {choice_of((*WEIGHTS, STORED, 'a TOML file'))}. With them, ESA is scored by its "
        "errors, not by the scores that raters gave.",
        group=HUMAN,
        metavar="NAME|FILE",
        takes_file=True,
        default="of MQM stored if every error has a penalty, else google2020; of ESA none",
    ),
]
Quality = Annotated[
    float | None,
    Option(
        "Drop raters who do not score damaged items lower than ordinary ones: those with a p-value of at least this.",
        group=HUMAN,
        check=_check_quality,
        metavar="P",
    ),
]
DomainAverage = Annotated[
    OverDomains | None,
    Option("Score of a system: the mean of all its segments, or of its domain means.", group=HUMAN, default="pooled"),
]


class RankingChoices(TypedDict, total=False):
    """The options of `RankingOptions`, all of which may be left out."""

    preset: str | None
    method: str | None
    test: str | None
    alternative: RankingAlternative | None
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
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingOptions:
    """How to rank. `assay.rank` describes the options."""

    preset: PresetChoice = None
    method: MethodChoice = None
    standardise: Standardise = "none"
    weights: Weights = None
    threshold: Annotated[
        float | None,
        Option(
            "Smallest score difference that counts as a preference, for methods that compare outputs.",
            group=HUMAN,
            check=_check_threshold,
            default="25; only for DA from 0 to 100",
        ),
    ] = None
    quality: Quality = None
    over_domains: DomainAverage = None
    by_domain: ByDomain = False
    test: TestChoice = None
    alternative: Annotated[
        RankingAlternative | None,
        Option(
            "What p is evidence for: better (the row is better than the column) or two-sided (they differ).",
            group=TESTS,
            metavar="NAME",
            default="better; with wmt24 and wmt25 two-sided",
        ),
    ] = None
    unit: Unit = "segment"
    alpha: Alpha = ALPHA
    correction: Correction = "none"
    resamples: Annotated[int, resamples_option("Number of resamples of the judgements, and of a test that draws.")] = (
        RESAMPLES
    )
    seed: Seed = SEED
    confidence: Confidence = CONFIDENCE

    def __post_init__(self) -> None:
        check_fields(self)
        if self.by_document:
            self._check_documents()

    def _check_documents(self) -> None:
        """Raise if the scores or their test are not of documents, naming the option or the preset that says so."""
        faults = {
            "over_domains": "averages the means of domains" if self.averages_domains else None,
            "alternative": "tests both sides" if self.tested_alternative != "better" else None,
        }
        for name, fault in faults.items():
            if fault is not None:
                own = getattr(self, name)
                cause = option_name("preset", self.preset) if own is None else option_name(name, own)
                rule = "documents as units are for means of all segments, tested on one side"
                raise ConfigError(f"{rule}, but {cause} {fault}", hint=f"leave out {cause}")
        spec = self.test or self.chosen_preset.test
        if spec is not None and isinstance(test_registry.create(spec), SampleTest):
            raise test_of_segments(spec)

    @property
    def by_document(self) -> bool:
        """Whether documents are drawn and swapped, not segments."""
        return self.unit == "document"

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
    def tested_alternative(self) -> RankingAlternative:
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
        is_randomised = protocol in _RANDOMISED or self.by_document
        spec = self.test or self.chosen_preset.test or ("randomisation" if is_randomised else "rank-sum")
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
        else {"test", "alternative", "over_domains", "by_domain", "preset", "unit"}
    )
    if isinstance(judgements, Rankings):
        idle |= {"threshold"}
    if not isinstance(judgements, Ratings):
        idle |= {"weights", "standardise", "quality"}
    else:
        scored_by_errors = has_only_errors(judgements) or (options.weights is not None and bool(judgements.errors))
        idle |= {"standardise"} if scored_by_errors else {"weights"}
    if not options.draws(judgements):
        idle |= {"seed"}
    if not options.resamples:
        idle |= {"confidence"}
        if not options.uses_mean(judgements):
            idle |= {"alpha", "correction"}
    return idle
