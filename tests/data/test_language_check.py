from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import _core
from assay.data.language_check import detected_language, mismatched_language, script_name
from assay.sample import generate

GERMAN, CHINESE = generate("de"), generate("zh")
RUSSIAN = ["Он сказал, что это не так, но в городе было уже темно, и мы пошли домой."] * 10
UKRAINIAN = ["Він сказав, що це не так, але у місті було вже темно, і ми пішли додому з ними."] * 10


@pytest.mark.parametrize(
    ("column", "language", "looks"),
    [
        (GERMAN.references["refA"], "de", None),
        (GERMAN.references["refA"], "en", "German"),
        (GERMAN.references["refA"], "cs", "German"),
        (GERMAN.references["refA"], "ru", "text in Latin script"),
        (GERMAN.sources, "de", "English"),
        (CHINESE.references["refA"], "zh", None),
        (CHINESE.references["refA"], "ja", "Chinese"),
        (CHINESE.sources, "zh", "text in Latin script"),
        (RUSSIAN, "ru", None),
        (RUSSIAN, "uk", "Russian"),
        (UKRAINIAN, "ru", "Ukrainian"),
        (RUSSIAN, "kk", "Russian"),
        (RUSSIAN, "sr", None),  # written in two scripts
        (GERMAN.references["refA"], "xh", None),  # no list of words
        (["12.5 %"] * 100, "ru", None),
        ([None, "ja"], "ru", None),
    ],
)
def test_languages_that_are_not_the_expected_one(column, language, looks):
    assert mismatched_language(column, language) == looks


@pytest.mark.parametrize(
    ("column", "code", "looks"),
    [
        (RUSSIAN, "sr_Cyrl_RS", None),
        (RUSSIAN, "sr_Latn_RS", "text in Cyrillic script"),
        (GERMAN.references["refA"], "sr_Cyrl_RS", "text in Latin script"),
        (GERMAN.references["refA"], "kk_Latn", "German"),
        (CHINESE.references["refA"], "zh_Hant_TW", None),
        (GERMAN.references["refA"], "zh_Hant_TW", "text in Latin script"),
        (CHINESE.references["refA"], "ja_Jpan", "Chinese"),
        (GERMAN.references["refA"], "sr_RS", None),
        (GERMAN.references["refA"], "sr_Glag", None),  # a script that is not known here
    ],
)
def test_the_script_that_a_code_names(column, code, looks):
    assert mismatched_language(column, code.partition("_")[0], script_name(code)) == looks


def test_detected_languages():
    assert detected_language(GERMAN.sources) == "en"
    assert detected_language(GERMAN.references["refA"]) == "de"
    assert detected_language(CHINESE.references["refA"]) == "zh"
    assert detected_language(["これはペンですか、それとも鉛筆ですか。"] * 20) == "ja"
    assert detected_language(["x"]) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("campaign", "lp", "reference"),
    [
        ("wmt12", "en-es", "ref"),
        ("wmt19", "de-cs", "ref"),
        ("wmt19", "en-kk", "ref"),
        ("wmt19", "en-lt", "ref"),
        ("wmt21.news", "en-ha", "refA"),
        ("wmt21.news", "en-is", "refA"),
        ("wmt22", "cs-uk", "refA"),
        ("wmt22", "en-hr", "refA"),
        ("wmt22", "en-ru", "refA"),
        ("wmt22", "zh-en", "refA"),
    ],
)
def test_real_outputs_are_in_their_language_and_not_in_the_other(wmt_texts, campaign, lp, reference):
    references, outputs = wmt_texts(campaign, lp, (reference,))
    source, target = lp.split("-")
    for name, column in {**references, **outputs}.items():
        assert mismatched_language(column, target) is None, name
        assert mismatched_language(column[:50], target) is None, name
        assert mismatched_language(column, source) is not None, name


def test_characters_set_apart_are_no_words():
    apart = [" ".join("the weather is good today and it will be so tomorrow")] * 50
    assert mismatched_language(apart, "en") is None
    assert detected_language(apart) is None


@given(st.text("ab Ä_1²४\u0301漢\n", max_size=40))
def test_words_are_runs_of_letters(text):
    words, lists = re.findall(r"[^\W\d_]+", text), [["a", "ab"], ["Ä", "ab"], ["abab"]]
    count, letters, common = _core.WordLists(lists).count(text)
    assert (count, letters) == (len(words), sum(len(word) == 1 for word in words))
    assert common == [[sum(word in one and word in other for word in words) for other in lists] for one in lists]


@given(st.text("ab Ä_1²४\u0301漢\n\U00020000я", max_size=40))
def test_letters_by_range(text):
    starts = [0x41, 0x62, 0x400, 0x4E00, 0x20000]
    letters = [ord(c) for c in text if c.isalpha()]
    expected = [
        sum(start <= letter < end for letter in letters)
        for start, end in zip(starts, [*starts[1:], 0x110000], strict=True)
    ]
    assert _core.letter_counts(text, starts) == expected
