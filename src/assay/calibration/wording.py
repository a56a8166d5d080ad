"""An answer of a calibration in sentences: what people say, what this rests on, and why it may not be trusted."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.calibration.populations import LANGUAGE_GROUPS
from assay.results import Caution, Estimate, Explanation, FittedPopulation, Population
from assay.results.calibration import FEW_PAIRS
from assay.types.note import plural

__all__ = ["CAVEAT", "cautions", "claim", "described", "sentences", "share"]

CAVEAT = "a calibration is no substitute for a test, or for asking people"

_MAX_NAMED = 5  # language pairs
_PREFERENCE = {
    "by-metric": "people significantly prefer the better-scored system",
    "absolute": "people significantly prefer either system",
    "by-human": "people significantly prefer the system that they prefer",
}


def sentences(explanation: Explanation) -> Iterator[str]:
    """The answer, what it rests on, and why it may not be trusted."""
    where = ", ".join(filter(None, (explanation.aggregation, explanation.lp)))
    question = f"{explanation.metric} {explanation.difference:g} ({where})"
    if not explanation.is_answered:
        yield f"{question}: {explanation.probability.reason}."
        return
    agrees = explanation.agrees
    at_all = "" if math.isnan(agrees.value) else f", and prefer it at all in {share(agrees)}"
    yield f"{question}: {claim(explanation.orientation, share(explanation.probability))}{at_all}."
    yield _basis(explanation)
    yield from cautions(explanation)


def _basis(explanation: Explanation) -> str:
    """What an answer rests on."""
    step = explanation.step
    if step is None:
        return f"Published cut-offs: {described(explanation)}. {explanation.citation}"
    pairs = f"{plural(step.pairs, 'pair')} of systems that differ by {step.start:.3g} to {step.end:.3g}"
    reason = f" ({explanation.probability.reason})" if explanation.probability.reason else ""
    return f"Seen in {pairs}, of {described(explanation)}{reason}."


def described(explanation: Explanation) -> str:
    """All pairs of systems that a calibration was fitted on, or published cut-offs and their data."""
    population = explanation.population or Population("")
    campaigns = ", ".join(population.campaigns)
    if not isinstance(population, FittedPopulation):
        shown = ", ".join(f"{100 * p:g} % from {difference:g} on" for difference, p in explanation.cutoffs.items())
        return f"{shown} ({campaigns}, {_kind(population)})"
    named = f" ({', '.join(explanation.language_pairs)})" if 0 < len(explanation.language_pairs) <= _MAX_NAMED else ""
    return (
        f"{plural(population.pairs, 'pair')} of systems in {plural(population.language_pairs, 'language pair')} of "
        f"{campaigns}{named}, {_kind(population)}; "
        f"people judged a median of {population.judgements:,.0f} segments per system{_human_test(explanation)}"
    )


def _human_test(explanation: Explanation) -> str:
    """What `significantly` means; not known of every file."""
    settings = explanation.settings
    if not {"test", "alpha"} <= settings.keys():
        return ""
    return f"; significant: p < {settings['alpha']} in a one-sided test ({settings['test']})"


def _kind(population: Population) -> str:
    """The label of a population, with the languages of a group that is not called by its language."""
    languages = sorted(LANGUAGE_GROUPS.get(population.group, ()))
    return population.label + (f" ({population.group}: {' '.join(languages)})" if len(languages) > 1 else "")


def cautions(explanation: Explanation) -> Iterator[str]:
    """Why an answer may not be trusted."""
    rates = {Caution.WEAK: explanation.base_rate, Caution.WEAK_AGREES: explanation.agrees_base_rate}
    for caution in explanation.cautions:
        yield _CAUTIONS[caution].format(lp=explanation.lp, rate=f"{100 * rates.get(caution, math.nan):.0f} %")


_CAUTIONS = {
    Caution.NO_GROUP: "This is of all languages: there is no group of target languages for {lp}.",
    Caution.OTHER_LANGUAGES: "This is of all languages: there is no calibration for target languages like that of "
    "{lp}.",
    Caution.FEW_PAIRS: f"Fewer than {FEW_PAIRS} pairs of systems differed by this much or more.",
    Caution.UNANIMOUS: "Pairs that all agree show no spread: the interval is the exact binomial one (Clopper and "
    "Pearson), unless the adjacent step of the curve says more. It treats pairs as independent, but those of one "
    "language pair have systems and judges in common, so it may be too narrow.",
    Caution.WEAK: "The difference says little here: the share of all pairs ({rate}) predicts held-out pairs better "
    "than the curve.",
    Caution.WEAK_AGREES: "The difference says little about whether people prefer the system at all: the share of all "
    "pairs ({rate}) predicts held-out pairs better than the curve.",
}


def claim(orientation: str, shares: str) -> str:
    """What people do in a share of pairs, e.g. `people significantly prefer either system in 40 % of such pairs …`."""
    preference = _PREFERENCE.get(orientation, "people see a significant difference")
    return f"{preference} in {shares} of such pairs of systems"


def share(probability: Estimate) -> str:
    """A probability in words, with its interval; bounds alone if there is no value."""
    low, high = 100 * probability.low, 100 * probability.high
    if math.isnan(probability.value):
        parts = [f"at least {low:g} %"] * (low > 0) + [f"less than {high:g} %"] * (high < 100)
        return " and ".join(parts)
    return f"{100 * probability.value:.0f} %" + ("" if math.isnan(low) else f" [{low:.0f}, {high:.0f}]")
