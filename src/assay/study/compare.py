"""`assay.compare`: is the difference between systems real?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Annotated, Unpack

from assay.aggregate.resample import CONFIDENCE, SEED, TEST_RESAMPLES, Confidence, Seed
from assay.calibration.compared import Calibrator
from assay.calibration.files import BUNDLED, NO_CALIBRATION, CalibrationChoice, open_calibration
from assay.calibration.options import JudgedSegments, StatedKinds
from assay.calibration.system_kinds import stated_kinds
from assay.comparison.contrasts import CONTRASTS, ContrastOptions, Examples, NgramCount
from assay.comparison.differences import ComparisonOptions, Compat, Delta, TestChoice, TestResamples
from assay.comparison.gates import bound_lookup, lookup, parse
from assay.comparison.groups import domain_differences
from assay.comparison.human_scores import human_scores, rated_scores, scores_by_errors
from assay.comparison.metrics import MetricComparer, distinct_aggregations
from assay.comparison.notes import comparison_notes, dependence_notes
from assay.contracts import Metric
from assay.data.tables.segment_labels import read_segment_labels
from assay.errors import ConfigError, UnknownNameError, nearest, option_name
from assay.human.scoring import has_controls_only
from assay.measurement import Measured, Measurements, MetricLike, Metrics, measure
from assay.measurement.chosen_outputs import chosen_systems
from assay.measurement.marked_errors import MARKING_METRICS, predicted_spans
from assay.measurement.segment_groups import Group, groups_of
from assay.measurement.units import Unit, placeholder_notes, test_of_segments
from assay.metrics import metric as metric_registry
from assay.metrics.external import ExternalScores
from assay.options.option import METRICS, TESTS, Option
from assay.options.shared import RUNTIME, TESTSET, Alpha
from assay.options.verb import verb
from assay.registry import name_list, option_text
from assay.results import (
    Calibration,
    ComparedMetric,
    Contrast,
    GroupDifferences,
    JointExplanation,
    SystemComparison,
)
from assay.results.outcome import Alternative
from assay.significance import ALPHA
from assay.significance.corrections import Correction
from assay.study.score import DEFAULT_AGGREGATIONS, DEFAULT_METRICS
from assay.types import Note, NoteKind, Ratings, ScoreTable, TestSet
from assay.types.note import listed
from assay.types.runtime import Runtime, RuntimeFields
from assay.version import __version__

__all__ = ["AGGREGATION", "compare"]

_PAIRS = "Comparison"  # the group of options
_CALIBRATED = ("0", "1")  # references that calibrations are for
AGGREGATION = Option(
    "How to aggregate scores: corpus or segment.",
    group=METRICS,
    noun="aggregation",
    choices=DEFAULT_AGGREGATIONS,
    metavar="NAME",
)


@verb
def compare(
    testset: Annotated[TestSet, TESTSET],
    metrics: Metrics = DEFAULT_METRICS,
    *,
    agg: Annotated[
        str | Iterable[str] | None,
        replace(AGGREGATION, default="both, if the test applies to both"),
    ] = None,
    baseline: Annotated[
        str | None,
        Option("Compare every system with this one.", group=_PAIRS, metavar="SYSTEM", default="the first system"),
    ] = None,
    all_pairs: Annotated[bool, Option("Compare all pairs of systems, and show clusters.", group=_PAIRS)] = False,
    test: TestChoice = "randomisation",
    alternative: Annotated[
        Alternative,
        Option(
            "What p is evidence for: two-sided (a difference), better or worse (the first system is better or worse).",
            group=TESTS,
            metavar="NAME",
        ),
    ] = "two-sided",
    correction: Correction = "holm",
    alpha: Alpha = ALPHA,
    unit: Unit = "segment",
    delta: Delta = None,
    examples: Examples = 0,
    by: Annotated[
        str | Iterable[str],
        Option(
            f"Compare by document, domain, length or a column of {option_name('labels')}.",
            group=CONTRASTS,
            metavar="GROUPING",
        ),
    ] = (),
    labels: Annotated[
        str | Path | None,
        Option(
            "A label for each segment: one per line (the column is named after the file), or a TSV file with a header.",
            group=CONTRASTS,
            metavar="FILE",
            takes_file=True,
        ),
    ] = None,
    ngrams: NgramCount = 0,
    words: Annotated[bool, Option("Compare on words by frequency, case, script and kind.", group=CONTRASTS)] = False,
    errors: Annotated[
        bool,
        Option(
            "Compare errors that people, or metrics such as judge, marked in the outputs, in 100 words, by severity "
            "and category.",
            group=CONTRASTS,
        ),
    ] = False,
    fail_if: Annotated[
        str | None,
        Option(
            "A condition on the results, such as 'chrf.p < 0.05 and chrf.delta < 0'. The result says for which systems "
            "it holds; the command then exits with code 5.",
            group=_PAIRS,
            metavar="CONDITION",
            check=lambda _, condition: parse(condition),
        ),
    ] = None,
    compat: Compat = None,
    calibration: CalibrationChoice = BUNDLED,
    judged: JudgedSegments = None,
    system_kinds: StatedKinds = (),
    human: Annotated[
        Sequence[ScoreTable | Ratings],
        Option(
            "Human scores of the systems, to show beside the differences, and ratings with marked errors.",
            is_command_option=False,
        ),
    ] = (),
    resamples: TestResamples = None,
    seed: Seed = SEED,
    confidence: Confidence = CONFIDENCE,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> SystemComparison:
    """Test whether the differences between systems are real.

    Every system is compared with the first one, or with `baseline`, or all pairs of systems with each other
    (`all_pairs`). A difference has a bootstrap interval and the p-value of a paired test, which is corrected for all
    pairs of one metric and aggregation. "No difference shown" does not mean that the systems are equal.

    Notes
    -----
    The calibration answers for metrics with the same options, one reference, and the group of target languages of the
    test set.
    """
    runtime = runtime or Runtime()
    drawn = TEST_RESAMPLES if resamples is None else resamples
    options = ComparisonOptions(
        test, alternative, correction, alpha, delta, compat, drawn, seed, confidence, may_draw_more=resamples is None
    )
    aggregations = _aggregations(agg, options)
    groups, label_notes = _groups(testset, tuple(dict.fromkeys(by)), labels)
    marked = _marked(human, metrics) if errors else ()
    contrasts = ContrastOptions(examples, groups, ngrams, words, marked, options)
    gate = None if fail_if is None else parse(fail_if)
    unit_notes = _check_unit(testset, unit, options)
    needing_baseline = (*contrasts.names, *(["errors"] if errors else []), *(() if gate is None else ("fail_if",)))
    if all_pairs and needing_baseline:
        text = f"{option_name(needing_baseline[0])} compares systems with a baseline, not all pairs"
        raise ConfigError(text, hint=f"leave out {option_name('all_pairs')}")
    if all_pairs and not options.is_two_sided:
        text = f"{option_name('alternative', alternative)} has no meaning for all pairs, which have no first system"
        raise ConfigError(text, hint=f"compare with a baseline, or leave out {option_name('alternative')}")
    scores = rated_scores(human, testset)
    metrics, scores, metric_notes = _by_people(metrics, scores, marked, testset)
    stated = stated_kinds(system_kinds, testset.systems)
    measurements = measure(testset, metrics, runtime, has_short_names=True)
    pairs = _pairs(testset, measurements.testset, baseline, all_pairs=all_pairs)
    testset = measurements.testset
    compared_metrics = {
        spec: distinct_aggregations(measured, aggregations, runtime) for spec, measured in measurements.metrics.items()
    }
    resolved = gate and gate.resolve(
        compared_metrics, [first for first, _ in pairs], pairs[0][1], aliases=measurements.specs
    )
    comparer = MetricComparer(pairs, options, testset.documents if unit == "document" else None, all_pairs)
    compared = [
        metric
        for measured in runtime.track(list(measurements.metrics.values()), lambda m: f"comparing by {m.spec}")
        for metric in comparer.compare(measured, aggregations, runtime)
    ]
    compared, joint = _calibrated(compared, measurements, calibration, judged, stated)
    if errors:
        contrasts = replace(contrasts, errors=(*marked, *predicted_spans(measurements, runtime)))
    found = contrasts.contrasts(measurements, pairs, aggregations, runtime)
    segments = {
        spec: dict(zip(measured.statistics.systems, measured.segment_scores, strict=True))
        for spec, measured in measurements.metrics.items()
    }
    given, human_notes = human_scores(scores, testset.systems)
    result = SystemComparison(
        {
            **_settings(options, unit, calibration),
            **({} if judged is None else {"judged": str(judged)}),
            **({"system_kinds": name_list(system_kinds)} if stated else {}),
            "correction": options.correction if _has_several(compared) else "none",
            **_raised(compared, options),
            "pairs": f"all {len(pairs)}" if all_pairs else f"{len(pairs)} with {pairs[0][1]}",
            "systems": ",".join(testset.systems),
            "version": __version__,
        },
        None if all_pairs else pairs[0][1],
        tuple(compared),
        testset,
        segments,
        found,
        given,
        joint,
        notes=(
            *measurements.notes,
            *metric_notes,
            *human_notes,
            *label_notes,
            *unit_notes,
            *(gate.notes(alternative) if gate else ()),
            *comparison_notes(compared, options, unit),
            *(dependence_notes(segments, pairs, testset.documents, options) if unit == "segment" else ()),
            *_contrast_notes(found),
            *_calibration_notes(measurements, calibration),
        ),
    )
    met = resolved.evaluate(lookup(result), bound_lookup(result)) if resolved else []
    return replace(result, failures=tuple(met), domains=_by_domain(result))


def _aggregations(agg: str | Iterable[str] | None, options: ComparisonOptions) -> tuple[str, ...]:
    """Those asked for, by default all that the test applies to."""
    if not agg:
        if options.compat is not None:
            return ("corpus",)
        return ("segment",) if options.sample_test is not None else DEFAULT_AGGREGATIONS
    names = tuple(dict.fromkeys(agg))
    if options.compat is not None and "segment" in names:
        raise ConfigError(
            "sacreBLEU compares corpus scores, not segment means",
            hint=f"{option_name('agg', 'corpus')}, or leave out {option_name('compat')}",
        )
    return names


def _groups(testset: TestSet, by: tuple[str, ...], labels: str | Path | None) -> tuple[Sequence[Group], Sequence[Note]]:
    """The groups of segments to compare by, and notes on reading the labels."""
    if labels is None:
        return groups_of(testset, by), ()
    if not by:
        message = f"{option_name('labels')} has no effect without {option_name('by')}"
        raise ConfigError(message, hint=f"name a column of the file: {option_name('by', 'COLUMN')}")
    columns, notes = read_segment_labels(labels, len(testset))
    return groups_of(testset, by, columns), notes


def _by_people(
    metrics: Metrics, scores: list[ScoreTable], marked: Sequence[Ratings], testset: TestSet
) -> tuple[Metrics, list[ScoreTable], tuple[Note, ...]]:
    """What marked errors stand beside if no metric was chosen and none can be computed: the scores that people gave.

    Also the human scores that then remain, and a note. Without scores, the errors have weights.
    """
    if not marked or testset.references or metrics is not DEFAULT_METRICS:
        return metrics, scores, ()
    by_segment = [table for table in scores if table.level == "segment"]
    by_segment = by_segment or [scores_by_errors(ratings, testset) for ratings in marked]
    names = dict.fromkeys(table.name for table in by_segment)
    text = f"no reference, and no metric chosen: compared by the scores that people gave ({listed(names)})"
    others = [table for table in scores if table.name not in names]
    return by_segment, others, (Note(NoteKind.PROVENANCE, text),)


def _marked(human: Iterable[ScoreTable | Ratings], metrics: Metrics) -> tuple[Ratings, ...]:
    """The ratings with marked errors; an error if there are none and no metric marks any."""
    found = tuple(
        each for each in human if isinstance(each, Ratings) and any(each.errors) and not has_controls_only(each)
    )
    if not found and not any(map(_marks_errors, [metrics] if isinstance(metrics, Metric | ScoreTable) else metrics)):
        hint = f"give ratings with errors, as in assay compare --data wmt25 --lp en-is_IS; {MARKING_METRICS}"
        raise ConfigError(f"{option_name('errors')} has no effect: nobody marked errors in these outputs", hint=hint)
    return found


def _marks_errors(requested: MetricLike) -> bool:
    if isinstance(requested, ScoreTable):
        return False
    return metric_registry.create(requested).marks_errors


def _contrast_notes(contrasts: Iterable[Contrast]) -> Iterable[Note]:
    """The notes of all contrasts, without those that several of a pair have."""
    return dict.fromkeys(note for contrast in contrasts for note in contrast.notes)


def _check_unit(testset: TestSet, unit: str, options: ComparisonOptions) -> tuple[Note, ...]:
    """Whether the unit can be resampled, and a note on documents that may be none."""
    if unit == "document" and (options.sample_test is not None or options.compat is not None):
        if options.compat is not None:
            raise ConfigError("sacreBLEU compares segments, not documents", hint=f"leave out {option_name('compat')}")
        raise test_of_segments(options.test)
    if unit == "document" and testset.documents is None:
        raise ConfigError(
            "documents as units need the documents of the segments",
            hint=f"e.g. {option_name('documents', 'docs.txt')}",
        )
    return placeholder_notes(testset.documents) if unit == "document" and testset.documents else ()


def _calibrated(
    compared: list[ComparedMetric],
    measurements: Measurements,
    calibration: Calibration | str | Path,
    planned: int | None,
    stated: Mapping[str, str],
) -> tuple[list[ComparedMetric], tuple[JointExplanation, ...]]:
    """The metrics with what a calibration says of their differences, and of those of all scores together."""
    if calibration == NO_CALIBRATION:
        return compared, ()
    testset = measurements.testset
    reasons = {spec: _uncalibrated(measured, calibration, testset) for spec, measured in measurements.metrics.items()}
    unanswerable = {spec: reason for spec, reason in reasons.items() if reason}
    answerable = [spec for spec in measurements.metrics if spec not in unanswerable]
    opened, source = open_calibration(calibration, metrics=measurements.metrics, pairs_of=answerable)
    if isinstance(opened, Calibration):
        opened = _with_names(opened, measurements.specs)
    calibrator = Calibrator(opened, source, testset.lp, testset.name or "", unanswerable, planned, stated)
    return calibrator.calibrate(compared), calibrator.together(compared)


def _with_names(calibration: Calibration, names: Mapping[str, str]) -> Calibration:
    """A calibration whose metrics have the names that the comparison calls them by."""
    if not any(names.get(metric, metric) != metric for metric in calibration.metrics):
        return calibration
    curves = (replace(curve, metric=names.get(curve.metric, curve.metric)) for curve in calibration)
    renamed = ({names.get(name, name): scores for name, scores in each.scores.items()} for each in calibration.pairs)
    pairs = (replace(each, scores=scores) for each, scores in zip(calibration.pairs, renamed, strict=True))
    return replace(calibration, curves=tuple(curves), pairs=tuple(pairs))


def _calibration_notes(measurements: Measurements, calibration: Calibration | str | Path) -> Iterator[Note]:
    if calibration != NO_CALIBRATION and any(
        each.references not in _CALIBRATED for each in measurements.metrics.values()
    ):
        first = next(iter(measurements.testset.references))
        advice = f"to learn whether people would notice, choose one reference, e.g. {option_name('references', first)}"
        yield Note(NoteKind.ADVICE, advice)


def _uncalibrated(measured: Measured, calibration: Calibration | str | Path, testset: TestSet) -> str:
    """Why there is no calibration of a metric, whatever it is called; empty if there may be one."""
    if isinstance(measured.metric, ExternalScores):
        return "calibrations are for metrics that are computed here, not for scores from elsewhere"
    if measured.references not in _CALIBRATED:
        number = "a varying number" if measured.references == "var" else measured.references
        return f"calibrations are for one reference, not {number}"
    layers = measured.metric.needs - {"reference", "source"}
    if layers and calibration == BUNDLED:
        return f"the bundled calibration is for scores without the annotations used here ({', '.join(sorted(layers))})"
    if chosen := [system for system, _ in chosen_systems(testset, measured.metric)]:
        return f"calibrations are for texts that no metric chose, and one like this chose those of {listed(chosen)}"
    return ""


def _settings(options: ComparisonOptions, unit: str, calibration: Calibration | str | Path) -> dict[str, str]:
    settings = {
        "test": options.test,
        "alternative": options.alternative,
        "correction": options.correction,
        "alpha": option_text(options.alpha),
        "unit": unit,
        "resamples": str(options.resamples),
        "seed": str(options.seed),
        "confidence": option_text(options.confidence),
        "calibration": "own" if isinstance(calibration, Calibration) else option_text(str(calibration)),
    }
    if options.compat is not None:
        settings["compat"] = options.compat
    return settings if options.delta is None else settings | {"delta": option_text(options.delta)}


def _by_domain(result: SystemComparison) -> tuple[GroupDifferences, ...]:
    """Of the two systems in focus, unless groups of segments were asked for."""
    if result.contrasts_of(GroupDifferences, *result.focus):
        return ()
    return tuple(domain_differences(result, *result.focus))


def _has_several(compared: Iterable[ComparedMetric]) -> bool:
    """Whether any score has more than one p-value, so that there is something to correct for."""
    return any(sum(not math.isnan(pair.p) for pair in metric.pairs) > 1 for metric in compared)


def _raised(compared: Iterable[ComparedMetric], options: ComparisonOptions) -> dict[str, str]:
    """The largest number of resamples that a p-value comes from, if it is more than asked for."""
    most = max((pair.resamples or 0 for metric in compared for pair in metric.pairs), default=0)
    return {"test_resamples": str(most)} if most > options.resamples else {}


def _pairs(given: TestSet, testset: TestSet, baseline: str | None, *, all_pairs: bool) -> list[tuple[str, str]]:
    """The pairs to compare: each system with the baseline, or each with every later one."""
    systems = testset.systems
    if len(systems) < 2:
        excluded = [name for name in given.systems if name not in systems]
        hint = (
            f"{', '.join(excluded)}: left out, being a reference" if excluded else f"there is only {', '.join(systems)}"
        )
        raise ConfigError("a comparison needs at least two systems", hint=hint)
    if all_pairs:
        if baseline is not None:
            message = f"{option_name('baseline')} has no effect with {option_name('all_pairs')}"
            raise ConfigError(message, hint="leave out one of them")
        return list(combinations(systems, 2))
    if baseline is not None and baseline not in systems:
        raise UnknownNameError(f"no system is called '{baseline}'", hint=nearest(baseline, systems))
    base = baseline or systems[0]
    return [(name, base) for name in systems if name != base]
