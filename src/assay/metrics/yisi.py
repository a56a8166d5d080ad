"""YiSi without semantic roles (Lo 2019): weighted n-gram precision and recall by the similarity of words."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np

from assay._core import TokenColumn
from assay.contracts import AUTO
from assay.metrics import metric
from assay.metrics.document_frequency import DocumentFrequency, joined_digest
from assay.metrics.references import in_blocks
from assay.metrics.token_vectors import EmbeddedTexts, TokenVectors, find_token_vectors
from assay.metrics.tokenized_texts import TokenizedTexts, check_lengths
from assay.metrics.tokenized_texts import tokenize as split_words
from assay.metrics.vector_metric import Side, VectorMetric
from assay.metrics.word_similarity import Comparison, Similarity, by_form, by_vectors
from assay.options.checks import check_choice
from assay.registry import NestedSpec
from assay.text import default_tokenizer, make_tokenizer, space_advice, tokenizer_spec, unspaced_tokenizer
from assay.types import Column, FloatArray, Mask, Note, NoteKind, Table, TestSet, present, ratio_of_sums
from assay.types.runtime import Runtime

__all__ = ["Yisi", "YisiBlock"]

_MAX_N = 100
_Against = Literal["reference", "source"]
_Weights = Literal["auto", "reference", "own", "uniform"]

_Statistics: TypeAlias = FloatArray
"""(system, segment, [precision, recall])"""


@dataclass(frozen=True, slots=True)
class _Frequencies:
    """What the weights of words were fitted on."""

    others: DocumentFrequency
    """All references together, or the sources."""
    outputs: Mapping[str, DocumentFrequency]
    """By system, if each side is weighted by its own texts."""

    @property
    def digest(self) -> str:
        """The same for the same texts, whatever the systems are called."""
        return joined_digest([self.others.digest, *sorted(each.digest for each in self.outputs.values())])


@dataclass(frozen=True, slots=True, eq=False)
class YisiBlock:
    """Some segments, as words: the references, or the source, and then the outputs."""

    testset: TestSet
    texts: TokenizedTexts
    weights: Sequence[FloatArray]
    """Of the words of `texts`, for each column."""
    others: int
    """The columns that are not outputs."""
    compare: Comparison

    @property
    def sides(self) -> tuple[tuple[TokenColumn, ...], tuple[TokenColumn, ...]]:
        """The columns for a kernel."""
        columns = tuple(self.texts.column(i, weights) for i, weights in enumerate(self.weights))
        return columns[: self.others], columns[self.others :]


@metric(
    "yisi",
    aliases={"yisi-0": {"similarity": "lcs"}, "yisi-1": {}, "yisi-2": {"against": "source"}},
)
@dataclass(frozen=True)
class Yisi(VectorMetric):
    """Weighted precision and recall of n-grams by the similarity of their words, reported as the segment mean, 0 to 1.

    score = precision * recall / (alpha * precision + (1 - alpha) * recall)

    Options: similarity, of two words (vectors: their cosine; lcs: their longest common substring, as in YiSi-0; exact);
    vectors, of words or an encoder (the name of a resource or a path); against, what outputs are compared with
    (reference; source, as in YiSi-2); n, the words of an n-gram; alpha, the weight of recall; weights, the corpus of
    the words' weights (reference; own: each side its own texts; uniform: none; auto: own against the source, else
    reference); tok, the tokeniser (auto: by language, else 13a); lowercase; source_vectors and source_tok, those of the
    sources, if not the same. With several references, precision and recall are the best over the references, each
    for itself.
    """

    labels: ClassVar[tuple[str, ...]] = ("YiSi",)
    default_aggregation: ClassVar[str] = "segment"
    undefined = "the reference or source has no words"

    similarity: Similarity = "vectors"
    vectors: NestedSpec = ""
    against: _Against = "reference"
    n: int = 3
    alpha: float = 0.8
    weights: _Weights = "auto"
    tok: NestedSpec = "auto"
    lowercase: bool = False
    source_vectors: NestedSpec = ""
    source_tok: NestedSpec = "auto"
    frequencies: _Frequencies | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_choice("similarity", self.similarity, get_args(Similarity))
        check_choice("against", self.against, get_args(_Against))
        check_choice("weights", self.weights, get_args(_Weights))
        if not 1 <= self.n <= _MAX_N:
            raise ValueError(f"n must be between 1 and {_MAX_N}, not {self.n}")
        if not 0 <= self.alpha <= 1:
            raise ValueError(f"alpha must be between 0 and 1, not {self.alpha:g}")
        if self.against == "source" and self.weights == "reference":
            raise ValueError("weights=reference needs against=reference")
        if self.similarity != "vectors" and (self.vectors or self.source_vectors):
            raise ValueError(f"similarity={self.similarity} compares the letters of words and takes no vectors")
        if self.against != "source" and (self.source_vectors or self.source_tok != AUTO):
            raise ValueError("source_vectors and source_tok require against=source")
        if self.source_tok != AUTO:
            object.__setattr__(self, "source_tok", tokenizer_spec(self.source_tok))
        super().__post_init__()

    @property
    def needs(self) -> frozenset[str]:
        """The reference or the source."""
        return frozenset({self.against})

    @property
    def columns(self) -> tuple[str, ...]:
        return ("value", "count")

    @property
    def resources(self) -> Mapping[str, str]:
        resources = dict(super(VectorMetric, self).resources)
        if self.similarity == "vectors":
            resources |= {"vectors": find_token_vectors(self._checked(self.vectors)).digest}
            if self.source_vectors:
                resources |= {"source_vectors": find_token_vectors(self.source_vectors).digest}
        if self.source_tok != AUTO:
            resources |= {f"source_{key}": value for key, value in make_tokenizer(self.source_tok).resources.items()}
        if self.frequencies is not None and self.weights != "uniform":
            resources |= {"idf": self.frequencies.digest}
        return resources

    def prepare(self, testset: TestSet) -> Yisi:
        weights = self._usual_weights if self.weights == AUTO else self.weights
        chosen = dataclasses.replace(self, weights=weights, **self.chosen(testset))
        if weights == "uniform":
            return chosen
        return dataclasses.replace(chosen, frequencies=chosen._fitted(testset))

    @property
    def _usual_weights(self) -> _Weights:
        return "own" if self.against == "source" else "reference"

    def spec_with(self, **options: str) -> str:
        weights = AUTO if self.weights == self._usual_weights else self.weights
        return super().spec_with(weights=weights, **options)

    def chosen(self, testset: TestSet) -> dict[str, Any]:
        """Those of the sources as well. Similarities of forms need no vectors."""
        if self.similarity != "vectors":
            return {"tok": self.tok_for(testset.target), **self._source_tok(testset)}
        chosen = super().chosen(testset)
        if self.against == "source":
            source = self._token_vectors(is_source=True)
            if self.source_vectors and source.is_contextual:
                chosen["source_vectors"] = source.spec
            if not source.is_contextual:
                chosen |= self._source_tok(testset)
        return chosen

    def _source_tok(self, testset: TestSet) -> dict[str, str]:
        if self.against != "source" or self.source_tok != AUTO:
            return {}
        return {"source_tok": default_tokenizer((testset.language_pair or "").partition("-")[0])}

    @property
    def tolerance(self) -> float:  # type: ignore[override]  # it depends on options
        return super().tolerance if self.similarity == "vectors" else 0.0

    def advice(self, testset: TestSet) -> Iterator[Note]:
        if self.against == "source":
            text = (
                "outputs are compared with the source, which can be worse than chance: with a multilingual encoder it "
                "was on most language pairs (docs/embedding-metrics.md); test it on yours before you trust it"
            )
            yield Note(NoteKind.ADVICE, text, where=self.name, severity="warning")
        if self.similarity == "vectors":
            yield from super().advice(testset)
        else:
            tok = self.tok_for(testset.target)
            better = self.spec_with(tok=unspaced_tokenizer(testset))
            yield from space_advice(testset, self.name, tok, better, depends_on_language=True)

    def sides(self, testset: TestSet) -> Iterator[Side]:
        if self.against == "reference":
            yield from super().sides(testset)
        else:
            sources = {f"the {name}": column for name, column in self._others(testset).items()}
            yield Side("the source", "source_tok", self._token_vectors(is_source=True), sources)
            outputs = self.output_columns(testset)
            yield Side("the outputs", "tok", self._token_vectors(is_source=False), outputs)

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        others = self._others(testset)
        frequencies = None if self.weights == "uniform" else self._fitted(testset)

        def statistics(_: tuple[Column, ...], outputs: tuple[Column, ...], first: int) -> Table:
            segments = range(first, first + len(outputs[0]))
            block = testset if len(segments) == len(testset) else testset.take(segments)
            return self._values(self._block(block, frequencies, runtime, first))

        size = self.block_size(len(others) + len(testset.outputs)) if self.similarity == "vectors" else None
        return in_blocks(tuple(others.values()), tuple(testset.outputs.values()), statistics, size=size)

    def defined(self, table: Table) -> Mask:
        """Where there is a value: the last column is 1."""
        return np.asarray(table)[..., -1] > 0

    def score(self, totals: Table) -> FloatArray:
        return ratio_of_sums(np.asarray(totals, dtype=np.float64))

    def _others(self, testset: TestSet) -> Mapping[str, Column]:
        """What the outputs are compared with."""
        if self.against == "reference":
            return testset.references
        return {} if testset.sources is None else {"source": testset.sources}

    def _fitted(self, testset: TestSet) -> _Frequencies:
        """What was fitted before; the rest is fitted on the whole test set, also if it is computed in blocks."""
        fitted = self.frequencies or _Frequencies(self._fit_others(testset), {})
        if self.weights != "own":
            return fitted
        new = {name: column for name, column in testset.outputs.items() if name not in fitted.outputs}
        texts = self._words(tuple(new.values()), is_source=False)
        found = {name: DocumentFrequency.of(texts, [column]) for column, name in enumerate(new)}
        return _Frequencies(fitted.others, {**fitted.outputs, **found})

    def _fit_others(self, testset: TestSet) -> DocumentFrequency:
        texts = self._words(tuple(self._others(testset).values()), is_source=self.against == "source")
        return DocumentFrequency.of(texts, range(len(texts.rows)))

    def _words(self, columns: Sequence[Column], *, is_source: bool) -> TokenizedTexts:
        """The tokens of one side."""
        if self.similarity == "vectors":
            return self._token_vectors(is_source=is_source).tokenize(columns)
        return split_words(columns, self._tok(is_source=is_source), lowercase=self.lowercase)

    def _tok(self, *, is_source: bool) -> str:
        return self.source_tok if is_source and self.source_tok != AUTO else self.tok_for(None)

    def _token_vectors(self, *, is_source: bool) -> TokenVectors:
        vectors = (self.source_vectors if is_source else "") or self._checked(self.vectors)
        return self.opened(vectors, self._tok(is_source=is_source))

    def _block(self, testset: TestSet, frequencies: _Frequencies | None, runtime: Runtime, first: int) -> YisiBlock:
        """Some segments of a test set, of which `first` is the first one."""
        is_source = self.against == "source"
        others, outputs = self._others(testset), testset.outputs
        if self.similarity == "vectors":
            embedded = self._embedded(others, outputs, runtime)
            texts = embedded.texts
        else:
            texts = self._words(tuple(others.values()), is_source=is_source)
            texts = texts.joined(self._words(tuple(outputs.values()), is_source=False))
        names = ["the source"] if is_source else [f"reference '{name}'" for name in others]
        check_lengths(texts, self.name, (*names, *(f"'{name}'" for name in outputs)), first)
        if self.similarity == "vectors":
            is_contextual = self._token_vectors(is_source=False).is_contextual
            rule = "none" if is_contextual else "without-vector" if is_source else "all"
            compare = by_vectors(embedded, rule, runtime.threads)
        else:
            columns = tuple(outputs), tuple(others)
            compare = by_form(texts, self.name, columns, runtime.threads, first, exact=self.similarity == "exact")
        weights = self._word_weights(texts, len(others), tuple(outputs), frequencies)
        return YisiBlock(testset, texts, weights, len(others), compare)

    def best(self, block: YisiBlock) -> _Statistics:
        """Precision and recall of each output, the best over the references, each for itself."""
        best: _Statistics = block.compare(*block.sides, self.n).max(axis=0)
        return best

    def _embedded(self, others: Mapping[str, Column], outputs: Mapping[str, Column], runtime: Runtime) -> EmbeddedTexts:
        target = self._token_vectors(is_source=False)
        if self.against == "reference":
            return target.embed((*others.values(), *outputs.values()), runtime)
        source = self._token_vectors(is_source=True).embed(tuple(others.values()), runtime)
        return source.joined(target.embed(tuple(outputs.values()), runtime))

    def _word_weights(
        self, texts: TokenizedTexts, others: int, systems: tuple[str, ...], frequencies: _Frequencies | None
    ) -> list[FloatArray]:
        """For each column, the weights of all words."""
        if frequencies is None:
            return [np.ones(len(texts.words))] * len(texts.rows)
        shared = _weights(frequencies.others, texts)
        if self.weights != "own":
            return [shared] * len(texts.rows)
        return [shared] * others + [_weights(frequencies.outputs[system], texts) for system in systems]

    def _values(self, block: YisiBlock) -> Table:
        """(value, 1) of each output; zeros where a text is absent or nothing has words."""
        precision, recall = np.moveaxis(self.best(block), -1, 0)
        weighted = self.alpha * precision + (1 - self.alpha) * recall
        is_zero = (precision == 0) | (recall == 0)
        value = np.where(is_zero, 0.0, precision * recall / np.where(is_zero, 1.0, weighted))
        has_words = np.any([block.texts.lengths(i) > 0 for i in range(block.others)], axis=0)
        scored = has_words & np.stack([present(column) for column in block.testset.outputs.values()])
        return np.stack([np.where(scored, value, 0.0), scored.astype(np.float64)], axis=-1)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"n": (3, 1, 2), "alpha": (0.8, 0.5), "weights": ("auto", "uniform"), "lowercase": (False, True)}


def _weights(frequency: DocumentFrequency, texts: TokenizedTexts) -> FloatArray:
    """log2(1 + (N + 1) / (df + 1)) by row."""
    counts = frequency.of_words(texts.words, lower_if_unseen=True)
    return np.log2(1 + (frequency.texts + 1) / (counts + 1))
