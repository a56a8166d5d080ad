"""The calibration of the differences that a comparison found."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from assay.calibration.explanation import Question, answer, no_calibration
from assay.calibration.published import Published
from assay.calibration.wording import cautions, claim, described, population_words, share
from assay.results import Calibration, ComparedMetric, ComparedPair, Explanation
from assay.types.note import listed

__all__ = ["Calibrator"]

_MAX_PAIRS = 5  # of systems, that sentences are written for
_DISAGREE = "the metrics prefer different systems"


@dataclass(frozen=True, slots=True)
class Calibrator:
    """Answers for the differences of metrics: how often people significantly prefer the better-scored system."""

    calibration: Calibration | Published
    source: str
    lp: str | None
    unanswerable: Mapping[str, str]
    """Metrics that no calibration is for, whatever they are called, and why."""

    def calibrate(self, metrics: Sequence[ComparedMetric]) -> tuple[list[ComparedMetric], tuple[str, ...]]:
        """The metrics with the probability of each difference, and the same in words.

        Each metric answers as `assay.explain` does. A pair that the metrics order differently has no answer: each of
        them alone would promise a preference, and for different systems.
        """
        preferred = [_preferred(metrics, place) for place in range(len(metrics[0].pairs))]
        answers = [
            [self._answer(metric, pair, preferred[place]) for place, pair in enumerate(metric.pairs)]
            for metric in metrics
        ]
        calibrated = [
            replace(
                metric,
                pairs=tuple(
                    replace(pair, noticed=each.probability) for pair, each in zip(metric.pairs, found, strict=True)
                ),
            )
            for metric, found in zip(metrics, answers, strict=True)
        ]
        return calibrated, tuple(_sentences(metrics, answers, preferred))

    def _answer(
        self, metric: ComparedMetric, pair: ComparedPair, preferred: Mapping[str, Sequence[str]]
    ) -> Explanation:
        difference = abs(pair.difference.value)
        reason = self.unanswerable.get(metric.metric) or ("undefined difference" if math.isnan(difference) else "")
        if not reason and len(preferred) > 1:
            reason = _DISAGREE
        question = Question(metric.metric, metric.aggregation, difference, self.lp)
        if reason:
            return no_calibration(question, self.source, "", reason)
        return answer(question, self.calibration, self.source)


def _preferred(metrics: Sequence[ComparedMetric], place: int) -> dict[str, list[str]]:
    """The metrics that prefer each system of a pair."""
    preferred: dict[str, list[str]] = {}
    for metric in metrics:
        pair = metric.pairs[place]
        if pair.difference.value and not math.isnan(pair.difference.value):
            system = pair.first if metric.is_better(pair) else pair.second
            preferred.setdefault(system, []).append(metric.name)
    return preferred


def _sentences(
    metrics: Sequence[ComparedMetric],
    answers: Sequence[Sequence[Explanation]],
    preferred: Sequence[Mapping[str, Sequence[str]]],
) -> Iterator[str]:
    """What people said of such pairs, where metrics disagree, what this rests on and why it may not be trusted."""
    for place, pair in enumerate(metrics[0].pairs):
        if len(metrics[0].pairs) <= _MAX_PAIRS:
            yield from _pair_sentences(metrics, [found[place] for found in answers], preferred[place], pair)
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
        if _DISAGREE not in (explanation.probability.reason or ""):  # a sentence of the pair says it
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
