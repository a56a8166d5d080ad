from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.types import Column

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
def rate_statistics(
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    rate: str,
    tokenizer: str,
    whitespace: bool,
    threads: int,
) -> npt.NDArray[np.int64]: ...
def bootstrap_weights(
    first: int, resamples: int, segments: int, size: int, seed: int, threads: int
) -> npt.NDArray[np.uint32]: ...
def first_flaw(column: Sequence[object]) -> tuple[int, str] | None: ...

class Summable:
    def __init__(self, table: npt.NDArray[Any]) -> None: ...
    def sums(self, weights: npt.NDArray[np.uint32], threads: int) -> npt.NDArray[Any]: ...
