"""Base class of learned metrics: a trained model reads the texts of a segment and gives a score."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from assay.contracts import NETWORKS, Metric
from assay.errors import ConfigError
from assay.files.resources import changed_error, list_resources, resource_folder
from assay.learned.model import EncodedSegments, LearnedModel, Segment
from assay.metrics.windowed import Windows, split_segments
from assay.neural import HALF_TOLERANCES, PRECISIONS, Precision
from assay.options.checks import check_choice, check_count
from assay.types import FloatArray, Note, NoteKind, Table, TestSet, ratio_of_sums
from assay.types.note import listed, plural
from assay.types.runtime import Runtime

__all__ = ["Encoded", "LearnedMetric", "References"]

References = Literal["best", "mean"]
_Indices = tuple[npt.NDArray[np.intp], ...]
"""By segment: its reference, its system and its number in the test set."""

Self = TypeVar("Self", bound="LearnedMetric")


class _Prepared(NamedTuple):
    """What the model was when `prepare` opened it. The signature names it, and scores are computed with no other."""

    digests: Mapping[str, str]
    needs: frozenset[str]


class Encoded(NamedTuple):
    """The segments of a test set that have all texts, encoded for a model."""

    testset: TestSet
    digests: Mapping[str, str]
    windows: Windows
    inputs: EncodedSegments
    """Of the windows."""
    indices: _Indices


@dataclass(frozen=True)
class LearnedMetric(Metric):
    """The mean of a trained model's scores over segments.

    Subclasses say how to open a model (`open_model`), what a model needs by default (`default_needs`) and where to get
    one (`model_hint`).
    """

    argument: ClassVar[str] = "model"
    default_aggregation: ClassVar[str] = "segment"
    family = NETWORKS
    default_needs: ClassVar[frozenset[str]] = frozenset({"source", "reference"})
    """What a model of this metric usually needs."""
    model_hint: ClassVar[str]
    """What a model is, for the error if none is given."""
    model_to_fetch: ClassVar[str] = ""
    """One that Assay can download, for this error."""
    tolerances: ClassVar[Mapping[str, float]] = {"fp32": 1e-4, **HALF_TOLERANCES}
    """By precision, how much a segment score may differ between batches and devices."""
    measured_deviations: ClassVar[Mapping[str, str]] = {}
    """By precision, how much scores differed from those in fp32 when it was measured, with random weights."""

    model: str = ""
    precision: Precision = "fp32"
    references: References = "best"
    window: int = 0
    prepared: _Prepared | None = field(default=None, repr=False, compare=False)
    _last_encoded: list[Encoded] = field(default_factory=list, init=False, repr=False, compare=False)
    """At most one: scores and notes need the same."""

    def __post_init__(self) -> None:
        check_choice("precision", self.precision, PRECISIONS)
        check_choice("references", self.references, get_args(References))
        check_count("window", self.window)

    @abstractmethod
    def open_model(self) -> LearnedModel:
        """The model in `model_source`. Its tokeniser is opened once while its files do not change."""

    @property
    def model_source(self) -> str:
        """The name or the folder of the model; without one, an error says what to do."""
        if not self.model:
            direction = "" if self.higher_is_better else f" --lower-is-better {self.name}"
            hint = (
                f"{self.how_to_get_a_model}; or give scores that were computed elsewhere: --scores "
                f"{self.name}=FILE{direction} without -m {self.name} (in Python, assay.load_scores)"
            )
            raise ConfigError(f"the metric {self.name} needs a model", hint=hint)
        return self.model

    @property
    def how_to_get_a_model(self) -> str:
        """How to name a model, and where one is."""
        found = [resource.name for resource in list_resources()]
        names = f" or the name of one in {resource_folder()}" + (f" (it has {listed(found)})" if found else "")
        fetching = f"; to download one: assay models fetch {self.model_to_fetch}" if self.model_to_fetch else ""
        return f"{self.name}:model=FOLDER, {self.model_hint},{names}{fetching}"

    @property
    def needs(self) -> frozenset[str]:
        if self.prepared is not None:
            return self.prepared.needs
        return self.open_model().needs if self.model else self.default_needs

    @property
    def tolerance(self) -> float:  # type: ignore[override]  # it depends on an option
        return self.tolerances[self.precision]

    @property
    def columns(self) -> tuple[str, ...]:
        return ("score", "count")

    @property
    def resources(self) -> Mapping[str, str]:
        return self.open_model().digests if self.prepared is None else self.prepared.digests

    def prepare(self: Self, testset: TestSet) -> Self:
        """Raises at once if the model, or something that it needs, is missing."""
        model = self.open_model()
        if "reference" not in model.needs and self.references != "best":
            raise ConfigError(
                f"references={self.references} has no effect: the model {self.model} reads no references",
                hint="leave it out",
            )
        if self.window > model.max_tokens:
            message = f"window={self.window} is more than the {model.max_tokens:,} tokens that {model.name} reads"
            raise ConfigError(message, hint=f"window={model.max_tokens}, or fewer")
        return dataclasses.replace(self, prepared=_Prepared(model.digests, model.needs))

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        model = self._open_prepared()
        encoded = self._encode(testset, model)
        tables = np.full((max(1, len(testset.references)), len(testset.outputs), len(testset)), np.nan)
        if encoded.windows.texts:
            tables[encoded.indices] = encoded.windows.mean(self._scores(model, encoded, runtime))
        is_scored = ~np.isnan(tables).all(axis=0)
        scores = np.where(is_scored, self._over_references(np.where(is_scored, tables, 0.0)), 0.0)
        return np.stack([scores, is_scored], axis=-1)

    def _scores(self, model: LearnedModel, encoded: Encoded, runtime: Runtime) -> FloatArray:
        """The score of each window."""
        return model.score_inputs(encoded.inputs, runtime)

    def _open_prepared(self) -> LearnedModel:
        """The model, if it is still the one that the signature names."""
        model = self.open_model()
        if self.prepared is not None and self.prepared.digests != model.digests:
            raise changed_error(model.path)
        return model

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
        """How many texts are truncated, how much half precision changes, and how many inputs were repeated."""
        model = self._open_prepared()
        _, _, windows, encoded, (_, *cells) = self._encode(testset, model)
        if not self.marks_errors:  # which are wanted after the notes
            self._last_encoded.clear()
        if not windows.texts:
            return
        places = list(zip(*(axis.tolist() for axis in cells), strict=True))

        def found(is_one: npt.NDArray[np.bool_]) -> tuple[str, int]:
            """How many outputs there are of these segments, in words, and their number."""
            which = sorted({places[i] for i in np.flatnonzero(is_one).tolist()})
            system, segment = which[0]
            return f"{plural(len(which), 'output')} (first: {testset.systems[system]}, line {segment + 1})", len(which)

        if windows.is_split.any():
            outputs, count = found(windows.is_split)
            number = plural(int(windows.counts[windows.is_split].sum()), "window")
            text = (
                f"{outputs} of more than {self.window:,} tokens scored in {number}, whose scores are averaged by length"
            )
            yield Note(NoteKind.CHANGED, text, where=self.name, count=count)
        is_truncated = windows.any(np.asarray(encoded.is_truncated.any(axis=1)))
        if is_truncated.any():
            outputs, count = found(is_truncated)
            what = "its texts have" if model.input_name == "input" else "the output, its source or its reference has"
            in_parts = f"window={model.max_tokens} scores such outputs in parts"
            remedy = "cutting them into windows does not help" if self.window else in_parts
            text = (
                f"{outputs} scored without the end of a text: {what} more than the {model.max_tokens:,} tokens that "
                f"{model.name} reads; {remedy}"
            )
            yield Note(NoteKind.CHANGED, text, where=self.name, count=count, severity="warning")
        if self.precision != "fp32":
            measured = self.measured_deviations.get(self.precision)
            amount = "scores by an unmeasured amount" if measured is None else f"{measured} (with random weights)"
            text = f"{self.precision} changes {amount}; use fp32 to rank systems with close scores"
            yield Note(NoteKind.ADVICE, text, where=self.name)
        distinct, total = len(encoded.inputs), encoded.input_indices.size
        if distinct < total:
            text = (
                f"{model.name}: {plural(distinct, f'distinct {model.input_name}')} among {total:,}; equal ones are "
                "computed once"
            )
            yield Note(NoteKind.PROVENANCE, text, where=self.name, count=distinct)

    def _encode(self, testset: TestSet, model: LearnedModel) -> Encoded:
        last = self._last_encoded[0] if self._last_encoded else None
        if last is not None and last.testset is testset and last.digests == model.digests:
            return last
        segments, indices = self._segments(testset, model.needs)
        encoded = Encoded(testset, model.digests, *split_segments(model, segments, self.window), indices)
        self._last_encoded[:] = [encoded]
        return encoded

    def _segments(self, testset: TestSet, needs: frozenset[str]) -> tuple[list[Segment], _Indices]:
        none: list[str | None] = [None] * len(testset)
        references = [list(column) for column in testset.references.values()] if "reference" in needs else [none]
        sources = none if testset.sources is None or "source" not in needs else list(testset.sources)
        outputs = [list(column) for column in testset.outputs.values()]
        has_reference = _has_reference(references) if "reference" in needs else np.ones((1, len(testset)), dtype=bool)
        indices = np.nonzero(has_reference[:, np.newaxis] & self.scorable(testset))
        segments = [
            Segment(outputs[system][i] or "", sources[i], references[reference][i])
            for reference, system, i in zip(*(axis.tolist() for axis in indices), strict=True)
        ]
        return segments, indices


def _has_reference(references: Sequence[Sequence[str | None]]) -> npt.NDArray[np.bool_]:
    """(reference, segment): which references count. A blank one counts only if the segment has no other."""
    has_text = np.array([[bool(text and not text.isspace()) for text in column] for column in references])
    is_given = np.array([[text is not None for text in column] for column in references])
    return np.where(has_text.any(axis=0), has_text, is_given)
