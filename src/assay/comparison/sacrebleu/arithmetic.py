"""Scores from summed statistics with sacreBLEU's arithmetic, so that every bit of a score is the same.

sacreBLEU scores a corpus in double precision and its bootstrap resamples in single precision, in which it sums them.
Here the type of the totals decides: every operation is done in it, in sacreBLEU's order. Logarithms and exponentials
are Python's, because those of NumPy depend on the processor. Totals are (score, column).

As in sacreBLEU under NumPy 2, a result is float32 unless one of the scores is a Python number.

These functions are for many scores at once. For one score, such as that of a segment, the same arithmetic on Python
numbers is ten times as fast: `assay.compat.sacrebleu.metrics` has it, and tests compare the two in all bits.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from assay.contracts import Metric
from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.metrics.bleu import Bleu
from assay.metrics.chrf import Chrf
from assay.metrics.ter import Ter

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["EPSILON", "LOG_ZERO", "SMOOTHING_VALUE", "Floats", "scores_of_totals", "with_integer_arrays"]

Floats: TypeAlias = "npt.NDArray[np.floating[Any]]"
"""float32 or float64."""

LOG_ZERO = -9999999999
"""sacreBLEU's logarithm of 0."""
EPSILON = 1e-16
"""The smallest precision, recall and F-score in chrF with `eps_smoothing`."""
SMOOTHING_VALUE = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
"""The smoothing methods of BLEU and the default of `smooth_value`, None for methods without one."""


def scores_of_totals(metric: Metric, totals: Floats) -> Floats:
    """The scores of totals (score, column), in single precision if the totals are."""
    match metric:
        case Bleu():
            return _bleu_scores(metric, totals)
        case Chrf():
            return _chrf_scores(metric, totals)
        case Ter():
            return _ter_scores(totals)
    raise ConfigError(f"sacreBLEU does not have {type(metric).__name__}", hint="it has bleu, chrf and ter")


def with_integer_arrays(metric: Metric) -> Metric:
    """How sacreBLEU computes a metric from arrays of integers: NumPy drops the fraction of BLEU's k for add-k."""
    if not isinstance(metric, Bleu) or metric.smooth != "add-k" or metric.smooth_value is None:
        return metric
    return dataclasses.replace(metric, smooth_value=float(int(metric.smooth_value)))


def _bleu_scores(metric: Bleu, totals: Floats) -> Floats:
    """BLEU, which is always in double precision, from precisions in the precision of the totals."""
    precisions, orders = _precisions(metric, totals)
    log: Callable[[float], float] = math.log if (precisions > 0).all() else _log
    logs = map(log, precisions.ravel().tolist())
    rows = zip(*[logs] * metric.max_order, strict=True)  # one call for many numbers is several times faster
    if metric.effective_order:
        rows = (row[:order] for row, order in zip(rows, orders, strict=True))  # type: ignore[assignment]
    means = list(map(math.exp, (np.array(list(map(sum, rows))) / orders).tolist()))
    has_match = (totals[:, 2 : 2 + metric.max_order] != 0).any(axis=1)
    return np.where(has_match, _brevity_penalties(totals[:, 0], totals[:, 1]) * means, 0.0)


def _precisions(metric: Bleu, totals: Floats) -> tuple[Floats, list[int]]:
    """The smoothed precisions in per cent, and the number of orders that count in each row."""
    matches, ngrams = totals[:, 2 : 2 + metric.max_order], totals[:, 2 + metric.max_order :]
    value = (SMOOTHING_VALUE.get(metric.smooth) or 0.0) if metric.smooth_value is None else metric.smooth_value
    if metric.smooth == "add-k":
        added = np.where(np.arange(metric.max_order) > 0, value, 0).astype(totals.dtype)
        matches, ngrams = matches + added, ngrams + added
    counted = np.logical_and.accumulate(ngrams != 0, axis=1)
    unmatched = counted & (matches == 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = 100.0 * matches / ngrams
        if metric.smooth == "exp" and unmatched.any():
            halvings = (2.0 ** np.cumsum(unmatched, axis=1)).astype(totals.dtype)
            precisions = np.where(unmatched, 100.0 / (halvings * ngrams), precisions)
        elif metric.smooth == "floor":
            precisions = np.where(unmatched, (100.0 * value) / ngrams, precisions)
    orders = [metric.max_order] * len(totals)
    if metric.effective_order:
        orders = [order or metric.max_order for order in counted.sum(axis=1).tolist()]
    return np.where(counted, precisions, 0), orders


def _brevity_penalties(outputs: Floats, references: Floats) -> Floats:
    """In double precision, from lengths without their fractions."""
    outputs, references = np.trunc(outputs.astype(np.float64)), np.trunc(references.astype(np.float64))
    penalties = np.where(outputs < references, 0.0, 1.0)
    short = (outputs > 0) & (outputs < references)
    penalties[short] = list(map(math.exp, (1 - references[short] / outputs[short]).tolist()))
    return penalties


def _log(precision: float) -> float:
    return math.log(precision) if precision else LOG_ZERO


def _chrf_scores(metric: Chrf, totals: Floats) -> Floats:
    """chrF from the n-grams of output and reference and their matches, order by order."""
    weight = metric.beta**2
    orders = [totals[:, k : k + 3].T for k in range(0, totals.shape[1], 3)]
    with np.errstate(divide="ignore", invalid="ignore"):
        return (_mean_f if metric.eps_smoothing else _f_of_means)(orders, weight, totals.dtype)


def _f_of_means(orders: list[Floats], weight: float, dtype: np.dtype[Any]) -> Floats:
    """The F-score of mean precision and mean recall over the orders that both sides have n-grams of."""
    size = orders[0].shape[1]
    precision, recall, count = np.zeros(size, dtype), np.zeros(size, dtype), np.zeros(size, dtype)
    for output, reference, match in orders:
        both = (output > 0) & (reference > 0)
        precision = np.where(both, precision + match / output, precision)
        recall = np.where(both, recall + match / reference, recall)
        count += both
    precision, recall = precision / np.maximum(count, 1), recall / np.maximum(count, 1)
    scores = 100 * ((1 + weight) * precision * recall / (weight * precision + recall))
    return _with_numbers(scores, precision + recall == 0, 0.0)


def _mean_f(orders: list[Floats], weight: float, dtype: np.dtype[Any]) -> Floats:
    """The mean F-score of all orders. Those without n-grams or matches have a tiny one, which is a Python number."""
    size, without_ngrams = orders[0].shape[1], (1 + weight) * EPSILON * EPSILON / (weight * EPSILON + EPSILON)
    scores, numbers, is_number = np.zeros(size, dtype), np.zeros(size), np.ones(size, dtype=bool)
    for output, reference, match in orders:
        precision = np.where(output > 0, match / output, dtype.type(EPSILON))
        recall = np.where(reference > 0, match / reference, dtype.type(EPSILON))
        denominator = weight * precision + recall
        has_ngrams = (output > 0) | (reference > 0)
        number = np.where(has_ngrams, EPSILON, without_ngrams)
        computed = has_ngrams & (denominator > 0)
        f_score = np.where(computed, (1 + weight) * precision * recall / denominator, number.astype(dtype))
        scores = np.where(is_number, numbers.astype(dtype), scores) + f_score
        numbers += number
        is_number &= ~computed
    return _with_numbers(100 * scores / len(orders), is_number, 100 * numbers / len(orders))


def _ter_scores(totals: Floats) -> Floats:
    """TER from edits and reference lengths."""
    edits, lengths = totals.T
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = 100 * (edits / lengths)
    return _with_numbers(scores, lengths <= 0, np.where(edits > 0, 100.0, 0.0))


def _with_numbers(scores: Floats, mask: npt.NDArray[np.bool_], numbers: float | Floats) -> Floats:
    """The scores with Python numbers in some places, which make a NumPy array of them double precision."""
    return np.where(mask, numbers, scores.astype(np.float64)) if mask.any() else scores
