"""The files of a checkpoint of unbabel-comet: hyperparameters, weights, and the configuration of its encoder.

A folder has `hparams.yaml` and `checkpoints/model.ckpt`, as `comet.download_model` leaves it. The configuration and the
tokeniser of the pretrained encoder are not in it: they are read from its folder `encoder`, or from the resource with
the name of the encoder.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, TypeGuard

from assay.errors import ConfigError, InputError, MissingExtraError, printable
from assay.files.resources import Resource, check_unchanged, find_named, resource_folder
from assay.learned.config import OTHER_MODEL, read_config
from assay.learned.model_kinds import COMET, COMET_FILES, find_model
from assay.learned.weights import read_checkpoint
from assay.neural.libraries import COMPLETE, as_input_error, import_libraries, quiet
from assay.neural.model_folder import CONFIG

__all__ = [
    "QE",
    "REGRESSION",
    "SEVERITIES",
    "TAGGING",
    "TOKENIZER",
    "UNIFIED",
    "Checkpoint",
    "Family",
    "Hyperparameters",
    "find_checkpoint",
]

REGRESSION, QE, UNIFIED = "regression_metric", "referenceless_regression_metric", "unified_metric"
TAGGING = "xcomet_metric"
TOKENIZER = "tokenizer.json"
SEVERITIES = ("minor", "major", "critical")
"""The labels of a tagging checkpoint, after the one of tokens without an error."""
_METRICS = {REGRESSION: "comet", QE: "comet", UNIFIED: "unite", TAGGING: "xcomet"}
_YAML, _WEIGHTS = COMET_FILES
_POOLS = ("avg", "max", "cls", "default")
_IMPORT = "scores of unbabel-comet can be imported: --scores NAME=FILE"


@dataclass(frozen=True)
class Family:
    """A kind of encoder: its class in transformers, its special tokens, and how it joins texts."""

    network: str
    special_tokens: tuple[str, str, str]
    """The tokens of start, end and padding."""
    separators: int
    """How many end tokens are between two texts."""
    has_types: bool = False
    """Whether its inputs say which tokens are of the first text."""
    mask: str | None = None
    """The mask token, which absorbs the space before it as in transformers 4, whatever the tokeniser's file says."""


_XLMR = ("<s>", "</s>", "<pad>")
_FAMILIES: Mapping[str, Family] = {
    "XLM-RoBERTa": Family("XLMRoberta", _XLMR, 2, mask="<mask>"),
    "XLM-RoBERTa-XL": Family("XLMRobertaXL", _XLMR, 2, mask="<mask>"),
    "MiniLM": Family("Bert", _XLMR, 2, mask="<mask>"),
    "BERT": Family("Bert", ("[CLS]", "[SEP]", "[PAD]"), 1, has_types=True),
    "RemBERT": Family("RemBert", ("[CLS]", "[SEP]", "<pad>"), 1, mask="[MASK]"),
}


@dataclass(frozen=True)
class Hyperparameters:
    """Hyperparameters that affect scores, with the defaults of unbabel-comet."""

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
    word_layer: int = 36
    error_labels: Sequence[str] = SEVERITIES

    @classmethod
    def of(cls, kind: str, options: Mapping[str, Any]) -> Hyperparameters:
        """The hyperparameters of a checkpoint."""
        defaults: dict[str, Any] = {}
        if kind == QE:
            defaults["hidden_sizes"] = (2048, 1024)
        if kind == UNIFIED:
            defaults["pretrained_model"] = "microsoft/infoxlm-large"
            defaults["layer_transformation"] = "sparsemax"
            options = {**options, "layer": options.get("sent_layer", "mix")}
        if kind == TAGGING:
            defaults |= {"pretrained_model": "facebook/xlm-roberta-xl", "encoder_model": "XLM-RoBERTa-XL"}
            defaults |= {"layer_transformation": "sparsemax", "layer_norm": False, "hidden_sizes": (2560, 1280)}
            always = {"input_segments": cls.input_segments}  # unbabel-comet sets them when it loads the checkpoint
            options = {**options, **always, "layer": options.get("sent_layer", "mix")}
        used = {name: options[name] for name in cls.__dataclass_fields__ if name != "kind" and name in options}
        return cls(kind, **{**defaults, **used})

    @property
    def layers(self) -> list[int]:
        """The numbers of the layers that are read alone."""
        return [layer for layer in (self.layer, self.word_layer if self.kind == TAGGING else 0) if _is_layer(layer)]

    def unsupported(self) -> list[str]:
        """The values that Assay does not support, or that have a wrong type."""
        families, segments = tuple(_FAMILIES), (["mt", "src", "ref"], ["mt", "src"], ["mt", "ref"])
        supported = {
            "pretrained_model": isinstance(self.pretrained_model, str),
            "encoder_model": self.encoder_model in families,
            "layer": self.layer == "mix" or _is_integer(self.layer),
            "layer_transformation": self.layer_transformation in ("softmax", "sparsemax"),
            "pool": self.pool in _POOLS and not (self.pool == "default" and self.encoder_model == "BERT"),
            "hidden_sizes": bool(_as_list(self.hidden_sizes)) and all(map(_is_integer, _as_list(self.hidden_sizes))),
            "input_segments": _as_list(self.input_segments) in segments,
        }
        if self.kind == TAGGING:
            supported["word_layer"] = _is_integer(self.word_layer)
            supported["error_labels"] = _as_list(self.error_labels) == list(SEVERITIES)
        return [f"{name}: {getattr(self, name)}" for name, is_supported in supported.items() if not is_supported]


def _is_layer(layer: str | int) -> TypeGuard[int]:
    return isinstance(layer, int)


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _as_list(value: object) -> list[Any]:
    """Empty if it is not a list."""
    return list(value) if isinstance(value, list | tuple) else []


@dataclass(frozen=True)
class Checkpoint:
    """Where the files are. Everything else is read when it is needed, once."""

    model: Resource
    digest: str
    encoder: Resource
    encoder_digest: str
    kind: str

    @property
    def path(self) -> Path:
        """The weights file."""
        return self.model.path / _WEIGHTS

    @property
    def digests(self) -> Mapping[str, str]:
        """The digests of the model and of the encoder, which do not depend on where its folder is."""
        return {"model": self.digest, "encoder": self.encoder_digest}

    @property
    def options(self) -> Hyperparameters:
        """The hyperparameters."""
        return _hyperparameters(self.model.path, self.digest, self.kind)

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

    def check(self) -> None:
        """Raise if the files have changed."""
        check_unchanged(self.model, self.digest)
        check_unchanged(self.encoder, self.encoder_digest)


def find_checkpoint(source: str | Path, metric: str) -> Checkpoint:
    """The checkpoint in a folder, if it is one for a metric."""
    model = find_model(source, COMET)
    folder = model.path
    for name in (_YAML, _WEIGHTS):
        if not (folder / name).is_file():
            raise MissingExtraError(
                f"there is no {COMET} in {folder}: {name} not found",
                hint=f"give the folder with {_YAML} and {_WEIGHTS}, as comet.download_model leaves it",
            )
    kind = str(_read_yaml(folder).get("class_identifier"))
    if kind not in _METRICS:
        raise ConfigError(
            f"the {COMET} {model.name} has the unsupported model class '{printable(kind)}'",
            hint=f"supported: {', '.join(_METRICS)}; {_IMPORT}",
        )
    if _METRICS[kind] != metric:
        raise ConfigError(
            f"the {COMET} {model.name} is a {kind}; the metric {metric} cannot use it",
            hint=f"use {_METRICS[kind]}:model={source}"
            + (", or cometkiwi for a model that reads no references" if kind == UNIFIED else ""),
        )
    digest = model.digest
    encoder = _find_encoder(folder, _hyperparameters(folder, digest, kind).pretrained_model)
    return Checkpoint(model, digest, encoder, encoder.digest, kind)


def _read_yaml(folder: Path) -> Mapping[str, Any]:
    import_libraries()  # transformers needs yaml
    import yaml

    path = folder / _YAML
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        message = f"the hyperparameters cannot be read: {printable(reason)}"
        raise InputError(message, path=str(path), hint=COMPLETE) from error
    if not isinstance(content, Mapping):
        raise InputError("must be a mapping (YAML)", path=str(path), hint=OTHER_MODEL)
    return content


@functools.lru_cache(maxsize=4)
def _hyperparameters(folder: Path, digest: str, kind: str) -> Hyperparameters:
    """The hyperparameters in model.ckpt.

    From hparams.yaml, unbabel-comet reads only the class and `sparsemax_patch`.
    """
    content, path = read_checkpoint(folder / _WEIGHTS, digest), str(folder / _WEIGHTS)
    for key in ("state_dict", "hyper_parameters"):
        if not isinstance(content.get(key), Mapping):
            raise InputError(f"the checkpoint has no {key}", path=path, hint="give a checkpoint of unbabel-comet")
    options = dict(content["hyper_parameters"])
    if _read_yaml(folder).get("layer_transformation") == "sparsemax_patch":
        options["layer_transformation"] = "softmax"
    hyperparameters = Hyperparameters.of(kind, options)
    if unsupported := hyperparameters.unsupported():
        raise InputError(f"unsupported hyperparameters: {printable('; '.join(unsupported))}", path=path, hint=_IMPORT)
    return hyperparameters


def _find_encoder(folder: Path, pretrained: str) -> Resource:
    """The folder with the configuration and the tokeniser of the pretrained encoder."""
    name = PurePosixPath(pretrained).name
    inside = folder / "encoder"
    wanted = f"{CONFIG} and {TOKENIZER} of {pretrained}"
    try:
        encoder = Resource(name, inside) if inside.is_dir() else find_named(name, "encoder", beside=folder)
        encoder = replace(encoder, reads=(CONFIG, TOKENIZER))
    except MissingExtraError as error:
        raise MissingExtraError(
            f"the {COMET} {folder} needs the configuration and the tokeniser of its encoder {pretrained}",
            hint=f"put {wanted} into {inside} or {resource_folder() / name}",
        ) from error
    for file in (CONFIG, TOKENIZER):
        if not (encoder.path / file).is_file():
            raise MissingExtraError(
                f"{file} not found in {encoder.path}",
                hint=f"put {wanted} there; XLM-R and InfoXLM have the same {TOKENIZER}",
            )
    return encoder


@functools.lru_cache(maxsize=4)
def _config(checkpoint: Checkpoint) -> Any:
    _, transformers = import_libraries()
    kind = getattr(transformers, f"{checkpoint.family.network}Config")
    folder = checkpoint.encoder.path
    model_type = read_config(folder).get("model_type")
    if model_type != kind.model_type:
        message = f"model_type is '{printable(str(model_type))}' instead of '{kind.model_type}'"
        hint = f"copy {CONFIG} from the repository of {checkpoint.options.pretrained_model}"
        raise InputError(message, path=str(folder / CONFIG), hint=hint)
    with quiet(), as_input_error("encoder", folder):
        return kind.from_pretrained(str(folder), local_files_only=True)
