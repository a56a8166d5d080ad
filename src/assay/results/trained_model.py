"""From the features of outputs to scores: a weighted sum, or a sum of small trees.

A score is a logit: the probability that the first of two outputs of a segment is the better one is the logistic
function of the difference of their scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.types import FloatArray, IntArray
from assay.types.record import Record

__all__ = ["Feature", "LinearModel", "TrainedModel", "Tree", "TreeModel"]

_COLUMN, _RATIO = "#", "/"


@dataclass(frozen=True, slots=True)
class Feature:
    """A number of an output: the segment score of a metric, a column of its statistics, or the ratio of two columns.

    `chrf`, `hjerson#missing`, `hjerson#output_length/reference_length`.
    """

    spec: str
    column: str = ""
    divisor: str = ""

    @classmethod
    def parse(cls, text: str) -> Feature:
        """The feature that `str` wrote."""
        spec, mark, columns = text.partition(_COLUMN)
        column, slash, divisor = columns.partition(_RATIO)
        if not spec or (mark and not column) or (slash and not divisor):
            raise ConfigError(
                f"'{text}' is not a feature", hint="write a metric, METRIC#COLUMN or METRIC#COLUMN/COLUMN"
            )
        return cls(spec, column, divisor)

    def __str__(self) -> str:
        columns = f"{self.column}{_RATIO}{self.divisor}" if self.divisor else self.column
        return f"{self.spec}{_COLUMN}{columns}" if columns else self.spec


@dataclass(frozen=True, slots=True)
class LinearModel(Record):
    """The weighted sum of standardised features. A feature that was constant in training has the weight 0.

    A value beyond `low` or `high`, which few outputs in training reach, counts as that bound: a line of garbage may
    have a TER of thousands, which nothing in training says anything about, and would decide the mean of a system.
    """

    kind: ClassVar[str] = "linear"
    derived: ClassVar[tuple[str, ...]] = ("kind",)

    low: tuple[float, ...]
    high: tuple[float, ...]
    centre: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[float, ...]

    def __call__(self, x: FloatArray) -> FloatArray:
        """The score of each row of features."""
        z = (np.clip(x, self.low, self.high) - np.array(self.centre)) / np.array(self.scale)
        scores: FloatArray = np.einsum("...f,f->...", z, np.array(self.weights))  # no BLAS: the same on any threads
        return scores

    def scaled(self, factor: float) -> LinearModel:
        """The same with scores multiplied by a factor."""
        return replace(self, weights=tuple(factor * weight for weight in self.weights))

    def rounded(self, digits: int) -> LinearModel:
        """The same with numbers of so many digits."""
        values = (self.low, self.high, self.centre, self.scale, self.weights)
        return LinearModel(*(_rounded(each, digits) for each in values))


@dataclass(frozen=True, slots=True)
class Tree(Record):
    """A binary tree in arrays: at an inner node, a feature of at most the threshold goes left. Leaves have feature -1.

    Children stand after their parents.
    """

    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[float, ...]
    """Of leaves; 0 at inner nodes."""

    def __call__(self, x: FloatArray) -> FloatArray:
        """The value of the leaf that each row (row, feature) reaches."""
        feature, left, right = (np.array(each, dtype=np.intp) for each in (self.feature, self.left, self.right))
        threshold = np.array(self.threshold)
        place: IntArray = np.zeros(len(x), dtype=np.intp)
        rows = np.arange(len(x))
        while (is_inner := feature[place] >= 0).any():
            goes_left = x[rows, np.maximum(feature[place], 0)] <= threshold[place]
            place = np.where(is_inner, np.where(goes_left, left[place], right[place]), place)
        values: FloatArray = np.array(self.value)[place]
        return values

    def scaled(self, factor: float) -> Tree:
        """The same with values multiplied by a factor."""
        return Tree(self.feature, self.threshold, self.left, self.right, tuple(factor * value for value in self.value))

    def rounded(self, digits: int) -> Tree:
        """The same with numbers of so many digits."""
        return Tree(self.feature, _rounded(self.threshold, digits), self.left, self.right, _rounded(self.value, digits))


@dataclass(frozen=True, slots=True)
class TreeModel(Record):
    """The sum of trees."""

    kind: ClassVar[str] = "trees"
    derived: ClassVar[tuple[str, ...]] = ("kind",)

    trees: tuple[Tree, ...]

    def __call__(self, x: FloatArray) -> FloatArray:
        """The score of each row of features."""
        rows = x.reshape(-1, x.shape[-1])
        total = np.zeros(len(rows))
        for tree in self.trees:
            total += tree(rows)
        return total.reshape(x.shape[:-1])

    def scaled(self, factor: float) -> TreeModel:
        """The same with scores multiplied by a factor."""
        return TreeModel(tuple(tree.scaled(factor) for tree in self.trees))

    def rounded(self, digits: int) -> TreeModel:
        """The same with numbers of so many digits."""
        return TreeModel(tuple(tree.rounded(digits) for tree in self.trees))


TrainedModel: TypeAlias = LinearModel | TreeModel


def _rounded(values: Sequence[float], digits: int) -> tuple[float, ...]:
    return tuple(float(f"{value:.{digits}g}") for value in values)
