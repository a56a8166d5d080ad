"""Small files of word vectors in each format."""

from __future__ import annotations

import gzip
import io
import json
import struct
import tarfile

import numpy as np

WORDS = ["the", "house", "Haus", "дом", "家", "naïve", "a", "</s>"]
MATRIX = (np.arange(len(WORDS) * 4, dtype=np.float32).reshape(-1, 4) - 7) / 8


def word2vec_text(words=WORDS, matrix=MATRIX, end=" \n"):
    return f"{len(words)} {len(matrix[0])}\n".encode() + glove(words, matrix, end)


def glove(words=WORDS, matrix=MATRIX, end="\n"):
    lines = (f"{word} {' '.join(f'{value:g}' for value in row)}{end}" for word, row in zip(words, matrix, strict=True))
    return "".join(lines).encode()


def word2vec_binary(words=WORDS, matrix=MATRIX, end=b"\n"):
    rows = (word.encode() + b" " + row.tobytes() + end for word, row in zip(words, matrix, strict=True))
    return f"{len(words)} {len(matrix[0])}\n".encode() + b"".join(rows)


def npz(words=WORDS, matrix=MATRIX):
    file = io.BytesIO()
    np.savez(file, words=np.array(words), vectors=matrix)
    return file.getvalue()


def wink(words=WORDS, matrix=MATRIX):
    vectors = {
        word: [*map(float, row), 1.5, index] for index, (word, row) in enumerate(zip(words, matrix, strict=True))
    }
    about = {"precision": 8, "l2NormIndex": 4, "wordIndex": 5, "size": len(words), "dimensions": len(matrix[0])}
    return json.dumps(
        {**about, "words": words, "vectors": vectors, "unkVector": [0] * 6}, separators=(",", ":")
    ).encode()


def navec(words=WORDS, codes=None, centroids=None):
    """Without codes and centroids, two parts of each vector are the halves of MATRIX."""
    codes = np.repeat(np.arange(len(words), dtype=np.uint8)[:, None], 2, axis=1) if codes is None else codes
    centroids = MATRIX.reshape(-1, 2, 2).swapaxes(0, 1) if centroids is None else centroids
    parts, count, width = centroids.shape
    head = np.array([len(words)], dtype=np.uint32).tobytes()
    text = "\n".join(words).encode()
    sizes = np.array([len(words), parts * width, parts, count], dtype=np.uint32).tobytes()
    members = {
        "meta.json": b"{}",
        "vocab.bin": gzip.compress(head + bytes(4 * len(words)) + text),
        "pq.bin": sizes + codes.tobytes() + np.ascontiguousarray(centroids).tobytes(),
    }
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return file.getvalue()


def fasttext(
    words=WORDS,
    matrix=MATRIX,
    ngrams=None,
    minn=3,
    maxn=6,
    *,
    version=12,
    model=2,
    labels=(),
    quantised=False,
    pruned=-1,
):
    """The layout that `assay.vectors.formats.fasttext` describes; `ngrams` are the rows of the buckets."""
    ngrams = np.zeros((0, matrix.shape[1]), dtype=np.float32) if ngrams is None else ngrams
    rows = np.concatenate([matrix, ngrams]).astype("<f4")
    entries = [*((word, 0) for word in words), *((label, 1) for label in labels)]
    return b"".join(
        (
            struct.pack("<ii", 793712314, version),
            struct.pack("<12i", matrix.shape[1], 5, 5, 1, 5, 1, 2, model, len(ngrams), minn, maxn, 100),
            struct.pack("<d", 1e-4),
            struct.pack("<iiiqq", len(entries), len(words), len(labels), 100, pruned),
            *(word.encode() + b"\0" + struct.pack("<qb", 1, kind) for word, kind in entries),
            struct.pack("<?qq", quantised, *rows.shape) + rows.tobytes(),
            struct.pack("<?qq", False, *matrix.shape) + matrix.tobytes(),
        )
    )
