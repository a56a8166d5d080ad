"""The metrics of a campaign: stored with it, read from other files, or computed from its texts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Annotated

from assay.errors import ConfigError, InputError, NameClashError, UnknownNameError, nearest
from assay.measurement import metrics_option
from assay.metaeval.computed_metrics import Aggregations, computed_metrics
from assay.metaeval.scores_by_level import LEVELS, ScoresByLevel, group_by_level
from assay.metrics import metric as metric_registry
from assay.options.checks import no_effect
from assay.registry import is_pattern
from assay.types import Campaign, Note, NoteKind, ScoreTable
from assay.types.metric_names import ALL, metric_label, parse_references, spell_out
from assay.types.note import listed
from assay.types.runtime import Runtime

__all__ = [
    "ComparedMetrics",
    "MetricOptions",
    "campaign_metrics",
    "find_references",
    "metric_tables",
    "references_used",
    "unused_scores",
    "with_common_names",
]

_MAX_NAMES = 4
_RENAME = "load one of them under another name"


ComparedMetrics = Annotated[
    Sequence[str],
    metrics_option(
        "Metrics to compute from the texts. Names as the data stores them, and patterns like 'COMET*', keep only these "
        "stored metrics.",
        takes_names=True,
    ),
]


@dataclass(frozen=True, slots=True)
class MetricOptions:
    """Which metrics to compare: names and patterns of stored ones, specs of others to compute, and their references."""

    stored: tuple[str, ...] = ("*",)
    """Names of stored metrics, with or without their references, or patterns for them."""
    computed: tuple[str, ...] = ()
    """Specs of the metrics to compute."""
    references: tuple[str, ...] = ()
    """The first of these that a campaign has; `all` stands for all of its references. None: any."""
    aggregations: Aggregations = field(default_factory=Aggregations)
    external: Mapping[str, Sequence[ScoreTable]] = field(default_factory=dict)
    """Scores computed elsewhere, by language pair."""
    names: tuple[str, ...] = ()
    """Stored and computed metrics, as they were given."""

    @classmethod
    def from_names(
        cls,
        names: Sequence[str],
        references: Sequence[str] = (),
        aggregations: Aggregations | None = None,
        campaigns: Iterable[Campaign] = (),
        otherwise: tuple[str, ...] = ("*",),
        external: Mapping[str, Sequence[ScoreTable]] | None = None,
        others: Iterable[str] = (),
    ) -> MetricOptions:
        """Metrics by name. A name that is exactly that of a metric stored with a campaign means the stored scores.

        Other metrics that Assay knows are computed: where `BLEU` is stored, `bleu` still computes it. Names that it
        does not know, and patterns, are of stored metrics; without any, these are the patterns `otherwise`. `others`
        are names of metrics that are not computed either.
        """
        known = {name for campaign in campaigns for table in campaign.metrics for name in _names(table, campaign)}
        known.update(others)
        computed = tuple(name for name in names if name not in known and _is_computable(name))
        stored = tuple(name for name in names if name not in computed) or otherwise
        chosen = aggregations or Aggregations()
        return cls(stored, computed, tuple(references), chosen, external or {}, tuple(names))

    def check(self, campaigns: Iterable[Campaign], *, level: str, others: Iterable[str] = ()) -> None:
        """Raise for a name that matches no metric of any campaign, and for options without an effect.

        `others` are metrics without scores: those that marked errors.
        """
        if self.aggregations.names and level == "segment":
            raise no_effect("agg", "segment scores are not aggregated")
        if self.aggregations.names and not self.computed:
            raise no_effect("agg", "it applies to metrics that are computed from the texts")
        all_campaigns = list(campaigns)
        known = {*others, *(table.name for tables in self.external.values() for table in tables)}
        for name in self.stored:
            if name == "*" or any(fnmatchcase(each, name) for each in known):
                continue
            if not any(True for campaign in all_campaigns for _ in _matching(campaign, [name])):
                stored = known | {table.name for campaign in all_campaigns for table in campaign.metrics}
                if is_pattern(name):
                    hint = nearest(name.strip("*"), stored)
                    raise UnknownNameError(f"no stored metric matches '{name}'", hint=hint)
                hint = nearest(name, {*stored, *metric_registry.names()})
                raise UnknownNameError(f"unknown metric '{name}': it is not stored, and cannot be computed", hint=hint)


def _is_computable(name: str) -> bool:
    """Whether a name is that of a metric to compute, and not of stored ones: a pattern, or a name unknown to Assay."""
    if is_pattern(name) or ":" in name:
        return not is_pattern(name)
    try:
        metric_registry.type_of(name)
    except ConfigError:
        return False
    return True


def campaign_metrics(
    campaign: Campaign,
    options: MetricOptions,
    *,
    level: str,
    runtime: Runtime,
    systems: Collection[str] | None = None,
    by_segment: bool = False,
) -> tuple[list[ScoresByLevel], tuple[Note, ...]]:
    """The chosen metrics of a campaign, with notes on how metrics were computed and on those that have no row.

    `systems`: compute metrics for these alone. `by_segment`: some statistic reads segment scores at the system level.
    """
    references = find_references(campaign, options.references)
    computed: list[ScoresByLevel] = []
    notes: tuple[Note, ...] = ()
    if options.computed:
        if campaign.testset is None:
            names = ", ".join(options.computed)
            raise InputError(f"{campaign.label} has no texts to compute {names} from")
        used = references or tuple(campaign.testset.references)[:1]
        if len(used) > 1:  # all references; the metrics may have used one that has no text here
            used = tuple(campaign.testset.references)
        testset = campaign.select_texts(references=used, keep_references=True)
        if wanted := [name for name in testset.systems if systems is None or name in systems]:
            testset = testset.with_systems(wanted)
        computed, notes = computed_metrics(
            testset, options.computed, options.aggregations, runtime, level=level, by_segment=by_segment
        )
    stored, external = options.stored, options.external.get(campaign.lp, ())
    metrics = metric_tables(campaign, references=references, stored=stored, computed=computed, external=external)
    return metrics, (*notes, *_left_out_notes(campaign, references, stored, external))


def unused_scores(options: MetricOptions, campaigns: Iterable[Campaign]) -> tuple[Note, ...]:
    """A note on external scores of language pairs that are not there."""
    known = {campaign.lp for campaign in campaigns}
    unused = {lp: tables for lp, tables in options.external.items() if lp not in known and tables}
    text = f"scores of language pairs that are not compared are not used: {', '.join(unused)}"
    return (Note(NoteKind.EXCLUDED, text, count=sum(map(len, unused.values()))),) if unused else ()


def _left_out_notes(
    campaign: Campaign, references: Sequence[str] | None, stored: Sequence[str], external: Sequence[ScoreTable]
) -> Iterator[Note]:
    """Notes on chosen metrics that cannot have a row: because of their references, or of the level of their scores."""
    versions: dict[str, list[ScoreTable]] = {}
    for table in _matching(campaign, stored):
        versions.setdefault(_names(table, campaign)[1], []).append(table)
    others = [
        name
        for name, (table, *_) in versions.items()
        if references is not None
        and set(spell_out(table.references, campaign.references)) not in (set(), set(references))
    ]
    if others:
        text = f"left out, because they used other references than {' and '.join(references or ())}: "
        yield Note(NoteKind.EXCLUDED, text + listed(sorted(others), _MAX_NAMES), count=len(others))
    for table in external:
        versions.setdefault(table.name, []).append(table)
    without = [name for name, tables in versions.items() if not any(table.level in LEVELS for table in tables)]
    if unusable := sorted(set(without) - set(others)):
        text = f"left out, because they have scores of domains or documents only: {listed(unusable, _MAX_NAMES)}"
        yield Note(NoteKind.EXCLUDED, text, count=len(unusable))


def find_references(campaign: Campaign, references: Sequence[str]) -> tuple[str, ...] | None:
    """The first of the named references that the campaign has, `all` of its references, or None if none is named."""
    for name in references:
        if name == ALL and campaign.references:
            return campaign.references
        if name in campaign.references:
            return (name,)
    if references:
        raise UnknownNameError(
            f"{campaign.label} has no reference {' or '.join(references)}",
            hint=nearest(references[0], campaign.references),
        )
    return None


def metric_tables(
    campaign: Campaign,
    *,
    references: Sequence[str] | None = None,
    stored: Sequence[str] = ("*",),
    computed: Iterable[ScoresByLevel] = (),
    external: Iterable[ScoreTable] = (),
) -> list[ScoresByLevel]:
    """The stored metrics whose names match a pattern, with or without their references, and the others; sorted.

    The names of stored and computed metrics end in the references they used. With `references`, metrics that used
    others are left out and the ending is dropped.
    """
    by_version: dict[tuple[str, tuple[str, ...]], list[ScoreTable]] = {}
    for table in _matching(campaign, stored):
        used = spell_out(table.references, campaign.references)
        by_version.setdefault((table.name, used), []).append(replace(table, references=used))
    metrics = [scores for tables in by_version.values() for scores in group_by_level(tables)]
    if references is not None:
        metrics = [metric for metric in metrics if set(_references_of(metric)) in (set(), set(references))]
    labelled = [
        _labelled(metric, campaign, has_ending=references is None or not _references_of(metric))
        for metric in (*metrics, *computed)
    ]
    own = group_by_level((_with_references(table, campaign) for table in external), hint=_RENAME)
    return sorted(_distinct([*labelled, *own]), key=lambda metric: metric.name)


def references_used(metrics: Iterable[ScoresByLevel]) -> tuple[str, ...]:
    """The references that some of the metrics used."""
    return tuple(dict.fromkeys(name for metric in metrics for name in _references_of(metric)))


def with_common_names(
    by_pair: Mapping[str, Sequence[ScoresByLevel]], campaigns: Mapping[str, Campaign]
) -> tuple[dict[str, list[ScoresByLevel]], dict[str, Note]]:
    """Metrics of several language pairs, renamed where no row of a metric would cover all of its pairs.

    References have other names on other pairs, so that `BLEU-refA` of one pair and `BLEU-refB` of another never meet.
    Such a metric is called `BLEU` where it used the first reference of the pair, or has no other version there. The
    notes, by pair, say which reference that is.
    """
    renamed = {label: list(metrics) for label, metrics in by_pair.items()}
    references: dict[str, dict[str, None]] = {}
    for name in sorted({metric.metric for metrics in by_pair.values() for metric in metrics if metric.metric}):
        for label, version in _versions_that_meet(name, by_pair, campaigns).items():
            renamed[label] = [m.renamed(name) if m.name == version.name else m for m in renamed[label]]
            references.setdefault(label, {})[" and ".join(_references_of(version))] = None
    text = "metrics without a reference in their name used {}"
    return (
        {label: sorted(metrics, key=lambda metric: metric.name) for label, metrics in renamed.items()},
        {label: Note(NoteKind.PROVENANCE, text.format(" or ".join(names))) for label, names in references.items()},
    )


def _versions_that_meet(
    name: str, by_pair: Mapping[str, Sequence[ScoresByLevel]], campaigns: Mapping[str, Campaign]
) -> dict[str, ScoresByLevel]:
    """By language pair: the version of a metric that stands for it; none if a label covers all pairs, or is taken."""
    versions = _versions(name, by_pair)
    is_taken = any(metric.name == name for label in versions for metric in by_pair[label])
    if not versions or is_taken or set.intersection(*(set(labels) for labels in versions.values())):
        return {}
    standard = {label: _standard(each, campaigns[label]) for label, each in versions.items()}
    return {label: each for label, each in standard.items() if each is not None}


def _versions(name: str, by_pair: Mapping[str, Sequence[ScoresByLevel]]) -> dict[str, dict[str, ScoresByLevel]]:
    """By language pair and label: a metric with the different references that it used."""
    versions = {
        label: {metric.name: metric for metric in metrics if metric.metric == name and _references_of(metric)}
        for label, metrics in by_pair.items()
    }
    return {label: each for label, each in versions.items() if each}


def _standard(versions: Mapping[str, ScoresByLevel], campaign: Campaign) -> ScoresByLevel | None:
    """The only version of a metric, or that with the first reference of the campaign; None: there is neither."""
    if len(versions) == 1:
        return next(iter(versions.values()))
    first = campaign.references[:1]
    return next((version for version in versions.values() if _references_of(version) == first), None)


def _references_of(metric: ScoresByLevel) -> tuple[str, ...]:
    return metric.tables[0].references


def _labelled(metric: ScoresByLevel, campaign: Campaign, *, has_ending: bool) -> ScoresByLevel:
    """The metric under the name of its row, which may end in its references."""
    if not has_ending:
        return metric
    label = metric_label(metric.name, _references_of(metric), campaign.references)
    return replace(metric.renamed(label), metric=metric.name)


def _distinct(metrics: Sequence[ScoresByLevel]) -> Iterator[ScoresByLevel]:
    """The metrics; raise if two of them have the same name."""
    seen: set[str] = set()
    for metric in metrics:
        if metric.name in seen:
            origin = metric.tables[0].origin or None
            level = metric.tables[0].level
            raise NameClashError(
                f"there are two {level}-level scores called '{metric.name}'", path=origin, hint=_RENAME
            )
        seen.add(metric.name)
        yield metric


def _matching(campaign: Campaign, patterns: Sequence[str]) -> Iterator[ScoreTable]:
    """The stored metrics that match one of the patterns, by their name or by their name with references."""
    for table in campaign.metrics:
        if any(fnmatchcase(name, pattern) for name in _names(table, campaign) for pattern in patterns):
            yield table


def _names(table: ScoreTable, campaign: Campaign) -> tuple[str, str]:
    """The name of a stored metric, and its name with references."""
    return table.name, metric_label(table.name, table.references, campaign.references)


def _with_references(table: ScoreTable, campaign: Campaign) -> ScoreTable:
    """External scores may name their references at the end of their own name, as stored ones do."""
    ending = table.name.rpartition("-")[2]
    named = spell_out(parse_references(ending), campaign.references)
    is_named = not table.references and named and set(named) <= set(campaign.references)
    return replace(table, references=named) if is_named else table
