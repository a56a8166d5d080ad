from __future__ import annotations

from dataclasses import replace

from assay.reports.documents import Grid
from assay.reports.error_free import document
from assay.reports.labelled import caption_text
from assay.results import ErrorFreeEvaluation, ErrorFreeMetric, Estimate

NONE = Estimate(float("nan"), 100, reason="thresholds come from elsewhere")
AREA = Estimate(0.8, 100, 0.7, 0.9)
FITTED = {"threshold": 80.0, "precision": 0.5, "recall": 0.5, "brier": 0.1, "brier_base_rate": 0.2}


def row(metric: str = "m", lp: str = "en-de", *, f: Estimate = NONE, area: Estimate = AREA, **others: object):
    return ErrorFreeMetric(
        metric=metric, lp=lp, n=100, free=25, units=12, base_rate=0.25, roc_area=area, pr_area=area, f=f, **others
    )


def grids(*rows: ErrorFreeMetric) -> list[Grid]:
    evaluation = ErrorFreeEvaluation(settings={"data": "test"}, human="esa", metrics=rows)
    return [grid for section in document(evaluation).sections for grid in section.grids]


def captions(*rows: ErrorFreeMetric) -> list[str]:
    return [caption_text(caption) for grid in grids(*rows) for caption in grid.captions]


def test_columns_without_a_value_are_left_out_and_the_reason_stands_below() -> None:
    (grid,) = grids(row())
    titles = [column.title for column in grid.columns]
    assert titles == [
        "metric", "language pair", "documents", "ratings", "error-free", "error-free, %", "ROC area", "PR area"
    ]  # fmt: skip
    assert "m: thresholds come from elsewhere" in captions(row())


def test_each_reason_stands_once() -> None:
    found = captions(row(), row("other"))
    assert found.count("m, other: thresholds come from elsewhere") == 1
    assert not any(text.startswith("threshold:") for text in found)


def test_what_is_fitted_elsewhere_and_which_way_is_better_is_said() -> None:
    value = Estimate(0.5, 100)
    (text,) = (each for each in captions(row(f=value, **FITTED)) if each.startswith("threshold:"))
    assert text.endswith("Brier: of probabilities fitted there, lower is better")
    (grid,) = grids(row(f=value, **FITTED))
    assert {"threshold", "F", "Brier", "Brier of the base rate"} <= {column.title for column in grid.columns}


def test_missing_areas_have_their_reason() -> None:
    one_kind = Estimate(float("nan"), 100, reason="no rating found an error")
    assert "en-de: no areas: no rating found an error" in captions(row(area=one_kind))


def test_means_come_first_and_have_their_own_table() -> None:
    first, second = grids(replace(row(lp=""), pairs=2), row())
    assert "pairs" in {column.title for column in first.columns}
    assert "pairs" not in {column.title for column in second.columns}
