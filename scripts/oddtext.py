"""Text that tokenisers and counters trip over, from a seed."""

from __future__ import annotations

import os
import random

SEED = int(os.environ.get("ASSAY_TEST_SEED", "20240613"))

_PIECES = (
    # white space of many kinds
    *(" ", " ", " ", "  ", "\t", "\u00a0", "\u3000", "\u2028", "\u2009", "\x85", "\x1c", "\n", "\r", "\v"),
    # runs that mteval's rules consume in pairs
    *(".", ",", "..", "...", "....", ",.", ",,", "-", "--", "1", "23", "4.5", "6,7", "8-9", "0.", ".0", "1.,2"),
    # words
    *("a", "b", "the", "the", "cat", "Hello", "über", "straße", "naïve", "x" * 70, "7" * 65, "don't", "(hi)", "U.S."),
    # entities and markup
    *("&quot;", "&amp;", "&amp;lt;", "&lt;", "&gt;", "&", "<", "<skipped>", "<skip", "-\n", "&quot", "&apos;"),
    # symbols and punctuation in ASCII and beyond
    *("$", "%", "'", '"', "„", "“", "…", "—", "¿", "/", "{", "@", "_", "€", "°", "+", "«", "〜"),
    # scripts, planes and oddities
    *("中", "文", "。", "，", "かな", "한국", "Привет", "İ", "ﬁ", "٣", "½", "１", "ⅷ", "\U00020000", "😀", "𝟙"),
    *("e\u0301", "\u200b", "\ufeff", "\u2f81", "\uff0c", "\x00", "\U000e0041", "नमस्ते", "ไทย", "👩‍👩‍👧"),
)


def odd_line(rng: random.Random) -> str:
    """One line, often short, sometimes empty, sometimes beyond 64 or 128 characters."""
    return "".join(rng.choice(_PIECES) for _ in range(rng.choice((0, 1, 2, 3, 5, 8, 13, 21, 40, 90))))


def odd_pair(rng: random.Random, references: int) -> tuple[str, list[str]]:
    """An output and references that share most of their pieces."""
    pieces = [rng.choice(_PIECES) for _ in range(rng.choice((0, 1, 2, 3, 5, 8, 13, 21, 40)))]

    def variant() -> str:
        changed = [rng.choice(_PIECES) if rng.random() < 0.25 else piece for piece in pieces]
        return "".join(changed[: rng.randint(0, len(changed))] if rng.random() < 0.2 else changed)

    if rng.random() < 0.05:
        return odd_line(rng), [odd_line(rng) for _ in range(references)]
    return variant(), [variant() for _ in range(references)]
