"""Measure a test set: turn its texts into one table of statistics for each metric."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import math
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from assay.contracts import AUTO, Metric
from assay.data.annotation_files import in_its_file
from assay.errors import (
    AnnotationError,
    AssayError,
    ConfigError,
    InputError,
    OutOfMemoryError,
    PluginError,
    SegmentError,
)
from assay.lazily import numpy as np
from assay.measurement.chosen_outputs import chosen_notes
from assay.measurement.needs import TEXTS, absent_files, check_needs, lacking
from assay.metrics import metric as metric_registry
from assay.metrics import statistics_key
from assay.metrics.core_metric import is_core, is_ours
from assay.metrics.external import ExternalScores
from assay.options.option import METRICS, Option, split_specs
from assay.registry import option_texts, options_of, split_spec
from assay.registry.plugin_files import is_from_file, short_names
from assay.types import (
    FloatArray,
    Mask,
    Note,
    NoteKind,
    Rows,
    Scorable,
    ScoreTable,
    Signature,
    Statistics,
    TestSet,
    as_column,
    digest_of_column,
)
from assay.types.annotation import UNNAMED
from assay.types.note import listed, plural
from assay.types.runtime import Runtime
from assay.version import __version__

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "AGGREGATIONS",
    "KEPT_CELLS",
    "Measured",
    "Measurements",
    "MetricLike",
    "Metrics",
    "check_finite",
    "check_texts",
    "measure",
    "metrics_option",
    "naming_metric",
    "no_common_segments",
    "signature_of",
    "undefined_note",
]

AGGREGATIONS = ("corpus", "segment", "bootstrap")
"""Corpus scores, means of segment scores, and means of corpus scores over resamples."""

MetricLike: TypeAlias = str | Metric | ScoreTable


def metrics_option(help_text: str, *, takes_names: bool = False, default: str = "") -> Option:
    """The option `metrics`; `takes_names`: also names and patterns of stored metrics, which are not known here."""

    def check(_: str, spec: Any) -> None:
        if isinstance(spec, str) and (not takes_names or ":" in spec):
            metric_registry.create(spec)

    return Option(
        help_text,
        group=METRICS,
        default=default,
        check=check,
        split=split_specs,
        flags=("-m", "--metrics"),
        metavar="SPEC|GLOB" if takes_names else "SPEC",
        names=metric_registry.names,
    )


Metrics = Annotated[MetricLike | Iterable[MetricLike], metrics_option("Metrics, with their options: bleu:tok=intl.")]

KEPT_CELLS = 1 << 21
"""Cells of a table (16 megabytes) above which `assay.score` computes it part by part, and keeps only its sums."""

_CONTRACT = "assay.testing.check_metric(metric) checks a metric and names the rule that it breaks"
_DIGITS = 8  # of the digest of a layer in signatures
_LEAST_CELLS = 10  # that a segment counts for: its texts need at least as much memory
_UNUSED = (("tok", AUTO), ("source_tok", AUTO))
"""A tokeniser that `prepare` has not chosen is not used: an encoder has its own, and YiSi-1 reads no sources."""
_CHECKED_SEGMENTS = 5  # of metrics from other packages, to see whether a row depends on other segments


@dataclasses.dataclass(frozen=True, slots=True)
class Measurements:
    """The statistics of every metric, and the test set without outputs that are references."""

    testset: TestSet
    metrics: dict[str, Measured]
    """By spec, or by the name of a score table."""
    specs: dict[str, str]
    """Requested specs, and the shortest spec that means the same."""
    notes: tuple[Note, ...]


@dataclasses.dataclass(frozen=True)
class Measured:
    """A prepared metric and its statistics. Segment scores are computed when they are first needed."""

    spec: str
    metric: Metric
    references: str  # number of references of a segment, or `var`
    segments: int
    statistics: Statistics
    nondefault_options: tuple[tuple[str, str], ...] | None = None
    texts: _Texts | None = None
    """What to compute parts of the statistics from; None if all are in memory."""
    core_table: Rows | None = None
    """The table as the core returned it, without numpy; None if it did not compute it."""
    is_complete: bool = False
    """Whether the texts alone show that every cell is scored."""
    annotators: tuple[tuple[str, str], ...] = ()
    """What made the annotation layers that the metric needs."""

    def signature(self, aggregation: str, resampling: tuple[tuple[str, str], ...] = ()) -> Signature:
        """The signature of the scores under an aggregation; `none` is that of single segments."""
        form = self.metric.segment_form if aggregation == "none" else self.metric
        return signature_of(form, self.references, aggregation, resampling, self.annotators)

    def score(self, rows: Rows) -> Rows:
        """The scores (system, row) of rows (system, row, column)."""
        return _scores(self.metric, rows)

    def rows(self, part: slice | npt.NDArray[np.intp] | None) -> Rows:
        """The statistics (system, segment, column) of some segments; None: of all."""
        if self.texts is not None and isinstance(part, slice):
            return self.texts.table(self.metric, part)
        if part is None and self.core_table is not None:
            return self.core_table
        return self.statistics.table if part is None else self.statistics.table[:, part]

    def segment_values(self, part: slice | npt.NDArray[np.intp] | None) -> Rows:
        """The segment scores (system, segment) of some segments, NaN where unscored or undefined; None: of all."""
        if part is None:
            return self._all_segment_scores
        if self.texts is not None and isinstance(part, slice):
            return self._scores_of(self.rows(part), part)
        return self.segment_scores[:, part]

    @functools.cached_property
    def segment_scores(self) -> FloatArray:
        """(system, segment), NaN where unscored or undefined."""
        segment_scores = np.asarray(self._all_segment_scores)
        segment_scores.flags.writeable = False
        return segment_scores

    def check_segment_scores(self) -> None:
        """Raise if the metric cannot score a segment, or does not give a finite number or NaN."""
        np.asarray(self.segment_scores)

    @functools.cached_property
    def _all_segment_scores(self) -> Rows:
        return self._scores_of(self.rows(None), slice(None))

    def _scores_of(self, rows: Rows, part: slice) -> Rows:
        scores = _scores(self.metric.segment_form, rows)
        if not self.is_complete:
            scores = np.where(self.statistics.scored[:, part], scores, np.nan)
        if not is_core(self.metric):  # whose scores are finite
            check_finite(np.asarray(scores))
        return scores

    @functools.cached_property
    def corpus(self) -> Scorable:
        """Corpus scores: sum the statistics, then score."""
        statistics = self.statistics
        return Scorable(statistics.table, self.metric.score, statistics.scored, statistics.systems)

    @functools.cached_property
    def mean(self) -> Scorable:
        """Means of the segment scores."""
        return Scorable.of_segments(self.segment_scores, self.statistics.systems)

    def scorable(self, aggregation: str) -> Scorable:
        """What an aggregation scores: `segment` the segment scores, all others the statistics."""
        return self.mean if aggregation == "segment" else self.corpus

    @functools.cached_property
    def has_scores(self) -> Mask:
        """By system: whether any of its segments is scored."""
        return np.asarray(self.statistics.scored.any(axis=1))

    @functools.cached_property
    def is_common(self) -> Mask:
        """By segment: whether it is scored for all systems. Only those are compared, so that all have the same.

        Systems without any score do not count: the others would have none either.
        """
        scored = self.statistics.scored
        return np.asarray(scored[self.has_scores].all(axis=0) & scored.any(axis=0))

    def common(self, segments: npt.NDArray[np.intp] | None = None) -> npt.NDArray[np.intp]:
        """Those of the segments (default: all) that are scored for all systems."""
        return np.flatnonzero(self.is_common) if segments is None else segments[self.is_common[segments]]


class _Texts:
    """The texts of a test set in parts, and the tables of the latest part."""

    def __init__(self, testset: TestSet, runtime: Runtime) -> None:
        self._testset, self._runtime = testset, runtime
        self._latest: slice | None = None
        self._part = testset
        self._tables: dict[object, Rows] = {}

    def table(self, metric: Metric, part: slice) -> Rows:
        """The statistics of a part; metrics that differ only in how they score share them."""
        if part != self._latest:
            self._latest, self._part, self._tables = part, self._testset.part(part.start, part.stop), {}
        key = statistics_key(metric)
        if key not in self._tables:
            try:
                self._tables[key] = _table(metric, self._part, self._runtime)
            except AnnotationError as error:
                raise in_its_file(error.moved(part.start), self._testset) from None
            except SegmentError as error:
                raise error.moved(part.start) from None
        return self._tables[key]


def measure(
    testset: TestSet,
    metrics: MetricLike | Iterable[MetricLike],
    runtime: Runtime,
    *,
    kept_cells: int | None = None,
    has_short_names: bool = False,
) -> Measurements:
    """The statistics of all systems under all metrics, with notes on the texts and on what could not be scored.

    `has_short_names`: metrics from files are called by the name of their class or function, as far as that is unique.

    Tables with more than `kept_cells` cells are not computed until they are read; `Measured.rows` computes parts of
    them. Metrics with weights that were fitted on the whole test set are computed at once. The caller, who adds up the
    parts, makes the notes on undefined segment scores then (`undefined_note`).
    """
    testset = _exclude_references(testset)
    requested_metrics = [metrics] if isinstance(metrics, Metric | ScoreTable) else list(metrics)
    if not requested_metrics:
        raise ConfigError("no metric was given", hint="e.g. bleu")
    measured: dict[str, Measured] = {}
    specs: dict[str, str] = {}
    from assay.data.text_checks import text_findings  # help pages of commands that measure need not wait for it

    findings = text_findings(testset.outputs, testset.references, sources=testset.sources, lp=testset.lp)
    notes = [*testset.notes, *map(_not_fatal, findings)]
    tables: dict[object, Rows] = {}
    texts = _Texts(testset, runtime)
    loaded = [_load_metric(requested) for requested in requested_metrics]
    names = _short_names([spec for spec, _ in loaded]) if has_short_names else {}
    names_of_all = {names.get(spec, spec) for spec, _ in loaded}
    notes += chosen_notes(testset, ((names.get(spec, spec), metric) for spec, metric in loaded))
    for requested, (full_spec, metric) in zip(runtime.track(requested_metrics, _task), loaded, strict=True):
        spec = names.get(full_spec, full_spec)
        if spec in measured and not (isinstance(requested, str) and spec in specs.values()):
            raise ConfigError(f"two metrics are called '{spec}'", hint="give one of them another name")
        if spec in measured:
            notes.append(Note(NoteKind.DUPLICATE, "given more than once, and computed once", spec))
        with naming_metric(full_spec, metric):
            are_kept = kept_cells is None or not _comes_in_parts(metric, testset, kept_cells)
            measured[spec] = dataclasses.replace(
                _measure(testset, full_spec, metric, runtime, tables if are_kept else texts), spec=spec
            )
        name = split_spec(spec)[0]
        is_alone = sum(split_spec(each)[0] == name for each in names_of_all) == 1
        notes += [*_advice(measured[spec], name if is_alone else spec, testset), *_gap_notes(measured[spec], testset)]
        if kept_cells is None:
            notes += _undefined_notes(measured[spec])
        if isinstance(requested, str):
            specs[requested] = specs[full_spec] = spec
    return Measurements(testset, measured, specs, tuple(dict.fromkeys(notes)))


def check_texts(testset: TestSet, metrics: MetricLike | Iterable[MetricLike]) -> None:
    """Raise if the test set has no texts or annotations of a kind that one of the metrics needs."""
    for requested in [metrics] if isinstance(metrics, Metric | ScoreTable) else metrics:
        spec, metric = _load_metric(requested)
        check_needs(testset, spec, metric.needs)


@contextlib.contextmanager
def naming_metric(spec: str, metric: Metric) -> Iterator[None]:
    """Name the metric, and the line of its file, in errors of its code."""
    try:
        yield
    except PluginError as error:
        raise PluginError(f"the metric '{spec}' is faulty: {error.message}", hint=error.hint or _CONTRACT) from error
    except AssayError:
        raise
    except MemoryError as error:
        raise OutOfMemoryError(f"the metric '{spec}'", error) from error
    except (Exception, SystemExit) as error:
        import traceback  # slow to import, and only needed when something went wrong

        file = getattr(sys.modules.get(type(metric).__module__), "__file__", None)
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        where = f" ({file}, line {lines[-1]})" if lines else ""
        text = f"the metric '{spec}' failed: {type(error).__name__}: {error}{where}"
        raise PluginError(text, hint=_CONTRACT) from error


def _task(requested: MetricLike) -> str:
    return f"scoring {requested if isinstance(requested, str) else getattr(requested, 'name', requested)}"


def _not_fatal(note: Note) -> Note:
    """What is an error of the data makes scores doubtful."""
    return dataclasses.replace(note, severity="warning") if note.severity == "error" else note


def _exclude_references(testset: TestSet) -> TestSet:
    """The test set without systems that are also references, which would be scored against themselves."""
    human = testset.reference_systems
    others = [name for name in testset.systems if name not in human]
    if not human:
        return testset
    if not others:
        text = f"scored against themselves: {', '.join(human)} (references)"
        note = Note(NoteKind.SUSPECT, text, severity="warning")
        return dataclasses.replace(testset, notes=(*testset.notes, note))
    note = Note(NoteKind.EXCLUDED, f"excluded systems that are also references: {', '.join(human)}", count=len(human))
    return dataclasses.replace(testset.with_systems(others), notes=(*testset.notes, note))


def _load_metric(requested: MetricLike) -> tuple[str, Metric]:
    """A metric and the name of its results in the run: its spec, or the name of a score table."""
    if isinstance(requested, ScoreTable):
        return requested.name, ExternalScores.of(requested)
    metric = metric_registry.create(requested)
    name = split_spec(requested)[0] if isinstance(requested, str) else None
    return metric_registry.spec(metric, name), metric


def _short_names(specs: list[str]) -> dict[str, str]:
    """What metrics from files are called; no other metric, known or measured, has the name."""
    if not any(map(is_from_file, specs)):
        return {}
    return short_names(specs, {name.casefold() for name in metric_registry.names()})


def _comes_in_parts(metric: Metric, testset: TestSet, kept_cells: int) -> bool:
    """Whether the table is large, and a part of it needs only the texts of the part.

    Fields that are not options hold what was fitted on all texts, or the scores themselves.
    """
    cells = len(testset.systems) * len(testset) * max(len(metric.columns), _LEAST_CELLS)
    has_only_options = all(field.compare for field in dataclasses.fields(metric))  # type: ignore[arg-type]
    return cells > kept_cells and is_ours(metric) and has_only_options and type(metric).defined is Metric.defined


def _table(metric: Metric, testset: TestSet, runtime: Runtime) -> Rows:
    """The statistics, without numpy if the core computes them."""
    compute = metric.core_statistics if is_core(metric) else metric.statistics
    return compute(testset, runtime)


def _scores(metric: Metric, rows: Rows) -> Rows:
    """The scores of rows, without numpy if the core computes them."""
    return metric.formula.scores(rows) if is_core(metric) else metric.score(np.asarray(rows))


def _measure(
    testset: TestSet, spec: str, metric: Metric, runtime: Runtime, tables: dict[object, Rows] | _Texts
) -> Measured:
    """Turn text into statistics. `tables` keeps them for metrics that differ only in how they score."""
    metric.check_resources()  # a missing model is reported before missing texts, which may depend on it
    check_needs(testset, spec, metric.needs)
    original, metric, references = metric, metric.prepare(testset), metric.reference_count(testset)
    options = _nondefault_options(spec, original, metric, testset)
    annotators = tuple((layer, _annotator(layer, metric, testset)) for layer in sorted(metric.needs - TEXTS))
    signature = signature_of(metric, references, "statistics", (), annotators)
    is_complete = is_core(metric) and testset.is_complete(metric.needs)
    is_scored = functools.partial(metric.scorable, testset)
    measured = functools.partial(
        Measured, spec, metric, references, len(testset), nondefault_options=options, annotators=annotators
    )
    if isinstance(tables, _Texts):
        compute = functools.partial(metric.statistics, testset, runtime)
        later = Statistics.later(testset.systems, metric.columns, compute, is_scored, signature)
        return measured(later, texts=tables, is_complete=is_complete)
    key = statistics_key(metric)
    if key not in tables:
        try:
            tables[key] = _table(metric, testset, runtime)
        except AnnotationError as error:
            raise in_its_file(error, testset) from None
    table = tables[key]
    if is_core(metric):
        later = Statistics.later(testset.systems, metric.columns, lambda: np.asarray(table), is_scored, signature)
        return measured(later, core_table=table, is_complete=is_complete)
    statistics = Statistics(testset.systems, metric.columns, np.asarray(table), is_scored(), signature)
    statistics = _of_defined(metric, statistics)
    _check_rows(metric, testset, statistics, runtime)
    result = measured(statistics)
    if not (is_ours(metric) and np.issubdtype(statistics.table.dtype, np.integer)):
        result.check_segment_scores()  # of others, and stored ones, may raise or be infinite
    return result


def _of_defined(metric: Metric, statistics: Statistics) -> Statistics:
    """Without cells that have no score; what is counted in them all the same is for features alone."""
    defined = metric.defined(statistics.table)
    is_dropped = metric.counted(statistics.table) & ~defined
    table = np.where(is_dropped[..., np.newaxis], 0, statistics.table) if is_dropped.any() else statistics.table
    return dataclasses.replace(statistics, table=table, scored=statistics.scored & defined)


def _annotator(layer: str, metric: Metric, testset: TestSet) -> str:
    """What made an annotation layer, for signatures; a digest of what the metric reads if a program is not known."""
    names = testset.annotators.get(layer, UNNAMED).split("+")
    if UNNAMED not in names:
        return "+".join(names)
    digests = as_column(map(digest_of_column, metric.layer_columns(testset, layer)))
    unnamed = f"{UNNAMED}-{digest_of_column(digests)[:_DIGITS]}"
    return "+".join(unnamed if name == UNNAMED else name for name in names)


def _check_rows(metric: Metric, testset: TestSet, statistics: Statistics, runtime: Runtime) -> None:
    """Raise if a row depends on other segments, for metrics from other packages: their sums would mean nothing."""
    if is_ours(metric) or metric.checks_itself:
        return
    few = np.arange(min(_CHECKED_SEGMENTS, len(testset)))
    rows = np.asarray(metric.statistics(testset.take(few), runtime))
    expected, tolerance = statistics.table[:, few], metric.tolerance
    if rows.shape != expected.shape or not np.allclose(rows, expected, rtol=tolerance, atol=tolerance):
        if not np.array_equal(rows, np.asarray(metric.statistics(testset.take(few), runtime)), equal_nan=True):
            raise PluginError("it is not deterministic: two calls with the same texts gave different results")
        raise PluginError("it is not additive: the statistics of a segment depend on the other segments")


def check_finite(scores: list[float] | FloatArray) -> None:
    """Refuse infinite scores."""
    is_infinite = map(math.isinf, scores) if isinstance(scores, list) else [np.isinf(scores).any()]
    if any(is_infinite):
        raise PluginError("it returns an infinite score", hint="`score` returns NaN where a score is undefined")


def _nondefault_options(
    spec: str, original: Metric, prepared: Metric, testset: TestSet
) -> tuple[tuple[str, str], ...] | None:
    """Options that differ from the defaults of the name in the spec, for this language pair or for an unknown one."""
    try:
        default = metric_registry.create(split_spec(spec)[0])
        if type(default) is not type(prepared):  # a score table with the name of a metric
            return None
        files = {
            key: value for key, value in options_of(original) if getattr(default, key) == ""
        }  # needed all the same
        defaults = [default]
        if options_of(original) != options_of(prepared):  # set by `prepare`
            default = dataclasses.replace(default, **files)  # type: ignore[type-var]
            pairs = [testset, dataclasses.replace(testset, lp=None)] if testset.lp else [testset]
            defaults = [default.prepare(each) for each in pairs]
    except ConfigError:  # a score table, or an option without a default
        return None
    values = [dict(options_of(each)) | dict.fromkeys(files, "") for each in defaults]
    texts = option_texts(prepared)
    return tuple((key, texts[key]) for key, value in options_of(prepared) if any(value != each[key] for each in values))


def signature_of(
    metric: Metric,
    references: str,
    aggregation: str,
    resampling: tuple[tuple[str, str], ...],
    annotators: tuple[tuple[str, str], ...] = (),
) -> Signature:
    """The signature of a metric's scores under an aggregation."""
    form = metric.segment_form if aggregation == "segment" else metric
    return Signature(
        metric=form.name,
        parameters=tuple(
            (name, text) for name, text in option_texts(form).items() if text and (name, text) not in _UNUSED
        ),
        references=references,
        aggregation=aggregation,
        resampling=resampling,
        resources=tuple(sorted(form.resources.items())),
        version=__version__,
        annotators=annotators,
    )


def no_common_segments(measured: Measured) -> InputError:
    """The error for a comparison by a metric that has no segment with a score for all systems."""
    scored = measured.statistics.scored
    unscored = [name for name, row in zip(measured.statistics.systems, scored, strict=True) if not row.any()]
    hint = f"there are no scores of {listed(unscored)}" if unscored else None
    if unscored and (layers := sorted(measured.metric.needs - TEXTS)):
        hint = f"{hint}; {measured.metric.name} needs the annotation layers {' and '.join(layers)} of every system"
    origin = None
    if isinstance(measured.metric, ExternalScores):
        table = measured.metric.table
        origin = table.origin or None
        unused = [name for name in table.systems if name not in measured.statistics.systems]
        if unscored and unused:
            hint = f"{hint}, but of {listed(unused)}: are these the same systems? Their names must be equal"
    return InputError(f"{measured.spec}: no segment was scored for all systems", path=origin, hint=hint)


def _advice(measured: Measured, name: str, testset: TestSet) -> Iterator[Note]:
    """The metric's own notes, under a name that no other metric of the run has."""
    for note in measured.metric.advice(testset):
        yield dataclasses.replace(note, where=name) if note.where == measured.metric.name else note


def _gap_notes(measured: Measured, testset: TestSet) -> list[Note]:
    """A note on the segments that are not scored for all systems, and the systems that lack them."""
    if measured.is_complete:
        return []
    scored, segments = measured.statistics.scored, measured.segments
    names = np.array(measured.statistics.systems, dtype=object)
    notes = []
    if without := names[~measured.has_scores].tolist():
        missing = " or ".join(lacking(measured.metric, testset, ~scored & ~measured.has_scores[:, np.newaxis]))
        text = f"no segments of {listed(without)} were scored: they lack {missing}"
        if absent := absent_files(measured.metric, testset, without):
            text += f"; there is no file {' or '.join(absent)}"
        notes.append(Note(NoteKind.EXCLUDED, text, where=measured.spec, count=len(without), severity="warning"))
    if measured.has_scores.any() and (excluded := segments - int(np.count_nonzero(measured.is_common))):
        gaps = ~scored & measured.has_scores[:, np.newaxis]
        missing = " or ".join(lacking(measured.metric, testset, gaps))
        incomplete = listed(names[gaps.any(axis=1)].tolist())
        text = f"excluded {excluded:,} of {plural(segments, 'segment')}, which lack {missing} for {incomplete}"
        notes.append(Note(NoteKind.EXCLUDED, text, where=measured.spec, count=excluded))
    return notes


def _undefined_notes(measured: Measured) -> Iterator[Note]:
    if not is_core(measured.metric):
        scores = measured.segment_scores[:, measured.is_common]
        yield from undefined_note(measured, int(np.count_nonzero(~np.isnan(scores))))


def undefined_note(measured: Measured, defined: int) -> Iterator[Note]:
    """A note on how many segment scores of all systems are undefined, and why, if not all are defined."""
    total = int(np.count_nonzero(measured.is_common)) * int(np.count_nonzero(measured.has_scores))
    if defined == total:
        return
    undefined = total - defined
    are = "is" if undefined == 1 else "are"
    text = (
        f"{undefined:,} of {total:,} segment scores {are} undefined: {measured.metric.undefined}; means of segment "
        "scores leave them out, corpus scores add up all statistics"
    )
    yield Note(NoteKind.UNDEFINED, text, where=measured.spec, count=undefined)
