"""Whether scores belong to a test set: a file of scores may hold the texts that they were computed from.

Texts are compared without surrounding white space, which comet-score removes, and after Unicode composition. Where the
file has no text, nothing is compared.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from assay.data.text_files import shown_path
from assay.errors import InputError, shortened
from assay.types import Column, Note, NoteKind, TestSet, as_column
from assay.types.metric_names import UNKNOWN
from assay.types.note import plural

__all__ = ["compare_scored_texts"]

_OTHER_SHARE = 0.5  # of different segments: above it, a reference is another one, below it another version


def compare_scored_texts(scored: TestSet, testset: TestSet, path: str) -> tuple[dict[str, str], list[Note]]:
    """Raise if the outputs or sources that were scored are not those of the test set.

    Return the names that the scored references have in the test set (`unknown` if it has none of them), and a warning
    on each that differs, which is allowed but worth knowing.
    """
    aligned = _alignment(scored.items, testset.items)
    for system, column in scored.outputs.items():
        if system in testset.outputs:
            message = f"these scores belong to another output of '{system}'"
            _check_equal(aligned(column), testset.outputs[system], message, path)
    if scored.sources is not None and testset.sources is not None:
        _check_equal(aligned(scored.sources), testset.sources, "these scores were computed from other sources", path)
    names: dict[str, str] = {}
    notes: list[Note] = []
    for name, column in scored.references.items() if testset.references else ():
        texts = aligned(column)
        different = {other: _different_lines(texts, column) for other, column in testset.references.items()}
        closest = min(different, key=lambda other: (len(different[other]), other != name))
        lines = different[closest]
        is_other = len(lines) > _OTHER_SHARE * len(texts)
        names[name] = UNKNOWN if is_other else closest
        if lines:
            which = f"another reference than {closest}" if is_other else f"another version of the reference {closest}"
            text = (
                f"these scores were computed with {which}: {len(lines):,} of {plural(len(texts), 'segment')} differ, "
                f"the first is {lines[0]:,}"
            )
            notes.append(Note(NoteKind.SUSPECT, text, shown_path(path), len(lines), "warning"))
    return names, notes


def _alignment(scored: tuple[str, ...], items: tuple[str, ...]) -> Callable[[Column], Column]:
    """A function that puts scored texts in the order of the test set's segments, if both name their segments."""
    if not scored or not items or scored == items:
        return lambda column: column
    place = {name: i for i, name in enumerate(scored)}
    return lambda column: as_column(column[place[name]] if name in place else None for name in items)


def _check_equal(scored: Column, texts: Column, message: str, path: str) -> None:
    if lines := _different_lines(scored, texts):
        there, here = (shortened((column[lines[0] - 1] or "").strip()) for column in (scored, texts))
        hint = f"'{there}' was scored, not '{here}': are these the texts that the scores were computed from?"
        raise InputError(f"{message}: segment {lines[0]:,} differs", path=path, hint=hint)


def _different_lines(scored: Column, texts: Column) -> list[int]:
    """Segments (from 1) with different texts."""
    if scored == texts:
        return []
    pairs = enumerate(zip(scored, texts, strict=False), 1)  # different lengths are an error later
    return [line for line, (a, b) in pairs if a is not None and _bare(a) != _bare(b or "")]


def _bare(text: str) -> str:
    """A text without what does not count: white space around it, and its Unicode normal form."""
    text = text.strip()
    return text if text.isascii() else unicodedata.normalize("NFC", text)
