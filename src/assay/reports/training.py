"""A metric learnt from judgements, as a document: what was found, its features, and where it was evaluated."""

from __future__ import annotations

from collections.abc import Iterator

from assay.reports.cells import Cell, Count, Number, Text
from assay.reports.documents import Column, Document, Grid, Section
from assay.results import Estimate, HeldOutPair, Training
from assay.words import verdict
from assay.words.training import EVALUATED_ON

__all__ = ["document"]


def document(training: Training) -> Document:
    """The verdict, the evaluations, the features, and a row for each language pair."""
    return Document.of(
        training,
        lambda: _sections(training),
        name="Metric learnt from judgements",
        opening=lambda: verdict((training,)).sentences,
    )


def _sections(training: Training) -> Iterator[Section]:
    yield Section((_evaluations(training),), "Agreement with people, % of pairs", (training.signature,))
    yield Section((_features(training),), f"Features ({training.chosen})")
    for by in dict.fromkeys(each.by for each in training.held_out):
        pairs = [each for each in training.held_out if each.by == by]
        yield Section((_pairs(pairs),), f"Language pairs: {EVALUATED_ON[by]}", is_detail=True)
    yield Section((_populations(training),), "Trained on", is_detail=True)


def _evaluations(training: Training) -> Grid:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            Text(EVALUATED_ON[each.by]),
            Text("outputs" if each.level == "segment" else "systems"),
            Count(each.metric.n),
            *map(_share, (each.metric, each.single, each.ranks)),
            *map(_gain, (each.beyond_single, each.beyond_ranks)),
        )
        for each in training.evaluations
    )
    titles = ("language pairs", "metric", "best feature", "mean of ranks", "beyond best feature", "beyond ranks")
    return Grid((Column("evaluated on", "left"), Column("pairs of", "left"), *map(Column, titles)), rows)


def _features(training: Training) -> Grid:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            Text(f"{each.name} (constant)" if each.is_constant else each.name),
            Number(each.weight, 3, reason="a sum of trees has no weights"),
            Number(100 * each.importance, 2, reason="nothing was left out"),
            Number(100 * each.alone, 1),
        )
        for each in training.features
    )
    return Grid((Column("feature", "left"), Column("weight"), Column("importance, points"), Column("alone, %")), rows)


def _pairs(pairs: list[HeldOutPair]) -> Grid:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            Text(each.part),
            Text(each.label),
            Text(each.chosen),
            Text(each.single),
            Count(each.preferences),
            *(
                Number(100 * value, 1, reason="nothing is left to train on")
                for value in (each.accuracy, each.accuracy_of_single, each.accuracy_of_ranks)
            ),
        )
        for each in pairs
    )
    left = ("part", "language pair", "model", "best feature")
    right = ("preferences", "metric, %", "best feature, %", "mean of ranks, %")
    return Grid((*(Column(title, "left") for title in left), *map(Column, right)), rows)


def _populations(training: Training) -> Grid:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            Text(each.label),
            Text(f"{each.human} ({each.protocol})"),
            *map(Count, (each.systems, each.judgements, each.preferences, each.drawn)),
        )
        for each in training.populations
    )
    left, right = ("language pair", "judgements by"), ("systems", "judgements", "preferences", "drawn")
    return Grid((*(Column(title, "left") for title in left), *map(Column, right)), rows)


def _share(estimate: Estimate) -> Number:
    return Number(100 * estimate.value, 1, 100 * estimate.low, 100 * estimate.high, reason=estimate.reason)


def _gain(estimate: Estimate) -> Number:
    low, high = 100 * estimate.low, 100 * estimate.high
    return Number(100 * estimate.value, 1, low, high, style="signed", reason=estimate.reason)
