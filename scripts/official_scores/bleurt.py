"""BLEURT: checkpoints of both kinds with random weights, made and scored by bleurt-pytorch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts.official_scores import tokenizers
from scripts.official_scores.texts import SEGMENTS

__all__ = ["CHECKPOINTS"]

_POSITIONS = 64  # few, so that some texts are truncated


def _make_bert(folder: Path, resources: Path) -> dict[str, Any]:
    """As the models of 2020: BERT, words in lower case, the weights as torch saves them."""
    vocabulary = tokenizers.write_bert(folder, do_lower_case=True)
    return _scores(folder, vocabulary, safe_serialization=False)


def _make_rembert(folder: Path, resources: Path) -> dict[str, Any]:
    """As BLEURT-20: narrow embeddings, which are projected, SentencePiece, and safetensors."""
    from bleurt_pytorch.bleurt.tokenization_bleurt_sp import BleurtSPTokenizer

    special_tokens = {"pad": "[PAD]", "unk": "[UNK]", "bos": "[CLS]", "eos": "[SEP]"}
    pieces = tokenizers.write_sentencepiece(folder / "pieces.model", special_tokens, user_defined_symbols=["[MASK]"])
    tokenizer = BleurtSPTokenizer(str(pieces), model_max_length=_POSITIONS)
    tokenizer.save_pretrained(folder)
    pieces.unlink()
    return _scores(folder, len(tokenizer), embedding_size=12, safe_serialization=True)


def _scores(folder: Path, vocabulary: int, *, safe_serialization: bool, **options: Any) -> dict[str, Any]:
    """Write a model, load it, and score the segments.

    One at a time, so that padding plays no part. The package leaves it to its users to truncate long texts.
    """
    import torch
    from bleurt_pytorch import BleurtConfig, BleurtForSequenceClassification, BleurtTokenizer

    torch.manual_seed(1)
    config = BleurtConfig(
        vocab_size=vocabulary,
        num_hidden_layers=3,
        num_attention_heads=3,
        hidden_size=24,
        intermediate_size=40,
        max_position_embeddings=_POSITIONS,
        initializer_range=0.2,  # large, so that texts differ
        **options,
    )
    model = BleurtForSequenceClassification(config)
    for name, weights in model.named_parameters():
        if name.endswith("bias") or "LayerNorm" in name:  # constant at first
            weights.data += 0.2 * torch.randn_like(weights)
    model.save_pretrained(folder, safe_serialization=safe_serialization)
    loaded = BleurtForSequenceClassification.from_pretrained(str(folder)).eval()
    tokenizer = BleurtTokenizer.from_pretrained(str(folder))
    scores = []
    for segment in SEGMENTS:
        pair = tokenizer([segment["ref"]], [segment["mt"]], truncation=True, max_length=_POSITIONS, return_tensors="pt")
        with torch.inference_mode():
            scores.append(loaded(**pair).logits.item())
    return {"scores": scores}


CHECKPOINTS: dict[str, Callable[[Path, Path], dict[str, Any]]] = {
    "bleurt": _make_bert,
    "bleurt-20": _make_rembert,
}
