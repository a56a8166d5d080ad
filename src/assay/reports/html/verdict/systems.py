"""What a comparison says of two systems: which is better, how sure, whether people would notice, and where."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from assay.charts.metric_label import metric_label
from assay.reports.html.labels import joined
from assay.reports.html.tables import p_text
from assay.reports.html.verdict.people import other_first, people_preference, people_sentence
from assay.reports.html.verdict.statement import MAX_LISTED, Answer, Name, Verdict, Words, signed, sized, sized_up
from assay.results import (
    ComparedMetric,
    ComparedPair,
    Estimate,
    GroupDifference,
    GroupDifferences,
    Ranking,
    SystemComparison,
)
from assay.results.calibration import FEW_PAIRS

__all__ = [
    "ComparedScore",
    "Outcome",
    "PairVerdict",
    "calibration_name",
    "compared_pair",
    "comparison_verdict",
    "pair_verdict",
    "score_label",
]

Outcome: TypeAlias = Literal["ahead", "behind", "tied", "unshown", "undefined"]
_SURE = 0.01
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


@dataclass(frozen=True, slots=True)
class ComparedScore:
    """What one metric under one aggregation says of the first of two systems."""

    metric: ComparedMetric
    pair: ComparedPair
    outcome: Outcome
    favour: float
    """The difference in favour of the first system, also for metrics whose lower scores are better."""
    low: float
    high: float

    @property
    def label(self) -> str:
        """The metric and, unless it is corpus, the aggregation."""
        return score_label(self.metric)


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """Two systems under all metrics and aggregations. If any puts the second ahead, another puts the first ahead."""

    first: str
    second: str
    scores: tuple[ComparedScore, ...]

    def having(self, outcome: Outcome) -> list[str]:
        """The scores with an outcome."""
        return [score.label for score in self.scores if score.outcome == outcome]

    @property
    def winner(self) -> str | None:
        """The system that some scores put ahead and none behind."""
        return self.first if self.having("ahead") and not self.having("behind") else None

    @property
    def lead(self) -> ComparedScore:
        """The first score that shows a difference, or else the first."""
        shown = (score for score in self.scores if score.outcome in ("ahead", "behind"))
        return next(shown, self.scores[0])


def score_label(metric: ComparedMetric) -> str:
    """The metric and, unless it is corpus, the aggregation."""
    label = metric_label(metric.metric)
    return label if metric.aggregation == "corpus" else f"{label} {metric.aggregation} mean"


def pair_verdict(comparison: SystemComparison) -> PairVerdict:
    """The two systems that the verdict is about, the one that scores put ahead first.

    Of a single pair, these; with a baseline, the best other system and the baseline; of all pairs, the best and the
    second by the first metric.
    """
    first, second = _focus(comparison)
    found = PairVerdict(
        first, second, tuple(_score(metric, first, second, comparison) for metric in comparison.metrics)
    )
    if found.having("behind") and not found.having("ahead"):
        swapped = (_score(metric, second, first, comparison) for metric in comparison.metrics)
        return PairVerdict(second, first, tuple(swapped))
    return found


def _focus(comparison: SystemComparison) -> tuple[str, str]:
    metric = comparison.metrics[0]
    if comparison.baseline is not None or len(metric.pairs) == 1:
        best = max(metric.pairs, key=lambda pair: _goodness(metric, pair.first))
        return best.first, best.second
    order = sorted(metric.scores, key=lambda name: -_goodness(metric, name))
    return order[0], order[1]


def _goodness(metric: ComparedMetric, system: str) -> float:
    value = metric.scores[system].value
    if math.isnan(value):
        return -math.inf
    return value if metric.higher_is_better else -value


def compared_pair(metric: ComparedMetric, first: str, second: str) -> tuple[ComparedPair, bool]:
    """The pair in whichever order it was compared, and whether that is the reverse of the order asked for."""
    for pair in metric.pairs:
        if {pair.first, pair.second} == {first, second}:
            return pair, pair.first != first
    raise KeyError(f"{first} and {second} were not compared")


def _score(metric: ComparedMetric, first: str, second: str, comparison: SystemComparison) -> ComparedScore:
    pair, is_reversed = compared_pair(metric, first, second)
    outcome = _outcome(metric, pair, is_reversed, float(comparison.settings["alpha"]))
    low, value, high = pair.difference.low, pair.difference.value, pair.difference.high
    if is_reversed == metric.higher_is_better:
        low, value, high = -high, -value, -low
    return ComparedScore(metric, pair, outcome, value, low, high)


def _outcome(metric: ComparedMetric, pair: ComparedPair, is_reversed: bool, alpha: float) -> Outcome:
    if math.isnan(pair.p_corrected):
        return "undefined"
    if pair.is_tied:
        return "tied"
    if not pair.shows_difference(alpha):
        return "unshown"
    return "ahead" if metric.is_better(pair) != is_reversed else "behind"


def comparison_verdict(comparison: SystemComparison, ranking: Ranking | None = None) -> Verdict:
    """The verdict on two systems, with what people said of them if there is a ranking."""
    found = pair_verdict(comparison)
    people = people_sentence(found.first, found.second, found.winner, ranking)
    headline = (_headline(found), *(() if people is None else (people,)))
    first = () if ranking is None else other_first(found.first, found.second, ranking)
    noticed = _noticed(found, comparison)
    if ranking is not None and people is not None:
        noticed = replace(noticed, answer=f"People {people_preference(found.first, found.second, ranking)}")
    answers = (_which(found), _how_sure(found, comparison), noticed, *_where(found, comparison))
    return Verdict(headline, (*first, *_lede(found, comparison)), answers)


def _headline(found: PairVerdict) -> Words:
    a, b = Name(found.first, "a"), Name(found.second, "b")
    if found.winner is not None:
        return (f"{_subject(found)} ", a, " ahead of ", b, ".")
    if found.having("ahead"):
        return ("The metrics disagree on ", a, " and ", b, ".")
    if found.having("unshown"):
        return ("No difference between ", a, " and ", b, " is shown.")
    if found.having("tied"):
        return (a, " and ", b, " have the same score in every segment.")
    return ("The difference between ", a, " and ", b, " is undefined.")


def _subject(found: PairVerdict) -> str:
    """BLEU puts; BLEU and TER put; All metrics put. A metric is named once if all its aggregations say so."""
    ahead = [score for score in found.scores if score.outcome == "ahead"]
    metrics = dict.fromkeys(score.metric.metric for score in found.scores)
    if len(ahead) == len(found.scores) and len(metrics) > 1:
        return "Both metrics put" if len(metrics) == 2 else f"All {len(metrics)} metrics put"
    split = {score.metric.metric for score in found.scores if score.outcome != "ahead"}
    labels = (score.label if score.metric.metric in split else metric_label(score.metric.metric) for score in ahead)
    names = list(dict.fromkeys(labels))
    listed = joined(names) if len(names) <= MAX_LISTED else f"{len(ahead)} of {len(found.scores)} scores"
    return f"{listed} {'puts' if len(names) == 1 else 'put'}"


def _lede(found: PairVerdict, comparison: SystemComparison) -> Iterator[str]:
    if found.having("ahead"):
        lead = found.lead
        system = found.first if lead.outcome == "ahead" else found.second
        yield f"By {lead.label}, {system} is {sized(lead.favour)} ahead, more than chance explains."
    if behind := found.having("behind"):
        yield f"{joined(behind)} {'puts' if len(behind) == 1 else 'put'} {found.second} ahead."
    if unshown := found.having("unshown"):
        if found.having("ahead"):
            yield f"No difference is shown by {joined(unshown)}."
        else:
            yield from _not_equal(found, comparison)
    if undefined := found.having("undefined"):
        yield f"Undefined: {joined(undefined)}."
    yield from _others(found, comparison)


def _others(found: PairVerdict, comparison: SystemComparison) -> Iterator[str]:
    """What is shown of the other systems, by the same score."""
    metric, alpha = found.lead.metric, float(comparison.settings["alpha"])
    shown = [pair for pair in metric.pairs if pair.shows_difference(alpha)]
    if len(metric.pairs) == 1:
        return
    first_metric = score_label(comparison.metrics[0])
    if comparison.baseline is not None:
        best = found.second if found.first == comparison.baseline else found.first
        others = f"{len(metric.pairs)} systems that were compared with {comparison.baseline}"
        yield f"{best} is the best of the {others}, by {first_metric}."
        better = sum(metric.is_better(pair) for pair in shown)
        yield (
            f"By {found.lead.label}, {better} of {len(metric.pairs)} systems are shown to be better than the baseline "
            f"{comparison.baseline}, and {len(shown) - better} to be worse."
        )
        return
    yield f"They are the best two of {len(metric.scores)} systems by {first_metric}."
    winners = [pair.first if metric.is_better(pair) else pair.second for pair in shown]
    first, second = winners.count(found.first), winners.count(found.second)
    total = len(metric.scores) - 1
    others = f"all {total} other systems" if first == total else f"{first} of the {total} other systems"
    yield f"By {found.lead.label}, {found.first} is shown to be better than {others}, and {found.second} than {second}."


def _not_equal(found: PairVerdict, comparison: SystemComparison) -> Iterator[str]:
    yield "That does not mean that they are equal."
    detectable, pairs = found.lead.pair.power.detectable, len(found.lead.metric.pairs)
    if math.isnan(detectable):
        return
    size = f"{sized_up(detectable)} {found.lead.label}"
    yield f"A test set like this one would probably show a difference of {size}, and may miss a smaller one."
    if pairs > 1 and comparison.settings["correction"] != "none":
        yield f"That holds for a single pair: with the correction for {pairs} pairs it takes more."


def _which(found: PairVerdict) -> Answer:
    ahead, total = len(found.having("ahead")), len(found.scores)
    if found.having("behind"):
        answer = "It depends on the score"
    elif not ahead:
        answer = "Not shown"
    elif ahead < total:
        answer = f"{found.first}, by {ahead} of {total} scores"
    else:
        answer = found.first if total == 1 else f"{found.first}, by all {total} scores"
    return Answer("Which system is better?", answer, " ".join(_favours(found)), "#pairs")


def _favours(found: PairVerdict) -> Iterator[str]:
    """The differences in favour of each system."""
    for system, sign in ((found.first, 1), (found.second, -1)):
        scores = [score for score in found.scores if sign * score.favour > 0]
        if scores:
            numbers = ", ".join(f"{score.label} {signed(sign * score.favour)}" for score in scores)
            yield f"In favour of {system}: {numbers}."


def _how_sure(found: PairVerdict, comparison: SystemComparison) -> Answer:
    lead = found.lead
    settings = comparison.settings
    corrected = "not corrected" if settings["correction"] == "none" else f"corrected ({settings['correction']})"
    interval = "" if math.isnan(lead.low) else f", interval {signed(lead.low)} to {signed(lead.high)}"
    p = p_text(lead.pair.p_corrected)
    equals = "p undefined" if math.isnan(lead.pair.p_corrected) else f"p {p}" if p.startswith("<") else f"p = {p}"
    detail = (
        f"{lead.label} {signed(lead.favour)}{interval}, {equals}, {corrected}. {lead.pair.n:,} {settings['unit']}s."
    )
    return Answer("How sure?", _certainty(found), detail, "#pairs")


def _certainty(found: PairVerdict) -> str:
    shown, total = len(found.having("ahead")) + len(found.having("behind")), len(found.scores)
    if not shown:
        return "Chance may explain the difference" if found.having("unshown") else "There is no difference to test"
    if shown < total:
        return f"{shown} of {total} scores show a difference"
    is_sure = max(score.pair.p_corrected for score in found.scores) < _SURE
    if total == 1:
        return "Sure of a difference" if is_sure else "A difference is shown"
    return f"Sure of a difference on all {total} scores" if is_sure else f"All {total} scores show a difference"


def _noticed(found: PairVerdict, comparison: SystemComparison) -> Answer:
    """What a calibration says, with its population; or why there is none."""
    question = "Would people notice?"
    asked = [score for score in found.scores if score.pair.noticed is not None]
    for score in (found.lead, *asked):
        noticed = score.pair.noticed
        if noticed is not None and not math.isnan(noticed.value):
            size = f"pairs of systems that differ by {sized(score.favour)} {score.label}"
            source = calibration_name(comparison)
            few = f" Fewer than {FEW_PAIRS} pairs differed so much." if noticed.n < FEW_PAIRS else ""
            detail = f"In {_in_hundred(noticed)} {size}, people saw a difference, too, by {source}.{few}"
            return Answer(question, _chance(noticed.value), detail, "#notice")
    if not asked:
        return Answer(question, "No calibration", "None was used.")
    reasons = dict.fromkeys(score.pair.noticed.reason or "" for score in asked if score.pair.noticed is not None)
    text = "; ".join(reason.removeprefix("no calibration: ") for reason in reasons)
    return Answer(question, "No calibration", f"{text[:1].upper()}{text[1:]}.")


def _in_hundred(noticed: Estimate) -> str:
    interval = "" if math.isnan(noticed.low) else f" ({100 * noticed.low:.0f} to {100 * noticed.high:.0f})"
    return f"{100 * noticed.value:.0f}{interval} of 100"


def calibration_name(comparison: SystemComparison) -> str:
    """The calibration that a comparison used, in words."""
    name = comparison.settings.get("calibration", "")
    return _CALIBRATIONS.get(name, f"the calibration {name}")


def _chance(probability: float) -> str:
    return next((words for bound, words in _CHANCES if probability >= bound), "Rarely")


def _where(found: PairVerdict, comparison: SystemComparison) -> Iterator[Answer]:
    """The groups of segments with the largest and the smallest difference in favour of the first system."""
    contrast = next((each for each in comparison.contrasts if isinstance(each, GroupDifferences)), None)
    groups = [] if contrast is None else [each for each in contrast.groups if not math.isnan(each.better_by)]
    same = [each for each in groups if (each.grouping, each.aggregation) == (groups[0].grouping, groups[0].aggregation)]
    large = [each for each in same if not each.is_small]
    if contrast is None or len(large) < 2:
        return
    sign = 1 if contrast.first == found.first else -1
    large.sort(key=lambda each: sign * each.better_by)
    worst, best = large[0], large[-1]
    detail = (
        f"{metric_label(contrast.metric)} in favour of {found.first}: {signed(sign * best.better_by)} in "
        f"{_part(best)}, {signed(sign * worst.better_by)} in {_part(worst)}."
    )
    yield Answer("Where?", f"Most in {_part(best)}, least in {_part(worst)}", detail, "#groups")


def _part(group: GroupDifference) -> str:
    return group.label if group.grouping in ("domain", "document") else f"{group.grouping} {group.label}"
