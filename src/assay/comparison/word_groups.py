"""Precision, recall and F-measure of groups of words: which words does a system get right?

A word of an output is right as often as the reference has it in the same segment (clipped counts). With several
references, each output is matched with one reference per segment: the one that gives its highest F-measure over all
words, the first of equals. The group of a word depends on its spelling and on how the texts use it, so the words of the
outputs and of the references are in the same group.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from assay.comparison.token_counts import AUTO, Counts, TokenizedPair, matches, sums, tokenize_pair
from assay.errors import ConfigError, nearest
from assay.lazily import numpy as np
from assay.results import WordCounts, WordGroup, WordGroups
from assay.types import IntArray, TestSet

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["WORD_GROUPINGS", "word_groups"]

WORD_GROUPINGS = ("frequency", "case", "script", "kind")

_FREQUENCIES = {0: "0", 1: "1", 2: "2", 3: "3-4", 5: "5-9", 10: "10-99", 100: "100-999", 1000: "1000+"}
_CASES = ("lower case", "capitalised", "all caps", "mixed case", "no case")
_KINDS = ("number", "entity-like", "other word", "punctuation")
_MOST_SEGMENTS = 100  # of a group of words, for each system
_SCRIPT_END = {"LETTER", "SYLLABLE", "SYLLABICS", "CAPITAL", "SMALL", "CHARACTER", "UNIFIED", "COMPATIBILITY", "VOWEL"}


def word_groups(
    testset: TestSet, first: str, second: str, *, groupings: Iterable[str] = WORD_GROUPINGS, tok: str = AUTO
) -> WordGroups:
    """The words of two systems by group.

    - frequency: how often the references have the word (the largest count in any one reference); 0: never
    - case: lower case, capitalised, all caps (two letters or more), mixed case, no case
    - script: of its letters; `none` without letters, `mixed` with several scripts
    - kind: number (with a digit), entity-like (capitalised inside a sentence), punctuation (neither letter nor digit),
      other word. In languages that capitalise all nouns, such as German, nouns are entity-like, too.
    """
    pair = tokenize_pair(testset, first, second, tok=tok)
    labels = {grouping: _labels(grouping, pair) for grouping in groupings}
    words = next(pair.ngrams(1))
    of_first, of_second = (_matched_words(output, words.references, pair) for output in words.outputs)
    groups = [
        group for grouping in labels for group in _groups(grouping, labels[grouping], of_first, of_second, len(testset))
    ]
    return WordGroups(first, second, pair.n, {"tok": pair.tok}, tuple(groups), notes=pair.notes)


@dataclass(frozen=True, slots=True, eq=False)
class _MatchedWords:
    """The words of a system, matched with the best reference of each segment."""

    totals: IntArray
    """(matches, output words or reference words; word): how often each word occurs."""
    output: Counts
    right: IntArray
    """How often each entry of the output is right."""

    def right_by_segment(self, group_of_word: IntArray, groups: int, segments: int) -> IntArray:
        """(group, segment): how many words of the group are right."""
        places = group_of_word[self.output.ids] * segments + self.output.segments
        return sums(places, self.right, groups * segments).reshape(groups, segments)


def _matched_words(output: Counts, references: Iterable[Counts], pair: TokenizedPair) -> _MatchedWords:
    segments, size = len(pair.compared), len(pair.vocabulary)
    columns = list(references)
    matched = np.stack([matches(output, reference) for reference in columns])
    output_lengths = sums(output.segments, output.counts, segments)
    f_measures = np.full((len(columns), segments), -1.0)
    for place, reference in enumerate(columns):
        lengths = output_lengths + sums(reference.segments, reference.counts, segments)
        found = sums(output.segments, matched[place], segments)
        f_measures[place] = np.where(pair.has_reference[place], 2 * found / np.maximum(lengths, 1), -1.0)
    best = f_measures.argmax(axis=0)
    right = matched[best[output.segments], np.arange(len(output.ids))]
    reference_words = np.zeros(size, dtype=np.int64)
    for place, reference in enumerate(columns):
        used = best[reference.segments] == place
        reference_words += sums(reference.ids[used], reference.counts[used], size)
    totals = np.stack([sums(output.ids, right, size), sums(output.ids, output.counts, size), reference_words])
    return _MatchedWords(totals, output, right)


def _groups(
    grouping: str, labels: list[str], first: _MatchedWords, second: _MatchedWords, segments: int
) -> Iterator[WordGroup]:
    """The groups of one grouping that have a word."""
    names, group_of_word = np.unique(np.array(labels, dtype=object), return_inverse=True)
    in_groups = [[sums(group_of_word, row, len(names)) for row in words.totals] for words in (first, second)]
    counts = {
        str(name): tuple(WordCounts(*(int(row[place]) for row in rows)) for rows in in_groups)
        for place, name in enumerate(names)
    }
    right = [words.right_by_segment(group_of_word, len(names), segments) for words in (first, second)]
    margins = dict(zip(counts, right[0] - right[1], strict=True))
    for name in _order(grouping, counts):
        first_counts, second_counts = counts[name]
        more_right = (_largest(margins[name]), _largest(-margins[name]))
        yield WordGroup(f"{grouping}:{name}", first_counts, second_counts, *more_right)


def _largest(margins: IntArray) -> tuple[int, ...]:
    """The segments (from 1) with the largest margins above 0, the largest first."""
    order = np.argsort(-margins, kind="stable")[:_MOST_SEGMENTS]
    return tuple((order[margins[order] > 0] + 1).tolist())


def _order(grouping: str, counts: Mapping[str, tuple[WordCounts, ...]]) -> list[str]:
    """A fixed order; for scripts, the most frequent in the references first."""
    fixed = {"frequency": tuple(_FREQUENCIES.values()), "case": _CASES, "kind": _KINDS}
    if grouping in fixed:
        return [name for name in fixed[grouping] if name in counts]
    return sorted(counts, key=lambda name: (-sum(system.reference_words for system in counts[name]), name))


def _labels(grouping: str, pair: TokenizedPair) -> list[str]:
    """The group of each word of the vocabulary."""
    labellers: Mapping[str, Callable[[TokenizedPair], list[str]]] = {
        "frequency": _frequencies,
        "case": lambda pair: [_case(word) for word in pair.vocabulary],
        "script": lambda pair: [_script(word) for word in pair.vocabulary],
        "kind": _kinds,
    }
    if grouping not in labellers:
        raise ConfigError(f"unknown grouping of words '{grouping}'", hint=nearest(grouping, labellers))
    return labellers[grouping](pair)


def _frequencies(pair: TokenizedPair) -> list[str]:
    column, size = pair.column, len(pair.vocabulary)
    counts = [np.bincount(pair.token[column == place], minlength=size) for place in range(2, pair.columns)]
    starts, names = list(_FREQUENCIES), list(_FREQUENCIES.values())
    return [names[bisect_right(starts, count) - 1] for count in np.max(counts, axis=0).tolist()]


def _case(word: str) -> str:
    cased = [c for c in word if c.lower() != c.upper()]
    if not cased:
        return "no case"
    if all(map(str.islower, cased)):
        return "lower case"
    if len(cased) > 1 and all(map(str.isupper, cased)):
        return "all caps"
    return (
        "capitalised" if not cased[0].islower() and (all(map(str.islower, cased[1:])) or word.istitle()) else _CASES[3]
    )


def _script(word: str) -> str:
    scripts = {_script_of(c) for c in unicodedata.normalize("NFKC", word) if unicodedata.category(c) in _LETTERS}
    return "mixed" if len(scripts) > 1 else next(iter(scripts), "none")


_LETTERS = ("Lu", "Ll", "Lt", "Lo")  # modifier letters belong to several scripts


@cache
def _script_of(letter: str) -> str:
    """The first words of its Unicode name: `CYRILLIC CAPITAL LETTER A`, `OLD TURKIC LETTER ORKHON A`."""
    words = unicodedata.name(letter, "UNKNOWN").split()
    end = next((place for place, word in enumerate(words) if word in _SCRIPT_END), 1)
    name = " ".join(words[:end]).title()
    return "Han" if name in ("Cjk", "Ideographic") else name


def _kinds(pair: TokenizedPair) -> list[str]:
    return list(map(_kind, pair.vocabulary, _capitalised_inside(pair).tolist()))


def _kind(word: str, is_capitalised_inside: bool) -> str:
    if any(map(str.isdecimal, word)):
        return "number"
    if not any(map(str.isalnum, word)):
        return "punctuation"
    return "entity-like" if is_capitalised_inside else "other word"


def _capitalised_inside(pair: TokenizedPair) -> npt.NDArray[np.bool_]:
    """Which words are capitalised and stand inside a sentence somewhere: after a word, a number or a comma.

    The references decide; for words that they do not have, the outputs. A single letter is no entity (English *I*).
    """
    size = len(pair.vocabulary)
    continues = np.array([word == "," or any(map(str.isalnum, word)) for word in pair.vocabulary], dtype=np.bool_)
    inside = np.zeros(len(pair.token), dtype=np.bool_)
    inside[1:] = (pair.text[1:] == pair.text[:-1]) & continues[pair.token[:-1]]
    of_references = pair.column >= 2

    def words(tokens: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        return np.bincount(pair.token[tokens], minlength=size) > 0

    used = np.where(words(of_references), words(inside & of_references), words(inside & ~of_references))
    capitalised = np.array([len(word) > 1 and word[0].isupper() for word in pair.vocabulary], dtype=np.bool_)
    found: npt.NDArray[np.bool_] = used & capitalised
    return found
