"""LEPOR, hLEPOR, nLEPOR (Han et al. 2012, 2013) and LEPOR_v3.1 of WMT13: length, word order and words in common."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from assay import _core
from assay.contracts import AUTO, SURFACE
from assay.errors import option_name
from assay.metrics import metric
from assay.metrics.annotated import AnnotatedMetric
from assay.metrics.long_lines import max_cells, too_long
from assay.metrics.references import in_blocks, of_best_reference
from assay.metrics.tokenized import TokenizedMetric
from assay.metrics.tokenized_texts import tokenize
from assay.options.checks import check_choice
from assay.registry import NestedSpec, split_spec
from assay.text import white_space_advice
from assay.types import Column, FloatArray, Note, NoteKind, Table, TestSet
from assay.types.note import plural
from assay.types.runtime import Runtime

__all__ = ["Lepor"]

_Version = Literal["1", "h", "3.1"]
_Alignment = Literal["auto", "perl", "perl-2013", "strict"]
_LAYER = "pos"
_MAX_ORDER = 100
_UNIFORM = "uniform"
_NO_WEIGHTS = ""  # of a product
_FACTORS = ("length_penalty", "position_penalty", "harmonic_mean")

# Recall : precision, and length penalty : position penalty : harmonic mean.
_DEFAULT = ("9:1", "2:1:7")
_WMT13 = {
    **dict.fromkeys(("en-cs", "en-ru"), ("9:1", "2:1:7")),
    "en-de": ("9:1", "3:7:1"),
    **dict.fromkeys(("cs-en", "es-en", "ru-en"), ("1:9", "2:1:7")),
    **dict.fromkeys(("de-en", "fr-en", "en-es", "en-fr"), ("9:1", "2:1:3")),
}


@metric("lepor", aliases={"nlepor": {"max_order": 4}, "hlepor": {"version": "h"}})
@dataclass(frozen=True)
class Lepor(AnnotatedMetric, TokenizedMetric):
    """Product or harmonic mean of a length penalty, a position penalty and precision with recall, 0 to 1.

    score = lp * npp * hpr, or hLEPOR's sum(w) / (w_1 / lp + w_2 / npp + w_3 / hpr)

    Options: version (1: the product; h: the harmonic mean, hLEPOR; 3.1: hLEPOR with the WMT13 weights of the language
    pair); weights, of the three factors of versions h and 3.1 (auto: 2:1:7); recall_precision, their weights in hpr
    (auto: 9:1); max_order, the longest n-grams in hpr (nLEPOR: 4); order_weights, of the orders (uniform, or e.g.
    4:3:2:1); alignment of words (perl: as the authors' programs; perl-2013: as before 2017; strict: as the paper
    describes it; auto: perl-2013 for version 3.1, else perl); pos_weight, of the same score on part-of-speech tags (0:
    not used; else the annotation layer `pos` is needed); tok, the tokeniser (none: white space); lowercase. With
    several references a segment is scored against the one that gives the highest score.
    """

    labels = ("LEPOR", "nLEPOR", "hLEPOR")
    family = SURFACE
    default_aggregation: ClassVar[str] = "segment"
    undefined = "no segment was scored"

    version: _Version = "1"
    weights: str = AUTO
    recall_precision: str = AUTO
    max_order: int = 1
    order_weights: str = _UNIFORM
    alignment: _Alignment = "auto"
    pos_weight: float = 0.0
    tok: NestedSpec = "none"
    lowercase: bool = True

    def __post_init__(self) -> None:
        check_choice("version", self.version, get_args(_Version))
        check_choice("alignment", self.alignment, get_args(_Alignment))
        if not 1 <= self.max_order <= _MAX_ORDER:
            raise ValueError(f"max_order must be between 1 and {_MAX_ORDER}, not {self.max_order}")
        if not 0 <= self.pos_weight <= 1:
            raise ValueError(f"pos_weight must be between 0 and 1, not {self.pos_weight:g}")
        if self.version == "1" and self.weights not in (AUTO, _NO_WEIGHTS):
            raise ValueError("weights requires version=h or version=3.1: version=1 is a product")
        if self.version != "1" and self.weights != AUTO:
            _ratio("weights", self.weights, 3)
        if self.recall_precision != AUTO:
            _ratio("recall_precision", self.recall_precision, 2)
        if self.order_weights != _UNIFORM:
            _ratio("order_weights", self.order_weights, self.max_order)
        super().__post_init__()

    @property
    def reference_layers(self) -> tuple[str, ...]:
        """Tags, if they weigh anything."""
        return (_LAYER,) if self.pos_weight else ()

    @property
    def columns(self) -> tuple[str, ...]:
        tagged = tuple(f"{_LAYER}_{name}" for name in _FACTORS) if self.pos_weight else ()
        return (*_FACTORS, *tagged, "count")

    def prepare(self, testset: TestSet) -> Lepor:
        recall_precision, weights = self._settings(testset)
        return dataclasses.replace(
            self,
            weights=_NO_WEIGHTS if self.version == "1" else weights if self.weights == AUTO else self.weights,
            alignment=("perl-2013" if self.version == "3.1" else "perl") if self.alignment == AUTO else self.alignment,
            recall_precision=recall_precision if self.recall_precision == AUTO else self.recall_precision,
        )

    def _settings(self, testset: TestSet) -> tuple[str, str]:
        return _WMT13.get(testset.language_pair or "", _DEFAULT) if self.version == "3.1" else _DEFAULT

    def advice(self, testset: TestSet) -> Iterator[Note]:
        name, _ = split_spec(metric.spec(self))  # hlepor and nlepor are specs of this metric
        yield from super().advice(testset)
        yield from white_space_advice(testset, self.name, self.tok, f"{name}:tok={{tok}}")
        if self.version == "3.1" and testset.language_pair not in _WMT13:
            used = f"those of hlepor are used ({' and '.join(_DEFAULT)})"
            text = f"WMT13 had no settings for {testset.lp}: {used}"
            if testset.lp is None:
                text = f"the WMT13 settings depend on the language pair, which is not known: {used}; give "
                text += option_name("lp", "en-de")
            yield Note(NoteKind.ADVICE, text, where=self.name)
        order = int(np.flatnonzero(self._shares_of_orders)[-1]) + 1
        if order > 1 and (count := self._short_segments(testset, order)):
            text = (
                f"{plural(count, 'segment')} without a reference of at least {order} words: the score is 0 there, even "
                "if the output equals the reference"
            )
            yield Note(NoteKind.SUSPECT, text, where=self.name, count=count)

    def _short_segments(self, testset: TestSet, order: int) -> int:
        """How many segments have references, but none with an n-gram of an order."""
        texts = tokenize(tuple(testset.references.values()), self.tok, lowercase=self.lowercase)
        columns = range(len(testset.references))
        longest = np.max([texts.lengths(column) for column in columns], axis=0)
        return int(np.count_nonzero((longest < order) & np.any(texts.present, axis=0)))

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        references, outputs, core = self.texts(testset, lowercase=self.lowercase)
        tags = testset.layer_texts(_LAYER)
        scorable, usable = self.scorable(testset), self.usable_references(testset)

        def statistics(references: tuple[Column, ...], outputs: tuple[Column, ...], first: int) -> Table:
            rows = slice(first, first + len(outputs[0]))
            try:
                tables = self._factors(references, outputs, core, runtime)
                if self.pos_weight:
                    tagged, tagged_outputs = (tuple(column[rows] for column in columns) for columns in tags)
                    factors = self._factors(tagged, tagged_outputs, "none", runtime)
                    tables = np.concatenate([tables, factors], axis=-1)
            except _core.TooLongError as error:
                names = testset.outputs, testset.references
                raise too_long(error, self.name, *names, because=", which repeat words often").moved(first) from None
            tables = np.concatenate([tables, np.ones((*tables.shape[:-1], 1))], axis=-1)
            scores = np.where(usable[:, np.newaxis, rows], self.score(tables), np.nan)
            return of_best_reference(tables, scores, references) * scorable[:, rows, np.newaxis]

        return in_blocks(references, outputs, statistics)

    def _factors(
        self, references: tuple[Column, ...], outputs: tuple[Column, ...], core: str, runtime: Runtime
    ) -> FloatArray:
        """(reference, system, segment, factor)"""
        counts = _core.lepor_statistics(
            references, outputs, core, self.alignment, self.max_order, max_cells(), runtime.threads
        )
        output_length, reference_length, matches, difference, *ngram_matches = np.moveaxis(counts, -1, 0)
        shorter, longer = np.minimum(output_length, reference_length), np.maximum(output_length, reference_length)
        harmonic_mean = np.ones_like(matches)
        for n, (count, weight) in enumerate(zip((matches, *ngram_matches), self._shares_of_orders, strict=True)):
            harmonic_mean *= self._harmonic_mean(count, output_length - n, reference_length - n) ** weight
        with np.errstate(divide="ignore", invalid="ignore"):
            length_penalty = np.where(shorter > 0, np.exp(1 - longer / shorter), 0.0)
        return np.stack([length_penalty, np.where(output_length > 0, np.exp(-difference), 0.0), harmonic_mean], axis=-1)

    @property
    def _shares_of_orders(self) -> FloatArray:
        """The weights of the orders of n-grams, which add up to 1."""
        if self.order_weights == _UNIFORM:
            return np.full(self.max_order, 1 / self.max_order)
        weights = _ratio("order_weights", self.order_weights, self.max_order)
        return np.asarray(weights / weights.sum())

    def _harmonic_mean(self, matches: Table, ngrams: Table, reference_ngrams: Table) -> FloatArray:
        """Of precision and recall (equation 6): (a + b) P R / (a P + b R), where a is the weight of recall."""
        recall, precision = _ratio("recall_precision", self.recall_precision, 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = (recall + precision) * matches / (recall * reference_ngrams + precision * ngrams)
        return np.where(matches > 0, mean, 0.0)

    def score(self, totals: Table) -> FloatArray:
        totals = np.asarray(totals, dtype=np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            means = totals[..., :-1] / totals[..., -1:]
        score = self._combined(means[..., :3])
        if not self.pos_weight:
            return score
        return (1 - self.pos_weight) * score + self.pos_weight * self._combined(means[..., 3:])

    def _combined(self, factors: FloatArray) -> FloatArray:
        """Of one segment, or of mean factors: the authors' second way to score a system."""
        if self.version == "1":
            return np.asarray(factors.prod(axis=-1))
        weights = _ratio("weights", self.weights, 3)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = weights.sum() / (weights / factors).sum(axis=-1)
        return np.where((factors == 0).any(axis=-1), 0.0, mean)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"alignment": get_args(_Alignment)[1:], "tok": ("none", "13a", "intl"), "lowercase": (True, False)}


def _ratio(name: str, text: str, size: int) -> FloatArray:
    """The numbers of a ratio such as 9:1."""
    try:
        numbers = np.array([float(number) for number in text.split(":")])
    except ValueError:
        numbers = np.array([])
    if len(numbers) != size or not np.isfinite(numbers).all() or (numbers < 0).any() or not numbers.any():
        example = ":".join(map(str, range(size, 0, -1)))
        raise ValueError(f"{name} must be {plural(size, 'non-negative number')} such as {example}, not '{text}'")
    return numbers
