"""`assay.align`: cut outputs without line breaks, or with other ones, to the segments of a reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Unpack

from assay.data.text_files import shown_path
from assay.errors import ConfigError, EmptyInputError, InputError, nearest, option_name
from assay.files import check_replaceable, write_in_folder
from assay.options.option import DATA, Option
from assay.options.shared import RUNTIME, Force
from assay.options.verb import verb
from assay.results import AlignedOutput, AlignedSegment, Alignment
from assay.study.load import ColumnLike, load
from assay.text import is_unspaced
from assay.text.cuts import CHARACTERS, WORDS, Reference, cut_text
from assay.types import Column, Note, NoteKind
from assay.types.note import plural
from assay.types.runtime import Runtime, RuntimeFields
from assay.version import __version__

__all__ = ["align"]

_TOO_SHORT = 0.1  # words for each word of the reference
_ODD_LENGTHS = 0.5, 2.0
_MOST_EDITS = 0.9
_HINT = "is it a translation of the same text, and is it complete?"


@verb
def align(
    *,
    outputs: Annotated[
        Mapping[str, ColumnLike] | ColumnLike,
        Option(
            'Outputs by name: {"base": column}. A single one needs no name.', is_checked=False, is_command_option=False
        ),
    ],
    reference: Annotated[
        ColumnLike,
        Option("The reference, one segment per line.", group=DATA, is_checked=False, is_command_option=False),
    ],
    tokens: Annotated[
        str,
        Option(
            "What is counted.",
            group="Alignment",
            choices=(WORDS, CHARACTERS),
            default="words; characters of texts that are mostly Han, kana or Thai",
        ),
    ] = "",
    verbatim: Annotated[
        bool,
        Option(
            "Compare words as they are: by default, case does not count, and punctuation marks are words.",
            group="Alignment",
        ),
    ] = False,
    output: Annotated[
        str | Path | Mapping[str, str | Path] | None,
        Option("Folder for the texts, or a file for each output by name.", is_command_option=False),
    ] = None,
    force: Force = False,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> Alignment:
    """Cut outputs without line breaks to the segments of a reference.

    Line breaks that an output has do not matter: it gets one line for each segment of the reference. Its words stay
    as they are and in their order; the cuts are those for which the fewest words must be inserted, deleted or
    replaced. Segments whose start or end could as well be elsewhere are reported as doubtful.
    """
    runtime = runtime or Runtime()
    columns, notes = _columns(outputs)
    targets = _targets(output, columns)
    for target in targets.values():
        check_replaceable(target, force=force)
    segments, reference_notes = _columns(reference)
    (reference_column,) = segments.values()
    unit = tokens or (CHARACTERS if is_unspaced([reference_column]) else WORDS)
    prepared = Reference(reference_column, unit, verbatim=verbatim)
    if not len(prepared.words):
        raise EmptyInputError("the reference has no words", path=_path(reference))
    aligned = []
    for name, column in runtime.track(columns.items(), lambda item: f"aligning {item[0]}"):
        found = _aligned(name, column, prepared)
        aligned.append(found)
        notes += _doubts(found, column, len(prepared.words))
    for found in aligned:  # all or none
        if found.system in targets:
            content = "".join(f"{line}\n" for line in found.lines)
            write_in_folder(targets[found.system], content.encode())
    settings = {"tokens": unit, "verbatim": "yes" if verbatim else "no", "version": __version__}
    return Alignment(settings=settings, outputs=tuple(aligned), notes=(*reference_notes, *notes))


def _columns(given: Mapping[str, ColumnLike] | ColumnLike) -> tuple[dict[str, Column], list[Note]]:
    """The columns by name, which may differ in length, and notes on how they were read."""
    if not isinstance(given, Mapping):
        testset = load(outputs=given)
        return dict(testset.outputs), list(testset.notes)
    testsets = [load(outputs={name: column}) for name, column in given.items()]
    if not testsets:
        raise EmptyInputError("no output was given", hint='give at least one: outputs={"base": "base.txt"}')
    columns = {name: column for testset in testsets for name, column in testset.outputs.items()}
    return columns, [note for testset in testsets for note in testset.notes]


def _path(column: ColumnLike) -> str | None:
    return shown_path(column) if isinstance(column, str | Path) else None


def _targets(output: str | Path | Mapping[str, str | Path] | None, columns: Mapping[str, Column]) -> dict[str, Path]:
    """The file for each output that is written."""
    if output is None:
        return {}
    if not isinstance(output, Mapping):
        return {name: Path(output) / f"{name}.txt" for name in columns}
    for name in output:
        if name not in columns:
            message = f"{option_name('output')}: no output is called '{name}'"
            raise ConfigError(message, hint=nearest(name, columns))
    return {name: Path(file) for name, file in output.items()}


def _aligned(name: str, column: Column, reference: Reference) -> AlignedOutput:
    text = "\n".join(line for line in column if line)
    words, theirs = len(reference.numbers(text)), len(reference.words)
    if not words:
        raise EmptyInputError(f"output '{name}' has no words", hint="was the program that wrote it interrupted?")
    if words < _TOO_SHORT * theirs:
        sizes = f"{plural(words, 'word')}, but the reference has {theirs:,}"
        raise InputError(f"output '{name}' is too short to be aligned: it has {sizes}", hint=_HINT)
    lines = cut_text(text, reference)
    lengths = (reference.starts[1:] - reference.starts[:-1]).tolist()
    segments = (
        AlignedSegment(name, number, length, line.words, line.edits, line.is_doubtful)
        for number, (line, length) in enumerate(zip(lines, lengths, strict=True), 1)
    )
    return AlignedOutput(name, tuple(line.text for line in lines), tuple(segments))


def _doubts(found: AlignedOutput, column: Column, theirs: int) -> Iterator[Note]:
    """What may be wrong with an output."""
    low, high = _ODD_LENGTHS
    if not low <= found.words / theirs <= high:
        text = f"has {plural(found.words, 'word')}, and the reference {theirs:,}"
        yield Note(NoteKind.SUSPECT, text, found.system, severity="warning", hint=_HINT)
    if found.edits > _MOST_EDITS * theirs:
        text = "has hardly any words of the reference in their order: the cuts mean little"
        yield Note(NoteKind.SUSPECT, text, found.system, severity="warning", hint=_HINT)
    if len(column) == len(found.lines) > 1:
        text = "has as many lines as the reference: it may not need to be aligned"
        yield Note(NoteKind.SUSPECT, text, found.system)
