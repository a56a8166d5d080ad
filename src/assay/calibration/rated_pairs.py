"""What people judged on each language pair, with the scores that metrics gave the same outputs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from assay.calibration.error_free import MARKS, PREDICTED_WEIGHTS, ErrorFreeRule, RatedLanguagePair, rated_language_pair
from assay.errors import ConfigError, option_name
from assay.human.marks import without_marks
from assay.human.selection import SystemOptions, find_judgements, find_name, label_campaigns
from assay.metaeval.metric_tables import MetricOptions, references_used, unused_scores, with_common_names
from assay.metaeval.pair_scores import PairMetrics, pair_metrics
from assay.metaeval.settings import data_settings, selection_settings
from assay.registry import option_text
from assay.types import Campaign, Note, NoteKind, Ratings, ScoreTable
from assay.types.note import notes_of_pairs
from assay.types.runtime import Runtime
from assay.types.scoretable import SCALES

__all__ = ["RatedLanguagePairs", "RatingChoice", "rated_language_pairs"]


@dataclass(frozen=True, slots=True)
class RatingChoice:
    """What counts as an error, whose judgements of which systems, and which metrics."""

    rule: ErrorFreeRule
    gold: str | None = None
    systems: SystemOptions = field(default_factory=SystemOptions)
    metrics: tuple[str, ...] = ()
    """Names and patterns of stored metrics, of those with external scores and of those that marked errors; or specs."""
    references: tuple[str, ...] = ()
    external: Mapping[str, Sequence[ScoreTable]] = field(default_factory=dict)
    otherwise: tuple[str, ...] = ("*",)
    """Patterns for metrics that are not computed, if none is named."""

    def options(self, campaigns: Sequence[Campaign]) -> MetricOptions:
        """The metrics, by names and patterns that also choose among external scores and metrics that marked errors.

        Raise for names that nothing has.
        """
        predicted = {name for campaign in campaigns for name in (*_predictions(campaign), *_marks(campaign))}
        own = predicted.union(table.name for tables in self.external.values() for table in tables)
        options = MetricOptions.from_names(
            self.metrics, self.references, None, campaigns, self.otherwise, self.external, own
        )
        options.check(campaigns, level="segment", others=own)
        if not self.metrics:
            return options
        chosen = {
            lp: [table for table in tables if _matches(table.name, options.stored)]
            for lp, tables in self.external.items()
        }
        return replace(options, external=chosen)

    def predictions(self, campaign: Campaign, patterns: Sequence[str]) -> list[Ratings]:
        """The errors that metrics marked; under a name of their own if they are asked for and not the scores."""
        marks = {each.name: each for name, each in _marks(campaign).items() if name in self.metrics}
        chosen = [
            each for name, each in _predictions(campaign).items() if _matches(name, patterns) and name not in marks
        ]
        return [*chosen, *(replace(each, name=name + MARKS) for name, each in marks.items())]


def _predictions(campaign: Campaign) -> dict[str, Ratings]:
    return {each.name: each for each in campaign.predictions}


def _marks(campaign: Campaign) -> dict[str, Ratings]:
    """The errors that metrics marked, by what to call them where the metrics also have scores."""
    named = _predictions(campaign)
    taken = {*named, *(table.name for table in campaign.metrics)}
    return {name + MARKS: each for name, each in named.items() if name + MARKS not in taken}


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


@dataclass(frozen=True, slots=True)
class RatedLanguagePairs:
    """What people judged on each language pair, and what it depends on."""

    human: str
    pairs: tuple[RatedLanguagePair, ...]
    settings: Mapping[str, str]
    notes: tuple[Note, ...]
    reading_references: tuple[str, ...] = ()
    """The metrics that read a reference."""


def rated_language_pairs(campaigns: Iterable[Campaign], choice: RatingChoice, runtime: Runtime) -> RatedLanguagePairs:
    """The ratings of all language pairs with the scores of the metrics, under names that meet across pairs."""
    by_label = label_campaigns(campaigns)
    name = find_name(by_label.values(), choice.gold, prefer="judgements", levels=())
    options = choice.options(list(by_label.values()))
    notes: dict[str, list[Note]] = {}
    found: dict[str, tuple[Ratings, PairMetrics]] = {}
    for label, campaign in by_label.items():
        judgements = find_judgements(campaign, name, prefer="judgements", levels=())
        ratings = None if judgements is None else judgements.judgements
        if not isinstance(ratings, Ratings) or not ratings.errors:
            notes[label] = [Note(NoteKind.EXCLUDED, f"left out: '{name}' has no ratings with marked errors")]
            continue
        _check_scale(choice.rule, ratings)
        scored = pair_metrics(campaign, choice.systems, options, name, level="segment", runtime=runtime)
        found[label] = ratings, scored
        notes[label] = [*scored.selection.notes, *scored.notes]
    if not found:
        raise without_marks(name, by_label.values())
    named, naming = with_common_names({label: scored.metrics for label, (_, scored) in found.items()}, by_label)
    pairs = []
    for label, (ratings, scored) in found.items():
        campaign = by_label[label]
        systems = [system for system in scored.selection.systems if system in ratings.systems]
        predictions = choice.predictions(campaign, options.stored)
        each = rated_language_pair(label, campaign, ratings, systems, named[label], predictions, choice.rule)
        notes[label] += [*([naming[label]] if label in naming else ()), *each.notes]
        pairs.append(each)
    settings = {
        **data_settings(by_label.values()),
        **{"gold": name, "min_score": option_text(choice.rule.min_score), "severity": choice.rule.severity},
        **selection_settings(choice.systems, options),
        **({"weights": PREDICTED_WEIGHTS} if any(each.predicted for each in pairs) else {}),
    }
    return RatedLanguagePairs(
        name,
        tuple(pairs),
        settings,
        (*unused_scores(options, by_label.values()), *notes_of_pairs(notes.items())),
        tuple(dict.fromkeys(each.name for metrics in named.values() for each in metrics if references_used([each]))),
    )


def _check_scale(rule: ErrorFreeRule, ratings: Ratings) -> None:
    """Refuse a least score that no rating can have: every segment would have errors."""
    high = SCALES.get(ratings.protocol, (-math.inf, math.inf))[1]
    if rule.min_score > high:
        raise ConfigError(
            f"{option_name('min_score', f'{rule.min_score:g}')}: scores of {ratings.protocol} are at most {high:g}",
            hint="every segment would have errors; 0 counts only marked errors",
        )
