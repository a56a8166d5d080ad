"""Whether people would notice a difference: what a calibration says, by the data that it rests on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.calibration.explanation import Question, answer
from assay.calibration.files import BUNDLED, bundled
from assay.charts.numbers import p_words, size_text
from assay.reports.html.labels import joined
from assay.reports.html.verdict.compared_pair import ComparedScore, PairVerdict
from assay.reports.html.verdict.people import judged_pair, people_preference
from assay.reports.html.verdict.statement import Answer
from assay.results import Calibration, Estimate, Explanation, Ranking, Result, SystemComparison
from assay.results.calibration import FEW_PAIRS
from assay.types.note import listed

__all__ = [
    "NoticedScores",
    "UsedCalibration",
    "calibration_name",
    "in_hundred",
    "noticed_answer",
    "used_calibration",
]

_INCOMPARABLE = "These rest on different pairs of systems and cannot be compared with each other."
_QUESTION = "Would people notice?"
_CALIBRATIONS = {
    "wmt": "the calibration on WMT data that comes with Assay",
    "lo2023": "the cut-offs of Lo et al. 2023",
    "own": "the calibration that was given",
}
_CHANCES = (
    (0.9, "Almost always"),
    (0.6, "More often than not"),
    (0.4, "About as often as not"),
    (0.1, "Less often than not"),
)
"""What a probability is called from a bound on: symmetric around one half."""


@dataclass(frozen=True, slots=True)
class NoticedScores:
    """Scores whose probabilities rest on the same pairs of systems, which only these can be compared by."""

    scores: tuple[ComparedScore, ...]
    explanations: tuple[Explanation, ...]
    """Of each score; empty if the calibration is not at hand."""

    @property
    def campaigns(self) -> str:
        """Where the pairs of systems come from."""
        population = self.explanations[0].population if self.explanations else None
        return "" if population is None else listed(population.campaigns)


@dataclass(frozen=True, slots=True)
class UsedCalibration:
    """What the comparison asked its calibration: the scores that have an answer, by the data that it rests on."""

    calibration: Calibration | None
    groups: tuple[NoticedScores, ...]

    @property
    def scores(self) -> list[ComparedScore]:
        """All scores with an answer."""
        return [score for group in self.groups for score in group.scores]


def used_calibration(found: PairVerdict, comparison: SystemComparison, results: Sequence[Result]) -> UsedCalibration:
    """The calibration that the comparison used, and its answers; without it, the answers alone.

    The one that comes with Assay is known by its name. Another may be among the results: it is the one if it gives the
    probabilities of the comparison.
    """
    scores = [score for score in found.scores if not math.isnan(_probability(score).value)]
    is_bundled = comparison.settings.get("calibration") == BUNDLED
    own = (result for result in results if isinstance(result, Calibration))
    for calibration in (bundled({score.metric.metric for score in scores}),) if is_bundled and scores else own:
        answers = [_answer(score, calibration, comparison) for score in scores]
        same = zip(scores, answers, strict=True)
        if all(math.isclose(_probability(score).value, each.probability.value) for score, each in same):
            return UsedCalibration(calibration, tuple(_by_population(scores, answers)))
    return UsedCalibration(None, (NoticedScores(tuple(scores), ()),) if scores else ())


def _probability(score: ComparedScore) -> Estimate:
    return score.pair.noticed or Estimate(math.nan, 0)


def _answer(score: ComparedScore, calibration: Calibration, comparison: SystemComparison) -> Explanation:
    """As the comparison asked."""
    difference = abs(score.pair.difference.value)
    question = Question(score.metric.metric, score.metric.aggregation, difference, comparison.inputs.lp)
    return answer(question, calibration, comparison.settings.get("calibration", ""))


def _by_population(scores: Sequence[ComparedScore], answers: Sequence[Explanation]) -> Iterator[NoticedScores]:
    """Scores of one kind of data together; metrics may lack a pair of systems or two, which changes little."""
    groups: dict[tuple[object, ...], list[tuple[ComparedScore, Explanation]]] = {}
    for score, explanation in zip(scores, answers, strict=True):
        population = explanation.population
        key = () if population is None else (population.label, population.campaigns)
        groups.setdefault(key, []).append((score, explanation))
    for members in groups.values():
        yield NoticedScores(tuple(score for score, _ in members), tuple(each for _, each in members))


def noticed_answer(
    found: PairVerdict, comparison: SystemComparison, ranking: Ranking | None, results: Sequence[Result]
) -> Answer:
    """What people said of the two; what a calibration says of such differences, or why there is none."""
    p = judged_pair(found.first, found.second, ranking)
    if ranking is not None and p is not None:
        preference = people_preference(found.first, found.second, ranking)
        return Answer(_QUESTION, f"People {preference}", f"By {ranking.name}, {p_words(p)}, not corrected.", "#people")
    used = used_calibration(found, comparison, results)
    detail = " ".join(_details(found, used, comparison)) or _reasons(found)
    return Answer(_QUESTION, _short(found, used), detail, "#notice" if used.groups else "")


def _short(found: PairVerdict, used: UsedCalibration) -> str:
    if not used.groups:
        return "No calibration"
    if found.having("ahead") and found.having("behind"):
        return "The scores disagree"
    values = [_probability(_first(found, group)).value for group in used.groups]
    if len({_chance(value) for value in values}) == 1:
        words = _chance(values[0])
    else:
        words = f"{100 * max(values):.0f} of 100 by some data, {100 * min(values):.0f} by other data"
    is_shown = found.having("ahead") or found.having("behind")
    return words if is_shown else f"If it is real: {words[:1].lower()}{words[1:]}"


def _first(found: PairVerdict, group: NoticedScores) -> ComparedScore:
    """The score that leads the verdict, if it is in the group; else the first."""
    return found.lead if found.lead in group.scores else group.scores[0]


def _details(found: PairVerdict, used: UsedCalibration, comparison: SystemComparison) -> Iterator[str]:
    """One score of each kind of data, and both sides where scores contradict each other."""
    if not used.groups:
        return
    if found.having("ahead") and found.having("behind"):
        sides = ((found.having("ahead"), found.first), (found.having("behind"), found.second))
        yield (
            "; ".join(f"by {joined(labels)}, people would prefer {system}" for labels, system in sides).replace(
                "by", "By", 1
            )
            + "."
        )
        return
    parts = []
    for group in used.groups:
        score = _first(found, group)
        explanation = group.explanations[group.scores.index(score)] if group.explanations else None
        parts.append(f"in {in_hundred(score, explanation, group.campaigns or calibration_name(comparison))}")
    yield f"People significantly preferred the better-scored system {', and '.join(parts)}."
    if len(used.groups) > 1:
        yield _INCOMPARABLE


def in_hundred(score: ComparedScore, explanation: Explanation | None, source: str = "") -> str:
    """How often, where it was seen, and with the interval or how many pairs it was counted in.

    Such as `44 of 100 pairs that are 0.58 BLEU apart (wmt20; 7 of 16 between 0.32 and 0.59, no interval)`.
    """
    noticed = _probability(score)
    interval = "" if math.isnan(noticed.low) else f" ({100 * noticed.low:.0f} to {100 * noticed.high:.0f})"
    size = size_text(score.favour, score.decimals + 1)
    remarks = [source]
    step = None if explanation is None else explanation.step
    if math.isnan(noticed.low) and step is not None:
        hits = round(step.probability * step.pairs)
        remarks.append(f"{hits} of {step.pairs} between {step.start:.2g} and {step.end:.2g}, no interval")
    elif noticed.n < FEW_PAIRS:
        remarks.append(f"fewer than {FEW_PAIRS} pairs differed by this much or more")
    remark = "; ".join(filter(None, remarks))
    text = f"{100 * noticed.value:.0f}{interval} of 100 pairs that are {size} {score.label} apart"
    return f"{text} ({remark})" if remark else text


def calibration_name(comparison: SystemComparison) -> str:
    """The calibration that a comparison used, in words."""
    name = comparison.settings.get("calibration", "")
    return _CALIBRATIONS.get(name, f"the calibration {name}")


def _chance(probability: float) -> str:
    return next((words for bound, words in _CHANCES if probability >= bound), "Rarely")


def _reasons(found: PairVerdict) -> str:
    """Why there is no answer."""
    asked = [score.pair.noticed for score in found.scores if score.pair.noticed is not None]
    if not asked:
        return "None was used."
    reasons = dict.fromkeys((each.reason or "").removeprefix("no calibration: ") for each in asked)
    text = "; ".join(reasons)
    return f"{text[:1].upper()}{text[1:]}."
