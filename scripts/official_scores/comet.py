"""COMET, COMET-QE, UniTE, CometKiwi and xCOMET: checkpoints with random weights, made and scored by unbabel-comet."""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scripts.official_scores import tokenizers
from scripts.official_scores.texts import SEGMENTS

__all__ = ["CHECKPOINTS", "COMET", "UNITE", "XCOMET"]

_REGRESSION, _QE, _UNIFIED = "RegressionMetric", "ReferencelessRegression", "UnifiedMetric"
_TAGGING = "XCOMETMetric"
_LAYERS = 3


@dataclass(frozen=True)
class _Checkpoint:
    kind: str
    options: Mapping[str, Any]
    encoder: str = "XLM-RoBERTa"
    positions: int = 34  # few, so that many texts are truncated
    has_real_tokenizer: bool = False
    yaml: Mapping[str, Any] = field(default_factory=dict)
    """What differs in hparams.yaml from the hyperparameters in the checkpoint."""


_ALL, _WITHOUT_REFERENCE = ["mt", "src", "ref"], ["mt", "src"]
_CASES = {
    "comet": _Checkpoint(_REGRESSION, {"layer_transformation": "sparsemax", "layer_norm": False}),
    "comet-layer-norm": _Checkpoint(_REGRESSION, {"layer_transformation": "softmax", "layer_norm": True}),
    "comet-xlm-r-tokenizer": _Checkpoint(_REGRESSION, {"layer_norm": False}, positions=514, has_real_tokenizer=True),
    "comet-first-token": _Checkpoint(_REGRESSION, {"layer": 2, "pool": "cls", "final_activation": "Sigmoid"}),
    "comet-max": _Checkpoint(_REGRESSION, {"pool": "max", "layer_norm": False, "hidden_sizes": [5]}),
    "comet-default-pool": _Checkpoint(_REGRESSION, {"pool": "default", "layer": 0}),
    "comet-bert": _Checkpoint(_REGRESSION, {"layer_norm": True}, encoder="BERT"),
    "comet-minilm": _Checkpoint(_REGRESSION, {"layer_norm": False}, encoder="MiniLM"),
    "comet-xl": _Checkpoint(_REGRESSION, {"layer_norm": False}, encoder="XLM-RoBERTa-XL"),
    "comet-qe": _Checkpoint(_QE, {"layer_norm": False, "activations": "sigmoid"}),
    "unite": _Checkpoint(_UNIFIED, {"input_segments": _ALL, "layer_norm": False}),
    "unite-xlm-r-tokenizer": _Checkpoint(_UNIFIED, {"input_segments": _ALL}, positions=514, has_real_tokenizer=True),
    "unite-reference": _Checkpoint(_UNIFIED, {"input_segments": ["mt", "ref"], "sent_layer": 2}),
    "unite-bert": _Checkpoint(_UNIFIED, {"input_segments": _ALL}, encoder="BERT"),
    "unite-rembert": _Checkpoint(_UNIFIED, {"input_segments": _WITHOUT_REFERENCE}, encoder="RemBERT"),
    "cometkiwi": _Checkpoint(
        _UNIFIED,
        {
            "input_segments": _WITHOUT_REFERENCE,
            "layer_transformation": "sparsemax",
            "layer_norm": False,
            "word_level_training": True,
            "word_layer": 2,
            "error_labels": ["minor", "major"],
        },
        yaml={"layer_transformation": "sparsemax_patch"},
    ),
    "xcomet": _Checkpoint(_TAGGING, {"word_layer": 2, "layer_norm": False}),
    "xcomet-xlm-r-tokenizer": _Checkpoint(
        _TAGGING,
        {"word_layer": 3, "sent_layer": 1, "final_activation": "Sigmoid"},
        positions=514,
        has_real_tokenizer=True,
    ),
    "xcomet-xl": _Checkpoint(
        _TAGGING,
        {"word_layer": 3},
        encoder="XLM-RoBERTa-XL",
        yaml={"layer_transformation": "sparsemax_patch"},
    ),
    "cometkiwi-xl": _Checkpoint(_UNIFIED, {"input_segments": _WITHOUT_REFERENCE}, encoder="XLM-RoBERTa-XL"),
}


def _make(case: _Checkpoint, folder: Path, resources: Path) -> dict[str, Any]:
    """Write a checkpoint, load it with the official loader, and score the texts."""
    import comet.models
    import torch

    encoder = folder / "encoder"
    _write_encoder(case, encoder, resources)
    before = Path.cwd()
    os.chdir(folder)
    if case.encoder == "MiniLM":  # it reads this tokeniser, whatever the encoder is called
        (folder / "xlm-roberta-base").symlink_to("encoder")
    try:
        torch.manual_seed(1)
        options: dict[str, Any] = {"hidden_sizes": [12, 6], "dropout": 0.1, **case.options}
        model = getattr(comet.models, case.kind)(
            encoder_model=case.encoder,
            pretrained_model=str(encoder),
            load_pretrained_weights=False,
            local_files_only=True,
            **options,
        )
        _randomise(model)
        _save(model, folder, case.yaml)
        loaded = comet.models.load_from_checkpoint(str(folder / "checkpoints" / "model.ckpt"), local_files_only=True)
        predicted = _predicted(loaded, ("mt", "src", "ref"))
        alone = {name: _predicted(loaded, ("mt", name)) for name in ("src", "ref") if case.kind == _TAGGING}
    finally:
        os.chdir(before)
    scores: dict[str, Any] = {"scores": predicted.scores}
    if case.kind == _TAGGING:
        each = {"all": predicted, **alone}
        scores |= {name: given.scores for name, given in alone.items()}
        scores["errors"] = {name: given.metadata.error_spans for name, given in each.items()}
        return scores
    metadata = predicted.get("metadata", {})
    for key, inputs in (("src_scores", "src"), ("ref_scores", "ref"), ("unified_scores", "src+ref")):
        if key in metadata:
            scores[inputs] = metadata[key]
    return scores


def _predicted(model: Any, names: Sequence[str]) -> Any:
    """What a model says of the segments if it is given these texts."""
    texts = [{name: segment[name] for name in names} for segment in SEGMENTS]  # type: ignore[literal-required]
    return model.predict(texts, gpus=0, num_workers=0, progress_bar=False)


def _write_encoder(case: _Checkpoint, folder: Path, resources: Path) -> None:
    """Its configuration and its tokeniser; the weights are in the checkpoint."""
    import transformers

    folder.mkdir(parents=True)
    if case.has_real_tokenizer:
        shutil.copy(resources / "xlm-r-tokenizer" / "tokenizer.json", folder)
        vocabulary = 250_002
    else:
        writers = {"BERT": tokenizers.write_bert, "RemBERT": tokenizers.write_rembert}
        vocabulary = writers.get(case.encoder, tokenizers.write_xlmr)(folder)
    kinds = {"BERT": "Bert", "MiniLM": "Bert", "RemBERT": "RemBert", "XLM-RoBERTa-XL": "XLMRobertaXL"}
    config = getattr(transformers, f"{kinds.get(case.encoder, 'XLMRoberta')}Config")(
        vocab_size=vocabulary,
        hidden_size=8,
        num_hidden_layers=_LAYERS,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=case.positions,
        initializer_range=0.5,  # large, so that texts differ
        **({"input_embedding_size": 8} if case.encoder == "RemBERT" else {"type_vocab_size": _types(case.encoder)}),
    )
    config.save_pretrained(folder)


def _types(encoder: str) -> int:
    return 2 if encoder in ("BERT", "MiniLM") else 1


def _randomise(model: Any) -> None:
    """Change weights that are constant at first, and let the estimator tell texts apart."""
    import comet.models
    import torch

    for name, weights in model.named_parameters():
        if name.endswith("bias") or name.startswith("layerwise_attention") or "LayerNorm" in name:
            weights.data += 0.5 * torch.randn_like(weights)
        elif name.startswith("estimator"):
            weights.data *= 2
    if isinstance(model, comet.models.XCOMETMetric):
        _spread_labels(model)


def _spread_labels(model: Any) -> None:
    """Let the labels of tokens differ: the state that all tokens have in common has no influence on them."""
    import torch

    model.eval()
    texts = model.prepare_for_inference([{name: segment[name] for name in ("mt", "src")} for segment in SEGMENTS])[0]
    with torch.no_grad():
        states = model.encoder(texts["input_ids"], texts["attention_mask"])["all_layers"][model.hparams.word_layer]
    states = states[texts["attention_mask"]]
    weights = torch.randn_like(model.hidden2tag.weight) / states.std(dim=0)
    model.hidden2tag.weight.data = weights
    model.hidden2tag.bias.data = torch.tensor([2.0, 0.0, 0.0, 0.0]) - weights @ states.mean(dim=0)


def _save(model: Any, folder: Path, yaml_options: Mapping[str, Any]) -> None:
    import pytorch_lightning
    import yaml

    trainer = pytorch_lightning.Trainer(accelerator="cpu", logger=False, enable_checkpointing=False)
    trainer.strategy.connect(model)
    (folder / "checkpoints").mkdir()
    trainer.save_checkpoint(folder / "checkpoints" / "model.ckpt", weights_only=True)
    hyperparameters = {**model.hparams, **yaml_options}
    (folder / "hparams.yaml").write_text(yaml.safe_dump(hyperparameters), encoding="utf-8")


CHECKPOINTS: dict[str, Callable[[Path, Path], dict[str, Any]]] = {
    name: functools.partial(_make, case) for name, case in _CASES.items()
}
COMET = tuple(name for name, case in _CASES.items() if case.kind in (_REGRESSION, _QE))
UNITE = tuple(name for name, case in _CASES.items() if case.kind == _UNIFIED)
XCOMET = tuple(name for name, case in _CASES.items() if case.kind == _TAGGING)
"""Names of the checkpoints of each metric."""
