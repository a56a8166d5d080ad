"""Would people notice a difference of this size? By the calibration that the comparison used, with its population."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from assay.calibration.explanation import Question, answer
from assay.calibration.files import BUNDLED, bundled
from assay.calibration.wording import cautions, described
from assay.reports.html.figures import HALF, Wanted, figures, figures_html
from assay.reports.html.labels import joined
from assay.reports.html.page import PageSection, Report, render
from assay.reports.html.verdict.statement import sized
from assay.reports.html.verdict.systems import ComparedScore, calibration_name, pair_verdict
from assay.reports.labelled import sentence
from assay.results import Calibration, Estimate, Explanation, SystemComparison

__all__ = ["build"]

_MOST_FIGURES = 2


def build(report: Report) -> Iterator[PageSection]:
    """For each comparison that a calibration answers for."""
    comparisons = [each for each in report.of(SystemComparison) if _answered(each)]
    for number, comparison in enumerate(comparisons, 1):
        suffix = f"-{number}" if len(comparisons) > 1 else ""
        scores = _answered(comparison)
        calibration, answers = _used(report, comparison, scores)
        charts = _charts(scores, answers)[:_MOST_FIGURES]
        yield PageSection(
            f"notice{suffix}",
            "Would people notice?",
            "Would people notice?",
            render(
                "templates/notice.html",
                pair=pair_verdict(comparison),
                sentences=list(map(_sentence, scores)),
                sources=list(_sources(comparison, scores, answers)),
                drawn=figures_html(figures(charts, calibration)) if calibration is not None else [],
            ),
            lede="A difference can be real and too small to matter.",
            part="Systems",
        )


def _answered(comparison: SystemComparison) -> list[ComparedScore]:
    """The scores of the pair of the verdict whose difference a calibration covers."""
    scores = pair_verdict(comparison).scores
    return [score for score in scores if score.pair.noticed is not None and not math.isnan(score.pair.noticed.value)]


def _used(
    report: Report, comparison: SystemComparison, scores: Sequence[ComparedScore]
) -> tuple[Calibration | None, tuple[Explanation, ...]]:
    """The calibration that the comparison used, and its answers; none if it is not at hand.

    The one that comes with Assay is known by its name. Another may be in the report: it is the one if it gives the
    probabilities of the comparison.
    """
    is_bundled = comparison.settings.get("calibration") == BUNDLED
    candidates = (bundled({score.metric.metric for score in scores}),) if is_bundled else report.of(Calibration)
    for calibration in candidates:
        answers = tuple(_answer(score, calibration, comparison) for score in scores)
        if all(_is_same(score, each) for score, each in zip(scores, answers, strict=True)):
            return calibration, answers
    return None, ()


def _answer(score: ComparedScore, calibration: Calibration, comparison: SystemComparison) -> Explanation:
    """As the comparison asked."""
    difference = abs(score.pair.difference.value)
    question = Question(score.metric.metric, score.metric.aggregation, difference, comparison.inputs.lp)
    return answer(question, calibration, comparison.settings.get("calibration", ""))


def _is_same(score: ComparedScore, explanation: Explanation) -> bool:
    noticed = score.pair.noticed
    return noticed is not None and math.isclose(noticed.value, explanation.probability.value)


def _charts(scores: Sequence[ComparedScore], answers: Sequence[Explanation]) -> list[Wanted]:
    """The curve of each metric, of the population that answered; corpus scores come first."""
    wanted: dict[str, Wanted] = {}
    for score, explanation in zip(scores, answers, strict=False):
        population = explanation.population
        if population is None or score.metric.metric in wanted:
            continue
        options = {"metric": score.metric.metric, "aggregation": score.metric.aggregation}
        of = {"protocol": population.protocol, "group": population.group, "domain": population.domain}
        wanted[score.metric.metric] = Wanted("calibration", HALF, {**options, **of, "difference": abs(score.favour)})
    return list(wanted.values())


def _sentence(score: ComparedScore) -> str:
    """What people say of differences of this size."""
    noticed = score.pair.noticed or Estimate(math.nan, 0)
    interval = "" if math.isnan(noticed.low) else f" (from {100 * noticed.low:.0f} to {100 * noticed.high:.0f})"
    return (
        f"{score.label}, {sized(score.favour)}: people significantly prefer the better-scored system in "
        f"{100 * noticed.value:.0f} of 100 comparisons with such a difference{interval}."
    )


def _sources(
    comparison: SystemComparison, scores: Sequence[ComparedScore], answers: Sequence[Explanation]
) -> Iterator[str]:
    """What the answers rest on, and why they may not be trusted; in the words of the comparison if that is all."""
    if not answers:
        yield from comparison.calibrated
        return
    yield f"These numbers come from {calibration_name(comparison)}."
    remarks: dict[str, list[str]] = {}
    for score, explanation in zip(scores, answers, strict=True):
        for remark in _remarks(explanation):
            remarks.setdefault(remark, []).append(score.label)
    if len({each.population for each in answers}) > 1:
        yield "Numbers that rest on different pairs of systems cannot be compared with each other."
    for remark, labels in remarks.items():
        yield remark if len(labels) == len(scores) else f"{joined(labels)}: {remark[:1].lower()}{remark[1:]}"


def _remarks(explanation: Explanation) -> Iterable[str]:
    yield f"Seen in {described(explanation)}."
    if explanation.probability.reason:
        yield sentence(explanation.probability.reason)
    yield from cautions(explanation)
