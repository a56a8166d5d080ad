"""MetricX-23 and MetricX-24 (Juraska et al. 2023, 2024): an mT5 that predicts an MQM error score, from 0 to 25.

The encoder reads the texts as one labelled line. The decoder does one step, and the logit of one token, <extra_id_10>,
is the score. In this step the decoder has only its own token to attend to, so its self-attention is a projection; and
of the 250,112 rows of `lm_head`, one is needed.
"""

from __future__ import annotations

import functools
import importlib
import math
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from assay.checks import check_choice
from assay.errors import ConfigError, InputError, MissingExtraError, printable
from assay.learned.comet import Inputs
from assay.learned.model import EncodedSegments, LearnedModel, Segment, find_model, number_distinct
from assay.learned.model_folder import CONFIG, check_vocabulary, read_config, read_sizes, read_weights
from assay.neural import PRECISIONS, Ids, Network, Precision, Result
from assay.neural.libraries import as_input_error, computing, import_libraries, offline, padded, torch_type
from assay.resources import Resource, find_resource, resource_folder
from assay.runtime import Runtime
from assay.types import FloatArray

__all__ = ["MetricxModel", "Release", "open_metricx"]

Release = Literal["auto", "23", "24"]
"""The year of the model. `auto`: as its name says."""

_KIND = "MetricX model"
_NAME = re.compile(r"metricx-?(23|24)(-qe)?", re.IGNORECASE)
_LINES: Mapping[Release, Mapping[Inputs, str]] = {
    "23": {"ref": "candidate: {output} reference: {reference}", "src": "candidate: {output} source: {source}"},
    "24": {
        "src+ref": "source: {source} candidate: {output} reference: {reference}",
        "src": "source: {source} candidate: {output}",
    },
}
"""What the model reads, by release; the first one is the usual one."""
_MAX_TOKENS: Mapping[str, int] = {"23": 1024, "24": 1536}
"""What the models were trained with. One token is the end mark, which is removed in the end."""
_SCORE_TOKEN = 250_089  # <extra_id_10>
_FIRST_TOKEN = 0  # of the decoder
_WORST = 25.0
_TOKENIZER = "mt5-xl"
_TOKENIZER_FILES = ("tokenizer.json", "spiece.model")
_TOKENIZER_PACKAGES = ("sentencepiece", "google.protobuf")  # with which transformers reads the second
_EMBEDDINGS, _HEAD = "shared.weight", "lm_head.weight"
_BIAS = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"


def open_metricx(
    source: str | Path, *, precision: Precision = "fp32", release: Release = "auto", inputs: Inputs = "all"
) -> MetricxModel:
    """A model that reads the output together with the source, the reference or both."""
    check_choice("precision", precision, PRECISIONS)
    resource = find_model(source, _KIND)
    config = read_config(resource.path)
    if config.get("model_type") != "mt5":
        kind = printable(str(config.get("model_type")))
        raise InputError(f"the model is of the type '{kind}', not mt5", path=str(resource.path / CONFIG))
    named_release, is_qe = _named(resource.name, str(config.get("_name_or_path")))
    if named_release not in ("auto", release) and release != "auto":
        hint = "leave out release"
        raise ConfigError(f"the model {resource.name} is MetricX-{named_release}, not release={release}", hint=hint)
    release = named_release if release == "auto" else release
    if release == "auto":
        raise ConfigError(
            f"the name of the model {resource.name} does not say which MetricX it is",
            hint=f"give its release: metricx:model={source},release=24 (or 23)",
        )
    possible: list[Inputs] = list(_LINES[release])
    if named_release == "23":  # which has models of their own for quality estimation
        possible = ["src"] if is_qe else ["ref"]
    chosen = possible[0] if inputs == "all" else inputs
    if chosen not in possible:
        hint = f"it can read {', '.join(possible)}"
        raise ConfigError(f"the model {resource.name} cannot read inputs={inputs}", hint=hint)
    return MetricxModel(resource, precision, release, chosen)


def _named(*names: str) -> tuple[Release, bool]:
    """The release, and whether it is a model for quality estimation, as the first of the names says that says it."""
    for name in names:
        if (found := _NAME.search(name)) is not None:
            return ("23" if found[1] == "23" else "24"), found[2] is not None
    return "auto", False


class MetricxModel(LearnedModel):
    """A MetricX model of a known release and known inputs."""

    def __init__(self, resource: Resource, precision: Precision, release: Release, inputs: Inputs) -> None:
        tokenizer = _find_tokenizer(resource)
        self.name, self.release, self.inputs = resource.name, release, inputs
        self.max_tokens = _MAX_TOKENS[release]
        names = {"src": "source", "ref": "reference"}
        self.needs = frozenset(names[each] for each in inputs.split("+"))
        self.digests = {"model": resource.digest}
        if tokenizer.path != resource.path:
            self.digests["tokenizer"] = tokenizer.digest
        self._network = _LineScores(resource.path, resource.digest, precision)
        self._tokenizer = _tokenizer(tokenizer.path, tokenizer.digest)
        check_vocabulary(tokenizer.path, len(self._tokenizer), _sizes(resource.path).vocab_size)

    @property
    def network(self) -> Network:
        return self._network

    def encode(self, segments: Sequence[Segment]) -> EncodedSegments:
        line = _LINES[self.release][self.inputs]
        lines = [line.format_map(segment._asdict()) for segment in segments]
        distinct = list(dict.fromkeys(lines))
        encoded = self._tokenizer(distinct, add_special_tokens=False, verbose=False)["input_ids"]
        ids = dict(zip(distinct, encoded, strict=True))
        room = self.max_tokens - 1
        return number_distinct(
            [tuple(ids[each][:room]) for each in lines], [len(ids[each]) > room for each in lines], 1
        )

    def combine(self, results: npt.NDArray[np.float32], rows: npt.NDArray[np.int64], runtime: Runtime) -> FloatArray:
        scores = super().combine(results, rows, runtime)
        return np.where(np.isfinite(scores), scores.clip(0.0, _WORST), np.nan)  # infinite: too large for fp16


def _find_tokenizer(model: Resource) -> Resource:
    """Published models have none. All sizes of mT5 have the same; the official program names that of mt5-xl."""
    if any((model.path / name).is_file() for name in _TOKENIZER_FILES):
        return model
    wanted = f"{_TOKENIZER_FILES[1]} (or {_TOKENIZER_FILES[0]}) of google/{_TOKENIZER} on the Hugging Face hub"
    try:
        found = find_resource(_TOKENIZER, "tokeniser")
    except MissingExtraError as error:
        raise MissingExtraError(
            f"the {_KIND} {model.path} needs the tokeniser of mT5",
            hint=f"put {wanted} into {model.path} or {resource_folder() / _TOKENIZER}",
        ) from error
    if not any((found.path / name).is_file() for name in _TOKENIZER_FILES):
        raise MissingExtraError(f"there is no tokeniser in {found.path}", hint=f"put {wanted} there")
    return found


@functools.lru_cache(maxsize=2)
def _tokenizer(folder: Path, digest: str) -> Any:  # the digest: anew if a file has changed
    _, transformers = import_libraries()
    if not (folder / _TOKENIZER_FILES[0]).is_file():
        try:
            for package in _TOKENIZER_PACKAGES:
                importlib.import_module(package)
        except ImportError as error:
            raise MissingExtraError(
                f"the tokeniser in {folder} needs sentencepiece and protobuf", hint='pip install "assay[neural]"'
            ) from error
    with offline(), as_input_error("tokeniser", folder), warnings.catch_warnings():
        # transformers warns that it reads unknown characters as <unk> and not as bytes: so does the official program
        warnings.simplefilter("ignore")
        return transformers.T5TokenizerFast.from_pretrained(str(folder), local_files_only=True, extra_ids=0)


@dataclass(frozen=True)
class _LineScores(Network):
    """The logits of lines, which are not clipped."""

    folder: Path
    digest: str
    precision: Precision

    task = "Scoring with MetricX"

    @property
    def identity(self) -> str:
        return f"metricx-{self.digest}-{self.precision}"

    def open(self, device: str) -> None:
        _weights(self.folder, self.digest, self.precision, device)

    def compute(self, batch: Sequence[Ids], runtime: Runtime) -> list[Result]:
        weights = _weights(self.folder, self.digest, self.precision, runtime.device)
        ids, mask = padded(batch, 0, runtime.device)
        with computing(runtime.threads):
            return list(weights.scores(ids, mask.bool()).cpu().numpy())


@dataclass(frozen=True)
class _Sizes:
    """Of the network, as its configuration names them."""

    vocab_size: int
    d_model: int
    d_kv: int
    d_ff: int
    num_heads: int
    num_layers: int
    num_decoder_layers: int
    relative_attention_num_buckets: int = 32
    relative_attention_max_distance: int = 128
    layer_norm_epsilon: float = 1e-6
    feed_forward_proj: str = "gated-gelu"

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The names and shapes of all weights."""
        width, inside, vocabulary = self.d_model, self.num_heads * self.d_kv, (self.vocab_size, self.d_model)
        shapes: dict[str, tuple[int, ...]] = {
            _EMBEDDINGS: vocabulary,
            _HEAD: vocabulary,  # of its own, whatever `tie_word_embeddings` says: transformers 5 always saves yes
            _BIAS: (self.relative_attention_num_buckets, self.num_heads),
        }
        attention = {"q": (inside, width), "k": (inside, width), "v": (inside, width), "o": (width, inside)}
        forward = {"wi_0": (self.d_ff, width), "wi_1": (self.d_ff, width), "wo": (width, self.d_ff)}
        encoder = ({"SelfAttention": attention}, {"DenseReluDense": forward})
        decoder = ({"SelfAttention": attention}, {"EncDecAttention": attention}, {"DenseReluDense": forward})
        for side, blocks, sublayers in (
            ("encoder", self.num_layers, encoder),
            ("decoder", self.num_decoder_layers, decoder),
        ):
            shapes[f"{side}.final_layer_norm.weight"] = (width,)
            for i in range(blocks):
                for j, sublayer in enumerate(sublayers):
                    shapes[f"{side}.block.{i}.layer.{j}.layer_norm.weight"] = (width,)
                    for kind, matrices in sublayer.items():
                        for name, shape in matrices.items():
                            shapes[f"{side}.block.{i}.layer.{j}.{kind}.{name}.weight"] = shape
        return shapes


class _Weights:
    """The weights on a device, and what is computed with them.

    States are added up in fp32, also where matrices are multiplied in half precision: those of mT5 grow large.
    """

    def __init__(self, sizes: _Sizes, weights: Mapping[str, Any], kind: Any) -> None:
        self._sizes, self._weights, self._type = sizes, weights, kind
        self._torch, _ = import_libraries()

    def scores(self, ids: Any, mask: Any) -> Any:
        """(input, 1) of (input, token): ids, and whether there is a token."""
        encoded = self._encoded(ids, mask)
        states = self._weights[_EMBEDDINGS][_FIRST_TOKEN].float().expand(len(ids), 1, -1)
        for i in range(self._sizes.num_decoder_layers):
            block = f"decoder.block.{i}.layer"
            attention = f"{block}.0.SelfAttention"
            normalised = self._normalised(states, f"{block}.0")
            states = states + self._linear(self._linear(normalised, f"{attention}.v"), f"{attention}.o").float()
            normalised = self._normalised(states, f"{block}.1")
            states = states + self._attended(normalised, encoded, f"{block}.1.EncDecAttention", mask[:, None, None, :])
            states = states + self._fed_forward(self._normalised(states, f"{block}.2"), f"{block}.2.DenseReluDense")
        final = self._normalised(states[:, 0], "decoder.final", half=False)
        return final @ self._weights[_HEAD][:, None]

    def _encoded(self, ids: Any, mask: Any) -> Any:
        states = self._weights[_EMBEDDINGS][ids].float()
        bias = self._position_bias(ids.shape[1])
        if not mask.all():
            bias = bias.masked_fill(~mask[:, None, None, :], -math.inf)
        for i in range(self._sizes.num_layers):
            block = f"encoder.block.{i}.layer"
            normalised = self._normalised(states, f"{block}.0")
            states = states + self._attended(normalised, normalised, f"{block}.0.SelfAttention", bias)
            states = states + self._fed_forward(self._normalised(states, f"{block}.1"), f"{block}.1.DenseReluDense")
        return self._normalised(states, "encoder.final")

    def _attended(self, states: Any, others: Any, name: str, mask: Any) -> Any:
        heads = self._sizes.num_heads
        query, key, value = (
            self._linear(inputs, f"{name}.{letter}").unflatten(-1, (heads, -1)).transpose(1, 2)
            for inputs, letter in ((states, "q"), (others, "k"), (others, "v"))
        )
        attend = self._torch.nn.functional.scaled_dot_product_attention
        attended = attend(query, key, value, attn_mask=mask, scale=1.0)  # T5 does not scale
        return self._linear(attended.transpose(1, 2).flatten(2), f"{name}.o").float()

    def _fed_forward(self, states: Any, name: str) -> Any:
        gate = self._torch.nn.functional.gelu(self._linear(states, f"{name}.wi_0"), approximate="tanh")
        return self._linear(gate * self._linear(states, f"{name}.wi_1"), f"{name}.wo").float()

    def _position_bias(self, length: int) -> Any:
        """(1, head, token, token): what the attention from one position to another is raised by."""
        torch, sizes = self._torch, self._sizes
        weights = self._weights[_BIAS]
        positions = torch.arange(length, device=weights.device)
        distances = positions[None, :] - positions[:, None]
        buckets = _buckets(
            torch, distances, sizes.relative_attention_num_buckets, sizes.relative_attention_max_distance
        )
        return weights[buckets].permute(2, 0, 1)[None].contiguous()  # as fast kernels need it

    def _linear(self, states: Any, name: str) -> Any:
        return self._torch.nn.functional.linear(states, self._weights[f"{name}.weight"])

    def _normalised(self, states: Any, layer: str, *, half: bool = True) -> Any:
        """Root mean square layer normalisation: no mean, no bias."""
        mean_square = states.square().mean(-1, keepdim=True)
        normalised = states * (mean_square + self._sizes.layer_norm_epsilon).rsqrt()
        name = f"{layer}_layer_norm.weight" if layer.endswith("final") else f"{layer}.layer_norm.weight"
        normalised = self._weights[name] * normalised
        return normalised.to(self._type) if half else normalised


def _buckets(torch: Any, distances: Any, count: int, farthest: int) -> Any:
    """T5's buckets of distances: half of them for each direction, of these half exact and half logarithmic."""
    each = count // 2
    exact = each // 2
    size = distances.abs()
    logarithmic = torch.log(size.clamp(min=1).float() / exact) / math.log(farthest / exact) * (each - exact)
    far = (exact + logarithmic.long()).clamp(max=each - 1)
    return torch.where(size < exact, size, far) + each * (distances > 0)


@functools.lru_cache(maxsize=1)
def _weights(folder: Path, digest: str, precision: Precision, device: str) -> _Weights:
    sizes, kind = _sizes(folder), torch_type(precision)
    with as_input_error("model", folder):
        weights = read_weights(folder, digest, sizes.shapes())
    weights[_HEAD] = weights[_HEAD][_SCORE_TOKEN].clone()  # without the others
    for name, tensor in weights.items():
        is_vector = tensor.dim() == 1  # these need little memory, and are multiplied in fp32
        weights[name] = tensor.to(device=device, dtype=torch_type("fp32") if is_vector else kind)
    return _Weights(sizes, weights, kind)


def _sizes(folder: Path) -> _Sizes:
    sizes = read_sizes(folder, _Sizes)
    if sizes.feed_forward_proj != "gated-gelu" or sizes.vocab_size <= _SCORE_TOKEN:
        raise InputError("the configuration is not that of an mT5", path=str(folder / CONFIG))
    return sizes
