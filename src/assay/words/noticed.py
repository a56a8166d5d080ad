"""Whether people would notice a difference: what a calibration says, by the data that it rests on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.labels.numbers import p_words, size_text
from assay.results import Estimate, Explanation, Ranking, SystemComparison
from assay.results.calibration import FEW_PAIRS
from assay.words.calibration import check_words, population_words
from assay.words.compared_pair import ComparedScore, PairVerdict
from assay.words.people import is_bound_pair, judged_pair, people_preference
from assay.words.statement import Answer

__all__ = [
    "NoticedScores",
    "calibration_name",
    "in_hundred",
    "noticed_answer",
    "noticed_scores",
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

    @property
    def population(self) -> str:
        """The campaigns that the pairs of systems come from, and how people judged."""
        return population_words(_explanation(self.scores[0]).population)


def noticed_scores(found: PairVerdict) -> tuple[NoticedScores, ...]:
    """The scores that a calibration answered for, those of one kind of data together.

    Metrics may lack a pair of systems or two, which changes little.
    """
    groups: dict[tuple[object, ...], list[ComparedScore]] = {}
    for score in found.scores:
        if score.pair.explanation is not None and not math.isnan(score.pair.explanation.probability.value):
            population = score.pair.explanation.population
            key = () if population is None else (population.label, population.campaigns)
            groups.setdefault(key, []).append(score)
    return tuple(NoticedScores(tuple(scores)) for scores in groups.values())


def _explanation(score: ComparedScore) -> Explanation:
    if score.pair.explanation is None:
        raise ValueError(f"no calibration was asked about {score.label}")
    return score.pair.explanation


def noticed_answer(found: PairVerdict, ranking: Ranking | None) -> Answer:
    """What people said of the two; what a calibration says of such differences, or why there is none."""
    p = judged_pair(found.first, found.second, ranking)
    if ranking is not None and p is not None:
        preference = people_preference(found.first, found.second, ranking)
        words = p_words(p, is_bound=is_bound_pair(found.first, found.second, ranking))
        return Answer(_QUESTION, f"People {preference}", f"By {ranking.name}, {words}, not corrected.", "#people")
    groups = noticed_scores(found)
    detail = " ".join(_details(found, groups)) or _reasons(found)
    return Answer(_QUESTION, _short(found, groups), detail, "#notice" if groups else "")


def _short(found: PairVerdict, groups: Sequence[NoticedScores]) -> str:
    if len({score.favour > 0 for score in found.scores if score.favour and not math.isnan(score.favour)}) > 1:
        return "The scores disagree"
    if not groups:
        return "No calibration"
    chances = {_chance(_leading(found, group)) for group in groups}
    words = chances.pop() if len(chances) == 1 else _OPEN
    is_shown = found.having("ahead") or found.having("behind")
    return words if is_shown else f"If it is real: {words[:1].lower()}{words[1:]}"


def _leading(found: PairVerdict, group: NoticedScores) -> ComparedScore:
    """The score that leads the verdict, if it is in the group, else the first."""
    return found.lead if found.lead in group.scores else group.scores[0]


def _details(found: PairVerdict, groups: Sequence[NoticedScores]) -> Iterator[str]:
    """One score of each kind of data, with what people said where the calibration was checked."""
    for group in groups:
        score = _leading(found, group)
        shares = in_hundred(score)
        yield f"In {group.population}, people significantly preferred the better-scored system in {shares}."
        if _explanation(score).check is not None:
            yield check_words(_explanation(score))
    if len(groups) > 1:
        yield _INCOMPARABLE


def in_hundred(score: ComparedScore) -> str:
    """How often people preferred the better-scored system, with the interval, and how often the other one.

    Such as `44 (32 to 58) of 100 pairs that are 0.58 BLEU apart, and the worse-scored one in 9 (3 to 19)`.
    """
    noticed, opposite = _explanation(score).probability, _explanation(score).opposite
    size = size_text(score.favour, score.decimals + 1)
    text = f"{_of_hundred(noticed)} of 100 pairs that are {size} {score.label} apart"
    if noticed.n < FEW_PAIRS:
        text += f" (fewer than {FEW_PAIRS} pairs differed by this much or more)"
    return text if math.isnan(opposite.value) else f"{text}, and the worse-scored one in {_of_hundred(opposite)}"


def _of_hundred(share: Estimate) -> str:
    interval = "" if math.isnan(share.low) else f" ({100 * share.low:.0f} to {100 * share.high:.0f})"
    return f"{100 * share.value:.0f}{interval}"


def calibration_name(comparison: SystemComparison) -> str:
    """The calibration that a comparison used, in words."""
    name = comparison.settings.get("calibration", "")
    return _CALIBRATIONS.get(name, f"the calibration {name}")


def _chance(score: ComparedScore) -> str:
    """How often people notice, as far as the interval says so, and what they said where the calibration was checked."""
    noticed, check = _explanation(score).probability, _explanation(score).check
    seen = [] if check is None else [check.observed]
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
