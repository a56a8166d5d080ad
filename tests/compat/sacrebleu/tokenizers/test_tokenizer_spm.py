"""The models of sacreBLEU by name. BLEU with them is tested in metrics/test_bleu.py."""

from __future__ import annotations

import os

import pytest
from sacrebleu.tokenizers import tokenizer_spm as theirs

from assay.compat.sacrebleu.tokenizers import tokenizer_spm as ours
from assay.errors import MissingExtraError
from tests.tokenizer_model import LINES, train


def test_the_same_models():
    assert ours.SPM_MODELS == theirs.SPM_MODELS


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("TokenizerSPM", "spm"),
        ("Flores101Tokenizer", "flores101"),
        ("Flores200Tokenizer", "flores200"),
        ("spBLEU1KTokenizer", "spBLEU-1K"),
    ],
)
@pytest.mark.filterwarnings("ignore:The 'warn' method is deprecated")  # in sacreBLEU
def test_the_same_tokens(name, key, tmp_path, monkeypatch):
    for module in (ours, theirs):
        monkeypatch.setattr(module, "SACREBLEU_DIR", str(tmp_path))
    with pytest.raises(MissingExtraError, match=f"no SentencePiece model for {key}") as raised:
        getattr(ours, name)()
    assert theirs.SPM_MODELS[key]["url"] in raised.value.hint
    (tmp_path / "models").mkdir()
    os.rename(train(tmp_path), tmp_path / "models" / os.path.basename(theirs.SPM_MODELS[key]["url"]))
    found, expected = getattr(ours, name)(), getattr(theirs, name)()
    assert [found(line) for line in LINES] == [expected(line) for line in LINES]
    assert found.signature() == expected.signature()
