"""Pairs of outputs of a segment that people judged, with the differences of their scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from assay.calibration.segment_preference import OutputPairs
from assay.errors import AssayError, InputError, UnknownNameError, nearest
from assay.human.selection import label_campaigns
from assay.lazily import numpy as np
from assay.measurement.units import ResamplingUnits
from assay.metaeval.computed_metrics import Aggregations, computed_metrics
from assay.metaeval.metric_tables import metric_tables
from assay.metrics import metric as metric_registry
from assay.training.examples import drawn_preferences
from assay.training.human_data import HumanData, LanguagePairExcluded, find_human_data
from assay.types import Campaign, FloatArray, IntArray, Mask, Note, NoteKind, ScoreTable
from assay.types.campaign import campaign_label
from assay.types.note import listed, plural, verb_for
from assay.types.runtime import Runtime

__all__ = ["PairsChoice", "output_pairs"]


@dataclass(frozen=True, slots=True)
class PairsChoice:
    """Which metrics, whose judgements, and which systems."""

    metrics: tuple[str, ...]
    """Specs of the metrics to compute, and names of those whose scores the campaigns store."""
    stored: frozenset[str]
    """Those that are not computed."""
    gold: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    most: int = 20_000
    """Pairs that are drawn from a language pair that has more."""
    seed: int = 1


def output_pairs(
    campaigns: Iterable[Campaign], choice: PairsChoice, runtime: Runtime
) -> tuple[list[OutputPairs], list[Note]]:
    """The pairs of all language pairs in a fixed order, and notes on those left out; raise if none is left."""
    ordered = sorted(campaigns, key=lambda each: (each.name, each.lp))
    label_campaigns(ordered)  # raises if two are the same
    _check_exclude(ordered, choice.exclude)
    found: list[OutputPairs] = []
    notes: list[Note] = []
    left_out: dict[str, list[str]] = {}
    for campaign in runtime.track(ordered, lambda each: f"judged outputs of {campaign_label(each.name, each.lp)}"):
        try:
            pairs, left_out_pairs = _of_campaign(campaign, choice, runtime)
            found.append(pairs)
            notes += left_out_pairs
        except LanguagePairExcluded as reason:
            left_out.setdefault(str(reason), []).append(campaign_label(campaign.name, campaign.lp))
    notes += [
        Note(NoteKind.EXCLUDED, f"left out: {listed(names)} ({reason})", count=len(names))
        for reason, names in left_out.items()
    ]
    if not found:
        reasons = "; ".join(map(str, notes[:5])) or None
        raise InputError("no language pair has scores and judgements of outputs of the same segments", hint=reasons)
    return found, notes


def _check_exclude(campaigns: Sequence[Campaign], patterns: Sequence[str]) -> None:
    known = tuple(dict.fromkeys(name for each in campaigns for name in each.systems))
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in known):
            raise UnknownNameError(f"no system matches '{pattern}'", hint=nearest(pattern, known))


def _of_campaign(campaign: Campaign, choice: PairsChoice, runtime: Runtime) -> tuple[OutputPairs, list[Note]]:
    try:
        tables = _tables(campaign, choice, runtime)
    except AssayError as error:
        raise LanguagePairExcluded(error.message) from error
    systems = [name for name in tables[0].systems if all(name in each.systems for each in tables)]
    if len(systems) < 2:
        raise LanguagePairExcluded("fewer than two systems have scores")
    human = find_human_data(campaign, choice.gold, "preferences", systems)
    first, second, outcome = _pairs(human)
    scores = np.stack([_of_rows(table, human, campaign) for table in tables], axis=1)
    differences = scores[first] - scores[second]
    known = np.asarray(~np.isnan(differences).any(axis=1))
    if not known.any():
        raise LanguagePairExcluded("no two judged outputs of a segment have scores")
    is_new, notes = _not_learnt_from(campaign, choice, human.segment[first], known)
    known &= is_new
    count = int(known.sum())
    drawn = np.flatnonzero(known)[
        drawn_preferences(count, choice.most, choice.seed, campaign_label(campaign.name, campaign.lp))
    ]
    segment = human.segment[first[drawn]]
    documents = None if campaign.testset is None else campaign.testset.documents
    units = ResamplingUnits.of(segment, documents or ())
    pairs = OutputPairs(
        campaign.name,
        campaign.lp,
        human.protocol,
        human.name,
        differences[drawn],
        outcome[drawn],
        segment,
        units.number,
        units.unit,
        count,
    )
    return pairs, notes


def _not_learnt_from(
    campaign: Campaign, choice: PairsChoice, segment: IntArray, known: Mask
) -> tuple[Mask, list[Note]]:
    """The pairs that no metric was learnt from, by their segments, and a note on the others among those with scores.

    A metric has seen the judgements that it was learnt from: no fit to others would be a test of it.
    """
    if campaign.testset is None:
        return np.ones(len(segment), dtype=np.bool_), []
    testset = replace(campaign.testset, name=campaign.name, lp=campaign.lp)
    metrics = {name: metric_registry.create(name) for name in choice.metrics if name not in choice.stored}
    found = {name: mask for name, made in metrics.items() if (mask := made.learnt_segments(testset)) is not None}
    seen = {name: mask[segment] & known for name, mask in found.items()}
    names = [name for name, mask in seen.items() if mask.any()]
    if not names:
        return np.ones(len(segment), dtype=np.bool_), []
    is_seen = np.asarray(np.any([seen[name] for name in names], axis=0))
    trained = f"{listed(names)} {verb_for(len(names), 'was', 'were')} trained on"
    if is_seen[known].all():
        raise LanguagePairExcluded(f"{trained} its judgements")
    count = int(is_seen.sum())
    text = f"{plural(count, 'pair')} of outputs left out, of segments whose judgements {trained}"
    label = campaign_label(campaign.name, campaign.lp)
    return ~is_seen, [Note(NoteKind.IN_SAMPLE, text, label, count, "warning")]


def _tables(campaign: Campaign, choice: PairsChoice, runtime: Runtime) -> list[ScoreTable]:
    """The scores by segment of each metric, in order; computed ones with the first reference."""
    patterns = [each for each in choice.exclude if any(fnmatchcase(name, each) for name in campaign.systems)]
    specs = [name for name in choice.metrics if name not in choice.stored]
    computed: dict[str, ScoreTable] = {}
    if specs:
        if campaign.testset is None:
            raise LanguagePairExcluded("no texts")
        reference = next(iter(campaign.testset.references), None)
        testset = campaign.select_texts(
            references=() if reference is None else (reference,),
            exclude=patterns,
        )
        found, _ = computed_metrics(testset, specs, Aggregations(), runtime, level="segment")
        computed = {spec: each.at("segment") for spec, each in zip(specs, found, strict=True)}
    return [computed[name] if name in computed else _stored(name, campaign, patterns) for name in choice.metrics]


def _stored(name: str, campaign: Campaign, exclude: Sequence[str]) -> ScoreTable:
    """Stored scores of a metric; of several, those without a reference or with the first one."""
    tables = [
        each.segment
        for each in metric_tables(campaign, stored=(name,))
        if each.segment is not None and name in (each.name, each.metric)
    ]
    if not tables:
        raise LanguagePairExcluded(f"no scores of segments by {name}")
    table = min(tables, key=lambda each: [campaign.references.index(r) for r in each.references])
    used = {*table.references, *campaign.references}
    kept = [
        system
        for system in table.systems
        if system not in used and not any(fnmatchcase(system, pattern) for pattern in exclude)
    ]
    return table.take(kept)


def _pairs(human: HumanData) -> tuple[IntArray, IntArray, FloatArray]:
    """Rows of both outputs of each pair, and what people said, in the order of the systems."""
    first = np.concatenate([human.better, human.tied[:, 0]])
    second = np.concatenate([human.worse, human.tied[:, 1]])
    outcome = np.concatenate([np.ones(len(human.better)), np.full(len(human.tied), 0.5)])
    is_swapped = human.system[first] > human.system[second]
    first, second = np.where(is_swapped, second, first), np.where(is_swapped, first, second)
    return first, second, np.where(is_swapped, 1 - outcome, outcome)


def _of_rows(table: ScoreTable, human: HumanData, campaign: Campaign) -> FloatArray:
    """The score of each judged output, higher is better; NaN: there is none."""
    values = table.oriented
    place = {name: k for k, name in enumerate(table.systems)}
    row = np.array([place.get(name, -1) for name in human.systems])[human.system]
    column = human.segment
    if table.items:
        lines = {name: k for k, name in enumerate(table.items)}
        known = () if campaign.testset is None else campaign.testset.items
        if not known:
            raise LanguagePairExcluded(
                f"the scores of {table.name} are of named items, which cannot be aligned with the texts"
            )
        column = np.array([lines.get(name, -1) for name in known])[human.segment]
    found = (row >= 0) & (column >= 0) & (column < values.shape[1])
    return np.where(found, values[np.where(found, row, 0), np.where(found, column, 0)], np.nan)
