from __future__ import annotations

import importlib.util
import sys
import tempfile
from pathlib import Path

import pytest

from assay.errors import MissingExtraError
from assay.text import jieba, make_tokenizer

needs_jieba = pytest.mark.skipif(importlib.util.find_spec("jieba") is None, reason="jieba is not installed")


def forget():
    for cached in (jieba._jieba, jieba._segmenter, jieba._digest):
        cached.cache_clear()


@needs_jieba
def test_words(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    forget()
    tokenizer = make_tokenizer("jieba")
    assert tokenizer.cut("我来到北京清华大学，3.5 kg。").split() == [
        "我",
        "来到",
        "北京",
        "清华大学",
        "，",
        "3.5",
        "kg",
        "。",
    ]
    assert tokenizer.cut("") == ""
    assert tokenizer.resources["jieba"].startswith("sha256-")
    assert tokenizer.sacrebleu_name is None
    assert list(Path(tmp_path).iterdir()) == []  # no dictionary that another user could replace
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
@needs_jieba
def test_equal_to_jieba():
    original = jieba._jieba()
    original.setLogLevel("ERROR")
    for line in ("小明硕士毕业于中国科学院计算所，后在日本京都大学深造", "I don't know。 他来到了网易杭研大厦"):
        assert make_tokenizer("jieba").cut(line).split() == [w for w in original.cut(line) if not w.isspace()]


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "jieba", None)
    forget()
    with pytest.raises(MissingExtraError) as caught:
        jieba.Jieba().cut("x")
    assert str(caught.value) == 'the tokeniser jieba needs jieba\npip install ".[zh]" in the folder of Assay'
    forget()
