"""MetricX: models with random weights, scored by transformers' mT5 with the formula of Google's program.

That program is no package, so this is an imitation of it. The program (github.com/google-research/metricx) removes the
end token from the input, gives the decoder one token, takes the logit of <extra_id_10> and clips it.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts.official_scores import tokenizers
from scripts.official_scores.texts import SEGMENTS

__all__ = ["CHECKPOINTS"]

_SCORE_TOKEN = 250_089
_TEMPLATES = {
    "metricx-23": ("candidate: {mt} reference: {ref}", 1024),
    "metricx-23-qe": ("candidate: {mt} source: {src}", 1024),
    "metricx-24": ("source: {src} candidate: {mt} reference: {ref}", 1536),
    "metricx-24-qe": ("source: {src} candidate: {mt}", 1536),
}


def _make(template: str, max_input_length: int, folder: Path, resources: Path) -> dict[str, Any]:
    """Write a model with its tokeniser, load both, and score the segments one at a time."""
    import torch
    import transformers

    special_tokens = {"pad": "<pad>", "eos": "</s>", "unk": "<unk>"}
    tokenizers.write_sentencepiece(folder / "spiece.model", special_tokens, bos_id=-1, byte_fallback=True)
    _write_model(folder)
    model = transformers.MT5ForConditionalGeneration.from_pretrained(str(folder)).eval()
    tokenizer = transformers.T5TokenizerFast.from_pretrained(str(folder), extra_ids=0)
    scores = []
    for segment in SEGMENTS:
        encoded = tokenizer(template.format(**segment), max_length=max_input_length, truncation=True)["input_ids"][:-1]
        with torch.inference_mode():
            logits = model(input_ids=torch.tensor([encoded]), decoder_input_ids=torch.tensor([[0]])).logits
        scores.append(logits[0, 0, _SCORE_TOKEN].clamp(0, 25).item())
    return {"scores": scores}


def _write_model(folder: Path) -> None:
    import torch
    import transformers

    torch.manual_seed(1)  # no score is clipped
    config = transformers.MT5Config(
        vocab_size=250_112,
        d_model=16,
        d_kv=4,
        d_ff=16,
        num_layers=3,
        num_decoder_layers=2,
        num_heads=3,
        tie_word_embeddings=False,
    )
    model = transformers.MT5ForConditionalGeneration(config)
    for name, weights in model.named_parameters():
        noise = torch.randn_like(weights)  # large, so that texts differ
        weights.data = 1 + 0.3 * noise if weights.dim() == 1 else noise * (0.15 if ".block." in name else 1.0)
    model.lm_head.weight.data *= 0.3
    model.save_pretrained(folder, safe_serialization=False)
    path = folder / "config.json"
    path.write_text(
        json.dumps(json.loads(path.read_bytes()) | {"architectures": ["MT5ForRegression"]}), encoding="utf-8"
    )


CHECKPOINTS: dict[str, Callable[[Path, Path], dict[str, Any]]] = {
    name: functools.partial(_make, *template) for name, template in _TEMPLATES.items()
}
