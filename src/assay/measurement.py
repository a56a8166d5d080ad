"""Measure a test set: turn its texts into one table of statistics for each metric."""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from assay.contracts import Metric
from assay.data.text_checks import TextChecks
from assay.errors import AssayError, ConfigError, InputError, NameClashError, PluginError
from assay.metrics import metric as metric_registry
from assay.metrics.external import ExternalScores
from assay.registry import option_texts, options_of, split_spec
from assay.runtime import Runtime
from assay.types import FloatArray, Note, NoteKind, Scorable, ScoreTable, Signature, Statistics, Table, TestSet
from assay.types.note import listed
from assay.version import __version__

__all__ = ["Measured", "Measurements", "MetricLike", "check_finite", "measure", "naming_metric", "signature_of"]

MetricLike: TypeAlias = str | Metric | ScoreTable

_CONTRACT = "assay.testing.check_metric(metric) checks a metric and names the rule that it breaks"
_CHECKED_SEGMENTS = 5  # of metrics of others, to see whether a row depends on other segments


@dataclasses.dataclass(frozen=True, slots=True)
class Measurements:
    """The statistics of every metric, and the test set without outputs that are references."""

    testset: TestSet
    metrics: dict[str, Measured]
    """By spec, or by the name of a score table."""
    specs: dict[str, str]
    """Requested specs, and the shortest spec that means the same."""
    notes: tuple[Note, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class Measured:
    """A prepared metric and its statistics."""

    spec: str
    metric: Metric
    references: str  # number of references of a segment, or `var`
    statistics: Statistics
    segment_scores: FloatArray  # (system, segment), NaN where unscored or undefined
    corpus: Scorable
    mean: Scorable
    nondefault_options: tuple[tuple[str, str], ...] | None = None


def measure(testset: TestSet, metrics: MetricLike | Iterable[MetricLike], runtime: Runtime) -> Measurements:
    """The statistics of all systems under all metrics, with notes on the texts and on what could not be scored."""
    testset = _exclude_references(testset)
    requested_metrics = [metrics] if isinstance(metrics, Metric | ScoreTable) else list(metrics)
    if not requested_metrics:
        raise ConfigError("no metric was given", hint="e.g. bleu")
    measured: dict[str, Measured] = {}
    specs: dict[str, str] = {}
    findings = TextChecks(testset.outputs, testset.references, testset.sources, testset.lp).findings()
    notes = [*testset.notes, *(finding.note for finding in findings if finding.severity != "note")]
    tables: dict[object, Table] = {}
    for requested in runtime.track(requested_metrics, _task):
        spec, metric = _load_metric(requested)
        if spec in measured and not (isinstance(requested, str) and spec in specs.values()):
            raise NameClashError(f"two metrics are called '{spec}'", hint="rename one of them")
        if spec in measured:
            notes.append(Note(NoteKind.DUPLICATE, "given more than once, and computed once", spec))
        with naming_metric(spec, metric):
            measured[spec] = _measure(testset, spec, metric, runtime, tables)
        notes += [*measured[spec].metric.advice(testset), *_gap_notes(measured[spec], testset)]
        if isinstance(requested, str):
            specs[requested] = spec
    return Measurements(testset, measured, specs, tuple(dict.fromkeys(notes)))


@contextlib.contextmanager
def naming_metric(spec: str, metric: Metric) -> Iterator[None]:
    """Name the metric, and the line of its file, in errors of its code."""
    try:
        yield
    except PluginError as error:
        raise PluginError(f"the metric '{spec}' is faulty: {error.message}", hint=error.hint or _CONTRACT) from error
    except (AssayError, MemoryError):
        raise
    except Exception as error:
        import traceback  # slow to import, and only needed when something went wrong

        file = getattr(sys.modules.get(type(metric).__module__), "__file__", None)
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        where = f" ({file}, line {lines[-1]})" if lines else ""
        text = f"the metric '{spec}' failed: {type(error).__name__}: {error}{where}"
        raise PluginError(text, hint=_CONTRACT) from error


def _task(requested: MetricLike) -> str:
    return f"scoring {requested if isinstance(requested, str) else getattr(requested, 'name', requested)}"


def _exclude_references(testset: TestSet) -> TestSet:
    """The test set without systems that are also references, which would be scored against themselves."""
    human = testset.reference_systems
    others = [name for name in testset.systems if name not in human]
    if not human or not others:
        return testset
    note = Note(NoteKind.EXCLUDED, f"excluded systems that are also references: {', '.join(human)}", count=len(human))
    return dataclasses.replace(testset.with_systems(others), notes=(*testset.notes, note))


def _load_metric(requested: MetricLike) -> tuple[str, Metric]:
    """A metric and the name of its results in the run: its spec, or the name of a score table."""
    if isinstance(requested, ScoreTable):
        return requested.name, ExternalScores.of(requested)
    metric = metric_registry.create(requested)
    return metric_registry.spec(metric), metric


def _measure(testset: TestSet, spec: str, metric: Metric, runtime: Runtime, tables: dict[object, Table]) -> Measured:
    """Turn text into statistics. `tables` keeps them for metrics that differ only in how they score."""
    _check_needs(testset, spec, metric.needs)
    original, metric, references = metric, metric.prepare(testset), metric.reference_count(testset)
    key = (type(metric), *(option for option in options_of(metric) if option[0] not in metric.score_options))
    if key not in tables:
        tables[key] = metric.statistics(testset, runtime)
    statistics = Statistics(
        systems=testset.systems,
        columns=metric.columns,
        table=tables[key],
        scored=metric.scorable(testset),
        signature=signature_of(metric, references, "statistics", ()),
    )
    _check_rows(metric, testset, statistics, runtime)
    segment_scores = np.where(statistics.scored, metric.segment_form.score(statistics.table), np.nan)
    check_finite(segment_scores)
    segment_scores.flags.writeable = False
    options = _nondefault_options(spec, original, metric, testset)
    corpus = Scorable(statistics.table, metric.score, statistics.scored, testset.systems)
    mean = Scorable.of_segments(segment_scores, testset.systems)
    return Measured(spec, metric, references, statistics, segment_scores, corpus, mean, options)


def _check_rows(metric: Metric, testset: TestSet, statistics: Statistics, runtime: Runtime) -> None:
    """Raise if a row depends on other segments, for metrics of others: their sums would mean nothing."""
    if type(metric).__module__.startswith("assay."):
        return
    few = np.arange(min(_CHECKED_SEGMENTS, len(testset)))
    rows = np.asarray(metric.statistics(testset.take(few), runtime))
    expected, tolerance = statistics.table[:, few], metric.tolerance
    if rows.shape != expected.shape or not np.allclose(rows, expected, rtol=tolerance, atol=tolerance):
        if not np.array_equal(rows, np.asarray(metric.statistics(testset.take(few), runtime)), equal_nan=True):
            raise PluginError("it is not deterministic: two calls with the same texts gave different results")
        raise PluginError("it is not additive: the statistics of a segment depend on the other segments")


def check_finite(scores: npt.ArrayLike) -> None:
    """Refuse infinite scores."""
    if np.isinf(scores).any():
        raise PluginError("it returns an infinite score", hint="`score` returns NaN where a score is undefined")


def _check_needs(testset: TestSet, spec: str, needs: frozenset[str]) -> None:
    """Raise if the test set has no column or layer of a kind that a metric needs."""
    if "reference" in needs and not testset.references:
        raise InputError(f"{spec} needs a reference", hint="e.g. --ref ref.de (in Python, references=…)")
    if "source" in needs and testset.sources is None:
        raise InputError(f"{spec} needs the sources", hint="e.g. --src src.en (in Python, sources=…)")
    for layer in sorted(needs - {"reference", "source"}):
        if not testset.annotations.get(layer):
            layers = ", ".join(testset.annotations) or "none"
            raise InputError(
                f"{spec} needs the annotation layer '{layer}', which the test set does not have",
                hint=f"layers of the test set: {layers}",
            )


def _nondefault_options(
    spec: str, original: Metric, prepared: Metric, testset: TestSet
) -> tuple[tuple[str, str], ...] | None:
    """Options that differ from the defaults of the name in the spec, for an unknown target language."""
    try:
        default = metric_registry.create(split_spec(spec)[0])
    except ConfigError:  # a score table, or an option without a default
        return None
    if type(default) is not type(prepared):  # a score table with the name of a metric
        return None
    if options_of(original) != options_of(prepared):  # set by `prepare`
        default = default.prepare(dataclasses.replace(testset, lp=None) if testset.lp else testset)
    defaults, texts = dict(options_of(default)), option_texts(prepared)
    return tuple((key, texts[key]) for key, value in options_of(prepared) if value != defaults[key])


def signature_of(
    metric: Metric, references: str, aggregation: str, resampling: tuple[tuple[str, str], ...]
) -> Signature:
    """The signature of a metric's scores under an aggregation."""
    form = metric.segment_form if aggregation == "segment" else metric
    return Signature(
        metric=form.name,
        parameters=tuple((name, text) for name, text in option_texts(form).items() if text),
        references=references,
        aggregation=aggregation,
        resampling=resampling,
        resources=tuple(sorted(form.resources.items())),
        version=__version__,
    )


def _gap_notes(measured: Measured, testset: TestSet) -> list[Note]:
    """A note on the segments that are not scored for all systems, and the systems that lack them."""
    scored = measured.statistics.scored
    segments, complete = scored.shape[1], int(np.count_nonzero(scored.all(axis=0)))
    excluded = segments - complete
    if not excluded:
        return []
    incomplete = [name for name, row in zip(measured.statistics.systems, scored, strict=True) if not row.all()]
    lacking = " or ".join(_lacking(measured.metric, testset, ~scored))
    text = f"excluded {excluded:,} of {segments:,} segments, which lack {lacking} for {listed(incomplete)}"
    return [Note(NoteKind.EXCLUDED, text, where=measured.spec, count=excluded)]


def _lacking(metric: Metric, testset: TestSet, unscored: npt.NDArray[np.bool_]) -> Iterator[str]:
    """What is missing where there is no score: outputs, and other texts or scores where there is an output."""
    absent = np.array([[text is None for text in column] for column in testset.outputs.values()])
    if (unscored & absent).any():
        yield "an output"
    others = (unscored & ~absent).any(axis=0)
    if others.any() and isinstance(metric, ExternalScores):
        yield "a score"
    elif others.any():
        texts = {"reference": list(testset.references.values()), "source": [testset.sources or ()]}
        kinds = [kind for kind in texts if kind in metric.needs and _are_absent(texts[kind], others)]
        yield from [f"a {kind}" for kind in kinds] or ["another input"]


def _are_absent(columns: Iterable[Sequence[str | None]], segments: npt.NDArray[np.bool_]) -> bool:
    """Whether some of these segments have no text in any column."""
    present = list(columns)
    return any(all(column[segment] is None for column in present) for segment in np.flatnonzero(segments).tolist())
