"""Windows of texts that belong together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text.windows import cut_into_windows


def cut(output, *others, count):
    windows = cut_into_windows(output, others, count)
    return windows and [
        tuple(text[slice(*place)] for text, place in zip((output, *others), window, strict=True)) for window in windows
    ]


def test_cuts_are_at_the_end_of_sentences_and_as_far_in_all_texts():
    output = "One two three. Four five six! Seven eight? Nine ten eleven."
    source = "Eins zwei drei vier. Fünf sechs sieben! Acht neun? Zehn elf zwölf."
    assert cut(output, source, count=2) == [
        ("One two three. Four five six!", "Eins zwei drei vier. Fünf sechs sieben!"),
        ("Seven eight? Nine ten eleven.", "Acht neun? Zehn elf zwölf."),
    ]


def test_without_a_sentence_nearby_cuts_are_at_spaces():
    assert cut("a b c d e f g h", "aa bb cc dd", count=2) == [("a b c d", "aa bb"), ("e f g h", "cc dd")]


def test_without_a_space_cuts_are_anywhere_but_before_a_mark():
    assert cut("abcdef", "ghij", count=2) == [("abc", "gh"), ("def", "ij")]
    assert cut("nonée\u0301\u0301non", count=2)[0] == ("nonée\u0301\u0301",)


def test_chinese_has_no_spaces_between_sentences():
    assert cut("今天天气很好。我们走吧！", "The weather is fine today. Let us go!", count=2) == [
        ("今天天气很好。", "The weather is fine today."),
        ("我们走吧！", "Let us go!"),
    ]


def test_lines_stay_together_where_all_texts_have_as_many():
    """The first line is short in the output and long in the source."""
    output, source = "Aaa aaa.\nBbb bbb.", "Ein sehr langer erster Absatz, der nicht endet.\nKurz."
    assert cut(output, source, count=2) == [
        ("Aaa aaa.", "Ein sehr langer erster Absatz, der nicht endet."),
        ("Bbb bbb.", "Kurz."),
    ]
    cut_elsewhere = cut(output, source.replace("\n", " "), count=2)
    assert [part for _, part in cut_elsewhere] == ["Ein sehr langer erster", "Absatz, der nicht endet. Kurz."]


@pytest.mark.parametrize("output", ["", "  ", "a"])
def test_a_window_must_have_some_output(output):
    assert cut_into_windows(output, ["many words of a source"], 2) is None


def test_other_texts_may_be_empty():
    assert cut("a b", "", count=2) == [("a", ""), ("b", "")]


_TEXTS = st.text(alphabet="ab .\n。é\u0301", max_size=60)


@given(_TEXTS, _TEXTS, st.integers(2, 6))
def test_windows_have_all_characters_in_order(output, source, count):
    windows = cut_into_windows(output, [source], count)
    if windows is not None:
        assert len(windows) == count
        for text, places in zip((output, source), zip(*windows, strict=True), strict=True):
            joined = "".join("".join(text[slice(*place)].split()) for place in places)
            assert joined == "".join(text.split())
