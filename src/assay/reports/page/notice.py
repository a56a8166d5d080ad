"""Would people notice a difference of this size? By the calibration that the comparison used, with its population."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from assay.labels.numbers import joined
from assay.reports.blocks import Block, Heading, PageSection, Sentences
from assay.reports.page.figures import HALF, Wanted, figures
from assay.reports.page.report import Report, distinct_names, numbered
from assay.results import ALL, Calibration, CalibrationCurve, Explanation, SystemComparison
from assay.results.calibration import SIGNIFICANT
from assay.types.note import listed
from assay.words.calibration import cautions, check_words, described
from assay.words.compared_pair import PairVerdict, pair_verdict
from assay.words.noticed import (
    NoticedScores,
    UsedCalibration,
    calibration_name,
    in_hundred,
    used_calibration,
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
    asked = ((comparison, pair, used_calibration(pair, comparison, report.results)) for comparison, pair in found)
    answered = [each for each in asked if each[2].groups]
    labels = distinct_names([comparison.inputs for comparison, *_ in answered])
    for place, (comparison, pair, used) in enumerate(answered):
        yield PageSection(
            f"notice{numbered(place)}",
            f"Would people notice? {labels[place]}".strip(),
            "Would people notice?",
            (
                Heading(("The difference between ", Name(pair.first, "a"), " and ", Name(pair.second, "b"))),
                Sentences(tuple(_remarks(comparison, pair, used, report))),
                *(block for group in used.groups for block in _answers(group)),
                *(() if used.calibration is None else figures(list(_charts(used))[:_MOST_FIGURES], used.calibration)),
            ),
            lede=_LEDE,
            eyebrow=labels[place],
            part="Systems",
        )


def _charts(used: UsedCalibration) -> Iterator[Wanted]:
    """The curve of each metric, of the population that answered; corpus scores come first."""
    seen = set()
    for group in used.groups:
        for score, explanation in zip(group.scores, group.explanations, strict=False):
            population, metric = explanation.population, score.metric
            if population is None or metric.metric in seen:
                continue
            seen.add(metric.metric)
            of = {"protocol": population.protocol, "group": population.group, "domain": population.domain}
            options = {"metric": metric.metric, "aggregation": metric.aggregation, "difference": abs(score.favour)}
            yield Wanted("calibration", HALF, {**options, **of})


def _answers(group: NoticedScores) -> Iterator[Block]:
    """The answers that rest on the same data, and what is to be known about them."""
    explanations = group.explanations or (None,) * len(group.scores)
    shares = (in_hundred(score, each) for score, each in zip(group.scores, explanations, strict=True))
    yield Sentences(tuple(f"{share}." for share in shares), "list")
    remarks: dict[str, list[str]] = {}
    for score, explanation in zip(group.scores, group.explanations, strict=False):
        for remark in _remarks_on(explanation):
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


def _remarks(comparison: SystemComparison, pair: PairVerdict, used: UsedCalibration, report: Report) -> Iterator[str]:
    """What all answers have in common, and what other data say; in the words of the comparison if that is all."""
    if used.calibration is None:
        yield from comparison.calibrated
        return
    yield f"The numbers below come from {calibration_name(comparison)}."
    if len(used.groups) > 1:
        yield "Each list rests on other pairs of systems, so that the lists cannot be compared with each other."
    if not (pair.having("ahead") or pair.having("behind")):
        yield "No difference is shown between the two systems: this is what it would mean if it were real."
    yield from _elsewhere(used.groups[0], used.calibration, report)


def _elsewhere(group: NoticedScores, used: Calibration, report: Report) -> Iterator[str]:
    """What the same difference means by other data: other protocols, and other calibrations of the report."""
    score, explanation = group.scores[0], group.explanations[0]
    others = [each for each in report.of(Calibration) if each is not used]
    difference = abs(score.favour)

    def asked(curve: CalibrationCurve) -> bool:
        of_score = (curve.metric, curve.aggregation) == (score.metric.metric, score.metric.aggregation)
        of_all = curve.population.domain == curve.population.group == ALL  # groups may predict worse
        return of_score and curve.outcome == SIGNIFICANT and of_all

    curves = [(each, "") for each in used if asked(each) and each.population != explanation.population]
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
