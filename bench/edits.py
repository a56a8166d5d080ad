"""TER compared with sacreBLEU and WER with jiwer, from Python lists to scores: segments, documents and Chinese."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sacrebleu.metrics import TER

from bench.harness import Case
from bench.kernels import corpus, ours
from tests.archives import texts

DOCUMENT = 4  # sentences
PART = 6  # only every 6th segment where sacreBLEU is slow


def cases() -> Iterator[Case]:
    """All comparisons on WMT22 en-de and WMT19 en-zh."""
    references, outputs = texts("wmt22", "en-de", ("refA",))
    reference, output = references["refA"], next(iter(outputs.values()))
    chinese = {"normalized": True, "asian_support": True}
    chinese_references, systems = texts("wmt19", "en-zh", ("ref",))
    chinese_reference, chinese_output = chinese_references["ref"], next(iter(systems.values()))
    yield few(corpus("TER", TER, {}, "ter", output, [reference], 200, 450))
    yield few(corpus("TER, normalized", TER, {"normalized": True}, "ter:normalized=yes", output, [reference], 200, 450))
    part = slice(None, None, PART)
    name = f"TER, documents of {DOCUMENT} (every {PART}th)"
    yield few(corpus(name, TER, {}, "ter", documents(output)[part], [documents(reference)[part]], 100, 200))
    spec = "ter:normalized=yes,asian=yes"
    name = f"TER of Chinese characters (en-zh, every {PART}th segment)"
    yield few(corpus(name, TER, chinese, spec, chinese_output[part], [chinese_reference[part]], 250, 500))
    yield from jiwer_cases(output, reference)


def few(case: Case) -> Case:
    """The case with three rounds, because sacreBLEU takes seconds."""
    return Case(**{**vars(case), "rounds": 3})


def documents(column: list[str]) -> list[str]:
    """Join several sentences to a line."""
    return [" ".join(column[i : i + DOCUMENT]) for i in range(0, len(column), DOCUMENT)]


def jiwer_cases(output: list[str], reference: list[str]) -> Iterator[Case]:
    """WER. jiwer splits only at U+0020, so all other white space is replaced first, for both tools."""
    try:
        import jiwer
    except ImportError:
        return
    words, reference_words = ([" ".join(line.split()) for line in column] for column in (output, reference))

    def agree(expected: float, found: Any) -> None:
        np.testing.assert_allclose(found.corpus["x"], 100 * expected, rtol=0, atol=1e-9)

    yield Case(
        "WER",
        "jiwer",
        lambda: jiwer.wer(reference_words, words),
        lambda: ours("wer", {"x": words}, [reference_words]),
        agree,
        10,
        25,
    )
