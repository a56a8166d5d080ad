"""The tokens of sacreBLEU."""

from __future__ import annotations

from tests.compat.sacrebleu.oracle import same_tokenizer


def test_the_same_tokens():
    same_tokenizer("tokenizer_intl", "TokenizerV14International")


def test_white_space_at_the_end_counts():
    from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International as Theirs

    from assay.compat.sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International as Ours

    for line in ("costs 5.\n", "(5) ", "5. ", "a.\t", "  ", "", "x5..\n", "5,\u00a0"):
        assert Ours()(line) == Theirs()(line), line
