"""What people said of a language pair, in the forms that metrics are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from assay.errors import ConfigError, InputError, NameClashError, UnknownNameError, nearest
from assay.people.comparisons import comparisons_of
from assay.people.methods import method as method_registry
from assay.results import Ranking
from assay.significance import test as test_registry
from assay.study.pairing import Paired, pair, system_scores
from assay.study.preferences import pair_rankings
from assay.study.ranking import rank, scores_of_ratings
from assay.study.scoring import default_threads
from assay.types import Campaign, FloatArray, FrozenDict, Judgements, Rankings, ScoreTable

__all__ = ["SEEN_AS", "Gold", "Look", "common_gold", "gold_of"]

SEEN_AS = ("scores", "clusters", "fuzzy-ranks")
_DRAWS = 1000
_ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Gold:
    """Human scores by level, or rankings; and which pairs of systems count."""

    tables: Mapping[str, ScoreTable] = field(hash=False)
    scores: Mapping[str, float] = field(hash=False)
    """Of systems, higher is better: what outliers are found in, whatever people's judgements are seen as."""
    rankings: Rankings | None = None
    drawn: FloatArray | None = None
    """(draw, system of the table by system): its scores from rankings that were drawn anew."""
    pairs: npt.NDArray[np.bool_] | None = None
    """(system, system) as in `systems`: the pairs that people tell apart; None: all count."""
    systems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("tables", "scores"):
            object.__setattr__(self, name, FrozenDict(getattr(self, name)))

    def has(self, level: str) -> bool:
        """Whether metrics can be compared with it at a level. Scores of systems can be had from any others."""
        return bool(self.tables) if level == "system" else self.rankings is not None or level in self.tables

    def lay(self, tables: Mapping[str, ScoreTable], level: str, *, by_segment: bool = False) -> Paired:
        """A metric's scores on people's: at the system level from tables by system, or else from common segments.

        `by_segment`: segments in any case, for a statistic that reads them.
        """
        if level == "segment" and self.rankings is not None:
            if self.pairs is not None:
                why = "single rankings cannot be restricted to pairs of systems that differ significantly"
                raise ConfigError(why, hint="level='system'")
            return pair_rankings(_by(tables, "segment"), self.rankings)
        if level == "segment" or by_segment:
            paired = pair(_by(tables, "segment"), _by(self.tables, "segment"), level="segment")
        else:
            common = next((each for each in ("system", "segment") if each in tables and each in self.tables), None)
            chosen = (common, common) if common else (next(iter(tables)), next(iter(self.tables)))
            paired = pair(tables[chosen[0]], self.tables[chosen[1]], level=level)
        if self.pairs is not None:
            paired = paired.restricted(self.systems, self.pairs)
        if self.drawn is not None and level == "system":
            places = [self.tables["system"].systems.index(name) for name in paired.systems]
            paired = replace(paired, drawn=self.drawn[:, places])
        return paired


def gold_of(judgements: ScoreTable | Rankings, *, method: str | None = None, draws: int = 0, seed: int = 12345) -> Gold:
    """Scores as they are; of rankings, scores of systems by a method, also of rankings drawn anew."""
    if isinstance(judgements, ScoreTable):
        return Gold({judgements.level: judgements}, system_scores(judgements))
    scored = method_registry.create(method or "expected-wins").score(
        comparisons_of(judgements), draws=draws, seed=seed, threads=default_threads()
    )
    values = scored.scores[:, np.newaxis]
    table = ScoreTable(judgements.name, "system", judgements.systems, values, protocol="RR")
    return Gold({"system": table}, system_scores(table), judgements, scored.drawn if draws else None)


def _by(tables: Mapping[str, ScoreTable], level: str) -> ScoreTable:
    if level not in tables:
        there = next(iter(tables.values()))
        raise InputError(f"the scores '{there.name}' are by {there.level}, not by {level}", path=there.origin or None)
    return tables[level]


@dataclass(frozen=True, slots=True)
class Look:
    """Which judgements, and how to look at them.

    `seen_as`: scores, or the number of a system's cluster, or its fuzzy rank. `significant`: only pairs of systems
    count of which people find one better at this level. Both rest on a `test` of segment scores, or on draws of
    rankings, of which `method` makes scores.
    """

    name: str
    seen_as: str = "scores"
    significant: float | None = None
    test: str | None = None
    method: str | None = None
    draws: int = 0
    seed: int = 12345

    def __post_init__(self) -> None:
        if self.seen_as not in SEEN_AS:
            raise ConfigError(f"people cannot be seen as '{self.seen_as}'", hint=nearest(self.seen_as, SEEN_AS))
        if self.significant is not None and not 0 < self.significant < 1:
            raise ConfigError(f"significant must be between 0 and 1, not {self.significant:g}")
        if self.test is not None:
            test_registry.create(self.test)
            if not self.needs_ranking:
                raise ConfigError(
                    "nothing is tested", hint="a test belongs to clusters, fuzzy ranks or significant pairs"
                )
        if self.method is not None:
            method_registry.create(self.method)

    @property
    def needs_ranking(self) -> bool:
        """Whether systems have to be compared with each other."""
        return self.seen_as != "scores" or self.significant is not None

    def at(self, campaign: Campaign, systems: Sequence[str]) -> Gold | None:
        """What people said of these systems; None: nothing under this name, or nothing that can be tested."""
        found = self._found(campaign, systems)
        return None if found is None else self.seen(found)

    def seen(self, found: Gold) -> Gold | None:
        """Scores or judgements in this way; None: they cannot be tested."""
        if not self.needs_ranking:
            return found
        if not found.has("segment"):
            return None
        ranking = self._ranking(found)
        found = replace(found, systems=tuple(each.system for each in ranking), pairs=self._told_apart(ranking))
        if self.seen_as != "scores":
            found = replace(found, tables={"system": self._as_seen(ranking)}, rankings=None, drawn=None)
        return replace(found, notes=(*found.notes, *ranking.notes))

    def _found(self, campaign: Campaign, systems: Sequence[str]) -> Gold | None:
        tables: dict[str, ScoreTable] = {}
        for table in campaign.human:
            if table.name == self.name and table.level in ("system", "segment"):
                if table.level in tables:
                    clash = f"{campaign.name} {campaign.lp} has two human scores '{self.name}' by {table.level}"
                    raise NameClashError(clash, path=table.origin or None)
                tables[table.level] = table.take(systems)
        if tables:
            self._refuse_method()
            return Gold(tables, system_scores(tables["system"] if "system" in tables else tables["segment"]))
        named = [each for each in campaign.judgements if each.name == self.name]
        if len(named) > 1:
            clash = f"{campaign.name} {campaign.lp} has {len(named)} kinds of judgements '{self.name}'"
            raise NameClashError(clash, path=named[1].origin or None)
        return self._judged(named[0], campaign, systems) if named else None

    def _judged(self, single: Judgements, campaign: Campaign, systems: Sequence[str]) -> Gold:
        notes: tuple[str, ...] = ()
        if isinstance(single, Rankings):
            gold = gold_of(single.take(systems), method=self.method, draws=self.draws, seed=self.seed)
        else:
            self._refuse_method()
            table, notes = scores_of_ratings(single, segments=campaign.segments)
            gold = gold_of(table.take(systems))
        if others := sorted(set(single.systems) - set(campaign.systems)):
            notes = (*notes, f"people also judged {', '.join(others)}, without outputs: not compared")
        return replace(gold, notes=notes)

    def _refuse_method(self) -> None:
        """An option without effect would still be told of as if it had one."""
        if self.method is not None:
            raise ConfigError(
                f"'{self.name}' are no rankings: no method makes scores of them", hint="leave the method out"
            )

    def _ranking(self, gold: Gold) -> Ranking:
        alpha = self.significant or _ALPHA
        if gold.rankings is not None:
            return rank(gold.rankings, method=self.method, test=self.test, alpha=alpha, draws=_DRAWS, seed=self.seed)
        return rank(_by(gold.tables, "segment"), test=self.test, alpha=alpha, draws=1, seed=self.seed)

    def _as_seen(self, ranking: Ranking) -> ScoreTable:
        places = [each.cluster if self.seen_as == "clusters" else each.fuzzy_rank for each in ranking]
        systems = tuple(each.system for each in ranking)
        values = np.array(places, dtype=np.float64)[:, np.newaxis]
        return ScoreTable(self.name, "system", systems, values, protocol="other", higher_is_better=False)

    def _told_apart(self, ranking: Ranking) -> npt.NDArray[np.bool_] | None:
        """p is one-sided, of "the row is better": WMT's rule."""
        if self.significant is None:
            return None
        better = np.nan_to_num(ranking.p_values, nan=1.0) < self.significant
        told_apart: npt.NDArray[np.bool_] = better | better.T
        return told_apart


def common_gold(campaigns: Iterable[Campaign], name: str | None) -> str:
    """The judgements that are meant: scores or, where there are none, single judgements. One need not be named."""
    given = list(campaigns)
    scores = sorted({table.name for campaign in given for table in campaign.human})
    single = sorted({judgements.name for campaign in given for judgements in campaign.judgements})
    there = scores or single
    if not there:
        raise InputError("there are no human scores")
    if name is None and len(there) > 1:
        raise ConfigError("there are several kinds of human scores", hint=f"say which: --gold {'|'.join(there)}")
    if name is not None and name not in (*scores, *single):
        known = "|".join(dict.fromkeys((*scores, *single)))
        raise UnknownNameError(f"there are no human scores '{name}'", hint=f"say which: --gold {known}")
    return name or there[0]
