"""Select a kind of judgements and the systems to use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from assay.errors import ConfigError, InputError, UnknownNameError, nearest
from assay.types import Campaign, Note, Rankings, Ratings, ScoreTable, select

__all__ = ["Judged", "select_judgements"]

Judged: TypeAlias = ScoreTable | Ratings | Rankings
"""Human scores by segment, ratings or rankings."""


def select_judgements(
    source: Judged | Campaign,
    *,
    gold: str | None = None,
    systems: Iterable[str] = ("*",),
    exclude: Iterable[str] = (),
    keep_references: bool = False,
) -> tuple[Judged, tuple[Note, ...]]:
    """The judgements of the selected systems, and notes on the systems that were left out.

    `gold` names the kind of judgements of a campaign, and is required if it has several. `systems` and `exclude`
    are shell patterns. The references of a campaign are left out unless `keep_references`.
    """
    if isinstance(source, Campaign):
        judgements = _find(source, gold)
        selection = source.select(
            systems=systems, exclude=exclude, keep_references=keep_references, among=judgements.systems
        )
    elif gold is not None:
        raise ConfigError("gold selects among the judgements of a campaign", hint="leave it out for a single table")
    else:
        judgements = source
        selection = select(source.systems, systems=systems, exclude=exclude)
        if not selection.systems:
            raise InputError("no system is left", hint=f"available: {', '.join(selection.left_out)}")
    if selection.left_out:
        judgements = judgements.take(selection.systems)
    return judgements, selection.notes


def _find(campaign: Campaign, name: str | None) -> Judged:
    """The judgements with this name; segment scores take precedence over individual judgements of the same name."""
    tables = {table.name: table for table in campaign.human if table.level == "segment"}
    individual = {judgements.name: judgements for judgements in campaign.judgements}
    kinds: dict[str, Judged] = {**individual, **tables}
    if not kinds:
        raise ConfigError(f"{campaign.name} {campaign.lp} has no segment-level human judgements")
    if name is None and len(kinds) == 1:
        return next(iter(kinds.values()))
    if name is None:
        raise ConfigError(
            f"{campaign.name} {campaign.lp} has several kinds of judgements",
            hint=f"choose one: --gold {'|'.join(kinds)}",
        )
    if name not in kinds:
        raise UnknownNameError(f"there are no judgements called '{name}'", hint=nearest(name, kinds))
    return kinds[name]
