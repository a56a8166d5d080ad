"""The metrics of a campaign: stored with it, read from other files, or computed from its texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

import numpy as np

from assay.errors import UnknownNameError, nearest
from assay.metaeval.scores_by_level import ScoresByLevel, group_by_level
from assay.metrics import metric as metric_registry
from assay.results import Run
from assay.types import Campaign, Note, NoteKind, ScoreTable
from assay.types.metric_names import metric_label, parse_references, spell_out

__all__ = ["computed_tables", "find_reference", "metric_tables", "run_notes"]


def find_reference(campaign: Campaign, references: tuple[str, ...]) -> str | None:
    """The first of the named references that the campaign has; None if no reference is named."""
    name = next((name for name in references if name in campaign.references), None)
    if references and name is None:
        raise UnknownNameError(
            f"{campaign.name} {campaign.lp} has no reference {' or '.join(references)}",
            hint=nearest(references[0], campaign.references),
        )
    return name


def metric_tables(
    campaign: Campaign,
    *,
    reference: str | None = None,
    stored: Sequence[str] = ("*",),
    computed: Iterable[ScoreTable] = (),
    external: Iterable[ScoreTable] = (),
) -> list[ScoresByLevel]:
    """The stored metrics whose names match a pattern, with or without their references, and the others; sorted.

    The names of stored and computed metrics end in the references they used. With `reference`, metrics that used other
    references are left out and the ending is dropped.
    """
    tables = []
    for table in (*_matching(campaign, stored), *computed):
        used = spell_out(table.references, campaign.references)
        if reference is None or used in ((), (reference,)):
            has_ending = reference is None or not used
            label = metric_label(table.name, table.references, campaign.references) if has_ending else table.name
            tables.append(replace(table, name=label, references=used))
    tables += [_with_references(table, campaign) for table in external]
    return list(group_by_level(tables, hint="give one of them another name: --scores NAME=FILE"))


def _matching(campaign: Campaign, patterns: Sequence[str]) -> list[ScoreTable]:
    """The stored metrics that match one of the patterns. A pattern without a match is an error."""
    names = [{t.name, metric_label(t.name, t.references, campaign.references)} for t in campaign.metrics]
    for pattern in patterns:
        if pattern != "*" and not any(fnmatchcase(name, pattern) for known in names for name in known):
            short = {table.name for table in campaign.metrics}
            raise UnknownNameError(f"no stored metric matches '{pattern}'", hint=nearest(pattern, short))
    return [
        table
        for table, known in zip(campaign.metrics, names, strict=True)
        if any(fnmatchcase(name, pattern) for name in known for pattern in patterns)
    ]


def _with_references(table: ScoreTable, campaign: Campaign) -> ScoreTable:
    """External scores may name their references at the end of their own name, as stored ones do."""
    ending = table.name.rpartition("-")[2]
    named = spell_out(parse_references(ending), campaign.references)
    is_named = not table.references and named and set(named) <= set(campaign.references)
    return replace(table, references=named) if is_named else table


def computed_tables(run: Run, reference: str | None) -> Iterator[ScoreTable]:
    """The system and segment scores of a run, as score tables with the reference they used."""
    for spec, scores in run.metrics.items():
        systems = tuple(scores.segments)
        needs_reference = "reference" in metric_registry.create(spec).needs
        references = (reference,) if reference is not None and needs_reference else ()
        for level, values in (
            ("system", np.array([[scores.headline[name]] for name in systems])),
            ("segment", np.array([scores.segments[name] for name in systems])),
        ):
            yield ScoreTable(
                name=spec,
                level=level,
                systems=systems,
                values=values,
                references=references,
                higher_is_better=scores.higher_is_better,
            )


def run_notes(run: Run, level: str) -> tuple[Note, ...]:
    """How the scores of a run were computed at a level, and the notes of the run."""
    signatures = {
        spec: scores.signature if level == "system" else scores.segment_signature
        for spec, scores in run.metrics.items()
    }
    computed = (Note(NoteKind.PROVENANCE, f"computed as {text}", where=spec) for spec, text in signatures.items())
    return (*run.notes, *computed)
