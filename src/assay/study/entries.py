"""The metrics of a campaign that are to be compared with people: stored, brought along, or computed now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from assay.errors import InputError, NameClashError, UnknownNameError, nearest
from assay.metrics import metric as metric_registry
from assay.results import MetricScores
from assay.study.scoring import Progress, score
from assay.study.selecting import choose
from assay.types import Campaign, FrozenDict, ScoreTable

__all__ = ["Entry", "entries_of"]

_LEVELS = ("system", "segment")
_ALL = "all"
_NO_REFERENCE = "src"


@dataclass(frozen=True, slots=True)
class Entry:
    """A metric with the references it was given: its tables by level, and if it was computed now, how."""

    label: str
    tables: Mapping[str, ScoreTable] = field(hash=False)
    signatures: Mapping[str, str] = field(default_factory=dict, hash=False)
    """By level, of what was computed now."""
    notes: tuple[str, ...] = ()
    """What has to be known of all that was computed with it."""

    def __post_init__(self) -> None:
        for name in ("tables", "signatures"):
            object.__setattr__(self, name, FrozenDict(getattr(self, name)))

    def remarks(self, level: str) -> tuple[str, ...]:
        """What has to be known to get the scores again."""
        return (f"computed as {self.signatures[level]}",) if level in self.signatures else ()


def entries_of(
    campaign: Campaign,
    *,
    references: tuple[str, ...] = (),
    metrics: Iterable[str] = (),
    brought: Iterable[ScoreTable] = (),
    progress: Progress | None = None,
) -> list[Entry]:
    """All metrics of a campaign, in the order of their names.

    With `references`, only metrics that were given the first of them which the campaign has, or no reference; their
    labels then do without it. `metrics` are computed from the texts with that reference, or with the campaign's first.
    """
    wanted = next((name for name in references if name in campaign.references), None)
    if references and wanted is None:
        raise UnknownNameError(
            f"{campaign.name} {campaign.lp} has no reference {' or '.join(references)}",
            hint=nearest(references[0], campaign.references),
        )
    found: dict[str, dict[str, ScoreTable]] = {}
    computed, notes = _computed(campaign, metrics, wanted, progress)
    signatures: dict[str, dict[str, str]] = {}
    for table, signature in (*((table, "") for table in campaign.metrics), *computed):
        given = _given(table, campaign)
        if table.level in _LEVELS and (wanted is None or given in ((), (wanted,))):
            label = _label(table, given, campaign, wanted)
            _add(found, label, replace(table, references=given))
            if signature:
                signatures.setdefault(label, {})[table.level] = signature
    for table in brought:
        if table.level in _LEVELS:
            _add(found, table.name, _with_references(table, campaign))
    own = {label: (signatures[label], notes) for label in signatures}
    return [Entry(label, found[label], *own.get(label, ())) for label in sorted(found)]


def _add(found: dict[str, dict[str, ScoreTable]], label: str, table: ScoreTable) -> None:
    tables = found.setdefault(label, {})
    if table.level in tables:
        hint = "give one of them another name: --scores NAME=FILE"
        raise NameClashError(f"two metrics are called '{label}'", path=table.origin or None, hint=hint)
    tables[table.level] = table


def _given(table: ScoreTable, campaign: Campaign) -> tuple[str, ...]:
    """The references a metric saw; `all` is spelled out."""
    return campaign.references if _ALL in table.references else table.references


def _label(table: ScoreTable, given: tuple[str, ...], campaign: Campaign, wanted: str | None) -> str:
    if not given:
        return f"{table.name}-{_NO_REFERENCE}"
    if wanted is not None:
        return table.name
    is_all = _ALL in table.references or (len(given) > 1 and set(given) == set(campaign.references))
    return f"{table.name}-{_ALL if is_all else '.'.join(given)}"


def _with_references(table: ScoreTable, campaign: Campaign) -> ScoreTable:
    """Scores that were brought along say at the end of their name which references they saw, as stored ones do."""
    end = table.name.rpartition("-")[2]
    if table.references or end == _NO_REFERENCE:
        return table
    named = tuple(end.split("."))
    if end == _ALL:
        named = campaign.references
    return replace(table, references=named) if set(named) <= set(campaign.references) else table


def _computed(
    campaign: Campaign, specs: Iterable[str], wanted: str | None, progress: Progress | None
) -> tuple[list[tuple[ScoreTable, str]], tuple[str, ...]]:
    """Tables by system and by segment, each with its signature; and what has to be known of them."""
    asked = tuple(dict.fromkeys(specs))
    if not asked:
        return [], ()
    if campaign.testset is None:
        raise InputError(f"{campaign.name} {campaign.lp} has no texts to compute {', '.join(asked)} from")
    reference = wanted or next(iter(campaign.testset.references), None)
    testset = choose(campaign, references=() if reference is None else (reference,), keep_references=True)
    run = score(testset, asked, resamples=0, progress=progress)
    found: list[tuple[ScoreTable, str]] = []
    for spec, scores in run.metrics.items():
        needed = "reference" in metric_registry.create(spec).needs
        found += _tables(spec, scores, (reference,) if needed and reference is not None else ())
    return found, tuple(note for note in run.notes if note not in testset.notes)


def _tables(spec: str, scores: MetricScores, references: tuple[str, ...]) -> Iterator[tuple[ScoreTable, str]]:
    systems = tuple(scores.segments)
    for level, values, signature in (
        ("system", np.array([[scores.headline[name]] for name in systems]), scores.signature),
        ("segment", np.array([scores.segments[name] for name in systems]), scores.segment_signature),
    ):
        table = ScoreTable(
            name=spec,
            level=level,
            systems=systems,
            values=values,
            references=references,
            higher_is_better=scores.higher_is_better,
        )
        yield table, str(signature)
