"""The human scores and the metric scores of one language pair, ready to be compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from assay.errors import option_name
from assay.human.outliers import OutlierRule, find_outliers
from assay.human.selection import SystemOptions
from assay.lazily import numpy as np
from assay.metaeval.alignment import ROUNDED, system_means
from assay.metaeval.gold import Gold, GoldOptions, find_gold
from assay.metaeval.metric_tables import MetricOptions, campaign_metrics, references_used
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.metric_tests.cells import are_equal_up_to
from assay.results import LanguagePair
from assay.types import Campaign, FloatArray, Note, NoteKind, ScoreTable, Selection
from assay.types.campaign import SCORING_REFERENCE, left_out_notes
from assay.types.note import listed
from assay.types.runtime import Runtime

__all__ = [
    "MetricNotes",
    "PairMetrics",
    "PairScores",
    "pair_metrics",
    "pair_scores",
    "without_used_references",
]

_MAX_NAMED = 10

MetricNotes = Mapping[Note, Sequence[str]]
"""The metrics that each note concerns; no metric: it concerns the language pair."""


@dataclass(frozen=True, slots=True)
class PairScores:
    """Human scores and metric scores of the same systems, and notes about them."""

    campaign: Campaign
    pair: LanguagePair
    gold: Gold
    metrics: tuple[ScoresByLevel, ...]
    notes: MetricNotes
    domain: str | None = None
    """None: all domains together."""

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains of the judged segments, in order of appearance."""
        segments = self.gold.by_level.segment
        if self.gold.rankings is not None:
            judged = np.unique(self.gold.rankings.segment).tolist()
        else:
            judged = [] if segments is None else np.flatnonzero(~np.isnan(segments.values).all(axis=0)).tolist()
        known = (self.gold.domains[segment] for segment in judged if segment < len(self.gold.domains))
        return tuple(dict.fromkeys(filter(None, known)))

    def by_domain(self, runtime: Runtime) -> list[PairScores]:
        """The same for each domain. System scores are those stored of the domain, or are computed from its segments."""
        parts = []
        for domain in self.domains:
            gold = self.gold.in_domain(domain, runtime)
            metrics = (self._on_domain(metric, domain) for metric in self.metrics)
            parts.append(replace(self, gold=gold, metrics=tuple(m for m in metrics if m.tables), domain=domain))
        return parts

    def _on_domain(self, metric: ScoresByLevel, domain: str) -> ScoresByLevel:
        """The scores of a metric, or of other human scores, on a domain. Named segments are found by their names."""
        within, judged, table = np.array(self.gold.domains) == domain, self.gold.by_level.segment, metric.segment
        if table is not None and table.items and judged is not None and judged.items:
            names = {name for name, is_within in zip(judged.items, within.tolist(), strict=True) if is_within}
            within = np.array([name in names for name in table.items])
        return metric.on_domain(domain, within, is_stored=self.gold.options.cells == "stored")

    @property
    def notes_on_domains(self) -> MetricNotes:
        """What has no values by domain."""
        if not self.domains:
            return {Note(NoteKind.MISSING, "no values by domain: the segments have no domains"): ()}
        notes: dict[Note, Sequence[str]] = {}
        is_stored = self.gold.options.cells == "stored"
        if without := [m.name for m in self.metrics if m.segment is None and not (is_stored and m.domain)]:
            notes[Note(NoteKind.MISSING, "metrics without scores of segments or domains have no values by domain")] = (
                without
            )
        stored = [each.name for each in (*self.metrics, self.gold.by_level) if each.domain is not None]
        if stored and not is_stored:
            text = (
                f"stored scores of domains are not used: {option_name('cells', 'common')} is over the segments of both"
            )
            notes[Note(NoteKind.EXCLUDED, text)] = stored
        if is_stored and (differing := [metric.name for metric in self.metrics if _is_other_by_domain(metric)]):
            text = (
                "stored system scores on the language pair, but means of segment scores by domain, because no scores "
                "by domain are stored"
            )
            notes[Note(NoteKind.PROVENANCE, text)] = differing
        return notes

    def in_its_domain(self, opinion: ScoresByLevel) -> ScoresByLevel:
        """Other human scores, or random ones, in the domain of these scores; metrics are in it."""
        return opinion if self.domain is None else self._on_domain(opinion, self.domain)


def _is_other_by_domain(metric: ScoresByLevel) -> bool:
    """Whether stored system scores are no means of segment scores, of which those of a domain must then be means."""
    if metric.system is None or metric.segment is None or metric.domain is not None or metric.aggregate is not None:
        return False
    averages = np.array([*system_means(metric.segment).values()])
    stored = metric.system.oriented[:, 0]
    is_given = ~np.isnan(averages) & ~np.isnan(stored)
    return not are_equal_up_to(ROUNDED, averages[is_given], stored[is_given])


class PairMetrics(NamedTuple):
    """The selected systems of a language pair, its metrics, and notes on them and on its files."""

    selection: Selection
    metrics: Sequence[ScoresByLevel]
    notes: tuple[Note, ...]


def pair_metrics(
    campaign: Campaign,
    systems: SystemOptions,
    options: MetricOptions,
    gold: str,
    *,
    level: str,
    runtime: Runtime,
    known: Iterable[str] = (),
    by_segment: bool = False,
) -> PairMetrics:
    """Select the systems, and load or compute the metrics. They are computed only for systems that people judged."""
    selection = systems.select(campaign.systems, campaign, known)
    judged = campaign.judged_systems(gold) or selection.systems  # `pair_scores` says so if there are none
    computed_for = [name for name in selection.systems if name in judged]
    metrics, notes = campaign_metrics(
        campaign, options, level=level, runtime=runtime, systems=computed_for, by_segment=by_segment
    )
    without = dict.fromkeys((name for name in selection.systems if name not in judged), "no human score")
    notes = (*campaign.reading_notes, *notes, *left_out_notes(without))
    return PairMetrics(without_used_references(selection, campaign, systems, metrics), metrics, notes)


def without_used_references(
    selection: Selection, campaign: Campaign, systems: SystemOptions, metrics: Iterable[ScoresByLevel]
) -> Selection:
    """The selection for all metrics alike: a reference that one of them used is left out."""
    wanted = campaign.references if systems.keep_references else systems.systems
    used = set(wanted) & set(references_used(metrics))
    left_out = {name: SCORING_REFERENCE if name in used else selection.left_out.get(name) for name in campaign.systems}
    return Selection(
        tuple(name for name in selection.systems if name not in used),
        {name: reason for name, reason in left_out.items() if reason is not None},
    )


def pair_scores(
    campaign: Campaign,
    loaded: PairMetrics,
    options: GoldOptions,
    *,
    label: str,
    level: str,
    rule: OutlierRule,
    runtime: Runtime,
) -> PairScores | Note:
    """The scores of the selected systems and the outliers among them, or a note why there is nothing to compare."""
    selection, metrics, notes = loaded
    if not selection.systems:
        return _left_out("no system is left")
    gold = find_gold(campaign, selection.systems, options, runtime)
    averages_domains = options.ranking.averages_domains
    if gold is None or not gold.has(level):
        is_by_segment = level == "segment" or options.needs_ranking or averages_domains
        needed = "segment scores" if is_by_segment else "scores"
        return _left_out(f"it has no human {needed} '{options.name}'")
    usable = [metric for metric in metrics if level == "system" or metric.segment is not None]
    if not usable:
        remedy = f"compute them with {option_name('metrics')}, or add scores from elsewhere"
        return _left_out(f"it has no {level} scores of metrics ({remedy})")
    scored, judged = _with_scores(usable), [name for name, score in gold.system_scores.items() if score == score]
    if not set(scored).intersection(judged):
        return _left_out(f"no system in common: metrics have {_listed(scored)}, '{options.name}' has {_listed(judged)}")
    all_notes: dict[Note, Sequence[str]] = dict.fromkeys((*selection.notes, *gold.notes, *notes), ())
    if unusable := [metric.name for metric in metrics if metric not in usable]:
        all_notes[Note(NoteKind.EXCLUDED, f"metrics without {level} scores are left out")] = unusable
    outliers = find_outliers(gold.system_scores, rule)
    taken = tuple(
        metric.take(selection.systems).described_by(campaign.testset, domains=averages_domains) for metric in usable
    )
    pair = LanguagePair(label, options.name, selection.systems, selection.left_out, outliers)
    return PairScores(campaign, pair, gold, taken, all_notes)


def _with_scores(metrics: Iterable[ScoresByLevel]) -> list[str]:
    """The systems that any of the metrics has a score of."""
    rows = ((name, row) for metric in metrics for table in metric.tables for name, row in _rows(table))
    return list(dict.fromkeys(name for name, row in rows if not np.isnan(row).all()))


def _rows(table: ScoreTable) -> Iterable[tuple[str, FloatArray]]:
    return zip(table.systems, table.values, strict=True)


def _listed(systems: Sequence[str]) -> str:
    return listed(systems, _MAX_NAMED) or "none"


def _left_out(reason: str) -> Note:
    return Note(NoteKind.EXCLUDED, f"left out: {reason}")
