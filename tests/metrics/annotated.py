"""A test set with annotation layers, made by rules: there is no tagger behind it."""

from __future__ import annotations

from assay.types import TestSet

_CLASSES = ("NOUN", "VERB", "DET", "ADJ")


def annotated_testset() -> TestSet:
    """Systems and two references, with segments without words and segments without an annotation."""
    refs = ("the cat sat on the mat", "it rains", "", "one two three four five six", "x", "a b c")
    refb = ("a cat sat down", "it is raining", "never", "six five four three two one", "x y", None)
    good = ("the cat sat on a mat", "it rains", "", "one two four three five six", "y", "a b c")
    poor = ("mat the on", "rains", "word", "", "x x", None)
    texts = {"refA": refs, "refB": refb, "good": good, "poor": poor}
    values = {
        "tokens": lambda i, words: words[i],
        "lemma": lambda i, words: words[i].rstrip("s"),
        "pos": lambda i, words: _class(words[i]),
        "sempos": lambda i, words: _item(words[i]),
        "dependencies": lambda i, words: f"{_head(i, words)}:dep",
    }
    layers = {layer: {name: _each(column, value) for name, column in texts.items()} for layer, value in values.items()}
    return TestSet(
        outputs={"good": good, "poor": poor},
        references={"refA": refs, "refB": refb},
        sources=tuple("s" for _ in refs),
        lp="de-en",
        annotations=layers,
    )


def _each(column, value):
    return tuple(
        None if text is None else " ".join(value(i, text.split()) for i in range(len(text.split()))) for text in column
    )


def _class(word):
    return _CLASSES[sum(map(ord, word)) % len(_CLASSES)]


def _item(word):
    return f"{word.rstrip('s')}|{'-' if _class(word) == 'DET' else _class(word).lower()}"


def _head(i, words):
    """The second word is the root, words before it depend on it, and the others on one of the two words before."""
    if len(words) == 1 or i == 1:
        return 0
    return 2 if i == 0 else i - len(words[i]) % 2
