"""Checkpoints of unbabel-comet: COMET, COMET-QE (Rei et al. 2020, 2022), and UniTE and CometKiwi (Wan et al. 2022).

A folder has `hparams.yaml` and `checkpoints/model.ckpt`, as `comet.download_model` leaves it. The configuration and the
tokeniser of the pretrained encoder are not in it: they are read from its folder `encoder`, or from the resource that is
called like the encoder. All formulas are those of unbabel-comet 2.2.7.
"""

from __future__ import annotations

import functools
import itertools
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from assay.errors import ConfigError, InputError, MissingExtraError, printable
from assay.learned.model import EncodedSegments, LearnedModel, Segment, find_model, number_distinct
from assay.learned.weights import check_shape, filled, read_checkpoint
from assay.neural import Ids, Network, Precision, Result
from assay.neural.libraries import as_input_error, computing, import_libraries, offline, padded, torch_type
from assay.resources import Resource, find_resource, resource_folder
from assay.runtime import Runtime
from assay.types import FloatArray

__all__ = ["Inputs", "open_comet", "open_unite"]

Inputs = Literal["all", "src", "ref", "src+ref"]
"""What a unified model reads together with the output. `all` is the mean over all that it was trained for."""

_ROLES = {"src": 1, "ref": 2}  # the places of source and reference in a segment

_KIND = "COMET checkpoint"
_HYPERPARAMETERS, _CHECKPOINT = "hparams.yaml", "checkpoints/model.ckpt"
_CONFIG, _TOKENIZER = "config.json", "tokenizer.json"
_REGRESSION, _QE, _UNIFIED = "regression_metric", "referenceless_regression_metric", "unified_metric"
_METRICS = {_REGRESSION: "comet", _QE: "comet", _UNIFIED: "unite"}
_DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    _REGRESSION: {"layer_transformation": "softmax", "hidden_sizes": [3072, 1024]},
    _QE: {"layer_transformation": "softmax", "hidden_sizes": [2048, 1024]},
    _UNIFIED: {
        "layer_transformation": "sparsemax",
        "hidden_sizes": [3072, 1024],
        "input_segments": ["mt", "src", "ref"],
        "sent_layer": "mix",
    },
}
_DEFAULTS_OF_ALL: Mapping[str, Any] = {
    "encoder_model": "XLM-RoBERTa",
    "layer": "mix",
    "layer_norm": True,
    "pool": "avg",
    "activations": "Tanh",
    "final_activation": None,
}
_EPSILON = 1e-12  # of the variance of a layer
_ROWS = 4096  # segments that are estimated at once


@dataclass(frozen=True)
class _Family:
    """A kind of encoder: its class in transformers, its marks, and how it joins texts."""

    network: str
    marks: tuple[str, str, str]
    """The tokens of start, end and padding."""
    separators: int
    """How often the mark of the end stands between two texts."""
    has_types: bool = False
    """Whether it is told which tokens are of the first text."""


_XLMR_MARKS, _BERT_MARKS = ("<s>", "</s>", "<pad>"), ("[CLS]", "[SEP]", "[PAD]")
_FAMILIES: Mapping[str, _Family] = {
    "XLM-RoBERTa": _Family("XLMRoberta", _XLMR_MARKS, 2),
    "XLM-RoBERTa-XL": _Family("XLMRobertaXL", _XLMR_MARKS, 2),
    "MiniLM": _Family("Bert", _XLMR_MARKS, 2),
    "BERT": _Family("Bert", _BERT_MARKS, 1, has_types=True),
    "RemBERT": _Family("RemBert", ("[CLS]", "[SEP]", "<pad>"), 1),
}


def open_comet(source: str | Path, *, precision: Precision = "fp32") -> LearnedModel:
    """A model that encodes output, source and reference apart: COMET, or COMET-QE without a reference."""
    return _DualModel(_open(source, "comet"), precision)


def open_unite(source: str | Path, *, precision: Precision = "fp32", inputs: Inputs = "all") -> LearnedModel:
    """A model that reads the output together with the source, the reference or both: UniTE, CometKiwi."""
    return _UnifiedModel(_open(source, "unite"), precision, inputs)


@dataclass(frozen=True)
class _Checkpoint:
    """Where the files are. Everything else is read when it is needed, once."""

    folder: Path
    digest: str
    encoder: Path
    encoder_digest: str | None
    """None: the encoder is in the same folder."""
    kind: str

    @property
    def path(self) -> Path:
        return self.folder / _CHECKPOINT

    @property
    def identity(self) -> str:
        """What the weights, the tokeniser and the configuration depend on."""
        return self.digest if self.encoder_digest is None else f"{self.digest}-{self.encoder_digest}"

    @property
    def options(self) -> Mapping[str, Any]:
        """The hyperparameters."""
        return _options(self.folder, self.digest, self.kind)

    @property
    def weights(self) -> Mapping[str, Any]:
        weights: Mapping[str, Any] = read_checkpoint(self.path, self.digest)["state_dict"]
        return weights

    @property
    def family(self) -> _Family:
        return _FAMILIES[self.options["encoder_model"]]

    @property
    def tokenizer(self) -> _Tokenizer:
        return _tokenizer(self)

    @property
    def config(self) -> Any:
        """The configuration of the encoder."""
        _, transformers = import_libraries()
        with offline(), as_input_error("encoder", self.encoder):
            return getattr(transformers, f"{self.family.network}Config").from_pretrained(
                str(self.encoder), local_files_only=True
            )


def _open(source: str | Path, metric: str) -> _Checkpoint:
    resource = find_model(source, _KIND)
    checkpoint = _checkpoint(resource.path, resource.digest)
    if (other := _METRICS[checkpoint.kind]) != metric:
        raise ConfigError(
            f"the checkpoint {resource.name} is a {checkpoint.kind}, which {metric} cannot use",
            hint=f"use the metric {other}: {other}:model={source}",
        )
    return checkpoint


@functools.lru_cache(maxsize=4)
def _checkpoint(folder: Path, digest: str) -> _Checkpoint:
    for name in (_HYPERPARAMETERS, _CHECKPOINT):
        if not (folder / name).is_file():
            raise MissingExtraError(
                f"there is no {_KIND} in {folder}: {name} is missing",
                hint=f"give the folder with {_HYPERPARAMETERS} and {_CHECKPOINT}, as comet.download_model leaves it",
            )
    kind = str(_read_yaml(folder).get("class_identifier"))
    if kind not in _METRICS:
        raise ConfigError(
            f"checkpoints of the kind '{printable(kind)}' are not supported: {folder}",
            hint=f"supported: {', '.join(_METRICS)}; scores of unbabel-comet can be read with --scores NAME=FILE",
        )
    options = _options(folder, digest, kind)
    encoder = _find_encoder(folder, str(options.get("pretrained_model", "")))
    is_inside = encoder.path == folder / "encoder"
    return _Checkpoint(folder, digest, encoder.path, None if is_inside else encoder.digest, kind)


def _read_yaml(folder: Path) -> Mapping[str, Any]:
    try:
        import yaml
    except ImportError:
        import_libraries()  # which need yaml
        raise
    path = folder / _HYPERPARAMETERS
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError(f"the hyperparameters cannot be read: {printable(reason)}", path=str(path)) from error
    if not isinstance(content, Mapping):
        raise InputError("the hyperparameters must be names with values", path=str(path))
    return content


def _options(folder: Path, digest: str, kind: str) -> Mapping[str, Any]:
    """The hyperparameters in the checkpoint. Of those in the file beside it, unbabel-comet heeds one."""
    content = read_checkpoint(folder / _CHECKPOINT, digest)
    for key in ("state_dict", "hyper_parameters"):
        if not isinstance(content.get(key), Mapping):
            raise InputError(f"the checkpoint has no {key}", path=str(folder / _CHECKPOINT))
    options = {**_DEFAULTS_OF_ALL, **_DEFAULTS[kind], **content["hyper_parameters"]}
    if _read_yaml(folder).get("layer_transformation") == "sparsemax_patch":
        options["layer_transformation"] = "softmax"
    if options["encoder_model"] not in _FAMILIES:
        raise InputError(
            f"the encoder '{printable(str(options['encoder_model']))}' is not supported",
            path=str(folder),
            hint=f"supported: {', '.join(_FAMILIES)}",
        )
    return options


def _find_encoder(folder: Path, pretrained: str) -> Resource:
    """The folder with the configuration and the tokeniser of the pretrained encoder."""
    name = PurePosixPath(pretrained).name
    inside = folder / "encoder"
    wanted = f"{_CONFIG} and {_TOKENIZER} of {pretrained}"
    try:
        found = Resource(name, inside) if inside.is_dir() else find_resource(name, "encoder")
    except MissingExtraError as error:
        raise MissingExtraError(
            f"the {_KIND} {folder} needs the configuration and the tokeniser of its encoder {pretrained}",
            hint=f"put {wanted} into {inside} or {resource_folder() / name}",
        ) from error
    for each in (_CONFIG, _TOKENIZER):
        if not (found.path / each).is_file():
            raise MissingExtraError(
                f"{found.path} has no {each}",
                hint=f"put {wanted} there; XLM-R and InfoXLM have the same {_TOKENIZER}",
            )
    return found


class _Tokenizer:
    """The tokeniser of the encoder, which cuts texts as unbabel-comet does.

    Its file is read without transformers: version 5 changes what the file says about spaces.
    """

    def __init__(self, checkpoint: _Checkpoint) -> None:
        import_libraries()  # of which tokenizers is one
        from tokenizers import Tokenizer

        self.max_tokens = int(checkpoint.config.max_position_embeddings) - 2
        path = checkpoint.encoder / _TOKENIZER
        with as_input_error("tokeniser", path):
            self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(self.max_tokens_of_text)
        marks = [self._tokenizer.token_to_id(mark) for mark in checkpoint.family.marks]
        if None in marks:
            missing = checkpoint.family.marks[marks.index(None)]
            raise InputError(f"the tokeniser has no token {missing}", path=str(path))
        self._first, self._last, self.padding = marks
        self._separators = [self._last] * checkpoint.family.separators

    @property
    def max_tokens_of_text(self) -> int:
        """Less than the encoder could read: unbabel-comet subtracts the two marks twice."""
        return self.max_tokens - 2

    def __call__(self, texts: Sequence[str]) -> tuple[list[Ids], list[bool]]:
        """The ids of each text with marks, and whether its end is missing."""
        encoded = self._tokenizer.encode_batch(list(texts))
        return [tuple(each.ids) for each in encoded], [bool(each.overflowing) for each in encoded]

    def content(self, ids: Ids) -> Ids:
        """The ids of a text without marks, and without those of padding if they are spelled in the text."""
        return tuple(each for each in ids if each != self.padding)[1:-1]

    def joined(self, texts: Sequence[Ids]) -> Ids:
        """The ids of several texts in one input, which may be longer than the encoder allows."""
        ids = [self._first, *texts[0]]
        for text in texts[1:]:
            ids += [*self._separators, *text]
        return (*ids, self._last)


@functools.lru_cache(maxsize=2)
def _tokenizer(checkpoint: _Checkpoint) -> _Tokenizer:
    return _Tokenizer(checkpoint)


class _CometModel(LearnedModel):
    """What all checkpoints have in common."""

    def __init__(self, checkpoint: _Checkpoint, precision: Precision) -> None:
        self._checkpoint, self._precision = checkpoint, precision
        self.name = checkpoint.folder.name
        self.digests = {"model": checkpoint.digest}
        if checkpoint.encoder_digest is not None:
            self.digests["encoder"] = checkpoint.encoder_digest

    def _encode_texts(self, texts: Sequence[str]) -> tuple[list[Ids], list[bool]]:
        """The ids of all texts, and whether they are cut; each distinct text is tokenised once."""
        distinct = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        ids, is_cut = self._checkpoint.tokenizer(list(distinct))
        numbers = [distinct[text] for text in texts]
        return [ids[i] for i in numbers], [is_cut[i] for i in numbers]


class _DualModel(_CometModel):
    """COMET: every text has a vector, and an estimator reads those of a segment."""

    input_name = "text"

    def __init__(self, checkpoint: _Checkpoint, precision: Precision) -> None:
        super().__init__(checkpoint, precision)
        self.needs = frozenset({"source"} if checkpoint.kind == _QE else {"source", "reference"})
        self.max_tokens = checkpoint.tokenizer.max_tokens_of_text

    @property
    def network(self) -> Network:
        return _TextVectors(self._checkpoint, self._precision)

    def encode(self, segments: Sequence[Segment]) -> EncodedSegments:
        roles = 1 + len(self.needs)
        texts = [text or "" for segment in segments for text in segment[:roles]]
        return number_distinct(*self._encode_texts(texts), roles)

    def combine(self, results: npt.NDArray[np.float32], rows: npt.NDArray[np.int64], runtime: Runtime) -> FloatArray:
        torch, _ = import_libraries()
        device = self.network.device(runtime.devices[0])
        estimator = _estimator(self._checkpoint).to(device)
        scores = []
        with computing(runtime.threads):
            for first in range(0, len(rows), _ROWS):
                vectors = (torch.from_numpy(results[column]).to(device) for column in rows[first : first + _ROWS].T)
                scores.append(estimator(_features(*vectors)).reshape(-1).cpu().numpy())
        return np.concatenate(scores).astype(np.float64)


def _features(output: Any, source: Any, reference: Any = None) -> Any:
    """What the estimator reads (Rei et al. 2020, section 2.4); without a reference, what compares with the source."""
    torch, _ = import_libraries()
    of_source = [output * source, (output - source).abs()]
    if reference is None:
        return torch.cat([output, source, *of_source], dim=1)
    return torch.cat([output, reference, output * reference, (output - reference).abs(), *of_source], dim=1)


class _UnifiedModel(_CometModel):
    """UniTE: the output is read together with the source, with the reference, and with both; the mean counts."""

    def __init__(self, checkpoint: _Checkpoint, precision: Precision, inputs: Inputs) -> None:
        super().__init__(checkpoint, precision)
        trained = [each for each in _ROLES if each in checkpoint.options["input_segments"]]
        possible = ["src", "ref", "src+ref"] if len(trained) == 2 else trained
        if inputs != "all" and inputs not in possible:
            hint = f"it was trained for {', '.join(possible)}"
            raise ConfigError(f"the model {self.name} cannot read inputs={inputs}", hint=hint)
        chosen = possible if inputs == "all" else [inputs]
        self._groups = [[_ROLES[each] for each in group.split("+")] for group in chosen]
        self.needs = frozenset(Segment._fields[role] for group in self._groups for role in group)
        self.max_tokens = checkpoint.tokenizer.max_tokens

    @property
    def network(self) -> Network:
        return _InputScores(self._checkpoint, self._precision)

    def encode(self, segments: Sequence[Segment]) -> EncodedSegments:
        ids, is_cut = self._encode_texts([text or "" for segment in segments for text in segment])
        content = [self._checkpoint.tokenizer.content(each) for each in ids]
        inputs, is_input_cut = [], []
        for first in range(0, len(ids), len(Segment._fields)):
            for group in self._groups:
                places = [first, *(first + role for role in group)]
                whole = self._checkpoint.tokenizer.joined([content[place] for place in places])
                inputs.append(self._typed(whole[: self.max_tokens], len(content[first])))
                is_input_cut.append(len(whole) > self.max_tokens or any(is_cut[place] for place in places))
        return number_distinct(inputs, is_input_cut, len(self._groups))

    def _typed(self, ids: Ids, output: int) -> Ids:
        """An input for an encoder that marks the first text: its length, with two marks, stands before the ids."""
        return (output + 2, *ids) if self._checkpoint.family.has_types else ids


@dataclass(frozen=True)
class _CometNetwork(Network):
    """The encoder of a checkpoint. What is made of its states is computed in float32, whatever its precision."""

    checkpoint: _Checkpoint
    precision: Precision

    kind: ClassVar[str]

    @property
    def identity(self) -> str:
        return f"{self.checkpoint.identity}-{self.kind}-{self.precision}"

    def compute(self, batch: Sequence[Ids], runtime: Runtime) -> list[Result]:
        types = self._types(batch, runtime.device)
        ids, mask = padded(
            [each[1:] for each in batch] if types else batch, self.checkpoint.tokenizer.padding, runtime.device
        )
        encoder = _encoder(self.checkpoint, self.precision).to(runtime.device)
        with computing(runtime.threads):
            output = encoder(input_ids=ids, attention_mask=mask, output_hidden_states=True, **types)
            states = [layer.float() for layer in output.hidden_states]
            return list(self.result(states, ids, mask).cpu().numpy())

    @abstractmethod
    def result(self, states: Sequence[Any], ids: Any, mask: Any) -> Any:
        """(input, number), from the states of all layers, (input, token, dimension)."""

    def _types(self, batch: Sequence[Ids], device: str) -> dict[str, Any]:
        """Which tokens are of the first text, for an encoder that is told."""
        return {}

    def mixed(self, states: Sequence[Any], mask: Any) -> Any:
        """The states of one layer, or a mixture of all layers."""
        options = self.checkpoint.options
        layer = options["sent_layer" if self.checkpoint.kind == _UNIFIED else "layer"]
        if layer != "mix":
            return states[layer]
        weights, factor = _layer_weights(self.checkpoint)
        change = _normalised if options["layer_norm"] else lambda states, mask: states
        chosen = ((weight, each) for weight, each in zip(weights, states, strict=True) if weight)
        return factor * sum(weight * change(each, mask) for weight, each in chosen)


def _normalised(states: Any, mask: Any) -> Any:
    """States with mean 0 and variance 1 over the tokens and dimensions of a text, without padding."""
    is_token = mask.unsqueeze(-1).float()
    count = mask.sum(dim=1).view(-1, 1, 1) * states.shape[-1]
    mean = (states * is_token).sum(dim=(1, 2), keepdim=True) / count
    variance = (((states - mean) * is_token) ** 2).sum(dim=(1, 2), keepdim=True) / count
    return (states - mean) / (variance + _EPSILON).sqrt()


@dataclass(frozen=True)
class _TextVectors(_CometNetwork):
    """One vector for a text."""

    kind = "vector"

    def result(self, states: Sequence[Any], ids: Any, mask: Any) -> Any:
        pool = self.checkpoint.options["pool"]
        if pool == "default":
            return states[-1][:, 0]
        mixed = self.mixed(states, mask)
        is_padding = (ids == self.checkpoint.tokenizer.padding).unsqueeze(-1)  # also where a text spells it
        if pool == "max":
            return mixed.masked_fill(is_padding, -np.inf).amax(dim=1)
        return mixed[:, 0] if pool == "cls" else mixed.masked_fill(is_padding, 0.0).sum(dim=1) / mask.sum(1)[:, None]


@dataclass(frozen=True)
class _InputScores(_CometNetwork):
    """One score for an output that is joined with other texts: the estimator reads its first token."""

    task = "Scoring segments"
    kind = "score"

    def result(self, states: Sequence[Any], ids: Any, mask: Any) -> Any:
        return _estimator(self.checkpoint).to(ids.device)(self.mixed(states, mask)[:, 0])

    def _types(self, batch: Sequence[Ids], device: str) -> dict[str, Any]:
        if not self.checkpoint.family.has_types:
            return {}
        torch, _ = import_libraries()
        places = torch.arange(max(map(len, batch)) - 1)
        lengths = torch.tensor([each[0] for each in batch])
        return {"token_type_ids": (places >= lengths[:, None]).long().to(device)}


@functools.lru_cache(maxsize=2)
def _encoder(checkpoint: _Checkpoint, precision: Precision) -> Any:
    _, transformers = import_libraries()
    make = functools.partial(
        getattr(transformers, f"{checkpoint.family.network}Model"), checkpoint.config, add_pooling_layer=False
    )
    return filled(make, checkpoint.weights, checkpoint.path, prefix="encoder.model.").to(torch_type(precision))


@functools.lru_cache(maxsize=2)
def _estimator(checkpoint: _Checkpoint) -> Any:
    torch, _ = import_libraries()
    options, dimension = checkpoint.options, checkpoint.config.hidden_size
    features = {_REGRESSION: 6, _QE: 4, _UNIFIED: 1}[checkpoint.kind]
    sizes = [features * dimension, *options["hidden_sizes"]]

    def make() -> Any:
        modules = []
        for before, after in itertools.pairwise(sizes):
            modules += [torch.nn.Linear(before, after), _activation(options["activations"]), torch.nn.Dropout()]
        modules.append(torch.nn.Linear(sizes[-1], 1))
        return torch.nn.Sequential(*modules)

    layers = filled(make, checkpoint.weights, checkpoint.path, prefix="estimator.ff.")
    final = options["final_activation"]
    return layers if final is None else torch.nn.Sequential(layers, _activation(final))


def _activation(name: str) -> Any:
    """A function of torch by its name, in any case."""
    torch, _ = import_libraries()
    found = getattr(torch.nn.modules.activation, str(name).title(), None)
    if found is None:
        raise InputError(f"the activation function '{printable(str(name))}' is not known to torch")
    return found()


@functools.lru_cache(maxsize=2)
def _layer_weights(checkpoint: _Checkpoint) -> tuple[list[float], float]:
    """The weight of each layer, and the factor of their sum."""
    torch, _ = import_libraries()
    prefix = "layerwise_attention."
    names = [f"{prefix}scalar_parameters.{i}" for i in range(checkpoint.config.num_hidden_layers + 1)]
    for name in (*names, f"{prefix}gamma"):
        check_shape(checkpoint.weights, name, (1,), checkpoint.path)
    raw = torch.cat([checkpoint.weights[name] for name in names]).float()
    is_sparse = checkpoint.options["layer_transformation"] == "sparsemax"
    weights = _sparsemax(raw) if is_sparse else torch.softmax(raw, dim=0)
    return weights.tolist(), float(checkpoint.weights[f"{prefix}gamma"])


def _sparsemax(values: Any) -> Any:
    """The nearest point whose coordinates are not negative and add up to 1 (Martins and Astudillo 2016, equation 2)."""
    torch, _ = import_libraries()
    ordered = values.sort(descending=True).values
    excess = ordered.cumsum(0) - 1
    ranks = torch.arange(1, len(values) + 1)
    size = int((ranks * ordered > excess).sum())
    return (values - excess[size - 1] / size).clamp(min=0)
