"""Annotation layers from files: CoNLL-U, or one line for each segment.

`elm.de.conllu` holds the word layers of the texts in `elm.de`. These and other layers can also be in files of their
own, with one line for each segment: `elm.de.alignment` or `elm.de.pos`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from assay.data.conllu import read_conllu
from assay.data.text_files import read_column, shown_path
from assay.errors import AlignmentError, InputError, NameClashError
from assay.files import exists
from assay.types import WORD_LAYERS, Column, Note, TestSet

__all__ = ["PLAIN_LAYERS", "check_folder", "columns_to_annotate", "with_annotations"]

PLAIN_LAYERS = (*WORD_LAYERS, "alignment", "sempos")
"""Layers that are looked for in files of their own."""


def with_annotations(testset: TestSet, files: Mapping[str, str | Path]) -> TestSet:
    """The test set with the layers in the files beside these: for `elm.de`, `elm.de.conllu` and `elm.de.LAYER`.

    `files` has the names of columns: of systems and references, and "source".
    """
    annotations = {layer: dict(columns) for layer, columns in testset.annotations.items()}
    programs: dict[str, set[str]] = {layer: {program} for layer, program in testset.annotators.items()}
    notes: list[Note] = []
    for name, texts in columns_to_annotate(testset).items():
        if name not in files:
            continue
        if exists(conllu := f"{files[name]}.conllu"):
            read = read_conllu(conllu, texts)
            notes += read.notes
            for layer, column in read.layers.items():
                annotations.setdefault(layer, {})[name] = column
                programs.setdefault(layer, set()).add(read.annotator)
        for layer in PLAIN_LAYERS:
            if exists(plain := f"{files[name]}.{layer}"):
                annotations.setdefault(layer, {})[name] = _read_plain(plain, texts, notes)
    annotators = {layer: "+".join(sorted(names)) for layer, names in programs.items()}
    return replace(testset, annotations=annotations, annotators=annotators, notes=(*testset.notes, *notes))


def columns_to_annotate(testset: TestSet) -> dict[str, Column]:
    """The columns by the names that they have in annotation layers."""
    sources = {} if testset.sources is None else {"source": testset.sources}
    columns = sources | dict(testset.references)
    for name, column in testset.outputs.items():
        if name in columns and column != columns[name]:
            message = f"a system and a reference are called '{name}', but their texts differ"
            raise NameClashError(message, hint="annotations are stored by name: give one of them another name")
        columns[name] = column
    return columns


def _read_plain(path: str, texts: Column, notes: list[Note]) -> Column:
    column, reading_notes = read_column(path)
    notes += reading_notes
    if len(column) != len(texts):
        message = f"has {len(column):,} lines, but there are {len(texts):,} segments"
        raise AlignmentError(message, path=shown_path(path), hint="one line for each segment is needed")
    return column


def check_folder(folder: str | Path) -> Path:
    """A folder of annotations, if it is one."""
    if not Path(folder).is_dir():
        raise InputError("no such folder", path=shown_path(folder), hint="assay annotate -o FOLDER makes one")
    return Path(folder)
