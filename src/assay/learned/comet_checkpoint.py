"""The files of a checkpoint of unbabel-comet: hyperparameters, weights, and the tokeniser of its encoder.

A folder has `hparams.yaml` and `checkpoints/model.ckpt`, as `comet.download_model` leaves it. The configuration and the
tokeniser of the pretrained encoder are not in it: they are read from its folder `encoder`, or from the resource that is
called like the encoder.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from assay.errors import ConfigError, InputError, MissingExtraError, printable
from assay.learned.model import find_model
from assay.learned.weights import read_checkpoint
from assay.neural import Ids
from assay.neural.libraries import as_input_error, import_libraries, offline
from assay.resources import Resource, find_resource, resource_folder

__all__ = ["QE", "REGRESSION", "UNIFIED", "Checkpoint", "Family", "Hyperparameters", "Tokenizer", "find_checkpoint"]

REGRESSION, QE, UNIFIED = "regression_metric", "referenceless_regression_metric", "unified_metric"
_METRICS = {REGRESSION: "comet", QE: "comet", UNIFIED: "unite"}
_KIND = "COMET checkpoint"
_YAML, _WEIGHTS, _CONFIG, _TOKENIZER = "hparams.yaml", "checkpoints/model.ckpt", "config.json", "tokenizer.json"
_POOLS = ("avg", "max", "cls", "default")


@dataclass(frozen=True)
class Family:
    """A kind of encoder: its class in transformers, its marks, and how it joins texts."""

    network: str
    marks: tuple[str, str, str]
    """The tokens of start, end and padding."""
    separators: int
    """How often the mark of the end stands between two texts."""
    has_types: bool = False
    """Whether it is told which tokens are of the first text."""


_XLMR_MARKS = ("<s>", "</s>", "<pad>")
_FAMILIES: Mapping[str, Family] = {
    "XLM-RoBERTa": Family("XLMRoberta", _XLMR_MARKS, 2),
    "XLM-RoBERTa-XL": Family("XLMRobertaXL", _XLMR_MARKS, 2),
    "MiniLM": Family("Bert", _XLMR_MARKS, 2),
    "BERT": Family("Bert", ("[CLS]", "[SEP]", "[PAD]"), 1, has_types=True),
    "RemBERT": Family("RemBert", ("[CLS]", "[SEP]", "<pad>"), 1),
}


@dataclass(frozen=True)
class Hyperparameters:
    """Those that scores depend on, with the defaults of unbabel-comet."""

    kind: str
    pretrained_model: str = "xlm-roberta-large"
    encoder_model: str = "XLM-RoBERTa"
    layer: str | int = "mix"
    layer_transformation: str = "softmax"
    layer_norm: bool = True
    pool: str = "avg"
    hidden_sizes: Sequence[int] = (3072, 1024)
    activations: str = "Tanh"
    final_activation: str | None = None
    input_segments: Sequence[str] = ("mt", "src", "ref")

    @classmethod
    def of(cls, kind: str, given: Mapping[str, Any]) -> Hyperparameters:
        """Those of a checkpoint."""
        defaults: dict[str, Any] = {}
        if kind == QE:
            defaults["hidden_sizes"] = (2048, 1024)
        if kind == UNIFIED:
            defaults["pretrained_model"] = "microsoft/infoxlm-large"
            defaults["layer_transformation"] = "sparsemax"
            given = {**given, "layer": given.get("sent_layer", "mix")}
        used = {name: given[name] for name in cls.__dataclass_fields__ if name != "kind" and name in given}
        return cls(kind, **{**defaults, **used})

    def errors(self) -> list[str]:
        """What cannot be used: all that this module does not know."""
        known = {
            "encoder_model": self.encoder_model in _FAMILIES,
            "layer": self.layer == "mix" or isinstance(self.layer, int),
            "layer_transformation": self.layer_transformation in ("softmax", "sparsemax"),
            "pool": self.pool in _POOLS and not (self.pool == "default" and self.encoder_model == "BERT"),
            "hidden_sizes": bool(self.hidden_sizes) and all(isinstance(each, int) for each in self.hidden_sizes),
            "input_segments": list(self.input_segments) in (["mt", "src", "ref"], ["mt", "src"], ["mt", "ref"]),
        }
        return [f"{name}: {getattr(self, name)}" for name, is_known in known.items() if not is_known]


@dataclass(frozen=True)
class Checkpoint:
    """Where the files are. Everything else is read when it is needed, once."""

    folder: Path
    digest: str
    encoder: Path
    encoder_digest: str | None
    """None: the encoder is in the same folder."""
    kind: str

    @property
    def path(self) -> Path:
        """The file of weights."""
        return self.folder / _WEIGHTS

    @property
    def identity(self) -> str:
        """What the weights, the tokeniser and the configuration depend on."""
        return self.digest if self.encoder_digest is None else f"{self.digest}-{self.encoder_digest}"

    @property
    def options(self) -> Hyperparameters:
        """The hyperparameters."""
        return _hyperparameters(self.folder, self.digest, self.kind)

    @property
    def weights(self) -> Mapping[str, Any]:
        """The weights by name."""
        weights: Mapping[str, Any] = read_checkpoint(self.path, self.digest)["state_dict"]
        return weights

    @property
    def family(self) -> Family:
        """The kind of the encoder."""
        return _FAMILIES[self.options.encoder_model]

    @property
    def config(self) -> Any:
        """The configuration of the encoder."""
        return _config(self)

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokeniser of the encoder."""
        return _tokenizer(self)


def find_checkpoint(source: str | Path, metric: str) -> Checkpoint:
    """The checkpoint in a folder, if it is one for a metric."""
    resource = find_model(source, _KIND)
    folder, digest = resource.path, resource.digest
    for name in (_YAML, _WEIGHTS):
        if not (folder / name).is_file():
            raise MissingExtraError(
                f"there is no {_KIND} in {folder}: {name} is missing",
                hint=f"give the folder with {_YAML} and {_WEIGHTS}, as comet.download_model leaves it",
            )
    kind = str(_read_yaml(folder).get("class_identifier"))
    if kind not in _METRICS:
        raise ConfigError(
            f"the {_KIND} {resource.name} is of the kind '{printable(kind)}', which is not supported",
            hint=f"supported: {', '.join(_METRICS)}; scores of unbabel-comet can be read: --scores NAME=FILE",
        )
    if _METRICS[kind] != metric:
        raise ConfigError(
            f"the {_KIND} {resource.name} is a {kind}, which is not for the metric {metric}",
            hint=f"use {_METRICS[kind]}:model={source}",
        )
    encoder = _find_encoder(folder, _hyperparameters(folder, digest, kind).pretrained_model)
    is_inside = encoder.path.parent == folder
    return Checkpoint(folder, digest, encoder.path, None if is_inside else encoder.digest, kind)


def _read_yaml(folder: Path) -> Mapping[str, Any]:
    import_libraries()  # transformers needs yaml
    import yaml

    path = folder / _YAML
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError(f"the hyperparameters cannot be read: {printable(reason)}", path=str(path)) from error
    if not isinstance(content, Mapping):
        raise InputError("the hyperparameters must be names with values", path=str(path))
    return content


@functools.lru_cache(maxsize=4)
def _hyperparameters(folder: Path, digest: str, kind: str) -> Hyperparameters:
    """Those in the file of weights; of those in the other file, unbabel-comet heeds the kind and this one."""
    content, path = read_checkpoint(folder / _WEIGHTS, digest), str(folder / _WEIGHTS)
    for key in ("state_dict", "hyper_parameters"):
        if not isinstance(content.get(key), Mapping):
            raise InputError(f"the checkpoint has no {key}", path=path)
    given = dict(content["hyper_parameters"])
    if _read_yaml(folder).get("layer_transformation") == "sparsemax_patch":
        given["layer_transformation"] = "softmax"
    found = Hyperparameters.of(kind, given)
    if errors := found.errors():
        raise InputError(f"hyperparameters that are not supported: {printable('; '.join(errors))}", path=path)
    return found


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


@functools.lru_cache(maxsize=4)
def _config(checkpoint: Checkpoint) -> Any:
    _, transformers = import_libraries()
    kind = getattr(transformers, f"{checkpoint.family.network}Config")
    with offline(), as_input_error("encoder", checkpoint.encoder):
        return kind.from_pretrained(str(checkpoint.encoder), local_files_only=True)


class Tokenizer:
    """The tokeniser of the encoder, which cuts texts as unbabel-comet does.

    Its file is read without transformers: version 5 changes what the file says about spaces.
    """

    def __init__(self, checkpoint: Checkpoint) -> None:
        import_libraries()  # transformers needs tokenizers
        from tokenizers import Tokenizer

        self.max_tokens = int(checkpoint.config.max_position_embeddings) - 2
        path, marks = checkpoint.encoder / _TOKENIZER, checkpoint.family.marks
        with as_input_error("tokeniser", path):
            self._tokenizer = Tokenizer.from_file(str(path))
            self._tokenizer.no_padding()
            self._tokenizer.enable_truncation(self.max_tokens_of_text)
        ids = [self._tokenizer.token_to_id(mark) for mark in marks]
        if None in ids:
            raise InputError(f"the tokeniser has no token {marks[ids.index(None)]}", path=str(path))
        self._first, self._last, self.padding = ids
        self._separators = [self._last] * checkpoint.family.separators

    @property
    def max_tokens_of_text(self) -> int:
        """Two less than the encoder could read: unbabel-comet subtracts the marks twice."""
        return self.max_tokens - 2

    def __call__(self, texts: Sequence[str]) -> tuple[list[Ids], list[bool]]:
        """The ids of each text with marks, and whether its end is missing."""
        encoded = self._tokenizer.encode_batch_fast(list(texts))  # without offsets
        ids = [tuple(each.ids) for each in encoded]
        full = self.max_tokens_of_text
        return ids, [len(each) == full and bool(text.overflowing) for each, text in zip(ids, encoded, strict=True)]

    def content(self, ids: Ids) -> Ids:
        """The ids of a text without marks, and without those of padding if they are spelled in the text."""
        return tuple(each for each in ids if each != self.padding)[1:-1]

    def joined(self, texts: Sequence[Ids]) -> Ids:
        """The ids of several texts in one input, which may be longer than the encoder allows."""
        ids = [self._first, *texts[0]]
        for text in texts[1:]:
            ids += [*self._separators, *text]
        return (*ids, self._last)


@functools.lru_cache(maxsize=4)
def _tokenizer(checkpoint: Checkpoint) -> Tokenizer:
    return Tokenizer(checkpoint)
