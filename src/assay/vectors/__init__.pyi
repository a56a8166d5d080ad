"""The public names of `assay.vectors`. The package imports them from here when they are first used."""

from assay.vectors.word_vectors import CASES as CASES
from assay.vectors.word_vectors import Case as Case
from assay.vectors.word_vectors import Vectors as Vectors
from assay.vectors.word_vectors import find_vectors as find_vectors
from assay.vectors.word_vectors import open_vectors as open_vectors

__all__: list[str]
