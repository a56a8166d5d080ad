"""`assay.meta_challenge`: how often metrics prefer the good translation of the pairs of a challenge set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Unpack

from assay.aggregate.resample import CONFIDENCE, Confidence
from assay.errors import InputError
from assay.human.selection import label_campaigns
from assay.metaeval.challenge_sets import (
    ACES_PHENOMENA,
    PairCounts,
    aces_category,
    count_pairs,
    counted,
    is_challenge_set,
    with_aces_score,
)
from assay.metaeval.metric_tables import ComparedMetrics, MetricOptions, campaign_metrics, with_common_names
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.metaeval.settings import data_settings, selection_settings
from assay.options.shared import CAMPAIGNS, EXTERNAL, RUNTIME, ReferenceNames
from assay.options.verb import verb
from assay.registry import option_text
from assay.results import ChallengeEvaluation, ChallengeMetric
from assay.types import Campaign, Note, NoteKind, ScoreTable, as_column
from assay.types.note import listed, notes_of_pairs
from assay.types.runtime import Runtime, RuntimeFields
from assay.types.testset import digest_of_column
from assay.version import __version__

__all__ = ["meta_challenge"]

_NO_PHENOMENON = "unknown"
_DIGITS = 8
_MAX_NAMES = 4


@verb
def meta_challenge(
    campaigns: Annotated[Iterable[Campaign], CAMPAIGNS],
    *,
    metrics: ComparedMetrics = (),
    references: ReferenceNames = (),
    external: Annotated[Mapping[str, Sequence[ScoreTable]] | None, EXTERNAL] = None,
    confidence: Confidence = CONFIDENCE,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> ChallengeEvaluation:
    """Count how often metrics prefer the good translation of a pair, by phenomenon.

    The pairs of all language pairs count together. A metric that gives both translations of a pair the same score is
    not right. On ACES with all of its categories, each metric also has the ACES score. Metrics that did not score all
    pairs come last.
    """
    by_label, runtime = label_campaigns(campaigns), runtime or Runtime()
    chosen = MetricOptions.from_names(metrics, references, None, by_label.values(), external=external)
    chosen.check(by_label.values(), level="segment")
    notes: dict[str, list[Note]] = {}
    loaded = {}
    for label, campaign in runtime.track(list(by_label.items()), lambda item: f"scoring {item[0]}"):
        if not is_challenge_set(campaign):
            notes[label] = [Note(NoteKind.EXCLUDED, "left out: no pairs of a good and an incorrect translation")]
            continue
        scores, found = campaign_metrics(campaign, chosen, level="segment", runtime=runtime)
        loaded[label] = scores
        notes[label] = [*campaign.reading_notes, *found]
    if not loaded:
        hint = "give a challenge set such as ACES: docs/data.md, challenge-pairs"
        raise InputError("the data have no pairs of a good and an incorrect translation", hint=hint)
    named, naming = with_common_names(loaded, by_label)
    for label, note in naming.items():
        notes[label].append(note)
    counts = _counts(named, by_label)
    if not counts:
        raise InputError("no metric has scores of the pairs", hint="compute some with metrics, e.g. chrf")
    rows = [counted(name, "", list(of_metric.values()), confidence) for name, of_metric in counts.items()]
    pairs = sum(by_label[label].segments for label in loaded)
    rows = [
        with_aces_score(row, counts[row.metric], confidence)
        for row in sorted(rows, key=lambda each: (each.n < pairs, -each.accuracy.value))
    ]
    phenomena = dict.fromkeys(name for of_metric in counts.values() for name in of_metric)
    parts = [
        counted(row.metric, phenomenon, [counts[row.metric][phenomenon]], confidence)
        for phenomenon in phenomena
        for row in rows
        if phenomenon in counts[row.metric]
    ]
    return ChallengeEvaluation(
        settings={
            **data_settings(by_label.values()),
            "texts": _texts_digest(by_label.values()),
            "level": "challenge",
            **selection_settings(metrics=chosen),
            "confidence": option_text(confidence),
            "version": __version__,
        },
        metrics=(*rows, *parts),
        notes=(*notes_of_pairs(notes.items()), *_missing_pairs(rows, pairs), *_missing_phenomena(rows, counts)),
    )


def _counts(
    named: Mapping[str, Sequence[ScoresByLevel]], campaigns: Mapping[str, Campaign]
) -> dict[str, dict[str, PairCounts]]:
    """By metric and phenomenon, over all language pairs."""
    summed: dict[str, dict[str, PairCounts]] = {}
    names = {metric.name: metric.metric or metric.name for metrics in named.values() for metric in metrics}
    versions = Counter(names.values())
    for label, metrics in named.items():
        for metric in metrics:
            table, short = metric.segment, names[metric.name]
            if table is None:
                continue
            of_metric = summed.setdefault(short if versions[short] == 1 else metric.name, {})
            for phenomenon, new in count_pairs(table, _phenomena(campaigns[label])).items():
                old = of_metric.get(phenomenon, PairCounts(0, 0, 0))
                of_metric[phenomenon] = PairCounts(old.right + new.right, old.ties + new.ties, old.n + new.n)
    return {name: counts for name, counts in summed.items() if counts}


def _texts_digest(campaigns: Iterable[Campaign]) -> str:
    """Of all texts: files of challenge sets do not name them."""
    prints = [None if each.testset is None else each.testset.record.fingerprint for each in campaigns]
    return digest_of_column(as_column(prints))[:_DIGITS]


def _phenomena(campaign: Campaign) -> list[str]:
    texts = campaign.testset
    domains = () if texts is None or texts.domains is None else texts.domains
    return [str(domain or _NO_PHENOMENON) for domain in domains] or [_NO_PHENOMENON] * campaign.segments


def _missing_pairs(rows: Iterable[ChallengeMetric], pairs: int) -> Iterator[Note]:
    """A note on metrics that did not score all pairs: they come last, because their values are of other pairs."""
    if fewer := [f"{row.metric} ({row.n:,})" for row in rows if row.n < pairs]:
        text = (
            f"not all {pairs:,} pairs have scores, so that values cannot be compared with those of other metrics: "
            f"{listed(fewer, _MAX_NAMES)}"
        )
        yield Note(NoteKind.MISSING, text, count=len(fewer), severity="warning")


def _missing_phenomena(
    rows: Iterable[ChallengeMetric], counts: Mapping[str, Mapping[str, PairCounts]]
) -> Iterator[Note]:
    """A note on ACES scores of fewer phenomena than ACES has."""
    known = {
        row.metric: sum(aces_category(name) is not None for name in counts[row.metric])
        for row in rows
        if row.aces_score is not None
    }
    if fewer := [f"{metric} ({count})" for metric, count in known.items() if count < ACES_PHENOMENA]:
        text = (
            f"ACES scores of fewer than its {ACES_PHENOMENA} phenomena, which cannot be compared with published ones: "
            f"{listed(fewer, _MAX_NAMES)}"
        )
        yield Note(NoteKind.MISSING, text, count=len(fewer))
