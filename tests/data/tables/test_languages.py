from __future__ import annotations

import pytest

from assay.data.tables.languages import (
    language_code,
    language_pair,
    language_without_region,
    pair_of_codes,
)
from assay.errors import InputError
from assay.types.language_codes import is_language_pair


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("eng", "en"),
        ("ger", "de"),
        ("deu", "de"),
        ("cze", "cs"),
        (" Czech ", "cs"),
        ("DEU", "de"),
        ("de", "de"),
        ("liv", "liv"),  # has no two letters
        ("esn", "esn"),  # not of ISO 639
        ("zh_CN", "zh_CN"),
        ("pt-BR", "pt_BR"),
    ],
)
def test_codes(text, code):
    assert language_code(text, path="f", line=1) == code


@pytest.mark.parametrize("text", ["", "e", "english language", "Klingon", "en/de", "\x1b[31m"])
def test_no_languages(text):
    with pytest.raises(InputError, match="is not a language") as caught:
        language_code(text, path="f", line=2)
    assert caught.value.line == 2
    assert "\x1b" not in str(caught.value)


def test_pairs():
    assert language_pair("zho", "eng", path="f", line=1) == "zh-en"


def test_what_a_pair_looks_like():
    assert all(map(is_language_pair, ("en-de", "en-zh_CN", "eng-deu")))
    assert not any(map(is_language_pair, ("", "en", "english-german", "en-de\n", "../e-de", "en--de")))


def test_pairs_of_codes():
    assert pair_of_codes("en", "zh-CN") == "en-zh_CN"
    assert pair_of_codes("en", None) is None
    assert pair_of_codes("English", "de") is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *[(spelling, "en") for spelling in ("en", "EN", "eng", "english", "English ", "en-GB", "en_US", "eng_Latn")],
        *[
            ("deu", "de"),
            ("Dutch", "nl"),
            ("ast", "ast"),
            ("zh-Hant-TW", "zh"),
            ("../en", None),
            ("", None),
            ("e", None),
        ],
    ],
)
def test_languages_without_region(text, code):
    assert language_without_region(text) == code
