"""Tables of pairs with all of their numbers: scores, difference, interval, p-value, wins, and what could be shown.

Differences are in favour of the first system: positive where it is better, also under metrics whose lower scores are
better.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.labels.metrics import AGGREGATIONS, metric_label
from assay.labels.numbers import difference_decimals, difference_text, interval_text, number, p_text
from assay.measurement.segment_groups import are_known_documents
from assay.reports.html.tables import Header, Table, TableCell, table_html
from assay.results import ComparedMetric, ComparedPair, Power, SystemComparison
from assay.words.compared_pair import score_label

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["baseline_table", "correction_text", "note_on_test", "single_pair_table"]

_DETECTABLE = (
    "Detectable: the smallest true difference that a test set like this one shows with a probability of 80 %, of one "
    "pair alone. It does not depend on the difference that was found."
)


def single_pair_table(comparison: SystemComparison) -> Markup:
    """The only pair of a comparison: a row for each metric and aggregation."""
    pair = comparison.metrics[0].pairs[0]
    headers = (
        Header("Metric", is_label=True),
        Header("Aggregation", is_label=True),
        Header(pair.first),
        Header(pair.second),
        *_headers(comparison),
    )
    rows = tuple(
        (
            TableCell(metric_label(metric.metric)),
            TableCell(AGGREGATIONS.get(metric.aggregation, metric.aggregation), classes="muted"),
            _score(metric, pair.first),
            _score(metric, pair.second),
            *_cells(metric, metric.pairs[0], comparison),
        )
        for metric in comparison.metrics
    )
    pairs = [metric.pairs[0] for metric in comparison.metrics]
    return table_html(Table(f"{pair.first} against {pair.second}", headers, rows, notes=_notes(comparison, pairs)))


def baseline_table(comparison: SystemComparison, metric: ComparedMetric) -> Markup:
    """All systems against the baseline by one score, the best first, and what people would notice."""
    is_calibrated = any(_noticed(pair) for pair in metric.pairs)
    headers = (
        Header("System", is_label=True),
        Header("Score", is_lowest_best=not metric.higher_is_better),
        *_headers(comparison),
        *((Header("Noticed, %"),) if is_calibrated else ()),
    )
    rows = tuple(
        (
            TableCell(pair.first),
            _score(metric, pair.first),
            *_cells(metric, pair, comparison),
            *((TableCell(_noticed(pair) or "–", classes="number"),) if is_calibrated else ()),
        )
        for pair in metric.pairs
    )
    notes = _notes(comparison, metric.pairs)
    return table_html(Table(f"Differences by {score_label(metric)}", headers, rows, notes=notes, is_sortable=True))


def note_on_test(comparison: SystemComparison) -> str:
    """The test, the correction, from where on a difference is shown, and what was taken as independent."""
    settings, pair = comparison.settings, comparison.metrics[0].pairs[0]
    n = f"{pair.n:,} {settings['unit']}s"
    sentences = [
        f"Test: {pair.test}, {n}; p-values are {correction_text(comparison)}; a difference is shown where "
        f"p < {float(settings['alpha']):g}."
    ]
    documents = comparison.inputs.documents
    if settings["unit"] == "segment" and documents is not None and are_known_documents(documents):
        sentences.append("Segments of a document were taken as independent; --unit document tests whole documents.")
    return " ".join(sentences)


def correction_text(comparison: SystemComparison) -> str:
    """What p-values are corrected for."""
    pairs, scores = len(comparison.metrics[0].pairs), len(comparison.metrics)
    correction = comparison.correction
    if pairs == 1:
        return "not corrected: one pair" + (f" ({scores} scores, each tested alone)" if scores > 1 else "")
    return "not corrected" if correction == "none" else f"corrected for the {pairs} pairs of each score ({correction})"


def _headers(comparison: SystemComparison) -> Iterator[Header]:
    settings = comparison.settings
    yield Header("Better by")
    yield Header(f"{100 * float(settings['confidence']):g} % interval")
    yield Header("p", is_lowest_best=True)
    for outcome in ("Won", "Tied", "Lost"):
        yield Header(outcome if settings["unit"] == "segment" else f"Segments {outcome.lower()}")
    yield Header("Detectable", is_lowest_best=True)
    if "delta" in settings:
        yield Header(f"{settings['unit'].capitalize()}s for {settings['delta']}", is_lowest_best=True)


def _cells(metric: ComparedMetric, pair: ComparedPair, comparison: SystemComparison) -> Iterator[TableCell]:
    """The cells below the headers."""
    favour, decimals = metric.in_favour(pair), difference_decimals(metric.scores)
    is_shown = pair.shows_difference
    look = "strong" if is_shown else "unshown"
    yield TableCell(
        difference_text(favour.value, decimals), "", _in_full(favour.value), f"number {look}", _known(favour.value)
    )
    yield TableCell(interval_text(favour.low, favour.high, decimals), classes="number muted")
    p = pair.p_corrected
    yield TableCell(p_text(p, is_bound=pair.is_bound), "", _in_full(p), "number", _known(p))
    for count in (pair.wins, pair.ties, pair.losses):
        yield TableCell(f"{count:,}", classes="number", order=float(count))
    yield _detectable(pair.power, decimals)
    if "delta" in comparison.settings:
        needed = pair.power.needed
        order = None if needed is None else float(needed)
        yield TableCell("–" if needed is None else f"{needed:,}", classes="number", order=order)


def _detectable(power: Power, decimals: int) -> TableCell:
    text = number(power.detectable, decimals)
    return TableCell(text, "", power.reason or _in_full(power.detectable), "number", _known(power.detectable))


def _score(metric: ComparedMetric, system: str) -> TableCell:
    value = metric.scores[system].value
    return TableCell(number(value, difference_decimals(metric.scores)), "", _in_full(value), "number", _known(value))


def _noticed(pair: ComparedPair) -> str:
    """How many of 100 pairs that differ so much people found different, with the interval; nothing if unknown."""
    if pair.noticed is None or math.isnan(pair.noticed.value):
        return ""
    value, low, high = (100 * each for each in (pair.noticed.value, pair.noticed.low, pair.noticed.high))
    return f"{value:.0f}" if math.isnan(low) else f"{value:.0f} ({low:.0f} to {high:.0f})"


def _notes(comparison: SystemComparison, pairs: list[ComparedPair] | tuple[ComparedPair, ...]) -> tuple[str, ...]:
    """What the columns mean, and why numbers are undefined."""
    reasons = dict.fromkeys(
        f"{pair.first} and {pair.second}: {reason}." for pair in pairs if (reason := pair.reason or pair.power.reason)
    )
    turned = {metric_label(metric.metric): None for metric in comparison.metrics if not metric.higher_is_better}
    direction = (f"Lower is better for {', '.join(turned)}; “better by” is positive there, too.",) if turned else ()
    is_known = any(not math.isnan(pair.power.detectable) for pair in pairs)
    return (*direction, *((_DETECTABLE,) if is_known else ()), *reasons)


def _in_full(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.6g}"


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
