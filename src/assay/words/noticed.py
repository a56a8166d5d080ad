"""Whether people would notice a difference: what a calibration says, by the data that it rests on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.calibration.explanation import Question, answer
from assay.calibration.files import BUNDLED, bundled
from assay.labels.numbers import p_words, size_text
from assay.results import Calibration, Estimate, Explanation, Ranking, Result, SystemComparison
from assay.results.calibration import FEW_PAIRS
from assay.words.calibration import check_words, population_words
from assay.words.compared_pair import ComparedScore, PairVerdict
from assay.words.people import is_bound_pair, judged_pair, people_preference
from assay.words.statement import Answer

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
_LIKELY = ((0.9, "Almost always"), (0.5, "More often than not"))
"""What a probability is called if its lower bound is at least this."""
_UNLIKELY = ((0.1, "Rarely"), (0.5, "Less often than not"))
"""What it is called if its upper bound is at most this."""
_OPEN = "Uncertain"


@dataclass(frozen=True, slots=True)
class NoticedScores:
    """Scores whose probabilities rest on the same pairs of systems, which only these can be compared by."""

    scores: tuple[ComparedScore, ...]
    explanations: tuple[Explanation, ...]
    """Of each score; empty if the calibration is not at hand."""

    @property
    def population(self) -> str:
        """The campaigns that the pairs of systems come from, and how people judged; empty if not known."""
        return population_words(self.explanations[0].population) if self.explanations else ""


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
        words = p_words(p, is_bound=is_bound_pair(found.first, found.second, ranking))
        return Answer(_QUESTION, f"People {preference}", f"By {ranking.name}, {words}, not corrected.", "#people")
    used = used_calibration(found, comparison, results)
    detail = " ".join(_details(found, used, comparison)) or _reasons(found)
    return Answer(_QUESTION, _short(found, used), detail, "#notice" if used.groups else "")


def _short(found: PairVerdict, used: UsedCalibration) -> str:
    if len({score.favour > 0 for score in found.scores if score.favour and not math.isnan(score.favour)}) > 1:
        return "The scores disagree"
    if not used.groups:
        return "No calibration"
    chances = {_chance(*_leading(found, group)) for group in used.groups}
    words = chances.pop() if len(chances) == 1 else _OPEN
    is_shown = found.having("ahead") or found.having("behind")
    return words if is_shown else f"If it is real: {words[:1].lower()}{words[1:]}"


def _leading(found: PairVerdict, group: NoticedScores) -> tuple[ComparedScore, Explanation | None]:
    """The score that leads the verdict, if it is in the group, else the first; and its answer, if it is at hand."""
    score = found.lead if found.lead in group.scores else group.scores[0]
    return score, group.explanations[group.scores.index(score)] if group.explanations else None


def _details(found: PairVerdict, used: UsedCalibration, comparison: SystemComparison) -> Iterator[str]:
    """One score of each kind of data, with what people said where the calibration was checked."""
    for group in used.groups:
        score, explanation = _leading(found, group)
        source = group.population or calibration_name(comparison)
        shares = in_hundred(score, explanation)
        yield f"In {source}, people significantly preferred the better-scored system in {shares}."
        if explanation is not None and explanation.check is not None:
            yield check_words(explanation)
    if len(used.groups) > 1:
        yield _INCOMPARABLE


def in_hundred(score: ComparedScore, explanation: Explanation | None) -> str:
    """How often people preferred the better-scored system, with the interval, and how often the other one.

    Such as `44 (32 to 58) of 100 pairs that are 0.58 BLEU apart, and the worse-scored one in 9 (3 to 19)`.
    """
    noticed = _probability(score)
    size = size_text(score.favour, score.decimals + 1)
    text = f"{_of_hundred(noticed)} of 100 pairs that are {size} {score.label} apart"
    if noticed.n < FEW_PAIRS:
        text += f" (fewer than {FEW_PAIRS} pairs differed by this much or more)"
    if explanation is None or math.isnan(explanation.opposite.value):
        return text
    return f"{text}, and the worse-scored one in {_of_hundred(explanation.opposite)}"


def _of_hundred(share: Estimate) -> str:
    interval = "" if math.isnan(share.low) else f" ({100 * share.low:.0f} to {100 * share.high:.0f})"
    return f"{100 * share.value:.0f}{interval}"


def calibration_name(comparison: SystemComparison) -> str:
    """The calibration that a comparison used, in words."""
    name = comparison.settings.get("calibration", "")
    return _CALIBRATIONS.get(name, f"the calibration {name}")


def _chance(score: ComparedScore, explanation: Explanation | None) -> str:
    """How often people notice, as far as the interval says so, and what they said where the calibration was checked."""
    noticed = _probability(score)
    seen = [] if explanation is None or explanation.check is None else [explanation.check.observed]
    low, high = min([noticed.low, *seen]), max([noticed.high, *seen])
    likely = (words for bound, words in _LIKELY if low >= bound)
    unlikely = (words for bound, words in _UNLIKELY if high <= bound)
    return next(likely, None) or next(unlikely, _OPEN)


def _reasons(found: PairVerdict) -> str:
    """Why there is no answer."""
    asked = [score.pair.noticed for score in found.scores if score.pair.noticed is not None]
    if not asked:
        return "None was used."
    reasons = dict.fromkeys((each.reason or "").removeprefix("no calibration: ") for each in asked)
    text = "; ".join(reasons)
    return f"{text[:1].upper()}{text[1:]}."
