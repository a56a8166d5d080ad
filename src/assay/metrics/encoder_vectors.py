"""Tokens and vectors of a contextual encoder, for the metrics that compare vectors."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from assay.encoders import Encoder, LayerStates, Tokens, find_encoder, open_encoder, pool_words
from assay.errors import ConfigError, nearest
from assay.metrics.token_vectors import ENCODER_OPTIONS, MANY_UNKNOWN, EmbeddedTexts, Unit, of_side
from assay.metrics.tokenized_texts import TokenizedTexts
from assay.neural import HALF_TOLERANCES, PRECISIONS, Precision, compute
from assay.options.checks import check_choice
from assay.types import Column, Note, NoteKind, present
from assay.types.note import plural
from assay.types.runtime import Runtime

__all__ = ["EncoderVectors"]

_Numbers: TypeAlias = tuple[npt.NDArray[np.int64], ...]
_TOLERANCES = {"fp32": 1e-5, **HALF_TOLERANCES}


@dataclass(frozen=True, slots=True)
class EncoderVectors:
    """The states of one layer of an encoder. A text that occurs several times is encoded once."""

    source: str
    digest: str
    chosen_layer: int | None
    unit: Unit
    precision: Precision
    lowercase: bool
    keeps_special_tokens: bool
    """Whether the special tokens of start and end that the encoder adds are tokens, too."""

    is_contextual: ClassVar[bool] = True

    @classmethod
    def of(
        cls, source: str, options: str, *, unit: Unit, lowercase: bool, keeps_special_tokens: bool
    ) -> EncoderVectors:
        """An encoder by its name or path, with options such as `layer=9,unit=words`; `unit` is the default one."""
        values = {"unit": unit, "precision": "fp32", **_parse_options(source, options)}
        check_choice("unit", values["unit"], get_args(Unit))
        check_choice("precision", values["precision"], PRECISIONS)
        layer = values.get("layer")
        if layer is not None and not layer.isdecimal():
            raise ConfigError(f"'layer={layer}' of '{source}': expected an integer, 0 for the embeddings")
        return cls(
            source,
            find_encoder(source).digest,
            None if layer is None else int(layer),
            values["unit"],  # type: ignore[arg-type]  # checked
            values["precision"],  # type: ignore[arg-type]
            lowercase,
            keeps_special_tokens,
        )

    @property
    def name(self) -> str:
        """The name of the folder."""
        return find_encoder(self.source).name

    @property
    def spec(self) -> str:
        """The source with all options."""
        return f"{self.source}:layer={self.layer},unit={self.unit},precision={self.precision}"

    @property
    def tolerance(self) -> float:
        """An upper bound on how much a score differs in other batches and on other devices."""
        return _TOLERANCES[self.precision]

    @property
    def layer(self) -> int:
        """The chosen layer, by default the last one."""
        last = self.encoder.layers
        if self.chosen_layer is not None and self.chosen_layer > last:
            raise ConfigError(f"the encoder {self.name} has {last} layers, there is no layer {self.chosen_layer}")
        return last if self.chosen_layer is None else self.chosen_layer

    @property
    def special_tokens(self) -> frozenset[str]:
        """The tokens of start and end, if they are compared."""
        return self.encoder.special_tokens if self.keeps_special_tokens else frozenset()

    @property
    def encoder(self) -> Encoder:
        """The encoder, opened once while its files do not change."""
        return open_encoder(self.source, precision=self.precision)

    def tokenize(self, columns: Sequence[Column]) -> TokenizedTexts:
        """The tokens alone."""
        numbers, tokens = self._tokens(columns)
        forms = [self._in_units(text, np.zeros((len(text.ids), 0), dtype=np.float32))[0] for text in tokens]
        return _in_columns(columns, numbers, forms)

    def embed(self, columns: Sequence[Column], runtime: Runtime) -> EmbeddedTexts:
        """The tokens and their vectors."""
        numbers, tokens = self._tokens(columns)
        network = LayerStates(self.source, self.digest, self.layer, self.precision)
        states = compute(network, [text.ids for text in tokens], runtime)
        units = [self._in_units(*pair) for pair in zip(tokens, states, strict=True)]
        texts = _in_columns(columns, numbers, [forms for forms, _ in units])
        vectors = [vectors for _, vectors in units]
        return EmbeddedTexts(texts, np.concatenate(vectors) if vectors else np.zeros((0, 1), dtype=np.float32))

    def notes(self, columns: Mapping[str, Column], where: str, side: str = "") -> Iterator[Note]:
        """How many texts are truncated because they are too long, and how many tokens are unknown."""
        numbers, tokens = self._tokens(tuple(columns.values()))
        every = np.concatenate(numbers)
        occurrences = np.bincount(every[every >= 0], minlength=len(tokens))
        is_truncated = np.array([*(text.is_truncated for text in tokens), False])  # the last one: there is no text
        if truncated := int(np.count_nonzero(is_truncated[every])):
            name, line = next(
                (name, int(is_truncated[column].argmax()) + 1)
                for name, column in zip(columns, numbers, strict=True)
                if is_truncated[column].any()
            )
            text = (
                f"{plural(truncated, 'text')} longer than the {self.encoder.max_tokens} tokens that {self.name} reads, "
                f"first in line {line} of {name}; the rest is ignored"
            )
            yield Note(NoteKind.CHANGED, text, where=where, count=truncated, severity="warning")
        token = self.encoder.unknown_token
        unknown = int(occurrences @ np.array([text.forms.count(token) for text in tokens], dtype=np.int64))
        total = int(occurrences @ np.array([_in_text(text) for text in tokens], dtype=np.int64))
        if unknown:
            share = f"{unknown:,} of {plural(total, 'token')}{of_side(side)} ({100 * unknown / total:.1f} %)"
            text = f"{share} are unknown to {self.name}"
            severity = "warning" if unknown > MANY_UNKNOWN * total else "note"
            yield Note(NoteKind.MISSING, text, where=where, count=unknown, severity=severity)

    def _tokens(self, columns: Sequence[Column]) -> tuple[_Numbers, list[Tokens]]:
        """For each column the number of each text, -1 where there is none; and the tokens of the distinct texts."""
        distinct: dict[str, int] = {}
        numbers = tuple(
            np.array([-1 if text is None else distinct.setdefault(text, len(distinct)) for text in column], np.int64)
            for column in columns
        )
        texts = [text.lower() for text in distinct] if self.lowercase else list(distinct)
        return numbers, self.encoder.tokenize(texts)

    def _in_units(
        self, tokens: Tokens, states: npt.NDArray[np.float32]
    ) -> tuple[tuple[str, ...], npt.NDArray[np.float32]]:
        if not self.keeps_special_tokens:
            kept = [i for i, word in enumerate(tokens.words) if word is not None]
            tokens, states = _select(tokens, kept), states[kept]
        return pool_words(tokens, states) if self.unit == "words" else (tokens.forms, states)


def _parse_options(source: str, options: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for item in filter(None, (item.strip() for item in options.split(","))):
        name, equals, value = (part.strip() for part in item.partition("="))
        if not equals or name not in ENCODER_OPTIONS:
            raise ConfigError(f"the encoder '{source}' has no option '{name}'", hint=nearest(name, ENCODER_OPTIONS))
        values[name] = value
    return values


def _in_text(tokens: Tokens) -> int:
    """How many tokens are not special ones."""
    return sum(word is not None for word in tokens.words)


def _select(tokens: Tokens, kept: list[int]) -> Tokens:
    return replace(
        tokens,
        ids=tuple(tokens.ids[i] for i in kept),
        forms=tuple(tokens.forms[i] for i in kept),
        words=tuple(tokens.words[i] for i in kept),
    )


def _in_columns(columns: Sequence[Column], numbers: _Numbers, forms: Sequence[Sequence[str]]) -> TokenizedTexts:
    """Columns of texts, given as the numbers of texts and the tokens of each text: every token of these is a row."""
    lengths = np.array([*map(len, forms), 0], dtype=np.int64)  # the last one: there is no text
    offsets = np.cumsum(lengths) - lengths
    rows, starts = [], []
    for column in numbers:
        ends = np.cumsum(lengths[column])
        start = ends - lengths[column]
        shift = np.repeat(offsets[column] - start, lengths[column])
        rows.append((np.arange(len(shift)) + shift).astype(np.int32))
        starts.append(np.concatenate([[0], ends]))
    words = list(itertools.chain.from_iterable(forms))
    return TokenizedTexts(words, tuple(rows), tuple(starts), tuple(map(present, columns)))
