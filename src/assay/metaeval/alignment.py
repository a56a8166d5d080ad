"""Alignment of metric scores with human scores on the same cells, both oriented so that higher is better.

Segment scores are compared on the cells that both sides have. System scores are used as they are: they may be of all
segments on one side and of the judged ones on the other (mt-metrics-eval, issue 4), which `Gold.align` notes. Where
there are none, they are means of segment scores: of the cells that both sides have, or of each side's own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from assay.agreement import Batch
from assay.errors import AlignmentError, ConfigError, InputError, nearest
from assay.human.domains import domain_columns
from assay.lazily import numpy as np
from assay.metaeval.scores_by_level import LEVELS, Aggregate
from assay.types import METRIC_REFERENCE, FloatArray, IntArray, Mask, Note, NoteKind, ScoreTable, left_out_notes, select
from assay.types.note import plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "GROUPINGS",
    "ROUNDED",
    "Aligned",
    "align",
    "map_cells",
    "negation_note",
    "system_means",
]

GROUPINGS = ("none", "item", "system", "ranking")

ROUNDED = 1e-3
"""The share of their range by which stored system scores may differ from the means that they are."""
_ROUNDING = 1e-9


_Score: TypeAlias = Callable[[Mask], FloatArray]
"""Cells (system, segment) → the score of each system over its cells, higher is better."""


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """Two matrices (system, item) and the mask of the cells that both have; the system level has a single item."""

    metric: str
    human: str
    level: str
    systems: tuple[str, ...]
    cells: Batch
    segments_used: npt.NDArray[np.bool_]
    """(system, segment): the segments behind the values; no columns if the values are system scores."""
    source: str
    excluded: Mapping[str, str]
    """Excluded systems, each with the reason."""
    extra_notes: tuple[Note, ...] = ()
    pairs: npt.NDArray[np.bool_] | None = None
    """(system, system): the pairs of systems that count; None: all pairs."""
    human_replicates: FloatArray | None = None
    """(resample, system): human scores from resampled judgements, NaN where a resample has no score."""
    judgement_units: int = 0
    """The number of judgements, rankings or segments that were drawn for them."""
    segment_scores: Batch | None = None
    """(system, segment): the scores whose means are the values, if the values are means of segment scores."""
    documents: tuple[str, ...] = ()
    """The document of each segment, or empty."""

    @property
    def segments(self) -> int:
        """The number of segments behind the values; 0 if they are system scores."""
        return int(self.segments_used.any(axis=0).sum())

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader should know about the values."""
        notes = [*left_out_notes(self.excluded), *self.extra_notes]
        used = self.segments_used
        if self.level == "system" and not used[:, used.any(axis=0)].all():
            notes.append(
                Note(NoteKind.MISSING, "systems are averaged over different segments: some scores are missing")
            )
        return tuple(notes)

    def without(self, systems: Collection[str], reason: str) -> Aligned:
        """The same without some systems."""
        kept = [i for i, name in enumerate(self.systems) if name not in systems]
        if len(kept) == len(self.systems):
            return self
        return replace(
            self,
            systems=tuple(self.systems[i] for i in kept),
            cells=map_cells(self.cells, lambda array: array[kept]),
            segments_used=self.segments_used[kept],
            excluded={**self.excluded, **{name: reason for name in self.systems if name in systems}},
            pairs=None if self.pairs is None else self.pairs[np.ix_(kept, kept)],
            human_replicates=None if self.human_replicates is None else self.human_replicates[:, kept],
            segment_scores=self.segment_scores and map_cells(self.segment_scores, lambda array: array[kept]),
        )

    def restrict(self, systems: tuple[str, ...], pairs: npt.NDArray[np.bool_]) -> Aligned:
        """The same, restricted to the pairs of these systems that the matrix selects."""
        index = {name: i for i, name in enumerate(systems)}
        known = [i for i, name in enumerate(self.systems) if name in index]
        rows = [index[self.systems[i]] for i in known]
        selected_pairs = np.zeros((len(self.systems),) * 2, dtype=np.bool_)
        selected_pairs[np.ix_(known, known)] = pairs[np.ix_(rows, rows)]
        return replace(self, pairs=selected_pairs)

    def batch(self, grouping: str) -> Batch:
        """The vectors to compare, without groups that have no common cell."""
        batch = self.cells
        items_are_systems = self.level == "system" or grouping == "item"
        if items_are_systems:
            batch = map_cells(batch, lambda array: np.ascontiguousarray(array.T))
        elif grouping == "none":
            batch = map_cells(batch, lambda array: array.reshape(1, -1))
        if self.pairs is not None:
            if not items_are_systems:
                raise ConfigError(f"grouping '{grouping}' does not compare systems, so pairs of systems do not apply")
            batch = replace(batch, pairs=self.pairs)
        filled = batch.mask.any(axis=1)
        return batch if filled.all() else map_cells(batch, lambda array: array[filled])

    @property
    def outputs(self) -> IntArray | None:
        """(group, item) of a batch: the number of the scored output; None: every output occurs once."""
        return None

    @property
    def resampled_items(self) -> npt.NDArray[np.intp]:
        """The segments that resamples draw from: those with a common cell."""
        return np.flatnonzero(self.cells.mask.any(axis=0))

    @property
    def item_of_group(self) -> npt.NDArray[np.intp]:
        """For each group when grouping by item: its position among `resampled_items`."""
        return np.arange(len(self.resampled_items))

    @property
    def has_documents(self) -> bool:
        """Whether all segments that resamples draw from are in documents, and these are at least two."""
        names = {self.documents[item] for item in self.resampled_items} if self.documents else set()
        return len(names) > 1 and "" not in names

    def resample(self, items: IntArray) -> Aligned:
        """The same with these items, some of them repeated."""
        return replace(self, cells=map_cells(self.cells, lambda array: array[:, items]))


def map_cells(batch: Batch, function: Callable[[Any], Any]) -> Batch:
    """Apply a function to the metric scores, the human scores and the mask of a batch."""
    return Batch(function(batch.metric), function(batch.human), function(batch.mask), batch.pairs)


def align(
    scores: ScoreTable,
    human: ScoreTable,
    *,
    level: str | None = None,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
    averages_domains: bool = False,
    aggregate: Aggregate | None = None,
    on_common_cells: bool = True,
) -> Aligned:
    """Align two score tables on the cells that both have.

    `level` defaults to segment if both tables have segment scores, else to system. Segments are matched by name if both
    tables name them, else by number. At the system level, system scores are used as they are; segment scores are
    averaged, over the common segments if both tables have segment scores or, without `on_common_cells`, each side over
    its own, as stored system scores are; `averages_domains` averages the means of the domains; `aggregate` scores the
    systems of the metric over these segments in another way than by means. Systems are sorted by name, so that no
    result depends on the order in a file. A reference that the metric used is left out.
    """
    level = level or ("segment" if scores.level == human.level == "segment" else "system")
    _check_levels(scores, human, level)
    notes = negation_note(scores)
    if scores.level == human.level == "segment":
        own_items = scores.items
        scores, human, unmatched = _match_segments(scores, human)
        notes += unmatched
        if aggregate is not None and scores.items != own_items:
            aggregate = _on_columns(aggregate, own_items, scores.items)
    selection = select(sorted({*scores.systems, *human.systems}), systems=systems, exclude=exclude)
    values = [table.take(selection.systems).oriented for table in (scores, human)]
    absent = dict(_absent_systems(values[0], values[1], selection.systems))
    source, segments_used, segment_scores = "segments", None, None
    if level == "system":
        by_segment = values
        sign = 1.0 if scores.higher_is_better else -1.0
        score = None if aggregate is None else partial(_oriented_scores, aggregate, selection.systems, sign)
        values, source, segments_used = _system_values(
            scores, human, values, averages_domains, score, on_common_cells=on_common_cells
        )
        if scores.level != "system" or human.level != "system":
            text = source if source.startswith("system scores") else f"system scores: {source}"
            notes = (Note(NoteKind.PROVENANCE, text), *notes)
        if scores.level == human.level == "segment" and not averages_domains and on_common_cells:
            segment_scores = _common_cells(by_segment)
            if aggregate is not None and not _are_means(values[0][:, 0], by_segment[0], segment_scores.mask):
                segment_scores = None
    cells = _common_cells(values)
    aligned = Aligned(
        metric=scores.name,
        human=human.name,
        level=level,
        systems=selection.systems,
        cells=cells,
        segments_used=cells.mask if segments_used is None else segments_used,
        source=source,
        excluded=selection.left_out,
        extra_notes=notes,
        segment_scores=segment_scores,
        documents=human.documents or scores.documents,
    )
    aligned = aligned.without(scores.references, METRIC_REFERENCE)
    for reason in dict.fromkeys(absent.values()):
        aligned = aligned.without([name for name in absent if absent[name] == reason], reason)
    return aligned


def _common_cells(values: Sequence[FloatArray]) -> Batch:
    """The cells that both have."""
    mask = ~np.isnan(values[0]) & ~np.isnan(values[1])
    return Batch(np.where(mask, values[0], 0.0), np.where(mask, values[1], 0.0), mask)


def negation_note(scores: ScoreTable) -> tuple[Note, ...]:
    """A note that the scores were negated, in case their direction was set incorrectly."""
    return () if scores.higher_is_better else (Note(NoteKind.CHANGED, "lower is better, so the scores were negated"),)


def system_means(human: ScoreTable, *, averages_domains: bool = False) -> dict[str, float]:
    """One score per system, higher is better: the system score, or the mean over the judged segments."""
    if human.level not in LEVELS:
        raise InputError(f"'{human.name}' has {human.level} scores, not system or segment scores", path=human.origin)
    values = human.oriented
    if human.level == "system":
        return dict(zip(human.systems, values[:, 0].tolist(), strict=True))
    means = _over_domains(partial(_means, values), ~np.isnan(values), _domains(human, averages_domains))
    return dict(zip(human.systems, means.tolist(), strict=True))


def _check_levels(scores: ScoreTable, human: ScoreTable, level: str) -> None:
    if level not in LEVELS:
        raise ConfigError(f"unknown level '{level}'", hint=nearest(level, LEVELS))
    for table in (scores, human):
        if table.level not in LEVELS or (level == "segment" and table.level != "segment"):
            raise InputError(f"'{table.name}' has {table.level} scores, not {level} scores", path=table.origin or None)


def _match_segments(scores: ScoreTable, human: ScoreTable) -> tuple[ScoreTable, ScoreTable, tuple[Note, ...]]:
    """Both tables with the same segments in the same order, and a note on human scores of other segments."""
    if scores.items == human.items:
        if scores.values.shape[1] == human.values.shape[1]:
            return scores, human, ()
        message = f"'{scores.name}' has {scores.values.shape[1]:,} scores per system, "
        message += f"'{human.name}' has {human.values.shape[1]:,}"
        raise AlignmentError(message, path=scores.origin or None)
    if not scores.items or not human.items:
        named, numbered = (scores, human) if scores.items else (human, scores)
        message = f"'{named.name}' has scores of named segments, but '{numbered.name}' of numbered ones"
        raise AlignmentError(message, path=scores.origin or None, hint="name the segments of both, or number both")
    scored = set(scores.items)
    common = [name for name in human.items if name in scored]
    if not common:
        message = f"no segment of '{scores.name}' has the name of one of '{human.name}'"
        hint = f"such names are '{scores.items[0]}' and '{human.items[0]}'"
        raise AlignmentError(message, path=scores.origin or None, hint=hint)
    matched = human.take_segments(common)
    judged, kept = (int((~np.isnan(table.values)).any(axis=0).sum()) for table in (human, matched))
    notes: tuple[Note, ...] = ()
    if absent := judged - kept:
        text = f"the metric has no scores for {absent:,} of {plural(judged, 'segment')} with human scores"
        notes = (Note(NoteKind.MISSING, text, count=absent),)
    return scores.take_segments(common), matched, notes


def _system_values(
    scores: ScoreTable,
    human: ScoreTable,
    values: list[FloatArray],
    averages_domains: bool,
    score: _Score | None,
    *,
    on_common_cells: bool,
) -> tuple[list[FloatArray], str, Mask]:
    """Values (system, 1), where they come from, and the segments behind them.

    `score` scores the systems of the metric over segments; None: by means.
    """
    masks = [~np.isnan(table) for table in values]
    if scores.level == human.level == "system":
        return values, "system scores of both", masks[0][:, :0]
    means = "means of domain means" if averages_domains else "means"
    mean_of_metric, mean_of_human = (partial(_means, table) for table in values)
    if scores.level == human.level:
        common, domains = masks[0] & masks[1], _domains(human, averages_domains)
        over = "the segments that both scored" if on_common_cells else "all segments that each side scored"
        source = f"{means} over {over}"
        if score is not None:
            source = f"scores of the metric and {means} of the human scores over {over}"
        by_side = zip(
            (score or mean_of_metric, mean_of_human), (common, common) if on_common_cells else masks, strict=True
        )
        return [_over_domains(side, mask, domains)[:, np.newaxis] for side, mask in by_side], source, common
    if scores.level == "system":
        source = f"system scores of the metric, {means} over segments of the human scores"
        of_human = _over_domains(mean_of_human, masks[1], _domains(human, averages_domains))
        return [values[0], of_human[:, np.newaxis]], source, masks[1]
    source = f"{means} over segments of the metric, system scores of the human scores"
    of_metric = _over_domains(score or mean_of_metric, masks[0], _domains(scores, averages_domains))
    return [of_metric[:, np.newaxis], values[1]], source, masks[0]


def _on_columns(aggregate: Aggregate, items: tuple[str, ...], selected: tuple[str, ...]) -> Aggregate:
    """The same for a mask of some named segments in another order."""
    index = {name: column for column, name in enumerate(items)}
    columns = [index[name] for name in selected]

    def on_columns(systems: Any, mask: Mask) -> FloatArray:
        all_columns = np.zeros((len(mask), len(items)), dtype=np.bool_)
        all_columns[:, columns] = mask
        return aggregate(systems, all_columns)

    return on_columns


def _oriented_scores(aggregate: Aggregate, systems: tuple[str, ...], sign: float, mask: Mask) -> FloatArray:
    return sign * aggregate(systems, mask)


def _domains(table: ScoreTable, averages_domains: bool) -> Collection[Mask]:
    """The segments of each domain to average over one by one; none: all segments together."""
    return domain_columns(table).values() if averages_domains else ()


def _over_domains(score: _Score, mask: Mask, domains: Collection[Mask]) -> FloatArray:
    """The score of each row over the cells in the mask or, with domains, the mean of its scores in each domain."""
    if not domains:
        return score(mask)
    by_domain = np.stack([score(mask & within) for within in domains], axis=1)
    return _means(by_domain, ~np.isnan(by_domain))


def _means(values: FloatArray, mask: Mask) -> FloatArray:
    """The mean of each row over the cells in the mask; NaN without cells.

    Sums are exact, so that equal scores have equal means in any order. Otherwise rounding would break ties between
    systems, and a constant metric could have a correlation.
    """

    def mean(scores: list[float]) -> float:
        if not scores:
            return math.nan
        rounded = math.fsum(scores) / len(scores)
        return rounded + math.fsum([*scores, *[-rounded] * len(scores)]) / len(scores)  # add back the rounding error

    return np.array([mean(row[cells].tolist()) for row, cells in zip(values, mask, strict=True)])


def _are_means(scores: FloatArray, by_segment: FloatArray, mask: Mask) -> bool:
    """Whether an aggregate of segments is their mean, up to rounding."""
    return np.allclose(scores, _means(by_segment, mask), rtol=_ROUNDING, atol=0.0, equal_nan=True)


def _absent_systems(metric: FloatArray, human: FloatArray, systems: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Systems without a common cell, each with the reason."""
    scored, judged = ~np.isnan(metric), ~np.isnan(human)
    common = scored & judged if scored.shape == judged.shape else scored.any(axis=1) & judged.any(axis=1)
    for i in np.flatnonzero(~common.reshape(len(systems), -1).any(axis=1)):
        if not judged[i].any():
            yield systems[i], "no human score"
        else:
            yield systems[i], "no segment scored by both" if scored[i].any() else "no metric score"
