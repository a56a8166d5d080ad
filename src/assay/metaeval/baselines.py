"""Baselines for a metric's agreement with human scores: other human judgements, and random metrics.

Any other kind of human scores is a second opinion, except scores from the same judgements: standardised (`wmt-z` beside
`wmt-raw`), or a rater's own column of an average (`mqm-col1` or `mqm.rater1` of `mqm`). Such columns are compared with
the mean of the other columns, or with the gold scores if those are another rater's column. Two columns are one
comparison, not two: the first is compared with the second.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from assay.aggregate.resample import SEED
from assay.lazily import numpy as np
from assay.metaeval.gold import Gold
from assay.metaeval.pair_scores import PairScores
from assay.metaeval.scores_by_level import ScoresByLevel, group_by_level
from assay.types import ScoreTable, mean_of_defined
from assay.types.rater_names import base_name, judgements_name, language_model_in, rater_of
from assay.types.runtime import Runtime

__all__ = ["RANDOM_METRIC", "random_metric", "second_opinions"]

RANDOM_METRIC = "random metric"


def second_opinions(scores: PairScores, runtime: Runtime) -> Iterator[tuple[ScoresByLevel, Gold]]:
    """Other human scores, each with the human scores to compare it with, under the same view."""
    options, gold = scores.gold.options, scores.pair.gold
    opinions = {
        opinion.name: opinion.take(scores.pair.systems).described_by(scores.campaign.testset, domains=True)
        for opinion in group_by_level(scores.campaign.human)
    }
    columns = {
        name: opinion.segment
        for name, opinion in opinions.items()
        if name != gold and base_name(name) == gold and opinion.segment is not None
    }
    for name in _compared_raters(columns):
        others_of = [other for other in columns if other != name]
        mean = _mean([columns[other] for other in others_of])
        # raters judged different outputs, so they are compared on those that both judged
        judged = Gold.from_scores(ScoresByLevel(mean.name, segment=mean), replace(options, cells="common"))
        if scores.domain is not None:
            judged = judged.in_domain(scores.domain, runtime)
        others = judged.viewed(runtime)
        if others is not None:
            label = f"human: {name} against {others_of[0] if len(others_of) == 1 else 'the other raters'}"
            same_pairs = replace(others, pairs=scores.gold.pairs, systems=scores.gold.systems)
            yield ScoresByLevel(label, segment=replace(columns[name], name=label)), same_pairs
    for name, opinion in opinions.items():
        is_other_rater = name != gold and rater_of(name) is not None and rater_of(gold) is not None
        is_other_judgement = judgements_name(name) != judgements_name(gold)
        is_standardised_twin = name.endswith("-z") and name.removesuffix("-z") in opinions
        if (is_other_rater or is_other_judgement) and not is_standardised_twin:
            label = f"{'language model' if language_model_in(name) else 'human'}: {name}"
            yield opinion.renamed(label), scores.gold


def _compared_raters(columns: Collection[str]) -> list[str]:
    """The raters to compare with the others: of two, only the first, because both ways are the same comparison."""
    raters = list(columns)
    return raters[:1] if len(raters) == 2 else raters if len(raters) > 2 else []


def _mean(tables: Sequence[ScoreTable]) -> ScoreTable:
    """The mean of each cell over the raters who judged it."""
    means = mean_of_defined(np.stack([table.oriented for table in tables]), axis=0)
    return replace(tables[0], name="+".join(table.name for table in tables), values=means, higher_is_better=True)


def random_metric(scores: PairScores, seed: int = SEED) -> ScoresByLevel:
    """Random system and segment scores without ties."""
    random = np.random.Generator(np.random.PCG64(seed))
    gold, systems = scores.gold, scores.pair.systems
    last_ranked = 0 if gold.rankings is None else 1 + int(gold.rankings.segment.max(initial=-1))
    judged = gold.by_level.segment
    width = max(scores.campaign.segments, last_ranked) if judged is None else judged.values.shape[1]
    tables = [
        ScoreTable(RANDOM_METRIC, level, systems, random.normal(size=(len(systems), count)), items=items)
        for level, count, items in (("system", 1, ()), ("segment", width, () if judged is None else judged.items))
        if count
    ]
    return next(group_by_level(tables))
