"""Would people notice a difference of this size? By the calibration that the comparison used, with its population."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from assay.calibration.files import BUNDLED, bundled
from assay.errors import UnknownNameError
from assay.labels.numbers import joined
from assay.reports.blocks import Block, Heading, PageSection, Sentences
from assay.reports.page.figures import HALF, Wanted, figures
from assay.reports.page.report import Report, distinct_names, numbered
from assay.results import ALL, Calibration, CalibrationCurve, Explanation, SystemComparison
from assay.results.calibration import SIGNIFICANT
from assay.types.note import listed
from assay.words.calibration import cautions, check_words, described
from assay.words.compared_pair import ComparedScore, PairVerdict, pair_verdict
from assay.words.noticed import (
    NoticedScores,
    calibration_name,
    in_hundred,
    noticed_scores,
)
from assay.words.statement import Name

__all__ = ["build"]

_MOST_FIGURES = 2
_LEDE = (
    "A difference can be real and too small to matter. In past campaigns, metrics and people scored the same systems: "
    "how often did people significantly prefer the better-scored one of two that differed as much?"
)


def build(report: Report) -> Iterator[PageSection]:
    """For each comparison that a calibration answers for."""
    found = ((each, pair_verdict(each)) for each in report.of(SystemComparison))
    asked = ((comparison, pair, noticed_scores(pair.scores)) for comparison, pair in found)
    answered = [each for each in asked if each[2]]
    labels = distinct_names([comparison.inputs for comparison, *_ in answered])
    for place, (comparison, pair, groups) in enumerate(answered):
        used = _calibration(comparison, groups, report)
        yield PageSection(
            f"notice{numbered(place)}",
            f"Would people notice? {labels[place]}".strip(),
            "Would people notice?",
            (
                Heading(("The difference between ", Name(pair.first, "a"), " and ", Name(pair.second, "b"))),
                Sentences(tuple(_remarks(comparison, pair, groups, used, report))),
                *(block for group in groups for block in _answers(group)),
                *(() if used is None else figures(list(_charts(groups))[:_MOST_FIGURES], used)),
            ),
            lede=_LEDE,
            eyebrow=labels[place],
            part="Systems",
        )


def _calibration(comparison: SystemComparison, groups: Sequence[NoticedScores], report: Report) -> Calibration | None:
    """The calibration that the comparison used, to be drawn.

    The one that comes with Assay is known by its name. Another may be among the results: it is the one if it gives the
    probabilities of the comparison.
    """
    scores = [score for group in groups for score in group.scores]
    if comparison.settings.get("calibration") == BUNDLED:
        return bundled({score.metric.metric for score in scores})
    return next((each for each in report.of(Calibration) if all(_gives(each, score) for score in scores)), None)


def _gives(calibration: Calibration, score: ComparedScore) -> bool:
    explanation = score.pair.explanation
    if explanation is None or explanation.population is None:
        return False
    population = explanation.population
    try:
        curve = calibration.curve(
            explanation.metric,
            agg=explanation.aggregation,
            protocol=population.protocol,
            group=population.group,
            domain=population.domain,
        )
    except UnknownNameError:
        return False
    return math.isclose(curve.probability(explanation.difference).value, explanation.probability.value)


def _charts(groups: Sequence[NoticedScores]) -> Iterator[Wanted]:
    """The curve of each metric, of the population that answered; corpus scores come first."""
    seen = set()
    for score in (score for group in groups for score in group.scores):
        population = None if score.pair.explanation is None else score.pair.explanation.population
        if population is None or score.metric.metric in seen:
            continue
        seen.add(score.metric.metric)
        of = {"protocol": population.protocol, "group": population.group, "domain": population.domain}
        options = {
            "metric": score.metric.metric,
            "aggregation": score.metric.aggregation,
            "difference": abs(score.favour),
        }
        yield Wanted("calibration", HALF, {**options, **of})


def _answers(group: NoticedScores) -> Iterator[Block]:
    """The answers that rest on the same data, and what is to be known about them."""
    yield Sentences(tuple(f"{in_hundred(score)}." for score in group.scores), "list")
    remarks: dict[str, list[str]] = {}
    for score in group.scores:
        for remark in () if score.pair.explanation is None else _remarks_on(score.pair.explanation):
            remarks.setdefault(remark, []).append(score.label)
    every = len(group.scores)
    texts = (
        remark if len(labels) == every else f"{joined(labels)}: {remark[:1].lower()}{remark[1:]}"
        for remark, labels in remarks.items()
    )
    yield Sentences(tuple(texts), "notes")


def _remarks_on(explanation: Explanation) -> Iterable[str]:
    yield f"Seen in {described(explanation)}."
    if explanation.check is not None:
        yield check_words(explanation)
    yield from cautions(explanation)


def _remarks(
    comparison: SystemComparison,
    pair: PairVerdict,
    groups: Sequence[NoticedScores],
    used: Calibration | None,
    report: Report,
) -> Iterator[str]:
    """What all answers have in common, and what other data say."""
    yield f"The numbers below come from {calibration_name(comparison)}."
    if len(groups) > 1:
        yield "Each list rests on other pairs of systems, so that the lists cannot be compared with each other."
    if not pair.shows_difference:
        yield "No difference is shown between the two systems: this is what it would mean if it were real."
    if used is not None:
        yield from _elsewhere(groups[0].scores[0], used, report)


def _elsewhere(score: ComparedScore, used: Calibration, report: Report) -> Iterator[str]:
    """What the same difference means by other data: other protocols, and other calibrations of the report."""
    others = [each for each in report.of(Calibration) if each is not used]
    difference = abs(score.favour)
    population = None if score.pair.explanation is None else score.pair.explanation.population

    def asked(curve: CalibrationCurve) -> bool:
        of_score = (curve.metric, curve.aggregation) == (score.metric.metric, score.metric.aggregation)
        of_all = curve.population.domain == curve.population.group == ALL  # groups may predict worse
        return of_score and curve.outcome == SIGNIFICANT and of_all

    curves = [(each, "") for each in used if asked(each) and each.population != population]
    for curve in (curve for other in others for curve in other if asked(curve)):
        curves.append((curve, f", {listed(curve.population.campaigns)}, on this page"))
    found = [(each.probability(difference).value, f"{each.population.label}{place}") for each, place in curves]
    known = sorted((value, label) for value, label in found if not math.isnan(value))
    if known:
        texts = (f"{100 * value:.0f} ({label})" for value, label in known)
        yield (
            f"In other data the same difference in {score.label} means something else, of 100: {'; '.join(texts)}. "
            "“assay calibrate” fits curves to your own data."
        )
