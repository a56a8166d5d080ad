"""Lines, grids and LaTeX; tests of the command compare them with sacreBLEU's."""

from __future__ import annotations

import json

import pytest
from tabulate import tabulate

from assay.compat.sacrebleu.layout import one_system, several_systems


@pytest.mark.parametrize(
    ("results", "form", "expected"),
    [
        (["BLEU|x = 1"], "text", "BLEU|x = 1\n"),
        (["BLEU|x = 1 a=b", "chrF2|xyz = 2"], "text", "   BLEU|x = 1 a=b\nchrF2|xyz = 2\n"),
        (["1.0", "2.0"], "text", "1.0\n2.0\n"),
        (["1.0", "2.0 (μ = 3)"], "text", "1.0\n2.0 (μ = 3)\n"),
        (["{}"], "json", "{}\n"),
        (["{}", "[]"], "json", "[\n{},\n[]\n]\n"),
    ],
)
def test_one_system(results, form, expected):
    assert one_system(results, form) == expected


NAMES = [
    ["a", "b"],
    ["out/a_b&c%d$e#f{g}.txt", "x~^\\<>y"],
    ["a name that is longer than all others", "short", "другое имя"],
]
SCORES = [
    {"BLEU": "1.0"},
    {"BLEU": "100.0", "chrF2++": "3.25"},
    {"BLEU": "12", "chrF2": "0.123456789012"},
    {"BLEU (μ ± 95% CI)": "1.0 (1.1 ± 0.2)\n(p = 0.0010)*", "TER": "3.25\nx", "chrF2": "a longer first line\nb\nc"},
]


@pytest.mark.parametrize("names", NAMES, ids=len)
@pytest.mark.parametrize("scores", SCORES, ids=len)
@pytest.mark.parametrize(("form", "their_form"), [("text", "fancy_grid"), ("latex", "latex_booktabs")])
def test_tables_are_those_of_the_library_that_sacrebleu_draws_with(names, scores, form, their_form):
    separator = "\n" if form == "text" else " "
    columns = {name: [text.replace("\n", separator)] * len(names) for name, text in scores.items()}
    table, signatures = several_systems(names, columns, dict.fromkeys(scores, "x:y"), form).split("\n\n")
    expected = tabulate(
        {"System": names, **columns},
        headers="keys",
        tablefmt=their_form,
        colalign=("right",),
        stralign="center",
        disable_numparse=True,
    )
    assert table == expected
    assert signatures.endswith("".join(f" - {name:<10} x:y\n" for name in scores))


def test_a_name_that_looks_like_a_number_stays_as_it_is():
    """sacreBLEU writes the systems 1.25 and 1e3 as 1.2 and 1000.0."""
    text = several_systems(["1.25", "1e3"], {"BLEU": ["1.0", "2.0"]}, {"BLEU": "x:y"}, "text")
    assert " 1.25 │" in text
    assert " 1e3 │" in text


def test_json():
    text = several_systems(["ä", "b"], {"BLEU": ["1.0", "2.0"], "chrF2": ["3", "4"]}, {}, "json")
    assert json.loads(text) == [
        {"system": "ä", "BLEU": "1.0", "chrF2": "3"},
        {"system": "b", "BLEU": "2.0", "chrF2": "4"},
    ]
    assert text.isascii()
