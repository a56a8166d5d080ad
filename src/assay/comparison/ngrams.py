"""N-grams that one system gets right and another does not, as in compare-mt (Neubig et al. 2019).

An n-gram of an output is right as often as the references have it: its count is clipped at the largest count in any one
reference of the segment, as in BLEU. N-grams are ordered by the first system's share of the matches,

    score = (first + alpha) / (first + second + 2 alpha)

where alpha keeps n-grams that were matched only once from the top.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.comparison.token_counts import AUTO, Counts, Ngrams, TokenizedPair, matches, sums, tokenize_pair
from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.results import NgramDifference, NgramDifferences
from assay.types import FloatArray, IntArray, TestSet

__all__ = ["ngram_differences"]


def ngram_differences(
    testset: TestSet,
    first: str,
    second: str,
    *,
    count: int = 10,
    min_order: int = 1,
    max_order: int = 4,
    min_count: int = 1,
    alpha: float = 1.0,
    tok: str = AUTO,
    lowercase: bool = False,
) -> NgramDifferences:
    """The `count` n-grams that the first system gets right most often in comparison to the second, and the reverse.

    `min_count` is the smallest number of matches of the better system. Of n-grams with the same score, those with the
    larger difference come first, then the longer ones, then in the order of their text. A part of an n-gram in the list
    with the same numbers of matches is left out, because it says the same.
    """
    _check(count=count, min_order=min_order, max_order=max_order, min_count=min_count, alpha=alpha)
    pair = tokenize_pair(testset, first, second, tok=tok, lowercase=lowercase)
    orders = [_Matched.of(ngrams) for ngrams in pair.ngrams(max_order) if ngrams.order >= min_order]
    settings = {
        "tok": pair.tok,
        "case": "lc" if lowercase else "mixed",
        "order": f"{min_order}-{max_order}",
        "min_count": str(min_count),
        "alpha": f"{alpha:g}",
    }
    return NgramDifferences(
        first=first,
        second=second,
        best=_unbalanced(orders, pair, 0, count, min_count, alpha),
        worst=_unbalanced(orders, pair, 1, count, min_count, alpha),
        n=pair.n,
        settings=settings,
        notes=pair.notes,
    )


def _check(*, count: int, min_order: int, max_order: int, min_count: int, alpha: float) -> None:
    if not 1 <= min_order <= max_order:
        raise ConfigError(f"the orders of n-grams must be 1 or more, not {min_order} to {max_order}")
    if min_count < 1 or count < 0:
        raise ConfigError(f"min_count must be positive and count non-negative, not {min_count} and {count}")
    if not 0 < alpha < float("inf"):
        raise ConfigError(f"alpha must be positive and finite, not {alpha:g}")


@dataclass(frozen=True, slots=True, eq=False)
class _Matched:
    """N-grams of one order, and how often each system gets them right."""

    ngrams: Ngrams
    totals: IntArray
    """(system, n-gram)"""
    reference_counts: IntArray
    matches: tuple[IntArray, IntArray]
    """Of each entry of the outputs of each system."""

    @classmethod
    def of(cls, ngrams: Ngrams) -> _Matched:
        reference = _largest(ngrams.references)
        matched = (matches(ngrams.outputs[0], reference), matches(ngrams.outputs[1], reference))
        size = len(ngrams.tokens)
        totals = [sums(output.ids, found, size) for output, found in zip(ngrams.outputs, matched, strict=True)]
        return cls(ngrams, np.stack(totals), sums(reference.ids, reference.counts, size), matched)

    def segments(self, ngram: int) -> Iterator[tuple[int, ...]]:
        """The segments (from 1) in which the first, then the second system has more matches of an n-gram."""
        found: list[dict[int, int]] = []
        for output, matched in zip(self.ngrams.outputs, self.matches, strict=True):
            entries = np.flatnonzero((output.ids == ngram) & (matched > 0))
            found.append(dict(zip(output.segments[entries].tolist(), matched[entries].tolist(), strict=True)))
        for own, other in (found, found[::-1]):
            yield tuple(segment + 1 for segment, matched in own.items() if matched > other.get(segment, 0))


def _largest(references: Sequence[Counts]) -> Counts:
    """The largest count of each n-gram in any one reference of a segment."""
    if len(references) == 1:
        return references[0]
    keys = np.concatenate([reference.keys for reference in references])
    order = np.argsort(keys, kind="stable")
    unique, starts = np.unique(keys[order], return_index=True)
    if not len(unique):
        return references[0]

    def merged(name: str) -> IntArray:
        values: IntArray = np.concatenate([getattr(reference, name) for reference in references])[order]
        return values

    counts = np.maximum.reduceat(merged("counts"), starts)
    return Counts(merged("segments")[starts], merged("ids")[starts], counts, unique)


def _unbalanced(
    orders: Sequence[_Matched], pair: TokenizedPair, system: int, count: int, min_count: int, alpha: float
) -> tuple[NgramDifference, ...]:
    """The n-grams that one of the systems gets right more often, the most unbalanced first."""
    longest = orders[-1].ngrams.order
    most_parts = longest * (longest + 1) // 2  # of an n-gram, itself included
    candidates: list[tuple[tuple[float, int, int, tuple[str, ...]], int, _Matched]] = []
    for matched in orders:
        own, other = matched.totals[system], matched.totals[1 - system]
        scores, margins = _share(own, other, alpha), own - other
        unbalanced = np.flatnonzero((margins > 0) & (own >= min_count))
        for ngram in _top(unbalanced, scores, margins, count * most_parts).tolist():
            words = tuple(pair.vocabulary[token] for token in matched.ngrams.tokens[ngram].tolist())
            candidates.append(((-float(scores[ngram]), -int(margins[ngram]), -len(words), words), ngram, matched))
    candidates.sort(key=lambda candidate: candidate[0])
    found: list[NgramDifference] = []
    said: set[tuple[tuple[str, ...], int, int]] = set()
    for (*_, words), ngram, matched in candidates:
        first, second = matched.totals[:, ngram].tolist()
        if len(found) < count and (words, first, second) not in said:
            said.update((part, first, second) for part in _parts(words))
            found.append(_difference(words, matched, ngram, alpha))
    return tuple(found)


def _parts(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """All n-grams of an n-gram."""
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            yield words[start:end]


def _top(ngrams: IntArray, scores: FloatArray, margins: IntArray, count: int) -> IntArray:
    """Those that may be among the first `count`, with all that equal the last of them: their texts decide."""
    ordered: IntArray = ngrams[np.lexsort((-margins[ngrams], -scores[ngrams]))]
    if not 0 < count < len(ordered):
        return ordered if count else ordered[:0]
    last = ordered[count - 1]
    same = (scores[ordered] == scores[last]) & (margins[ordered] == margins[last])
    kept: IntArray = ordered[(np.arange(len(ordered)) < count) | same]
    return kept


def _share(own: IntArray, other: IntArray, alpha: float) -> FloatArray:
    share: FloatArray = (own + alpha) / (own + other + 2 * alpha)
    return share


def _difference(words: tuple[str, ...], matched: _Matched, ngram: int, alpha: float) -> NgramDifference:
    first, second = matched.totals[:, ngram]
    first_segments, second_segments = matched.segments(ngram)
    return NgramDifference(
        tokens=words,
        first_matches=int(first),
        second_matches=int(second),
        reference_count=int(matched.reference_counts[ngram]),
        score=float(_share(first, second, alpha)),
        first_segments=first_segments,
        second_segments=second_segments,
    )
