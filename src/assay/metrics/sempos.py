"""SEMPOS (Kos & Bojar 2009; Macháček & Bojar 2011): words with the same lemma and the same semantic part of speech."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.errors import ConfigError, InputError, printable, shortened
from assay.metrics import metric
from assay.metrics.layer_metric import LayerMetric, LayerTexts, token_columns
from assay.metrics.tokenized_texts import TokenizedTexts
from assay.options.checks import check_choice
from assay.types import FloatArray, Note, NoteKind, Table, TestSet, as_column, check_sempos, digest_of_column
from assay.types.runtime import Runtime

__all__ = ["Sempos"]

_Classes = Literal["sempos", "upos"]
_Overlap = Literal["cap-micro", "cap-macro"]
_IGNORED = "-"
_MAX_CLASSES = 50
_DIGITS = 16  # of a digest in signatures
_LAYERS = {"sempos": ("sempos",), "upos": ("lemma", "pos")}
_CONTENT = frozenset({"ADJ", "ADV", "NOUN", "NUM", "PROPN", "VERB"})
_OTHERS = frozenset({"ADP", "AUX", "CCONJ", "DET", "INTJ", "PART", "PRON", "PUNCT", "SCONJ", "SYM", "X"})
_UNKNOWN = "_"


@metric("sempos", aliases={"sempos-upos": {"classes": "upos"}})
@dataclass(frozen=True)
class Sempos(LayerMetric):
    """Share of the reference's lemmas that the output has with the same semantic part of speech, 0 to 1.

    score = overlap / reference, where overlap counts lemmas with their class, each at most as often as the reference

    Options: overlap (cap-micro: of all classes together; cap-macro: the mean over the classes that the reference has);
    classes (sempos: of the annotation layer sempos, with `lemma|class` for each word; upos, a substitute: content words
    by the layers lemma and pos). With several references a segment is scored against the one that gives the highest
    score.
    """

    labels = ("SEMPOS",)

    overlap: _Overlap = "cap-micro"
    classes: _Classes = "sempos"
    reference_classes: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        check_choice("overlap", self.overlap, get_args(_Overlap))
        check_choice("classes", self.classes, get_args(_Classes))

    @property
    def reference_layers(self) -> tuple[str, ...]:
        """Layers of a reference, by the option `classes`."""
        return _LAYERS[self.classes]

    @property
    def _groups(self) -> tuple[str, ...]:
        """Classes counted separately; cap-micro uses one group."""
        return self.reference_classes if self.overlap == "cap-macro" else ("all",)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"{kind}_{name}" for name in self._groups for kind in ("overlap", "reference"))

    def prepare(self, testset: TestSet) -> Sempos:
        """This metric with the classes of the references; cap-macro has two columns for each."""
        if self.overlap == "cap-micro":
            return self
        if self.classes == "upos":
            return dataclasses.replace(self, reference_classes=tuple(sorted(_CONTENT)))
        columns, _ = testset.layer_texts("sempos")
        words = {word for column in columns for text in column if text for word in text.split()}
        classes = sorted({word.rpartition("|")[2] for word in words} - {_IGNORED})
        if len(classes) > _MAX_CLASSES:
            hint = "the layer 'sempos' has `lemma|class` for each word"
            shown = ", ".join(classes[:5])
            raise InputError(f"more than {_MAX_CLASSES} semantic parts of speech: {shown}, …", hint=hint)
        return dataclasses.replace(self, reference_classes=tuple(classes))

    @property
    def resources(self) -> Mapping[str, str]:
        """The classes that cap-macro averages over, if they are those of the references."""
        if not self.reference_classes or self.classes == "upos":
            return {}
        return {"classes": digest_of_column(as_column(self.reference_classes))[:_DIGITS]}

    def advice(self, testset: TestSet) -> Iterator[Note]:
        yield from super().advice(testset)
        if self.classes == "upos":
            text = "a substitute for SEMPOS, with universal parts of speech instead of tectogrammatical ones"
            yield Note(NoteKind.PROVENANCE, text, where=self.name)

    def compare(self, texts: LayerTexts, runtime: Runtime) -> Table:
        words, items, names, class_of_item = _content_words(texts) if self.classes == "upos" else _sempos_words(texts)
        references = len(texts.references)
        if self.overlap == "cap-macro":
            groups = {name: i for i, name in enumerate(self.reference_classes)}
            classes_of_references = {names[i] for rows in items[:references] for i in np.unique(class_of_item[rows])}
            if unknown := classes_of_references - {*groups, _IGNORED}:
                hint = "call `prepare` with a test set that has these references"
                raise ConfigError(f"sempos is not prepared for the class '{min(unknown)}'", hint=hint)
        else:
            groups = {name: 0 for name in names if name != _IGNORED}
        group_of_item = np.array([groups.get(name, -1) for name in names], dtype=np.int32)[class_of_item]
        columns = token_columns(words, items)
        tables = _core.clipped_matches(
            columns[:references], columns[references:], group_of_item, len(self._groups), runtime.threads
        )
        return np.delete(tables, np.s_[1::3], axis=-1)  # without the items of the output

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


_Split: TypeAlias = tuple[TokenizedTexts, Sequence[npt.NDArray[Any]], Sequence[str], npt.NDArray[np.int64]]
"""Words, the items that are compared (a number for each word), the names of classes, and the class of each item."""


def _sempos_words(texts: LayerTexts) -> _Split:
    (words,) = texts.split("sempos")
    numbers: dict[str, int] = {}
    class_of_item = np.zeros(len(words.words), dtype=np.int64)
    for item, word in enumerate(words.words):
        try:
            check_sempos(word)
        except InputError as error:
            raise texts.value_error("sempos", words, item, error.message, error.hint) from None
        name = word.rpartition("|")[2]
        class_of_item[item] = numbers.setdefault(name, len(numbers))
    return words, words.rows, list(numbers), class_of_item


def _content_words(texts: LayerTexts) -> _Split:
    """The items are lemmas with a class, which is ignored for all words but content words."""
    lemmas, tags = texts.split("lemma", "pos")
    for number, tag in enumerate(tags.words):
        if tag not in _CONTENT | _OTHERS | {_UNKNOWN}:
            reason = f"'{printable(shortened(tag))}' is not a universal part of speech"
            known = ", ".join(sorted(_CONTENT | _OTHERS))
            hint = f"tags of a language's own tag set belong in XPOS, the fifth column of CoNLL-U; universal: {known}"
            raise texts.value_error("pos", tags, number, reason, hint)
    names = (*sorted(_CONTENT), _IGNORED)
    class_of_tag = np.array([names.index(tag if tag in _CONTENT else _IGNORED) for tag in tags.words], dtype=np.int64)
    pairs = zip(lemmas.rows, tags.rows, strict=True)
    items = [lemma.astype(np.int64) * len(names) + class_of_tag[tag] for lemma, tag in pairs]
    return lemmas, items, names, np.tile(np.arange(len(names)), len(lemmas.words))
