"""Ensembles: the weighted mean of other metrics' segment scores, as they are or standardised."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, get_args

from assay.contracts import AUTO, BY_ITSELF, Metric
from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.metrics import metric
from assay.metrics.feature_values import FeatureSet
from assay.options.checks import check_choice
from assay.registry import NestedSpec
from assay.types import Column, FloatArray, Mask, Note, NoteKind, Table, TestSet, ratio_of_sums
from assay.types.note import plural
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Ensemble"]

_Scale = Literal["none", "z"]
_SIZES = {1: 2.0, -1: 25.0}
"""By direction, the largest scores of metrics whose statistics may differ between runs: COMET's and MetricX's."""


@metric("ensemble")
@dataclass(frozen=True)
class Ensemble(Metric):
    """The weighted mean of the segment scores of other metrics; scores of which lower is better are negated.

    score = sum of weight * score / sum of weights, where with scale=z a score is (score - mean) / sd

    Options: metrics, joined by + (one with several options or a + in parentheses); weights, one for each, joined by +
    (default: equal); scale (none; z: standardised); mean, sd of each metric's scores, joined by + (auto: of all outputs
    of the run). If lower is better for all metrics, it is for the ensemble.
    """

    labels = ("Ensemble",)
    default_aggregation = "segment"

    metrics: NestedSpec = ""
    weights: str = ""
    scale: _Scale = "none"
    mean: str = AUTO
    sd: str = AUTO
    members: str = AUTO  # set by `prepare`: the metrics with all their options
    prepared: FeatureSet | None = field(default=None, compare=False, repr=False)
    systems: int = field(default=0, compare=False, repr=False)
    """The number of systems that mean and sd are of; 0 if they were given."""

    def __post_init__(self) -> None:
        check_choice("scale", self.scale, get_args(_Scale))
        if self.members != AUTO and self.prepared is None:
            raise ValueError("members cannot be chosen: they are set when a test set is scored")
        if not self.metrics:
            return
        if any(weight <= 0 for weight in self._weights):
            raise ConfigError(f"weights={self.weights}: a weight must be above 0")
        if self.scale == "none" and {self.mean, self.sd} != {AUTO}:
            raise ConfigError("mean and sd are of standardised scores", hint="write scale=z")
        if (self.mean == AUTO) != (self.sd == AUTO):
            raise ConfigError("give both mean and sd, or none of them")
        if self.mean != AUTO and self.prepared is None:
            self._numbers("mean", self.mean)
            if any(sd <= 0 for sd in self._numbers("sd", self.sd)):
                raise ConfigError(f"sd={self.sd}: a standard deviation must be above 0")

    @functools.cached_property
    def _given(self) -> FeatureSet:
        """The metrics as they were given."""
        if not self.metrics:
            raise ConfigError("an ensemble needs metrics", hint="ensemble:metrics=chrf+ter; in general, A+B+C")
        specs = _members(self.metrics)
        made = [metric.create(spec) for spec in specs]
        for spec, each in zip(specs, made, strict=True):
            if specs.count(spec) > 1 or made.count(each) > 1:
                raise ConfigError(f"the ensemble has the metric '{spec}' twice", hint="give it a weight instead")
            if each.depends_on_systems:
                raise ConfigError(f"'{spec}' depends on the other systems", hint=BY_ITSELF)
        return FeatureSet.of(specs)

    @property
    def _features(self) -> FeatureSet:
        return self.prepared or self._given

    @property
    def _weights(self) -> list[float]:
        return self._numbers("weights", self.weights) if self.weights else [1.0] * len(self._given)

    def _numbers(self, name: str, text: str) -> list[float]:
        """A number for each metric."""
        try:
            numbers = [float(piece) for piece in re.split(r"(?<![eE])\+", text)]
        except ValueError:
            numbers = []
        if len(numbers) != len(self._given) or not all(map(math.isfinite, numbers)):
            number = plural(len(self._given), "number")
            raise ConfigError(f"{name}={text}: expected {number}, one for each metric", hint=f"{name}=1+2")
        return numbers

    @property
    def _sign(self) -> int:
        """-1 if lower is better for all metrics, whose values are negated."""
        return -1 if self.metrics and set(self._features.directions) == {-1} else 1

    @property
    def higher_is_better(self) -> bool:
        return self._sign > 0

    @property
    def undefined(self) -> str:  # type: ignore[override]  # it depends on an option
        """Why an output whose texts are there may have no score."""
        if self.scale == "z" and "0" in self.sd.split("+"):
            return "all scores of one of its metrics are equal, so that they cannot be standardised"
        return "one of its metrics is undefined"

    @property
    def parts(self) -> tuple[Metric, ...]:
        """The metrics of which it is the mean."""
        return self._features.metrics if self.metrics else ()

    @property
    def needs(self) -> frozenset[str]:
        return self._features.needs if self.metrics else frozenset({"reference"})

    @property
    def columns(self) -> tuple[str, ...]:
        return ("score", "count")

    @property
    def tolerance(self) -> float:  # type: ignore[override]  # it depends on options
        """The tolerances of its metrics, multiplied by their weights."""
        if not self.metrics:
            return 0.0
        metrics = self._features.metrics
        sds = self._numbers("sd", self.sd) if self.scale == "z" and self.sd != AUTO else [1.0] * len(metrics)
        weighted = zip(self._weights, metrics, self._features.directions, sds, strict=True)
        differences = (w * made.tolerance * _SIZES[direction] / sd for w, made, direction, sd in weighted if sd)
        return sum(differences) / sum(self._weights)

    @property
    def resources(self) -> Mapping[str, str]:
        """Those of its metrics."""
        return self._features.resources if self.metrics else {}

    def check_resources(self) -> None:
        self._features.check_resources()

    def learnt_segments(self, testset: TestSet) -> Mask | None:
        return self._features.learnt_segments(testset)

    def layer_columns(self, testset: TestSet, layer: str) -> Iterator[Column]:
        return self._features.layer_columns(testset, layer)

    def prepare(self, testset: TestSet) -> Ensemble:
        prepared = self._given.prepare(testset)
        mean, sd = self.mean, self.sd
        if self.scale == "z" and mean == AUTO:
            mean, sd = self._moments(prepared, testset)
        systems = len(testset.systems) if (mean, sd) != (self.mean, self.sd) else self.systems
        return replace(self, mean=mean, sd=sd, members=prepared.signature, prepared=prepared, systems=systems)

    def _moments(self, prepared: FeatureSet, testset: TestSet) -> tuple[str, str]:
        """Mean and standard deviation of each metric over all outputs that it can score, as it writes its scores."""
        if neural := [spec for spec, made in zip(prepared.names, prepared.metrics, strict=True) if made.tolerance]:
            hint = "score other texts with it first, and give mean=… and sd=…, a number for each metric"
            raise ConfigError(
                f"scale=z cannot take mean and sd from this run for {neural[0]}, which runs a model", hint=hint
            )
        values = prepared.values(testset, Runtime())
        means, sds = [], []
        for number, direction in enumerate(prepared.directions):
            known = values[..., number][~np.isnan(values[..., number])] * (direction or 1)
            means.append(known.mean() if known.size else 0.0)
            sds.append(known.std() if known.size else 0.0)
        return _joined(means), _joined(sds)

    def advice(self, testset: TestSet) -> Iterator[Note]:
        yield from self._features.advice(testset)
        if self.systems:
            systems = plural(self.systems, "system")
            text = (
                f"scores are standardised over all outputs of this run ({systems}): they cannot be compared with those "
                "of a run with others"
            )
            hint = f"to use the same constants there, give mean={self.mean},sd={self.sd}"
            yield Note(NoteKind.ADVICE, text, where=self.name, hint=hint)

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        features = self.prepared or self._given.prepare(testset)
        scores = self._combined(features.values(testset, runtime), features.directions)
        known = ~np.isnan(scores)
        return np.stack([np.where(known, scores, 0.0), known.astype(np.float64)], axis=-1)

    def _combined(self, values: FloatArray, directions: Sequence[int]) -> FloatArray:
        """Of values (…, metric) where higher is better; NaN where one of them is."""
        if self.scale == "z":
            mean = np.array(self._numbers("mean", self.mean)) * np.array(directions)
            sd = np.array(self._numbers("sd", self.sd))
            values = np.divide(values - mean, sd, out=np.full_like(values, np.nan), where=sd > 0)
        weights = np.array(self._weights)
        combined: FloatArray = self._sign * np.einsum("...m,m->...", values, weights / weights.sum())
        return combined

    def defined(self, table: Table) -> npt.NDArray[np.bool_]:
        return np.asarray(table)[..., 1] > 0

    def score(self, totals: Table) -> FloatArray:
        return ratio_of_sums(totals)


def _joined(numbers: Sequence[float]) -> str:
    return "+".join(f"{number:.10g}" for number in numbers)


def _members(text: str) -> list[str]:
    """The specs of a list, at a + outside parentheses. In chrf+++ter, the last + is between two metrics."""
    specs, depth = [""], 0
    for piece in re.split(r"([()]|\+(?=[^+]))", text):
        if piece == "+" and depth == 0:
            specs.append("")
            continue
        depth += (piece == "(") - (piece == ")")
        specs[-1] += piece
    if depth or not all(map(str.strip, specs)):
        raise ConfigError(f"metrics={text} is not a list of metrics", hint="write A+B, or ((A)+(B)) around A with a +")
    return [_without_parentheses(spec.strip()) for spec in specs]


def _without_parentheses(spec: str) -> str:
    inner = spec[1:-1] if spec.startswith("(") and spec.endswith(")") else spec
    if "#" in inner:
        raise ConfigError(f"'{inner}' is a column, not a metric", hint="an ensemble has scores of metrics")
    return inner
