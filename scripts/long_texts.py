"""Count the outputs of WMT25 that are too long for learned metrics, and their windows: tables of learned-metrics.md.

ASSAY_DATA=FOLDER python -m scripts.long_texts

With the tokeniser of XLM-R and checkpoints with random weights, which `make test-neural` makes: `comet` reads the
texts of a segment one by one, `xcomet` reads them together. The first reference counts. A second table says by chrF
whether windows of output and reference belong together.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

import numpy as np

from assay import load, load_campaigns, score
from assay.learned import LearnedModel, Segment, open_comet, open_xcomet
from assay.metrics.windowed import split_segments
from assay.text.windows import cut_into_windows
from assay.types import FloatArray, TestSet
from scripts import archives
from scripts.official_scores.__main__ import FOLDER

CAMPAIGN = "wmt25"
HEAD = (
    "| | metric | outputs | truncated | not read of these | cut into windows | windows | most |",
    "|---|---|--:|--:|--:|--:|--:|--:|",
)

MATCH_HEAD = (
    "| | windows | chrF, whole | chrF, windows | chrF, each with the reference of the next | correlation |",
    "|---|--:|--:|--:|--:|--:|",
)
_LONG, _SAMPLE = 1400, 800  # characters of a segment's texts together; segments of a language pair


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


def matches() -> Iterator[str]:
    """The lines of the second table: 800 long segments of each language pair with a reference."""
    yield from MATCH_HEAD
    for campaign in load_campaigns(archives.unpacked(CAMPAIGN)):
        if campaign.testset is not None and campaign.testset.references:
            texts = [(each.output, each.source or "", each.reference or "") for each in _segments(campaign.testset)]
            long_ones = [each for each in texts if sum(map(len, each)) > _LONG and all(each)]
            for count in (2, 3):
                numbers = " | ".join(_match(random.Random(1).sample(long_ones, _SAMPLE), count))
                yield f"| {campaign.lp} | {count} | {numbers} |"


def _match(texts: Sequence[tuple[str, str, str]], count: int) -> Iterator[str]:
    cut = [(each, windows) for each in texts if (windows := cut_into_windows(each[0], each[1:], count))]
    outputs = [text[slice(*place)] for (text, *_), windows in cut for place, *_ in windows]
    references = [text[slice(*place)] for (*_, text), windows in cut for *_, place in windows]
    weights = np.array([len(text) for text in outputs], dtype=np.float64).reshape(-1, count)
    of_next = np.roll(np.array(references, dtype=object).reshape(-1, count), -1, axis=1).ravel().tolist()
    whole = _chrf([output for (output, *_), _ in cut], [reference for (*_, reference), _ in cut])
    right, wrong = (
        np.average(_chrf(outputs, column).reshape(-1, count), axis=1, weights=weights)
        for column in (references, of_next)
    )
    for values in (whole, right, wrong):
        yield f"{values.mean():.1f}"
    yield f"{np.corrcoef(whole, right)[0, 1]:.3f}"


def _chrf(outputs: Sequence[str], references: Sequence[str]) -> FloatArray:
    testset = load(outputs={"x": outputs}, references=references)
    return np.asarray(score(testset, "chrf", resamples=0)["chrf"].segments["x"])


if __name__ == "__main__":
    for line in itertools.chain(table(), [""], matches()):
        print(line, flush=True)
