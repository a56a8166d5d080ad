"""Gold: the human scores that metrics are compared with, on one language pair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated

from assay.aggregate.resample import RESAMPLES
from assay.errors import ConfigError, option_name
from assay.human.comparisons import DrawnUnit, comparisons_of, drawn_by
from assay.human.methods import method as method_registry
from assay.human.options import RankingOptions
from assay.human.preparation import Prepared, prepare
from assay.human.ranking import rank_systems
from assay.human.scoring import segment_scores
from assay.human.selection import find_judgements
from assay.lazily import numpy as np
from assay.metaeval.alignment import ROUNDED, Aligned, align, system_means
from assay.metaeval.ranking_alignment import align_rankings
from assay.metaeval.scores_by_level import LEVELS, ScoresByLevel, group_by_level
from assay.metric_tests.cells import are_equal_up_to
from assay.options.checks import check_share, no_effect
from assay.options.option import HUMAN, METRICS, Option
from assay.options.parameters import check_fields
from assay.registry import option_text
from assay.results import Ranking
from assay.results.outcome import is_significant
from assay.significance import ALPHA
from assay.types import UNRANKED, Campaign, FloatArray, Note, NoteKind, Rankings, Ratings, ScoreTable
from assay.types.note import plural
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["CELLS", "VIEWS", "Cells", "Gold", "GoldOptions", "Significant", "SignificantPairs", "View", "find_gold"]

CELLS = ("stored", "common")
VIEWS = ("scores", "clusters", "fuzzy-ranks")

View = Annotated[
    str,
    Option(
        "What to compare metrics with: scores, clusters or fuzzy-ranks.", group=HUMAN, choices=VIEWS, metavar="NAME"
    ),
]
Significant = Annotated[
    float | None,
    Option(
        "Use only pairs of systems whose human scores differ significantly at this level.",
        group=HUMAN,
        check=check_share,
        metavar="P",
    ),
]
Cells = Annotated[
    str,
    Option(
        "Which segments system scores are computed from: stored (scores as they are stored, or over all segments, as "
        "WMT does) or common (the segments that both the metric and people scored).",
        group=METRICS,
        choices=CELLS,
        metavar="NAME",
    ),
]
_SAME = 1e-6
"""The share of their range up to which scores are the same: stored ones are written with some eight digits."""
_NO_COMMON_CELLS = Note(NoteKind.MISSING, "not on common cells: the metric or the human scores have no segment scores")


@dataclass(frozen=True, slots=True)
class GoldOptions:
    """Which human judgements to use, and how."""

    name: str
    view: View = "scores"
    """What metrics are compared with: scores, or each system's cluster number, or its fuzzy rank."""
    significant: Significant = None
    """Use only pairs of systems that differ significantly at this level."""
    resamples: int = 0
    """Of rankings, for intervals."""
    ranking: RankingOptions = field(default_factory=RankingOptions)
    """How to make scores from ratings and rankings, and how to test systems, as `assay.rank` does."""
    drawn_unit: DrawnUnit = "segment"
    """What resamples of rankings draw."""
    cells: Cells = "stored"
    """At the system level: system scores as they are, of all segments, or scores over the segments that both scored."""

    def __post_init__(self) -> None:
        check_fields(self)
        if self.ranking.test is not None and not self.needs_ranking:
            raise no_effect("test", "a test applies to clusters, fuzzy ranks and significant pairs", self.name)

    @property
    def needs_ranking(self) -> bool:
        """Whether systems must be ranked, for clusters, fuzzy ranks or significant pairs."""
        return self.view != "scores" or self.significant is not None

    @property
    def settings(self) -> dict[str, str]:
        """What the human scores depend on, except for what depends on the judgements: see `Gold.settings`."""
        settings = {"gold": option_text(self.name)}
        if self.view != "scores":
            settings["view"] = self.view
        if self.significant is not None:
            settings["significant"] = option_text(self.significant)
        if self.ranking.averages_domains:
            settings["over_domains"] = "mean"
        if self.cells != "stored":
            settings["cells"] = self.cells
        return settings


@dataclass(frozen=True, slots=True, eq=False)
class SignificantPairs:
    """Pairs of systems whose human scores differ significantly."""

    systems: tuple[str, ...]
    pairs: npt.NDArray[np.bool_]
    """(system, system), symmetric."""
    settings: Mapping[str, str]
    """The test and its level."""

    def among(self, systems: Iterable[str]) -> int | None:
        """The number of such pairs among these systems; None if some system was not tested."""
        index = {name: i for i, name in enumerate(self.systems)}
        rows = [index.get(name, -1) for name in systems]
        return None if -1 in rows else int(np.triu(self.pairs[np.ix_(rows, rows)]).sum())


@dataclass(frozen=True, slots=True)
class Gold:
    """Human scores by level, rankings where judges ranked outputs, and the pairs of systems that count."""

    options: GoldOptions
    by_level: ScoresByLevel
    system_scores: Mapping[str, float] = field(hash=False)
    """One score per system, higher is better, regardless of the view. Used to find outliers."""
    rankings: Rankings | None = None
    replicates: FloatArray | None = None
    """(resample, system of the system-level table): system scores from resampled rankings."""
    judgement_units: int = 0
    """The number of units that these resamples draw from."""
    pairs: npt.NDArray[np.bool_] | None = None
    """(system, system) in the order of `systems`: the significantly different pairs; None: all pairs count."""
    systems: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    """The domain of each segment, or empty."""
    notes: tuple[Note, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict, hash=False)
    """How scores were made from judgements, and how systems were tested."""

    def has(self, level: str) -> bool:
        """Whether metrics can be compared at a level. System scores can always be computed."""
        return level == "system" or self.rankings is not None or self.by_level.segment is not None

    def align(self, metric: ScoresByLevel, level: str, *, by_segment: bool = False) -> Aligned:
        """Align a metric with the human scores.

        `by_segment` forces segment scores, for statistics that read them. At the system level, metrics and people are
        compared by their system scores, as stored or over all segments that each side scored, so that all metrics of a
        column have scores of the same kind; on common cells or over domains, by scores over the segments that both
        have, unless one side has no segment scores.
        """
        if level == "segment" and self.rankings is not None:
            if self.pairs is not None:
                message = "individual rankings cannot be restricted to significantly different pairs of systems"
                raise ConfigError(message, hint=option_name("level", "system"))
            return align_rankings(metric.at("segment"), self.rankings)
        if level == "segment" or by_segment:
            aligned = align(metric.at("segment"), self.by_level.at("segment"), level="segment")
        else:
            aligned = self._align_systems(metric)
        if self.pairs is not None:
            aligned = aligned.restrict(self.systems, self.pairs)
        if self.replicates is not None and level == "system":
            index = [self.by_level.at("system").systems.index(name) for name in aligned.systems]
            replicates = self.replicates[:, index]
            aligned = replace(aligned, human_replicates=replicates, judgement_units=self.judgement_units)
        return aligned

    def _align_systems(self, metric: ScoresByLevel) -> Aligned:
        """Align system scores, or scores over the segments that both have: common cells, domains one by one."""
        human, averages_domains = self.by_level, self.options.ranking.averages_domains
        wants_common = self.options.cells == "common"
        common: Aligned | None = None
        if (wants_common or averages_domains or metric.system is None) and metric.segment and human.segment:
            segments = (metric.segment, human.segment)
            common = align(*segments, level="system", averages_domains=averages_domains, aggregate=metric.aggregate)
            if wants_common or averages_domains:
                return common
        tables = (metric.tables[0], human.tables[0])
        aligned = align(
            *tables,
            level="system",
            averages_domains=averages_domains,
            aggregate=metric.aggregate if metric.system is None else None,
            on_common_cells=False,
        )
        if common is not None and _has_same_scores(aligned, common, _SAME):
            return common
        if common is not None and _has_same_scores(aligned, common, ROUNDED):  # so segments can be resampled
            aligned = replace(aligned, segment_scores=common.segment_scores)
        notes = (_NO_COMMON_CELLS,) if wants_common else self._coverage_notes(metric, aligned.systems)
        return replace(aligned, extra_notes=(*aligned.extra_notes, *notes))

    def _coverage_notes(self, metric: ScoresByLevel, systems: Sequence[str]) -> tuple[Note, ...]:
        """A note if system scores of the metric are of more outputs than people judged."""
        if self.by_level.segment is None or not systems:
            return ()
        is_judged = ~np.isnan(self.by_level.segment.take(systems).values)
        is_scored = np.ones_like(is_judged)
        if metric.segment is not None and metric.segment.values.shape[1] == is_judged.shape[1]:
            is_scored = ~np.isnan(metric.segment.take(systems).values)
        scored, judged = int(is_scored.sum()), int((is_scored & is_judged).sum())
        text = f"human scores cover {judged:,} of the {plural(scored, 'output')} behind system scores of metrics"
        remedy = f"{option_name('cells', 'common')} compares both on these"
        return (Note(NoteKind.MISSING, f"{text} ({remedy})"),) if judged < scored else ()

    @classmethod
    def from_scores(cls, scores: ScoresByLevel, options: GoldOptions) -> Gold:
        """The human scores in score tables. If domains are averaged one by one, only segment scores are used."""
        averages_domains = options.ranking.averages_domains
        if averages_domains:
            scores = replace(scores, system=None)
        domains = () if scores.segment is None else scores.segment.domains
        means = system_means(scores.tables[0], averages_domains=averages_domains)
        return cls(options, scores, means, domains=domains)

    @classmethod
    def from_rankings(
        cls, rankings: Rankings, options: GoldOptions, runtime: Runtime, *, domains: tuple[str, ...] = ()
    ) -> Gold:
        """System scores from rankings by the method, and from resampled rankings."""
        method, seed = options.ranking.ranking_method, options.ranking.seed
        comparisons = drawn_by(comparisons_of(rankings), options.drawn_unit, rankings.segment)
        scored = method.score(comparisons, resamples=options.resamples, seed=seed, runtime=runtime)
        table = ScoreTable(rankings.name, "system", rankings.systems, scored.scores[:, np.newaxis], protocol="RR")
        return cls(
            options,
            ScoresByLevel(rankings.name, system=table),
            system_means(table),
            rankings,
            replicates=np.ascontiguousarray(scored.replicates.T) if options.resamples else None,
            judgement_units=comparisons.rankings,
            domains=domains,
            notes=_dependence_notes(rankings, options.drawn_unit),
            settings={"method": method_registry.spec(method)},
        )

    def in_domain(self, domain: str, runtime: Runtime) -> Gold:
        """The human scores of one domain: as stored, or of its segments."""
        within = np.array(self.domains) == domain
        if self.rankings is not None:
            segment = self.rankings.segment
            rows = (segment < len(within)) & within[np.minimum(segment, len(within) - 1)]
            part = self.from_rankings(self.rankings.where(rows), self.options, runtime, domains=self.domains)
        else:
            part = self.from_scores(
                self.by_level.on_domain(domain, within, is_stored=self.options.cells == "stored"),
                GoldOptions(self.options.name, cells=self.options.cells),
            )
        return replace(part, pairs=self.pairs, systems=self.systems)

    def viewed(self, runtime: Runtime) -> Gold | None:
        """The scores under the chosen view, or restricted to significant pairs; None: they cannot be tested."""
        if not self.options.needs_ranking:
            return self
        if not self.has("segment"):
            return None
        return self._with_ranking(*self._rank(self.options.significant or ALPHA, runtime))

    def significant_pairs(self, runtime: Runtime, *, alpha: float = ALPHA) -> SignificantPairs | None:
        """The pairs of systems that people tell apart, by the test of `assay.rank`; None without segment scores."""
        if not self.has("segment"):
            return None
        ranking, settings = self._rank(alpha, runtime)
        systems = tuple(ranked.system for ranked in ranking)
        return SignificantPairs(systems, _significant_pairs(ranking, alpha), {**settings, "alpha": option_text(alpha)})

    def _rank(self, alpha: float, runtime: Runtime) -> tuple[Ranking, dict[str, str]]:
        """The systems in the order of people, and the test that was made."""
        judged = self.by_level.at("segment") if self.rankings is None else self.rankings
        resamples = 0 if self.rankings is None else RESAMPLES  # scores need only the test
        options = replace(self.options.ranking, alpha=alpha, resamples=resamples)
        ranking = rank_systems(Prepared(judged), options, runtime)
        used = {"test", "seed"} if options.draws(judged) else {"test"}
        return ranking, {name: text for name, text in ranking.settings.items() if name in used}

    def _with_ranking(self, ranking: Ranking, settings: Mapping[str, str]) -> Gold:
        options, systems = self.options, tuple(ranked.system for ranked in ranking)
        gold = replace(
            self,
            systems=systems,
            pairs=None if options.significant is None else _significant_pairs(ranking, options.significant),
            notes=(*self.notes, *ranking.notes),
            settings={**self.settings, **settings},
        )
        if options.view == "scores":
            return gold
        positions = [ranked.cluster if options.view == "clusters" else ranked.fuzzy_rank for ranked in ranking]
        values = np.array(positions, dtype=np.float64)[:, np.newaxis]
        table = ScoreTable(options.name, "system", systems, values, protocol="other", higher_is_better=False)
        return replace(gold, by_level=ScoresByLevel(options.name, system=table), rankings=None, replicates=None)


def find_gold(campaign: Campaign, systems: Sequence[str], options: GoldOptions, runtime: Runtime) -> Gold | None:
    """The human scores of these systems; None: there are none under this name at the level that is needed."""
    found = find_judgements(campaign, options.name, prefer="scores", levels=LEVELS)
    if found is None:
        return None
    if options.ranking.method is not None and not isinstance(found.used, Rankings):
        raise no_effect("method", "only rankings need a method", options.name)
    prepared = prepare(found.used, options.ranking, tuple(systems), campaign.testset)
    if isinstance(prepared.judgements, Rankings):
        domains = () if campaign.testset is None else campaign.testset.domains or ()
        gold = Gold.from_rankings(prepared.judgements, options, runtime, domains=tuple(name or "" for name in domains))
    else:
        tables = found.scores
        for table in tables:
            table.refuse_penalties()
        if isinstance(prepared.judgements, Ratings):
            tables = (segment_scores(prepared.judgements, segments=campaign.segments),)
            stored_domains: tuple[ScoreTable, ...] = ()
        else:
            stored_domains = tuple(t for t in campaign.human if (t.name, t.level) == (tables[0].name, "domain"))
        levels = next(group_by_level((*tables, *stored_domains)))
        scores = levels.take(systems).described_by(campaign.testset, domains=True)
        if options.ranking.averages_domains and scores.segment is None:
            return None
        gold = Gold.from_scores(scores, options)
    notes = (*found.notes, *prepared.notes, *gold.notes)
    if others := sorted(set(found.used.systems) - set(campaign.systems)):
        text = f"judged systems without outputs are not compared: {', '.join(others)}"
        notes = (*notes, Note(NoteKind.EXCLUDED, text, count=len(others)))
    return replace(gold, notes=notes, settings={**gold.settings, **prepared.settings}).viewed(runtime)


def _dependence_notes(rankings: Rankings, unit: DrawnUnit) -> tuple[Note, ...]:
    """A warning if resamples draw single pairs of outputs, by request or because all rankings have two outputs."""
    outputs = int((rankings.ranks != UNRANKED).sum(axis=1).max(initial=0))
    if unit == "segment" or (unit == "ranking" and outputs > 2):
        return ()
    text = "intervals are too narrow: they take the judgements of a segment for independent, drawing single pairs"
    hint = option_name("ci", "judgements:unit=segment")
    return (Note(NoteKind.SUSPECT, f"{text} ({hint} draws segments)", severity="warning"),)


def _has_same_scores(one: Aligned, other: Aligned, share: float) -> bool:
    """Whether both have the same system scores on both sides, up to this share of their range."""
    sides = ((one.cells.metric, other.cells.metric), (one.cells.human, other.cells.human))
    return one.systems == other.systems and all(are_equal_up_to(share, a[:, 0], b[:, 0]) for a, b in sides)


def _significant_pairs(ranking: Ranking, alpha: float) -> npt.NDArray[np.bool_]:
    """Pairs with a one-sided p-value below alpha in either direction, as WMT counts them."""
    better = is_significant(ranking.p_values, alpha)
    pairs: npt.NDArray[np.bool_] = better | better.T
    return pairs
