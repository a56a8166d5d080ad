"""Decisions by metrics and their errors, as a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from assay.labels.numbers import percent, share_text
from assay.labels.tests import significance_test_label
from assay.reports.cells import BLANK, Cell, Count, Number, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section, columns, named
from assay.reports.labelled import reason_captions, score_text
from assay.reports.record_grid import TABLES, record_grid
from assay.results import Decisions, ErrorOverlap, MetricDecisions
from assay.results.columns import ResultColumn
from assay.results.decisions import RuleRecord
from assay.results.estimate import decimals_for
from assay.types.note import plural

__all__ = ["document"]

_NAME = "Decisions by metrics"
_CONVENTION = (
    "Type I: the better-scored system is accepted, but people do not find it significantly better (share of the "
    "accepted pairs).",
    "Type II: it is rejected, but people find the two significantly different (share of the rejected pairs).",
)


def document(decisions: Decisions) -> Document:
    """The outcomes in bins, the errors of each rule, and the errors that metrics share."""
    return Document.of(
        decisions,
        lambda: _sections(decisions),
        lists=TABLES,
        sheet="metric",
        name=_NAME,
        paper=lambda: _paper(decisions),
    )


def _paper(decisions: Decisions) -> Iterator[Section]:
    """For each protocol the error rates of all rules, with a group of columns for each score; the rest is details."""
    captions = tuple(map(Caption, (*_CONVENTION, *_tests(decisions))))
    for protocol in dict.fromkeys(each.protocol for each in decisions):
        grid = _paper_grid([each for each in decisions if each.protocol == protocol])
        yield Section((replace(grid, captions=captions),), f"Errors of decisions by metrics, {protocol}")
    prose = {*_CONVENTION, *_tests(decisions)}
    rest = (section for section in _sections(decisions) if section.title not in prose)
    yield from named(rest, _NAME, is_detail=True)


def _paper_grid(decided: Sequence[MetricDecisions]) -> Grid:
    names = dict.fromkeys(rule.rule for each in decided for rule in each.rules)
    rows: dict[str, list[Cell]] = {name: [Text(name)] for name in names}
    header = [Column("accept if", "left")]
    for each in decided:
        rules = {rule.rule: rule for rule in each.rules}
        header += (Column(f"{each.name} {error}", group=_name(each).label, short=error) for error in ("I", "II"))
        for name, cells in rows.items():
            rule = rules.get(name)
            cells += (BLANK, BLANK) if rule is None else (Number(rule.type_1_rate, 2), Number(rule.type_2_rate, 2))
    return Grid(tuple(header), tuple(map(tuple, rows.values())))


def _sections(decisions: Decisions) -> Iterator[Section]:
    for sentence in (*_CONVENTION, *_tests(decisions)):
        yield Section(title=sentence)
    for each in decisions:
        label = f"{_name(each).label}, {each.protocol}"
        yield Section(
            (_bins(each), _rules(each, decisions.columns), _thresholds(each)),
            f"{each.name}, {each.protocol}",
            label=label,
        )
    names = {each.name: _name(each) for each in decisions}
    for overlap in decisions.overlaps:
        yield Section((_overlap(overlap, names),), title=f"Errors that metrics share, {overlap.protocol}")
    if decisions.sides:
        yield Section((_sides(decisions, names),), title="Metrics that prefer different systems: whom people side with")
    yield Section(signatures=(decisions.signature,))


def _name(decided: MetricDecisions) -> Text:
    return score_text(decided.metric, decided.aggregation)


def _tests(decisions: Decisions) -> Iterator[str]:
    """How people's preferences are tested."""
    settings = decisions.settings
    if "test" in settings:
        tested = f"{significance_test_label(settings['test'])} test of their scores, one-sided, p < {settings['alpha']}"
        common = plural(int(settings["min_segments"]), "segment")
        yield (
            f"People find a system significantly better: {tested}. Pairs of systems have at least {common} in common."
        )


def _bins(decided: MetricDecisions) -> Grid:
    titles = ("difference", "pairs", "people: worse", "no difference", "better", "human difference")
    rows = []
    for each in decided.bins:
        low, median, high = each.quartiles
        spread = Number(median, decimals_for([low, high]), low=low, high=high)
        counts = (Count(each.pairs), Count(each.worse), Count(each.undecided), Count(each.better))
        rows.append((Text(each.label), *counts, spread))
    caption = "the human difference in favour of the better-scored system: median and quartiles"
    return Grid(columns(titles), tuple(rows), (Caption(caption),))


def _rules(decided: MetricDecisions, declared: Iterable[ResultColumn]) -> Grid:
    tests = " or ".join(map(significance_test_label, decided.own_tests))
    captions = [Caption(f"significant: {tests} test of the metric's scores, two-sided")] if tests else []
    records = (RuleRecord(decided, rule) for rule in decided.rules)
    return record_grid(declared, records, captions=captions)


def _thresholds(decided: MetricDecisions) -> Grid:
    """The thresholds that keep an error rare."""
    rates = (Column(f"{rate:g}", label=percent(rate)) for rate in decided.type_1_bounds)
    header = (Column("threshold for an error rate of at most", "left", label="to keep an error rate at most"), *rates)
    rows: list[tuple[Cell, ...]] = []
    reasons: list[tuple[Text, str | None]] = []
    for label, rule, error, bounds in (
        ("the smallest", "accept only differences of at least", "type I", decided.type_1_bounds),
        ("the largest", "reject only differences below", "type II", decided.type_2_bounds),
    ):
        decimals = decimals_for(bound.value for bound in bounds.values())
        numbers = [Number(each.value, decimals, n=each.n or None, reason=each.reason) for each in bounds.values()]
        rows.append((Text(f"{error}: {label}", label=f"{error}: {rule}"), *numbers))
        reasons += [(Text(error), bound.reason) for bound in bounds.values()]
    caption = Caption("in parentheses: the number of accepted pairs (type I) or rejected pairs (type II) behind a rate")
    return Grid(header, tuple(rows), (caption, *reason_captions(reasons)))


def _overlap(overlap: ErrorOverlap, names: Mapping[str, Text]) -> Grid:
    """Errors by the metrics' own tests: of each metric on the diagonal, shared ones below it, then reversed ones."""
    rows = [
        (
            names[name],
            *(Count(int(overlap.shared[i, j])) if j <= i else BLANK for j in range(len(overlap.metrics))),
            Count(int(overlap.reversals[i, i])),
        )
        for i, name in enumerate(overlap.metrics)
    ]
    share = f" ({share_text(overlap.common / overlap.any)})" if overlap.any else ""
    caption = (
        f"errors in {plural(overlap.pairs, 'pair')}, shared ones below the diagonal; "
        f"{overlap.common:,}{share} of {overlap.any:,} are common to all metrics"
    )
    titles = (Column(name, label=names[name].label) for name in overlap.metrics)
    reversed_ = "reversed: the errors of the metric in which people find the system that it accepts significantly worse"
    captions = (Caption(caption), Caption(reversed_))
    return Grid((Column("", "left"), *titles, Column("reversed")), tuple(rows), captions)


def _sides(decisions: Decisions, names: Mapping[str, Text]) -> Grid:
    titles = ("first", "second", "protocol", "pairs", "with the first", "with the second", "with neither")
    rows: list[tuple[Cell, ...]] = []
    for each in decisions.sides:
        neither = each.disagreements - each.with_first - each.with_second
        counts = (each.disagreements, each.with_first, each.with_second, neither)
        rows.append((names[each.first], names[each.second], Text(each.protocol), *map(Count, counts)))
    return Grid(columns(titles, labels=3), tuple(rows))
