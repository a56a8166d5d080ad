"""The base class does nothing by itself."""

from __future__ import annotations

import pytest
from sacrebleu.tokenizers.tokenizer_base import BaseTokenizer as TheirBaseTokenizer

from assay.compat.sacrebleu.tokenizers import BaseTokenizer


@pytest.mark.parametrize("tokenizer", [BaseTokenizer(), TheirBaseTokenizer()])
def test_abstract(tokenizer):
    with pytest.raises(NotImplementedError):
        tokenizer("a")
    with pytest.raises(NotImplementedError):
        tokenizer.signature()
