"""Gradient boosting of small trees on preferences (Friedman 2001, with the pairwise loss of Burges et al. 2005).

The loss of a preference is log(1 + exp(worse - better)). Each tree is fitted to the gradients of outputs by Newton's
method on histograms of the features. A feature whose direction is known never lowers the score: a split on it needs a
higher right side, and the leaves below stay on their side of the mean of the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.lazily import numpy as np
from assay.logistic import sigmoid
from assay.results.trained_model import Tree
from assay.types import FloatArray, IntArray

__all__ = ["STAGES", "boosted_trees"]

STAGES = (20, 60, 120)
"""Numbers of trees to choose from."""
_DEPTH = 3
_BINS = 64
_RATE = 0.15
_PENALTY = 1.0  # on values of leaves
_MIN_SHARE = 0.005  # of the outputs, in a leaf
_MIN_OUTPUTS = 10
_MIN_GAIN = 1e-9


@dataclass(slots=True)
class _TreeNodes:
    """The nodes of a tree that is being grown."""

    feature: list[int] = field(default_factory=list)
    threshold: list[float] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    value: list[float] = field(default_factory=list)

    def add(self, value: float) -> int:
        """A leaf, and its number."""
        for column, entry in ((self.feature, -1), (self.left, -1), (self.right, -1)):
            column.append(entry)
        self.threshold.append(0.0)
        self.value.append(value)
        return len(self.value) - 1

    def tree(self) -> Tree:
        """The finished tree."""
        return Tree(*map(tuple, (self.feature, self.threshold, self.left, self.right, self.value)))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class _Split:
    """The best split of a node."""

    feature: int
    bin: int
    left: float
    right: float


@dataclass(frozen=True, slots=True, eq=False)
class _TreeBuilder:
    """Grows one tree on outputs with gradients and curvatures."""

    bins: IntArray
    edges: Sequence[FloatArray]
    directions: tuple[int, ...]
    gradient: FloatArray
    curvature: FloatArray
    least: int

    def grow(self) -> Tree:
        """A tree of at most three splits from root to leaf."""
        nodes = _TreeNodes()
        rows = np.arange(len(self.bins))
        nodes.add(_leaf(self.gradient.sum(), self.curvature.sum()) * _RATE)
        self._split(nodes, 0, rows, -np.inf, np.inf, _DEPTH)
        return nodes.tree()

    def _split(self, nodes: _TreeNodes, node: int, rows: IntArray, low: float, high: float, depth: int) -> None:
        split = self._best(rows, low, high) if depth and len(rows) >= 2 * self.least else None
        if split is None:
            return
        goes_left = self.bins[rows, split.feature] <= split.bin
        left, right = nodes.add(split.left * _RATE), nodes.add(split.right * _RATE)
        nodes.feature[node], nodes.threshold[node] = split.feature, float(self.edges[split.feature][split.bin])
        nodes.left[node], nodes.right[node], nodes.value[node] = left, right, 0.0
        middle = (split.left + split.right) / 2
        is_bound = self.directions[split.feature] > 0
        self._split(nodes, left, rows[goes_left], low, min(high, middle) if is_bound else high, depth - 1)
        self._split(nodes, right, rows[~goes_left], max(low, middle) if is_bound else low, high, depth - 1)

    def _best(self, rows: IntArray, low: float, high: float) -> _Split | None:
        """The split with the highest gain, of equal ones the first."""
        gradient, curvature = self.gradient[rows], self.curvature[rows]
        total_g, total_h = gradient.sum(), curvature.sum()
        whole = np.clip(_leaf(total_g, total_h), low, high)
        base = _gain(whole, total_g, total_h)
        best: tuple[float, _Split] | None = None
        for number, edges in enumerate(self.edges):
            if not len(edges):
                continue
            place = self.bins[rows, number]
            size = len(edges) + 1
            counts = np.cumsum(np.bincount(place, minlength=size))[:-1]
            left_g = np.cumsum(np.bincount(place, gradient, size))[:-1]
            left_h = np.cumsum(np.bincount(place, curvature, size))[:-1]
            left = np.clip(_leaf(left_g, left_h), low, high)
            right = np.clip(_leaf(total_g - left_g, total_h - left_h), low, high)
            gain = _gain(left, left_g, left_h) + _gain(right, total_g - left_g, total_h - left_h) - base
            allowed = (counts >= self.least) & (len(rows) - counts >= self.least)
            if self.directions[number] > 0:
                allowed &= right >= left
            gain = np.where(allowed, gain, -np.inf)
            place_of_best = int(np.argmax(gain))
            if gain[place_of_best] > (best[0] if best else _MIN_GAIN * len(self.bins)):
                at = place_of_best
                best = float(gain[at]), _Split(number, at, float(left[at]), float(right[at]))
        return None if best is None else best[1]


def boosted_trees(x: FloatArray, better: IntArray, worse: IntArray, directions: tuple[int, ...]) -> list[Tree]:
    """Trees whose sum prefers the better outputs, as many as the last stage unless no split helps any more."""
    used, index = np.unique(np.concatenate([better, worse]), return_inverse=True)
    better, worse = np.split(index, 2)
    rows = x[used]
    edges = [_edges(column) for column in rows.T]
    bins = np.stack([np.searchsorted(cuts, column, side="left") for cuts, column in zip(edges, rows.T, strict=True)], 1)
    least = max(_MIN_OUTPUTS, int(_MIN_SHARE * len(rows)))
    scores = np.zeros(len(rows))
    trees: list[Tree] = []
    for _ in range(STAGES[-1]):
        p_wrong = 1 - sigmoid(scores[better] - scores[worse])
        gradient = _sums(better, p_wrong, len(rows)) - _sums(worse, p_wrong, len(rows))
        curve = p_wrong * (1 - p_wrong)
        curvature = _sums(better, curve, len(rows)) + _sums(worse, curve, len(rows))
        tree = _TreeBuilder(bins, edges, directions, gradient, curvature, least).grow()
        if len(tree.value) == 1:
            break
        trees.append(tree)
        scores += tree(rows)
    return trees


def _sums(place: IntArray, values: FloatArray, size: int) -> FloatArray:
    """The sum of the values at each place."""
    return np.asarray(np.bincount(place, values, size), dtype=np.float64)


def _edges(column: FloatArray) -> FloatArray:
    """Values between which a split may be: quantiles, without the largest value."""
    cuts = np.unique(np.quantile(column, np.linspace(0, 1, _BINS + 1)[1:-1], method="lower"))
    return np.asarray(cuts[cuts < column.max()])


def _leaf(gradient: Any, curvature: Any) -> Any:
    """The value of a leaf, or of several, from sums over its outputs."""
    return gradient / (curvature + _PENALTY)


def _gain(value: Any, gradient: Any, curvature: Any) -> Any:
    """How much a leaf of this value lowers the loss, to the second order."""
    return gradient * value - 0.5 * (curvature + _PENALTY) * value**2
