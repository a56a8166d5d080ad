"""The features that trained metrics are made of: segment scores and columns of the statistics of other metrics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assay.contracts import Metric
from assay.errors import ConfigError, UnknownNameError, nearest
from assay.lazily import numpy as np
from assay.metrics import metric as registry
from assay.metrics import statistics_key
from assay.registry import option_texts
from assay.results.trained_model import Feature
from assay.types import Column, FloatArray, Mask, Note, Table, TestSet
from assay.types.annotation import UNNAMED
from assay.types.runtime import Runtime

__all__ = ["FeatureSet"]

_FROM_FILE = re.compile(r"[^/:@]+\.(py|json)@")


@dataclass(frozen=True, slots=True)
class FeatureSet:
    """Features and the metrics that they are of, one for each."""

    features: tuple[Feature, ...]
    metrics: tuple[Metric, ...]

    @classmethod
    def of(cls, features: Iterable[Feature | str], folder: Path | None = None) -> FeatureSet:
        """From their texts. Metrics from files are found in a folder, if their names have none."""
        parsed = [each if isinstance(each, Feature) else Feature.parse(each) for each in features]
        created = [registry.create(_in_folder(each.spec, folder)) for each in parsed]
        named = tuple(
            Feature(registry.spec(made, each.spec), each.column, each.divisor)
            for each, made in zip(parsed, created, strict=True)
        )
        if len(set(named)) < len(named):
            twice = next(str(each) for each in named if named.count(each) > 1)
            raise ConfigError(f"the feature '{twice}' is given twice", hint="leave out one of them")
        for each, made in zip(named, created, strict=True):
            _check_columns(each, made)
        return cls(named, tuple(created))

    def __len__(self) -> int:
        return len(self.features)

    @property
    def names(self) -> tuple[str, ...]:
        """The features as texts."""
        return tuple(map(str, self.features))

    @property
    def needs(self) -> frozenset[str]:
        """What a segment must have for all of them."""
        return frozenset().union(*(each.needs for each in self.metrics))

    def annotators(self, testset: TestSet) -> dict[str, str]:
        """The programs that made the annotation layers which the features read, by layer."""
        layers = sorted(self.needs - {"reference", "source"})
        return {layer: testset.annotators.get(layer, UNNAMED) for layer in layers}

    @property
    def directions(self) -> tuple[int, ...]:
        """1 if higher scores are better, -1 if lower ones are; 0: a column, whose direction is not known."""
        return tuple(
            0 if each.column else 1 if made.higher_is_better else -1
            for each, made in zip(self.features, self.metrics, strict=True)
        )

    @property
    def resources(self) -> dict[str, str]:
        """The digests of the metrics' resources, by feature."""
        found = zip(self.names, self.metrics, strict=True)
        return {f"{name}.{key}": digest for name, made in found for key, digest in made.resources.items()}

    def learnt_segments(self, testset: TestSet) -> Mask | None:
        """Whose judgements one of the metrics was learnt from."""
        found = [mask for made in self.metrics if (mask := made.learnt_segments(testset)) is not None]
        return np.any(found, axis=0) if found else None

    def check_resources(self) -> None:
        """Raise if a file of a metric is missing."""
        for made in self.metrics:
            made.check_resources()

    def layer_columns(self, testset: TestSet, layer: str) -> Iterator[Column]:
        """The columns of an annotation layer that the metrics read."""
        for made in self.metrics:
            if layer in made.needs:
                yield from made.layer_columns(testset, layer)

    def advice(self, testset: TestSet) -> Iterator[Note]:
        """The metrics' notes, without hints: they cannot be changed one by one."""
        for made in dict.fromkeys(self.metrics):
            yield from (replace(note, hint=None) for note in made.advice(testset))

    def prepare(self, testset: TestSet) -> FeatureSet:
        """The same with metrics that are prepared for a test set."""
        prepared: dict[Metric, Metric] = {}
        for each in self.metrics:
            if each not in prepared:
                prepared[each] = each.prepare(testset)
        return FeatureSet(self.features, tuple(prepared[each] for each in self.metrics))

    @property
    def signature(self) -> str:
        """Each prepared metric with all of its options, and the columns that are used of it."""
        return "+".join(map(_text, self.features, self.metrics))

    def values(self, testset: TestSet, runtime: Runtime) -> FloatArray:
        """The values (system, segment, feature) of prepared features, higher is better where a direction is known.

        NaN: there is nothing to score, or the score is undefined.
        """
        values = np.full((len(testset.systems), len(testset), len(self)), np.nan)
        tables: dict[object, tuple[Table, Mask]] = {}
        columns = zip(self.features, self.metrics, self.directions, strict=True)
        for number, (feature, made, direction) in enumerate(columns):
            key = statistics_key(made)
            if key not in tables:
                table = np.asarray(made.statistics(testset, runtime))
                tables[key] = table, made.scorable(testset)
            table, usable = tables[key]
            usable = usable & (made.counted(table) if feature.column else made.defined(table))
            found = _column(feature, made, table) if feature.column else made.segment_form.score(table)
            values[..., number] = np.where(usable, -found if direction < 0 else found, np.nan)
        return values


def _in_folder(spec: str, folder: Path | None) -> str:
    """The spec of a metric from a file, whose name has no folder, with the folder of the trained metric."""
    if folder is None or _FROM_FILE.match(spec) is None:
        return spec
    path = f"{folder.as_posix()}/"
    return f"{path if path.startswith(('/', './', '../')) else f'./{path}'}{spec}"


def _check_columns(feature: Feature, made: Metric) -> None:
    for name in filter(None, (feature.column, feature.divisor)):
        if name not in made.columns:
            message = f"the statistics of {feature.spec} have no column '{name}'"
            raise UnknownNameError(message, hint=nearest(name, made.columns))


def _column(feature: Feature, made: Metric, table: Table) -> FloatArray:
    names: Sequence[str] = made.columns
    values = table[..., names.index(feature.column)].astype(np.float64)
    if not feature.divisor:
        return values
    with np.errstate(invalid="ignore", divide="ignore"):
        divisor = table[..., names.index(feature.divisor)]
        return np.where(divisor != 0, values / divisor, np.nan)


def _text(feature: Feature, prepared: Metric) -> str:
    """A feature with all options of the form whose statistics or segment scores it has."""
    made = prepared if feature.column else prepared.segment_form
    options = ",".join(f"{name}={text}" for name, text in option_texts(made).items() if text)
    return str(Feature(f"{made.name}:{options}" if options else made.name, feature.column, feature.divisor))
