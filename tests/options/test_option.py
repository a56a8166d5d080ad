from __future__ import annotations

import pytest

from assay.options.option import split_list, split_specs


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
