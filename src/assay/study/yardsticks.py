"""What a metric's agreement with people is to be held against: other people, and a metric that knows nothing.

A second opinion is any other kind of human scores. Scores of the same judgements are none: standardised (`wmt-z`
beside `wmt-raw`), or a single rater's column of those that were averaged (`mqm-col1` or `mqm.rater1` of `mqm`). Where
there are such columns, each is compared with the mean of the others; where one of them is the gold, with that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from assay.study.entries import Entry
from assay.study.gold import Gold, Look, gold_of
from assay.types import Campaign, ScoreTable, mean_of_given

__all__ = ["RANDOM_METRIC", "random_metric", "second_opinions"]

RANDOM_METRIC = "random metric"
_COLUMN = r"[-.](col|rater|annotator|human)\d+"
_RATER = re.compile(rf"{_COLUMN}$")
_SAME_JUDGEMENTS = re.compile(rf"({_COLUMN}|[-.](z|raw|merged))+$")


def second_opinions(
    campaign: Campaign, look: Look, systems: Sequence[str], whole: Gold
) -> Iterator[tuple[Entry, Gold]]:
    """Other people, and what each is compared with, looked at in the same way."""
    gold = look.name
    stem = _SAME_JUDGEMENTS.sub("", gold)
    named: dict[str, dict[str, ScoreTable]] = {}
    for table in campaign.human:
        if table.level in ("system", "segment"):
            named.setdefault(table.name, {})[table.level] = table.take(systems)
    raters = [name for name in sorted(named) if name != gold and _RATER.sub("", name) == gold]
    raters = [name for name in raters if "segment" in named[name]]
    for name in raters if len(raters) > 1 else ():
        others = look.seen(gold_of(_mean([named[other]["segment"] for other in raters if other != name])))
        opinion = Entry(f"people: {name}, against the others", {"segment": named[name]["segment"]})
        if others is not None:
            yield opinion, replace(others, pairs=whole.pairs, systems=whole.systems)
    for name in sorted(named):
        is_colleague = name != gold and all(map(_RATER.search, (name, gold)))
        if (is_colleague or _SAME_JUDGEMENTS.sub("", name) != stem) and not (
            name.endswith("-z") and name.removesuffix("-z") in named
        ):
            yield Entry(f"people: {name}", named[name]), whole


def _mean(tables: Sequence[ScoreTable]) -> ScoreTable:
    """Of each cell, over those who judged it."""
    means = mean_of_given(np.stack([table.oriented for table in tables]), axis=0)
    return replace(tables[0], name="+".join(table.name for table in tables), values=means, higher_is_better=True)


def random_metric(gold: Gold, segments: int, systems: Sequence[str], seed: int = 12345) -> Mapping[str, ScoreTable]:
    """Scores without a tie, by system and by segment."""
    random = np.random.Generator(np.random.PCG64(seed))
    ranked = 0 if gold.rankings is None else 1 + int(gold.rankings.segment.max(initial=-1))
    width = gold.tables["segment"].values.shape[1] if "segment" in gold.tables else max(segments, ranked)
    return {
        level: ScoreTable(RANDOM_METRIC, level, tuple(systems), random.normal(size=(len(systems), items)))
        for level, items in (("system", 1), ("segment", width))
        if items
    }
