"""The metric contract as a test: `check_metric` raises `ContractError` if a metric breaks it.

Assay's own metrics pass it. Call it in the tests of your plug-in.
"""

from __future__ import annotations

import copy
import dataclasses
import math
import tempfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from assay.contracts import Metric
from assay.errors import AssayError, PluginError
from assay.metrics import metric as registry
from assay.options.checks import check_choice
from assay.options.python_warnings import inside_call
from assay.registry import options_of
from assay.study.score import AGGREGATIONS, score
from assay.types import Column, FloatArray, Signature, Table, TestSet, as_column
from assay.types.runtime import Runtime

__all__ = ["ContractError", "check_metric", "sample_testset"]

_ROUNDING = 1e-9  # how much scores of equal statistics may differ: numpy rounds single values and arrays differently
_MAX_TOLERANCE = 0.01  # of the range of scores: more could hide a wrong score


class ContractError(PluginError):
    """A metric breaks its contract; `rule` is the name of the rule."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule = rule


def check_metric(metric: Metric, testset: TestSet | None = None, *, skip: Collection[str] = ()) -> None:
    """Check a metric against every rule of the contract, on a small built-in test set or on yours.

    Statistics that must be equal may differ by the metric's `tolerance`, relative to their value or to 1, whichever is
    larger. A metric that needs annotation layers has to be checked on a test set that has them. `skip` names rules
    that are not checked, such as "direction" for a model with random weights.
    """
    sample = sample_testset() if testset is None else testset
    for rule_name in skip:
        check_choice("skip", rule_name, _RULES)
    for name, rule in ((name, rule) for name, rule in _RULES.items() if name not in skip):
        try:
            prepared = metric.prepare(sample)
            rule(_Case(name, prepared, sample, _measure(prepared, sample), is_own=testset is not None))
        except ContractError:
            raise
        except Exception as error:
            raise ContractError(name, f"{type(error).__name__}: {error}") from error


def sample_testset() -> TestSet:
    """Difficult texts: empty sides, repeats, entities, several scripts; a perfect, a damaged and an empty system."""
    reference = (
        "The quick brown fox jumps over the lazy dog.",
        "He paid 3.5 million (or 4,000,000) in 2012, 'a record'.",
        "Привет, мир! Как дела?",
        "今天天气很好，我们去公园。",
        "the the the the the",
        "Yes.",
        "A quite long sentence, with many words in it: some twice, some twice, and one only once; that is all.",
        "",
        "İstanbul’da 5–6 €, naïve café ☕ 😀",
        "x",
    )
    damaged = tuple(" ".join(reversed(text.split()))[: max(1, 2 * len(text) // 3)] for text in reference)
    other = tuple(text.replace("e", "").replace("。", "") or "words where there should be none" for text in reference)
    outputs = {"perfect": reference, "damaged": damaged, "empty": ("",) * len(reference), "other": other}
    references = {"refA": reference, "refB": [text.lower() for text in reference]}
    return TestSet(
        outputs={name: as_column(texts) for name, texts in outputs.items()},
        references={name: as_column(texts) for name, texts in references.items()},
        sources=as_column(text[::-1] for text in reference),
        documents=as_column(f"doc{i // 4}" for i in range(len(reference))),
        domains=as_column("even" if i % 2 else "odd" for i in range(len(reference))),
        lp="xx-en",
    )


@dataclass(frozen=True, slots=True)
class _Case:
    rule: str
    metric: Metric
    testset: TestSet
    table: Table
    is_own: bool  # the test set is the user's, not the built-in one

    def fail(self, message: str) -> NoReturn:
        raise ContractError(self.rule, message)

    def same(self, actual: Table, expected: Table, message: str, *, tolerance: float | None = None) -> None:
        """Fail unless two tables are equal within the tolerance (default: the metric's)."""
        allowed = self.metric.tolerance if tolerance is None else tolerance
        if actual.shape != expected.shape or not _is_close(actual, expected, allowed):
            self.fail(message)

    def measured(self, **changes: Any) -> Table:
        """The table of the test set with some of its fields changed."""
        return _measure(self.metric, dataclasses.replace(self.testset, **changes))


def _is_close(actual: Table, expected: Table, tolerance: float) -> bool:
    if tolerance == 0:
        return np.array_equal(actual, expected, equal_nan=actual.dtype == np.float64)
    return np.allclose(actual, expected, rtol=tolerance, atol=tolerance, equal_nan=True)


def _measure(metric: Metric, testset: TestSet, **settings: Any) -> Table:
    return np.array(metric.statistics(testset, Runtime(**{"threads": 1, **settings})))


def _is_a_value(case: _Case) -> None:
    metric = case.metric
    if not dataclasses.is_dataclass(metric) or not metric.__dataclass_params__.frozen:
        case.fail("a metric must be a frozen dataclass")
    twin = dataclasses.replace(metric)
    if twin != metric or hash(twin) != hash(metric):
        case.fail("metrics with equal options must be equal and have equal hashes")
    for layer in sorted(metric.needs - {"reference", "source"}):
        if layer not in case.testset.annotations:
            case.fail(f"it needs the annotation layer '{layer}'; check it on a test set that has this layer")
    if metric.default_aggregation not in AGGREGATIONS:
        case.fail(f"unknown aggregation '{metric.default_aggregation}'; available: {', '.join(AGGREGATIONS)}")


def _is_registered(case: _Case) -> None:
    try:
        registry.spec(case.metric)
    except AssayError:
        case.fail(f'{type(case.metric).__name__} has no name: register it with @metric("name")')


def _is_well_formed(case: _Case) -> None:
    shape = (len(case.testset.systems), len(case.testset), len(case.metric.columns))
    if case.table.shape != shape:
        case.fail(f"the statistics have shape {case.table.shape}, expected {shape}")
    if case.table.dtype not in (np.int64, np.float64):
        case.fail(f"the statistics are {case.table.dtype}, expected int64 or float64")


def _is_finite(case: _Case) -> None:
    if not np.isfinite(case.table.astype(np.float64)).all():
        case.fail("the statistics contain NaN or infinity; undefined values belong in `score`")
    for form in (case.metric, case.metric.segment_form):
        scores = form.score(case.table)
        if not isinstance(scores, np.ndarray) or scores.dtype != np.float64:
            case.fail("`score` must return an array of float64")
        if np.isinf(scores).any():
            case.fail("`score` returns infinity; an undefined score is NaN")


def _declares_a_small_tolerance(case: _Case) -> None:
    tolerance = case.metric.tolerance
    if not 0 <= tolerance < math.inf:
        case.fail(f"tolerance must be non-negative and finite, not {tolerance}")
    if case.is_own:
        return  # all outputs may be equally good
    scores = np.array(case.metric.segment_form.score(case.table))
    spread = float(np.nanmax(scores) - np.nanmin(scores))
    if tolerance > _MAX_TOLERANCE * spread:
        case.fail(f"a tolerance of {tolerance:g} hides errors: all scores of the sample are within {spread:g}")


def _leaves_inputs_alone(case: _Case) -> None:
    before = copy.deepcopy(case.metric)
    for form in (case.metric, case.metric.segment_form):
        totals = case.table.sum(axis=1)
        kept = totals.copy()
        first = np.array(form.score(totals))
        case.same(totals, kept, "`score` changes its argument", tolerance=0)
        case.same(
            np.array(form.score(kept)), first, "`score` returns different results for the same totals", tolerance=0
        )
    repeated = _measure(case.metric, case.testset)
    case.same(repeated, case.table, "`statistics` returns different results for the same test set")
    if case.metric != before:
        case.fail("using the metric changes it")


def _ignores_segment_order(case: _Case) -> None:
    order = np.arange(len(case.testset))[::-1]
    reordered = _measure(case.metric, case.testset.take(order))
    case.same(reordered, case.table[:, order], "a row depends on the position of its segment")


def _is_additive(case: _Case) -> None:
    middle = len(case.testset) // 2
    if middle:
        halves = [case.testset.take(np.arange(middle)), case.testset.take(np.arange(middle, len(case.testset)))]
        joined = np.concatenate([_measure(case.metric, half) for half in halves], axis=1)
        case.same(joined, case.table, "the tables of two halves of a test set differ from the table of the whole")
    repeated = _measure(case.metric, case.testset.take(np.tile(np.arange(len(case.testset)), 3)))
    case.same(repeated, np.tile(case.table, (1, 3, 1)), "repeating a segment changes its statistics")


def _ignores_threads(case: _Case) -> None:
    many = case.testset.take(np.tile(np.arange(len(case.testset)), 40))
    expected = _measure(case.metric, many)
    for threads in (2, 3, 4, 8):
        case.same(_measure(case.metric, many, threads=threads), expected, f"{threads} threads change the statistics")


def _ignores_batch_size(case: _Case) -> None:
    for size in (1, 7, 4096):
        table = _measure(case.metric, case.testset, batch_size=size)
        case.same(table, case.table, f"a batch size of {size} changes the statistics")


def _ignores_the_cache(case: _Case) -> None:
    with tempfile.TemporaryDirectory() as folder:
        half = case.testset.take(np.arange((len(case.testset) + 1) // 2))
        for testset, cache in ((half, "half full"), (case.testset, "half full"), (case.testset, "full")):
            table = _measure(case.metric, testset, cache=Path(folder))
            case.same(table, case.table[:, : len(testset)], f"a {cache} cache changes the statistics")


def _ignores_other_systems(case: _Case) -> None:
    names = case.testset.systems[::-1]
    reordered = _measure(case.metric, case.testset.with_systems(names))
    case.same(reordered, case.table[::-1], "a row depends on the order of systems")
    renamed = _measure(case.metric, _rename_systems(case.testset))
    case.same(renamed, case.table, "a row depends on the name of the system")
    alone = _measure(case.metric, case.testset.with_systems(names[:1]))
    case.same(alone, case.table[-1:], "a row depends on other systems")


def _rename_systems(testset: TestSet) -> TestSet:
    names = {name: f"system {i}" for i, name in enumerate(testset.systems)}
    annotations: dict[str, Mapping[str, Column]] = {}
    for layer, columns in testset.annotations.items():
        renamed = {names[name]: column for name, column in columns.items() if name in names}
        annotations[layer] = {k: c for k, c in columns.items() if k not in names or k in testset.references} | renamed
    outputs = {names[name]: column for name, column in testset.outputs.items()}
    return dataclasses.replace(testset, outputs=outputs, annotations=annotations)


def _ignores_what_it_does_not_need(case: _Case) -> None:
    needs, testset = case.metric.needs, case.testset
    layers = {name: columns for name, columns in testset.annotations.items() if name in needs}
    annotated = {name for columns in layers.values() for name in columns}
    fewer: dict[str, Any] = {"documents": None, "domains": None, "annotations": layers}
    if "source" not in needs | annotated:
        fewer["sources"] = None
    if "reference" not in needs:
        fewer["references"] = {name: column for name, column in testset.references.items() if name in annotated}
    case.same(case.measured(**fewer), case.table, "a row depends on texts that `needs` does not name")


def _scores_in_bulk(case: _Case) -> None:
    for form in (case.metric, case.metric.segment_form):
        bulk = np.array(form.score(case.table))
        if bulk.shape != case.table.shape[:-1]:
            case.fail(f"`score` turns shape {case.table.shape} into {bulk.shape}")
        one_by_one = np.array([[form.score(row) for row in rows] for rows in case.table])
        message = "`score` of many rows differs from `score` of each row"
        case.same(bulk, one_by_one, message, tolerance=_ROUNDING)


def _knows_its_direction(case: _Case) -> None:
    """The reference itself must be among the best outputs, and better than the reference of another segment."""
    if "reference" not in case.metric.needs or not case.metric.needs <= {"reference", "source"}:
        return
    reference = next(iter(case.testset.references.values()))
    shifted = as_column((*reference[1:], *reference[:1]))
    outputs = {"identity": reference, "shifted": shifted, **case.testset.outputs}
    table = case.measured(outputs=outputs, annotations={})
    sign = 1 if case.metric.higher_is_better else -1
    scores = np.array(case.metric.score(table.sum(axis=1))) * sign
    margin = _margin(case.metric, scores)
    if np.isnan(scores[0]) or (scores[1:] > scores[0] + margin).any():
        case.fail("an output equal to the reference is not among the best")
    if case.is_own:
        return  # no output may be worse
    if not scores[1] < scores[0] - margin:
        case.fail("an output equal to the reference of another segment is as good as one equal to its own")
    means = np.nanmean(np.array(case.metric.segment_form.score(table)) * sign, axis=1)
    if not means[1] < means[0] - _margin(case.metric, means):
        case.fail("by segment scores, the reference of another segment is as good an output as the right one")


def _margin(metric: Metric, scores: FloatArray) -> float:
    """How much scores may differ by rounding or within the tolerance."""
    return max(_ROUNDING, metric.tolerance) * max(1.0, float(np.nanmax(np.abs(scores))))


def _leaves_absent_cells_zero(case: _Case) -> None:
    def without_first(columns: Mapping[str, Column]) -> dict[str, Column]:
        return {name: as_column((None, *column[1:])) for name, column in columns.items()}

    needs, annotations = case.metric.needs, case.testset.annotations
    absent: dict[str, dict[str, Any]] = {"an output": {"outputs": without_first(case.testset.outputs)}}
    if "reference" in needs:
        absent["a reference"] = {"references": without_first(case.testset.references)}
    if "source" in needs and case.testset.sources is not None:
        absent["a source"] = {"sources": (None, *case.testset.sources[1:])}
    for layer in sorted(needs & annotations.keys()):
        absent[f"a value in the layer '{layer}'"] = {
            "annotations": {**annotations, layer: without_first(annotations[layer])}
        }
    for text, change in absent.items():
        table = case.measured(**change)
        zeros = np.zeros_like(table[:, 0])
        case.same(table[:, 0], zeros, f"the statistics of a cell without {text} are not zero", tolerance=0)
        case.same(table[:, 1:], case.table[:, 1:], f"a cell without {text} changes other rows")


def _has_a_segment_form(case: _Case) -> None:
    form = case.metric.segment_form
    if form.columns != case.metric.columns or form.segment_form != form:
        case.fail("the segment form must have the same columns and be its own segment form")


def _shares_statistics(case: _Case) -> None:
    options, values = dict(options_of(case.metric)), case.metric.variants(case.testset)
    for name in sorted(case.metric.score_options | values.keys()):
        if name not in options:
            case.fail(f"'{name}' is not one of its options")
    for name in sorted(case.metric.score_options):
        for value in values.get(name, ()):
            try:
                other = dataclasses.replace(case.metric, **{name: value})  # type: ignore[type-var]
            except ValueError:
                continue  # not compatible with another option
            case.same(_measure(other, case.testset), case.table, f"{name}={value} changes the statistics")


def _works_in_every_aggregation(case: _Case) -> None:
    with inside_call():  # the texts are not the point
        run = score(case.testset, case.metric, agg=AGGREGATIONS, resamples=20, by="length")
    signature = run[next(iter(run))].signature
    if Signature.parse(str(signature)) != signature:
        case.fail(f"the signature cannot be parsed again: {signature}")


_RULES: dict[str, Callable[[_Case], None]] = {
    "value": _is_a_value,
    "name": _is_registered,
    "shape": _is_well_formed,
    "finite": _is_finite,
    "tolerance": _declares_a_small_tolerance,
    "purity": _leaves_inputs_alone,
    "segment order": _ignores_segment_order,
    "additivity": _is_additive,
    "threads": _ignores_threads,
    "batches": _ignores_batch_size,
    "cache": _ignores_the_cache,
    "systems": _ignores_other_systems,
    "needs": _ignores_what_it_does_not_need,
    "vectorised": _scores_in_bulk,
    "direction": _knows_its_direction,
    "absence": _leaves_absent_cells_zero,
    "segment form": _has_a_segment_form,
    "score options": _shares_statistics,
    "aggregation": _works_in_every_aggregation,
}
