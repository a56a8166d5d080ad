"""`assay.correlate`: how scores of the same systems correlate, across metrics, aggregations and sizes of test sets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Unpack

from assay.aggregate.resample import (
    CONFIDENCE,
    MAX_RESAMPLES,
    RESAMPLES,
    SEED,
    ClusterBootstrap,
    Confidence,
    Seed,
    resamples_option,
)
from assay.agreement import StatisticChoice
from assay.agreement import statistic as statistic_registry
from assay.errors import ConfigError, option_name
from assay.human.selection import SystemOptions, label_campaigns
from assay.lazily import numpy as np
from assay.measurement import AGGREGATIONS, metrics_option
from assay.measurement.segment_groups import GROUPINGS
from assay.metaeval.computed_metrics import Aggregations
from assay.metaeval.metric_tables import MetricOptions, campaign_metrics, references_used
from assay.metaeval.pair_scores import without_used_references
from assay.metaeval.score_correlation import ClusterIntervals, correlate_scores, correlation_notes
from assay.metaeval.score_samples import SAMPLES, SMALL_SETS, Samples, ScoredSystems, sample_notes
from assay.metaeval.settings import selection_settings
from assay.metaeval.subsets import system_statistic
from assay.options.checks import check_integer
from assay.options.option import METRICS, Option
from assay.options.shared import CAMPAIGNS, EXTERNAL, RUNTIME, Exclude, KeepReferences, ReferenceNames, Size, Systems
from assay.options.verb import verb
from assay.registry import name_list
from assay.results import ScoreCorrelations
from assay.results.result import with_undefined_note
from assay.types import Campaign, FloatArray, FrozenDict, Note, NoteKind, ScoreTable
from assay.types.note import listed
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["correlate"]

_SAMPLES = "Samples of segments"  # the group of options


@verb
def correlate(
    campaigns: Annotated[Iterable[Campaign], CAMPAIGNS],
    *,
    metrics: Annotated[
        Sequence[str],
        metrics_option(
            "Metrics to compute from the texts; other names, and patterns like 'COMET*', add stored scores.",
            takes_names=True,
        ),
    ] = ("bleu", "chrf"),
    agg: Annotated[
        Sequence[str],
        Option(
            "How to aggregate computed metrics: corpus, segment (m-...) or bootstrap (x-...).",
            group=METRICS,
            noun="aggregation",
            choices=AGGREGATIONS,
            metavar="NAME",
            default="all three",
        ),
    ] = (),
    size: Size = None,
    statistic: StatisticChoice = "pearson",
    references: ReferenceNames = (),
    systems: Systems = ("*",),
    exclude: Exclude = (),
    keep_references: KeepReferences = False,
    external: Annotated[Mapping[str, Sequence[ScoreTable]], EXTERNAL] = FrozenDict(),
    sample_sizes: Annotated[
        Sequence[int],
        Option(
            "Also compare scores on random samples of this many segments of each language pair, such as 1,10,100.",
            group=_SAMPLES,
            metavar="N",
            check=partial(check_integer, low=1, high=2**32 - 1),
        ),
    ] = (),
    samples: Annotated[
        int,
        Option(
            "Number of samples of each size.",
            group=_SAMPLES,
            metavar="N",
            check=partial(check_integer, low=1, high=MAX_RESAMPLES),
        ),
    ] = SAMPLES,
    without_replacement: Annotated[bool, Option("Draw no segment twice for the same sample.", group=_SAMPLES)] = False,
    small_sets: Annotated[
        str,
        Option(
            "What to do with a language pair that has fewer segments than a sample: leave-out, whole (use all its "
            "segments each time), or draw (some of them repeatedly).",
            group=_SAMPLES,
            choices=SMALL_SETS,
            metavar="NAME",
        ),
    ] = "leave-out",
    stratify: Annotated[
        str | None,
        Option(
            "Give each document, domain or quartile of length its share of every sample, to within one segment.",
            group=_SAMPLES,
            choices=GROUPINGS,
            metavar="NAME",
        ),
    ] = None,
    resamples: Annotated[
        int, resamples_option("Number of resamples of language pairs, for the intervals; 0 for no intervals.")
    ] = RESAMPLES,
    seed: Seed = SEED,
    confidence: Confidence = CONFIDENCE,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> ScoreCorrelations:
    """Show how scores correlate with each other.

    Compares metrics, their aggregations and stored scores over the systems of one or more test sets: within each
    language pair, over all of them together (pooled, which also measures how language pairs differ), and on random
    samples of the segments (Cavalin et al. 2024).

    Notes
    -----
    There is a value for each language pair, their mean, and a pooled value. Intervals come from resampling whole
    language pairs. Scores where lower is better are negated.

    On samples of the segments, corpus scores and means of segment scores are those of the sample, the same for all
    systems and scores; bootstrap scores, and stored scores without segment scores, stay those of all segments, and two
    such scores have no value on samples. Without `references`, the first reference of each language pair is used.
    """
    runtime = runtime or Runtime()
    test_sets = list(label_campaigns(campaigns).values())  # none of them twice
    compared_by = system_statistic(statistic)
    drawn = Samples(tuple(dict.fromkeys(sample_sizes)), samples, without_replacement, small_sets, seed, stratify)
    intervals = ClusterIntervals(ClusterBootstrap(resamples, seed), confidence)
    named = MetricOptions.from_names(metrics, references, campaigns=test_sets, otherwise=(), external=external)
    options = _aggregated(named, test_sets, tuple(agg), size, seed)
    selected_by = SystemOptions.of(systems, exclude, keep_references)
    scored, notes = _score(test_sets, options, selected_by, stratify, runtime)
    correlations = correlate_scores(scored, compared_by, intervals, drawn, runtime)
    if not correlations:
        raise ConfigError(
            "there are no two scores of the same systems", hint=f"e.g. {option_name('agg', 'corpus,segment')}"
        )
    settings = {
        "data": name_list(dict.fromkeys(campaign.name for campaign in test_sets)),
        "lps": name_list(dict.fromkeys(campaign.lp for campaign in test_sets)),
        "statistic": statistic_registry.spec(compared_by),
        **selection_settings(selected_by, options),
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


def _aggregated(
    named: MetricOptions, campaigns: Sequence[Campaign], agg: tuple[str, ...], size: int | None, seed: int
) -> MetricOptions:
    """The scores that were asked for, and no others. Without `agg`, computed metrics have all aggregations."""
    aggregations = Aggregations(agg or (AGGREGATIONS if named.computed else ()), size, seed)
    options = replace(named, aggregations=aggregations)
    options.check(campaigns, level="system")
    return options


def _score(
    campaigns: Sequence[Campaign],
    options: MetricOptions,
    systems: SystemOptions,
    stratify: str | None,
    runtime: Runtime,
) -> tuple[list[ScoredSystems], list[Note]]:
    """The scores of the selected systems of each campaign, with each note once."""
    _check_external(options.external, campaigns)
    known = dict.fromkeys(name for campaign in campaigns for name in campaign.systems)
    scored: list[ScoredSystems] = []
    noted: dict[Note, list[str]] = {}
    for campaign in runtime.track(campaigns, lambda each: f"scoring {each.label}"):
        chosen = options if options.references else replace(options, references=campaign.references[:1])
        metrics, notes = campaign_metrics(campaign, chosen, level="system", runtime=runtime)
        selection = systems.select(campaign.systems, campaign, known)
        selected = without_used_references(selection, campaign, systems, metrics)
        if selected.systems:
            scored.append(ScoredSystems.of(campaign, selected.systems, metrics, stratify))
        if not options.references and references_used(metrics):
            used = Note(NoteKind.PROVENANCE, f"metrics that need a reference use {campaign.references[0]}")
            notes = (*notes, used)
        for note in (*selected.notes, *notes):
            noted.setdefault(note, []).append(campaign.label)
    if not scored:
        raise ConfigError("no system is left", hint=f"change {option_name('systems')} or {option_name('exclude')}")
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
