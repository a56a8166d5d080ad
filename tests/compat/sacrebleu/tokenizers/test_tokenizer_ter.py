"""The tokens of sacreBLEU."""

from __future__ import annotations

import itertools

import pytest

from tests.compat.sacrebleu.oracle import same_tokenizer


@pytest.mark.parametrize("options", list(itertools.product((False, True), repeat=4)))
def test_the_same_tokens(options):
    same_tokenizer("tokenizer_ter", "TercomTokenizer", *options)
