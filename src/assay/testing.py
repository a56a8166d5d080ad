"""The metric contract as a test: `check_metric` raises `ContractError` for a metric that breaks it.

Assay's own metrics pass it; run it in the tests of your plug-in.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assay.contracts import Metric
from assay.errors import AssayError, PluginError
from assay.study import score
from assay.types import Table, TestSet

__all__ = ["ContractError", "check_metric", "sample_testset"]

_TOLERANCE = 1e-9


class ContractError(PluginError):
    """A metric breaks its contract; `rule` names the rule."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule = rule


def check_metric(metric: Metric, testset: TestSet | None = None) -> None:
    """Check a metric against every rule of the contract, on a small built-in test set or on yours."""
    sample = sample_testset() if testset is None else testset
    prepared = metric.prepare(sample)
    case = _Case(prepared, sample, _measure(prepared, sample))
    for rule in _RULES:
        rule(case)


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
    other = tuple(text.replace("e", "").replace("。", "") for text in reference)
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
    metric: Metric
    testset: TestSet
    table: Table


def _measure(metric: Metric, testset: TestSet, threads: int = 1) -> Table:
    return np.array(metric.statistics(testset, threads=threads))


def _same(rule: str, found: Table, expected: Table, message: str) -> None:
    if found.shape != expected.shape or not np.array_equal(found, expected, equal_nan=True):
        raise ContractError(rule, message)


def _is_a_value(case: _Case) -> None:
    metric = case.metric
    if not dataclasses.is_dataclass(metric) or not metric.__dataclass_params__.frozen:
        raise ContractError("value", "a metric is a frozen dataclass")
    twin = dataclasses.replace(metric)
    if twin != metric or hash(twin) != hash(metric):
        raise ContractError("value", "metrics with equal options must be equal and have equal hashes")


def _is_well_formed(case: _Case) -> None:
    shape = (len(case.testset.systems), len(case.testset), len(case.metric.columns))
    if case.table.shape != shape:
        raise ContractError("shape", f"statistics have shape {case.table.shape}, expected {shape}")
    if case.table.dtype not in (np.int64, np.float64):
        raise ContractError("shape", f"statistics are {case.table.dtype}, expected int64 or float64")


def _is_finite(case: _Case) -> None:
    if not np.isfinite(case.table.astype(np.float64)).all():
        raise ContractError("finite", "statistics contain NaN or infinity; leave undefined values to `score`")


def _leaves_inputs_alone(case: _Case) -> None:
    before = copy.deepcopy(case.metric)
    totals = case.table.sum(axis=1)
    kept = totals.copy()
    first = np.array(case.metric.score(totals))
    _same("purity", totals, kept, "`score` changes the totals it is given")
    _same("purity", np.array(case.metric.score(kept)), first, "`score` gives two answers for the same totals")
    again = _measure(case.metric, case.testset)
    _same("purity", again, case.table, "`statistics` gives two answers for the same test set")
    if case.metric != before:
        raise ContractError("purity", "the metric changes while it is used")


def _ignores_segment_order(case: _Case) -> None:
    order = np.arange(len(case.testset))[::-1]
    found = _measure(case.metric, case.testset.take(order))
    _same("segment order", found, case.table[:, order], "a row depends on where its segment stands")


def _is_additive(case: _Case) -> None:
    middle = len(case.testset) // 2
    halves = [case.testset.take(np.arange(middle)), case.testset.take(np.arange(middle, len(case.testset)))]
    found = np.concatenate([_measure(case.metric, half) for half in halves], axis=1)
    _same("additivity", found, case.table, "the table of a test set is not the tables of its parts, one after another")


def _ignores_other_systems(case: _Case) -> None:
    names = case.testset.systems[::-1]
    reordered = dataclasses.replace(case.testset, outputs={name: case.testset.outputs[name] for name in names})
    _same("system order", _measure(case.metric, reordered), case.table[::-1], "a row depends on the order of systems")
    alone = dataclasses.replace(case.testset, outputs={names[0]: case.testset.outputs[names[0]]})
    _same("system order", _measure(case.metric, alone), case.table[-1:], "a row depends on the other systems")


def _ignores_threads(case: _Case) -> None:
    many = case.testset.take(np.tile(np.arange(len(case.testset)), 40))
    expected = _measure(case.metric, many)
    for threads in (2, 3, 4):
        _same("threads", _measure(case.metric, many, threads), expected, f"{threads} threads change the statistics")


def _scores_in_bulk(case: _Case) -> None:
    bulk = np.array(case.metric.score(case.table))
    if bulk.shape != case.table.shape[:-1]:
        raise ContractError("vectorised", f"`score` turns {case.table.shape} into {bulk.shape}")
    one_by_one = np.array([[case.metric.score(row) for row in rows] for rows in case.table])
    if not np.allclose(bulk, one_by_one, rtol=0, atol=_TOLERANCE, equal_nan=True):
        raise ContractError("vectorised", "`score` of many rows is not `score` of each")


def _knows_its_direction(case: _Case) -> None:
    """The reference itself scores at least as well as anything else."""
    if "reference" not in case.metric.needs:
        return
    reference = next(iter(case.testset.references.values()))
    identity = dataclasses.replace(case.testset, outputs={"identity": reference, **case.testset.outputs})
    sums = _measure(case.metric, identity).sum(axis=1)
    scores = np.array(case.metric.score(sums)) * (1 if case.metric.higher_is_better else -1)
    if np.isnan(scores[0]) or (scores[1:] > scores[0] + _TOLERANCE).any():
        raise ContractError("direction", "an output equal to the reference is not among the best")
    if not (scores[1:] < scores[0] - _TOLERANCE).any():
        raise ContractError("direction", "no output is worse than the reference")


def _leaves_absent_cells_zero(case: _Case) -> None:
    def without_first(column: tuple[str | None, ...]) -> tuple[str | None, ...]:
        return (None, *column[1:])

    gaps = dataclasses.replace(
        case.testset, outputs={name: without_first(column) for name, column in case.testset.outputs.items()}
    )
    found = _measure(case.metric, gaps)
    _same("absence", found[:, 0], np.zeros_like(found[:, 0]), "the statistics of an absent output are not zero")
    _same("absence", found[:, 1:], case.table[:, 1:], "an absent output changes other rows")


def _has_a_segment_form(case: _Case) -> None:
    form = case.metric.segment_form
    if form.columns != case.metric.columns or form.segment_form != form:
        raise ContractError("segment form", "it must have the same columns and be its own segment form")


def _works_in_every_aggregation(case: _Case) -> None:
    try:
        run = score(case.testset, case.metric, resamples=20, by="domain")
    except AssayError as error:
        raise ContractError("aggregation", str(error)) from error
    found = run[next(iter(run))]
    again = type(found.signature).parse(str(found.signature))
    if again != found.signature:
        raise ContractError("signature", f"does not survive being written and read: {found.signature}")


_RULES: tuple[Callable[[_Case], None], ...] = (
    _is_a_value,
    _is_well_formed,
    _is_finite,
    _leaves_inputs_alone,
    _ignores_threads,
    _ignores_segment_order,
    _is_additive,
    _ignores_other_systems,
    _scores_in_bulk,
    _knows_its_direction,
    _leaves_absent_cells_zero,
    _has_a_segment_form,
    _works_in_every_aggregation,
)
