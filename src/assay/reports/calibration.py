"""Calibrations as a document: cut-offs by metric, then by target language, domain and protocol as in Lo et al. 2023."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from assay.labels.calibrations import outcome_words
from assay.labels.numbers import percent
from assay.reports.cells import BLANK, Cell, Count, Number, Text
from assay.reports.documents import Caption, Column, Document, Grid, Section, TitledCells, columns, named
from assay.reports.labelled import metric_text, reason_captions, score_text
from assay.reports.system_scores import paper_decimals
from assay.results import ALL, Calibration, CalibrationCurve, Estimate
from assay.results.calibration import FEW_PAIRS, SIGNIFICANT
from assay.results.estimate import decimals_for
from assay.types.note import plural

__all__ = ["document"]

_LEVEL = 0.8  # of the tables by population
_FITS = {"isotonic": "", "logistic": "logistic", "constant": "base rate"}

_Place: TypeAlias = tuple[str, str, str, str]
"""Protocol, group of target languages, domain and kinds of systems of a population."""


def document(calibration: Calibration) -> Document:
    """For each outcome, the cut-offs of all metrics; for the main one also by population."""
    return Document.of(calibration, lambda: _sections(calibration), sheet="protocol", paper=lambda: _paper(calibration))


def _paper(calibration: Calibration) -> Iterator[Section]:
    """For each outcome the cut-offs of all scores, with a group of columns for each protocol; the rest is details."""
    for outcome in dict.fromkeys(curve.outcome for curve in calibration):
        curves = [curve for curve in calibration if curve.outcome == outcome and _place(curve)[1:] == (ALL, ALL, ALL)]
        if curves:
            title = f"{_title(calibration, outcome)}, with the probability above each column"
            yield Section((_paper_grid(curves),), title)
    yield from named(_sections(calibration), "Calibration", is_detail=True)


def _paper_grid(curves: Sequence[CalibrationCurve]) -> Grid:
    found = {(curve.metric, curve.aggregation, curve.population.protocol): curve for curve in curves}
    protocols = list(dict.fromkeys(key[2] for key in found))
    levels = list(curves[0].cutoffs)
    rows: list[tuple[Cell, ...]] = []
    for metric, aggregation in dict.fromkeys(key[:2] for key in found):
        row = [found.get((metric, aggregation, protocol)) for protocol in protocols]
        cutoffs = [None if curve is None else curve.cutoffs[level] for curve in row for level in levels]
        decimals = paper_decimals(decimals_for(each.value for each in cutoffs if each is not None))
        cells = (BLANK if each is None else _cutoff(each, decimals) for each in cutoffs)
        rows.append((score_text(metric, aggregation), *cells))
    header = [
        Column(f"{protocol} {percent(level)}", group=protocol, short=f"{percent(level)}")
        for protocol in protocols
        for level in levels
    ]
    counts = {curve.population.protocol: curve.population for curve in curves}
    pairs = "; ".join(
        f"{name}: {plural(each.pairs, 'pair')} of systems in {plural(each.language_pairs, 'language pair')}"
        for name, each in counts.items()
    )
    few = _few_caption(cutoff for curve in curves for cutoff in curve.cutoffs.values())
    reasons = (replace(each, role="remark") for each in reason_captions(_reasons(curves)))
    return Grid((Column("score", "left"), *header), tuple(rows), (Caption("{}", (Text(pairs),)), *few, *reasons))


def _title(calibration: Calibration, outcome: str) -> str:
    return f"From which difference on {outcome_words(outcome, calibration.orientation)}"


def _sections(calibration: Calibration) -> Iterator[Section]:
    for outcome in dict.fromkeys(curve.outcome for curve in calibration):
        curves = [curve for curve in calibration if curve.outcome == outcome]
        grids = list(_cutoffs(curves))
        if outcome == SIGNIFICANT:
            grids += _by_population(curves)
        yield Section(tuple(grids), title=_title(calibration, outcome))
    yield Section(signatures=(calibration.signature,))


def _cutoffs(curves: Sequence[CalibrationCurve]) -> Iterator[Grid]:
    """For each protocol: the cut-offs over all languages and domains, and how well the curves predict."""
    for protocol in dict.fromkeys(curve.population.protocol for curve in curves):
        chosen = [curve for curve in curves if _place(curve) == (protocol, ALL, ALL, ALL)]
        if not chosen:
            continue
        caption = "reversed: median difference, and number, of pairs that people significantly order the other way"
        few = _few_caption(cutoff for curve in chosen for cutoff in curve.cutoffs.values())
        captions = (Caption(caption), *few, *_step_caption(chosen), *reason_captions(_reasons(chosen)))
        yield Grid.of(_cutoff_columns(protocol, chosen), captions)
        if validated := [curve for curve in chosen if curve.validation is not None]:
            yield _validation(validated)


def _reasons(curves: Sequence[CalibrationCurve]) -> Iterator[tuple[Text, str | None]]:
    """Why cut-offs, probabilities at differences, or intervals are missing."""
    for curve in curves:
        name = _name(curve)
        yield from ((name, cutoff.reason) for cutoff in curve.cutoffs.values())
        for difference, estimate in curve.at.items():
            yield Text(f"{name.text} at {difference:g}", label=f"{name.label} at {difference:g}"), estimate.reason


def _step_caption(curves: Sequence[CalibrationCurve]) -> Iterator[Caption]:
    if any(curve.at for curve in curves):
        yield Caption("a number after a probability: how many pairs of systems are on this step of the curve")


def _cutoff_columns(protocol: str, curves: Sequence[CalibrationCurve]) -> Iterator[TitledCells]:
    """For each level the cut-off, at each difference the probability, and what the curves rest on."""
    yield from _score_columns(protocol, curves)
    for level in curves[0].cutoffs:
        yield percent(level), [_cutoff(curve.cutoffs[level], _decimals(curve)) for curve in curves]
    for difference in curves[0].at:
        yield f"at {difference:g}", [_probability(curve, difference) for curve in curves]
    yield "pairs", [Count(curve.population.pairs) for curve in curves]
    yield Column("LPs", label="language pairs"), [Count(curve.population.language_pairs) for curve in curves]
    yield "base rate", [Number(curve.base_rate, 2) for curve in curves]
    yield "reversed", [_reversed(curve) for curve in curves]


def _score_columns(title: str, curves: Sequence[CalibrationCurve]) -> Iterator[TitledCells]:
    yield Column(title, "left"), [metric_text(curve.metric) for curve in curves]
    yield Column("", "left"), [Text(curve.aggregation) for curve in curves]


def _decimals(curve: CalibrationCurve) -> int:
    return decimals_for(cutoff.value for cutoff in curve.cutoffs.values())


def _probability(curve: CalibrationCurve, difference: float) -> Number:
    estimate = curve.at[difference]
    return Number.of(estimate, n=None if math.isnan(estimate.value) else curve.step(difference).pairs)


def _reversed(curve: CalibrationCurve) -> Number:
    found = curve.reversed
    return Number(found.value, _decimals(curve), n=found.n or None, reason=found.reason)


def _validation(curves: Sequence[CalibrationCurve]) -> Grid:
    """How well curves predict what they were not fitted on, beside simpler fits."""
    validations = [curve.validation for curve in curves if curve.validation is not None]
    errors = {
        ("Brier", "Brier score"): [each.brier for each in validations],
        ("log loss", "log loss"): [each.log_loss for each in validations],
    }
    columns = [*_score_columns("predicting others", curves)]
    for (error, group), found in errors.items():
        for fit, name in _FITS.items():
            short = name or "curve"
            title = Column(name or error, group=group, short=short, label=f"{group}, {short}")
            columns.append((title, [Number(each.get(fit, math.nan), 3) for each in found]))
    held_out = " or ".join(dict.fromkeys(each.held_out for each in validations))
    caption = f"errors of the curve, a logistic fit and the base rate: each {held_out} predicted by fits to the others"
    return Grid.of(columns, (Caption(caption),))


def _cutoff(cutoff: Estimate, decimals: int) -> Number:
    n = cutoff.n if _is_weak(cutoff) else None
    return Number.of(cutoff, decimals, n=n)


def _is_weak(cutoff: Estimate) -> bool:
    return cutoff.n < FEW_PAIRS and not math.isnan(cutoff.value)


def _few_caption(cutoffs: Iterable[Estimate]) -> Iterator[Caption]:
    if any(map(_is_weak, cutoffs)):
        yield Caption("a number after a cut-off: only so many pairs of systems differ by this much or more")


def _by_population(curves: Sequence[CalibrationCurve]) -> Iterator[Grid]:
    """The cut-offs at 80 % by target language, domain and kinds of systems for each protocol, and by protocol."""
    protocols = list(dict.fromkeys(curve.population.protocol for curve in curves))
    groups = list(dict.fromkeys(curve.population.group for curve in curves))
    domains = list(dict.fromkeys(curve.population.domain for curve in curves))
    kinds = list(dict.fromkeys(curve.population.kinds for curve in curves))
    for protocol in protocols:
        by_group = {group: (protocol, group, ALL, ALL) for group in groups}
        by_domain = {domain: (protocol, ALL, domain, ALL) for domain in domains}
        by_kinds = {each: (protocol, ALL, ALL, each) for each in kinds}
        yield from _grid(f"{protocol}, {percent(_LEVEL)} by target", by_group, curves, has_ratio=True)
        yield from _grid(f"{protocol}, {percent(_LEVEL)} by domain", by_domain, curves)
        yield from _grid(f"{protocol}, {percent(_LEVEL)} by kinds", by_kinds, curves)
    yield from _grid(f"{percent(_LEVEL)} by protocol", {name: (name, ALL, ALL, ALL) for name in protocols}, curves)


def _grid(
    title: str,
    places: Mapping[str, _Place],
    curves: Sequence[CalibrationCurve],
    *,
    has_ratio: bool = False,
) -> Iterator[Grid]:
    """One column for each population that has a curve; none if there is only one."""
    found = {(curve.metric, curve.aggregation, _place(curve)): curve for curve in curves}
    used = [name for name, place in places.items() if any(key[2] == place for key in found)]
    if len(used) < 2:
        return
    rows, counts = [], dict.fromkeys(used, 0)
    for metric, aggregation in dict.fromkeys(key[:2] for key in found):
        row = [found.get((metric, aggregation, places[name])) for name in used]
        cutoffs = [math.nan if curve is None else curve.cutoffs[_LEVEL].value for curve in row]
        decimals = decimals_for(cutoffs)
        cells: list[Cell] = [metric_text(metric), Text(aggregation)]
        for name, curve in zip(used, row, strict=True):
            cells.append(Number(math.nan) if curve is None else _cutoff(curve.cutoffs[_LEVEL], decimals))
            counts[name] = max(counts[name], 0 if curve is None else curve.population.pairs)
        if has_ratio:
            cells.append(Number(_ratio(value for name, value in zip(used, cutoffs, strict=True) if name != ALL), 1))
        rows.append(tuple(cells))
    titles = [title, "", *used, *(["largest / smallest"] if has_ratio else [])]
    pairs = "pairs of systems: " + ", ".join(f"{name} {count:,}" for name, count in counts.items())
    shown = [(name, curve) for curve in curves for name in used if places[name] == _place(curve)]
    few = _few_caption(curve.cutoffs[_LEVEL] for _, curve in shown)
    missing = reason_captions((_place_name(name, curve), curve.cutoffs[_LEVEL].reason) for name, curve in shown)
    yield Grid(columns(titles, labels=2), tuple(rows), (Caption(pairs), *few, *missing))


def _name(curve: CalibrationCurve) -> Text:
    return score_text(curve.metric, curve.aggregation)


def _place_name(place: str, curve: CalibrationCurve) -> Text:
    name = _name(curve)
    return Text(f"{place} ({name.text})", label=f"{place} ({name.label})")


def _place(curve: CalibrationCurve) -> _Place:
    population = curve.population
    return population.protocol, population.group, population.domain, population.kinds


def _ratio(cutoffs: Iterator[float]) -> float:
    """How consistent a metric is over groups of languages: the largest cut-off divided by the smallest."""
    positive = [value for value in cutoffs if value > 0]
    return max(positive) / min(positive) if len(positive) > 1 else math.nan
