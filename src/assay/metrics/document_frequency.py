"""In how many texts a word occurs: the weights of words in YiSi and BERTScore."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.metrics.tokenized_texts import TokenizedTexts
from assay.types import FloatArray

__all__ = ["DocumentFrequency", "joined_digest"]


@dataclass(frozen=True, slots=True)
class DocumentFrequency:
    """The number of texts, and of those with each word."""

    texts: int
    counts: Mapping[str, int]

    @classmethod
    def of(cls, texts: TokenizedTexts, columns: Iterable[int]) -> DocumentFrequency:
        """Of the texts of some columns together."""
        numbers: dict[str, int] = {}
        of_row = np.fromiter((numbers.setdefault(word, len(numbers)) for word in texts.words), dtype=np.int64)
        counts = np.zeros(len(numbers), dtype=np.int64)
        total = 0
        for column in columns:
            lengths = texts.lengths(column)
            text = np.repeat(np.arange(len(lengths)), lengths)
            pairs = np.unique(text * len(numbers) + of_row[texts.rows[column]])  # a word of a text, once
            counts += np.bincount(pairs % max(len(numbers), 1), minlength=len(numbers))
            total += int(texts.present[column].sum())
        return cls(total, {word: int(counts[number]) for word, number in numbers.items() if counts[number]})

    def of_words(self, words: Sequence[str], *, lower_if_unseen: bool = False) -> FloatArray:
        """How many texts have each word. `lower_if_unseen`: a word that none has is looked up in lower case."""
        found = (self.counts.get(word, 0) for word in words)
        if lower_if_unseen:
            found = (count or self.counts.get(word.lower(), 0) for word, count in zip(words, found, strict=True))
        return np.fromiter(found, dtype=np.float64, count=len(words))

    @property
    def digest(self) -> str:
        """The same for the same texts, in any order."""
        content = "\n".join([str(self.texts), *(f"{word} {count}" for word, count in sorted(self.counts.items()))])
        return _digest(content)


def joined_digest(digests: Sequence[str]) -> str:
    """One digest of several; of one, itself."""
    return digests[0] if len(digests) == 1 else _digest("\n".join(digests))


def _digest(content: str) -> str:
    import hashlib  # slow to import

    return hashlib.blake2b(content.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
