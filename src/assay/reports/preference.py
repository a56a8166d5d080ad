"""Which outputs people probably prefer, as a document: sentences, segments, and what held-out judgements say."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.reports.cells import Cell, Count, Number, Text
from assay.reports.documents import Column, Document, Grid, Section
from assay.results import Estimate, PreferenceEvaluation, Preferences, PreferredOutput
from assay.words import verdict
from assay.words.preference import LEFT_OUT

__all__ = ["document"]

_MAX_SHOWN = 20
_EVERY = 0.05
_ROUNDING = 1e-9


def document(found: Preferences) -> Document:
    """The verdict, the answers, and how often such answers are right."""
    return Document.of(
        found,
        lambda: _sections(found),
        name="Which output people probably prefer",
        opening=lambda: verdict((found,)).sentences,
    )


def _sections(found: Preferences) -> Iterator[Section]:
    surest = sorted(found.answered, key=lambda each: (-max(each.probability, 1 - each.probability), each.segment))
    if surest:
        title = "Segments with an answer"
        if len(surest) > _MAX_SHOWN:
            title += f": the {_MAX_SHOWN} surest of {len(surest):,} (-o FILE.tsv has all)"
        yield Section((_answers(found, surest[:_MAX_SHOWN]),), title)
    for number, each in enumerate(found.evaluations):
        left_out = LEFT_OUT[each.by]
        yield Section(
            (_curve(each, found.threshold),),
            f"Answers by the least probability, {left_out} held out in turn",
            () if number else (found.signature,),
            is_detail=bool(number),
        )
        if not number:
            yield Section((_bins(each),), f"Reliability, {left_out} held out in turn", is_detail=True)
            yield Section((_parts(each, found.threshold),), f"Held out in turn: {left_out}", is_detail=True)


def _answers(found: Preferences, shown: list[PreferredOutput]) -> Grid:
    rows: list[tuple[Cell, ...]] = []
    for each in shown:
        is_first = each.answer == "first"
        scores = [Number(value, 2) for row in each.scores for value in (row.first, row.second)]
        probability = each.probability if is_first else 1 - each.probability
        name = found.first if is_first else found.second
        rows.append((Text(each.item or str(each.segment)), *scores, Number(probability, 3), Text(name)))
    titles = [Column(f"{name}, {side}") for name in found.metrics for side in (found.first, found.second)]
    return Grid((Column("segment"), *titles, Column("probability"), Column("preferred", "left")), tuple(rows))


def _curve(evaluation: PreferenceEvaluation, threshold: float) -> Grid:
    rows = tuple(
        (
            Number(each.at_least, 2),
            Number(100 * each.coverage, 1),
            Count(each.n),
            _share(each.accuracy),
            _share(each.opposite),
        )
        for each in evaluation.curve
        if _is_shown(each.at_least) or abs(each.at_least - threshold) < _ROUNDING
    )
    titles = ("at least", "answered, %", "answers", "right, %", "opposite, %")
    return Grid(tuple(map(Column, titles)), rows)


def _is_shown(threshold: float) -> bool:
    return abs(math.remainder(threshold, _EVERY)) < _ROUNDING


def _bins(evaluation: PreferenceEvaluation) -> Grid:
    rows = tuple(
        (
            Number(100 * each.predicted, 1),
            Number(100 * each.observed, 1),
            Number(100 * each.opposite, 1),
            Count(each.n),
        )
        for each in evaluation.bins
    )
    return Grid(tuple(map(Column, ("predicted, %", "preferred, %", "opposite, %", "pairs of outputs"))), rows)


def _parts(evaluation: PreferenceEvaluation, threshold: float) -> Grid:
    answered = evaluation.right_by_part(threshold)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            Text(each.part),
            Count(each.n),
            Number(each.brier, 3),
            *(
                Number(100 * value, 1, reason="no output is more probable")
                for value in (each.predicted, each.observed, each.opposite)
            ),
            *_answered(*answered.get(each.part, (0, math.nan)), is_shown=bool(answered)),
        )
        for each in evaluation.parts
    )
    titles = ("pairs of outputs", "Brier score", "predicted, %", "preferred, %", "opposite, %")
    more = ("answers", "right, %") if answered else ()
    return Grid((Column("held out", "left"), *map(Column, (*titles, *more))), rows)


def _answered(answers: int, right: float, *, is_shown: bool) -> tuple[Cell, ...]:
    return (Count(answers), Number(100 * right, 1, reason="there is no answer")) if is_shown else ()


def _share(rate: Estimate) -> Number:
    return Number(100 * rate.value, 1, 100 * rate.low, 100 * rate.high, reason=rate.reason)
