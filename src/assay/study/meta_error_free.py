"""`assay.meta_error_free`: how well metrics tell segments without errors from others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Unpack

from assay.aggregate.resample import CONFIDENCE, SEED, Confidence, Seed
from assay.aggregate.unit_intervals import UnitResamples
from assay.calibration.error_free import (
    EVERYTHING,
    ErrorFreeRule,
    MinScore,
    RatedLanguagePair,
    SmallestSeverity,
    another_rater,
    calling_everything,
    evaluate,
    means,
)
from assay.calibration.rated_pairs import RatingChoice, rated_language_pairs
from assay.errors import InputError
from assay.human.selection import SystemOptions
from assay.metaeval.intervals import IntervalOptions, IntervalResamples
from assay.metaeval.metric_tables import ComparedMetrics
from assay.options.shared import CAMPAIGNS, EXTERNAL, RUNTIME, Exclude, Gold, KeepReferences, ReferenceNames, Systems
from assay.options.verb import verb
from assay.results import ErrorFreeEvaluation, ErrorFreeMetric
from assay.results.triage import FEW_JUDGEMENTS
from assay.types import Campaign, Note, NoteKind, ScoreTable
from assay.types.note import listed, notes_of_pairs, plural
from assay.types.runtime import Runtime, RuntimeFields
from assay.types.severity import Severity
from assay.version import __version__

__all__ = ["meta_error_free"]

_MAX_NAMES = 4


@verb
def meta_error_free(
    campaigns: Annotated[Iterable[Campaign], CAMPAIGNS],
    *,
    gold: Gold = None,
    min_score: MinScore = 85.0,
    severity: SmallestSeverity = str(Severity.MINOR),
    systems: Systems = ("*",),
    exclude: Exclude = (),
    keep_references: KeepReferences = False,
    metrics: ComparedMetrics = (),
    references: ReferenceNames = (),
    external: Annotated[Mapping[str, Sequence[ScoreTable]] | None, EXTERNAL] = None,
    resamples: IntervalResamples = None,
    seed: Seed = SEED,
    confidence: Confidence = CONFIDENCE,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> ErrorFreeEvaluation:
    """Compare metrics as detectors of segments without errors (task 3 of WMT26).

    A rating of an output finds no error if it marks none and its score is at least 85. Areas under the ROC and the
    precision-recall curve need no threshold. For F, the threshold is the one with the highest F on the other language
    pairs, and the calibrated probabilities behind the Brier score are fitted on these, too. Who calls everything
    error-free, without reading it, has a row of their own.
    """
    runtime = runtime or Runtime()
    intervals = IntervalOptions.from_spec(None, resamples, seed, confidence).of_units(runtime)
    choice = RatingChoice(
        ErrorFreeRule(min_score, severity),
        gold,
        SystemOptions.of(systems, exclude, keep_references),
        tuple(metrics),
        tuple(references),
        external or {},
    )
    pairs = rated_language_pairs(campaigns, choice, runtime)
    rows = _rows(pairs.pairs, intervals)
    if not rows:
        raise InputError("no metric has scores of the segments that people judged")
    return ErrorFreeEvaluation(
        settings={
            **pairs.settings,
            "level": "error-free",
            **(intervals.settings("documents") if intervals.resamples else {}),
            "version": __version__,
        },
        human=pairs.human,
        metrics=tuple(rows),
        notes=(
            *pairs.notes,
            *notes_of_pairs((each.label, _notes(each, intervals)) for each in pairs.pairs),
            *_different_pairs(rows),
            *_no_better(rows),
            *_not_allowed([each for each in pairs.reading_references if any(row.metric == each for row in rows)]),
        ),
    )


def _notes(pair: RatedLanguagePair, intervals: UnitResamples) -> tuple[Note, ...]:
    """What weakens the values on a language pair: few ratings without error, few documents."""
    few = intervals.notes(pair.outputs.sizes(), pair.outputs.units.unit)
    if (free := int(pair.is_free.sum())) >= FEW_JUDGEMENTS:
        return tuple(few)
    if not free:
        text = "no rating is error-free, so that nothing can be detected: means leave the pair out"
        return (Note(NoteKind.UNDEFINED, text),)
    text = f"only {free} of {plural(len(pair.is_free), 'rating')} found no error: values and intervals are rough"
    return (*few, Note(NoteKind.ADVICE, text, count=free))


def _different_pairs(rows: Sequence[ErrorFreeMetric]) -> Iterator[Note]:
    """A note if means are of different language pairs, so that they cannot be compared."""
    pairs: dict[str, frozenset[str]] = {}
    for row in rows:
        if row.lp and not row.is_baseline and row.roc_area.value == row.roc_area.value:
            pairs[row.metric] = pairs.get(row.metric, frozenset()) | {row.lp}
    most = max(map(len, pairs.values()), default=0)
    fewer = [f"{metric} ({len(of)})" for metric, of in pairs.items() if len(of) < most]
    if fewer:
        text = (
            f"means over fewer than {plural(most, 'language pair')} cannot be compared with the others: "
            f"{listed(fewer, _MAX_NAMES)}"
        )
        yield Note(NoteKind.MISSING, text, count=len(fewer))


def _no_better(rows: Sequence[ErrorFreeMetric]) -> Iterator[Note]:
    """A note on metrics that find error-free outputs no better, by F, than who calls all of them error-free."""
    everything = {row.lp: row.f.value for row in rows if row.metric == EVERYTHING and row.f.value == row.f.value}
    by_metric: dict[str, list[ErrorFreeMetric]] = {}
    for row in rows:
        if row.lp in everything and row.metric != EVERYTHING and row.f.value == row.f.value:
            by_metric.setdefault(row.metric, []).append(row)
    worse = [
        name
        for name, found in by_metric.items()
        if sum(each.f.value for each in found) <= sum(everything[each.lp] for each in found)
    ]
    if worse:
        names = listed(worse, _MAX_NAMES)
        text = f"no better by F than calling everything error-free, on the same language pairs: {names}"
        yield Note(NoteKind.ADVICE, text, count=len(worse))


def _not_allowed(metrics: Sequence[str]) -> Iterator[Note]:
    """Metrics that could not take part in the task."""
    if metrics:
        text = f"task 3 of WMT26 allows no references: {listed(metrics, _MAX_NAMES)} read one"
        yield Note(NoteKind.ADVICE, text, count=len(metrics))


def _rows(pairs: Sequence[RatedLanguagePair], intervals: UnitResamples) -> list[ErrorFreeMetric]:
    """For each metric the mean over language pairs, if there are several, then each of them; the best area first."""
    names = dict.fromkeys(name for each in pairs for name in each.scores)
    rows: list[list[ErrorFreeMetric]] = []
    for name in names:
        found = [evaluate(name, each, [other for other in pairs if other is not each], intervals) for each in pairs]
        rows.append([each for each in found if each is not None])
    people = [each for pair in pairs if (each := another_rater(pair, intervals)) is not None]
    everything = [calling_everything(pair, intervals) for pair in pairs]
    summed = [[*([means(each)] if len(each) > 1 else []), *each] for each in (*rows, people, everything) if each]
    ordered = sorted(
        summed,
        key=lambda each: (
            each[0].is_baseline,
            each[0].metric == EVERYTHING,
            -len(each),
            -_area(each[0]),
            each[0].metric,
        ),
    )
    return [each for of_metric in ordered for each in of_metric]


def _area(row: ErrorFreeMetric) -> float:
    return row.roc_area.value if row.roc_area.value == row.roc_area.value else -1.0
