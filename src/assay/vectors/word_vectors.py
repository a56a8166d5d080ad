"""Open word vectors by name or path, and look words up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from assay.errors import InputError
from assay.files import cache_folder
from assay.files.converted import open_converted
from assay.files.resources import Resource, find_resource
from assay.options.checks import check_choice
from assay.types import Note
from assay.types.note import plural
from assay.types.runtime import Runtime
from assay.vectors.table import WordTable

__all__ = ["CASES", "Case", "Vectors", "find_vectors", "open_vectors"]

Case = Literal["fallback", "exact", "lower"]
CASES: tuple[str, ...] = get_args(Case)
"""How words are looked up: as they are and then in lower case, only as they are, or only in lower case."""

_LAYOUT = "vectors-1"  # a new number for each new layout of tables


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Vectors:
    """Word vectors. `digest` identifies the file, and `notes` say what is unusual in it."""

    name: str
    digest: str
    case: Case
    subwords: bool
    _table: WordTable

    def __post_init__(self) -> None:
        check_choice("case", self.case, CASES)

    def __len__(self) -> int:
        return len(self._table.hashes)

    def __repr__(self) -> str:
        size = f"{plural(len(self), 'word')}, {plural(self.dimension, 'dimension')}"
        return f"Vectors({self.name}: {size}, {self.format}, {self.digest})"

    @property
    def dimension(self) -> int:
        """The number of components of a vector."""
        return self._table.about.dimension

    @property
    def format(self) -> str:
        """The format of the file."""
        return self._table.about.format

    @property
    def notes(self) -> tuple[Note, ...]:
        """Words that are in the file twice, have no finite vector, and the like, each with its count."""
        return self._table.notes(self.name)

    def lookup(self, words: Sequence[str]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """(word, dimension) the vectors of words, zeros for those without one; and (word,) which have one.

        A word may have a vector of zeros in the file; a note counts these words.
        """
        forms = [_encoded(word.lower() if self.case == "lower" else word) for word in words]
        rows = self._table.find(forms)
        if self.case == "fallback":
            missing = np.flatnonzero(rows < 0)
            rows[missing] = self._table.find([_encoded(words[i].lower()) for i in missing.tolist()])
        known = rows >= 0
        vectors = np.take(self._table.matrix, np.maximum(rows, 0), axis=0)
        vectors[~known] = 0
        if self._table.ngrams is not None and self.subwords:
            missing = np.flatnonzero(~known)
            vectors[missing], known[missing] = self._table.ngrams.means([forms[i] for i in missing.tolist()])
        return vectors, known


def open_vectors(
    source: str | Path, *, case: Case = "fallback", subwords: bool = True, runtime: Runtime | None = None
) -> Vectors:
    """Open word vectors by their name in the resource folder, or by path; the first time, convert the file.

    `case`: look words up as they are and then in lower case (`fallback`), only as they are (`exact`) or only in lower
    case (`lower`). `subwords`: give other words a vector from their n-grams, if the file has n-grams.
    """
    resource = find_vectors(source)
    return Vectors(resource.name, resource.digest, case, subwords, _table(resource, runtime or Runtime()))


def find_vectors(source: str | Path) -> Resource:
    """The file of word vectors, without opening it; its digest is part of the signature."""
    resource = find_resource(source, "word vectors")
    if not resource.path.is_file():
        raise InputError("is not a file", path=str(resource.path), hint="give one file of word vectors")
    return resource


def _table(resource: Resource, runtime: Runtime) -> WordTable:
    """The table of a file; made now if there is none, or a damaged one."""
    folder = cache_folder() / _LAYOUT / resource.sha256

    def convert(scratch: Path) -> None:
        from assay.vectors import conversion  # slow to import, and rarely needed

        conversion.convert(resource, scratch, runtime)

    return open_converted(folder, WordTable.open, convert)


def _encoded(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")  # a lone surrogate is in no vocabulary
