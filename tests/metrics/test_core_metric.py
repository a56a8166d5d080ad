"""The formulas of the core, compared with the same formulas in numpy."""

from __future__ import annotations

import itertools
import pickle
from dataclasses import dataclass

import numpy as np
import pytest

from assay import _core, load, score
from assay.errors import PluginError
from assay.metrics import metric
from assay.metrics.bleu import Bleu
from assay.metrics.chrf import Chrf
from assay.metrics.wer import Wer


def totals(columns, seed, rows=400):
    """Sums of a few segments, many of them without matches or n-grams of some orders."""
    random = np.random.default_rng(seed)
    return random.integers(0, random.choice([1, 2, 3, 50], size=(rows, columns)), size=(rows, columns))


def bleu_totals(max_order, seed):
    table = totals(2 + 2 * max_order, seed)
    matches, ngrams = table[:, 2 : 2 + max_order], table[:, 2 + max_order :]
    ngrams[:] = np.maximum(np.sort(ngrams, axis=1)[:, ::-1], matches.max(axis=1, keepdims=True) * (ngrams > 0))
    matches[ngrams == 0] = 0
    return table


def sacrebleu(row, max_order, smooth, value, effective_order):
    """As sacrebleu.metrics.BLEU.compute_bleu does, row by row."""
    length, reference_length = float(row[0]), float(row[1])
    matches, ngrams = (part.astype(float) for part in (row[2 : 2 + max_order], row[2 + max_order :]))
    if not matches.any():
        return 0.0
    logs, halved, orders = [], 1.0, max_order
    for n in range(max_order):
        if smooth == "add-k" and n > 0:
            matches[n] += value
            ngrams[n] += value
        if ngrams[n] == 0:
            orders = n
            break
        precision = 100 * matches[n] / ngrams[n]
        if matches[n] == 0 and smooth == "exp":
            halved *= 2
            precision = 100 / (halved * ngrams[n])
        if matches[n] == 0 and smooth == "floor":
            precision = 100 * value / ngrams[n]
        logs.append(np.log(precision) if precision else -9999999999.0)
    if not effective_order:
        logs += [-9999999999.0] * (max_order - len(logs))
    mean = np.exp(sum(logs) / (max(orders, 1) if effective_order else max_order))
    penalty = 1.0 if length >= reference_length else np.exp(1 - reference_length / length) if length else 0.0
    return min(100.0, penalty * mean)


@pytest.mark.parametrize(
    ("smooth", "effective_order", "max_order"),
    list(itertools.product(("exp", "floor", "add-k", "none"), (False, True), (1, 4, 6))),
)
def test_bleu(smooth, effective_order, max_order):
    value = {"floor": 0.1, "add-k": 1.0}.get(smooth)
    metric = Bleu(smooth=smooth, smooth_value=value, effective_order=effective_order, max_order=max_order)
    table = bleu_totals(max_order, 7)
    expected = [sacrebleu(row, max_order, smooth, value, effective_order) for row in table]
    np.testing.assert_allclose(metric.score(table), expected, rtol=1e-12, atol=1e-12)
    assert len(set(expected)) > 2


@pytest.mark.parametrize(
    "metric", [Bleu(), Bleu(flavour="mteval"), Bleu(flavour="moses", percent=True), Chrf(word_order=2)]
)
def test_rows_in_any_shape_and_type(metric):
    columns = len(metric.columns)
    table = bleu_totals(4, 3) if columns == 10 else totals(columns, 3)
    expected = metric.score(table)
    assert np.isfinite(expected).all()
    view = metric.formula.scores(memoryview(np.ascontiguousarray(table)))
    assert isinstance(view, memoryview)
    assert np.asarray(view).tobytes() == expected.tobytes()
    assert metric.score(table.reshape(4, 100, columns)).tobytes() == expected.tobytes()
    for other in (
        table.astype(float),
        table.astype(np.int32),
        np.asfortranarray(table),
        table[::-1][::-1],
        table.tolist(),
    ):
        assert metric.score(other).tobytes() == expected.tobytes()
    assert isinstance(float(metric.score(table[5])), float)
    assert metric.score(table[:0]).shape == (0,)
    with pytest.raises(ValueError, match="another number of columns"):
        metric.score(table[:, 1:])


def test_chrf_by_hand():
    rows = np.array([[4, 5, 2, 3, 0, 0], [0, 0, 0, 0, 0, 0], [4, 4, 4, 2, 2, 1]])
    assert Chrf(char_order=2).score(rows) == pytest.approx([100 * 5 * 0.5 * 0.4 / (4 * 0.5 + 0.4), 0, 75])
    assert Chrf(char_order=2, eps_smoothing=True).score(rows)[2] == pytest.approx(75)


def test_a_derived_class_may_compute_scores_itself(monkeypatch):
    metric.names()  # imports all of them
    monkeypatch.setattr(metric, "_types", dict(metric._types))

    @metric("half-bleu")
    @dataclass(frozen=True)
    class HalfBleu(Bleu):
        """Half of BLEU."""

        def score(self, totals):
            return Bleu.score(self, totals) / 2

    testset = load(outputs={"x": ["the cat sat on the mat"]}, references=["the cat sat on a mat"])
    run = score(testset, ["bleu", "half-bleu"], resamples=0)
    bleu, half = run["bleu"], run["half-bleu"]
    assert half.corpus["x"] == bleu.corpus["x"] / 2 > 0
    assert half.segment_mean["x"] == bleu.segment_mean["x"] / 2
    assert half.segments["x"][0] == bleu.segments["x"][0] / 2


class _Undefined(Wer):
    def core_statistics(self, testset, runtime):
        table = np.array(super().core_statistics(testset, runtime))
        return np.where(table[..., :1] > 0, 0, table)

    def defined(self, table):
        return table.any(axis=-1)


class _WrongShape(Wer):
    def core_statistics(self, testset, runtime):
        return np.array(super().core_statistics(testset, runtime))[:, :-1]


class _NotAdditive(Wer):
    def core_statistics(self, testset, runtime):
        return np.array(super().core_statistics(testset, runtime)) * len(testset)


class _Infinite(Wer):
    def core_statistics(self, testset, runtime):
        return np.array(super().core_statistics(testset, runtime)) * np.inf


def test_derived_classes_are_checked_like_any_other_metric(monkeypatch):
    metric.names()  # imports all of them
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    for cls in (_Undefined, _WrongShape, _NotAdditive, _Infinite):
        metric(cls.__name__)(dataclass(frozen=True)(cls))
    testset = load(outputs={"x": ["a b"] * 6 + ["a c"]}, references=["a c"] * 7)
    (found,) = score(testset, _Undefined(), resamples=0).metrics.values()
    assert (found.corpus["x"], found.corpus.estimate("x").n) == (0, 1)
    for cls, message in {
        _WrongShape: "shape",
        _NotAdditive: "the statistics of a segment depend on the other segments",
        _Infinite: "infinite|finite",
    }.items():
        with pytest.raises(PluginError, match=message):
            score(testset, cls(), resamples=0)


def test_results_of_the_core_can_be_pickled():
    testset = load(outputs={"x": ["the cat sat on the mat"]}, references=["the cat sat on a mat"])
    run = score(testset, resamples=0)
    again = pickle.loads(pickle.dumps(run))
    np.testing.assert_array_equal(again["chrf"].statistics.table, run["chrf"].statistics.table)


def test_no_references_are_refused():
    with pytest.raises(ValueError, match="no references"):
        _core.chrf_statistics((), (("a",), ("b",)), 6, 0, False, 2.0, False, 1)
