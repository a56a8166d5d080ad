"""The character n-grams of fastText (Bojanowski et al. 2017), which give a vector to any word.

A word is written between `<` and `>`. Each n-gram of minn to maxn characters is hashed to one of the rows (`buckets`)
of a table; the vector of a word is the mean of its own row, if it has one, and of the rows of its n-grams. As fastText
does it: an n-gram of one character does not start or end the word; bytes above 127 are hashed as negative numbers; the
end of a sentence, `</s>`, has no n-grams.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.vectors.packed_words import PackedWords, fnv1a

__all__ = ["NgramTable"]

_END_OF_SENTENCE = b"</s>"
_HASHED = 4096  # words whose n-grams are hashed together
_GATHERED = 64  # words whose rows of n-grams, some 20 each, are gathered together; they fit into the cache


@dataclass(frozen=True, slots=True)
class NgramTable:
    """The rows of n-grams, and how n-grams are made. Rows are bytes, because they may lie anywhere in a file."""

    minn: int
    maxn: int
    rows: npt.NDArray[np.uint8]
    """(bucket, 4 * dimension): little-endian float32."""

    def sums(self, words: Sequence[bytes]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        """(word, dimension): the sum of the rows of each word's n-grams, and how many n-grams it has."""
        total = np.zeros((len(words), self.rows.shape[1] // 4), dtype=np.float32)
        counts = np.zeros(len(words), dtype=np.int64)
        for start in range(0, len(words), _HASHED):
            block = slice(start, start + _HASHED)
            buckets, counts[block] = self.buckets(words[block])
            self._add(total[block], buckets, counts[block])
        return total, counts

    def _add(
        self, total: npt.NDArray[np.float32], buckets: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]
    ) -> None:
        """Add the rows of n-grams to the words they belong to, a few words at a time."""
        ends = np.cumsum(counts)
        with_ngrams = np.flatnonzero(counts)
        for start in range(0, len(with_ngrams), _GATHERED):
            words = with_ngrams[start : start + _GATHERED]
            first = ends[words[0]] - counts[words[0]]
            gathered = np.take(self.rows, buckets[first : ends[words[-1]]], axis=0).view(np.dtype("<f4"))
            total[words] = np.add.reduceat(gathered, ends[words] - counts[words] - first, axis=0)

    def means(self, words: Sequence[bytes]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """(word, dimension): the mean of the rows of each word's n-grams, zeros without any; and which have one."""
        sums, counts = self.sums(words)
        means = sums / np.maximum(counts, 1, dtype=np.float32)[:, None]
        has_mean = (counts > 0) & np.isfinite(means).all(axis=1)
        return np.where(has_mean[:, None], means, np.float32(0)), has_mean

    def buckets(self, words: Sequence[bytes]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The rows of all n-grams, word by word, and the number of each word's n-grams."""
        bracketed = PackedWords.of([b"" if word == _END_OF_SENTENCE else b"<" + word + b">" for word in words])
        is_start = (bracketed.data & 0xC0) != 0x80  # not a continuation byte
        characters = np.append(np.flatnonzero(is_start), len(bracketed.data))
        first = np.searchsorted(characters, bracketed.starts)  # character of each word; an empty word has none
        end = np.searchsorted(characters, bracketed.offsets[1:])
        word_of = np.repeat(np.arange(len(words)), end - first)
        index = np.arange(len(characters) - 1)
        begins, ends, owners = [], [], []
        for n in range(self.minn, self.maxn + 1):
            fits = index + n <= end[word_of]
            if n == 1:
                fits &= (index > first[word_of]) & (index + 1 < end[word_of])
            begins.append(characters[index[fits]])
            ends.append(characters[index[fits] + n])
            owners.append(word_of[fits])
        begin, owner = np.concatenate(begins), np.concatenate(owners)
        signed = bracketed.data.view(np.int8).astype(np.int32).view(np.uint32)
        hashes = fnv1a(signed, begin, np.concatenate(ends) - begin)
        by_word = np.argsort(owner, kind="stable")
        return (hashes[by_word] % np.uint32(len(self.rows))).astype(np.int64), np.bincount(owner, minlength=len(words))
