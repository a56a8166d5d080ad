"""TER compared with sacreBLEU and WER with jiwer, from Python lists to scores: segments, documents and Chinese."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bench.harness import Case
from bench.kernels import corpus, score
from tests.archives import texts

DOCUMENT = 4  # sentences
PART = 6  # only every 6th segment where sacreBLEU is slow


def cases() -> Iterator[Case]:
    """All comparisons on WMT22 en-de and WMT19 en-zh. sacreBLEU takes seconds, so there are three rounds."""
    references, outputs = texts("wmt22", "en-de", ("refA",))
    reference, output = references["refA"], next(iter(outputs.values()))
    yield corpus("TER", "TER()", "ter", output, [reference], 420, 520, rounds=3)
    normalized = "TER(normalized=True)", "ter:normalized=yes"
    yield corpus("TER, normalized", *normalized, output, [reference], 200, 450, rounds=3)
    part = slice(None, None, PART)
    name = f"TER, documents of {DOCUMENT} (every {PART}th)"
    joined, joined_reference = documents(output)[part], documents(reference)[part]
    yield corpus(name, "TER()", "ter", joined, [joined_reference], 100, 200, rounds=3)
    chinese_references, systems = texts("wmt19", "en-zh", ("ref",))
    chinese, chinese_reference = next(iter(systems.values()))[part], chinese_references["ref"][part]
    name = f"TER of Chinese characters (en-zh, every {PART}th segment)"
    characters = "TER(normalized=True, asian_support=True)", "ter:normalized=yes,asian=yes"
    yield corpus(name, *characters, chinese, [chinese_reference], 250, 500, rounds=3)
    yield from jiwer_cases(output, reference)


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
        "jiwer.wer(reference, output)",
        'score("wer", {"x": output}, [reference])',
        {"jiwer": jiwer, "score": score, "output": words, "reference": reference_words},
        agree,
        16,
        25,
    )
