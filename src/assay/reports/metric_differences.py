"""Tests between metrics: ranks beside the values of a table, and the matrix of p-values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
import numpy.typing as npt

from assay.labels.numbers import p_text, p_words
from assay.labels.tests import correction_words, significance_test_label
from assay.reports.cells import BLANK, Cell, Count, Flag, Number, PValue, Text
from assay.reports.documents import Caption, Column, Grid, Section, columns
from assay.reports.labelled import listed_text, metric_text, statistic_text
from assay.results import MetricDifferences
from assay.types.note import listed, plural

__all__ = ["p_value_section", "rank_captions", "rank_column", "verdict", "winner_captions", "with_winners"]

_WINNER = "*"
_OTHER_CELLS = "§"
_MAX_NAMES = 3
_MAX_PAIRS = 3
"""With more language pairs than this, the sentences on each of them give way to one on all."""


def rank_column(metrics: Sequence[str | None], test: MetricDifferences) -> tuple[Column, list[Cell]]:
    """The column of ranks beside values that were tested.

    `metrics` names the metric of each row, None for other rows. A star marks the winners: metrics that no other metric
    is significantly better than.
    """
    return Column("tested rank"), [_rank(test, metric) for metric in metrics]


def with_winners(cells: Sequence[Cell], metrics: Sequence[str | None], test: MetricDifferences | None) -> list[Cell]:
    """Values, as a paper has them, whose winners are flagged, if they were tested; `metrics` as for `rank_column`."""
    winners = () if test is None else test.winners
    return [
        replace(cell, flags=cell.flags | {Flag.AMONG_BEST})
        if metric in winners and Flag.BEST not in cell.flags
        else cell
        for cell, metric in zip(cells, metrics, strict=True)
    ]


def winner_captions(tests: Sequence[MetricDifferences]) -> Iterator[Caption]:
    """The tests, and as remarks what they assume and found."""
    pairs = _counted_pairs(tests) if tests else ""
    for test in {(each.test, each.null): each for each in tests}.values():
        words = f"{significance_test_label(test.test)}, {test.sides}-sided, p < {test.alpha:g}"
        yield Caption("{}", (Text(f"tests: {words}, {correction_words(test.correction, pairs)}"),))
        null = f"null hypothesis of the {significance_test_label(test.test)} test: {test.null}"
        yield Caption("{}", (Text(null),), "remark")
    yield from (replace(each, role="remark") for each in _verdicts(tests))


def _verdicts(tests: Sequence[MetricDifferences]) -> Iterator[Caption]:
    """On the average over language pairs; where it has no test on each of them, or in sum if these are many."""
    headline = [test for test in tests if test.lp is None] or tests
    shown = [test for test in headline if len(test.ranks) > 1]
    if len({test.lp for test in shown}) <= _MAX_PAIRS:
        yield from map(verdict, shown)
    else:
        kinds = dict.fromkeys(test.outliers for test in shown)
        yield from (_most_wins([test for test in shown if test.outliers == kind]) for kind in kinds)


def _most_wins(tests: Sequence[MetricDifferences]) -> Caption:
    """The metrics that are most often winners."""
    wins = Counter(name for test in tests for name in test.winners).most_common(_MAX_NAMES)
    without = "without outliers: " if tests[0].outliers == "dropped" else ""
    counts = ", ".join(["{} on {}"] * len(wins))
    template = f"{without}no metric is significantly better than {counts} of {{}} language pairs"
    return Caption(template, tuple(Text(str(each)) for each in (*chain.from_iterable(wins), len(tests))))


def verdict(test: MetricDifferences, where: str = "") -> Caption:
    """Whether the ranked metric with the highest value is better than the others, in a sentence."""
    best, *others = test.ranks
    worse = [name for name in others if test.is_better(best, name)]
    undecided = [name for name in others if name not in worse]
    is_bound = test.is_bound(best, others[0])
    p = p_words(test.p_value(best, others[0]), alpha=test.alpha, is_bound=is_bound)
    found = f" ({p})" if len(others) == 1 else ""
    place, names = Text(where or _where(test)), (metric_text(best), _listed(worse), _listed(undecided))
    if not undecided:
        than = "{}" if len(worse) <= _MAX_NAMES else "every other metric"
        template = f"{{}}: {{}} agrees significantly better with the human scores than {than}{found}"
        return Caption(template, (place, *names[: template.count("{}") - 1]))
    if not worse:
        template = f"{{}}: {{}} has the highest value, but is not significantly better than {{}}{found}"
        return Caption(template, (place, names[0], names[2]))
    template = "{}: {} agrees significantly better with the human scores than {}, but not than {}"
    return Caption(template, (place, *names))


def _listed(metrics: Sequence[str]) -> Text:
    return listed_text(map(metric_text, metrics), len(metrics))


def _where(test: MetricDifferences) -> str:
    place = test.lp or "average over language pairs"
    return f"{place} without outliers" if test.outliers == "dropped" else place


def _rank(test: MetricDifferences, metric: str | None) -> Cell:
    if metric not in test.ranks:
        return BLANK
    is_winner = metric in test.winners
    text = f"{test.ranks[metric]}{_WINNER if is_winner else ' '}"
    return Text(text, frozenset({Flag.BEST}) if is_winner else frozenset())


def rank_captions(tests: Sequence[MetricDifferences]) -> Iterator[Caption]:
    """How ranks were made, for all columns alike, the metrics that have none, and what was found."""
    pairs = _counted_pairs(tests) if tests else ""
    for words, in_full, null in dict.fromkeys(
        (_test_words(test, pairs), _test_words(test, pairs, is_label=True), test.null) for test in tests
    ):
        text = (
            f"tested rank: {words}; {_WINNER} no metric is significantly better, at any rank. Null hypothesis: {null}"
        )
        label = (
            "Tested rank: a new one starts at a metric that some metric of the current one is significantly better "
            f"than; {_WINNER} marks the metrics that no metric is significantly better than ({in_full}). "
            f"Null hypothesis: {null}."
        )
        yield Caption("{}", (Text(text, label=label),))
    unranked = dict.fromkeys(name for test in tests for name in np.array(test.metrics)[test.lacks_systems].tolist())
    if unranked:
        yield Caption("no tested rank where metrics have fewer systems than most: {}", (Text(listed(unranked)),))
    yield from _verdicts(tests)


def _counted_pairs(tests: Sequence[MetricDifferences]) -> str:
    counts = [int((~np.isnan(test.uncorrected)).sum()) // 2 for test in tests]
    return f"{'' if len(set(counts)) == 1 else 'up to '}{plural(max(counts), 'pair')} of metrics"


def _test_words(test: MetricDifferences, pairs: str, *, is_label: bool = False) -> str:
    """The test, the level of significance, and what p-values are counted over."""
    corrected = correction_words(test.correction, pairs)
    name = significance_test_label(test.test) if is_label else test.test
    return ", ".join((name, f"{test.sides}-sided p < {test.alpha:g}", corrected, *_draws_words(test)))


def _draws_words(test: MetricDifferences) -> Iterator[str]:
    """How p-values were counted; nothing for a test that computes them."""
    is_tested = ~np.isnan(test.p_values)
    if not test.resamples or not is_tested.any():
        return
    if test.is_exact[is_tested].all():
        yield "exact"
        return
    yield f"{plural(test.resamples, 'resample')}" + (", exact where there are no more" if test.is_exact.any() else "")
    smallest = float(test.smallest_p[is_tested & ~test.is_exact].min())
    if smallest > 0:
        yield f"so that p is at least {p_text(smallest, alpha=test.alpha)}"


def p_value_section(test: MetricDifferences) -> Section:
    """The p-values of all pairs, the best metric first."""
    title = "p: row better than column" if test.sides == "one" else "p: row and column differ (two-sided)"
    captions = [
        Caption(
            "{}: {}",
            (
                statistic_text(test.statistic),
                Text(
                    _test_words(test, _counted_pairs([test])),
                    label=_test_words(test, _counted_pairs([test]), is_label=True),
                ),
            ),
        )
    ]
    if _on_fewer_cells(test).any():
        captions.append(Caption(f"{_OTHER_CELLS} on fewer cells than n, which counts those of a metric's value"))
    grid = Grid(columns((title, "value", "n", *test.metrics)), tuple(_rows(test)), tuple(captions))
    return Section((grid,), _where(test))


def _rows(test: MetricDifferences) -> Iterator[tuple[Cell, ...]]:
    is_marked = _on_fewer_cells(test)
    for k, name in enumerate(test.metrics):
        flags = (frozenset({Flag.OTHER_CELLS} if marked else ()) for marked in is_marked[k].tolist())
        columns_of_row = zip(test.p_values[k].tolist(), flags, test.bounds[k].tolist(), strict=True)
        cells = (PValue(p, test.alpha, each, is_bound) for p, each, is_bound in columns_of_row)
        yield metric_text(name), Number(float(test.values[k]), 3), Count(int(test.n[k, k])), *cells


def _on_fewer_cells(test: MetricDifferences) -> npt.NDArray[np.bool_]:
    """(metric, metric): the tested pairs that lack systems or segment scores which one of the two values rests on."""
    own = np.diag(test.n)
    return ~np.isnan(test.p_values) & (test.n < np.maximum.outer(own, own))
