"""Files of trained metrics: JSON whose digest shows that nothing in it has changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from assay.errors import ConfigError, InputError
from assay.results.result import digest_of_tree
from assay.results.trained_model import Feature, LinearModel, TrainedModel, Tree, TreeModel
from assay.results.training import Training
from assay.trained.wins import WINS

__all__ = ["FORMAT", "TrainedFile"]

FORMAT = 1
"""Version of the model in a file. It grows when a reader of an older version would compute other scores."""
_DIGEST = "digest"
_HINT = "give the file as assay train -o FILE.json wrote it, or train it again"


@dataclass(frozen=True, slots=True, eq=False)
class TrainedFile:
    """What is in the file of a trained metric."""

    digest: str
    features: tuple[Feature, ...]
    model: TrainedModel
    wins: str
    tree: Mapping[str, Any]
    """All of it: what it was trained on, how it was evaluated."""
    path: str

    @classmethod
    def of(cls, tree: Any, path: str) -> TrainedFile:
        """From parsed JSON; whatever is not as it was written is refused."""
        reader = _Reader(path)
        if not isinstance(tree, dict) or not {_DIGEST, "format", "model", "features"} <= tree.keys():
            raise InputError("this is not the file of a trained metric", path=path, hint=_HINT)
        if tree["format"] != FORMAT:
            message = f"the trained metric has format {tree['format']!r}; this version of Assay reads format {FORMAT}"
            raise InputError(message, path=path, hint="train it again with this version")
        try:
            found = digest_of_tree(tree)
        except ValueError:
            reader.fail("a number is not finite")
        if found != tree[_DIGEST]:
            reader.fail(f"its digest is {found}, not {tree[_DIGEST]}")
        features = tuple(reader.feature(each) for each in reader.list(tree, "features"))
        if not features:
            reader.fail("it has no features")
        if tree.get("wins") not in WINS:
            reader.fail(f"wins is not one of {', '.join(WINS)}")
        return cls(found, features, reader.model(tree["model"], len(features)), tree["wins"], tree, path)

    @property
    def training(self) -> Training:
        """The result that was saved: what the metric was trained on, and how it was evaluated."""
        try:
            return Training.of_tree(self.tree, self.model)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            message = "the trained metric does not say what it was trained on, or how it was evaluated"
            raise InputError(message, path=self.path, hint=_HINT) from error


class _Reader:
    """Takes values out of a parsed tree."""

    def __init__(self, path: str) -> None:
        self.path = path

    def fail(self, what: str) -> NoReturn:
        message = f"the trained metric is damaged or was edited: {what}"
        raise InputError(message, path=self.path, hint=_HINT)

    def list(self, tree: Any, key: str) -> Sequence[Any]:
        value = tree.get(key) if isinstance(tree, dict) else None
        if not isinstance(value, list):
            self.fail(f"{key} is not a list")
        return value

    def feature(self, tree: Any) -> Feature:
        text = tree.get("feature") if isinstance(tree, dict) else None
        if not isinstance(text, str):
            self.fail("a feature has no name")
        try:
            return Feature.parse(text)
        except ConfigError as error:
            self.fail(error.message)

    def numbers(self, tree: Any, key: str, length: int | None = None) -> tuple[float, ...]:
        values = self.list(tree, key)
        if not all(isinstance(x, int | float) and not isinstance(x, bool) and math.isfinite(x) for x in values):
            self.fail(f"{key} is not a list of numbers")
        if length is not None and len(values) != length:
            self.fail(f"{key} has {len(values)} numbers, not {length}")
        return tuple(map(float, values))

    def model(self, tree: Any, features: int) -> TrainedModel:
        read: dict[str, Callable[[Any, int], TrainedModel]] = {"linear": self.linear, "trees": self.trees}
        kind = tree.get("kind") if isinstance(tree, dict) else None
        if kind not in read:
            self.fail("its model is of an unknown kind")
        return read[kind](tree, features)

    def linear(self, tree: Any, features: int) -> LinearModel:
        names = ("low", "high", "centre", "scale", "weights")
        low, high, centre, scale, weights = (self.numbers(tree, key, features) for key in names)
        if min(scale) <= 0 or any(least > most for least, most in zip(low, high, strict=True)):
            self.fail("a scale is not positive, or a bound is above the other")
        return LinearModel(low, high, centre, scale, weights)

    def trees(self, tree: Any, features: int) -> TreeModel:
        return TreeModel(tuple(self.one_tree(each, features) for each in self.list(tree, "trees")))

    def one_tree(self, tree: Any, features: int) -> Tree:
        value = self.numbers(tree, "value")
        feature, left, right = (
            tuple(map(int, self.numbers(tree, key, len(value)))) for key in ("feature", "left", "right")
        )
        for node, number in enumerate(feature):
            is_leaf = number == -1
            has_children = node < left[node] < len(value) and node < right[node] < len(value)
            if not (is_leaf or (0 <= number < features and has_children)):
                self.fail("a node of a tree has an unknown feature or child")
        if not value:
            self.fail("a tree is empty")
        return Tree(feature, self.numbers(tree, "threshold", len(value)), left, right, value)
