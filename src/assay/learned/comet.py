"""Models of unbabel-comet: COMET and COMET-QE (Rei et al. 2020, 2022), UniTE (Wan et al. 2022) and CometKiwi."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from assay.errors import ConfigError, InputError
from assay.learned.comet_checkpoint import QE, Checkpoint, find_checkpoint
from assay.learned.comet_networks import InputScores, TextVectors, estimator
from assay.learned.model import EncodedSegments, LearnedModel, Segment, number_distinct
from assay.neural import Ids, Network, Precision
from assay.neural.libraries import computing, import_libraries
from assay.runtime import Runtime
from assay.types import FloatArray

__all__ = ["Inputs", "open_comet", "open_unite"]

Inputs = Literal["all", "src", "ref", "src+ref"]
"""What a unified model reads together with the output. `all` is the mean over all that it was trained for."""

_ROLES = {"src": 1, "ref": 2}  # the places of source and reference in a segment
_ROWS = 4096  # segments that are estimated at once


def open_comet(source: str | Path, *, precision: Precision = "fp32") -> LearnedModel:
    """A model that encodes output, source and reference apart: COMET, or COMET-QE without a reference."""
    return _DualModel(find_checkpoint(source, "comet"), precision)


def open_unite(source: str | Path, *, precision: Precision = "fp32", inputs: Inputs = "all") -> LearnedModel:
    """A model that reads the output together with the source, the reference or both: UniTE, CometKiwi."""
    return _UnifiedModel(find_checkpoint(source, "unite"), precision, inputs)


class _CometModel(LearnedModel):
    """What all checkpoints have in common."""

    def __init__(self, checkpoint: Checkpoint, precision: Precision) -> None:
        self._checkpoint, self._precision = checkpoint, precision
        layer, layers = checkpoint.options.layer, checkpoint.config.num_hidden_layers
        if isinstance(layer, int) and not 0 <= layer <= layers:
            raise InputError(f"there is no layer {layer}: the encoder has {layers}", path=str(checkpoint.folder))
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

    def __init__(self, checkpoint: Checkpoint, precision: Precision) -> None:
        super().__init__(checkpoint, precision)
        self.needs = frozenset({"source"} if checkpoint.kind == QE else {"source", "reference"})
        self.max_tokens = checkpoint.tokenizer.max_tokens_of_text

    @property
    def network(self) -> Network:
        return TextVectors(self._checkpoint, self._precision)

    def encode(self, segments: Sequence[Segment]) -> EncodedSegments:
        roles = 1 + len(self.needs)
        texts = [text or "" for segment in segments for text in segment[:roles]]
        return number_distinct(*self._encode_texts(texts), roles)

    def combine(self, results: npt.NDArray[np.float32], rows: npt.NDArray[np.int64], runtime: Runtime) -> FloatArray:
        torch, _ = import_libraries()
        device = self.network.device(runtime.devices[0])
        estimate = estimator(self._checkpoint, device)
        scores = []
        with computing(runtime.threads):
            vectors, numbers = torch.from_numpy(results).to(device), torch.from_numpy(rows).to(device)
            for part in numbers.split(_ROWS):
                features = _features(*(vectors[column] for column in part.T))
                scores.append(estimate(features).reshape(-1).cpu().numpy())
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

    def __init__(self, checkpoint: Checkpoint, precision: Precision, inputs: Inputs) -> None:
        super().__init__(checkpoint, precision)
        trained = [each for each in _ROLES if each in checkpoint.options.input_segments]
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
        return InputScores(self._checkpoint, self._precision)

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
