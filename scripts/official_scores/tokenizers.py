"""Tokenisers of a few pieces, as XLM-R and BERT have them, saved with the library transformers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scripts.official_scores.texts import SEGMENTS

__all__ = ["write_bert", "write_rembert", "write_sentencepiece", "write_xlmr"]

_WORDS = ("the", "dog", "house", "is", "word", "sentence", "long", "a", "ing", "en", "hello", "very")
_CHARACTERS = "abcdefghijklmnopqrstuvwxyzTHADE.,!'äöüößřžý今天气很好Привет"


def write_xlmr(folder: Path) -> int:
    """A tokeniser of XLM-R. Returns the size of its vocabulary."""
    from transformers import XLMRobertaTokenizerFast

    special_tokens = ("<s>", "<pad>", "</s>", "<unk>")
    made = _unigram(special_tokens, "<mask>", "<s> $A </s>", "<s> $A </s> </s> $B </s>", ("<s>", "</s>"))
    tokenizer = XLMRobertaTokenizerFast(tokenizer_object=made)
    tokenizer.save_pretrained(folder)
    return len(tokenizer)


def write_rembert(folder: Path) -> int:
    """A tokeniser of RemBERT."""
    from transformers import RemBertTokenizerFast

    special_tokens = ("[PAD]", "[CLS]", "[SEP]", "<unk>")
    made = _unigram(special_tokens, "[MASK]", "[CLS] $A [SEP]", "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1", ("[CLS]", "[SEP]"))
    tokenizer = RemBertTokenizerFast(tokenizer_object=made)
    tokenizer.save_pretrained(folder)
    return len(tokenizer)


def write_bert(folder: Path, *, do_lower_case: bool = False) -> int:
    """A tokeniser of BERT."""
    from transformers import BertTokenizerFast

    characters = sorted(set(_CHARACTERS))
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *_WORDS, *characters, *(f"##{c}" for c in characters)]
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(dict.fromkeys(pieces)) + "\n", encoding="utf-8")
    BertTokenizerFast(str(vocabulary), do_lower_case=do_lower_case).save_pretrained(folder)
    return len(dict.fromkeys(pieces))


def _unigram(special_tokens: tuple[str, ...], last: str, single: str, pair: str, used: tuple[str, str]) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    words = [f"▁{word}" for word in _WORDS]
    pieces = dict.fromkeys([*special_tokens, "▁", *words, *_WORDS, *sorted(set(_CHARACTERS)), last])
    scores = [(piece, -float(i % 7) - 10.0 / len(piece)) for i, piece in enumerate(pieces)]
    tokenizer = Tokenizer(models.Unigram(scores, unk_id=list(pieces).index("<unk>")))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.add_special_tokens([*special_tokens, last])
    ids = [(token, tokenizer.token_to_id(token)) for token in used]
    tokenizer.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=ids)
    return tokenizer


def write_sentencepiece(path: Path, special_tokens: Mapping[str, str], **options: Any) -> Path:
    """A model of SentencePiece, trained on the segments. Its first pieces are the special tokens, by role."""
    import sentencepiece

    path.parent.mkdir(parents=True, exist_ok=True)
    for number, (name, piece) in enumerate(special_tokens.items()):
        options |= {f"{name}_piece": piece, f"{name}_id": number}
    lines = sorted({str(text)[:200] for segment in SEGMENTS for text in segment.values()})
    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines * 3),
            model_writer=file,
            vocab_size=500,
            hard_vocab_limit=False,
            minloglevel=2,
            **options,
        )
    return path
