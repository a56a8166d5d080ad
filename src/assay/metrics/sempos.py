"""SEMPOS (Kos & Bojar 2009; Macháček & Bojar 2011): words with the same lemma and the same semantic part of speech."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from assay.checks import check_choice
from assay.errors import InputError
from assay.metrics import metric
from assay.metrics.layer_metric import LayerMetric, split_layers
from assay.types import FloatArray, Note, NoteKind, Table, TestSet

__all__ = ["Sempos"]

_Classes = Literal["sempos", "upos"]
_Overlap = Literal["cap-micro", "cap-macro"]
_IGNORED = "-"
_MAX_CLASSES = 50
_LAYERS = {"sempos": ("sempos",), "upos": ("lemma", "pos")}
_CONTENT = frozenset({"ADJ", "ADV", "NOUN", "NUM", "PROPN", "VERB"})

Items: TypeAlias = Counter[tuple[str, str]]
"""Lemmas with their classes."""


@metric("sempos", aliases={"sempos-upos": {"classes": "upos"}})
@dataclass(frozen=True)
class Sempos(LayerMetric[Items, Items]):
    """Share of the reference's lemmas that the output has with the same semantic part of speech, 0 to 1.

    score = overlap / reference, where overlap counts lemmas with their class, each at most as often as the reference

    Options: overlap (cap-micro: of all classes together; cap-macro: the mean over the classes that the reference has);
    classes (sempos: of the annotation layer sempos, with `lemma|class` for each word; upos, a substitute: content words
    by the layers lemma and pos). With several references a segment is scored against the one that gives the highest
    score.
    """

    overlap: _Overlap = "cap-micro"
    classes: _Classes = "sempos"
    found: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        check_choice("overlap", self.overlap, get_args(_Overlap))
        check_choice("classes", self.classes, get_args(_Classes))

    @property
    def reference_layers(self) -> tuple[str, ...]:  # type: ignore[override]
        """They depend on an option."""
        return _LAYERS[self.classes]

    @property
    def output_layers(self) -> tuple[str, ...]:  # type: ignore[override]
        """The same as of a reference."""
        return _LAYERS[self.classes]

    @property
    def _groups(self) -> tuple[str, ...]:
        """The classes that are counted apart; one for all with cap-micro."""
        return self.found if self.overlap == "cap-macro" else ("all",)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"{kind}_{name}" for name in self._groups for kind in ("overlap", "reference"))

    def prepare(self, testset: TestSet) -> Sempos:
        """This metric with the classes that the references have, each of which has columns in cap-macro."""
        if self.overlap == "cap-micro":
            return self
        if self.classes == "upos":
            return dataclasses.replace(self, found=tuple(sorted(_CONTENT)))
        columns, _ = testset.layer_texts("sempos")
        words = {word for column in columns for text in column if text for word in text.split()}
        found = sorted({word.rpartition("|")[2] for word in words} - {_IGNORED})
        if len(found) > _MAX_CLASSES:
            hint = "the layer 'sempos' has `lemma|class` for each word"
            raise InputError(f"more than {_MAX_CLASSES} semantic parts of speech: {', '.join(found[:5])}, …", hint=hint)
        return dataclasses.replace(self, found=tuple(found))

    def advice(self, testset: TestSet) -> Iterator[Note]:
        if self.classes == "upos":
            text = "a substitute for SEMPOS, with universal parts of speech instead of tectogrammatical ones"
            yield Note(NoteKind.PROVENANCE, text, where=self.name)

    def read_reference(self, *layers: str) -> Items:
        if self.classes == "upos":
            return Counter(item for item in zip(*split_layers(*layers), strict=True) if item[1] in _CONTENT)
        items: Items = Counter()
        for word in layers[0].split():
            lemma, bar, name = word.rpartition("|")
            if not bar:
                raise ValueError(f"'{word}' is not of the form lemma|class")
            if name != _IGNORED:
                items[lemma, name] += 1
        return items

    read_output = read_reference

    def compare(self, reference: Items, output: Items) -> Sequence[int]:
        groups = {name: 2 * i for i, name in enumerate(self._groups)}
        row = [0] * (2 * len(groups))
        for item, count in reference.items():
            first = groups[item[1]] if self.overlap == "cap-macro" else 0
            row[first] += min(count, output.get(item, 0))
            row[first + 1] += count
        return row

    def score(self, totals: Table) -> FloatArray:
        totals = np.asarray(totals, dtype=np.float64)
        overlap, reference = totals[..., 0::2], totals[..., 1::2]
        occurs = reference > 0
        shares = np.divide(overlap, reference, out=np.zeros_like(overlap), where=occurs)
        classes = occurs.sum(axis=-1)
        with np.errstate(invalid="ignore"):
            return np.where(classes > 0, shares.sum(axis=-1) / np.maximum(classes, 1), 1.0)

    def preference(self, tables: Table) -> FloatArray:
        """A reference without words of any class is chosen only if there is no other."""
        return np.where(np.asarray(tables)[..., 1::2].any(axis=-1), self.score(tables), np.nan)

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        return {"overlap": get_args(_Overlap)}
