"""Populations of system pairs: language groups, domains and protocols as in Lo et al. 2023."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from assay.calibration.system_kinds import KINDS, is_of_kinds, pair_kinds
from assay.lazily import numpy as np
from assay.registry import option_text
from assay.results import FittedPopulation, Population
from assay.types.language_codes import languages_of

if TYPE_CHECKING:  # they import much that answers do not need
    from assay.calibration.joint import JointPairs
    from assay.calibration.outcomes import Observations
    from assay.calibration.system_pairs import SystemPairs

__all__ = [
    "LANGUAGE_GROUPS",
    "MIN_LANGUAGE_PAIRS",
    "data_lps",
    "data_text",
    "fitted_population",
    "group_of",
    "is_covered",
    "is_unspaced_language",
    "populations",
    "wmt_years",
]

MIN_LANGUAGE_PAIRS = 2
"""Fewer say more about themselves than about a metric."""
LANGUAGE_GROUPS: Mapping[str, frozenset[str]] = {
    "English": frozenset({"en"}),
    "I": frozenset({"bn", "cs", "de", "fr", "ha", "hr", "is", "kk", "lt", "pl", "ru", "uk"}),
    "II": frozenset({"ja", "zh"}),
    "Inuktitut": frozenset({"iu"}),
}
"""Target languages by group, as in Lo et al. 2023, Table 3. Other languages count in `all` only."""


_WMT = re.compile(r"wmt(\d\d)(\.\w+)?")
_UNSPACED = frozenset({"bo", "ja", "km", "lo", "my", "th", "yue", "zh"})
"""Languages that are written without spaces between words."""


def group_of(lp: str) -> str | None:
    """The group of a language pair's target language, or None."""
    return next((name for name, languages in LANGUAGE_GROUPS.items() if _target(lp) in languages), None)


def wmt_years(campaigns: Iterable[str]) -> tuple[int, ...]:
    """The years of campaigns of WMT, ascending; none if another campaign is among them."""
    found = [_WMT.fullmatch(name) for name in campaigns]
    return tuple(sorted({2000 + int(each[1]) for each in found if each})) if all(found) else ()


def is_unspaced_language(lp: str) -> bool:
    """Whether the target language is written without spaces between words."""
    return _target(lp) in _UNSPACED


def is_covered(lp: str, population: FittedPopulation) -> bool:
    """Whether pairs of systems say something about a language pair.

    Metrics that count words mean something else where there are no spaces between words, so that only pairs into such a
    language do. TER into Chinese and Japanese, which was left out of the fit, is not covered.
    """
    return not is_unspaced_language(lp) or any(
        is_unspaced_language(each) for lps in population.lps.values() for each in lps
    )


def _target(lp: str) -> str:
    return languages_of(lp)[1]


def data_lps(lps: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """The language pairs of campaigns, each once, as the first one calls it: `en-is_IS` is `en-is`."""
    found: dict[tuple[str, str], str] = {}
    for lp in (lp for names in lps.values() for lp in names):
        found.setdefault(languages_of(lp), lp)
    return tuple(found.values())


def data_text(lps: Mapping[str, Iterable[str]]) -> str:
    """Campaigns with their language pairs, for a signature: `wmt20/cs-en+de-en,wmt22/cs-en`; `wmt20` if unknown."""
    return ",".join("/".join(filter(None, (option_text(name), "+".join(names)))) for name, names in lps.items())


def populations(pairs: Sequence[SystemPairs]) -> Iterator[tuple[Population, list[SystemPairs]]]:
    """For each protocol: all pairs, those of each language group, of each domain, and of each kind of systems.

    Members of a kind are all pairs that have some: which of two systems scores better depends on the metric.
    """
    for protocol in dict.fromkeys(each.protocol for each in pairs):
        judged = [each for each in pairs if each.protocol == protocol]
        whole = [each for each in judged if each.domain is None]
        yield Population(protocol), whole
        for group in LANGUAGE_GROUPS:
            if members := [each for each in whole if group_of(each.lp) == group]:
                yield Population(protocol, group), members
        for domain in dict.fromkeys(each.domain for each in judged if each.domain is not None):
            yield Population(protocol, domain=domain), [each for each in judged if each.domain == domain]
        if len(_kinds(whole)) > 1:
            for kinds in KINDS:
                if members := [each for each in whole if any(is_of_kinds(kind, kinds) for kind in _kinds([each]))]:
                    yield Population(protocol, kinds=kinds), members


def fitted_population(
    population: Population, observed: Observations | JointPairs, judged: int | None = None
) -> FittedPopulation:
    """A population with the pairs that were observed. If samples were `judged`, all have as many segments."""
    common, own = (np.median(observed.segments), np.median(observed.judged)) if judged is None else (judged, judged)
    return FittedPopulation(
        population.protocol,
        population.group,
        population.domain,
        kinds=population.kinds,
        campaigns=tuple(observed.lps),
        lps=observed.lps,
        pairs=len(observed),
        segments=float(common),
        judgements=float(own),
    )


def _kinds(pairs: Iterable[SystemPairs]) -> set[str]:
    """The kinds of pairs, whichever system scores better."""
    return {
        kinds
        for each in pairs
        for first, second in each.systems
        for kinds in (pair_kinds(first, second, each.campaign), pair_kinds(second, first, each.campaign))
        if kinds
    }
