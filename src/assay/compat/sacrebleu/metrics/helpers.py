"""N-gram counts as sacreBLEU returns them, for code that calls these functions itself. Assay's metrics do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

__all__ = ["extract_all_char_ngrams", "extract_all_word_ngrams", "extract_char_ngrams", "extract_word_ngrams"]


def extract_word_ngrams(tokens: Sequence[str], n: int) -> Counter[str]:
    """The n-grams of a list of words, each joined with spaces."""
    return Counter(" ".join(tokens[k : k + n]) for k in range(len(tokens) - n + 1))


def extract_all_word_ngrams(line: str, min_order: int, max_order: int) -> tuple[Counter[tuple[str, ...]], int]:
    """The n-grams of all orders as tuples of words, and the number of words."""
    tokens = tuple(line.split())
    starts = range(len(tokens))
    orders = range(min_order, max_order + 1)
    ngrams = Counter(tokens[k : k + n] for n in orders for k in starts[: max(0, len(tokens) - n + 1)])
    return ngrams, len(tokens)


def extract_char_ngrams(line: str, n: int, include_whitespace: bool = False) -> Counter[str]:
    """The n-grams of the characters, without white space unless it is included."""
    text = line if include_whitespace else "".join(line.split())
    return Counter(text[k : k + n] for k in range(len(text) - n + 1))


def extract_all_char_ngrams(line: str, max_order: int, include_whitespace: bool = False) -> list[Counter[str]]:
    """The n-grams of the characters, a counter for each order."""
    return [extract_char_ngrams(line, n, include_whitespace) for n in range(1, max_order + 1)]
