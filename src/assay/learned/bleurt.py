"""BLEURT (Sellam et al. 2020) and BLEURT-20 (Pu et al. 2021), in the format of the package bleurt-pytorch.

One network reads reference and output together: [CLS] reference [SEP] output [SEP]. BLEURT is a BERT; BLEURT-20 is a
RemBERT, whose embeddings are narrower than its layers. The state of the first token gives the score.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import InputError, MissingExtraError, printable
from assay.learned.model import EncodedSegments, LearnedModel, Segment, find_model, number_distinct
from assay.learned.model_folder import CONFIG, check_vocabulary, read_config, read_sizes, read_weights
from assay.neural import Ids, Network, Precision, Result
from assay.neural.libraries import as_input_error, computing, import_libraries, offline, padded, torch_type
from assay.runtime import Runtime

__all__ = ["open_bleurt"]

_KIND = "BLEURT model"
_SENTENCEPIECE = ("spm.model", "sent_piece.model")
_WORD_PIECES = ("tokenizer.json", "vocab.txt")
_TOKENIZER_CONFIG = "tokenizer_config.json"
_TENSORFLOW = ("saved_model.pb", "bleurt_config.json")
_MARKS = ("[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]")
_GELU: Mapping[str, str] = {"gelu": "none", "gelu_new": "tanh", "gelu_pytorch_tanh": "tanh"}
"""How the activation is approximated."""
_POOLER, _CLASSIFIER = "bleurt.pooler.dense", "classifier"


def open_bleurt(source: str | Path, *, precision: Precision = "fp32") -> LearnedModel:
    """A model that reads the reference and the output together."""
    resource = find_model(source, _KIND)
    if any((resource.path / name).exists() for name in _TENSORFLOW):
        raise InputError(
            "this is a model for TensorFlow",
            path=str(resource.path),
            hint="use one that was converted by bleurt-pytorch, such as lucadiliello/BLEURT-20 on the Hugging Face hub",
        )
    kind = read_config(resource.path).get("model_type")
    if kind != "bleurt":
        raise InputError(
            f"the model is of the type '{printable(str(kind))}', not bleurt", path=str(resource.path / CONFIG)
        )
    return _BleurtModel(resource.path, resource.digest, precision)


class _BleurtModel(LearnedModel):
    def __init__(self, folder: Path, digest: str, precision: Precision) -> None:
        self.name = folder.name
        self.needs = frozenset({"reference"})
        self.digests = {"model": digest}
        self._network = _PairScores(folder, digest, precision)
        self._tokenizer = _tokenizer(folder, digest)
        self.max_tokens = _max_tokens(folder)
        check_vocabulary(folder, self._tokenizer.size, _sizes(folder).vocab_size)

    @property
    def network(self) -> Network:
        return self._network

    def encode(self, segments: Sequence[Segment]) -> EncodedSegments:
        texts = dict.fromkeys(text or "" for segment in segments for text in (segment.reference, segment.output))
        ids = dict(zip(texts, self._tokenizer.encode(list(texts)), strict=True))
        pairs = [(ids[segment.reference or ""], ids[segment.output]) for segment in segments]
        cut = [_cut(*pair, self.max_tokens - 3) for pair in pairs]
        return number_distinct(
            [self._joined(*pair) for pair in cut], [a != b for a, b in zip(pairs, cut, strict=True)], 1
        )

    def _joined(self, reference: Ids, output: Ids) -> Ids:
        """The second text and its mark as complements: what the network needs to know about an input is in its ids."""
        first, separator = self._tokenizer.first, self._tokenizer.separator
        return (first, *reference, separator, *(~each for each in output), ~separator)


def _cut(first: Ids, second: Ids, room: int) -> tuple[Ids, Ids]:
    """Google's rule: the longer text loses its last token, the second one if they are equally long, until both fit."""
    lengths = [len(first), len(second)]
    while sum(lengths) > room:
        lengths[0 if lengths[0] > lengths[1] else 1] -= 1
    return first[: lengths[0]], second[: lengths[1]]


def _max_tokens(folder: Path) -> int:
    """Of both texts and their three marks: what the tokeniser allows, if there are as many positions."""
    positions = _sizes(folder).max_position_embeddings
    options = read_config(folder, _TOKENIZER_CONFIG) if (folder / _TOKENIZER_CONFIG).is_file() else {}
    return min(positions, int(options.get("model_max_length") or positions))


@dataclass(frozen=True)
class _Tokenizer:
    """Texts to ids, without marks."""

    encode: Callable[[list[str]], list[Ids]]
    first: int
    separator: int
    size: int


@functools.lru_cache(maxsize=2)
def _tokenizer(folder: Path, digest: str) -> _Tokenizer:  # the digest: anew if a file has changed
    pieces = next((folder / name for name in _SENTENCEPIECE if (folder / name).is_file()), None)
    if pieces is not None:
        return _sentencepiece(pieces)
    if any((folder / name).is_file() for name in _WORD_PIECES):
        return _word_pieces(folder)
    raise MissingExtraError(
        f"the {_KIND} in {folder} has no tokeniser",
        hint=f"put its {_SENTENCEPIECE[0]} (BLEURT-20) or its {' or '.join(_WORD_PIECES)} (older models) there",
    )


def _word_pieces(folder: Path) -> _Tokenizer:
    _, transformers = import_libraries()
    with offline(), as_input_error("tokeniser", folder):
        tokenizer = transformers.BertTokenizerFast.from_pretrained(str(folder), local_files_only=True)

    def encode(texts: list[str]) -> list[Ids]:
        return [tuple(ids) for ids in tokenizer(texts, add_special_tokens=False, verbose=False)["input_ids"]]

    return _Tokenizer(encode, tokenizer.cls_token_id, tokenizer.sep_token_id, len(tokenizer))


def _sentencepiece(path: Path) -> _Tokenizer:
    try:
        import sentencepiece
    except ImportError as error:
        raise MissingExtraError(
            f"the tokeniser {path} needs sentencepiece", hint='pip install "assay[neural]"'
        ) from error
    with as_input_error("tokeniser", path):
        pieces = sentencepiece.SentencePieceProcessor(model_proto=path.read_bytes())
    marks = {mark: pieces.piece_to_id(mark) for mark in _MARKS}
    if pieces.unk_id() in (marks["[CLS]"], marks["[SEP]"]):
        raise InputError("the tokeniser has no [CLS] and [SEP]", path=str(path), hint="is it that of BLEURT-20?")
    mark = re.compile(f"({'|'.join(map(re.escape, _MARKS))})")

    def encode(text: str) -> Ids:
        parts = mark.split(text)  # a mark that is spelled in a text is read as one
        return tuple(id_ for part in parts for id_ in ([marks[part]] if part in marks else pieces.encode(part)))

    size = pieces.get_piece_size()
    return _Tokenizer(lambda texts: [encode(text) for text in texts], marks["[CLS]"], marks["[SEP]"], size)


@dataclass(frozen=True)
class _PairScores(Network):
    """The scores of pairs."""

    folder: Path
    digest: str
    precision: Precision

    task = "Scoring with BLEURT"

    @property
    def identity(self) -> str:
        return f"bleurt-{self.digest}-{self.precision}"

    def compute(self, batch: Sequence[Ids], runtime: Runtime) -> list[Result]:
        weights = _weights(self.folder, self.digest, self.precision, runtime.device)
        marked, mask = padded(batch, 0, runtime.device)
        is_second = marked < 0
        with computing(runtime.threads):
            scores = weights.scores(marked.where(~is_second, ~marked), is_second.long(), mask.bool())
            return list(scores.cpu().numpy())


@dataclass(frozen=True)
class _Sizes:
    """Of the network, as its configuration names them."""

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
    """The weights on a device, and what is computed with them. The last two layers are always in fp32."""

    def __init__(self, sizes: _Sizes, weights: Mapping[str, Any]) -> None:
        torch, _ = import_libraries()
        self._sizes, self._weights, self._functions = sizes, weights, torch.nn.functional

    def scores(self, ids: Any, types: Any, mask: Any) -> Any:
        """(input, 1) of (input, token): ids, 1 for tokens of the second text, and whether there is a token."""
        states = self._embedded(ids, types)
        for i in range(self._sizes.num_hidden_layers):
            states = self._transformed(states, _layer(i), mask[:, None, None, :])
        return self._linear(self._linear(states[:, 0].float(), _POOLER).tanh(), _CLASSIFIER)

    def _embedded(self, ids: Any, types: Any) -> Any:
        words, positions, kinds = (
            self._weights[f"bleurt.embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
        )
        summed = words[ids] + kinds[types] + positions[: ids.shape[1]]
        states = self._normalised(summed, "bleurt.embeddings.LayerNorm")
        if self._sizes.embedding_size is None:
            return states
        return self._linear(states, "bleurt.encoder.embedding_projection")

    def _transformed(self, states: Any, layer: str, mask: Any) -> Any:
        heads = self._sizes.num_attention_heads
        query, key, value = (
            self._linear(states, f"{layer}.attention.self.{name}").unflatten(-1, (heads, -1)).transpose(1, 2)
            for name in ("query", "key", "value")
        )
        attended = self._functions.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        attended = self._linear(attended.transpose(1, 2).flatten(2), f"{layer}.attention.output.dense")
        states = self._normalised(attended + states, f"{layer}.attention.output.LayerNorm")
        inner = self._linear(states, f"{layer}.intermediate.dense")
        inner = self._functions.gelu(inner, approximate=_GELU[self._sizes.hidden_act])
        return self._normalised(self._linear(inner, f"{layer}.output.dense") + states, f"{layer}.output.LayerNorm")

    def _linear(self, states: Any, name: str) -> Any:
        return self._functions.linear(states, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _normalised(self, states: Any, name: str) -> Any:
        weights = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        return self._functions.layer_norm(states, states.shape[-1:], *weights, self._sizes.layer_norm_eps)


def _layer(i: int) -> str:
    return f"bleurt.encoder.layer.{i}"


@functools.lru_cache(maxsize=1)
def _weights(folder: Path, digest: str, precision: Precision, device: str) -> _Weights:
    sizes = _sizes(folder)
    with as_input_error("model", folder):
        weights = read_weights(folder, digest, sizes.shapes())
    for name, tensor in weights.items():
        kind = torch_type("fp32" if name.startswith((_POOLER, _CLASSIFIER)) else precision)
        weights[name] = tensor.to(device=device, dtype=kind)
    return _Weights(sizes, weights)


def _sizes(folder: Path) -> _Sizes:
    sizes = read_sizes(folder, _Sizes)
    if sizes.hidden_act not in _GELU:
        raise InputError(
            f"the activation '{printable(str(sizes.hidden_act))}' is not supported",
            path=str(folder / CONFIG),
            hint=f"supported: {', '.join(_GELU)}",
        )
    return sizes
