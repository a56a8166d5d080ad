"""The metric contract. Everything Assay can do with a metric follows from what stands here.

A metric is a frozen dataclass: its fields are its options, and two metrics with equal options are equal. (A field with
`compare=False` is no option: keep weights fitted by `prepare` there, and their digest in `resources`.) It turns
text into a table of per-segment statistics that may be added up (`statistics`), and sums of rows of that table into
scores (`score`). Corpus, segment-mean and bootstrap scores, intervals, groups and comparisons are computed from these
two alone (docs/methods/aggregation.md).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from assay.types import FloatArray, Table, TestSet

__all__ = ["NEEDS", "Metric"]

NEEDS = frozenset({"reference", "source"})
"""What a metric can say it needs besides the output."""


class Metric(ABC):
    """Base of every metric; subclass it as a frozen dataclass and register it with `@metric("name")`."""

    name: ClassVar[str]
    """The name it is registered under."""
    needs: ClassVar[frozenset[str]] = frozenset({"reference"})
    """What a cell must have to be scored, of NEEDS. The output is always needed."""
    default_aggregation: ClassVar[str] = "corpus"
    """The aggregation that a bare score of this metric means in the literature."""
    score_options: ClassVar[frozenset[str]] = frozenset()
    """Options that only `score` reads: metrics that differ in nothing else share their statistics."""
    undefined: ClassVar[str] = "the metric is undefined on these texts"
    """The reason given where `score` returns NaN."""

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is a better one; options may turn it round."""
        return True

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Names of the statistics, in order."""

    @abstractmethod
    def statistics(self, testset: TestSet, *, threads: int) -> Table:
        """The table (system, segment, column), int64 or float64, finite.

        A row depends on nothing but its own segment's texts, so tables of parts of a test set are parts of its table.
        Cells that lack an output or a need are zeros. The number of threads never changes the answer.
        """

    @abstractmethod
    def score(self, totals: Table) -> FloatArray:
        """Scores of sums of rows: (..., column) to (...). Pure and vectorised; NaN where undefined."""

    @property
    def segment_form(self) -> Metric:
        """The metric whose `score` gives this metric's value for a single segment."""
        return self

    def prepare(self, testset: TestSet) -> Metric:
        """This metric ready for a test set: language-dependent options settled, corpus-wide weights fitted."""
        return self

    def advice(self, testset: TestSet) -> Iterable[str]:
        """What the user should know before trusting this metric on this test set."""
        return ()

    @property
    def resources(self) -> Mapping[str, str]:
        """Digests of files and fitted weights that the scores depend on, by name; part of the signature."""
        return {}

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        """Options in which publications that name this metric differ, and the values they take."""
        return {}

    def sacrebleu_signature(self, references: str) -> str | None:
        """The signature sacreBLEU prints for a corpus score with these options, where it has the metric."""
        return None
