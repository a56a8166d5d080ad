from __future__ import annotations

import pytest

from assay.options.option import choice_of, split_list, split_specs


@pytest.mark.parametrize(
    ("text", "values"),
    [("a", ("a",)), ("a,b", ("a", "b")), (" a , b ,", ("a", "b")), ("", ("",)), (",", ("",))],
)
def test_comma_lists(text, values):
    assert split_list(text) == values


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("bleu,chrf", ("bleu", "chrf")),
        ("bleu:tok=intl,smooth=floor", ("bleu:tok=intl,smooth=floor",)),
        ("bleu:tok=intl,smooth=floor,chrf,ter", ("bleu:tok=intl,smooth=floor", "chrf", "ter")),
        ("bleu,chrf:word_order=2,beta=3,bleu:tok=zh", ("bleu", "chrf:word_order=2,beta=3", "bleu:tok=zh")),
        ("bleu:tok", ("bleu:tok",)),
        ("tok=intl", ("tok=intl",)),
        ("", ("",)),
    ],
)
def test_lists_of_specs(text, specs):
    assert split_specs(text) == specs


def test_choices_in_a_sentence():
    assert choice_of(["a"]) == "a"
    assert choice_of(["a", "b"]) == "a or b"
    assert choice_of(name for name in "abc") == "a, b or c"
