"""The agreement of metrics that mark errors with people who did: on each rating of an output, added up over documents.

Where an output was rated several times, each rating counts once: a metric is compared with each of them, and so is
every other rater of the output, which shows how well people do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.aggregate import estimate_from_replicates
from assay.aggregate.resample import MIN_CLUSTERS, Bootstrap
from assay.errors import printable
from assay.human.marks import document_units, positioned, usable_marks
from assay.lazily import numpy as np
from assay.metric_tests import MetricPairs
from assay.metric_tests.perm_documents import PermDocuments
from assay.results import Agreement, Estimate, IntervalBasis
from assay.results.agreement import CELLS, PRECISION, RECALL
from assay.span_agreement import SpanStatistic, precision_recall_f, span_statistic
from assay.types import Campaign, ErrorSpan, FloatArray, IntArray, Note, NoteKind, Ratings
from assay.types.note import listed, plural
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "BASELINES",
    "Compared",
    "SpanIntervals",
    "common_notes",
    "compared_outputs",
    "evaluate_spans",
    "no_better_notes",
    "test_spans",
]

Errors = tuple[ErrorSpan, ...]
_ANOTHER, _SAME = "human: another rater", "human: the same rater again"
_NOTHING, _EVERYTHING, _CHARACTER = "nothing marked", "everything marked", "one character marked"
BASELINES = (_ANOTHER, _SAME, _NOTHING, _EVERYTHING, _CHARACTER)
"""What metrics are compared with: people, and annotators that need not read the output."""
_MAX_NAMES = 4


@dataclass(frozen=True, slots=True)
class SpanIntervals:
    """How many resamples of documents there are, with which seed, and how likely an interval covers."""

    resamples: int
    seed: int
    confidence: float


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The ratings of one language pair, in rows, and what others marked in the same outputs."""

    human: str
    systems: tuple[str, ...]
    system: IntArray
    segment: IntArray
    marked: tuple[Errors, ...]
    unit: IntArray
    """The document of each row, or its segment where documents are not known."""
    unit_name: str
    """`documents` or `segments`."""
    metrics: Mapping[str, tuple[Errors | None, ...]]
    """What each metric marked in the output of each row; None: it did not read it."""
    baselines: Mapping[str, tuple[tuple[Errors, ...], ...]]
    """The same for each baseline; there may be several other raters, whose mean counts, or none."""
    notes: tuple[Note, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.marked)


def compared_outputs(ratings: Ratings, campaign: Campaign, systems: Sequence[str]) -> Compared:
    """The ratings of these systems, with what metrics, other raters and the simplest annotators marked."""
    usable, notes = usable_marks(ratings, campaign)
    ratings = usable.take(systems)
    marked = tuple(map(positioned, ratings.errors))
    unit, unit_name = document_units(ratings, campaign)
    predictions, more = _predictions(campaign, ratings)
    keys = list(zip(ratings.system.tolist(), ratings.segment.tolist(), strict=True))
    return Compared(
        human=ratings.name,
        systems=tuple(systems),
        system=ratings.system,
        segment=ratings.segment,
        marked=marked,
        unit=unit,
        unit_name=unit_name,
        metrics={name: tuple(found.get(key) for key in keys) for name, found in predictions.items()},
        baselines={**_other_raters(ratings, keys, marked), **_simple_annotators(ratings, campaign, marked)},
        notes=(*notes, *more, *_without_place(ratings)),
    )


def _predictions(campaign: Campaign, ratings: Ratings) -> tuple[dict[str, dict[tuple[int, int], Errors]], list[Note]]:
    """By metric, what it marked in the output of each system and segment, and notes on what cannot be used."""
    number = {name: k for k, name in enumerate(ratings.systems)}
    found: dict[str, dict[tuple[int, int], Errors]] = {}
    notes: list[Note] = []
    for predicted in campaign.predictions:
        where = predicted.origin or predicted.name
        if bool(predicted.items) != bool(ratings.items):
            text = "left out: its segments have names, and those of the ratings have numbers, or the other way round"
            notes.append(Note(NoteKind.EXCLUDED, text, where, len(predicted), "warning"))
            continue
        line = {name: k for k, name in enumerate(ratings.items)}
        own, more = usable_marks(predicted, campaign)
        notes += more
        twice: Counter[tuple[int, int]] = Counter()
        outputs: dict[tuple[int, int], Errors] = {}
        for system, segment, errors in zip(own.system.tolist(), own.segment.tolist(), own.errors, strict=True):
            place = line.get(predicted.items[segment], -1) if predicted.items else segment
            key = (number.get(own.systems[system], -1), place)
            twice[key] += 1
            outputs[key] = positioned(errors)
        if again := [key for key, count in twice.items() if count > 1 and -1 not in key]:
            text = f"left out: {plural(len(again), 'output')} that '{printable(predicted.name)}' marked more than once"
            notes.append(Note(NoteKind.EXCLUDED, text, where, len(again), "warning"))
        unknown = [name for name in own.systems if name not in number and name not in campaign.systems]
        if unknown:
            text = f"errors in outputs of systems that nobody rated: {listed(unknown, _MAX_NAMES)}"
            notes.append(Note(NoteKind.SUSPECT, text, where, len(unknown)))
        found[predicted.name] = {key: errors for key, errors in outputs.items() if twice[key] == 1}
    return found, notes


def _other_raters(
    ratings: Ratings, keys: Sequence[tuple[int, int]], marked: Sequence[Errors]
) -> dict[str, tuple[tuple[Errors, ...], ...]]:
    """For each rating, those of other raters of the same output, and the others of the same rater."""
    rows: dict[tuple[int, int], list[int]] = {}
    for row, key in enumerate(keys):
        rows.setdefault(key, []).append(row)
    rater = ratings.rater.tolist()

    def others(row: int, *, is_same: bool) -> tuple[Errors, ...]:
        return tuple(marked[k] for k in rows[keys[row]] if k != row and (rater[k] == rater[row]) == is_same)

    found = {
        name: tuple(others(row, is_same=is_same) for row in range(len(keys)))
        for name, is_same in ((_ANOTHER, False), (_SAME, True))
    }
    return {name: each for name, each in found.items() if any(each)}


def _simple_annotators(
    ratings: Ratings, campaign: Campaign, marked: Sequence[Errors]
) -> dict[str, tuple[tuple[Errors, ...], ...]]:
    """What annotators mark that need not read an output: nothing, all of it, its first character.

    Errors have the severity that people gave most often.
    """
    severities = Counter(error.severity for errors in marked for error in errors)
    severity = severities.most_common(1)[0][0] if severities else ""
    found: dict[str, tuple[tuple[Errors, ...], ...]] = {_NOTHING: (((),),) * len(marked)}
    lengths = [_length(ratings, campaign, row) for row in range(len(marked))]
    if any(lengths):
        whole = [() if not size else ((ErrorSpan("", severity, 0, size),),) for size in lengths]
        first = [() if not size else ((ErrorSpan("", severity, 0, 1),),) for size in lengths]
        found |= {_EVERYTHING: tuple(whole), _CHARACTER: tuple(first)}
    return found


def _length(ratings: Ratings, campaign: Campaign, row: int) -> int:
    """The number of characters of an output; 0 if its text is not known."""
    texts = campaign.testset
    column = None if texts is None or ratings.items else texts.outputs.get(ratings.systems[ratings.system[row]])
    segment = int(ratings.segment[row])
    return 0 if column is None or segment >= len(column) else len(column[segment] or "")


def _without_place(ratings: Ratings) -> Iterator[Note]:
    """A note on errors that no statistic counts: omissions and the like, which have no place in the text."""
    count = sum(error.start is None for errors in ratings.errors for error in errors)
    if count:
        total = sum(map(len, ratings.errors))
        text = (
            f"{count:,} of {plural(total, 'error')} marked by people have no place in the text (omissions): not counted"
        )
        yield Note(NoteKind.EXCLUDED, text, ratings.origin or ratings.name, count)


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """The credits of an annotator on every row of the ratings; rows of outputs that it did not read do not count."""

    rows: FloatArray
    has_read: npt.NDArray[np.bool_]
    average: str

    def sums(self, compared: Compared, rows: npt.NDArray[np.bool_] | None = None) -> FloatArray:
        """(unit, column): what `value` needs, added up over the rows of each document."""
        table, is_used = self.rows, self.has_read if rows is None else rows
        if self.average == "macro":
            table = np.concatenate([precision_recall_f(table), np.ones((len(table), 1))], axis=1)
        used = np.flatnonzero(is_used)
        sums = np.zeros((int(compared.unit.max(initial=-1)) + 1, table.shape[1]))
        np.add.at(sums, compared.unit[used], table[used])
        return sums

    def values(self, sums: FloatArray) -> FloatArray:
        """(…, 3): precision, recall and F from sums over documents; NaN without outputs."""
        if self.average == "macro":
            with np.errstate(invalid="ignore", divide="ignore"):
                return np.asarray(sums[..., :3] / sums[..., 3:])
        found = precision_recall_f(sums)
        is_empty = (sums[..., 1] == 0) & (sums[..., 3] == 0)
        return np.where(is_empty[..., np.newaxis], np.nan, found)

    def f(self, sums: FloatArray) -> FloatArray:
        """F only."""
        return self.values(sums)[..., 2]


def evaluate_spans(
    statistic: SpanStatistic, compared: Compared, average: str, intervals: SpanIntervals, runtime: Runtime
) -> tuple[dict[str, Agreement], dict[str, Agreement]]:
    """The agreement of each metric and of each baseline."""

    def agreement(name: str, table: _Table) -> Agreement:
        return _agreement(name, table, statistic, compared, intervals, runtime)

    metrics = {name: agreement(name, table) for name, table in _tables(statistic, compared, average).items()}
    baselines = {
        name: agreement(name, _mean_table(statistic, compared.marked, others, average))
        for name, others in compared.baselines.items()
    }
    return metrics, baselines


def _tables(statistic: SpanStatistic, compared: Compared, average: str) -> dict[str, _Table]:
    return {
        name: _mean_table(statistic, compared.marked, [() if each is None else (each,) for each in found], average)
        for name, found in compared.metrics.items()
    }


def _mean_table(
    statistic: SpanStatistic, marked: Sequence[Errors], others: Sequence[Sequence[Errors]], average: str
) -> _Table:
    """The mean credits of what others marked, on each row."""
    rows = np.zeros((len(marked), 4))
    for row, (errors, several) in enumerate(zip(marked, others, strict=True)):
        if several:
            rows[row] = np.mean([statistic.credits(errors, each) for each in several], axis=0)
    return _Table(rows, np.array([bool(several) for several in others]), average)


def _agreement(
    name: str,
    table: _Table,
    statistic: SpanStatistic,
    compared: Compared,
    intervals: SpanIntervals,
    runtime: Runtime,
) -> Agreement:
    sums, n = table.sums(compared), int(table.has_read.sum())
    precision, recall, f = (float(value) for value in table.values(sums.sum(axis=0)))
    used = np.unique(compared.unit[table.has_read])
    read = compared.system[table.has_read]
    predicted = table.rows[table.has_read, 1].sum()
    details = {CELLS: str(n), RECALL: repr(recall)}
    if predicted > 0 or table.average == "macro":
        details[PRECISION] = repr(precision)  # of nothing, it is undefined
    estimate, replicates = _estimate(f, table, sums[used], compared, n, intervals, runtime)
    return Agreement(
        metric=name,
        human=compared.human,
        settings={
            **{"statistic": span_statistic.spec(statistic), "level": "span", "grouping": "none"},
            **{"average": table.average, "outliers": "kept"},
        },
        estimate=estimate,
        systems=tuple(compared.systems[k] for k in np.unique(read).tolist()),
        left_out={},
        segments=len(np.unique(compared.segment[table.has_read])),
        groups=1,
        groups_undefined=0,
        weight=float(n),
        hits=None,
        pairs=None,
        source="marked errors",
        details=details,
        replicates=replicates,
    )


def _estimate(
    f: float,
    table: _Table,
    sums: FloatArray,
    compared: Compared,
    n: int,
    intervals: SpanIntervals,
    runtime: Runtime,
) -> tuple[Estimate, FloatArray | None]:
    """F with the percentile interval over resamples of documents, and its replicates."""
    if np.isnan(f):
        return Estimate(f, n, reason="nothing was marked by people or the metric" if n else "no output in common"), None
    if not intervals.resamples:
        return Estimate(f, n), None
    if len(sums) < MIN_CLUSTERS:
        name = compared.unit_name.removesuffix("s")
        return Estimate(f, n, reason=f"no interval: {plural(len(sums), name)}, fewer than {MIN_CLUSTERS}"), None
    bootstrap = Bootstrap(intervals.resamples, None, intervals.seed)
    replicates = np.concatenate(
        [table.f(weights @ sums) for weights in bootstrap.blocks(len(sums), runtime)], dtype=np.float64
    )
    basis = IntervalBasis(compared.unit_name, intervals.confidence, len(sums), intervals.resamples, 0, intervals.seed)
    if np.ptp(replicates) <= 0:
        return Estimate(f, n, reason="no interval: every resample has the same value", basis=basis), replicates
    found = estimate_from_replicates(f, replicates, n, intervals.confidence)
    return Estimate(found.value, n, found.low, found.high, found.standard_error, found.reason, basis=basis), replicates


def test_spans(
    test: PermDocuments, statistic: SpanStatistic, compared: Compared, average: str, *, label: str
) -> MetricPairs:
    """All pairs of metrics, each on the outputs that both read."""
    tables = _tables(statistic, compared, average)
    names, listed_tables = tuple(tables), list(tables.values())

    def common(i: int, j: int) -> tuple[FloatArray, FloatArray, int]:
        first, second = listed_tables[i], listed_tables[j]
        rows = first.has_read & second.has_read
        return first.sums(compared, rows), second.sums(compared, rows), int(rows.sum())

    reference = listed_tables[0]
    return test.compare_sums(
        names,
        common,
        reference.f,
        values=np.array([float(table.f(table.sums(compared).sum(axis=0))) for table in listed_tables]),
        systems=np.array([len(np.unique(compared.system[table.has_read])) for table in listed_tables]),
        n=np.array([int(table.has_read.sum()) for table in listed_tables]),
        stream=label,
    )


test_spans.__test__ = False  # type: ignore[attr-defined]  # keeps pytest from collecting it


def no_better_notes(metrics: Mapping[str, Agreement], baselines: Mapping[str, Agreement]) -> Iterator[Note]:
    """A note on metrics that agree with people no better than an annotator that reads nothing."""
    blind = {name: baselines[name].value for name in (_NOTHING, _EVERYTHING, _CHARACTER) if name in baselines}
    if not blind or not metrics:
        return
    best = max(blind, key=lambda name: blind[name])
    worse = [name for name, agreement in metrics.items() if agreement.value <= blind[best]]
    if worse:
        spec = next(iter(metrics.values())).settings["statistic"]
        text = f"no better than '{best}' by {spec}: {listed(worse, _MAX_NAMES)}"
        yield Note(NoteKind.ADVICE, text, count=len(worse))


def common_notes(compared: Compared, metrics: Iterable[str]) -> Iterator[Note]:
    """A note on metrics that did not read all outputs: their values are of others."""
    for name in metrics:
        missing = sum(each is None for each in compared.metrics[name])
        if 0 < missing < len(compared):
            text = f"'{name}' read only {plural(len(compared) - missing, 'rated output')} of {len(compared):,}"
            yield Note(NoteKind.MISSING, text, count=missing)
