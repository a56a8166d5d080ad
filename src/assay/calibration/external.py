"""Metric scores computed elsewhere: they join the stored scores of their campaign."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from assay.errors import ConfigError
from assay.types import Campaign, ScoreTable

__all__ = ["external_patterns", "with_external"]


def external_patterns(external: Mapping[str, Sequence[ScoreTable]] | None) -> tuple[str, ...]:
    """Patterns that match exactly the names of these scores."""
    names = dict.fromkeys(table.name for tables in (external or {}).values() for table in tables)
    return tuple(glob.escape(name) for name in names)


def with_external(
    campaigns: Iterable[Campaign], external: Mapping[str, Sequence[ScoreTable]] | None
) -> Iterator[Campaign]:
    """The campaigns with the scores of their language pair."""
    seen: set[str] = set()
    for campaign in campaigns:
        tables = (external or {}).get(campaign.lp, ())
        if tables and campaign.lp in seen:
            hint = "give one campaign of each language pair"
            raise ConfigError(f"the scores are of {campaign.lp}, which several campaigns have", hint=hint)
        seen.add(campaign.lp)
        known = {table.name for table in campaign.metrics}
        for table in tables:
            if table.name in known:
                raise ConfigError(f"two metrics are called '{table.name}'", hint="give one of them another name")
        yield replace(campaign, scores=(*campaign.scores, *tables)) if tables else campaign
