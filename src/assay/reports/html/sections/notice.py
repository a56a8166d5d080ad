"""Would people notice a difference of this size? By a calibration, with its population."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.calibration.files import BUNDLED, open_calibration
from assay.reports.html.figures import HALF, Wanted, figures, figures_html
from assay.reports.html.page import PageSection, Report, render
from assay.reports.html.verdict.statement import sized
from assay.reports.html.verdict.systems import ComparedScore, pair_verdict
from assay.results import Calibration, Estimate, Result, SystemComparison

__all__ = ["build"]

_MOST_FIGURES = 2


def build(report: Report) -> Iterator[PageSection]:
    """For each comparison that a calibration answers for."""
    comparisons = [each for each in report.of(SystemComparison) if _answered(each)]
    for number, comparison in enumerate(comparisons, 1):
        suffix = f"-{number}" if len(comparisons) > 1 else ""
        wanted = [
            Wanted(
                "calibration",
                HALF,
                {
                    "metric": score.metric.metric,
                    "aggregation": score.metric.aggregation,
                    "difference": abs(score.favour),
                },
            )
            for score in _one_of_each_metric(_answered(comparison))[:_MOST_FIGURES]
        ]
        drawn = figures_html(figures(wanted, *_calibrations(report, comparison)))
        yield PageSection(
            f"notice{suffix}",
            "Would people notice?",
            "Would people notice?",
            render(
                "templates/notice.html",
                pair=pair_verdict(comparison),
                sentences=list(map(_sentence, _answered(comparison))),
                sources=comparison.calibrated,
                drawn=drawn,
            ),
            lede="A difference can be real and too small to matter.",
            part="Systems",
        )


def _answered(comparison: SystemComparison) -> list[ComparedScore]:
    """The scores of the pair of the verdict whose difference a calibration covers."""
    scores = pair_verdict(comparison).scores
    return [score for score in scores if score.pair.noticed is not None and not math.isnan(score.pair.noticed.value)]


def _sentence(score: ComparedScore) -> str:
    """What people say of differences of this size."""
    noticed = score.pair.noticed or Estimate(math.nan, 0)
    interval = "" if math.isnan(noticed.low) else f" (from {100 * noticed.low:.0f} to {100 * noticed.high:.0f})"
    return (
        f"{score.label}, {sized(score.favour)}: people significantly prefer the better-scored system in "
        f"{100 * noticed.value:.0f} of 100 comparisons with such a difference{interval}."
    )


def _one_of_each_metric(scores: list[ComparedScore]) -> list[ComparedScore]:
    return list({score.metric.metric: score for score in reversed(scores)}.values())[::-1]


def _calibrations(report: Report, comparison: SystemComparison) -> tuple[Result, ...]:
    """Those of the report, or else the one that comes with Assay if the comparison used it."""
    given = report.of(Calibration)
    if given or comparison.settings.get("calibration") != BUNDLED:
        return given
    opened, _ = open_calibration(BUNDLED)
    return (opened,) if isinstance(opened, Calibration) else ()
