"""Slow and obvious counts of n-grams and words, to check the fast ones against."""

from __future__ import annotations

from collections import Counter

from assay import _core

__all__ = ["compared_segments", "ngrams", "tokens", "word_counts"]


def tokens(text, tok, *, lowercase=False):
    return _core.tokenize(text.lower() if lowercase else text, tok)


def ngrams(words, order):
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


def compared_segments(testset, first, second):
    for i in range(len(testset)):
        references = [column[i] for column in testset.references.values() if column[i] is not None]
        outputs = (testset.outputs[first][i], testset.outputs[second][i])
        if references and None not in outputs:
            yield i, outputs, references


def word_counts(testset, first, second, tok):
    """For each system: how often each word is right, in the outputs, and in the best references."""
    totals = [(Counter(), Counter(), Counter()) for _ in range(2)]
    for _, outputs, references in compared_segments(testset, first, second):
        for system, text in enumerate(outputs):
            output = Counter(tokens(text, tok))
            best, best_f = None, -1.0
            for candidate in references:
                reference = Counter(tokens(candidate, tok))
                f = 2 * (output & reference).total() / max(output.total() + reference.total(), 1)
                if f > best_f:
                    best, best_f = reference, f
            for total, found in zip(totals[system], (output & best, output, best), strict=True):
                total.update(found)
    return totals
