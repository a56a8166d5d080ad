"""Results, with what only their page shows: how the pair of the verdict differs by domain and in words, for example."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from assay.calibration.files import BUNDLED, bundled
from assay.comparison.ngrams import ngram_differences
from assay.comparison.word_groups import word_groups
from assay.errors import UnknownNameError
from assay.labels.metrics import metric_label
from assay.measurement.labelled_words import labelled_words
from assay.measurement.segment_groups import Group, groups_by_label, groups_of
from assay.reports.page import Report, collected
from assay.reports.page.scored_texts import Grouping, ScoredTexts
from assay.reports.page.viewer_data import embedded_segments
from assay.reports.page.viewer_errors import viewer_errors
from assay.results import (
    Calibration,
    Explanation,
    NgramDifferences,
    Result,
    SystemComparison,
    WordGroups,
)
from assay.types import Campaign, TestSet, present
from assay.words.compared_pair import pair_verdict
from assay.words.noticed import noticed_scores

__all__ = ["page_report"]

_NGRAMS = 100  # many of them are pieces of one phrase


def page_report(
    results: Iterable[Result],
    commands: tuple[str, ...] = (),
    *,
    texts: bool = True,
    title: str = "",
    campaigns: Iterable[Campaign] = (),
) -> Report:
    """Results, with what only a page shows: how the pair of the verdict differs by domain and in words."""
    found = collected(tuple(results), commands, texts=texts, title=title)
    rated = tuple(campaigns)
    return replace(
        found,
        viewed=tuple(_viewed(scored, rated) for scored in found.viewed),
        calibrations=tuple(_calibration(each, found.of(Calibration)) for each in found.of(SystemComparison)),
    )


def _calibration(comparison: SystemComparison, others: Iterable[Calibration]) -> Calibration | None:
    """The calibration that the comparison used.

    The one that comes with Assay is known by its name. Another may be among the results: it is the one if it gives the
    probabilities of the comparison.
    """
    scores = [score for group in noticed_scores(pair_verdict(comparison).scores) for score in group.scores]
    if not scores:
        return None
    if comparison.settings.get("calibration") == BUNDLED:
        return bundled({score.metric.metric for score in scores})
    return next((each for each in others if all(_gives(each, score.pair.explanation) for score in scores)), None)


def _gives(calibration: Calibration, explanation: Explanation | None) -> bool:
    """Whether this calibration gives the probability of an answer."""
    if explanation is None or explanation.population is None:
        return False
    population = explanation.population
    try:
        curve = calibration.curve(
            explanation.metric,
            agg=explanation.aggregation,
            protocol=population.protocol,
            group=population.group,
            domain=population.domain,
        )
    except UnknownNameError:
        return False
    return math.isclose(curve.probability(explanation.difference).value, explanation.probability.value)


def _viewed(scored: ScoredTexts, campaigns: tuple[Campaign, ...]) -> ScoredTexts:
    """What is said of a test set, with groups of its segments and, of texts, words and marks."""
    testset = scored.testset
    if testset is None:
        return replace(scored, groupings=tuple(_groupings(scored)))
    specs = [metric.loadable_spec for metric in scored.metrics.values()]
    labels = labelled_words(specs, testset.part(0, embedded_segments(testset)))
    return replace(
        scored,
        contrasts=[*scored.contrasts, *_words(scored, testset)],
        groupings=tuple(_groupings(scored)),
        labels=labels and {**labels, "metric": metric_label(labels["metric"])},
        errors=viewer_errors(campaigns, testset),
    )


def _words(scored: ScoredTexts, testset: TestSet) -> Iterator[NgramDifferences | WordGroups]:
    """The n-grams and words that one system of the pair gets right more often, unless results have those of a pair."""
    has_words = any(isinstance(each, NgramDifferences | WordGroups) for each in scored.contrasts)
    if not has_words and len(scored.pair) == 2 and _is_comparable(testset, scored.pair):
        first, second = scored.pair
        yield ngram_differences(testset, first, second, count=_NGRAMS)
        yield word_groups(testset, first, second)


def _is_comparable(testset: TestSet, pair: tuple[str, ...]) -> bool:
    """Whether any segment has the outputs of both systems and a reference."""
    both = present(testset.output(pair[0])) & present(testset.output(pair[1]))
    return any((both & present(column)).any() for column in testset.references.values())


def _groupings(scored: ScoredTexts) -> Iterator[Grouping]:
    """Domains, if there are several, documents, and lengths, if the texts are at hand."""
    columns = {"domain": scored.inputs.domains, "document": scored.inputs.documents}
    for name, column in columns.items():
        if column is not None and (name == "document" or len(set(column)) > 1):
            yield _grouping(name, scored.segments, groups_by_label(name, column))
    if scored.testset is not None:
        yield _grouping("length", scored.segments, groups_of(scored.testset, ["length"]))


def _grouping(name: str, segments: int, groups: Iterable[Group]) -> Grouping:
    numbers, labels = np.zeros(segments, dtype=np.int64), []
    for number, group in enumerate(groups):
        labels.append(group.label)
        numbers[group.segments] = number
    return Grouping(name, tuple(labels), tuple(numbers.tolist()))
