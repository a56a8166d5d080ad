"""`assay.correlate`: how scores of the same systems correlate, across metrics, aggregations and sizes of test sets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.aggregate.resample import CONFIDENCE, RESAMPLES, SEED, ClusterBootstrap
from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.arguments import public_function
from assay.errors import ConfigError, option
from assay.human.selection import label_campaigns
from assay.measurement import AGGREGATIONS
from assay.metaeval.computed_metrics import Aggregations
from assay.metaeval.metric_tables import MetricOptions, campaign_metrics, references_used
from assay.metaeval.pair_scores import select_systems
from assay.metaeval.score_correlation import ClusterIntervals, correlate_scores, correlation_notes
from assay.metaeval.score_samples import SAMPLES, Samples, ScoredSystems, sample_notes
from assay.metaeval.settings import selection_settings
from assay.metaeval.subsets import system_statistic
from assay.registry import name_list
from assay.results import ScoreCorrelations
from assay.results.result import with_undefined_note
from assay.types import Campaign, FloatArray, FrozenDict, Note, NoteKind, ScoreTable
from assay.types.note import listed
from assay.types.runtime import Runtime

__all__ = ["correlate"]


@public_function
def correlate(
    campaigns: Iterable[Campaign],
    *,
    metrics: Sequence[str] = ("bleu", "chrf"),
    agg: Sequence[str] = (),
    size: int | None = None,
    statistic: str | Statistic = "pearson",
    references: Sequence[str] = (),
    systems: Sequence[str] = ("*",),
    exclude: Sequence[str] = (),
    keep_references: bool = False,
    external: Mapping[str, Sequence[ScoreTable]] = FrozenDict(),
    sample_sizes: Sequence[int] = (),
    samples: int = SAMPLES,
    without_replacement: bool = False,
    small_sets: str = "leave-out",
    resamples: int = RESAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    runtime: Runtime | None = None,
) -> ScoreCorrelations:
    """Compare every two scores: metrics under each aggregation, stored scores, and external ones.

    Pooled values are over all systems of all language pairs of all test sets together; there is also a value for each
    language pair, and their mean. Intervals come from resampling whole language pairs. Scores where lower is better are
    negated.

    `sample_sizes` repeats the comparison on `samples` random samples of that many segments of each language pair, drawn
    with replacement or `without_replacement`, the same for all systems and scores. Corpus scores and means of segment
    scores are then those of the sample; bootstrap scores, and stored scores without segment scores, stay those of all
    segments, and two such scores have no value on samples. `small_sets` says what happens to language pairs with fewer
    segments: they are left out (leave-out), used whole (whole) or sampled like the others (draw).

    `metrics` may also name stored metrics. `agg` applies to the others; without it, they are aggregated in all three
    ways. Without `references`, the first reference of each language pair is used.
    """
    runtime = runtime or Runtime()
    test_sets = list(label_campaigns(campaigns).values())  # none of them twice
    compared_by = system_statistic(statistic)
    drawn = Samples(tuple(dict.fromkeys(sample_sizes)), samples, without_replacement, small_sets, seed)
    intervals = ClusterIntervals(ClusterBootstrap(resamples, seed), confidence)
    options = _metric_options(test_sets, metrics, references, tuple(agg), size, seed)
    selection: dict[str, Any] = {"systems": systems, "exclude": exclude, "keep_references": keep_references}
    scored, notes = _score(test_sets, options, selection, external, runtime)
    correlations = correlate_scores(scored, compared_by, intervals, drawn, runtime)
    if not correlations:
        raise ConfigError("there are no two scores of the same systems", hint=f"e.g. {option('agg', 'corpus,segment')}")
    settings = {
        "data": name_list(dict.fromkeys(campaign.name for campaign in test_sets)),
        "lps": name_list(dict.fromkeys(campaign.lp for campaign in test_sets)),
        "statistic": statistic_registry.spec(compared_by),
        **selection_settings(
            **selection,
            references=references,
            metrics=metrics,
            aggregations=options.aggregations.settings,
            external=[table for tables in external.values() for table in tables],
        ),
        **drawn.settings,
        **intervals.settings,
        "seed": str(seed),
    }
    result = ScoreCorrelations(
        settings,
        tuple((each.label, system) for each in scored for system in each.systems),
        {name: _values(name, scored) for name in dict.fromkeys(name for each in scored for name in each.scores)},
        tuple(correlations),
        notes=(*correlation_notes(correlations), *notes, *sample_notes(scored, drawn)),
    )
    return with_undefined_note(result)


def _metric_options(
    campaigns: Sequence[Campaign],
    metrics: Sequence[str],
    references: Sequence[str],
    agg: tuple[str, ...],
    size: int | None,
    seed: int,
) -> MetricOptions:
    """The scores that were asked for, and no others. Without `agg`, computed metrics have all aggregations."""
    named = MetricOptions.from_names(metrics, references, campaigns=campaigns, otherwise=())
    aggregations = Aggregations(agg or (AGGREGATIONS if named.computed else ()), size, seed)
    options = replace(named, aggregations=aggregations)
    options.check(campaigns, level="system")
    return options


def _score(
    campaigns: Sequence[Campaign],
    options: MetricOptions,
    selection: Mapping[str, Any],
    external: Mapping[str, Sequence[ScoreTable]],
    runtime: Runtime,
) -> tuple[list[ScoredSystems], list[Note]]:
    """The scores of the selected systems of each campaign, with each note once."""
    _check_external(external, campaigns)
    known = dict.fromkeys(name for campaign in campaigns for name in campaign.systems)
    scored: list[ScoredSystems] = []
    noted: dict[Note, list[str]] = {}
    for campaign in runtime.track(campaigns, lambda each: f"scoring {each.label}"):
        chosen = options if options.references else replace(options, references=campaign.references[:1])
        metrics, notes = campaign_metrics(
            campaign, chosen, level="system", external=external.get(campaign.lp, ()), runtime=runtime
        )
        selected = select_systems(campaign, metrics, known=known, **selection)
        if selected.systems:
            scored.append(ScoredSystems.of(campaign, selected.systems, metrics))
        if not options.references and references_used(metrics):
            used = Note(NoteKind.PROVENANCE, f"metrics that need a reference use {campaign.references[0]}")
            notes = (*notes, used)
        for note in (*selected.notes, *notes):
            noted.setdefault(note, []).append(campaign.label)
    if not scored:
        raise ConfigError("no system is left", hint=f"change {option('systems')} or {option('exclude')}")
    return scored, list(_with_language_pairs(noted, len(campaigns)))


def _check_external(external: Mapping[str, Sequence[ScoreTable]], campaigns: Iterable[Campaign]) -> None:
    """Raise for external scores of a language pair that several test sets have: it is unknown whose they are."""
    labels: dict[str, list[str]] = {}
    for campaign in campaigns:
        labels.setdefault(campaign.lp, []).append(campaign.label)
    for lp in external:
        if len(labels.get(lp, ())) > 1:
            message = f"external scores of {lp} could belong to {' or '.join(labels[lp])}"
            raise ConfigError(message, hint="correlate one of these test sets, or another language pair")


def _with_language_pairs(noted: Mapping[Note, Sequence[str]], total: int) -> Iterator[Note]:
    """Each note once, with the language pairs that it is about unless it is about all of them."""
    for note, labels in noted.items():
        where = ", ".join(filter(None, (note.where, listed(labels) if len(labels) < total else "")))
        yield replace(note, where=where)


def _values(name: str, language_pairs: Iterable[ScoredSystems]) -> FloatArray:
    """The values of a score for the systems of all language pairs, NaN where a language pair does not have it."""
    missing = [np.full(len(each.systems), math.nan) for each in language_pairs]
    return np.concatenate([each.scores.get(name, gap) for each, gap in zip(language_pairs, missing, strict=True)])
