"""A BERT with random weights, as transformers saves it."""

from __future__ import annotations

from pathlib import Path

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "the",
    "cat",
    "sat",
    "on",
    "mat",
    "un",
    "##believ",
    "##able",
    ".",
]
LAYERS, POSITIONS = 3, 16


def write(folder: Path, *, layers: int = LAYERS, seed: int = 0) -> Path:
    """Write configuration, weights and tokeniser."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=24,
        num_hidden_layers=layers,
        num_attention_heads=3,
        intermediate_size=32,
        max_position_embeddings=POSITIONS,
        initializer_range=0.5,  # large, so that tokens differ
    )
    folder.mkdir(parents=True, exist_ok=True)
    BertModel(config).eval().save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=POSITIONS).save_pretrained(folder)
    return folder
