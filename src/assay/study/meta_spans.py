"""`assay.meta_spans`: how well metrics that mark errors in the text agree with people who did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Unpack

from assay.aggregate.resample import CONFIDENCE, SEED, Confidence, Seed
from assay.aggregate.unit_intervals import UnitResamples
from assay.errors import option_name
from assay.human.marks import marks_errors, without_marks
from assay.human.outliers import no_outliers
from assay.human.selection import SystemOptions, find_judgements, find_name, label_campaigns
from assay.measurement import metrics_option
from assay.metaeval.averages import OverPairs, pair_weights
from assay.metaeval.computed_spans import SpanMetrics, computed_spans
from assay.metaeval.evaluation import Evaluation
from assay.metaeval.grouped_statistic import Average
from assay.metaeval.intervals import IntervalOptions, IntervalResamples
from assay.metaeval.metric_comparison import SigChoice, TestedAlpha, TestedCorrection, test_limits
from assay.metaeval.settings import data_settings, selection_settings, test_settings
from assay.metaeval.span_evaluation import (
    BASELINES,
    Compared,
    CreditTable,
    common_notes,
    compare_metrics,
    compared_outputs,
    evaluate_spans,
)
from assay.metaeval.summary import summarised
from assay.metric_tests import MetricPairs, create_test
from assay.metric_tests.perm_documents import PermDocuments
from assay.metric_tests.pooling import pool
from assay.metric_tests.ranks import ranked
from assay.options.checks import no_effect
from assay.options.shared import CAMPAIGNS, RUNTIME, Exclude, Gold, KeepReferences, Systems
from assay.options.verb import verb
from assay.results import Agreement, LanguagePair, Measure, MetaColumn, MetaEvaluation, MetricDifferences
from assay.significance import ALPHA
from assay.span_agreement import DEFAULT, SpanStatistic, span_statistic, span_statistics_option
from assay.types import Campaign, Note, NoteKind, Ratings
from assay.types.note import notes_of_pairs
from assay.types.runtime import Runtime, RuntimeFields
from assay.version import __version__

__all__ = ["meta_spans"]

_STATISTICS = Annotated[Sequence[str | SpanStatistic], span_statistics_option()]


@verb
def meta_spans(
    campaigns: Annotated[Iterable[Campaign], CAMPAIGNS],
    *,
    gold: Gold = None,
    statistics: _STATISTICS = (),
    average: Average = None,
    over_pairs: OverPairs = "mean",
    systems: Systems = ("*",),
    exclude: Exclude = (),
    keep_references: KeepReferences = False,
    metrics: Annotated[
        Sequence[str],
        metrics_option(
            "Metrics that mark errors, to compute from the texts. Names and patterns keep only these of the metrics "
            "whose errors are in files.",
            takes_names=True,
        ),
    ] = (),
    resamples: IntervalResamples = None,
    seed: Seed = SEED,
    confidence: Confidence = CONFIDENCE,
    sig: SigChoice = None,
    alpha: TestedAlpha = ALPHA,
    correction: TestedCorrection = "none",
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> MetaEvaluation:
    """Compare errors that metrics marked in the text with those that people marked.

    The value is F, beside precision and recall, from sums over all ratings of outputs (`micro`), or the mean of the
    values of ratings (`macro`). Below the metrics stand people, compared with other raters of the same outputs, and
    annotators that need not read the outputs. Intervals are over documents, and `sig` swaps documents.

    Notes
    -----
    A metric is compared with each rating of an output by itself, so that its values are comparable with those of
    people. Errors without a place in the text, such as omissions, do not count.
    """
    by_label, runtime = label_campaigns(campaigns), runtime or Runtime()
    created = tuple(dict.fromkeys(map(span_statistic.create, statistics or (DEFAULT,))))
    average = average or "micro"
    if over_pairs == "pooled" and len(by_label) == 1:
        raise no_effect("over_pairs", "there is a single language pair")
    intervals = IntervalOptions.from_spec(None, resamples, seed, confidence).of_units(runtime)
    test = _test(sig, alpha, correction, seed)
    selected_by = SystemOptions.of(systems, exclude, keep_references)
    name = find_name(by_label.values(), gold, prefer="judgements", levels=())
    known = {each.name for campaign in by_label.values() for each in campaign.predictions}
    chosen = SpanMetrics.from_names(tuple(metrics), known)
    compared, notes = _compared(by_label, name, selected_by, chosen, intervals, runtime)
    measures = {spec: Measure(spec, "kept") for spec in map(span_statistic.spec, created)}
    evaluations: dict[str, Evaluation] = {}
    tables: dict[str, Mapping[str, CreditTable]] = {}
    for label, each in compared.items():
        evaluations[label], tables[label], found = _evaluate(created, measures, each, average, intervals)
        notes[label] += found
    settings = {
        "statistics": "+".join(measures),
        **data_settings(by_label.values()),
        **{"gold": name, "level": "span", "average": average, "over_pairs": over_pairs},
        **selection_settings(selected_by),
        **({"metrics": ",".join(metrics)} if metrics else {}),
    }
    evaluation = summarised(
        {label: _pair(label, by_label[label], each) for label, each in compared.items()},
        evaluations,
        tuple(measures.values()),
        measures,
        settings,
        notes_of_pairs(notes.items()),
        is_pooled=over_pairs == "pooled",
        baseline_names=BASELINES,
    )
    if test is not None:
        evaluation = _with_tests(evaluation, test, tables, compared, alpha, correction)
    return replace(evaluation, settings={**evaluation.settings, "version": __version__})


def _test(sig: str | None, alpha: float, correction: str, seed: int) -> PermDocuments | None:
    """The test between metrics, if one is wanted."""
    if sig is None:
        for name, value, default in (("alpha", alpha, ALPHA), ("correction", correction, "none")):
            if value != default:
                raise no_effect(name, f"without {option_name('sig')}, metrics are not tested")
        return None
    test = create_test(sig, "perm-documents", seed)
    if not isinstance(test, PermDocuments):
        raise test.not_at("span")
    return test


def _compared(
    campaigns: Mapping[str, Campaign],
    name: str,
    systems: SystemOptions,
    metrics: SpanMetrics,
    intervals: UnitResamples,
    runtime: Runtime,
) -> tuple[dict[str, Compared], dict[str, list[Note]]]:
    """What is compared on each language pair, and notes, also on pairs that cannot be compared."""
    compared: dict[str, Compared] = {}
    notes: dict[str, list[Note]] = {}
    for label, campaign in campaigns.items():
        found = find_judgements(campaign, name, prefer="judgements", levels=())
        judged = None if found is None else found.judgements
        if not isinstance(judged, Ratings) or not marks_errors(judged):
            notes[label] = [Note(NoteKind.EXCLUDED, f"left out: '{name}' has no errors marked in the text")]
            continue
        selection = systems.select(judged.systems, campaign)
        computed, more = computed_spans(metrics.computed, campaign, judged, selection.systems, runtime)
        chosen = [*(each for each in campaign.predictions if metrics.has(each.name)), *computed]
        each = compared_outputs(judged, campaign, selection.systems, chosen)
        compared[label] = each
        of_files = {judged.origin, *(predicted.origin for predicted in chosen)}
        reading = [note for note in campaign.reading_notes if note.where in of_files]
        uneven = intervals.notes(each.judged.sizes(), each.judged.units.unit)
        notes[label] = [*selection.notes, *reading, *each.notes, *common_notes(each), *uneven, *more]
    if not compared:
        raise without_marks(name, campaigns.values(), in_text=True)
    if not any(each.metrics for each in compared.values()):
        text = "no metric marked errors: give files of them together with the data; the table has people only"
        notes[next(iter(compared))].append(Note(NoteKind.MISSING, text))
    return compared, notes


def _evaluate(
    statistics: Sequence[SpanStatistic],
    measures: Mapping[str, Measure],
    compared: Compared,
    average: str,
    intervals: UnitResamples,
) -> tuple[Evaluation, Mapping[str, CreditTable], list[Note]]:
    """The agreements of a language pair by metric and measure, the credits by the first statistic, and notes."""
    metrics: dict[str, dict[Measure, Agreement]] = {}
    baselines: dict[str, dict[Measure, Agreement]] = {}
    tables: list[Mapping[str, CreditTable]] = []
    notes: list[Note] = []
    for statistic, measure in zip(statistics, measures.values(), strict=True):
        evaluated = evaluate_spans(statistic, compared, average, intervals)
        notes += evaluated.notes
        tables.append(evaluated.tables)
        for target, found in ((metrics, evaluated.metrics), (baselines, evaluated.baselines)):
            for name, agreement in found.items():
                target.setdefault(name, {})[measure] = agreement
    return Evaluation(metrics, baselines, {}), tables[0], notes


def _pair(label: str, campaign: Campaign, compared: Compared) -> LanguagePair:
    left_out = {name: "not compared" for name in campaign.systems if name not in compared.systems}
    return LanguagePair(
        label, compared.human, compared.systems, left_out, no_outliers("outliers of marked errors are not looked for")
    )


def _with_tests(
    evaluation: MetaEvaluation,
    test: PermDocuments,
    tables: Mapping[str, Mapping[str, CreditTable]],
    compared: Mapping[str, Compared],
    alpha: float,
    correction: str,
) -> MetaEvaluation:
    """The evaluation with the tests by the first statistic: on the average, then on each language pair."""
    measure = evaluation.measures[0]
    found = {
        label: compare_metrics(test, tables[label], each, label=label)
        for label, each in compared.items()
        if each.metrics
    }

    def result_of(lp: str | None, pairs: MetricPairs) -> MetricDifferences:
        return ranked(pairs, lp=lp, statistic=measure.statistic, outliers="kept", alpha=alpha, correction=correction)

    results = [result_of(label, pairs) for label, pairs in found.items()]
    if len(found) > 1:
        columns = [MetaColumn(label, measure) for label in found]
        best = [next(row.agreements[c] for row in evaluation if c in row.agreements) for c in columns]
        weights = pair_weights(best, is_pooled=evaluation.settings["over_pairs"] == "pooled")
        results.insert(0, result_of(None, pool(list(found.values()), [each / sum(weights) for each in weights])))
    notes = dict.fromkeys(note for result in results for note in test_limits(result))
    return replace(
        evaluation,
        settings={**evaluation.settings, **test_settings([test], alpha=alpha, correction=correction)},
        tests=tuple(result for result in results if len(result.metrics) > 1),
        notes=(*evaluation.notes, *notes),
    )
