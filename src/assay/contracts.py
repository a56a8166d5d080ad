"""The metric contract: everything Assay does with a metric uses this class.

A metric is a value: a frozen dataclass whose fields are its options, so that two metrics with equal options are equal.
(A field with `compare=False` is not an option: keep weights fitted by `prepare` there, and their digest in
`resources`.) It turns text into a table of per-segment statistics that can be added up (`statistics`), and sums of rows
of that table into scores (`score`). Both are called on the metric that `prepare` returns, in which options that depend
on the test set have their values. Corpus scores, segment means, bootstrap scores, intervals, groups and comparisons are
computed from these two alone (docs/methods/aggregation.md).

How a metric runs is separate: threads, device, batch size, cache and progress are in the `Runtime` that `statistics`
receives. They are never fields of a metric, never part of its name or signature, and never change a score
by more than the metric's `tolerance`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from assay.types import Column, FloatArray, Mask, Note, Ratings, Table, TestSet, WordLabels
    from assay.types.runtime import Runtime

__all__ = ["AUTO", "BY_ITSELF", "NETWORKS", "SURFACE", "VECTORS", "Metric"]

AUTO = "auto"
"""The value of an option that `prepare` chooses."""
SURFACE = "words or characters in common with a reference"
VECTORS = "similar vectors of words"
NETWORKS = "networks trained on human judgements"
"""Families of metrics: what they reward."""
BY_ITSELF = "of a metric from `assay train`, take wins=none; of judge, another protocol than pairwise"
"""What to do where the scores of an output must not depend on those of other systems."""


class Metric(ABC):
    """Base class of all metrics. Subclass it as a frozen dataclass and register it with `@metric("name")`."""

    name: ClassVar[str]
    """The name it is registered under."""
    labels: ClassVar[tuple[str, ...]] = ()
    """Its names as the literature writes them, such as LEPOR and hLEPOR, for reports: `hlepor:tok=13a` is shown as
    hLEPOR:tok=13a. A name without a label is shown as it is."""
    family: ClassVar[str] = ""
    """What it rewards, such as SURFACE: a warning says that this metric should not judge outputs that a metric of the
    same family chose. Empty: that warning is only for outputs that this metric or a variant of it chose."""
    default_aggregation: ClassVar[str] = "corpus"
    """The aggregation that the literature means by a score of this metric."""
    score_options: ClassVar[frozenset[str]] = frozenset()
    """Options that only `score` reads. Metrics that differ in these alone share their statistics."""
    tolerance: ClassVar[float] = 0.0
    """How much a statistic of the same texts may differ between two runs, relative to its value or to 1, whichever is
    larger: in other batches, on other threads or devices, in another order. 0 for integer kernels; for a neural network
    an upper bound on the differences that were measured."""
    checks_itself: ClassVar[bool] = False
    """Whether `statistics` itself makes sure that rows depend on nothing but their texts. It is called again for a few
    segments of a metric from another package that does not."""
    undefined: ClassVar[str] = "the metric is undefined on these texts"
    """The reason to report where `score` returns NaN."""

    no_interval: ClassVar[str] = ""
    """Why resamples of the segments say nothing of how exact a corpus score is; empty if they do."""

    @property
    def parts(self) -> tuple[Metric, ...]:
        """The metrics that it combines, if it is made of others."""
        return ()

    @property
    def needs(self) -> frozenset[str]:
        """What a cell must have to be scored, besides an output: "reference", "source", or any annotation layer.

        It may depend on options, as the layers "pos" and "alignment" do; otherwise a class attribute is enough.
        """
        return frozenset({"reference"})

    @property
    def depends_on_systems(self) -> bool:
        """Whether the score of an output depends on the outputs of other systems."""
        return False

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is better. It may depend on options."""
        return True

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """Names of the statistics, in order."""

    @abstractmethod
    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        """The table (system, segment, column), int64 or float64, finite. The metric has been prepared.

        A row depends only on the texts of its own segment, so the table of some of the segments has the same
        rows. Cells without an output, or without something in `needs`, are zeros. `runtime` may change how
        long this takes, but not the result.
        """

    @abstractmethod
    def score(self, totals: Table) -> FloatArray:
        """Scores of sums of rows: (..., column) to (...). Pure and vectorised; NaN where undefined.

        The metric has been prepared.
        """

    @property
    def segment_form(self) -> Metric:
        """The metric whose `score` gives this metric's value for a single segment."""
        return self

    def prepare(self, testset: TestSet) -> Metric:
        """This metric for a test set: options that depend on the language are set, corpus-wide weights are fitted.

        It is called before `statistics` and `score`.
        """
        return self

    def advice(self, testset: TestSet) -> Iterable[Note]:
        """Notes that the user should read before trusting this prepared metric on this test set."""
        return ()

    def learnt_segments(self, testset: TestSet) -> Mask | None:
        """By segment: whether the metric was learnt from judgements of it; None: of none."""
        return None

    def scorable(self, testset: TestSet) -> npt.NDArray[np.bool_]:
        """(system, segment): which cells this metric can score."""
        return testset.scorable(self.needs)

    def defined(self, table: Table) -> npt.NDArray[np.bool_]:
        """(system, segment): which rows of a table have a value. The others are excluded, like cells without a text."""
        import numpy as np

        return np.ones(table.shape[:2], dtype=np.bool_)

    def counted(self, table: Table) -> npt.NDArray[np.bool_]:
        """(system, segment): which rows have statistics, though perhaps no score: features are made of them."""
        return self.defined(table)

    def reference_count(self, testset: TestSet) -> str:
        """How many references a segment is scored against, `var` if that differs, for the signature."""
        return testset.reference_count if "reference" in self.needs else "0"

    @property
    def resources(self) -> Mapping[str, str]:
        """Digests of the files and fitted weights that the scores depend on, by name; part of the signature."""
        return {}

    def check_resources(self) -> None:
        """Find the files that the scores depend on, and raise if one is missing."""
        dict(self.resources)

    def layer_columns(self, testset: TestSet, layer: str) -> Iterable[Column]:
        """The columns of an annotation layer that the metric reads."""
        return testset.annotations.get(layer, {}).values()

    def word_labels(self, testset: TestSet) -> WordLabels | None:
        """Labels of words, such as error classes, which reports mark in the segments; None if it labels no words."""
        return None

    @property
    def marks_errors(self) -> bool:
        """Whether it marks errors at their places in outputs (`predicted_spans`)."""
        return False

    def predicted_spans(self, testset: TestSet, runtime: Runtime) -> Ratings:
        """Errors that this prepared metric marks in the outputs, as ratings that are not by people.

        One row for each output that it read, with () where it found no error. `statistics` of the same texts may have
        been called before: a metric keeps what it found then, so that nothing is computed twice.
        """
        raise NotImplementedError(f"{self.name} marks no errors")

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        """Options of this prepared metric in which publications that name it differ, and their values."""
        return {}

    def sacrebleu_signature(self, references: str) -> str | None:
        """The signature that sacreBLEU prints for a corpus score with these options; None if it has no such metric."""
        return None
