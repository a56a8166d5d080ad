from typing import TypeVar

import numpy as np
import numpy.typing as npt

from assay.types import Column

_T = TypeVar("_T", np.int64, np.float64)

unicode_tables: str

def tokenize(line: str, tokenizer: str) -> list[str]: ...
def bleu_statistics(
    references: tuple[Column, ...], outputs: tuple[Column, ...], tokenizer: str, max_order: int, threads: int
) -> npt.NDArray[np.int64]: ...
def chrf_statistics(
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    char_order: int,
    word_order: int,
    whitespace: bool,
    threads: int,
) -> npt.NDArray[np.int64]: ...
def bootstrap_weights(
    first: int, resamples: int, segments: int, size: int, seed: int, threads: int
) -> npt.NDArray[np.uint32]: ...
def weighted_sums(table: npt.NDArray[_T], weights: npt.NDArray[np.uint32], threads: int) -> npt.NDArray[_T]: ...
