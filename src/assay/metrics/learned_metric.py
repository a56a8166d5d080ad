"""Base class of learned metrics: a trained model reads the texts of a segment and gives a score."""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from assay.checks import check_choice
from assay.contracts import Metric
from assay.errors import ConfigError
from assay.learned.model import EncodedSegments, LearnedModel, Segment
from assay.neural import PRECISIONS, Precision
from assay.runtime import Runtime
from assay.types import FloatArray, Note, NoteKind, Table, TestSet, ratio_of_sums
from assay.types.note import plural

__all__ = ["LearnedMetric", "References"]

References = Literal["best", "mean"]
_TOLERANCE: Mapping[str, float] = {"fp32": 1e-4, "bf16": 0.05, "fp16": 0.01}
_Indices = npt.NDArray[np.intp]

Self = TypeVar("Self", bound="LearnedMetric")


@dataclass(frozen=True)
class LearnedMetric(Metric):
    """The mean of a trained model's scores over segments.

    Subclasses say how to open a model (`opened`), what its texts are by default (`needs`) and how to get one
    (`advice_on_models`).
    """

    argument: ClassVar[str] = "model"
    default_aggregation: ClassVar[str] = "segment"
    texts: ClassVar[frozenset[str]] = frozenset({"source", "reference"})
    """What a model of this metric usually needs."""
    advice_on_models: ClassVar[str]
    """Where to get a model, for the error if none is given."""
    half_precision: ClassVar[Mapping[str, str]] = {}
    """By precision, how much scores were measured to differ from those in fp32."""

    model: str = ""
    precision: Precision = "fp32"
    references: References = "best"

    def __post_init__(self) -> None:
        check_choice("precision", self.precision, PRECISIONS)
        check_choice("references", self.references, get_args(References))

    @abstractmethod
    def opened(self) -> LearnedModel:
        """The model, opened once while its files do not change."""

    def learned_model(self) -> LearnedModel:
        """The model; an error that says what to do without one."""
        if not self.model:
            hint = (
                f"{self.name}:model=FOLDER, {self.advice_on_models}; or give scores that were computed elsewhere: "
                f"--scores {self.name}=FILE{'' if self.higher_is_better else f' --lower-is-better {self.name}'} "
                "(in Python, assay.load_scores)"
            )
            raise ConfigError(f"the metric {self.name} needs a model", hint=hint)
        return self.opened()

    @property
    def needs(self) -> frozenset[str]:  # type: ignore[override]  # it depends on the model
        return self.opened().needs if self.model else self.texts

    @property
    def tolerance(self) -> float:  # type: ignore[override]  # it depends on an option
        return _TOLERANCE[self.precision]

    @property
    def columns(self) -> tuple[str, ...]:
        return ("score", "count")

    @property
    def resources(self) -> Mapping[str, str]:
        return self.learned_model().digests

    def prepare(self: Self, testset: TestSet) -> Self:
        """Raises at once if the model, or something that it needs, is missing."""
        if "reference" not in self.learned_model().needs and self.references != "best":
            raise ConfigError(
                f"references={self.references} has no effect: the model {self.model} reads no references",
                hint="leave it out",
            )
        return self

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        model = self.learned_model()
        segments, places = self._segments(testset, model.needs)
        tables = np.full((max(1, len(testset.references)), len(testset.outputs), len(testset)), np.nan)
        if segments:
            tables[places] = model.score_inputs(_encoded(self, tuple(model.digests.items()), segments), runtime)
        is_scored = ~np.isnan(tables).all(axis=0)
        scores = np.where(is_scored, self._over_references(np.where(is_scored, tables, 0.0)), 0.0)
        return np.stack([scores, is_scored], axis=-1)

    def _over_references(self, tables: FloatArray) -> FloatArray:
        """(reference, system, segment) to (system, segment). NaN: there is no such reference."""
        if self.references == "mean":
            mean: FloatArray = np.nanmean(tables, axis=0)
            return mean
        best: FloatArray = (np.nanmax if self.higher_is_better else np.nanmin)(tables, axis=0)
        return best

    def score(self, totals: Table) -> FloatArray:
        return ratio_of_sums(totals)

    def defined(self, table: Table) -> npt.NDArray[np.bool_]:
        has_score: npt.NDArray[np.bool_] = table[..., 1] > 0
        return has_score

    def advice(self, testset: TestSet) -> Iterator[Note]:
        """How many segments are cut because they are too long, and how much is saved by computing equal inputs once."""
        model = self.learned_model()
        segments, (_, *cells) = self._segments(testset, model.needs)
        if not segments:
            return
        encoded = _encoded(self, tuple(model.digests.items()), segments)
        is_cut = encoded.is_cut.any(axis=1)
        if cut := len(set(zip(*(each[is_cut].tolist() for each in cells), strict=True))):
            text = (
                f"{plural(cut, 'output')} with a text of more than {model.max_tokens:,} tokens, the most that "
                f"{model.name} reads: only the beginning counts"
            )
            yield Note(NoteKind.CHANGED, text, where=self.name, count=cut, severity="warning")
        if self.precision != "fp32":
            known = self.half_precision.get(self.precision, "by how much is not known for this metric")
            text = f"{self.precision} changes scores: {known}; use fp32 to decide between systems that are close"
            yield Note(NoteKind.ADVICE, text, where=self.name)
        count = plural(len(encoded.inputs), f"distinct {model.input_name}")
        if len(encoded.inputs) < encoded.rows.size:
            text = f"{count} instead of {encoded.rows.size:,} for {model.name}: equal ones are computed once"
            yield Note(NoteKind.PROVENANCE, text, where=self.name, count=len(encoded.inputs))

    def _segments(self, testset: TestSet, needs: frozenset[str]) -> tuple[tuple[Segment, ...], tuple[_Indices, ...]]:
        """All segments that have the texts, and their places: reference, system and segment."""
        none: list[str | None] = [None] * len(testset)
        references = [list(column) for column in testset.references.values()] if "reference" in needs else [none]
        sources = none if testset.sources is None or "source" not in needs else list(testset.sources)
        outputs = [list(column) for column in testset.outputs.values()]
        has_reference = [["reference" not in needs or text is not None for text in column] for column in references]
        places = np.nonzero(np.array(has_reference)[:, np.newaxis] & self.scorable(testset))
        segments = tuple(
            Segment(outputs[system][i] or "", sources[i], references[reference][i])
            for reference, system, i in zip(*(each.tolist() for each in places), strict=True)
        )
        return segments, places


@functools.lru_cache(maxsize=1)  # a test set is tokenised once for its scores and for the notes on them
def _encoded(
    metric: LearnedMetric, digests: tuple[tuple[str, str], ...], segments: tuple[Segment, ...]
) -> EncodedSegments:
    return metric.learned_model().encode(segments)
