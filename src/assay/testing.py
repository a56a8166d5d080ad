"""The metric contract as a test: `check_metric` raises `ContractError` for a metric that breaks it.

Assay's own metrics pass it; run it in the tests of your plug-in.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from assay.contracts import NEEDS, Metric
from assay.errors import AssayError, PluginError
from assay.metrics import metric as registry
from assay.registry import options_of
from assay.study.scoring import AGGREGATIONS, score
from assay.types import Column, Signature, Table, TestSet

__all__ = ["ContractError", "check_metric", "sample_testset"]

_TOLERANCE = 1e-9


class ContractError(PluginError):
    """A metric breaks its contract; `rule` names the rule."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule = rule


def check_metric(metric: Metric, testset: TestSet | None = None) -> None:
    """Check a metric against every rule of the contract, on a small built-in test set or on yours.

    Statistics that are integers must be equal where the contract says equal; real ones may differ by 1e-9, as those
    of a neural network in batches of another size do.
    """
    sample = sample_testset() if testset is None else testset
    for name, rule in _RULES.items():
        try:
            prepared = metric.prepare(sample)
            rule(_Case(name, prepared, sample, _measure(prepared, sample), is_own=testset is not None))
        except ContractError:
            raise
        except Exception as error:
            raise ContractError(name, f"{type(error).__name__}: {error}") from error


def sample_testset() -> TestSet:
    """Texts that provoke: empty sides, repeats, entities, several scripts, a perfect, a damaged and an empty system."""
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
    return TestSet(
        outputs={"perfect": reference, "damaged": damaged, "empty": ("",) * len(reference), "other": other},
        references={"refA": reference, "refB": tuple(text.lower() for text in reference)},
        sources=tuple(text[::-1] for text in reference),
        documents=tuple(f"doc{i // 4}" for i in range(len(reference))),
        domains=tuple("even" if i % 2 else "odd" for i in range(len(reference))),
        lp="xx-en",
    )


@dataclass(frozen=True, slots=True)
class _Case:
    rule: str
    metric: Metric
    testset: TestSet
    table: Table
    is_own: bool

    def fail(self, message: str) -> NoReturn:
        raise ContractError(self.rule, message)

    def same(self, found: Table, expected: Table, message: str, *, exact: bool = False) -> None:
        """Equal; if real and not `exact`, up to rounding."""
        tolerance = 0.0 if exact or found.dtype == np.int64 else _TOLERANCE
        if found.shape != expected.shape or not np.allclose(
            found, expected, rtol=tolerance, atol=tolerance, equal_nan=True
        ):
            self.fail(message)

    def measured(self, **changes: Any) -> Table:
        """The table of the test set with some of its columns changed."""
        return _measure(self.metric, dataclasses.replace(self.testset, **changes))


def _measure(metric: Metric, testset: TestSet, threads: int = 1) -> Table:
    return np.array(metric.statistics(testset, threads=threads))


def _is_a_value(case: _Case) -> None:
    metric = case.metric
    if not dataclasses.is_dataclass(metric) or not metric.__dataclass_params__.frozen:
        case.fail("a metric is a frozen dataclass")
    twin = dataclasses.replace(metric)
    if twin != metric or hash(twin) != hash(metric):
        case.fail("metrics with equal options must be equal and have equal hashes")
    if not metric.needs <= NEEDS:
        case.fail(f"needs {sorted(metric.needs - NEEDS)}, but there is only {sorted(NEEDS)}")
    if metric.default_aggregation not in AGGREGATIONS:
        case.fail(f"'{metric.default_aggregation}' is no aggregation; there is {', '.join(AGGREGATIONS)}")


def _is_registered(case: _Case) -> None:
    try:
        registry.spec(case.metric)
    except AssayError:
        case.fail(f'{type(case.metric).__name__} carries no name: register it with @metric("name")')


def _is_well_formed(case: _Case) -> None:
    shape = (len(case.testset.systems), len(case.testset), len(case.metric.columns))
    if case.table.shape != shape:
        case.fail(f"statistics have shape {case.table.shape}, expected {shape}")
    if case.table.dtype not in (np.int64, np.float64):
        case.fail(f"statistics are {case.table.dtype}, expected int64 or float64")


def _is_finite(case: _Case) -> None:
    if not np.isfinite(case.table.astype(np.float64)).all():
        case.fail("statistics contain NaN or infinity; leave undefined values to `score`")
    for form in (case.metric, case.metric.segment_form):
        scores = form.score(case.table)
        if not isinstance(scores, np.ndarray) or scores.dtype != np.float64:
            case.fail("`score` must return an array of float64")
        if np.isinf(scores).any():
            case.fail("`score` gives infinity; the undefined is NaN")


def _leaves_inputs_alone(case: _Case) -> None:
    before = copy.deepcopy(case.metric)
    for form in (case.metric, case.metric.segment_form):
        totals = case.table.sum(axis=1)
        kept = totals.copy()
        first = np.array(form.score(totals))
        case.same(totals, kept, "`score` changes the totals it is given", exact=True)
        case.same(np.array(form.score(kept)), first, "`score` gives two answers for the same totals", exact=True)
    case.same(_measure(case.metric, case.testset), case.table, "`statistics` gives two answers for the same test set")
    if case.metric != before:
        case.fail("the metric changes while it is used")


def _ignores_segment_order(case: _Case) -> None:
    order = np.arange(len(case.testset))[::-1]
    found = _measure(case.metric, case.testset.take(order))
    case.same(found, case.table[:, order], "a row depends on where its segment stands")


def _is_additive(case: _Case) -> None:
    middle = len(case.testset) // 2
    if middle:
        halves = [case.testset.take(np.arange(middle)), case.testset.take(np.arange(middle, len(case.testset)))]
        found = np.concatenate([_measure(case.metric, half) for half in halves], axis=1)
        case.same(found, case.table, "the table of a test set is not the tables of its parts, one after another")
    repeated = _measure(case.metric, case.testset.take(np.tile(np.arange(len(case.testset)), 3)))
    case.same(repeated, np.tile(case.table, (1, 3, 1)), "a segment that occurs again is not measured again")


def _ignores_other_systems(case: _Case) -> None:
    names, outputs = case.testset.systems[::-1], case.testset.outputs
    reordered = case.measured(outputs={name: outputs[name] for name in names})
    case.same(reordered, case.table[::-1], "a row depends on the order of systems")
    renamed = case.measured(outputs={f"system {i}": column for i, column in enumerate(outputs.values())})
    case.same(renamed, case.table, "a row depends on the name of the system")
    case.same(case.measured(outputs={names[0]: outputs[names[0]]}), case.table[-1:], "a row depends on other systems")


def _ignores_what_it_does_not_need(case: _Case) -> None:
    fewer: dict[str, Any] = {"documents": None, "domains": None}
    if "source" not in case.metric.needs:
        fewer["sources"] = None
    if "reference" not in case.metric.needs:
        fewer["references"] = {}
    case.same(case.measured(**fewer), case.table, "a row depends on more than the texts the metric says it needs")


def _ignores_threads(case: _Case) -> None:
    many = case.testset.take(np.tile(np.arange(len(case.testset)), 40))
    expected = _measure(case.metric, many)
    for threads in (2, 3, 4, 8):
        found = _measure(case.metric, many, threads)
        case.same(found, expected, f"{threads} threads change the statistics", exact=True)


def _scores_in_bulk(case: _Case) -> None:
    for form in (case.metric, case.metric.segment_form):
        bulk = np.array(form.score(case.table))
        if bulk.shape != case.table.shape[:-1]:
            case.fail(f"`score` turns {case.table.shape} into {bulk.shape}")
        one_by_one = np.array([[form.score(row) for row in rows] for rows in case.table])
        case.same(bulk, one_by_one, "`score` of many rows is not `score` of each")


def _knows_its_direction(case: _Case) -> None:
    """The reference itself scores at least as well as anything else, and better than that of another segment."""
    if "reference" not in case.metric.needs:
        return
    reference = next(iter(case.testset.references.values()))
    shifted = reference[1:] + reference[:1]
    table = case.measured(outputs={"identity": reference, "shifted": shifted, **case.testset.outputs})
    sign = 1 if case.metric.higher_is_better else -1
    scores = np.array(case.metric.score(table.sum(axis=1))) * sign
    if np.isnan(scores[0]) or (scores[1:] > scores[0] + _TOLERANCE).any():
        case.fail("an output equal to the reference is not among the best")
    if case.is_own:
        return  # on other texts it may well be that nothing is worse
    if not scores[1] < scores[0] - _TOLERANCE:
        case.fail("an output equal to the reference of another segment is as good as one equal to its own")
    means = np.nanmean(np.array(case.metric.segment_form.score(table)) * sign, axis=1)
    if not means[1] < means[0] - _TOLERANCE:
        case.fail("by its segment form, another segment's reference is as good an output as the own one")


def _leaves_absent_cells_zero(case: _Case) -> None:
    def without_first(columns: Mapping[str, Column]) -> dict[str, Column]:
        return {name: (None, *column[1:]) for name, column in columns.items()}

    absent: list[dict[str, Any]] = [{"outputs": without_first(case.testset.outputs)}]
    if "reference" in case.metric.needs:
        absent.append({"references": without_first(case.testset.references)})
    if "source" in case.metric.needs and case.testset.sources is not None:
        absent.append({"sources": (None, *case.testset.sources[1:])})
    for change in absent:
        found = case.measured(**change)
        what = next(iter(change))
        case.same(found[:, 0], np.zeros_like(found[:, 0]), f"the statistics of a cell without {what} are not zero")
        case.same(found[:, 1:], case.table[:, 1:], f"absent {what} change other rows")


def _has_a_segment_form(case: _Case) -> None:
    form = case.metric.segment_form
    if form.columns != case.metric.columns or form.segment_form != form:
        case.fail("it must have the same columns and be its own segment form")


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
                continue  # it does not go with the other options
            found = _measure(other, case.testset)
            case.same(found, case.table, f"{name}={value} changes the statistics", exact=True)


def _works_in_every_aggregation(case: _Case) -> None:
    run = score(case.testset, case.metric, resamples=20, by="length")
    signature = run[next(iter(run))].signature
    if Signature.parse(str(signature)) != signature:
        case.fail(f"the signature does not survive being written and read: {signature}")


_RULES: dict[str, Callable[[_Case], None]] = {
    "value": _is_a_value,
    "name": _is_registered,
    "shape": _is_well_formed,
    "finite": _is_finite,
    "purity": _leaves_inputs_alone,
    "segment order": _ignores_segment_order,
    "additivity": _is_additive,
    "threads": _ignores_threads,
    "systems": _ignores_other_systems,
    "needs": _ignores_what_it_does_not_need,
    "vectorised": _scores_in_bulk,
    "direction": _knows_its_direction,
    "absence": _leaves_absent_cells_zero,
    "segment form": _has_a_segment_form,
    "score options": _shares_statistics,
    "aggregation": _works_in_every_aggregation,
}
