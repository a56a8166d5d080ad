from __future__ import annotations

import re

import pytest

from assay.types.language_codes import LANGUAGE_PAIR, LANGUAGES, script_tag, two_letter_code


@pytest.mark.parametrize(
    ("code", "expected"), [("deu", "de"), ("ger", "de"), ("de", "de"), ("cz", "cs"), ("nob", "nb"), ("liv", "liv")]
)
def test_two_letter_codes(code, expected):
    assert two_letter_code(code) == expected


@pytest.mark.parametrize(
    ("code", "script"),
    [("sr_Cyrl_RS", "Cyrl"), ("zh_hant", "Hant"), ("zh_TW", None), ("es_419", None), ("sr", None), ("de_1901", None)],
)
def test_the_script_in_a_code(code, script):
    assert script_tag(code) == script


@pytest.mark.parametrize("lp", ["en-de", "en-zh_CN", "en-sr_Cyrl_RS", "cs-es_419", "eng-zho_Hant_TW"])
def test_language_pairs_with_scripts_and_regions(lp):
    assert re.fullmatch(LANGUAGE_PAIR, lp)
    assert re.match(rf"({LANGUAGE_PAIR})(\.|$)", f"{lp}.refA.txt")[1] == lp


def test_the_mistaken_code_is_no_other_language():
    assert "cz" not in LANGUAGES
