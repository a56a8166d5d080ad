"""The five tokenisers by example; tests/oracle compares them with sacreBLEU's at large."""

from __future__ import annotations

import re
import unicodedata

import pytest

from assay import _core
from assay.errors import ConfigError, SegmentError
from assay.text import CORE_TOKENIZERS, make_tokenizer, tokenizer
from assay.types import as_column
from scripts import unicode_tables


@pytest.mark.parametrize(
    ("name", "line", "tokens"),
    [
        ("13a", "Hello, world.", "Hello , world ."),
        ("13a", "3.5 and 4,000 but x..5", "3.5 and 4,000 but x . .5"),
        ("13a", "3...5", "3 . . .5"),
        ("13a", "5--6 well-known 7-8", "5 - -6 well-known 7 - 8"),
        ("13a", "&amp;lt;b&gt; &quot;x&quot;", '< b > " x "'),
        ("13a", "a<skipped>b", "ab"),
        ("13a", "don't „so“", "don't „so“"),
        ("13a", "end 3.", "end 3 ."),
        ("intl", "end 3.", "end 3."),
        ("intl", "„So“ – 5€", "„ So “ – 5 €"),
        ("intl", ".5 ٣.٣", ".5 ٣.٣"),
        ("zh", "今天3.5度，好。", "今 天 3.5 度 ， 好 。"),
        ("zh", "-Behält “x”", "-Behält “ x ”"),
        ("char", "a b　中😀", "a b 中 😀"),
        ("none", "a.b\u00a0c", "a.b c"),
    ],
)
def test_examples(name, line, tokens):
    assert _core.tokenize(line, name) == tokens.split()


@pytest.mark.parametrize("name", CORE_TOKENIZERS)
@pytest.mark.parametrize(
    "line", ["", " ", "\u3000\t ", "x" * 64, "x" * 63 + " y", "." * 130, "1" * 64 + "." + "2" * 64]
)
def test_blocks_of_64_leave_no_trace(name, line):
    joined = "".join(_core.tokenize(line, name))
    assert joined == "".join(line.split())


def test_registry_and_core_agree():
    for name in CORE_TOKENIZERS:
        cls, _ = tokenizer.type_of(name)
        assert (cls.core, cls.is_core, cls().cut("a b"), cls().sacrebleu_name) == (name, True, "a b", name)
    with pytest.raises(ValueError, match="no tokeniser of the core"):
        _core.tokenize("x", "13b")


@pytest.mark.slow
def test_unicode_tables_are_those_of_regex():
    """A code point may differ from what the installed `regex` says only if our Unicode version did not have it."""
    ours = {c: name for first, last, name in _ranges_in_the_header() for c in range(first, last + 1)}
    theirs = {
        c: name
        for first, last, name in unicode_tables.ranges(unicode_tables.CATEGORIES)
        for c in range(first, last + 1)
    }
    differing = [c for c in ours.keys() | theirs.keys() if ours.get(c) != theirs.get(c)]
    assert len(ours) > 9000
    assert [hex(c) for c in differing if unicodedata.category(chr(c)) != "Cn"] == []


def _ranges_in_the_header():
    rows = re.findall(r"\{0x(\w+), 0x(\w+), Category::(\w+)\}", unicode_tables.HEADER.read_text(encoding="utf-8"))
    return [(int(first, 16), int(last, 16), name) for first, last, name in rows]


@pytest.mark.parametrize("name", ["meteor", "moses"])
def test_rules_for_each_language_need_one(name):
    with pytest.raises(ConfigError) as caught:
        make_tokenizer(name)
    assert caught.value.hint == f"name the language: {name}-LANG, e.g. {name}-de"


def test_languages_without_rules():
    """The hint says which languages have rules; a misspelt ending is still recognised."""
    with pytest.raises(ConfigError, match="unknown tokeniser 'meteor-zh'") as caught:
        make_tokenizer("meteor-zh")
    assert caught.value.hint == "meteor-LANG has rules for cs, de, en, es, fr, ru"
    with pytest.raises(ConfigError) as caught:
        make_tokenizer("moses-de-agressive")
    assert caught.value.hint == "did you mean 'moses-de-aggressive'?"


@pytest.mark.parametrize("name", ["ja-mecab", "ko-mecab", "jieba", "newmm"])
def test_a_line_that_is_too_long_for_a_segmenter_is_refused_before_it_is_split(name, monkeypatch):
    made = make_tokenizer(name)
    monkeypatch.setattr(type(made), "cut", lambda self, line: line)
    fits, too_long = "a" * made.max_characters, "a" * (made.max_characters + 1)
    assert made.read_column(as_column([None, fits]), lowercase=False) == (None, fits)
    with pytest.raises(SegmentError, match=f"line 3 is too long for the tokeniser {name}: .*1 characters, at most"):
        made.read_column(as_column([None, fits, too_long]), lowercase=False)
