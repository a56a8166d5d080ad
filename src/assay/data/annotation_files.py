"""Annotation layers from files: CoNLL-U, files of semantic roles, or one line for each segment.

`elm.de.conllu` holds the word layers of the texts in `elm.de`, `elm.de.conll09` their semantic roles and words. These
and other layers can also be in files of their own, with one line for each segment: `elm.de.alignment` or
`elm.de.pos`. All may be compressed: `elm.de.conllu.gz`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from assay.data.plain_layers import PLAIN_LAYERS, check_spans, check_word_counts, read_layer
from assay.data.text_files import shown_path
from assay.errors import AnnotationError, InputError, NameClashError
from assay.files import exists
from assay.types import WORD_LAYERS, Column, Note, NoteKind, TestSet
from assay.types.annotation import UNNAMED
from assay.types.note import listed

if TYPE_CHECKING:
    from assay.data.conllu import AnnotatedColumn

__all__ = [
    "annotatable_columns",
    "annotation_paths",
    "check_folder",
    "file_of_layer",
    "has_annotations",
    "in_its_file",
    "missing_error",
    "with_annotations",
    "with_annotations_in",
]

_SOURCE = "source"
_CONLLU = "conllu"
_ROLE_FILES = ("conll09", "conll12", "props", "srl.jsonl")  # of `role_files`, which few need
_KINDS = (_CONLLU, *_ROLE_FILES, *PLAIN_LAYERS)


def with_annotations(testset: TestSet, files: Mapping[str, str | Path]) -> TestSet:
    """The test set with the layers in the files beside these: for `elm.de`, `elm.de.conllu` and `elm.de.LAYER`.

    `files` has the names of columns: of systems and references, and "source".
    """
    annotations = {layer: dict(columns) for layer, columns in testset.annotations.items()}
    programs: dict[str, set[str]] = {layer: {program} for layer, program in testset.annotators.items()}
    notes: list[Note] = []
    columns = annotatable_columns(testset) | ({} if testset.sources is None else {_SOURCE: testset.sources})
    columns_by_program: dict[str, list[str]] = {}
    for name, texts in columns.items():
        if name not in files:
            continue
        layers: dict[str, Column] = {}
        annotators: dict[str, str] = {}
        plain_files: dict[str, str] = {}
        for kind, path, annotated in _read_files(str(files[name]), texts):
            notes += annotated.notes
            layers |= annotated.layers
            annotators |= dict.fromkeys(annotated.layers, annotated.annotator)
            if kind != _CONLLU:
                plain_files |= {layer: shown_path(path) for layer in annotated.layers}
            elif name != _SOURCE and annotated.annotator != UNNAMED:
                columns_by_program.setdefault(annotated.annotator, []).append(name)
        check_word_counts(layers, plain_files)
        if "roles" in plain_files and "tokens" in layers:
            check_spans(layers, plain_files["roles"])
        for layer, column in layers.items():
            annotations.setdefault(layer, {})[name] = column
            programs.setdefault(layer, set()).add(annotators[layer])
    return replace(
        testset,
        annotations=annotations,
        annotators={layer: "+".join(sorted(names)) for layer, names in programs.items()},
        annotation_files={name: str(files[name]) for name in columns if name in files},
        notes=(*testset.notes, *notes, *_different_programs(columns_by_program)),
    )


def _different_programs(columns: Mapping[str, Sequence[str]]) -> Iterator[Note]:
    """A warning if there are several programs or models. Columns are listed by the one that annotated them."""
    if len(columns) > 1:
        programs = "; ".join(f"{listed(names)} by {program}" for program, names in columns.items())
        text = (
            f"the texts were annotated by different programs or models ({programs}): metrics that read the annotations "
            "compare the programs as well as the texts"
        )
        yield Note(NoteKind.SUSPECT, text, count=len(columns), severity="warning")


def with_annotations_in(testset: TestSet, folder: Path) -> TestSet:
    """The test set with the layers in the files of a folder: for the column `elm`, `elm.conllu` and `elm.LAYER`."""
    return with_annotations(testset, _files_in(testset, folder))


def has_annotations(testset: TestSet, folder: Path) -> bool:
    """Whether a folder has annotations of any column of a test set."""
    return any(True for path in _files_in(testset, folder).values() for _ in _existing_files(str(path)))


def missing_error(testset: TestSet, folder: Path, given: Path) -> InputError:
    """The error for a folder without annotations of a test set. `given` is the folder that the user named."""
    found = sorted(path.name for path in given.iterdir())
    example = shown_path(f"{folder / testset.systems[0]}.{_CONLLU}")
    contents = f"the folder has {listed(found)}" if found else "the folder is empty"
    hint = f"annotation files are named after systems and references, e.g. {example}; {contents}"
    return InputError("has no annotations of these texts", path=shown_path(given), hint=hint)


def _files_in(testset: TestSet, folder: Path) -> dict[str, Path]:
    return {name: folder / name for name in (_SOURCE, *testset.references, *testset.outputs)}


def annotatable_columns(testset: TestSet) -> dict[str, Column]:
    """The references and outputs, by the names that they have in annotation layers."""
    if _SOURCE in testset.references or _SOURCE in testset.outputs:
        kind = "reference" if _SOURCE in testset.references else "system"
        message = f"a {kind} is called '{_SOURCE}', which is the name of the sources in annotations"
        raise NameClashError(message, hint="give it another name")
    columns = dict(testset.references)
    for name, column in testset.outputs.items():
        if name in columns and column != columns[name]:
            message = f"a system and a reference are called '{name}', but their texts differ"
            raise NameClashError(message, hint="annotations are stored by name: give one of them another name")
        columns[name] = column
    return columns


def _read_files(texts_path: str, texts: Column) -> Iterator[tuple[str, str, AnnotatedColumn]]:
    """The kind and name of each file, and its annotation. Layers in files of their own replace those of CoNLL-U."""
    from assay.data.conllu import read_conllu  # few texts have annotations

    for kind, path in _existing_files(texts_path):
        if kind in _ROLE_FILES:
            from assay.data.role_files import read_roles

            yield kind, path, read_roles(path, kind, texts)
        else:
            yield kind, path, read_conllu(path, texts) if kind == _CONLLU else read_layer(path, kind, texts)


def _existing_files(texts_path: str) -> Iterator[tuple[str, str]]:
    """The kind (`conllu`, or a layer) and the name of each file with an annotation of these texts."""
    for kind in _KINDS:
        found = [path for path in _paths(texts_path, kind) if _is_annotation(path, texts_path)]
        if len(found) > 1:
            message = f"there is also {shown_path(found[1])}"
            raise InputError(message, path=shown_path(found[0]), hint="one of them is the annotation: delete the other")
        yield from ((kind, path) for path in found)


def _paths(texts_path: str, kind: str) -> tuple[str, str]:
    """Where annotations of a kind are looked for; a file may be compressed."""
    return f"{texts_path}.{kind}", f"{texts_path}.{kind}.gz"


def _is_annotation(path: str, texts_path: str) -> bool:
    """Whether a file exists; a folder or a link without a file is an error."""
    if not exists(path):
        if os.path.islink(path):  # Path.is_symlink raises for odd names
            message = f"is a link to {shown_path(Path(path).readlink())}, which does not exist"
            raise InputError(message, path=shown_path(path), hint="put the annotation there, or delete the link")
        return False
    if Path(path).is_dir():
        hint = f"Assay reads a file of this name as the annotation of {shown_path(texts_path)}; rename the folder"
        raise InputError("is a folder, not a file with annotations", path=shown_path(path), hint=hint)
    return True


def annotation_paths(texts_path: str | Path) -> list[str]:
    """The files that hold annotations of these texts, if they exist."""
    return [path for kind in _KINDS for path in _paths(str(texts_path), kind)]


def file_of_layer(testset: TestSet, column: str, layer: str) -> str | None:
    """The file that a layer of a column was read from, or else the usual one; None for what is not from files."""
    if column not in testset.annotation_files:
        return None
    texts_path = testset.annotation_files[column]
    usual = _CONLLU if layer in WORD_LAYERS else layer
    paths = (path for kind in (layer, usual, *_ROLE_FILES) for path in _paths(texts_path, kind))
    return next(filter(exists, paths), f"{texts_path}.{usual}")


def in_its_file(error: AnnotationError, testset: TestSet) -> InputError:
    """The error with the file and the line of the faulty value, if they are known.

    What can be checked while a file is read is not reported here; what is wrong for some metrics alone is.
    """
    path = file_of_layer(testset, error.column, error.layer)
    if path is None:
        return error
    from assay.data.conllu import line_of_tag

    is_conllu = path.removesuffix(".gz").endswith(f".{_CONLLU}")
    line = line_of_tag(path, error.value) if is_conllu else error.segment + 1
    return InputError(error.fault, path=shown_path(path), line=line, hint=error.hint)


def check_folder(folder: str | Path) -> Path:
    """A folder of annotations, if it is one."""
    if not Path(folder).is_dir():
        message = "is not a folder" if exists(folder) else "no such folder"
        hint = "give the folder that has the annotations; assay annotate -o FOLDER makes one"
        raise InputError(message, path=shown_path(folder), hint=hint)
    return Path(folder)
