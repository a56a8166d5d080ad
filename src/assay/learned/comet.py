"""Models of unbabel-comet: COMET and COMET-QE (Rei et al. 2020, 2022), UniTE (Wan et al. 2022) and CometKiwi."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from assay.errors import ConfigError, InputError
from assay.learned.comet_checkpoint import QE, Checkpoint, find_checkpoint
from assay.learned.comet_networks import InputScores, TextVectors, load_estimator
from assay.learned.comet_tokenizer import EncodedText, open_tokenizer
from assay.learned.model import EncodedSegments, Inputs, LearnedModel, Segment, as_second, deduplicate, map_distinct
from assay.neural import PRECISIONS, Ids, Precision
from assay.neural.libraries import import_libraries, inference
from assay.neural.memory import explaining_lack_of_memory, with_less_memory
from assay.options.checks import check_choice
from assay.types import FloatArray
from assay.types.runtime import Runtime

__all__ = ["UniteModel", "open_comet", "open_unite"]

_ROLES = {"src": 1, "ref": 2}  # the places of source and reference in a segment
_PART = 4096  # segments that are estimated at once


def open_comet(source: str | Path, *, precision: Precision = "fp32") -> LearnedModel:
    """A model that encodes output, source and reference separately: COMET, or COMET-QE without a reference."""
    check_choice("precision", precision, PRECISIONS)
    return _DualModel(find_checkpoint(source, "comet"), precision)


def open_unite(source: str | Path, *, precision: Precision = "fp32", inputs: Inputs = "all") -> UniteModel:
    """A model that reads the output together with the source, the reference or both: UniTE, CometKiwi."""
    check_choice("precision", precision, PRECISIONS)
    check_choice("inputs", inputs, get_args(Inputs))
    return UniteModel(find_checkpoint(source, "unite"), precision, inputs)


class _CometModel(LearnedModel):
    """What all checkpoints have in common."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        layers = checkpoint.config.num_hidden_layers
        for layer in checkpoint.options.layers:
            if not 0 <= layer <= layers:
                raise InputError(
                    f"there is no layer {layer}: the encoder has {layers}",
                    path=str(checkpoint.path),
                    hint=f"does {checkpoint.encoder.path} have the configuration of its encoder?",
                )
        self._checkpoint, self._tokenizer = checkpoint, open_tokenizer(checkpoint)
        self.name, self.path, self.digests = checkpoint.model.name, checkpoint.model.path, checkpoint.digests


class _DualModel(_CometModel):
    """COMET: every text has a vector, and an estimator reads the vectors of a segment."""

    input_name = "text"

    def __init__(self, checkpoint: Checkpoint, precision: Precision) -> None:
        super().__init__(checkpoint)
        self.needs = frozenset({"source"} if checkpoint.kind == QE else {"source", "reference"})
        self.max_tokens = self._tokenizer.max_text_tokens
        self.network = TextVectors(checkpoint, precision)

    def encode(self, segments: Sequence[Segment]) -> EncodedSegments:
        roles = 1 + len(self.needs)
        texts = map_distinct(self._tokenizer, [text or "" for segment in segments for text in segment[:roles]])
        return deduplicate([text.ids for text in texts], [text.is_truncated for text in texts], roles)

    def combine(self, results: npt.NDArray[np.float32], indices: npt.NDArray[np.int64], runtime: Runtime) -> FloatArray:
        torch, _ = import_libraries()
        device = self.network.device(runtime.devices[0])
        self._checkpoint.check()
        hint = f"{with_less_memory(device, half=False)}; the vectors are in the cache, if there is one"
        scores = []
        with explaining_lack_of_memory(f"the estimator on {device}", hint), inference(runtime.threads):
            estimate = load_estimator(self._checkpoint, device)
            for first in range(0, len(indices), _PART):
                columns = indices[first : first + _PART].T
                features = _features(*(torch.from_numpy(results[column]).to(device) for column in columns))
                scores.append(estimate(features).reshape(-1).cpu().numpy())
        return np.concatenate(scores).astype(np.float64)


def _features(output: Any, source: Any, reference: Any = None) -> Any:
    """The input of the estimator (Rei et al. 2020, section 2.4). Without a reference, the source takes its place."""
    torch, _ = import_libraries()
    of_source = [output * source, (output - source).abs()]
    if reference is None:
        return torch.cat([output, source, *of_source], dim=1)
    return torch.cat([output, reference, output * reference, (output - reference).abs(), *of_source], dim=1)


class UniteModel(_CometModel):
    """UniTE: the output is read together with the source, with the reference, and with both; the mean counts."""

    def __init__(self, checkpoint: Checkpoint, precision: Precision, inputs: Inputs) -> None:
        super().__init__(checkpoint)
        known: tuple[Inputs, ...] = ("src", "ref")
        trained = [name for name in known if name in checkpoint.options.input_segments]
        possible: list[Inputs] = ["src", "ref", "src+ref"] if len(trained) == 2 else trained
        if inputs != "all" and inputs not in possible:
            hint = f"it was trained for {', '.join(possible)}"
            raise ConfigError(f"the model {self.name} cannot read inputs={inputs}", hint=hint)
        chosen = possible if inputs == "all" else [inputs]
        self.reads_references = "ref" in trained
        self.inputs: Inputs = chosen[0] if len(chosen) == 1 else "all"
        self._groups = [[_ROLES[name] for name in group.split("+")] for group in chosen]
        self.needs = frozenset(Segment._fields[role] for group in self._groups for role in group)
        self.max_tokens = self._tokenizer.max_tokens
        self.network = InputScores(checkpoint, precision)

    def encode(self, segments: Sequence[Segment]) -> EncodedSegments:
        texts = map_distinct(self._tokenizer, [text or "" for segment in segments for text in segment])
        content = [self._tokenizer.content(text.ids) for text in texts]
        inputs, is_truncated = [], []
        for first in range(0, len(texts), len(Segment._fields)):
            for group in self._groups:
                places = [first, *(first + role for role in group)]
                whole = self._tokenizer.join([content[place] for place in places])
                inputs.append(self._marked(whole[: self.max_tokens], texts[first], len(content[first]) + 2))
                is_truncated.append(len(whole) > self.max_tokens or any(texts[place].is_truncated for place in places))
        return deduplicate(inputs, is_truncated, len(self._groups))

    def _marked(self, ids: Ids, output: EncodedText, first: int) -> Ids:
        """The ids of an input whose first text has so many tokens, with its special tokens."""
        return (*ids[:first], *as_second(ids[first:])) if self._checkpoint.family.has_types else ids
