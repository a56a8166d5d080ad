from __future__ import annotations

import importlib

import pytest

from assay import load, score
from assay.errors import MissingExtraError, SegmentError
from assay.text import mecab

JAPANESE = ["今日は天気がいいから、公園へ行きましょう。", "私は3.5kgの本を買った。", ""]
KOREAN = ["오늘은 날씨가 좋으니 공원에 갑시다.", "나는 책을 샀다.", ""]


@pytest.mark.parametrize(("lp", "tok", "lines"), [("en-ja", "ja-mecab", JAPANESE), ("en-ko", "ko-mecab", KOREAN)])
def test_equal_to_sacrebleu(lp, tok, lines):
    pytest.importorskip("MeCab" if lp == "en-ja" else "mecab_ko")
    from sacrebleu.metrics import BLEU

    outputs = [line[1:] for line in lines]
    run = score(load(outputs={"x": outputs}, references=lines, lp=lp), "bleu", agg="corpus", resamples=0)
    oracle = BLEU(tokenize=tok)
    assert run["bleu"].statistics.table[0].tolist() == oracle._extract_corpus_statistics(outputs, [lines])
    assert dict(run["bleu"].signature.parameters)["tok"] == tok
    assert dict(run["bleu"].signature.resources)["mecab"].startswith("sha256-")
    expected = oracle.corpus_score(outputs, [lines])
    assert run["bleu"].corpus["x"] == pytest.approx(expected.score, abs=1e-9)
    assert run["bleu"].sacrebleu_signature == str(oracle.get_signature())


def test_what_is_missing_is_named(monkeypatch):
    mecab._tagger.cache_clear()
    real = importlib.import_module

    def refuse(name, *arguments):
        if name == "MeCab":
            raise ModuleNotFoundError("no", name="MeCab")
        return real(name, *arguments)

    monkeypatch.setattr(importlib, "import_module", refuse)
    with pytest.raises(MissingExtraError) as caught:
        mecab.JapaneseMecab().cut("x")
    assert str(caught.value) == 'the tokeniser ja-mecab needs MeCab\npip install ".[ja]" in the folder of Assay'
    mecab._tagger.cache_clear()


def test_another_dictionary_is_refused(monkeypatch):
    pytest.importorskip("ipadic")
    monkeypatch.setattr(mecab.JapaneseMecab, "dictionary_size", 1)
    with pytest.raises(MissingExtraError, match="this one has 392,126 entries"):
        mecab.JapaneseMecab().cut("x")


def test_a_line_that_is_too_long_is_refused():
    """MeCab returns nothing for a million characters, and may crash."""
    pytest.importorskip("MeCab")
    testset = load(outputs={"x": ["a", "犬" * 1_000_000]}, references=["a", "犬"])
    expected = "line 2 is too long for the tokeniser ja-mecab: 1,000,000 characters, at most 100,000 are allowed"
    with pytest.raises(SegmentError, match=expected):
        score(testset, "bleu:tok=ja-mecab", resamples=0)
