"""Significance tests and corrections as the literature writes them."""

from __future__ import annotations

__all__ = ["correction_words", "significance_test_label"]

_TESTS = {"paired-t": "paired t", "pooled-t": "pooled t", "williams": "Williams", "wilcoxon": "Wilcoxon"}
_CORRECTIONS = {
    "benjamini-hochberg": "Benjamini–Hochberg",
    "benjamini-yekutieli": "Benjamini–Yekutieli",
    "bonferroni": "Bonferroni",
    "holm": "Holm",
}


def significance_test_label(test: str) -> str:
    """A test as the literature writes it: Williams."""
    return _TESTS.get(test, test)


def correction_words(correction: str, tests: str) -> str:
    """What p-values are corrected for, with the correction as the literature writes it: Holm."""
    if correction == "none":
        return f"not corrected for {tests}"
    return f"after {_CORRECTIONS.get(correction, correction)} correction for {tests}"
