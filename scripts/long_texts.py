"""Count the outputs of WMT25 that are too long for learned metrics, and their windows: a table of learned-metrics.md.

ASSAY_DATA=FOLDER python -m scripts.long_texts

With the tokeniser of XLM-R and checkpoints with random weights, which `make test-neural` makes: `comet` reads the
texts of a segment one by one, `xcomet` reads them together. The first reference counts.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay import load_campaigns
from assay.learned import LearnedModel, Segment, open_comet, open_xcomet
from assay.metrics.windowed import split_segments
from assay.types import TestSet
from scripts.official_scores.__main__ import FOLDER
from tests import archives

CAMPAIGN = "wmt25"
HEAD = (
    "| | metric | outputs | truncated | not read of these | cut into windows | windows | most |",
    "|---|---|--:|--:|--:|--:|--:|--:|",
)


def table() -> Iterator[str]:
    """The lines, for each language pair and each way to read."""
    comet = open_comet(FOLDER / "comet-xlm-r-tokenizer" / "model")
    both, source = (open_xcomet(FOLDER / "xcomet-xlm-r-tokenizer" / "model", inputs=each) for each in ("all", "src"))
    yield from HEAD
    for campaign in load_campaigns(archives.unpacked(CAMPAIGN)):
        texts = campaign.testset
        for name, model in (("`comet`", comet), ("`xcomet`", both), ("`xcomet`, `inputs=src`", source)):
            if texts is not None and (texts.references or "reference" not in model.needs):
                yield f"| {campaign.lp} | {name} | {' | '.join(_counts(model, list(_segments(texts))))} |"


def _counts(model: LearnedModel, segments: list[Segment]) -> Iterator[str]:
    limit = model.max_tokens
    is_truncated = model.encode(segments).is_truncated.any(axis=1)
    long_ones = [segments[i] for i in np.flatnonzero(is_truncated).tolist()]
    windows, inputs = split_segments(model, long_ones, limit)
    lengths = np.array([len(ids) for ids in inputs.inputs])[inputs.input_indices]
    whole = np.array([np.bincount(windows.owners, weights=column) for column in lengths.T])  # with special tokens
    unread = 1 - np.minimum(whole, limit).sum(axis=0) / whole.sum(axis=0)
    counts = windows.counts[windows.is_split]
    yield f"{len(segments):,}"
    yield f"{len(long_ones):,} ({len(long_ones) / len(segments):.0%})"
    yield f"{unread[windows.is_split].mean():.0%}"
    yield f"{len(counts):,}"
    yield f"{counts.sum():,}"
    yield f"{counts.max()}"


def _segments(texts: TestSet) -> Iterator[Segment]:
    references = next(iter(texts.references.values()), [None] * len(texts))
    for column in texts.outputs.values():
        for output, source, reference in zip(column, texts.sources or (), references, strict=True):
            if output is not None:
                yield Segment(output, source, reference)


if __name__ == "__main__":
    for line in table():
        print(line, flush=True)
