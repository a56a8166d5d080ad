"""The human scores that metrics are compared with, on one language pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from assay.errors import ConfigError, InputError, NameClashError, UnknownNameError, nearest
from assay.human.comparisons import comparisons_of
from assay.human.methods import method as method_registry
from assay.human.ranking import RankingOptions, rank_systems, scores_of_ratings
from assay.metaeval.alignment import Aligned, align, system_means
from assay.metaeval.ranking_alignment import align_rankings
from assay.metaeval.scores_by_level import ScoresByLevel, group_by_level
from assay.results import Ranking
from assay.runtime import Runtime
from assay.significance import test as test_registry
from assay.types import Campaign, FloatArray, Judgements, Note, NoteKind, Rankings, ScoreTable

__all__ = ["VIEWS", "HumanScores", "HumanView", "find_gold", "human_scores"]

VIEWS = ("scores", "clusters", "fuzzy-ranks")
_RESAMPLES = 1000
_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class HumanScores:
    """Human scores by level, rankings where judges ranked outputs, and the pairs of systems that count."""

    scores: ScoresByLevel
    system_scores: Mapping[str, float] = field(hash=False)
    """One score per system, higher is better, regardless of the view. Used to find outliers."""
    rankings: Rankings | None = None
    replicates: FloatArray | None = None
    """(resample, system of the system-level table): system scores from resampled rankings."""
    pairs: npt.NDArray[np.bool_] | None = None
    """(system, system) in the order of `systems`: the significantly different pairs; None: all pairs count."""
    systems: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    def has(self, level: str) -> bool:
        """Whether metrics can be compared at a level. System scores can always be computed."""
        return level == "system" or self.rankings is not None or self.scores.segment is not None

    def align(self, metric: ScoresByLevel, level: str, *, by_segment: bool = False) -> Aligned:
        """Align a metric with the human scores. The system level prefers system scores that both have, then segments.

        `by_segment` forces segment scores, for statistics that read them.
        """
        if level == "segment" and self.rankings is not None:
            if self.pairs is not None:
                message = "individual rankings cannot be restricted to significantly different pairs of systems"
                raise ConfigError(message, hint="use the system level")
            return align_rankings(metric.at("segment"), self.rankings)
        if level == "segment" or by_segment:
            aligned = align(metric.at("segment"), self.scores.at("segment"), level="segment")
        else:
            by_level = [(metric.system, self.scores.system), (metric.segment, self.scores.segment)]
            common = next(((ours, theirs) for ours, theirs in by_level if ours and theirs), None)
            aligned = align(*(common or (metric.tables[0], self.scores.tables[0])), level=level)
        if self.pairs is not None:
            aligned = aligned.restrict(self.systems, self.pairs)
        if self.replicates is not None and level == "system":
            index = [self.scores.at("system").systems.index(name) for name in aligned.systems]
            aligned = replace(aligned, human_replicates=self.replicates[:, index])
        return aligned


def human_scores(
    judgements: ScoreTable | Rankings,
    *,
    method: str | None = None,
    resamples: int = 0,
    seed: int = 12345,
    runtime: Runtime | None = None,
) -> HumanScores:
    """Human scores from a score table, or from rankings by a method, then also for `resamples` resampled rankings."""
    if isinstance(judgements, ScoreTable):
        return HumanScores(next(group_by_level([(judgements.name, judgements)])), system_means(judgements))
    scored = method_registry.create(method or "expected-wins").score(
        comparisons_of(judgements), resamples=resamples, seed=seed, runtime=runtime or Runtime()
    )
    table = ScoreTable(judgements.name, "system", judgements.systems, scored.scores[:, np.newaxis], protocol="RR")
    scores = ScoresByLevel(judgements.name, system=table)
    return HumanScores(scores, system_means(table), judgements, scored.replicates if resamples else None)


@dataclass(frozen=True, slots=True)
class HumanView:
    """Which human judgements to use, and how.

    `view`: scores, or each system's cluster number, or its fuzzy rank. `significant`: use only pairs of systems that
    differ significantly at this level. Clusters, fuzzy ranks and significance come from a `test` of segment scores, or
    from resampled rankings, which `method` turns into scores.
    """

    name: str
    view: str = "scores"
    significant: float | None = None
    test: str | None = None
    method: str | None = None
    resamples: int = 0
    seed: int = 12345

    def __post_init__(self) -> None:
        if self.view not in VIEWS:
            raise ConfigError(f"unknown view '{self.view}'", hint=nearest(self.view, VIEWS))
        if self.significant is not None and not 0 < self.significant < 1:
            raise ConfigError(f"significant must be between 0 and 1, not {self.significant:g}")
        if self.test is not None:
            test_registry.create(self.test)
            if not self.needs_ranking:
                hint = "a test applies to clusters, fuzzy ranks and significant pairs"
                raise ConfigError("test has no effect here: nothing is tested", hint=hint)
        if self.method is not None:
            method_registry.create(self.method)

    @property
    def needs_ranking(self) -> bool:
        """Whether systems must be ranked, for clusters, fuzzy ranks or significant pairs."""
        return self.view != "scores" or self.significant is not None

    def scores(self, campaign: Campaign, systems: Sequence[str], runtime: Runtime | None = None) -> HumanScores | None:
        """The human scores of these systems; None: the campaign has none under this name, or they cannot be tested."""
        tables = [(table.name, table) for table in campaign.human if table.name == self.name]
        stored = next(group_by_level(tables), None)
        if stored is not None:
            self._check_no_method()
            stored = stored.take(systems)
            return self.apply(HumanScores(stored, system_means(stored.tables[0])), runtime)
        named = [judgements for judgements in campaign.judgements if judgements.name == self.name]
        if len(named) > 1:
            message = f"{campaign.name} {campaign.lp} has {len(named)} kinds of judgements called '{self.name}'"
            raise NameClashError(message, path=named[1].origin or None)
        return self.apply(self._from_judgements(named[0], campaign, systems, runtime), runtime) if named else None

    def apply(self, human: HumanScores, runtime: Runtime | None = None) -> HumanScores | None:
        """The scores under this view; None: they cannot be tested."""
        if not self.needs_ranking:
            return human
        if not human.has("segment"):
            return None
        ranking = self._rank(human, runtime)
        systems = tuple(ranked.system for ranked in ranking)
        pairs = None if self.significant is None else _significant_pairs(ranking, self.significant)
        human = replace(human, systems=systems, pairs=pairs, notes=(*human.notes, *ranking.notes))
        if self.view == "scores":
            return human
        positions = [ranked.cluster if self.view == "clusters" else ranked.fuzzy_rank for ranked in ranking]
        values = np.array(positions, dtype=np.float64)[:, np.newaxis]
        table = ScoreTable(self.name, "system", systems, values, protocol="other", higher_is_better=False)
        return replace(human, scores=ScoresByLevel(self.name, system=table), rankings=None, replicates=None)

    def _from_judgements(
        self, judgements: Judgements, campaign: Campaign, systems: Sequence[str], runtime: Runtime | None
    ) -> HumanScores:
        notes: tuple[Note, ...] = ()
        if isinstance(judgements, Rankings):
            human = human_scores(
                judgements.take(systems),
                method=self.method,
                resamples=self.resamples,
                seed=self.seed,
                runtime=runtime,
            )
        else:
            self._check_no_method()
            table, notes = scores_of_ratings(judgements, segments=campaign.segments)
            human = human_scores(table.take(systems))
        if others := sorted(set(judgements.systems) - set(campaign.systems)):
            text = f"judged systems without outputs are not compared: {', '.join(others)}"
            notes = (*notes, Note(NoteKind.EXCLUDED, text, count=len(others)))
        return replace(human, notes=notes)

    def _check_no_method(self) -> None:
        """Raise if a method is set that has no effect: it must not appear in the signature."""
        if self.method is not None:
            raise ConfigError(f"method does not apply to '{self.name}': only rankings need one")

    def _rank(self, human: HumanScores, runtime: Runtime | None) -> Ranking:
        options = RankingOptions(test=self.test, alpha=self.significant or _ALPHA, resamples=1, seed=self.seed)
        if human.rankings is None:
            return rank_systems(human.scores.at("segment"), options, runtime)
        return rank_systems(human.rankings, replace(options, method=self.method, resamples=_RESAMPLES), runtime)


def _significant_pairs(ranking: Ranking, alpha: float) -> npt.NDArray[np.bool_]:
    """Pairs with a one-sided p-value below alpha in either direction, as WMT counts them."""
    better = np.nan_to_num(ranking.p_values, nan=1.0) < alpha
    pairs: npt.NDArray[np.bool_] = better | better.T
    return pairs


def find_gold(campaigns: Iterable[Campaign], name: str | None) -> str:
    """The name of the human judgements to use; `name` may be None if there is only one kind.

    Scores take precedence over individual judgements.
    """
    all_campaigns = list(campaigns)
    scores = sorted({table.name for campaign in all_campaigns for table in campaign.human})
    judgements = sorted({judged.name for campaign in all_campaigns for judged in campaign.judgements})
    available = scores or judgements
    if not available:
        raise InputError("there are no human scores")
    if name is None and len(available) > 1:
        raise ConfigError("there are several kinds of human scores", hint=f"choose one: --gold {'|'.join(available)}")
    if name is not None and name not in (*scores, *judgements):
        known = "|".join(dict.fromkeys((*scores, *judgements)))
        raise UnknownNameError(f"there are no human scores called '{name}'", hint=f"choose one: --gold {known}")
    return name or available[0]
