"""Task files and campaigns that are made up."""

from __future__ import annotations

import numpy as np

from assay.types import ScoreTable
from tests.campaigns_with_metrics import SEGMENTS, SYSTEMS, campaign, human, metric

__all__ = ["SMALL", "made_up", "write_task"]

SMALL = """
[pairs.de-en]
reference = "refA"

[[components]]
statistic = "pearson"
"""


def write_task(folder, text, name="mine"):
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def made_up(lp, *, gold="mqm", references=("refA", "refB"), name="wmt23", domains=None, extra=()):
    """A campaign with human scores under another name, and metrics at both levels for each reference."""
    judged = [
        ScoreTable(gold, table.level, table.systems, table.values, protocol="DA", domains=domains or ())
        if table.level == "segment"
        else ScoreTable(gold, table.level, table.systems, table.values, protocol="DA")
        for table in (human(), human("segment"))
    ]
    metrics = [
        metric(metric_name, noise, level=level, references=(reference,), seed=seed)
        for reference in references
        for seed, (metric_name, noise) in enumerate((("COMET", 0.3), ("BLEU", 3.0), ("chrF", 6.0)), 1)
        for level in ("system", "segment")
    ]
    metrics += [metric("CometKiwi", 1.0, level=level, references=(), seed=7) for level in ("system", "segment")]
    made = campaign(lp, name=name, scores=(*judged, *metrics, *extra))
    assert made.segments == SEGMENTS
    assert set(made.systems) == set(SYSTEMS)
    assert np.isfinite(judged[0].values).all()
    return made
