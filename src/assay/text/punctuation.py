"""Whether texts are tokenised: metrics that split at white space take `word.` and `word` for different words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.types import Column, Note, NoteKind, TestSet
from assay.types.note import listed

__all__ = ["is_tokenized", "punctuation_advice"]

_SAMPLE = 100  # texts of a column
_SEPARATED = re.compile(r"(?:^|\s)[.,;:!?](?=\s|$)")
_ATTACHED = re.compile(r"\w[.,;:!?](?=\s|$)")
_WHITE_SPACE = ("none", "space")


def punctuation_advice(testset: TestSet, name: str, tok: str, better: str) -> Iterator[Note]:
    """Advice to use `better` if the tokeniser splits at white space alone and punctuation is attached to words.

    A warning if that is so in some of the texts only: their scores differ by how they are written.
    """
    if tok not in _WHITE_SPACE:
        return
    columns = {**testset.references, **testset.outputs}
    are_tokenized = {column: is_tokenized(texts) for column, texts in columns.items()}
    attached = [column for column, tokenized in are_tokenized.items() if tokenized is False]
    separated = [column for column, tokenized in are_tokenized.items() if tokenized]
    if attached and separated:
        text = (
            f"punctuation is attached to words in {listed(attached)}, but not in {listed(separated)}: words are split "
            "at white space, so the scores depend on that"
        )
        yield Note(NoteKind.SUSPECT, text, where=name, severity="warning", hint=f"use {better}")
    elif attached:
        text = "words are split at white space, so that 'word.' differs from 'word'"
        yield Note(NoteKind.ADVICE, text, where=name, hint=f"use {better}")


def is_tokenized(texts: Column) -> bool | None:
    """Whether punctuation stands between spaces in most texts of a sample; None if there is none."""
    sample = [text for text in texts[:_SAMPLE] if text]
    separated, attached = (sum(len(pattern.findall(text)) for text in sample) for pattern in (_SEPARATED, _ATTACHED))
    return None if separated == attached == 0 else separated > attached
