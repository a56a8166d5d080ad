"""What the differences of a comparison mean to people, by the answers of a calibration."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from assay.calibration.compared import DISAGREE, preferred_systems
from assay.results import ComparedMetric, ComparedPair, Explanation
from assay.types.note import listed
from assay.words.calibration import cautions, claim, described, population_words, share

__all__ = ["calibrated_sentences"]

_MAX_PAIRS = 5  # of systems, that sentences are written for


def calibrated_sentences(metrics: Sequence[ComparedMetric], answers: Sequence[Sequence[Explanation]]) -> Iterator[str]:
    """What people said of such pairs, where metrics disagree, what this rests on and why it may not be trusted."""
    for place, pair in enumerate(metrics[0].pairs):
        if len(metrics[0].pairs) <= _MAX_PAIRS:
            preferred = preferred_systems(metrics, place)
            yield from _pair_sentences(metrics, [found[place] for found in answers], preferred, pair)
    yield from _different_populations(metrics, answers)
    remarks: dict[tuple[int, str], dict[str, list[str]]] = {}
    for metric, found in zip(metrics, answers, strict=True):
        for each, pair in zip(found, metric.pairs, strict=True):
            for remark in _remarks(each):
                systems = remarks.setdefault(remark, {}).setdefault(metric.name, [])
                systems.append(f"{pair.first} and {pair.second}")
    for (_, sentence), by_metric in sorted(remarks.items(), key=lambda item: item[0][0]):
        is_of_all = {name: len(systems) == len(metrics[0].pairs) for name, systems in by_metric.items()}
        names = (name if is_of_all[name] else f"{name} ({listed(systems)})" for name, systems in by_metric.items())
        yield f"{', '.join(names)}: {sentence}"


def _different_populations(
    metrics: Sequence[ComparedMetric], answers: Sequence[Sequence[Explanation]]
) -> Iterator[str]:
    """A warning where the probabilities of two metrics are of different pairs of systems."""
    names: dict[tuple[object, ...], list[str]] = {}
    for metric, found in zip(metrics, answers, strict=True):
        population = next((each.population for each in found if each.is_answered), None)
        if population is not None:
            names.setdefault((population.group, population.campaigns), []).append(metric.name)
    if len(names) > 1:
        kinds = "; ".join(", ".join(same) for same in names.values())
        yield f"These probabilities rest on different pairs of systems and cannot be compared with each other: {kinds}."


def _remarks(explanation: Explanation) -> Iterator[tuple[int, str]]:
    """Sentences that several answers may have in common, and their places: what an answer rests on comes first."""
    if not explanation.is_answered:
        if DISAGREE not in (explanation.probability.reason or ""):  # a sentence of the pair says it
            yield 2, f"{explanation.probability.reason}."
        return
    verb = "published:" if explanation.cutoffs else "seen in"
    yield 0, f"{verb} {described(explanation)} (calibration {explanation.source})."
    for caution in cautions(explanation):
        yield 1, caution[0].lower() + caution[1:]


def _pair_sentences(
    metrics: Sequence[ComparedMetric],
    answers: Sequence[Explanation],
    preferred: Mapping[str, Sequence[str]],
    pair: ComparedPair,
) -> Iterator[str]:
    """What people said of pairs like this one, by the campaigns and the protocol that the answers are from."""
    if len(preferred) > 1:
        sides = ", but ".join(
            f"{', '.join(names)} {'prefers' if len(names) == 1 else 'prefer'} {system}"
            for system, names in preferred.items()
        )
        yield f"{pair.first} and {pair.second}: {sides}. The metrics do not say which system people would prefer."
        return
    groups: dict[tuple[str, str], list[tuple[str, Explanation]]] = {}
    for metric, each in zip(metrics, answers, strict=True):
        if each.is_answered:
            groups.setdefault((population_words(each.population), each.orientation), []).append((metric.name, each))
    for group in groups.values():
        shares = ", ".join(f"{share(each.probability)} ({name})" for name, each in group)
        opposite = ", ".join(
            f"{share(each.opposite)} ({name})" for name, each in group if not math.isnan(each.opposite.value)
        )
        yield f"{pair.first} and {pair.second}: {claim(group[0][1], shares, opposite)}.{_checks(group)}"


def _checks(answers: Sequence[tuple[str, Explanation]]) -> str:
    """What people did in a campaign that the calibration was not fitted to, in the pairs with such probabilities."""
    checks = [(name, each.check) for name, each in answers if each.check is not None]
    if not checks:
        return ""
    observed = ", ".join(f"{100 * check.observed:.0f} % ({name})" for name, check in checks)
    opposite = ", ".join(f"{100 * check.opposite:.0f} % ({name})" for name, check in checks)
    where = f"In {answers[0][1].checked_on}, which was not used for this"
    return f" {where}, they preferred the better-scored system in {observed}, and the worse-scored one in {opposite}."
