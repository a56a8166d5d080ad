from __future__ import annotations

import pytest

from assay.types.language_codes import LANGUAGES, two_letter_code


@pytest.mark.parametrize(
    ("code", "expected"), [("deu", "de"), ("ger", "de"), ("de", "de"), ("cz", "cs"), ("nob", "nb"), ("liv", "liv")]
)
def test_two_letter_codes(code, expected):
    assert two_letter_code(code) == expected


def test_the_mistaken_code_is_no_other_language():
    assert "cz" not in LANGUAGES
