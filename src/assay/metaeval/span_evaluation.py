"""The agreement of metrics that mark errors with people who did: on each rating of an output, added up over documents.

Where an output was rated several times, each rating counts once: a metric is compared with each of them, and so is
every other rater of the output, which shows how well people do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from assay.aggregate.unit_intervals import UnitResamples, effective_number
from assay.human.judged_outputs import JudgedOutputs
from assay.human.marks import positioned
from assay.human.predicted_errors import predicted_errors
from assay.lazily import numpy as np
from assay.metric_tests import MetricPairs
from assay.metric_tests.perm_documents import PermDocuments
from assay.results import Agreement, Estimate, IntervalBasis
from assay.results.agreement import CELLS, PRECISION, RECALL
from assay.span_agreement import SpanStatistic, precision_recall_f, span_statistic
from assay.text.sentences import sentences
from assay.types import Campaign, ErrorSpan, FloatArray, IntArray, Note, NoteKind, Ratings
from assay.types.note import listed, plural

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "BASELINES",
    "Compared",
    "CreditTable",
    "EvaluatedSpans",
    "common_notes",
    "compare_metrics",
    "compared_outputs",
    "evaluate_spans",
]

Errors = tuple[ErrorSpan, ...]
_ANOTHER, _SAME = "human: another rater", "human: the same rater again"
_NOTHING, _EVERYTHING, _SENTENCES = "nothing marked", "everything marked", "every sentence marked"
_CHARACTER = "one character marked"
BASELINES = (_ANOTHER, _SAME, _NOTHING, _EVERYTHING, _SENTENCES, _CHARACTER)
"""What metrics are compared with: people, and annotators that need not read the output."""
_BLIND = (_NOTHING, _EVERYTHING, _SENTENCES, _CHARACTER)
_MAX_NAMES = 4


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The ratings of one language pair, in rows, and what others marked in the same outputs."""

    judged: JudgedOutputs
    systems: tuple[str, ...]
    marked: tuple[Errors, ...]
    metrics: Mapping[str, tuple[Errors | None, ...]]
    """What each metric marked in the output of each row; None: it did not read it."""
    baselines: Mapping[str, tuple[tuple[Errors, ...], ...]]
    """The same for each baseline; there may be several other raters, whose mean counts, or none."""
    notes: tuple[Note, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.marked)

    @property
    def human(self) -> str:
        """The name of the ratings."""
        return self.judged.ratings.name

    @property
    def system(self) -> IntArray:
        """The system of each row, by number."""
        return self.judged.ratings.system

    @property
    def segment(self) -> IntArray:
        """The segment of each row."""
        return self.judged.ratings.segment


def compared_outputs(
    ratings: Ratings, campaign: Campaign, systems: Sequence[str], predictions: Sequence[Ratings]
) -> Compared:
    """The ratings of these systems, with what metrics, other raters and the simplest annotators marked."""
    judged = JudgedOutputs.of(ratings, campaign, systems)
    marked = tuple(map(positioned, judged.ratings.marks))
    predicted, notes = predicted_errors(campaign, judged.ratings, predictions)
    return Compared(
        judged=judged,
        systems=tuple(systems),
        marked=marked,
        metrics={
            name: tuple(None if errors is None else positioned(errors) for errors in each.errors)
            for name, each in predicted.items()
        },
        baselines={**_other_raters(judged, marked), **_simple_annotators(judged.ratings, campaign, marked)},
        notes=(*judged.notes, *notes, *_without_place(judged.ratings)),
    )


def _other_raters(judged: JudgedOutputs, marked: Sequence[Errors]) -> dict[str, tuple[tuple[Errors, ...], ...]]:
    """For each rating, those of other raters of the same output, and the others of the same rater."""
    found = {
        name: tuple(tuple(marked[k] for k in rows) for rows in judged.others(by_same_rater=is_same))
        for name, is_same in ((_ANOTHER, False), (_SAME, True))
    }
    return {name: each for name, each in found.items() if any(each)}


def _simple_annotators(
    ratings: Ratings, campaign: Campaign, marked: Sequence[Errors]
) -> dict[str, tuple[tuple[Errors, ...], ...]]:
    """What annotators mark that need not read an output: nothing, all of it, every sentence, its first character.

    Errors have the severity that people gave most often.
    """
    severities = Counter(error.severity for errors in marked for error in errors)
    severity = severities.most_common(1)[0][0] if severities else ""
    found: dict[str, tuple[tuple[Errors, ...], ...]] = {_NOTHING: (((),),) * len(marked)}
    texts = [_text(ratings, campaign, row) for row in range(len(marked))]
    if not any(texts):
        return found

    def marking(places: Callable[[str], Iterable[tuple[int, int]]]) -> tuple[tuple[Errors, ...], ...]:
        return tuple(
            (tuple(ErrorSpan("", severity, start, end) for start, end in places(text)),) if text else ()
            for text in texts
        )

    return {
        **found,
        _EVERYTHING: marking(lambda text: [(0, len(text))]),
        _SENTENCES: marking(sentences),
        _CHARACTER: marking(lambda text: [(0, 1)]),
    }


def _text(ratings: Ratings, campaign: Campaign, row: int) -> str:
    """The text of an output; empty if it is not known."""
    texts = campaign.testset
    column = None if texts is None or ratings.items else texts.outputs.get(ratings.systems[ratings.system[row]])
    segment = int(ratings.segment[row])
    return "" if column is None or segment >= len(column) else column[segment] or ""


def _without_place(ratings: Ratings) -> Iterator[Note]:
    """A note on errors that no statistic counts: omissions and the like, which have no place in the text."""
    count = sum(error.start is None for errors in ratings.marks for error in errors)
    if count:
        total = sum(map(len, ratings.marks))
        text = (
            f"{count:,} of {plural(total, 'error')} marked by people have no place in the text (omissions): not counted"
        )
        yield Note(NoteKind.EXCLUDED, text, ratings.origin or ratings.name, count)


@dataclass(frozen=True, slots=True, eq=False)
class CreditTable:
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
        unit = compared.judged.units.number
        sums = np.zeros((int(unit.max(initial=-1)) + 1, table.shape[1]))
        np.add.at(sums, unit[used], table[used])
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

    def on(self, compared: Compared, rows: npt.NDArray[np.bool_]) -> float:
        """F on these rows, as far as the annotator read them."""
        return float(self.f(self.sums(compared, rows & self.has_read).sum(axis=0)))


class EvaluatedSpans(NamedTuple):
    """The agreement of each metric and of each baseline, and notes on what values are worth."""

    metrics: dict[str, Agreement]
    baselines: dict[str, Agreement]
    notes: tuple[Note, ...]
    tables: Mapping[str, CreditTable]
    """The credits of each metric, for tests between them."""


def evaluate_spans(
    statistic: SpanStatistic, compared: Compared, average: str, intervals: UnitResamples
) -> EvaluatedSpans:
    """The agreement of each metric and of each baseline, with notes on metrics that are no better than these."""
    metrics = {
        name: _mean_table(statistic, compared.marked, [() if each is None else (each,) for each in found], average)
        for name, found in compared.metrics.items()
    }
    baselines = {
        name: _mean_table(statistic, compared.marked, others, average) for name, others in compared.baselines.items()
    }
    spec = span_statistic.spec(statistic)
    notes = (
        *_no_better(spec, compared, metrics, baselines, intervals),
        *_on_own_outputs(spec, compared, metrics, baselines),
    )
    of_metrics, of_baselines = (
        {name: _agreement(name, table, spec, compared, intervals) for name, table in tables.items()}
        for tables in (metrics, baselines)
    )
    return EvaluatedSpans(of_metrics, of_baselines, notes, metrics)


def _mean_table(
    statistic: SpanStatistic, marked: Sequence[Errors], others: Sequence[Sequence[Errors]], average: str
) -> CreditTable:
    """The mean credits of what others marked, on each row."""
    rows = np.zeros((len(marked), 4))
    for row, (errors, several) in enumerate(zip(marked, others, strict=True)):
        if several:
            rows[row] = np.mean([statistic.credits(errors, each) for each in several], axis=0)
    return CreditTable(rows, np.array([bool(several) for several in others]), average)


def _agreement(
    name: str,
    table: CreditTable,
    statistic: str,
    compared: Compared,
    intervals: UnitResamples,
) -> Agreement:
    sums, n = table.sums(compared), int(table.has_read.sum())
    precision, recall, f = (float(value) for value in table.values(sums.sum(axis=0)))
    used = np.unique(compared.judged.units.number[table.has_read])
    read = compared.system[table.has_read]
    predicted = table.rows[table.has_read, 1].sum()
    details = {CELLS: str(n), RECALL: repr(recall)}
    if predicted > 0 or table.average == "macro":
        details[PRECISION] = repr(precision)  # of nothing, it is undefined
    estimate, replicates = _estimate(f, table, sums[used], compared, n, intervals)
    return Agreement(
        metric=name,
        human=compared.human,
        settings={
            **{"statistic": statistic, "level": "span", "grouping": "none"},
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
    f: float, table: CreditTable, sums: FloatArray, compared: Compared, n: int, intervals: UnitResamples
) -> tuple[Estimate, FloatArray | None]:
    """F with its interval over documents, and its replicates."""
    if np.isnan(f):
        return Estimate(f, n, reason="nothing was marked by people or the metric" if n else "no output in common"), None
    sizes, unit = compared.judged.sizes(table.has_read), compared.judged.units.unit
    (drawn,) = intervals.estimates([f], n, sizes, unit, lambda weights: [table.f(weights @ sums)])
    if drawn.replicates is None:
        return drawn.estimate, None
    basis = IntervalBasis(
        *(f"{unit}s", intervals.confidence, len(sizes), intervals.resamples, 0, intervals.seed),
        effective=effective_number(sizes),
    )
    if np.ptp(drawn.replicates) <= 0:
        reason = "no interval: every resample has the same value"
        return Estimate(f, n, reason=reason, basis=basis), drawn.replicates
    return replace(drawn.estimate, basis=basis), drawn.replicates


def compare_metrics(
    test: PermDocuments, tables: Mapping[str, CreditTable], compared: Compared, *, label: str
) -> MetricPairs:
    """All pairs of metrics, each on the outputs that both read."""
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


def _no_better(
    statistic: str,
    compared: Compared,
    metrics: Mapping[str, CreditTable],
    baselines: Mapping[str, CreditTable],
    intervals: UnitResamples,
) -> Iterator[Note]:
    """Notes on metrics that agree with people no better than an annotator that reads nothing, on the same outputs.

    Or are not shown to: the interval of the difference over documents includes 0.
    """
    worse: dict[str, list[str]] = {}
    unsure: dict[str, list[str]] = {}
    for name, table in metrics.items():
        own = table.on(compared, table.has_read)
        blind = {each: baselines[each].on(compared, table.has_read) for each in _BLIND if each in baselines}
        known = {each: value for each, value in blind.items() if value == value}
        if known and own <= max(known.values()):
            worse.setdefault(max(known, key=lambda each: known[each]), []).append(name)
        elif known:
            best = max(known, key=lambda each: known[each])
            if _difference(table, baselines[best], compared, intervals).low <= 0:
                unsure.setdefault(best, []).append(name)
    for best, names in worse.items():
        text = f"no better than '{best}' by {statistic}: {listed(names, _MAX_NAMES)}"
        yield Note(NoteKind.ADVICE, text, count=len(names))
    for best, names in unsure.items():
        text = f"not shown to be better than '{best}' by {statistic}: {listed(names, _MAX_NAMES)}"
        yield Note(NoteKind.ADVICE, text, count=len(names))


def _difference(table: CreditTable, other: CreditTable, compared: Compared, intervals: UnitResamples) -> Estimate:
    """How much higher F is than that of another annotator, on the outputs that both read, over the same documents."""
    rows = table.has_read & other.has_read
    used = np.unique(compared.judged.units.number[rows])
    own, others = table.sums(compared, rows)[used], other.sums(compared, rows)[used]
    value = float(table.f(own.sum(axis=0)) - other.f(others.sum(axis=0)))
    (drawn,) = intervals.estimates(
        [value],
        int(rows.sum()),
        compared.judged.sizes(rows),
        compared.judged.units.unit,
        lambda weights: [table.f(weights @ own) - other.f(weights @ others)],
    )
    return drawn.estimate


def _on_own_outputs(
    statistic: str, compared: Compared, metrics: Mapping[str, CreditTable], baselines: Mapping[str, CreditTable]
) -> Iterator[Note]:
    """Notes on what others reach on the outputs that a metric read, if it did not read all."""
    for name, table in metrics.items():
        if 0 < (count := int(table.has_read.sum())) < len(compared):
            values = {each: baselines[each].on(compared, table.has_read) for each in BASELINES if each in baselines}
            shown = ", ".join(f"{each} {value:.3f}" for each, value in values.items() if value == value)
            yield Note(NoteKind.ADVICE, f"by {statistic}, on what '{name}' read: {shown}", count=count)


def common_notes(compared: Compared) -> Iterator[Note]:
    """Notes on metrics that did not read all outputs: their values are of others."""
    for name, found in compared.metrics.items():
        missing = sum(each is None for each in found)
        if 0 < missing < len(compared):
            read = f"{plural(len(compared) - missing, 'rated output')} of {len(compared):,}"
            text = (
                f"'{name}' read only {read}: its values are of these, and cannot be compared with those of other rows"
            )
            yield Note(NoteKind.MISSING, text, count=missing)
