from typing import Any, overload

import numpy as np
import numpy.typing as npt

from assay.types import Column

unicode_tables: str

def tokenize(line: str, tokenizer: str) -> list[str]: ...
def bleu_statistics(
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    tokenizer: str,
    max_order: int,
    reference_length: str,
    threads: int,
) -> npt.NDArray[np.int64]: ...

class NistWeights:
    def __init__(self, references: tuple[Column, ...], tokenizer: str, max_order: int, zero_history: bool) -> None: ...
    def statistics(
        self, references: tuple[Column, ...], outputs: tuple[Column, ...], threads: int
    ) -> npt.NDArray[np.float64]: ...
    @property
    def digest(self) -> int: ...
    def __deepcopy__(self, arg: object, /) -> NistWeights: ...

def chrf_statistics(
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    char_order: int,
    word_order: int,
    whitespace: bool,
    threads: int,
) -> npt.NDArray[np.int64]: ...

class TooLongError(ValueError): ...

def rate_statistics(
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    rate: str,
    tokenizer: str,
    whitespace: bool,
    max_cells: int,
    threads: int,
) -> npt.NDArray[np.int64]: ...
def bootstrap_weights(
    first: int, resamples: int, segments: int, size: int, seed: int, threads: int
) -> npt.NDArray[np.uint32]: ...
def swap_weights(first: int, resamples: int, segments: int, seed: int, threads: int) -> npt.NDArray[np.uint32]: ...
def bounded_draws(words: npt.NDArray[np.uint32], bound: int) -> npt.NDArray[np.uint32]: ...
def count_draws(draws: npt.NDArray[np.uint32], segments: int) -> npt.NDArray[np.float32]: ...
def trueskill(
    outcomes: npt.NDArray[np.int64],
    sigma: float,
    beta_divisor: float,
    draw_margin: float,
    resample: bool,
    runs: int,
    seed: int,
    threads: int,
) -> npt.NDArray[np.float64]: ...
def co_moments(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], mask: npt.NDArray[np.bool_], threads: int
) -> npt.NDArray[np.float64]: ...
def pair_counts(
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    mask: npt.NDArray[np.bool_],
    pairs: npt.NDArray[np.bool_] | None,
    epsilon: float,
    tolerance: float,
    threads: int,
) -> npt.NDArray[np.int64]: ...
def best_epsilon(
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
    mask: npt.NDArray[np.bool_],
    pairs: npt.NDArray[np.bool_] | None,
    weights: npt.NDArray[np.int64],
) -> float: ...
def swapped_pairs(
    metrics: npt.NDArray[np.float64],
    human: npt.NDArray[np.float64],
    mask: npt.NDArray[np.bool_],
    pairs: npt.NDArray[np.bool_] | None,
    weights: npt.NDArray[np.float64],
    swaps: npt.NDArray[np.bool_],
    statistic: str,
    threads: int,
) -> npt.NDArray[np.float64]: ...
def swapped_spa(
    metrics: npt.NDArray[np.float64],
    mask: npt.NDArray[np.bool_],
    pairs: npt.NDArray[np.bool_],
    human: npt.NDArray[np.int64],
    coins: npt.NDArray[np.uint32],
    swaps: npt.NDArray[np.bool_],
    ties_in_full: bool,
    threads: int,
) -> npt.NDArray[np.float64]: ...
def parse_score_lines(
    data: bytes,
) -> tuple[list[bytes], npt.NDArray[np.int64], npt.NDArray[np.float64]] | None: ...
def lower(column: Column) -> Column: ...
def present(column: Column) -> npt.NDArray[np.bool_]: ...
def lengths(column: Column) -> npt.NDArray[np.float64]: ...
def blank_lines(column: Column) -> list[int]: ...
def equal_lines(column: Column, other: Column) -> list[int]: ...
def lines_to_normalize(column: Column) -> list[int]: ...
def lines_to_decode(column: Column) -> list[int]: ...
def first_flaw(column: tuple[object, ...]) -> tuple[int, str] | None: ...

class LineTrigrams:
    def __init__(self, column: Column, max_characters: int) -> None: ...

class TrigramTable:
    def __init__(self, trigrams: LineTrigrams, rare_share: float) -> None: ...
    def rare(self, trigrams: LineTrigrams) -> LineTrigrams: ...
    def similarities(self, rare_trigrams: LineTrigrams, offset: int) -> npt.NDArray[np.float64]: ...

class TieSteps:
    def __init__(
        self,
        x: npt.NDArray[np.float64],
        y: npt.NDArray[np.float64],
        mask: npt.NDArray[np.bool_],
        pairs: npt.NDArray[np.bool_] | None,
    ) -> None: ...
    def calibrate(
        self, weights: npt.NDArray[np.int64], threads: int
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]: ...

class Summable:
    @overload
    def __init__(self, table: npt.NDArray[np.int64]) -> None: ...
    @overload
    def __init__(self, table: npt.NDArray[np.float64]) -> None: ...
    def sums(self, weights: npt.NDArray[np.uint32], threads: int) -> npt.NDArray[Any]: ...

def bootstrap_sums(
    tables: list[Summable], first: int, resamples: int, segments: int, size: int, seed: int, threads: int
) -> list[Any]: ...
def swap_sums(
    tables: list[Summable], first: int, resamples: int, segments: int, seed: int, threads: int
) -> list[Any]: ...
