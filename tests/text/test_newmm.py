from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

import pytest

from assay.errors import MissingExtraError
from assay.text import make_tokenizer, newmm

needs_pythainlp = pytest.mark.skipif(importlib.util.find_spec("pythainlp") is None, reason="it is not installed")
LINE = "ฉันรักภาษาไทย เพราะฉันเป็นคนไทย 3.5 kg"


@pytest.mark.slow
@needs_pythainlp
def test_words(monkeypatch):
    tokenizer = make_tokenizer("newmm")
    assert tokenizer.cut(LINE).split() == ["ฉัน", "รัก", "ภาษาไทย", "เพราะ", "ฉัน", "เป็น", "คนไทย", "3.5", "kg"]
    assert tokenizer.cut("") == ""
    assert tokenizer.resources["newmm"].startswith("sha256-")
    assert tokenizer.sacrebleu_name is None
    monkeypatch.setenv("PYTHAINLP_READ_ONLY", "1")
    from pythainlp.tokenize import word_tokenize

    assert tokenizer.cut(LINE).split() == word_tokenize(LINE, keep_whitespace=False)


@pytest.mark.slow
@needs_pythainlp
def test_nothing_is_written_to_the_home_folder(tmp_path):
    code = "import os; from assay.text.newmm import Newmm; Newmm().cut('ไทย'); print(os.listdir(os.environ['HOME']))"
    environment = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "[]\n"


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pythainlp", None)
    newmm._newmm.cache_clear()
    with pytest.raises(MissingExtraError) as caught:
        newmm.Newmm().cut("x")
    assert str(caught.value) == 'the tokeniser newmm needs pythainlp\npip install ".[th]" in the folder of Assay'
    newmm._newmm.cache_clear()
