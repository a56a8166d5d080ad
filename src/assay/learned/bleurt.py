"""BLEURT (Sellam et al. 2020) and BLEURT-20 (Pu et al. 2021), in the format of the package bleurt-pytorch.

One network reads reference and output together: [CLS] reference [SEP] output [SEP]. BLEURT is a BERT; BLEURT-20 is a
RemBERT, whose embeddings are narrower than its layers. The state of the first token gives the score.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import ConfigError, InputError, MissingExtraError, printable
from assay.files.resources import Resource
from assay.learned.config import OTHER_MODEL, check_vocabulary, read_config, read_sizes
from assay.learned.model import (
    EncodedSegments,
    FolderNetwork,
    LearnedModel,
    Segment,
    as_second,
    deduplicate,
    map_distinct,
    split_types,
)
from assay.learned.model_kinds import BLEURT, find_model
from assay.learned.weights import read_weights
from assay.neural import PRECISIONS, Ids, Precision, Result
from assay.neural.libraries import as_input_error, import_libraries, inference, pad, quiet, torch_dtype
from assay.neural.model_folder import CONFIG, open_sentencepiece
from assay.options.checks import check_choice
from assay.types.runtime import Runtime

__all__ = ["open_bleurt"]

_SENTENCEPIECE = ("spm.model", "sent_piece.model")
_WORD_PIECES = ("tokenizer.json", "vocab.txt")
_TOKENIZER_CONFIG = "tokenizer_config.json"
_TENSORFLOW = ("saved_model.pb", "bleurt_config.json")
_CONVERTED = "a model converted by bleurt-pytorch, such as lucadiliello/BLEURT-20 on the Hugging Face hub"
_SPECIAL_TOKENS = ("[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]")
_ADDED = 3  # special tokens of an input
_GELU: Mapping[str, str] = {"gelu": "none", "gelu_new": "tanh", "gelu_pytorch_tanh": "tanh"}
"""How the activation is approximated."""
_POOLER, _CLASSIFIER = "bleurt.pooler.dense", "classifier"


def open_bleurt(source: str | Path, *, precision: Precision = "fp32") -> LearnedModel:
    """A model that reads the reference and the output together."""
    check_choice("precision", precision, PRECISIONS)
    model = find_model(source, BLEURT)
    if any((model.path / name).exists() for name in _TENSORFLOW):
        raise InputError("this is a TensorFlow model", path=str(model.path), hint=f"use {_CONVERTED}")
    model_type = read_config(model.path).get("model_type")
    if model_type != "bleurt":
        message = f"{model.path / CONFIG} has model_type '{printable(str(model_type))}'; expected 'bleurt'"
        raise ConfigError(message, hint=f"use {_CONVERTED}")
    return _BleurtModel(model, precision)


class _BleurtModel(LearnedModel):
    def __init__(self, model: Resource, precision: Precision) -> None:
        self.name, self.path = model.name, model.path
        self.needs = frozenset({"reference"})
        self.digests = {"model": model.digest}
        self.network = _PairScores(model, model.digest, precision)
        self._tokenizer = _tokenizer(model.path, model.digest)
        self.max_tokens = _max_tokens(model.path)
        check_vocabulary(model.path, self._tokenizer.size, _sizes(model.path).vocab_size)

    def encode(self, segments: Sequence[Segment]) -> EncodedSegments:
        texts = [text or "" for segment in segments for text in (segment.reference, segment.output)]
        ids = map_distinct(self._tokenizer.encode, texts)
        pairs = list(zip(ids[::2], ids[1::2], strict=True))
        truncated = [_truncate(*pair, self.max_tokens - _ADDED) for pair in pairs]
        is_truncated = [before != after for before, after in zip(pairs, truncated, strict=True)]
        return deduplicate([self._join(*pair) for pair in truncated], is_truncated, 1)

    def _join(self, reference: Ids, output: Ids) -> Ids:
        first, separator = self._tokenizer.first, self._tokenizer.separator
        return (first, *reference, separator, *as_second((*output, separator)))


def _truncate(first: Ids, second: Ids, room: int) -> tuple[Ids, Ids]:
    """Google's rule: the longer text loses its last token, the second one if they are equally long, until both fit."""
    lengths = [len(first), len(second)]
    while sum(lengths) > room:
        lengths[0 if lengths[0] > lengths[1] else 1] -= 1
    return first[: lengths[0]], second[: lengths[1]]


def _max_tokens(folder: Path) -> int:
    """The most tokens of an input: as many as the tokeniser allows, but no more than there are positions."""
    positions = _sizes(folder).max_position_embeddings
    options = read_config(folder, _TOKENIZER_CONFIG) if (folder / _TOKENIZER_CONFIG).is_file() else {}
    limit = options.get("model_max_length") or positions
    if not isinstance(limit, int | float) or min(limit, positions) < _ADDED:
        message = f"model_max_length cannot be '{printable(str(limit))}'"
        raise InputError(message, path=str(folder / _TOKENIZER_CONFIG), hint=OTHER_MODEL)
    return int(min(limit, positions))


@dataclass(frozen=True)
class _Tokenizer:
    """Texts to ids, without special tokens."""

    encode: Callable[[list[str]], list[Ids]]
    first: int
    separator: int
    size: int


@functools.lru_cache(maxsize=2)
def _tokenizer(folder: Path, digest: str) -> _Tokenizer:  # the digest: read again if a file has changed
    pieces = next((folder / name for name in _SENTENCEPIECE if (folder / name).is_file()), None)
    if pieces is not None:
        return _sentencepiece(pieces)
    if any((folder / name).is_file() for name in _WORD_PIECES):
        return _word_pieces(folder)
    raise MissingExtraError(
        f"the {BLEURT} in {folder} has no tokeniser",
        hint=f"put its {_SENTENCEPIECE[0]} (BLEURT-20) or its {' or '.join(_WORD_PIECES)} (older models) there",
    )


def _word_pieces(folder: Path) -> _Tokenizer:
    _, transformers = import_libraries()
    with quiet(), as_input_error("tokeniser", folder):
        tokenizer = transformers.BertTokenizerFast.from_pretrained(str(folder), local_files_only=True)

    def encode(texts: list[str]) -> list[Ids]:
        return [tuple(ids) for ids in tokenizer(texts, add_special_tokens=False, verbose=False)["input_ids"]]

    return _Tokenizer(encode, tokenizer.cls_token_id, tokenizer.sep_token_id, len(tokenizer))


def _sentencepiece(path: Path) -> _Tokenizer:
    pieces = open_sentencepiece(path, "neural")
    special_tokens = {token: pieces.piece_to_id(token) for token in _SPECIAL_TOKENS}
    first, separator = special_tokens["[CLS]"], special_tokens["[SEP]"]
    if pieces.unk_id() in (first, separator):
        raise InputError("the tokeniser has no [CLS] and [SEP]", path=str(path), hint=OTHER_MODEL)
    special_token = re.compile(f"({'|'.join(map(re.escape, _SPECIAL_TOKENS))})")

    def encode(text: str) -> Ids:
        parts = special_token.split(text)  # a special token that is spelled in a text is read as one
        ids = ([special_tokens[part]] if part in special_tokens else pieces.encode(part) for part in parts)
        return tuple(itertools.chain.from_iterable(ids))

    return _Tokenizer(lambda texts: [encode(text) for text in texts], first, separator, pieces.get_piece_size())


@dataclass(frozen=True)
class _PairScores(FolderNetwork):
    """The scores of pairs."""

    kind = "bleurt"

    def open(self, device: str) -> _Weights:
        self.check()

        def place(name: str, tensor: Any) -> Any:
            is_last = name.startswith((_POOLER, _CLASSIFIER))
            return tensor.to(device=device, dtype=torch_dtype("fp32" if is_last else self.precision))

        sizes = _sizes(self.model.path)
        return _Weights(sizes, read_weights(self.model.path, self.digest, sizes.shapes(), place))

    def compute(self, weights: _Weights, batch: Sequence[Ids], runtime: Runtime) -> list[Result]:
        ids, mask = pad(batch, 0, runtime.device)
        with inference(runtime.threads):
            return list(weights.scores(*split_types(ids), mask.bool()).cpu().numpy())


@dataclass(frozen=True)
class _Sizes:
    """Sizes of the network, named as in config.json."""

    vocab_size: int
    hidden_size: int
    intermediate_size: int
    num_hidden_layers: int
    num_attention_heads: int
    max_position_embeddings: int
    type_vocab_size: int = 2
    embedding_size: int | None = None
    layer_norm_eps: float = 1e-12
    hidden_act: str = "gelu"

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The names and shapes of all weights."""
        hidden, inner, narrow = self.hidden_size, self.intermediate_size, self.embedding_size or self.hidden_size
        embeddings = "bleurt.embeddings"
        shapes: dict[str, tuple[int, ...]] = {
            f"{embeddings}.word_embeddings.weight": (self.vocab_size, narrow),
            f"{embeddings}.position_embeddings.weight": (self.max_position_embeddings, narrow),
            f"{embeddings}.token_type_embeddings.weight": (self.type_vocab_size, narrow),
            f"{embeddings}.LayerNorm.weight": (narrow,),
            f"{embeddings}.LayerNorm.bias": (narrow,),
        }
        layers = {_POOLER: (hidden, hidden), _CLASSIFIER: (1, hidden)}
        if self.embedding_size is not None:
            layers["bleurt.encoder.embedding_projection"] = (hidden, narrow)
        for i in range(self.num_hidden_layers):
            layer = _layer(i)
            layers |= {f"{layer}.attention.self.{name}": (hidden, hidden) for name in ("query", "key", "value")}
            layers |= {f"{layer}.attention.output.dense": (hidden, hidden)}
            layers |= {f"{layer}.intermediate.dense": (inner, hidden), f"{layer}.output.dense": (hidden, inner)}
            for norm in (f"{layer}.attention.output.LayerNorm", f"{layer}.output.LayerNorm"):
                shapes |= {f"{norm}.weight": (hidden,), f"{norm}.bias": (hidden,)}
        for name, shape in layers.items():
            shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
        return shapes


class _Weights:
    """The weights on a device, and what they compute. The last two layers are always in fp32."""

    def __init__(self, sizes: _Sizes, weights: Mapping[str, Any]) -> None:
        torch, _ = import_libraries()
        self._sizes, self._weights, self._functions = sizes, weights, torch.nn.functional

    def scores(self, ids: Any, types: Any, mask: Any) -> Any:
        """(input, 1) of (input, token): ids, 1 for tokens of the second text, and whether there is a token."""
        states = self._embed(ids, types)
        for i in range(self._sizes.num_hidden_layers):
            states = self._transform(states, _layer(i), mask[:, None, None, :])
        return self._linear(self._linear(states[:, 0].float(), _POOLER).tanh(), _CLASSIFIER)

    def _embed(self, ids: Any, types: Any) -> Any:
        words, positions, kinds = (
            self._weights[f"bleurt.embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
        )
        summed = words[ids] + kinds[types] + positions[: ids.shape[1]]
        states = self._normalise(summed, "bleurt.embeddings.LayerNorm")
        if self._sizes.embedding_size is None:
            return states
        return self._linear(states, "bleurt.encoder.embedding_projection")

    def _transform(self, states: Any, layer: str, mask: Any) -> Any:
        heads = self._sizes.num_attention_heads
        query, key, value = (
            self._linear(states, f"{layer}.attention.self.{name}").unflatten(-1, (heads, -1)).transpose(1, 2)
            for name in ("query", "key", "value")
        )
        attended = self._functions.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        attended = self._linear(attended.transpose(1, 2).flatten(2), f"{layer}.attention.output.dense")
        states = self._normalise(attended + states, f"{layer}.attention.output.LayerNorm")
        inner = self._linear(states, f"{layer}.intermediate.dense")
        inner = self._functions.gelu(inner, approximate=_GELU[self._sizes.hidden_act])
        return self._normalise(self._linear(inner, f"{layer}.output.dense") + states, f"{layer}.output.LayerNorm")

    def _linear(self, states: Any, name: str) -> Any:
        return self._functions.linear(states, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _normalise(self, states: Any, name: str) -> Any:
        weights = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return self._functions.layer_norm(states, states.shape[-1:], *weights, self._sizes.layer_norm_eps)


def _layer(i: int) -> str:
    return f"bleurt.encoder.layer.{i}"


def _sizes(folder: Path) -> _Sizes:
    sizes = read_sizes(folder, _Sizes)
    if sizes.hidden_act not in _GELU:
        raise InputError(
            f"unsupported activation '{printable(sizes.hidden_act)}'",
            path=str(folder / CONFIG),
            hint=f"supported: {', '.join(_GELU)}",
        )
    return sizes
