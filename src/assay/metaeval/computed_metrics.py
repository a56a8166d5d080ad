"""Metrics computed from the texts of a campaign: system scores under an aggregation, over any of the segments."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

from assay.aggregate import mean_of_resamples
from assay.aggregate.resample import RESAMPLES, SEED, Bootstrap
from assay.errors import ConfigError, option_name
from assay.lazily import numpy as np
from assay.measurement import AGGREGATIONS, Measured, Measurements, check_finite, measure, naming_metric
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.options.checks import check_choice
from assay.options.option import METRICS, Option
from assay.types import FloatArray, Note, NoteKind, Scorable, ScoreTable, TestSet
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Aggregated", "Aggregations", "MetricAggregations", "computed_metrics"]

_PREFIXES = {"corpus": "", "segment": "m-", "bootstrap": "x-"}
"""What the name of a row begins with if aggregations are chosen: BLEU, m-BLEU and x-BLEU (Cavalin et al. 2024)."""
_PATH = re.compile(r"\w+://[^,()]*|[^:=,()]*[/\\][^:=,()]*")
_SEPARATOR = re.compile(r"[/\\]")


MetricAggregations = Annotated[
    str | Iterable[str] | None,
    Option(
        "How to aggregate computed metrics: corpus, segment (rows m-...) or bootstrap (rows x-...: the mean over 1000 "
        "resamples).",
        group=METRICS,
        noun="aggregation",
        choices=AGGREGATIONS,
        metavar="NAME",
        default="as usual for the metric",
    ),
]


@dataclass(frozen=True, slots=True)
class Aggregations:
    """How segments become the score of a system; no names: in the way that the literature means by the metric."""

    names: tuple[str, ...] = ()
    size: int | None = None
    """Number of segments in a resample of the bootstrap aggregation; None: all."""
    seed: int = SEED

    def __post_init__(self) -> None:
        for name in self.names:
            check_choice("aggregation", name, AGGREGATIONS)
        if self.size is not None and not self.draws:
            message = f"{option_name('size')} has no effect without the bootstrap aggregation"
            raise ConfigError(message, hint=f"add it: {option_name('agg', 'bootstrap')}")

    @property
    def draws(self) -> bool:
        """Whether an aggregation draws resamples."""
        return "bootstrap" in self.names

    def of(self, measured: Measured, row_name: str) -> Iterator[tuple[str, str]]:
        """Each aggregation of a metric, with the name of its row."""
        if not self.names:
            yield measured.metric.default_aggregation, row_name
        for name in dict.fromkeys(self.names):
            yield name, f"{_PREFIXES[name]}{row_name}"

    @property
    def bootstrap(self) -> Bootstrap:
        """As many resamples as in the paper, whatever number the intervals use."""
        return Bootstrap(RESAMPLES, self.size, self.seed)

    @property
    def settings(self) -> dict[str, str]:
        """What the scores depend on."""
        settings = {"agg": "+".join(dict.fromkeys(self.names))} if self.names else {}
        return settings if self.size is None else {**settings, "size": str(self.size)}


@dataclass(frozen=True, slots=True, eq=False)
class Aggregated:
    """The scores of systems over any of the segments that are scored for all systems."""

    scorable: Scorable
    is_common: npt.NDArray[np.bool_]
    """Whether a segment is scored for all systems that have scores, as `assay.score` requires."""
    bootstrap: Bootstrap | None
    """None: the score of all segments once, not the mean over resamples."""
    runtime: Runtime

    def __call__(self, systems: Sequence[str], mask: npt.NDArray[np.bool_]) -> FloatArray:
        """One score for each of the systems, over the cells (system, segment) in the mask; NaN without a cell."""
        rows = {name: row for row, name in enumerate(self.scorable.systems)}
        wanted = np.zeros_like(self.scorable.mask)
        for name, cells in zip(systems, mask, strict=True):
            if name in rows:
                wanted[rows[name]] = cells
        scored = self._scores(wanted & self.is_common)
        return np.array([scored[rows[name]] if name in rows else math.nan for name in systems])

    def _scores(self, wanted: npt.NDArray[np.bool_]) -> FloatArray:
        used = wanted.any(axis=0)
        part = self.scorable.take(np.flatnonzero(used))
        part = replace(part, mask=part.mask & wanted[:, used])
        if not used.any():
            return np.full(len(wanted), math.nan)
        with np.errstate(invalid="ignore", divide="ignore"):
            if self.bootstrap is None:
                scores = part.values(self.runtime)
            else:
                is_whole = self.bootstrap.size == part.table.shape[1]
                bootstrap = replace(self.bootstrap, size=None) if is_whole else self.bootstrap
                scores = mean_of_resamples(part, bootstrap, self.runtime)
        check_finite(scores)
        return np.where(part.mask.any(axis=1), scores, math.nan)


def computed_metrics(
    testset: TestSet,
    specs: Sequence[str],
    aggregations: Aggregations,
    runtime: Runtime,
    *,
    level: str,
    by_segment: bool = False,
) -> tuple[list[ScoresByLevel], tuple[Note, ...]]:
    """Each metric under each aggregation, with notes that have the signatures of the values used.

    At the segment level nothing is aggregated. `by_segment`: some statistic reads segment scores at the system level.
    """
    measurements = measure(testset, dict.fromkeys(specs), runtime)
    metrics, signatures = [], []
    row_names = _row_names(list(measurements.metrics))
    for measured in measurements.metrics.values():
        row_name = row_names[measured.spec]
        names = [*aggregations.of(measured, row_name)] if level == "system" else [("none", row_name)]
        for aggregation, name in names:
            with naming_metric(measured.spec, measured.metric):
                metrics.append(_scores_by_level(name, measured, aggregation, aggregations, testset, runtime))
            signatures.append(_signature_note(name, measured, aggregation, aggregations))
        if by_segment and level == "system":
            note = _signature_note(measured.spec, measured, "none", aggregations)
            text = f"statistics of segment scores use those {note.text}"
            signatures.append(Note(note.kind, text, note.where))
    return metrics, (*_own_notes(measurements, testset), *signatures)


def _row_names(specs: Sequence[str]) -> dict[str, str]:
    """A name for each spec: of a path only the end, as names of metrics are also names of files.

    Where two names would be the same, more of the paths is kept: `comet:old-model` and `comet:new-model`.
    """
    names: dict[str, str] = {}
    for parts in range(1, 2 + max(len(_SEPARATOR.findall(spec)) for spec in specs)):
        names = {spec: _PATH.sub(partial(_end_of_path, parts), spec) for spec in specs}
        if len(set(names.values())) == len(specs):
            break
    return names


def _end_of_path(parts: int, path: re.Match[str]) -> str:
    kept = [part for part in _SEPARATOR.split(path[0]) if part]
    if "://" in path[0]:  # of an address, the beginning says more than the end
        return "-".join(kept[1 : 1 + parts] if parts < len(kept) else kept)
    return "-".join(kept[-parts:])


def _own_notes(measurements: Measurements, testset: TestSet) -> list[Note]:
    return [note for note in measurements.notes if note not in testset.notes]


def _signature_note(name: str, measured: Measured, aggregation: str, aggregations: Aggregations) -> Note:
    """How the scores in a row were computed."""
    bootstrap, resampling = aggregations.bootstrap, {}
    if aggregation == "bootstrap":
        size = str(bootstrap.size or "all")
        resampling = {"resamples": str(bootstrap.resamples), "size": size, "seed": str(bootstrap.seed)}
    signature = measured.signature(aggregation, tuple(resampling.items()))
    return Note(NoteKind.PROVENANCE, f"computed as {signature}", where=name)


def _scores_by_level(
    name: str, measured: Measured, aggregation: str, aggregations: Aggregations, testset: TestSet, runtime: Runtime
) -> ScoresByLevel:
    """Segment scores and, unless nothing is aggregated, system scores."""
    systems, scored = measured.statistics.systems, measured.statistics.scored
    table = partial(
        ScoreTable,
        name,
        systems=systems,
        references=tuple(testset.references) if "reference" in measured.metric.needs else (),
        higher_is_better=measured.metric.higher_is_better,
    )
    segment = table(level="segment", values=measured.segment_scores)
    if aggregation == "none":
        return ScoresByLevel(name, segment=segment)
    scorable = measured.mean if aggregation == "segment" else measured.corpus
    bootstrap = aggregations.bootstrap if aggregation == "bootstrap" else None
    aggregated = Aggregated(scorable, measured.is_common, bootstrap, runtime)
    system = table(level="system", values=aggregated(systems, scored)[:, np.newaxis])
    return ScoresByLevel(name, system, segment, aggregated)
