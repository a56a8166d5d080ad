"""Made-up segments: several languages, empty lines, duplicates, special tokens in a text, texts that are too long."""

from __future__ import annotations

from typing import TypedDict

__all__ = ["SEGMENTS", "Segment"]


class Segment(TypedDict):
    """One segment, with the keys of unbabel-comet."""

    src: str
    mt: str
    ref: str


_TRIPLES = (
    ("Der Hund bellt.", "The dog barks.", "The dog is barking."),
    ("Das Haus ist klein, aber es gehört uns.", "The house is small but it is ours.", "The house is small, but ours."),
    ("今天天气很好。", "The weather is nice today.", "It's a lovely day."),
    ("Привет, мир! Как дела?", "Hello world! How are you?", "Hello, world! How are things?"),
    ("Příliš žluťoučký kůň úpěl ďábelské ódy.", "A horse too yellow moaned odes.", "The horse moaned devilish odes."),
    ("", "Something out of nothing.", "Nothing comes of nothing."),
    ("Rien.", "", "Nothing."),
    ("Rien.", "Nothing.", ""),
    ("", "", ""),
    (" ", "  leading and trailing spaces  ", "leading and trailing spaces"),
    ("Der Hund bellt.", "The dog barks.", "The dog is barking."),
    ("Der Hund bellt.", "A dog.", "The dog is barking."),
    ("Ein Text mit </s> und <pad> darin.", "A text with </s> and <pad> in it.", "A text with marks [SEP] in it. <s>"),
    ("Zahlen: 3,14 und 1.000.000 😀", "Numbers: 3.14 and 1,000,000 😀", "Figures: 3.14 and 1,000,000 😀"),
    ("ein langer Satz " * 300, "a long sentence " * 320, "a very long sentence " * 250),
    ("kurz", "a long output of a short source " * 200, "short"),
    ("wort " * 24, "word " * 25, "word " * 26),
    ("Guten\u0085 Morgen\u2028!", "Good\u0085 morning\u00a0!", "Good\u0085morning\u3000!"),
)
SEGMENTS: tuple[Segment, ...] = tuple(Segment(src=src, mt=mt, ref=ref) for src, mt, ref in _TRIPLES)
