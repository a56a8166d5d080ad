"""N-grams and groups of words that one system gets right more often, with the segments that show it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.comparison.ngrams import ngram_differences
from assay.comparison.words import word_groups
from assay.reports.html.segments.scored_texts import ScoredTexts
from assay.results import NgramDifference, NgramDifferences, WordGroup, WordGroups
from assay.types import TestSet, present

__all__ = ["Gains", "Side", "gains"]

_NGRAMS = 12  # are shown for each system
_CANDIDATES = 100  # of which many are pieces of one phrase
_LEAST = 2  # occurrences more: one more is no habit of a system
_TITLES = {"frequency": "Times in the references", "case": "Case", "script": "Script", "kind": "Kind"}


@dataclass(frozen=True, slots=True)
class Side:
    """One of two systems, and the n-grams that it gets right more often."""

    css: str
    """The class of its colour: a or b."""
    system: str
    ngrams: Sequence[NgramDifference]


@dataclass(frozen=True, slots=True)
class Gains:
    """The gains and losses of a pair."""

    first: str
    second: str
    ngrams: NgramDifferences | None
    words: WordGroups | None

    @property
    def sides(self) -> tuple[Side, ...]:
        """The first and the second system, without one that has no n-grams to show."""
        if self.ngrams is None:
            return ()
        best, worst = _phrases(self.ngrams.best), _phrases(self.ngrams.worst)
        both = (Side("a", self.first, best), Side("b", self.second, worst))
        return tuple(side for side in both if side.ngrams)

    @property
    def word_groups(self) -> list[tuple[str, list[tuple[str, WordGroup]]]]:
        """The groups of words with their labels, by grouping. Words that no reference has cannot be right."""
        found: dict[str, list[tuple[str, WordGroup]]] = {}
        for group in self.words.groups if self.words else ():
            grouping, _, label = group.group.partition(":")
            if group.reason is None:
                found.setdefault(_TITLES.get(grouping, grouping), []).append((label, group))
        return list(found.items())


def _phrases(ngrams: Iterable[NgramDifference]) -> list[NgramDifference]:
    """One n-gram of each phrase: those that are found in the same segments are its pieces. Of them, the first."""
    found: dict[tuple[tuple[int, ...], ...], NgramDifference] = {}
    for ngram in ngrams:
        if abs(ngram.first_matches - ngram.second_matches) >= _LEAST:
            found.setdefault((ngram.first_segments, ngram.second_segments), ngram)
    return list(found.values())[:_NGRAMS]


def gains(scored: ScoredTexts, *, texts: bool) -> list[Gains]:
    """Those that the results hold, by pair, with the pair shown first at the top; without any, those of this pair.

    The latter need the texts at hand. Without `texts` there are no n-grams, which are pieces of text.
    """
    held: dict[tuple[str, str], dict[type, NgramDifferences | WordGroups]] = {}
    for each in _contrasts(scored):
        contrast = each.reversed() if (each.second, each.first) == scored.pair else each
        held.setdefault((contrast.first, contrast.second), {})[type(contrast)] = contrast
    found = []
    for (first, second), kinds in held.items():
        ngrams, words = kinds.get(NgramDifferences), kinds.get(WordGroups)
        found.append(
            Gains(
                first,
                second,
                ngrams if texts and isinstance(ngrams, NgramDifferences) else None,
                words if isinstance(words, WordGroups) else None,
            )
        )
    shown = [each for each in found if each.ngrams or each.words]
    return sorted(shown, key=lambda each: {each.first, each.second} != set(scored.pair))


def _contrasts(scored: ScoredTexts) -> Iterable[NgramDifferences | WordGroups]:
    held = [each for each in scored.contrasts if isinstance(each, NgramDifferences | WordGroups)]
    if held or len(scored.pair) < 2 or scored.testset is None or not _is_comparable(scored.testset, scored.pair):
        return held
    first, second = scored.pair
    return (
        ngram_differences(scored.testset, first, second, count=_CANDIDATES),
        word_groups(scored.testset, first, second),
    )


def _is_comparable(testset: TestSet, pair: tuple[str, ...]) -> bool:
    """Whether any segment has the outputs of both systems and a reference."""
    both = present(testset.output(pair[0])) & present(testset.output(pair[1]))
    return any((both & present(column)).any() for column in testset.references.values())
