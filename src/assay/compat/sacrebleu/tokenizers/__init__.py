"""sacreBLEU's tokenisers, each in the module where sacreBLEU has it."""

from __future__ import annotations

from assay.compat.sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from assay.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from assay.compat.sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from assay.compat.sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from assay.compat.sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
from assay.compat.sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
from assay.compat.sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from assay.compat.sacrebleu.tokenizers.tokenizer_spm import (
    Flores101Tokenizer,
    Flores200Tokenizer,
    TokenizerSPM,
    spBLEU1KTokenizer,
)
from assay.compat.sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

__all__ = ["TOKENIZERS", "BaseTokenizer"]

TOKENIZERS: dict[str, type[BaseTokenizer]] = {
    tokenizer.name: tokenizer
    for tokenizer in (
        NoneTokenizer,
        TokenizerZh,
        Tokenizer13a,
        TokenizerV14International,
        TokenizerChar,
        TokenizerJaMecab,
        TokenizerKoMecab,
        TokenizerSPM,
        Flores101Tokenizer,
        Flores200Tokenizer,
        spBLEU1KTokenizer,
    )
}
