"""Baselines for a metric's agreement with human scores: other human judgements, and random metrics.

Any other kind of human scores is a second opinion, except scores from the same judgements: standardised (`wmt-z` beside
`wmt-raw`), or a rater's own column of an average (`mqm-col1` or `mqm.rater1` of `mqm`). Such columns are compared with
the mean of the other columns, or with the gold scores if those are another rater's column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from assay.metaeval.human_scores import HumanScores, HumanView, human_scores
from assay.metaeval.scores_by_level import ScoresByLevel, group_by_level
from assay.runtime import Runtime
from assay.types import Campaign, ScoreTable, mean_of_given
from assay.types.rater_names import base_name, judgements_name, rater_of

__all__ = ["RANDOM_METRIC", "random_metric", "second_opinions"]

RANDOM_METRIC = "random metric"


def second_opinions(
    campaign: Campaign,
    view: HumanView,
    systems: Sequence[str],
    human: HumanScores,
    runtime: Runtime | None = None,
) -> Iterator[tuple[ScoresByLevel, HumanScores]]:
    """Other human scores, each with the human scores to compare it with, under the same view."""
    gold = view.name
    opinions = {
        scores.name: scores.take(systems) for scores in group_by_level((table.name, table) for table in campaign.human)
    }
    columns = {
        name: scores.segment
        for name, scores in opinions.items()
        if name != gold and base_name(name) == gold and scores.segment is not None
    }
    for name, column in columns.items() if len(columns) > 1 else ():
        mean = _mean([other for other_name, other in columns.items() if other_name != name])
        others = view.apply(human_scores(mean), runtime)
        if others is not None:
            label = f"human: {name} against the other raters"
            yield ScoresByLevel(label, segment=column), replace(others, pairs=human.pairs, systems=human.systems)
    for name, scores in opinions.items():
        is_other_rater = name != gold and rater_of(name) is not None and rater_of(gold) is not None
        is_other_judgement = judgements_name(name) != judgements_name(gold)
        is_standardised_twin = name.endswith("-z") and name.removesuffix("-z") in opinions
        if (is_other_rater or is_other_judgement) and not is_standardised_twin:
            yield replace(scores, name=f"human: {name}"), human


def _mean(tables: Sequence[ScoreTable]) -> ScoreTable:
    """The mean of each cell over the raters who judged it."""
    means = mean_of_given(np.stack([table.oriented for table in tables]), axis=0)
    return replace(tables[0], name="+".join(table.name for table in tables), values=means, higher_is_better=True)


def random_metric(human: HumanScores, segments: int, systems: Sequence[str], seed: int = 12345) -> ScoresByLevel:
    """Random system and segment scores without ties."""
    random = np.random.Generator(np.random.PCG64(seed))
    last_ranked = 0 if human.rankings is None else 1 + int(human.rankings.segment.max(initial=-1))
    width = max(segments, last_ranked) if human.scores.segment is None else human.scores.segment.values.shape[1]
    tables = [
        (RANDOM_METRIC, ScoreTable(RANDOM_METRIC, level, tuple(systems), random.normal(size=(len(systems), items))))
        for level, items in (("system", 1), ("segment", width))
        if items
    ]
    return next(group_by_level(tables))
