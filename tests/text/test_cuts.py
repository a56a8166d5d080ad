from __future__ import annotations

import random

import pytest

from assay.text.cuts import CHARACTERS, WORDS, Reference, cut_text


def cut(text: str, *segments: str | None, tokens: str = WORDS, verbatim: bool = False) -> list[str]:
    return [line.text for line in cut_text(text, Reference(segments, tokens, verbatim=verbatim))]


def test_words_of_the_reference_decide():
    assert cut("the cat sat a dog ran", "the cat sat", "a dog ran") == ["the cat sat", "a dog ran"]
    assert cut("a cat has sat a dog is running", "the cat sat", "a dog runs") == ["a cat has sat", "a dog is running"]


def test_the_lines_of_the_text_do_not_matter_but_its_words_stay_as_they_are():
    text = "The  cat\nsat.\n\nA «dog»\n ran!"
    assert cut(text, "the cat sat", "a dog ran") == ["The  cat sat.", "A «dog» ran!"]


def test_case_and_punctuation_count_only_if_words_are_compared_as_they_are():
    reference = Reference(["the cat", "a dog"], WORDS, verbatim=True)
    assert sum(line.edits for line in cut_text("The cat. A dog.", reference)) == 4
    reference = Reference(["the cat.", "a dog"], WORDS, verbatim=False)
    assert sum(line.edits for line in cut_text("The cat. A dog.", reference)) == 1  # the last full stop


def test_punctuation_decides_and_is_not_cut_off():
    assert cut("a b x, (y) z. w c d", "a b.", "c d") == ["a b x, (y) z.", "w c d"]
    assert cut("a b x (y z) c d", "a b x (", "y z) c d") == ["a b x", "(y z) c d"]
    (line, _) = cut_text("«a-b», c!?", Reference(["x", "y"], WORDS, verbatim=False))
    assert line.words + _.words == 4 + 3


def test_of_equally_good_places_the_one_after_a_sentence_is_chosen():
    assert cut("a b x y. z c d", "a b", "c d") == ["a b x y.", "z c d"]
    assert cut("a b x y z c d", "a b", "c d") == ["a b", "x y z c d"]
    assert cut("a b x\ny z c d", "a b", "c d") == ["a b x", "y z c d"]
    assert cut('a b x y. " z c d', "a b", "c d") == ['a b x y. "', "z c d"]


def test_lines_are_doubtful_where_another_cut_is_as_good():
    reference = Reference(["a b", "c d", "e f"], WORDS, verbatim=False)
    lines = cut_text("a b x c d e f", reference)
    assert [line.is_doubtful for line in lines] == [True, True, False]
    assert [line.words for line in lines] == [2, 3, 2]
    assert [line.edits for line in lines] == [0, 1, 0]


def test_segments_may_stay_empty():
    assert cut("a b e f", "a b", "c d", "e f") == ["a b", "", "e f"]
    assert cut("a b", "a b", None, "", "c") == ["a b", "", "", ""]
    assert cut("", "a b", "c") == ["", ""]


def test_characters():
    assert cut("我爱猫。你爱狗。", "我愛貓。", "你愛狗。", tokens=CHARACTERS) == ["我爱猫。", "你爱狗。"]
    assert cut("我用\nGPT 4\n写字。好", "我用GPT 4写字。", "好", tokens=CHARACTERS) == ["我用GPT 4写字。", "好"]
    assert cut("ก็ ดี", "ก็", "ดี", tokens=CHARACTERS) == ["ก็", "ดี"]  # a mark is never cut off


@pytest.mark.parametrize("tokens", [WORDS, CHARACTERS])
def test_every_word_is_in_exactly_one_line(tokens):
    draw = random.Random(4)
    pieces = ["a", "b.", "„C", "d!“", "42", "猫", "。", "e\u0301", " ", "\n", "\t", "\u2028", "...", "-"]
    for _ in range(300):
        text = "".join(draw.choice([piece, piece + " "]) for piece in draw.choices(pieces, k=draw.randint(0, 60)))
        segments = [" ".join(draw.choices(pieces, k=draw.randint(0, 9))) for _ in range(draw.randint(1, 9))]
        lines = cut_text(text, Reference(segments, tokens, verbatim=False))
        assert len(lines) == len(segments)
        assert "".join("".join(line.text.split()) for line in lines) == "".join(text.split())
        assert not any("\n" in line.text for line in lines)
        if tokens == WORDS:
            assert [word for line in lines for word in line.text.split()] == text.split()


def test_a_text_with_the_words_of_the_reference_gets_its_segments():
    draw = random.Random(5)
    segments = [" ".join(draw.choices("abcde", k=draw.randint(1, 9))) for _ in range(200)]
    lines = cut_text(" ".join(segments), Reference(segments, WORDS, verbatim=False))
    assert [line.text for line in lines] == segments
    assert not any(line.edits or line.is_doubtful for line in lines)
