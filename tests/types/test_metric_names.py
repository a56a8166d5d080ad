from __future__ import annotations

import pytest

from assay.types.metric_names import format_references, metric_label, parse_references, spell_out, split_name


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("COMET-22-refA", ("COMET-22", ("refA",))),
        ("BLEU-refA.refB", ("BLEU", ("refA", "refB"))),
        ("QE-src", ("QE", ())),
        ("BLEU-all", ("BLEU", ("all",))),
        ("BLEU", None),
    ],
)
def test_names_are_split_and_joined(name, parts):
    assert split_name(name) == parts
    if parts is not None:
        assert metric_label(*parts) == name


def test_references():
    assert parse_references("src") == ()
    assert parse_references("ref.A") == ("ref", "A")
    assert format_references(()) == "src"
    assert format_references(("refA", "refB")) == "refA.refB"
    assert format_references(("refA", "refB"), ("refB", "refA")) == "all"
    assert format_references(("refA",), ("refA",)) == "refA"
    assert format_references(("all",), ("refA",)) == "all"


def test_all_stands_for_the_available_references():
    assert spell_out(("all",), ("refA", "refB")) == ("refA", "refB")
    assert spell_out(("refA",), ("refA", "refB")) == ("refA",)
    assert spell_out((), ("refA",)) == ()
