"""`assay.correlate`: how scores of the same systems correlate, across metrics, aggregations and sizes of test sets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.arguments import checked_arguments
from assay.errors import ConfigError, option
from assay.metaeval.computed_metrics import Aggregations
from assay.metaeval.metric_tables import MetricOptions, campaign_metrics
from assay.metaeval.pair_scores import select_systems
from assay.metaeval.score_correlation import TestSetResamples, correlate_scores
from assay.metaeval.score_samples import Samples, ScoredSystems, left_out_sets
from assay.metaeval.settings import selection_settings
from assay.metaeval.subsets import system_statistic
from assay.registry import name_list
from assay.resample import CONFIDENCE, RESAMPLES, SEED
from assay.results import ScoreCorrelations
from assay.runtime import Runtime
from assay.types import Campaign, FloatArray, FrozenDict, Note, ScoreTable
from assay.types.note import listed

__all__ = ["correlate"]


@checked_arguments
def correlate(
    campaigns: Iterable[Campaign],
    *,
    metrics: Sequence[str] = ("bleu", "chrf"),
    agg: Sequence[str] = ("corpus", "segment", "bootstrap"),
    size: int | None = None,
    statistic: str | Statistic = "pearson",
    references: Sequence[str] = (),
    systems: Sequence[str] = ("*",),
    exclude: Sequence[str] = (),
    keep_references: bool = False,
    external: Mapping[str, Sequence[ScoreTable]] = FrozenDict(),
    sample_sizes: Sequence[int] = (),
    samples: int = 100,
    without_replacement: bool = False,
    small_sets: str = "leave-out",
    resamples: int = RESAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    runtime: Runtime | None = None,
) -> ScoreCorrelations:
    """Compare every two scores: metrics under each aggregation, stored scores, and external ones.

    Pooled values are over all systems of all test sets and language pairs together, with an interval from resampling
    whole test sets; there is also a value for each test set. Scores where lower is better are turned round.

    `sample_sizes` repeats the comparison on `samples` random samples of that many segments of each test set, drawn with
    replacement or `without_replacement`, the same for all systems and scores. Corpus scores and means of segment scores
    are then those of the sample; bootstrap scores, and stored scores without segment scores, stay those of the whole
    test set. `small_sets` says what happens to test sets with fewer segments: they are left out (leave-out), used whole
    (whole) or drawn from all the same (draw).

    `metrics` may also name stored metrics. Without `references`, the first reference of each test set is used.
    """
    runtime = runtime or Runtime()
    compared_by = system_statistic(statistic)
    aggregations = Aggregations(tuple(agg), size, seed)
    drawn = Samples(tuple(dict.fromkeys(sample_sizes)), samples, without_replacement, small_sets, seed)
    intervals = TestSetResamples(resamples, seed, confidence)
    options = MetricOptions.from_names(metrics, references, aggregations)
    if "*" not in metrics and options.stored == ("*",):
        options = replace(options, stored=())  # scores are compared that were asked for
    test_sets = list(campaigns)
    options.check(test_sets, level="system")
    scored: list[ScoredSystems] = []
    noted: dict[Note, list[str]] = {}
    for campaign in runtime.track(test_sets, lambda each: f"scoring {each.label}"):
        chosen = options if references else replace(options, references=campaign.references[:1])
        metric_scores, found = campaign_metrics(
            campaign, chosen, level="system", external=external.get(campaign.lp, ()), runtime=runtime
        )
        selection = select_systems(
            campaign, metric_scores, systems=systems, exclude=exclude, keep_references=keep_references
        )
        scored.append(ScoredSystems.of(campaign.label, selection.systems, metric_scores))
        for note in (*selection.notes, *found):
            noted.setdefault(note, []).append(campaign.label)
    correlations = correlate_scores(scored, compared_by, intervals, drawn, runtime)
    if not correlations:
        raise ConfigError("there are no two scores of the same systems", hint=f"e.g. {option('agg', 'corpus,segment')}")
    settings = {
        "data": name_list(dict.fromkeys(campaign.name for campaign in test_sets)),
        "lps": name_list(dict.fromkeys(campaign.lp for campaign in test_sets)),
        "statistic": statistic_registry.spec(compared_by),
        **selection_settings(
            systems=systems,
            exclude=exclude,
            keep_references=keep_references,
            references=references,
            metrics=metrics,
            aggregations=aggregations.settings,
            external=[table for tables in external.values() for table in tables],
        ),
        **drawn.settings,
        **intervals.settings,
        "seed": str(seed),
    }
    return ScoreCorrelations(
        settings,
        tuple((each.label, system) for each in scored for system in each.systems),
        {name: _values(name, scored) for name in dict.fromkeys(name for each in scored for name in each.scores)},
        tuple(correlations),
        notes=(*_with_test_sets(noted, len(scored)), *left_out_sets(scored, drawn)),
    )


def _with_test_sets(noted: Mapping[Note, Sequence[str]], total: int) -> Iterator[Note]:
    """Each note once, with the test sets that it is about unless it is about all of them."""
    for note, labels in noted.items():
        where = ", ".join(filter(None, (note.where, listed(labels) if len(labels) < total else "")))
        yield replace(note, where=where)


def _values(name: str, test_sets: Iterable[ScoredSystems]) -> FloatArray:
    """The values of a score for the systems of all test sets, NaN where a test set does not have it."""
    missing = [np.full(len(each.systems), math.nan) for each in test_sets]
    return np.concatenate([each.scores.get(name, gap) for each, gap in zip(test_sets, missing, strict=True)])
