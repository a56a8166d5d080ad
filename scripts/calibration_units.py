"""How many preferences are significant by segments and by whole documents: tables in docs/methods/calibration.md.

    python -m scripts.calibration_units

WMT24 and WMT25 are calibrated twice: once by the test of segments that the bundled calibration has, and once by a test
that swaps whole documents, because the segments of a document depend on each other.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np

import assay
from assay.calibration.options import STORED as STORED_SCORES
from assay.calibration.options import STORED_SEGMENT
from assay.labels.metrics import metric_label
from assay.results import Calibration, CalibrationCurve, JudgedPairs
from assay.results.calibration import SIGNIFICANT
from scripts import archives
from scripts.bundle_calibration import MIN_SEGMENTS, STORED
from scripts.calibration_eras import PAGE
from scripts.studies.page import table

START, END = "<!-- written by scripts/calibration_units.py -->", "<!-- end of the tables of units -->"
CAMPAIGNS = ("wmt24", "wmt25")
LEXICAL = ("bleu", "chrf")
UNITS = ("segment", "document")
LEVEL = 0.8


def main() -> None:
    """Write the tables."""
    found = {name: {unit: _calibrated(name, unit) for unit in UNITS} for name in CAMPAIGNS}
    shares = [row for name in CAMPAIGNS for row in _share_rows(name, found[name])]
    scores = [row for name in CAMPAIGNS for row in _score_rows(name, found[name])]
    text = "\n\n".join(
        (
            table(("campaign", "language pair", "pairs", "by segments", "by documents"), shares, texts=2),
            "The better-scored and the worse-scored system of a pair that people significantly prefer, by segments and "
            f"by documents, and the difference from which on they prefer the better one in {100 * LEVEL:.0f} % of the "
            "pairs:",
            table(
                ("campaign", "metric", "by segments", "by documents", "80 % by segments", "80 % by documents"),
                scores,
                texts=2,
            ),
        )
    )
    page = PAGE.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(START)}.*?{re.escape(END)}", re.DOTALL)
    if not pattern.search(page):
        raise SystemExit(f"{PAGE} has no place for the tables")
    PAGE.write_text(pattern.sub(lambda _: f"{START}\n\n{text}\n\n{END}", page), encoding="utf-8")


def _calibrated(name: str, unit: str) -> Calibration:
    campaigns = assay.load_campaigns(archives.unpacked(name))
    known = {each.name for campaign in campaigns for each in campaign.metrics}
    return assay.calibrate(
        campaigns,
        metrics=LEXICAL,
        stored=tuple(each for each in STORED if each in known),
        agg=("corpus",),
        min_segments=MIN_SEGMENTS,
        unit=unit,
        resamples=0,
    )


def _share_rows(name: str, found: dict[str, Calibration]) -> Iterator[tuple[str, ...]]:
    """All language pairs of a campaign whose documents are known, then each of them."""
    first, second = ({each.lp: each for each in found[unit].pairs if each.protocol == "ESA"} for unit in UNITS)
    known = [lp for lp in first if lp in second]
    yield name, "all", *_shares([first[lp] for lp in known], [second[lp] for lp in known])
    for lp in known:
        yield name, lp, *_shares([first[lp]], [second[lp]])
    for lp in first:
        if lp not in second:
            yield name, lp, f"{len(first[lp].preference):,}", _significant([first[lp]]), "–"


def _shares(first: list[JudgedPairs], second: list[JudgedPairs]) -> tuple[str, str, str]:
    """The number of pairs, and how many are significant by segments and by documents."""
    return f"{sum(len(each.preference) for each in first):,}", _significant(first), _significant(second)


def _significant(pairs: list[JudgedPairs]) -> str:
    preferences = np.concatenate([each.preference for each in pairs])
    return f"{100 * (np.abs(preferences) == 2).mean():.0f} %"


def _score_rows(name: str, found: dict[str, Calibration]) -> Iterator[tuple[str, ...]]:
    curves = {unit: {each.metric: each for each in found[unit] if _is_whole(each)} for unit in UNITS}
    for metric in curves[UNITS[0]]:
        of_metric = [curves[unit][metric] for unit in UNITS]
        yield name, metric_label(metric), *map(_sides, of_metric), *map(_cutoff, of_metric)


def _is_whole(curve: CalibrationCurve) -> bool:
    population = curve.population
    is_score = curve.aggregation in ("corpus", STORED_SCORES, STORED_SEGMENT)
    return is_score and curve.outcome == SIGNIFICANT and population.label == "ESA"


def _sides(curve: CalibrationCurve) -> str:
    return f"{100 * curve.base_rate:.0f} / {100 * float(curve.opposite[0]) / curve.population.pairs:.0f} %"


def _cutoff(curve: CalibrationCurve) -> str:
    value = curve.cutoffs[LEVEL].value
    return "–" if math.isnan(value) else f"{value:.2g}"


if __name__ == "__main__":
    main()
