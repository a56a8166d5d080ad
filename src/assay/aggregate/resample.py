"""Resamples: how often the bootstrap draws each segment, which segments are swapped between systems, and sums of both;
and resamples of whole clusters.

The draws of segments depend only on the seed, the resample and the number of segments, so everything with the same
segments is resampled alike: all systems, metrics and aggregations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from assay import _core
from assay.lazily import numpy as np
from assay.options.checks import check_integer, check_share
from assay.options.option import RESAMPLING, Option
from assay.types import IntArray, Rows, Table, row_count, summable
from assay.types.note import plural
from assay.types.runtime import Runtime

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = [
    "CHUNK",
    "CONFIDENCE",
    "MAX_RESAMPLES",
    "MAX_SEED",
    "RESAMPLES",
    "SEED",
    "TEST_RESAMPLES",
    "Bootstrap",
    "ClusterBootstrap",
    "Confidence",
    "Seed",
    "Swaps",
    "Totals",
    "check_draws",
    "resamples_option",
]

RESAMPLES = 1000
SEED = 12345
CONFIDENCE = 0.95
"""The defaults of every interval and every test that draws."""

TEST_RESAMPLES = 10_000
"""The default of comparisons: p-values need more resamples than intervals do."""

MIN_CLUSTERS = 5
"""With k clusters, one resample in k^(k-1) has a single cluster k times. Of four clusters that is one in 64, so such
resamples would decide the ends of a 95 % interval; of five it is one in 625."""
CHUNK = _core.chunk
"""Segments whose draws are made together. Sums over parts that end with a chunk are the same bytes (decision 11)."""

MAX_RESAMPLES = 10**7
MAX_SEED = 2**64 - 1


def resamples_option(help_text: str, *, default: str = "") -> Option:
    """The option `resamples`, which says what is drawn for what."""
    check = partial(check_integer, low=0, high=MAX_RESAMPLES)
    return Option(help_text, group=RESAMPLING, default=default, check=check)


Seed = Annotated[int, Option("Random seed.", group=RESAMPLING, check=partial(check_integer, low=0, high=MAX_SEED))]
Confidence = Annotated[float, Option("Confidence level of the intervals.", group=RESAMPLING, check=check_share)]

_BLOCK_CELLS = 1 << 17  # half a megabyte of weights at a time, so that they stay in the processor's cache


def check_draws(resamples: int, seed: int, *, least: int = 0) -> None:
    """Raise if the number of resamples or the seed is out of bounds."""
    check_integer("resamples", resamples, least, MAX_RESAMPLES)
    check_integer("seed", seed, 0, MAX_SEED)


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """`resamples` resamples of `size` segments, drawn with replacement (default: all segments)."""

    resamples: int = RESAMPLES
    size: int | None = None
    seed: int = SEED
    first: int = 0
    """The number of the first resample: those of a number are always the same."""

    def __post_init__(self) -> None:
        check_draws(self.resamples, self.seed)
        if self.size is not None:
            check_integer("size", self.size, 1, 2**32 - 1)

    def blocks(self, segments: int, runtime: Runtime) -> Iterator[npt.NDArray[np.uint32]]:
        """Weights (resample, segment) in blocks of resamples. A resample depends on neither blocks nor threads."""
        rows = max(1, _BLOCK_CELLS // segments)
        last = self.first + self.resamples
        for first in range(self.first, last, rows):
            count = min(rows, last - first)
            yield _core.bootstrap_weights(first, count, segments, self.size or segments, self.seed, runtime.threads)

    def sums(self, tables: Sequence[Table], runtime: Runtime) -> list[Table]:
        """The sums (system, resample, column) of tables (system, segment, column), with the same draws for all tables.

        Equal to the weighted sums with the weights of `blocks`, but the weights are drawn and used chunk by chunk.
        """
        segments = row_count(tables[0])
        if not segments:
            return _zeros(tables, self.resamples)
        summables, size = list(map(summable, tables)), self.size or segments
        return _core.bootstrap_sums(summables, self.first, self.resamples, segments, size, self.seed, runtime.threads)


class Totals:
    """Sums of tables over all segments and over each bootstrap resample; the segments come part by part.

    The sums are added up chunk by chunk (decision 11), so that they are the same bytes however the segments are cut.
    """

    def __init__(self, segments: int, bootstrap: Bootstrap, runtime: Runtime) -> None:
        """`segments` is the number of segments of all parts together, at least one."""
        size = bootstrap.size or segments
        self._core = _core.Totals(segments, bootstrap.resamples, size, bootstrap.seed, runtime.threads)
        self._left = segments
        self._rest: list[Table] = []

    def add(self, tables: Sequence[Rows]) -> None:
        """The rows (system, segment, column) of the next segments, any number, but the same in all tables."""
        if self._rest:
            tables = [np.concatenate(pair, axis=1) for pair in zip(self._rest, tables, strict=True)]
        count = row_count(tables[0])
        if count == self._left or count % CHUNK == 0:
            self._add(tables)
            self._rest = []
        else:
            arrays, added = list(map(np.asarray, tables)), count // CHUNK * CHUNK
            if added:
                self._add([array[:, :added] for array in arrays])
            self._rest = [array[:, added:] for array in arrays]

    def _add(self, tables: Sequence[Rows]) -> None:
        self._core.add(list(map(summable, tables)))
        self._left -= row_count(tables[0])

    @property
    def sums(self) -> list[memoryview]:
        """The sums (system, 1, column) over all segments, for each table; those of `scorable.totals`."""
        return self._core.sums

    @property
    def replicates(self) -> list[memoryview]:
        """The sums (system, resample, column) over each resample, for each table; those of `Bootstrap.sums`."""
        return self._core.replicates


@dataclass(frozen=True, slots=True)
class ClusterBootstrap:
    """`resamples` resamples of whole language pairs, drawn with replacement.

    Systems of the same language pair share texts and judges, so that they do not vary independently.
    """

    resamples: int = RESAMPLES
    seed: int = SEED

    def __post_init__(self) -> None:
        check_draws(self.resamples, self.seed)

    def weights(self, clusters: int) -> IntArray | str:
        """How often each language pair is drawn (resample, language pair), or why they are too few to be drawn."""
        if clusters < MIN_CLUSTERS:
            return f"no interval: {plural(clusters, 'language pair')}, fewer than {MIN_CLUSTERS}"
        random = np.random.default_rng(self.seed)
        drawn: IntArray = random.multinomial(clusters, np.full(clusters, 1 / clusters), size=self.resamples)
        return drawn


@dataclass(frozen=True, slots=True)
class Swaps:
    """`resamples` resamples that each swap every segment between two systems with probability 1/2."""

    resamples: int = TEST_RESAMPLES
    seed: int = SEED
    first: int = 0
    """The number of the first resample, as of `Bootstrap`."""

    def __post_init__(self) -> None:
        check_draws(self.resamples, self.seed, least=1)

    def sums(self, tables: Sequence[Table], runtime: Runtime) -> list[Table]:
        """The sums (system, resample, column) over the segments that a resample swaps, the same for all tables."""
        segments = row_count(tables[0])
        if not segments:
            return _zeros(tables, self.resamples)
        summables = list(map(summable, tables))
        return _core.swap_sums(summables, self.first, self.resamples, segments, self.seed, runtime.threads)


def _zeros(tables: Sequence[Table], resamples: int) -> list[Table]:
    """The sums over no segments."""
    return [np.zeros((len(table), resamples, table.shape[2]), dtype=table.dtype) for table in tables]
