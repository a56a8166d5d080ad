"""What a task file says: language pairs, components, tables, and how they are combined."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from assay.agreement import Statistic
from assay.agreement import statistic as statistic_registry
from assay.errors import ConfigError
from assay.human.selection import has_rankings
from assay.metaeval.scores_by_level import ScoresByLevel
from assay.results import TaskComponent
from assay.types import Campaign, Note

__all__ = [
    "ATTRIBUTES",
    "COMBINE",
    "INCOMPLETE",
    "MAD",
    "OVER_PAIRS",
    "PAIRS",
    "ComponentRule",
    "PairSettings",
    "Planned",
    "TableRule",
    "TaskDefinition",
    "TaskPair",
]

ATTRIBUTES = ("lp", "domain", "level", "human_outputs", "statistic", "view", "grouping")
"""What tells components apart, in the order of their labels."""
COMBINE = ("rank", "score", "mean")
INCOMPLETE = ("drop", "last")
MAD = "mad"
"""Outliers are the systems far from the median human score, not named ones."""
OVER_PAIRS = ("each", "pooled", "mean")
PAIRS = "pairs"
"""As a weight: the number of language pairs of the component."""


@dataclass(frozen=True, slots=True)
class PairSettings:
    """The human scores, the reference and the systems of a language pair."""

    gold: str | None = None
    """None: the only human scores that the pair has."""
    reference: tuple[str, ...] = ()
    """Metrics use the first of these that the pair has; none: any reference."""
    human_outputs: tuple[str, ...] = ()
    """Human translations that count as systems."""
    outliers: tuple[str, ...] | str = ()
    exclude: tuple[str, ...] = ()
    """Systems that are left out for other reasons."""
    method: str | None = None
    """How rankings become scores of systems; None: as `assay.rank` does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentRule:
    """Some components. Every combination of the listed values is one, on every language pair or over all of them."""

    statistic: tuple[str, ...]
    level: tuple[str, ...] = ("system",)
    grouping: tuple[str, ...] = ()
    average: str | None = None
    domain: tuple[str | None, ...] = (None,)
    human_outputs: tuple[bool | None, ...] = (None,)
    """None: those of the pair count, if it has any. True: the component exists only for pairs that have some."""
    view: tuple[str, ...] = ("scores",)
    over_pairs: str = "each"
    weight: float | str = 1.0


@dataclass(frozen=True, slots=True)
class TableRule:
    """A ranking of its own over the language pairs that match, except those that an earlier table has."""

    title: str
    pairs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TaskPair:
    """A language pair of a task, with its data or the reason why there is none."""

    label: str
    settings: PairSettings
    campaign: Campaign | None = None
    metrics: tuple[ScoresByLevel, ...] = ()
    notes: tuple[Note, ...] = ()
    missing: str | None = None

    @property
    def lp(self) -> str:
        """The language pair, without the name of the test set."""
        return self.label if self.campaign is None else self.campaign.lp

    @property
    def is_ranked(self) -> bool:
        """Whether judges ranked outputs, so that the segment level compares metrics with single rankings."""
        return self.campaign is not None and has_rankings([self.campaign], self.settings.gold)


class Planned(NamedTuple):
    """A component as the task wants it; its weight is not yet normalised."""

    component: TaskComponent
    counts_pairs: bool
    """Whether its weight is its number of language pairs."""

    def over(self, lps: Sequence[str]) -> TaskComponent:
        """The component over some of its language pairs."""
        planned = self.component
        weight = float(len(lps)) if self.counts_pairs else planned.weight
        missing = tuple(lp for lp in planned.lps if lp not in lps)
        part = replace(planned, lps=tuple(lps), lps_missing=missing, weight=weight)
        return replace(part, label=planned.label.replace(planned.describe("lp"), part.describe("lp"), 1))


@dataclass(frozen=True, slots=True)
class TaskDefinition:
    """A task file."""

    name: str
    title: str
    sources: tuple[str, ...]
    combine: str
    incomplete: str
    split: tuple[str, ...]
    pairs: Mapping[str, PairSettings]
    """By language pair, or by a pattern for language pairs that are not named."""
    components: tuple[ComponentRule, ...]
    tables: tuple[TableRule, ...] = ()
    unpublished: str = ""
    """Which rules of the task nobody published yet."""
    metrics: tuple[str, ...] = ()
    """The stored metrics that take part, as patterns; none: all."""
    ci: str | None = None
    """Which intervals, by name; None: those that suit what is compared."""
    resamples: int = 0
    settings: Mapping[str, str] = field(default_factory=dict)
    """What identifies the file."""

    def with_statistics(self, create: Callable[[str], Statistic]) -> TaskDefinition:
        """The same task with the statistics that `create` makes of their specs."""

        def changed(spec: str) -> str:
            return statistic_registry.spec(create(spec))

        rules = (replace(rule, statistic=tuple(map(changed, rule.statistic))) for rule in self.components)
        return replace(self, components=tuple(rules))

    def pairs_of(self, campaigns: Mapping[str, Campaign]) -> list[TaskPair]:
        """The language pairs of the task in its order: those of the data, and those that are named but not there."""
        found: dict[str, TaskPair] = {}
        for pattern, settings in self.pairs.items():
            matching = [label for label, campaign in campaigns.items() if self._is_of(campaign.lp, pattern)]
            for label in matching:
                found.setdefault(label, TaskPair(label, settings, campaigns[label]))
            if not matching and not _is_pattern(pattern):
                found[pattern] = TaskPair(pattern, settings, missing="no data of this language pair")
        return list(found.values())

    def _is_of(self, lp: str, pattern: str) -> bool:
        """Whether a pair gets its settings from this entry: by its name, or by a pattern if no entry has its name."""
        return lp == pattern or (lp not in self.pairs and fnmatchcase(lp, pattern))

    def tables_of(self, pairs: Iterable[TaskPair]) -> Iterator[tuple[str, list[TaskPair]]]:
        """The title and the language pairs of each table that has any."""
        left = list(pairs)
        for rule in self.tables or (TableRule("", ("*",)),):
            chosen = [pair for pair in left if any(fnmatchcase(pair.lp, pattern) for pattern in rule.pairs)]
            left = [pair for pair in left if pair not in chosen]
            if chosen:
                yield rule.title, chosen

    def components_of(self, pairs: Sequence[TaskPair]) -> list[Planned]:
        """The components over these language pairs, each with a label."""
        planned = [each for rule in self.components for each in _expand(rule, pairs)]
        attributes = _labelling([each.component for each in planned])
        labelled = [each._replace(component=_labelled(each.component, attributes)) for each in planned]
        labels = [each.component.label for each in labelled]
        if repeated := {label for label in labels if labels.count(label) > 1}:
            raise ConfigError(f"the task '{self.name}' has the component '{min(repeated)}' more than once")
        return labelled


def _is_pattern(text: str) -> bool:
    return any(sign in text for sign in "*?[")


def _labelling(components: Sequence[TaskComponent]) -> list[str]:
    """The attributes that a label needs: language pair and statistic, the level if there are two, and those that tell
    components apart that agree in these."""
    needed = {"lp", "statistic"} | ({"level"} if len({component.level for component in components}) > 1 else set())
    for name in set(ATTRIBUTES) - {"lp", "statistic", "level"}:
        values: dict[tuple[str, ...], set[str]] = {}
        for component in components:
            key = tuple(component.describe(attribute) for attribute in ("lp", "level", "statistic"))
            values.setdefault(key, set()).add(component.describe(name))
        if any(len(found) > 1 for found in values.values()):
            needed.add(name)
    return [name for name in ATTRIBUTES if name in needed]


def _labelled(component: TaskComponent, attributes: Iterable[str]) -> TaskComponent:
    """With a label of these attributes; those at their usual value are left out."""
    usual = {"domain": component.domain is None, "view": component.view == "scores"}
    usual |= {"human_outputs": not component.human_outputs, "grouping": component.level == "system"}
    words = [component.describe(name) for name in attributes if not usual.get(name)]
    return replace(component, label=" ".join(words))


def _expand(rule: ComponentRule, pairs: Sequence[TaskPair]) -> Iterator[Planned]:
    """Every combination of a rule's values."""
    groups = [[pair] for pair in pairs] if rule.over_pairs == "each" else [list(pairs)]
    for spec, level, domain, human_outputs, view in itertools.product(
        rule.statistic, rule.level, rule.domain, rule.human_outputs, rule.view
    ):
        for group in groups:
            has_human_outputs = any(pair.settings.human_outputs for pair in group)
            if human_outputs and not has_human_outputs:
                continue
            for grouping in _groupings(rule, level, group):
                statistic = statistic_registry.create(spec)
                component = TaskComponent(
                    label="",
                    lps=tuple(pair.label for pair in group),
                    over_pairs=rule.over_pairs,
                    level=level,
                    statistic=statistic_registry.spec(statistic),
                    grouping=grouping,
                    average=rule.average or ("micro" if grouping == "ranking" else "macro"),
                    view=view,
                    domain=domain,
                    human_outputs=has_human_outputs if human_outputs is None else human_outputs,
                    weight=_weight(rule.weight, group),
                    low=statistic.low,
                    high=statistic.high,
                )
                yield Planned(component, rule.weight == PAIRS)


def _groupings(rule: ComponentRule, level: str, group: Sequence[TaskPair]) -> tuple[str, ...]:
    if level == "system":
        return ("none",)
    return rule.grouping or ("ranking" if any(pair.is_ranked for pair in group) else "item",)


def _weight(weight: float | str, group: Sequence[Any]) -> float:
    return float(len(group)) if isinstance(weight, str) else float(weight)
