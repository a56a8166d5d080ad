"""Segments in which two systems differ most, with a word diff of their outputs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from assay.errors import ConfigError
from assay.lazily import numpy as np
from assay.results import DiffSpan, Example, Examples, WordDiff
from assay.results.ties import score_differences
from assay.types import Column, FloatArray, IntArray, Note, NoteKind, TestSet, present
from assay.types.note import plural

__all__ = ["examples", "word_diff"]

# White space, a Han or kana character (there are no spaces between words), or a run of anything else.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
_CHUNKS = re.compile(rf"\s+|[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_LONG = 2000  # words; comparing longer texts exactly would take too long


def examples(
    testset: TestSet,
    first: str,
    second: str,
    segment_scores: Mapping[str, FloatArray],
    count: int = 5,
    *,
    metric: str,
    higher_is_better: bool = True,
) -> Examples:
    """The `count` segments in which the first system is better by most, and those in which the second is.

    `segment_scores` are those of a metric by system, NaN where there is none. Segments in which the systems have the
    same score are no examples; of equal differences, that of the earlier segment comes first.
    """
    if count < 0:
        raise ConfigError(f"the number of examples must be non-negative, not {count}")
    has_outputs = present(testset.output(first)) & present(testset.output(second))
    better_by = np.where(has_outputs, score_differences(segment_scores[first], segment_scores[second]), np.nan)
    if not higher_is_better:
        better_by = -better_by
    n = int(np.count_nonzero(~np.isnan(better_by)))

    def described(segments: IntArray) -> tuple[Example, ...]:
        scores = (segment_scores[first], segment_scores[second])
        return tuple(_example(testset, first, second, scores, i, better_by[i]) for i in segments.tolist())

    return Examples(
        metric=metric,
        first=first,
        second=second,
        best=described(_largest(better_by, count)),
        worst=described(_largest(-better_by, count)),
        n=n,
        notes=tuple(_notes(len(testset), n, f"{metric}, {first} and {second}")),
    )


def _largest(differences: FloatArray, count: int) -> IntArray:
    """The segments with the largest positive differences."""
    positive = np.flatnonzero(differences > 0)
    order: IntArray = positive[np.argsort(-differences[positive], kind="stable")]
    return order[:count]


def _notes(segments: int, n: int, where: str) -> Iterator[Note]:
    if n < segments:
        text = f"excluded {segments - n:,} of {plural(segments, 'segment')}, which lack an output or a score"
        yield Note(NoteKind.EXCLUDED, text, where=where, count=segments - n)


def _example(
    testset: TestSet, first: str, second: str, scores: tuple[FloatArray, FloatArray], place: int, better_by: float
) -> Example:
    def text(column: Column | None) -> str | None:
        return None if column is None else column[place]

    outputs = (testset.outputs[first][place] or "", testset.outputs[second][place] or "")
    references = {name: column[place] for name, column in testset.references.items()}
    return Example(
        segment=place + 1,
        name=testset.items[place] if testset.items else None,
        document=text(testset.documents),
        source=text(testset.sources),
        references={name: reference for name, reference in references.items() if reference is not None},
        first_output=outputs[0],
        second_output=outputs[1],
        first_score=float(scores[0][place]),
        second_score=float(scores[1][place]),
        better_by=float(better_by),
        diff=word_diff(*outputs),
    )


def word_diff(first: str, second: str) -> WordDiff:
    """Two texts in spans of words that they have in common, in the same order, and words in which they differ.

    Punctuation at the borders of words counts as words of its own; Chinese and Japanese are compared by character.
    White space between two words that differ belongs to their span, and any other to the common words beside it.
    """
    words, other_words = _words(first), _words(second)
    common, other_common = _common(words, other_words)
    return WordDiff(_spans(words, common), _spans(other_words, other_common))


def _words(text: str) -> list[str]:
    """Words, punctuation marks and white space; together they are the text."""
    return [word for chunk in _CHUNKS.findall(text) for word in _without_borders(chunk)]


def _without_borders(chunk: str) -> Iterator[str]:
    """A word, with the punctuation marks before and after it as words of their own."""
    if chunk.isspace():
        yield chunk
        return
    start, end = 0, len(chunk)
    while start < end and _is_punctuation(chunk[start]):
        start += 1
    while end > start and _is_punctuation(chunk[end - 1]):
        end -= 1
    yield from chunk[:start]
    if start < end:
        yield chunk[start:end]
    yield from chunk[end:]


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _common(first: Sequence[str], second: Sequence[str]) -> tuple[list[bool | None], list[bool | None]]:
    """Which words of each text the other has, too; None for white space."""
    import difflib  # slow to import, and only needed for examples

    places = [[i for i, word in enumerate(words) if not word.isspace()] for words in (first, second)]
    words, other_words = ([text[i] for i in own] for text, own in zip((first, second), places, strict=True))
    is_long = max(len(words), len(other_words)) > _LONG
    blocks = difflib.SequenceMatcher(None, words, other_words, autojunk=is_long).get_matching_blocks()
    marks: tuple[list[bool | None], list[bool | None]] = [None] * len(first), [None] * len(second)
    for side, own in enumerate(places):
        for i in own:
            marks[side][i] = False
        for block in blocks:
            start = block[side]
            for i in own[start : start + block.size]:
                marks[side][i] = True
    return marks


def _spans(words: Sequence[str], common: Sequence[bool | None]) -> tuple[DiffSpan, ...]:
    runs = groupby(range(len(words)), key=lambda place: _is_same(common, place))
    return tuple(DiffSpan("".join(words[i] for i in run), is_same) for is_same, run in runs)


def _is_same(common: Sequence[bool | None], place: int) -> bool:
    """Of a word, or of white space: not the same only between words that are not."""
    mark = common[place]
    if mark is not None:
        return mark
    return any(common[i] is True for i in (place - 1, place + 1) if 0 <= i < len(common))
