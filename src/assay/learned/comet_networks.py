"""What the network of a COMET checkpoint computes: the vector of a text, or the score of several texts in one input.

The formulas are those of unbabel-comet 2.2.7. The encoder runs in the chosen precision, everything else in float32.
"""

from __future__ import annotations

import functools
import itertools
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from assay.errors import InputError, printable
from assay.learned.comet_checkpoint import QE, REGRESSION, SEVERITIES, TAGGING, UNIFIED, Checkpoint
from assay.learned.comet_tokenizer import open_tokenizer
from assay.learned.model import split_types
from assay.learned.weights import check_shape, load_network
from assay.neural import Ids, Network, Precision, Result
from assay.neural.libraries import import_libraries, inference, pad, torch_dtype
from assay.types.runtime import Runtime

__all__ = ["InputScores", "InputTags", "TextVectors", "load_estimator"]

_EPSILON = 1e-12  # of the variance of a layer


class _Weights(NamedTuple):
    """What is loaded for a network."""

    encoder: Any
    layers: tuple[list[float], float] | None
    """The weight of each layer, and the factor of their sum, if the states of all layers are mixed."""
    estimator: Any = None
    tagger: Any = None


@dataclass(frozen=True)
class _CometNetwork(Network):
    """The encoder of a checkpoint. What follows the encoder is computed in float32, whatever its precision."""

    checkpoint: Checkpoint
    precision: Precision

    kind: ClassVar[str]
    has_marks: ClassVar[bool] = False
    """Whether inputs say which tokens are of the first text, although the encoder does not read that."""

    @property
    def identity(self) -> str:
        return f"{'-'.join(self.checkpoint.digests.values())}-{self.kind}-{self.precision}"

    def open(self, device: str) -> _Weights:
        self.checkpoint.check()
        is_mixed = not isinstance(self.checkpoint.options.layer, int)
        layers = _layer_weights(self.checkpoint) if is_mixed else None
        return _Weights(_load_encoder(self.checkpoint, self.precision, device), layers)

    def compute(self, weights: _Weights, batch: Sequence[Ids], runtime: Runtime) -> list[Result]:
        ids, mask = pad(batch, open_tokenizer(self.checkpoint).padding, runtime.device)
        types = {}
        if self.has_marks or self.checkpoint.family.has_types:
            ids, second = split_types(ids)
            types = {"token_type_ids": second} if self.checkpoint.family.has_types else {}
        with inference(runtime.threads):
            output = weights.encoder(input_ids=ids, attention_mask=mask, output_hidden_states=True, **types)
            return self.results(weights, output.hidden_states, ids, mask, batch)

    def results(
        self, weights: _Weights, states: Sequence[Any], ids: Any, mask: Any, batch: Sequence[Ids]
    ) -> list[Result]:
        """The result of each input, from the states of all layers, (input, token, dimension)."""
        return list(self.result(weights, states, ids, mask).cpu().numpy())

    @abstractmethod
    def result(self, weights: _Weights, states: Sequence[Any], ids: Any, mask: Any) -> Any:
        """(input, number), from the states of all layers."""

    def mix_layers(self, weights: _Weights, states: Sequence[Any], mask: Any) -> Any:
        """The states of one layer, or a mixture of all layers."""
        options = self.checkpoint.options
        if isinstance(options.layer, int) or weights.layers is None:
            return states[int(options.layer)].float()
        layer_weights, factor = weights.layers
        mixture = states[0].new_zeros(states[0].shape, dtype=torch_dtype("fp32"))
        for weight, layer in zip(layer_weights, states, strict=True):
            if weight:
                mixture.add_(_normalise(layer, mask) if options.layer_norm else layer, alpha=weight)
        return mixture.mul_(factor)


def _normalise(states: Any, mask: Any) -> Any:
    """States with mean 0 and variance 1 over the tokens and dimensions of a text, without padding."""
    states, is_token = states.float(), mask.unsqueeze(-1).float()
    count = mask.sum(dim=1).view(-1, 1, 1) * states.shape[-1]
    mean = (states * is_token).sum(dim=(1, 2), keepdim=True) / count
    variance = (((states - mean) * is_token) ** 2).sum(dim=(1, 2), keepdim=True) / count
    return (states - mean) / (variance + _EPSILON).sqrt()


@dataclass(frozen=True)
class TextVectors(_CometNetwork):
    """One vector for a text."""

    kind = "vector"

    def result(self, weights: _Weights, states: Sequence[Any], ids: Any, mask: Any) -> Any:
        pool = self.checkpoint.options.pool
        if pool == "default":
            return states[-1][:, 0].float()
        mixture = self.mix_layers(weights, states, mask)
        is_padding = (ids == open_tokenizer(self.checkpoint).padding).unsqueeze(-1)  # also where a text spells it
        if pool == "max":
            return mixture.masked_fill(is_padding, -np.inf).amax(dim=1)
        if pool == "cls":
            return mixture[:, 0]
        return mixture.masked_fill(is_padding, 0.0).sum(dim=1) / mask.sum(1)[:, None]


@dataclass(frozen=True)
class InputScores(_CometNetwork):
    """One score for an output that is joined with other texts: the estimator reads its first token."""

    task = "scoring segments"
    kind = "score"

    def open(self, device: str) -> _Weights:
        return super().open(device)._replace(estimator=load_estimator(self.checkpoint, device))

    def result(self, weights: _Weights, states: Sequence[Any], ids: Any, mask: Any) -> Any:
        return weights.estimator(self.mix_layers(weights, states, mask)[:, 0])


@dataclass(frozen=True)
class InputTags(InputScores):
    """A score as above, and for each token of the output the probabilities of no error and of each severity.

    The result of an input has one row for each token that is marked as one of the output, after a row that starts with
    the score.
    """

    kind = "tags"
    has_marks = True

    def open(self, device: str) -> _Weights:
        return super().open(device)._replace(tagger=_load_tagger(self.checkpoint, device))

    def results(
        self, weights: _Weights, states: Sequence[Any], ids: Any, mask: Any, batch: Sequence[Ids]
    ) -> list[Result]:
        torch, _ = import_libraries()
        scores = self.result(weights, states, ids, mask).cpu().numpy()
        layer = states[self.checkpoint.options.word_layer].float()
        tags = torch.softmax(weights.tagger(layer), dim=2).cpu().numpy()
        results = []
        for score, rows, tokens in zip(scores, tags, batch, strict=True):
            count = sum(id_ >= 0 for id_ in tokens)
            first = np.zeros((1, rows.shape[1]), dtype=np.float32)
            first[0, 0] = score[0]
            results.append(np.concatenate([first, rows[:count]]))
        return results


def _load_encoder(checkpoint: Checkpoint, precision: Precision, device: str) -> Any:
    _, transformers = import_libraries()
    make = functools.partial(
        getattr(transformers, f"{checkpoint.family.network}Model"), checkpoint.config, add_pooling_layer=False
    )
    network = load_network(
        make,
        checkpoint.weights,
        checkpoint.path,
        lambda _, tensor: tensor.to(device=device, dtype=torch_dtype(precision)),
        prefix="encoder.model.",
    )
    return network.to(device)  # constants


def load_estimator(checkpoint: Checkpoint, device: str) -> Any:
    """The layers from features to a score, always in float32."""
    torch, _ = import_libraries()
    options, dimension = checkpoint.options, checkpoint.config.hidden_size
    features = {REGRESSION: 6, QE: 4, UNIFIED: 1, TAGGING: 1}[checkpoint.kind]
    sizes = [features * dimension, *options.hidden_sizes]

    def make() -> Any:
        modules = []
        for before, after in itertools.pairwise(sizes):
            modules += [
                torch.nn.Linear(before, after),
                _activation(checkpoint, options.activations),
                torch.nn.Dropout(),  # does nothing, but has a number in the names of weights
            ]
        modules.append(torch.nn.Linear(sizes[-1], 1))
        return torch.nn.Sequential(*modules)

    layers = load_network(
        make,
        checkpoint.weights,
        checkpoint.path,
        lambda _, tensor: tensor.to(device=device, dtype=torch.float32),
        prefix="estimator.ff.",
    )
    final = options.final_activation
    return layers if final is None else torch.nn.Sequential(layers, _activation(checkpoint, final))


def _load_tagger(checkpoint: Checkpoint, device: str) -> Any:
    """The layer from the state of a token to its labels, always in float32."""
    torch, _ = import_libraries()
    return load_network(
        functools.partial(torch.nn.Linear, checkpoint.config.hidden_size, 1 + len(SEVERITIES)),
        checkpoint.weights,
        checkpoint.path,
        lambda _, tensor: tensor.to(device=device, dtype=torch.float32),
        prefix="hidden2tag.",
    )


def _activation(checkpoint: Checkpoint, name: str) -> Any:
    """A function of torch by its name, in any case."""
    torch, _ = import_libraries()
    activation = getattr(torch.nn.modules.activation, str(name).title(), None)
    if activation is None:
        raise InputError(
            f"torch has no activation function '{printable(str(name))}'",
            path=str(checkpoint.path),
            hint="the hyperparameters activations and final_activation must name classes of torch.nn, such as Tanh",
        )
    return activation()


def _layer_weights(checkpoint: Checkpoint) -> tuple[list[float], float]:
    """The weight of each layer, and the factor of their sum."""
    torch, _ = import_libraries()
    prefix = "layerwise_attention."
    names = [f"{prefix}scalar_parameters.{i}" for i in range(checkpoint.config.num_hidden_layers + 1)]
    for name in (*names, f"{prefix}gamma"):
        check_shape(checkpoint.weights, name, (1,), checkpoint.path)
    raw = torch.cat([checkpoint.weights[name] for name in names]).float()
    is_sparse = checkpoint.options.layer_transformation == "sparsemax"
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
