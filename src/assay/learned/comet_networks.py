"""What the network of a COMET checkpoint computes: the vector of a text, or the score of several texts in one input.

The formulas are those of unbabel-comet 2.2.7. The encoder runs in the chosen precision, everything else in float32.
"""

from __future__ import annotations

import functools
import itertools
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.errors import InputError, printable
from assay.learned.comet_checkpoint import QE, REGRESSION, UNIFIED, Checkpoint
from assay.learned.weights import check_shape, filled
from assay.neural import Ids, Network, Precision, Result
from assay.neural.libraries import computing, import_libraries, padded, torch_type
from assay.runtime import Runtime

__all__ = ["InputScores", "TextVectors", "estimator"]

_EPSILON = 1e-12  # of the variance of a layer


@dataclass(frozen=True)
class _CometNetwork(Network):
    """The encoder of a checkpoint. What is made of its states is computed in float32, whatever its precision."""

    checkpoint: Checkpoint
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
        encoder = _encoder(self.checkpoint, self.precision, runtime.device)
        with computing(runtime.threads):
            output = encoder(input_ids=ids, attention_mask=mask, output_hidden_states=True, **types)
            return list(self.result(output.hidden_states, ids, mask).cpu().numpy())

    def open(self, device: str) -> None:
        _encoder(self.checkpoint, self.precision, device)

    @abstractmethod
    def result(self, states: Sequence[Any], ids: Any, mask: Any) -> Any:
        """(input, number), from the states of all layers, (input, token, dimension)."""

    def _types(self, batch: Sequence[Ids], device: str) -> dict[str, Any]:
        """Which tokens are of the first text, for an encoder that is told."""
        return {}

    def mixed(self, states: Sequence[Any], mask: Any) -> Any:
        """The states of one layer, or a mixture of all layers."""
        options = self.checkpoint.options
        if isinstance(options.layer, int):
            return states[options.layer].float()
        weights, factor = _layer_weights(self.checkpoint)
        mixed = states[0].new_zeros(states[0].shape, dtype=torch_type("fp32"))
        for weight, each in zip(weights, states, strict=True):
            if weight:
                mixed.add_(_normalised(each, mask) if options.layer_norm else each, alpha=weight)
        return mixed.mul_(factor)


def _normalised(states: Any, mask: Any) -> Any:
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

    def result(self, states: Sequence[Any], ids: Any, mask: Any) -> Any:
        pool = self.checkpoint.options.pool
        if pool == "default":
            return states[-1][:, 0].float()
        mixed = self.mixed(states, mask)
        is_padding = (ids == self.checkpoint.tokenizer.padding).unsqueeze(-1)  # also where a text spells it
        if pool == "max":
            return mixed.masked_fill(is_padding, -np.inf).amax(dim=1)
        return mixed[:, 0] if pool == "cls" else mixed.masked_fill(is_padding, 0.0).sum(dim=1) / mask.sum(1)[:, None]


@dataclass(frozen=True)
class InputScores(_CometNetwork):
    """One score for an output that is joined with other texts: the estimator reads its first token."""

    task = "Scoring segments"
    kind = "score"

    def result(self, states: Sequence[Any], ids: Any, mask: Any) -> Any:
        return estimator(self.checkpoint, str(ids.device))(self.mixed(states, mask)[:, 0])

    def _types(self, batch: Sequence[Ids], device: str) -> dict[str, Any]:
        if not self.checkpoint.family.has_types:
            return {}
        torch, _ = import_libraries()
        places = torch.arange(max(map(len, batch)) - 1)
        lengths = torch.tensor([each[0] for each in batch])
        return {"token_type_ids": (places >= lengths[:, None]).long().to(device)}


@functools.lru_cache(maxsize=1)  # a large one fills a GPU
def _encoder(checkpoint: Checkpoint, precision: Precision, device: str) -> Any:
    _, transformers = import_libraries()
    make = functools.partial(
        getattr(transformers, f"{checkpoint.family.network}Model"), checkpoint.config, add_pooling_layer=False
    )
    network = filled(make, checkpoint.weights, checkpoint.path, prefix="encoder.model.")
    return network.to(device=device, dtype=torch_type(precision))


@functools.lru_cache(maxsize=2)
def estimator(checkpoint: Checkpoint, device: str) -> Any:
    """The layers from features to a score, always in float32."""
    torch, _ = import_libraries()
    options, dimension = checkpoint.options, checkpoint.config.hidden_size
    features = {REGRESSION: 6, QE: 4, UNIFIED: 1}[checkpoint.kind]
    sizes = [features * dimension, *options.hidden_sizes]

    def make() -> Any:
        modules = []
        for before, after in itertools.pairwise(sizes):
            modules += [
                torch.nn.Linear(before, after),
                _activation(options.activations),
                torch.nn.Dropout(),  # does nothing, but has a number in the names of weights
            ]
        modules.append(torch.nn.Linear(sizes[-1], 1))
        return torch.nn.Sequential(*modules)

    layers = filled(make, checkpoint.weights, checkpoint.path, prefix="estimator.ff.")
    final = options.final_activation
    return (layers if final is None else torch.nn.Sequential(layers, _activation(final))).to(device)


def _activation(name: str) -> Any:
    """A function of torch by its name, in any case."""
    torch, _ = import_libraries()
    found = getattr(torch.nn.modules.activation, str(name).title(), None)
    if found is None:
        raise InputError(f"the activation function '{printable(str(name))}' is not known to torch")
    return found()


@functools.lru_cache(maxsize=2)
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
