"""MetricX-23 and MetricX-24 (Juraska et al. 2023, 2024): an mT5 that predicts an MQM error score, from 0 to 25.

The encoder reads one input text, in which the texts of a segment are labelled. The decoder takes one step, and the
logit of one token, <extra_id_10>, is the score. In this step the decoder has only its own token to attend to, so its
self-attention is a projection; and only one of the 250,112 rows of `lm_head` is needed.
"""

from __future__ import annotations

import functools
import importlib
import math
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from assay.errors import ConfigError, InputError, MissingExtraError, installing, printable
from assay.files.resources import Resource, find_named, resource_folder
from assay.learned.config import OTHER_MODEL, check_vocabulary, read_config, read_sizes
from assay.learned.model import (
    EncodedSegments,
    FolderNetwork,
    Inputs,
    LearnedModel,
    Segment,
    deduplicate,
    map_distinct,
    needed_texts,
)
from assay.learned.model_kinds import METRICX, find_model
from assay.learned.weights import read_weights
from assay.neural import PRECISIONS, Ids, Precision, Result
from assay.neural.libraries import as_input_error, import_libraries, inference, pad, quiet, torch_dtype
from assay.neural.model_folder import CONFIG
from assay.options.checks import check_choice
from assay.types import FloatArray
from assay.types.runtime import Runtime

__all__ = ["MetricxModel", "Release", "open_metricx"]

Release = Literal["auto", "23", "24"]
"""The year of the model. `auto`: as in its name."""

_NAME = re.compile(r"metricx-?(23|24)", re.IGNORECASE)
_QE_NAME = re.compile(r"metricx-?23.*[-_]qe(?![a-z])", re.IGNORECASE)
_TEMPLATES: Mapping[str, Mapping[Inputs, str]] = {
    "23": {"ref": "candidate: {output} reference: {reference}", "src": "candidate: {output} source: {source}"},
    "24": {
        "src+ref": "source: {source} candidate: {output} reference: {reference}",
        "src": "source: {source} candidate: {output}",
    },
}
"""The input text by release and inputs; the first one is the default."""
_MAX_TOKENS: Mapping[str, int] = {"23": 1024, "24": 1536}
"""What the models were trained with. One of these tokens is the end token, which is removed after truncation."""
_SCORE_TOKEN = 250_089  # <extra_id_10>
_FIRST_TOKEN = 0  # of the decoder
_WORST = 25.0
_SPACE = "▁"
_ARCHITECTURE = "MT5ForRegression"
_TOKENIZER = "mt5-xl"
_TOKENIZER_FILES = ("tokenizer.json", "spiece.model")
_TOKENIZER_READS = (CONFIG, "*token*.json", *_TOKENIZER_FILES[1:])
_TOKENIZER_PACKAGES = ("sentencepiece", "google.protobuf")  # with which transformers reads the second
_EMBEDDINGS, _HEAD = "shared.weight", "lm_head.weight"
_BIAS = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"


def open_metricx(
    source: str | Path, *, precision: Precision = "fp32", release: Release = "auto", inputs: Inputs = "all"
) -> MetricxModel:
    """A model that reads the output together with the source, the reference or both."""
    check_choice("precision", precision, PRECISIONS)
    check_choice("release", release, get_args(Release))
    check_choice("inputs", inputs, get_args(Inputs))
    model = find_model(source, METRICX)
    config = read_config(model.path)
    if config.get("model_type") != "mt5":
        message = f"{model.path / CONFIG} has model_type '{printable(str(config.get('model_type')))}'; expected 'mt5'"
        raise ConfigError(
            message, hint="use a MetricX-23 or MetricX-24 model, such as google/metricx-24-hybrid-xl-v2p6"
        )
    named_release, is_qe = _parse_name(model.name, str(config.get("_name_or_path")))
    if named_release is None and release == "auto":
        raise ConfigError(
            f"cannot tell the MetricX release from the name {model.name}",
            hint=f"give its release: metricx:model={source},release=24 (or release=23,inputs=ref; for QE inputs=src)",
        )
    if named_release is not None and release not in ("auto", named_release):
        hint = "leave out release"
        raise ConfigError(f"the model {model.name} is MetricX-{named_release}, not release={release}", hint=hint)
    chosen_release = named_release or release
    possible = list(_TEMPLATES[chosen_release])
    if named_release is None and release == "23" and inputs == "all":
        raise ConfigError(
            f"cannot tell from the name {model.name} whether it is a model for quality estimation",
            hint=f"give what it reads: metricx:model={source},release=23,inputs=ref (or inputs=src for MetricX-23-QE)",
        )
    if named_release == "23":  # MetricX-23 has separate models for quality estimation
        possible = ["src"] if is_qe else ["ref"]
    chosen = possible[0] if inputs == "all" else inputs
    if chosen not in possible:
        hint = f"it can read {', '.join(possible)}"
        if named_release == "23":
            hint += f"; MetricX-23{'' if is_qe else '-QE'} models are separate: name the folder after the model"
        raise ConfigError(f"the model {model.name} cannot read inputs={inputs}", hint=hint)
    is_trained = _ARCHITECTURE in (config.get("architectures") or ())
    return MetricxModel(model, precision, chosen_release, chosen, is_trained=is_trained)


def _parse_name(*names: str) -> tuple[Release | None, bool]:
    """The release, from the first name that contains it, and whether any name is that of a MetricX-23-QE model."""
    releases = [match[1] for name in names if (match := _NAME.search(name)) is not None]
    if not releases:
        return None, False
    is_qe = any(_QE_NAME.search(name) is not None for name in names)
    return ("23" if releases[0] == "23" else "24"), is_qe


class MetricxModel(LearnedModel):
    """A MetricX model of a known release and known inputs."""

    def __init__(
        self, model: Resource, precision: Precision, release: Release, inputs: Inputs, *, is_trained: bool
    ) -> None:
        tokenizer = _find_tokenizer(model)
        self.is_trained = is_trained
        self.name, self.path, self.release, self.inputs = model.name, model.path, release, inputs
        self.max_tokens = _MAX_TOKENS[release]
        self.needs = needed_texts(inputs)
        self.digests = {"model": model.digest}
        if tokenizer.path != model.path:
            self.digests["tokenizer"] = tokenizer.digest
        self.network = _InputScores(model, model.digest, precision)
        self._tokenizer = _tokenizer(tokenizer.path, tokenizer.digest)
        check_vocabulary(tokenizer.path, len(self._tokenizer), _sizes(model.path).vocab_size)

    def encode(self, segments: Sequence[Segment]) -> EncodedSegments:
        template = _TEMPLATES[self.release][self.inputs]
        ids = map_distinct(self._tokenize, [template.format_map(segment._asdict()) for segment in segments])
        room = self.max_tokens - 1
        return deduplicate([tuple(text[:room]) for text in ids], [len(text) > room for text in ids], 1)

    def _tokenize(self, texts: list[str]) -> list[list[int]]:
        ids: list[list[int]] = self._tokenizer(texts, add_special_tokens=False, verbose=False)["input_ids"]
        return ids

    def combine(self, results: npt.NDArray[np.float32], indices: npt.NDArray[np.int64], runtime: Runtime) -> FloatArray:
        scores = super().combine(results, indices, runtime)
        return np.where(np.isfinite(scores), scores.clip(0.0, _WORST), np.nan)  # infinite: too large for fp16


def _find_tokenizer(model: Resource) -> Resource:
    """Published models have none. All sizes of mT5 have the same; the official program names that of mt5-xl."""
    if any((model.path / name).is_file() for name in _TOKENIZER_FILES):
        return model
    wanted = f"{_TOKENIZER_FILES[1]} (or {_TOKENIZER_FILES[0]}) of google/{_TOKENIZER} on the Hugging Face hub"
    try:
        tokenizer = replace(find_named(_TOKENIZER, "tokeniser", beside=model.path), reads=_TOKENIZER_READS)
    except MissingExtraError as error:
        raise MissingExtraError(
            f"the {METRICX} {model.path} needs the tokeniser of mT5",
            hint=f"put {wanted} into {model.path} or {resource_folder() / _TOKENIZER}",
        ) from error
    if not any((tokenizer.path / name).is_file() for name in _TOKENIZER_FILES):
        raise MissingExtraError(f"there is no tokeniser in {tokenizer.path}", hint=f"put {wanted} there")
    return tokenizer


@functools.lru_cache(maxsize=2)
def _tokenizer(folder: Path, digest: str) -> Any:  # the digest: read again if a file has changed
    _, transformers = import_libraries()
    if not (folder / _TOKENIZER_FILES[0]).is_file():
        try:
            for package in _TOKENIZER_PACKAGES:
                importlib.import_module(package)
        except ImportError as error:
            raise MissingExtraError(
                f"the tokeniser in {folder} needs sentencepiece and protobuf", hint=installing("neural")
            ) from error
    with quiet(), as_input_error("tokeniser", folder), warnings.catch_warnings():
        # transformers warns that it reads unknown characters as <unk> and not as bytes: so does the official program
        warnings.simplefilter("ignore")
        tokenizer = transformers.T5TokenizerFast.from_pretrained(str(folder), local_files_only=True, extra_ids=0)
    _split_at_spaces(tokenizer.backend_tokenizer)
    return tokenizer


def _split_at_spaces(tokenizer: Any) -> None:
    """Split texts as transformers 4 does, and so the official program. Version 5 drops other white space (U+0085)."""
    from tokenizers import Regex, normalizers, pre_tokenizers

    if isinstance(tokenizer.normalizer, normalizers.Precompiled):
        spaces = [normalizers.Strip(left=False, right=True), normalizers.Replace(Regex(" {2,}"), _SPACE)]
        tokenizer.normalizer = normalizers.Sequence([tokenizer.normalizer, *spaces])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement=_SPACE, prepend_scheme="always")


@dataclass(frozen=True)
class _InputScores(FolderNetwork):
    """The logits of inputs, which are not clipped."""

    kind = "metricx"

    def open(self, device: str) -> _Weights:
        self.check()
        dtype = torch_dtype(self.precision)

        def place(_: str, tensor: Any) -> Any:
            is_vector = tensor.dim() == 1  # these need little memory, and are multiplied in fp32
            return tensor.to(device=device, dtype=torch_dtype("fp32") if is_vector else dtype)

        sizes, rows = _sizes(self.model.path), {_HEAD: _SCORE_TOKEN}
        weights = read_weights(self.model.path, self.digest, sizes.shapes(), place, rows=rows)
        return _Weights(sizes, weights, dtype)

    def compute(self, weights: _Weights, batch: Sequence[Ids], runtime: Runtime) -> list[Result]:
        ids, mask = pad(batch, 0, runtime.device)
        with inference(runtime.threads):
            return list(weights.scores(ids, mask.bool()).cpu().numpy())


@dataclass(frozen=True)
class _Sizes:
    """Sizes of the network, named as in config.json."""

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
    """The weights on a device, and what they compute.

    States are added up in fp32, also where matrices are multiplied in half precision: those of mT5 grow large.
    """

    def __init__(self, sizes: _Sizes, weights: Mapping[str, Any], dtype: Any) -> None:
        self._sizes, self._weights, self._dtype = sizes, weights, dtype
        self._torch, _ = import_libraries()

    def scores(self, ids: Any, mask: Any) -> Any:
        """(input, 1) of (input, token): ids, and whether there is a token."""
        encoded = self._encode(ids, mask)
        states = self._weights[_EMBEDDINGS][_FIRST_TOKEN].float().expand(len(ids), 1, -1)
        for i in range(self._sizes.num_decoder_layers):
            block = f"decoder.block.{i}.layer"
            attention = f"{block}.0.SelfAttention"
            normalised = self._normalise(states, f"{block}.0")
            states = states + self._linear(self._linear(normalised, f"{attention}.v"), f"{attention}.o").float()
            normalised = self._normalise(states, f"{block}.1")
            states = states + self._attend(normalised, encoded, f"{block}.1.EncDecAttention", mask[:, None, None, :])
            states = states + self._feed_forward(self._normalise(states, f"{block}.2"), f"{block}.2.DenseReluDense")
        final = self._normalise(states[:, 0], "decoder.final", half=False)
        return final @ self._weights[_HEAD][:, None]

    def _encode(self, ids: Any, mask: Any) -> Any:
        states = self._weights[_EMBEDDINGS][ids].float()
        bias = self._position_bias(ids.shape[1])
        if not mask.all():
            bias = bias.masked_fill(~mask[:, None, None, :], -math.inf)
        for i in range(self._sizes.num_layers):
            block = f"encoder.block.{i}.layer"
            normalised = self._normalise(states, f"{block}.0")
            states = states + self._attend(normalised, normalised, f"{block}.0.SelfAttention", bias)
            states = states + self._feed_forward(self._normalise(states, f"{block}.1"), f"{block}.1.DenseReluDense")
        return self._normalise(states, "encoder.final")

    def _attend(self, states: Any, others: Any, name: str, mask: Any) -> Any:
        heads = self._sizes.num_heads
        query, key, value = (
            self._linear(inputs, f"{name}.{letter}").unflatten(-1, (heads, -1)).transpose(1, 2)
            for inputs, letter in ((states, "q"), (others, "k"), (others, "v"))
        )
        attend = self._torch.nn.functional.scaled_dot_product_attention
        attended = attend(query, key, value, attn_mask=mask, scale=1.0)  # T5 does not scale
        return self._linear(attended.transpose(1, 2).flatten(2), f"{name}.o").float()

    def _feed_forward(self, states: Any, name: str) -> Any:
        gate = self._torch.nn.functional.gelu(self._linear(states, f"{name}.wi_0"), approximate="tanh")
        return self._linear(gate * self._linear(states, f"{name}.wi_1"), f"{name}.wo").float()

    def _position_bias(self, length: int) -> Any:
        """(1, head, token, token): what is added to the attention from one position to another."""
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

    def _normalise(self, states: Any, layer: str, *, half: bool = True) -> Any:
        """Root mean square layer normalisation: no mean, no bias."""
        mean_square = states.square().mean(-1, keepdim=True)
        normalised = states * (mean_square + self._sizes.layer_norm_epsilon).rsqrt()
        name = f"{layer}_layer_norm.weight" if layer.endswith("final") else f"{layer}.layer_norm.weight"
        normalised = self._weights[name] * normalised
        return normalised.to(self._dtype) if half else normalised


def _buckets(torch: Any, distances: Any, count: int, farthest: int) -> Any:
    """T5's buckets of distances: half of them for each direction, of these half exact and half logarithmic."""
    half = count // 2
    exact = half // 2
    size = distances.abs()
    logarithmic = torch.log(size.clamp(min=1).float() / exact) / math.log(farthest / exact) * (half - exact)
    far = (exact + logarithmic.long()).clamp(max=half - 1)
    return torch.where(size < exact, size, far) + half * (distances > 0)


def _sizes(folder: Path) -> _Sizes:
    sizes = read_sizes(folder, _Sizes)
    if sizes.feed_forward_proj != "gated-gelu" or sizes.vocab_size <= _SCORE_TOKEN:
        raise InputError("does not describe an mT5 model", path=str(folder / CONFIG), hint=OTHER_MODEL)
    return sizes
