from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

unicode_tables: str
chunk: int

class Column(Sequence[str | None]):
    def __init__(self, texts: tuple[object, ...]) -> None: ...
    @staticmethod
    def of_utf8(
        data: npt.NDArray[np.uint8],
        offsets: npt.NDArray[np.int64],
        validity: npt.NDArray[np.uint8] | None,
        first_bit: int,
    ) -> Column: ...
    @property
    def flaw(self) -> tuple[int, str] | None: ...
    @property
    def is_utf8(self) -> bool: ...
    @property
    def is_complete(self) -> bool: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, arg: int, /) -> str | None: ...
    @overload
    def __getitem__(self, arg: slice, /) -> Column: ...
    def __iter__(self) -> Iterator[str | None]: ...
    def __eq__(self, arg: Column, /) -> bool: ...  # type: ignore[override]
    def __hash__(self) -> int: ...
    def __repr__(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def index(self, text: object | None) -> Any: ...  # type: ignore[override]
    def count(self, text: object | None) -> Any: ...
    def take(self, segments: npt.NDArray[np.int64]) -> Column: ...
    def without(self, text: str) -> Column: ...

class TextIterator:
    def __init__(self, column: Column) -> None: ...
    def __iter__(self) -> TextIterator: ...
    def __next__(self) -> str | None: ...

def read_lines(buffer: object, first: int) -> tuple[Column, int] | None: ...
def read_file_lines(read: object, first: int, size: int) -> tuple[Column, int] | None: ...
def tokenize(line: str, tokenizer: str) -> list[str]: ...
def bleu_statistics(
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    tokenizer: str,
    max_order: int,
    reference_length: str,
    threads: int,
) -> memoryview: ...
def chrf_utilities(
    texts: object,
    starts: npt.NDArray[np.int64],
    references: object | None,
    reference_starts: npt.NDArray[np.int64] | None,
    char_order: int,
    word_order: int,
    whitespace: bool,
    formula: ChrfFormula,
    keeps_all: bool,
    threads: int,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64] | None]: ...
def bleu_utilities(
    texts: object,
    starts: npt.NDArray[np.int64],
    references: object | None,
    reference_starts: npt.NDArray[np.int64] | None,
    tokenizer: str,
    formula: BleuFormula,
    keeps_all: bool,
    threads: int,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64] | None]: ...

class NistWeights:
    def __init__(self, references: tuple[Column, ...], tokenizer: str, max_order: int, zero_history: bool) -> None: ...
    def statistics(self, references: tuple[Column, ...], outputs: tuple[Column, ...], threads: int) -> memoryview: ...
    @property
    def digest(self) -> int: ...
    def __deepcopy__(self, arg: object, /) -> NistWeights: ...

def chrf_statistics(
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    char_order: int,
    word_order: int,
    whitespace: bool,
    beta: float,
    eps_smoothing: bool,
    threads: int,
) -> memoryview: ...

class BleuFormula:
    def __init__(
        self,
        flavour: str,
        max_order: int,
        smooth: str,
        smooth_value: float,
        effective_order: bool,
        factor: float,
    ) -> None: ...
    def scores(self, totals: object) -> Any: ...
    def brevity_penalties(self, totals: object) -> Any: ...

class ChrfFormula:
    def __init__(self, orders: int, beta: float, eps_smoothing: bool) -> None: ...
    def scores(self, totals: object) -> Any: ...

class NistFormula:
    def __init__(self, max_order: int) -> None: ...
    def scores(self, totals: object) -> Any: ...

class RateFormula:
    def __init__(self, rate: str, flavour: str) -> None: ...
    def scores(self, totals: object) -> Any: ...

class ErrorShare:
    def __init__(self, highest: float) -> None: ...
    def scores(self, totals: object) -> Any: ...

def ratios(sums: object) -> Any: ...
def mean_table(scores: object) -> Any: ...

class Spreads:
    def __init__(self, systems: int) -> None: ...
    def add(self, scores: memoryview | npt.NDArray[np.float64]) -> None: ...
    @property
    def values(self) -> list[Any]: ...

def replicate_summaries(replicates: memoryview | npt.NDArray[np.float64], confidence: float) -> list[Any]: ...

class TooLongError(ValueError): ...

def rate_statistics(
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    rate: str,
    tokenizer: str,
    whitespace: bool,
    chooses_as_moses: bool,
    max_cells: int,
    threads: int,
) -> memoryview: ...
def character_statistics(
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    tokenizer: str,
    moves: str,
    max_cells: int,
    threads: int,
) -> memoryview: ...
def eed_statistics(
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    program: str,
    rewrites: bool,
    alpha: float,
    rho: float,
    deletion: float,
    insertion: float,
    max_cells: int,
    threads: int,
) -> memoryview: ...
def lepor_statistics(
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    tokenizer: str,
    alignment: str,
    max_order: int,
    max_cells: int,
    threads: int,
) -> npt.NDArray[np.float64]: ...

class BaseCountMismatchError(ValueError): ...

def hjerson_statistics(
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    reference_bases: tuple[Column, ...],
    output_bases: tuple[Column, ...],
    tokenizer: str,
    threads: int,
) -> memoryview: ...
def hjerson_labels(
    references: tuple[Column, ...],
    outputs: tuple[Column, ...],
    reference_bases: tuple[Column, ...],
    output_bases: tuple[Column, ...],
    tokenizer: str,
    threads: int,
) -> list[Any]: ...
def number_words(columns: tuple[Column, ...], tokenizer: str) -> tuple[Any, ...]: ...

class TokenColumn:
    def __init__(
        self,
        tokens: npt.NDArray[np.int32],
        starts: npt.NDArray[np.int64],
        present: npt.NDArray[np.bool_],
        weights: npt.NDArray[np.float64] | None,
    ) -> None: ...

max_tokens: int

def clipped_matches(
    references: tuple[TokenColumn, ...],
    outputs: tuple[TokenColumn, ...],
    groups: npt.NDArray[np.int32],
    group_count: int,
    threads: int,
) -> npt.NDArray[np.int64]: ...
def sequence_matches(
    sequences: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    outputs: tuple[TokenColumn, ...],
    has_gaps: bool,
    threads: int,
) -> npt.NDArray[np.int64]: ...
def cut_words(
    reference: npt.NDArray[np.uint32],
    starts: npt.NDArray[np.int64],
    output: npt.NDArray[np.uint32],
    places: npt.NDArray[np.uint8],
    symbols: int,
) -> npt.NDArray[np.int64]: ...

class VectorTable:
    @overload
    def __init__(self, vectors: npt.NDArray[np.float32], forms: npt.NDArray[np.int32]) -> None: ...
    @overload
    def __init__(self, vectors: npt.NDArray[np.float64], forms: npt.NDArray[np.int32]) -> None: ...

def ebleu_statistics(
    references: tuple[TokenColumn, ...],
    outputs: tuple[TokenColumn, ...],
    vectors: VectorTable,
    softmax: bool,
    temperature: float,
    diagonal: bool,
    spread_zero_rows: bool,
    equal: str,
    threads: int,
) -> npt.NDArray[np.float64]: ...
def yisi_statistics(
    references: tuple[TokenColumn, ...],
    outputs: tuple[TokenColumn, ...],
    vectors: VectorTable,
    equal: str,
    n: int,
    threads: int,
) -> npt.NDArray[np.float64]: ...
def yisi_form_statistics(
    references: tuple[TokenColumn, ...],
    outputs: tuple[TokenColumn, ...],
    letters: npt.NDArray[np.uint8],
    starts: npt.NDArray[np.int64],
    exact: bool,
    n: int,
    threads: int,
) -> npt.NDArray[np.float64]: ...
def bertscore_statistics(
    references: tuple[TokenColumn, ...], outputs: tuple[TokenColumn, ...], vectors: VectorTable, threads: int
) -> npt.NDArray[np.float64]: ...
def java_hashes(words: Column) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...

class MeteorNormalizer:
    def __init__(self, contractions: str, prefixes: dict[str, bool], removes_punctuation: bool) -> None: ...
    def __call__(self, line: str) -> str: ...
    def column(self, column: Column, threads: int) -> Column: ...

class Synonyms:
    def __init__(self, synsets: bytes, exceptions: bytes) -> None: ...
    def look_up(self, words: Column) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]: ...

class ParaphraseBuilder:
    def __init__(self) -> None: ...
    def add(self, piece: bytes) -> None: ...
    @property
    def lines(self) -> int: ...
    def finish(self) -> tuple[Any, ...]: ...

class ParaphraseTable:
    def __init__(
        self,
        last_words: npt.NDArray[np.uint32],
        first_children: npt.NDArray[np.uint32],
        first_paraphrases: npt.NDArray[np.uint32],
        paraphrases: npt.NDArray[np.uint32],
    ) -> None: ...

class MeteorWords:
    def __init__(
        self,
        forms: npt.NDArray[np.int32],
        stems: npt.NDArray[np.int32],
        synset_starts: npt.NDArray[np.int64],
        synsets: npt.NDArray[np.int32],
        table_words: npt.NDArray[np.int32],
        lengths: npt.NDArray[np.int32],
        is_function: npt.NDArray[np.bool_],
        paraphrases: ParaphraseTable | None,
    ) -> None: ...

def meteor_statistics(
    references: tuple[TokenColumn, ...], outputs: tuple[TokenColumn, ...], words: MeteorWords, threads: int
) -> npt.NDArray[np.int64]: ...
def meteor_alignments(
    references: tuple[TokenColumn, ...], outputs: tuple[TokenColumn, ...], words: MeteorWords, threads: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]: ...
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
def letter_counts(text: str, ranges: list[int]) -> list[int]: ...

class WordLists:
    def __init__(self, lists: list[Any]) -> None: ...
    def count(self, text: str) -> tuple[Any, ...]: ...

class LineMarker:
    def __init__(self, strings: list[Any], starts: list[int], scripts: list[int], spaceless: int) -> None: ...

class LineMarks:
    def __init__(self, marker: LineMarker, column: Column) -> None: ...
    def counts(self, others: list[LineMarks]) -> list[int]: ...
    def lines(self, mark: int, others: list[LineMarks]) -> list[int]: ...
    def in_other_script(self, other: LineMarks, letters: int) -> list[int]: ...
    def of_length(self, other: LineMarks, low: float, high: float) -> list[int]: ...
    def of_same_start(self, other: LineMarks) -> list[int]: ...

def present(column: Column) -> npt.NDArray[np.bool_]: ...
def lengths(column: Column) -> npt.NDArray[np.float64]: ...
def length_correlations(
    output: Column, reference: Column, width: int, offset: float, min_lines: int
) -> list[float]: ...
def blank_lines(column: Column) -> list[int]: ...
def equal_lines(column: Column, other: Column) -> list[int]: ...
def lines_to_normalize(column: Column) -> list[int]: ...
def lines_to_decode(column: Column) -> list[int]: ...
def long_lines(column: Column, characters: int) -> list[int]: ...
def lines_containing(column: Column, character: str) -> list[int]: ...
def packed(column: Column) -> bytes: ...

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
    def __init__(self, table: memoryview | npt.NDArray[np.int64]) -> None: ...
    @overload
    def __init__(self, table: memoryview | npt.NDArray[np.float64]) -> None: ...
    def sums(self, weights: npt.NDArray[np.uint32], threads: int) -> npt.NDArray[Any]: ...

def bootstrap_sums(
    tables: list[Summable], first: int, resamples: int, segments: int, size: int, seed: int, threads: int
) -> list[Any]: ...
def swap_sums(
    tables: list[Summable], first: int, resamples: int, segments: int, seed: int, threads: int
) -> list[Any]: ...

class Totals:
    def __init__(self, segments: int, resamples: int, size: int, seed: int, threads: int) -> None: ...
    def add(self, tables: list[Summable]) -> None: ...
    @property
    def sums(self) -> list[memoryview]: ...
    @property
    def replicates(self) -> list[memoryview]: ...
