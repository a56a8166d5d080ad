"""`assay.annotate`: words, lemmas, tags and dependencies of the outputs and references of a test set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Unpack

from assay.annotators import Annotator, find_annotator
from assay.annotators import annotator as annotator_registry
from assay.data.annotation_files import annotatable_columns
from assay.data.conllu import AnnotatedColumn, conllu_text, is_unchanged, is_written_by_assay, parse_conllu
from assay.data.language_check import mismatched_language
from assay.data.tables.languages import language_without_region
from assay.data.text_files import digest_of_bytes
from assay.errors import ConfigError, InputError, nearest, option_name, printable, shortened
from assay.files import check_replaceable, exists, write_in_folder
from assay.options.option import DATA, Option
from assay.options.shared import RUNTIME, TESTSET, Force
from assay.options.verb import verb
from assay.types import WORD_LAYERS, AnnotatedSegment, Column, Note, NoteKind, TestSet
from assay.types.language_codes import language_label
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["annotate"]

_CACHE_FORMAT = "2"  # increase it when the same annotation is written in another way
_STEP = 16  # texts between two reports of progress


@verb
def annotate(
    testset: Annotated[TestSet, TESTSET],
    *,
    language: Annotated[
        str | None,
        Option("Language of the texts, such as de.", group=DATA, metavar="CODE", default="the target language"),
    ] = None,
    annotator: Annotated[
        str | None,
        Option(
            "Program that finds words, lemmas and tags, perhaps with options: spacy:model=NAME.",
            group="Annotation",
            metavar="SPEC",
            check=lambda _, spec: annotator_registry.check(spec),
            default="by language",
            names=annotator_registry.names,
            lists_names=True,
        ),
    ] = None,
    output: Annotated[
        str | Path | Mapping[str, str | Path] | None,
        Option("Folder for the annotations in CoNLL-U, or a file for each column by name.", is_command_option=False),
    ] = None,
    force: Force = False,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> TestSet:
    """Annotate texts with words, lemmas, tags and dependencies.

    A file that Assay did not write as an annotation, or that was changed since, is replaced only with `force`.

    Notes
    -----
    Layers of words that the test set had are replaced, because another program may split texts into other words.
    With a `cache`, texts that were annotated before are not annotated again.
    """
    columns = annotatable_columns(testset)
    targets = _targets(output, columns)
    code = _language(language, testset)
    chosen = find_annotator(annotator, code)
    for target in targets.values():
        if exists(compressed := f"{target}.gz"):
            raise InputError("is an annotation already", path=compressed, hint="delete it first: both would be read")
        check_replaceable(
            target,
            force=force,
            is_result=is_unchanged,
            is_changed_result=is_written_by_assay,
            elsewhere=f"choose another folder, {option_name('output', 'FOLDER')}",
        )
    column_annotator = _ColumnAnnotator(chosen, runtime or Runtime(), sum(map(len, columns.values())))
    annotations = {
        layer: {name: values for name, values in layers.items() if layer not in WORD_LAYERS or name not in columns}
        for layer, layers in testset.annotations.items()
    }
    programs = {layer: {testset.annotators[layer]} for layer in testset.annotators if annotations.get(layer)}
    notes = [*testset.notes, *_other_languages(columns, code)]
    for name, column in columns.items():
        text, annotated = column_annotator.annotate(name, column)
        if name in targets:
            write_in_folder(targets[name], text.encode())
        notes += annotated.notes
        for layer, values in annotated.layers.items():
            annotations.setdefault(layer, {})[name] = values
            programs.setdefault(layer, set()).add(annotated.annotator)
    annotations = {layer: layers for layer, layers in annotations.items() if layers}
    annotators = {layer: "+".join(sorted(names)) for layer, names in programs.items()}
    return replace(testset, annotations=annotations, annotators=annotators, notes=tuple(notes))


def _targets(output: str | Path | Mapping[str, str | Path] | None, columns: Mapping[str, Column]) -> dict[str, Path]:
    """The file for the annotation of each column that is written."""
    if output is None:
        return {}
    if not isinstance(output, Mapping):
        return {name: Path(output) / f"{name}.conllu" for name in columns}
    for name in output:
        if name not in columns:
            message = f"{option_name('output')}: no system or reference is called '{name}'"
            raise ConfigError(message, hint=nearest(name, columns))
    return {name: Path(file) for name, file in output.items()}


def _language(given: str | None, testset: TestSet) -> str:
    """The code of the language of the texts."""
    language = given or testset.target
    if language is None:
        raise ConfigError("the language of the texts is not known", hint=f"give it: {option_name('language', 'en')}")
    code = language_without_region(language)
    if code is None:
        hint = "write its code or English name, such as de or German"
        raise ConfigError(f"'{printable(shortened(language))}' is not a language", hint=hint)
    return code


def _other_languages(columns: Mapping[str, Column], language: str) -> Iterator[Note]:
    """Warnings on texts that are clearly in another language, which the annotator does not know."""
    for name, column in columns.items():
        if (looks := mismatched_language(column, language)) is not None:
            text = f"looks like {looks}, but was annotated as {language_label(language)}"
            yield Note(NoteKind.SUSPECT, text, where=name, severity="warning")


class _ColumnAnnotator:
    """Annotates columns, each text once."""

    def __init__(self, annotator: Annotator, runtime: Runtime, total: int) -> None:
        self._annotator, self._runtime, self._total = annotator, runtime, total
        self._done = 0
        self._segments: dict[str, AnnotatedSegment] = {}

    def annotate(self, name: str, column: Column) -> tuple[str, AnnotatedColumn]:
        """The annotation of a column as CoNLL-U and as layers, from the cache if it is there.

        Layers are always read from CoNLL-U, so that they are the same with and without a cache.
        """
        task = f"annotating {name}"
        self._runtime.report(task, self._done, self._total)
        file = self._file(column)
        label = f"annotation of '{name}'"
        annotated = None if file is None else _read(file, column, label)
        if annotated is None:
            text = self._conllu(task, column)
            annotated = text, parse_conllu(text.split("\n"), column, label)
            if file is not None:
                self._keep(file, text)
        self._done += len(column)
        self._runtime.report(task, self._done, self._total)
        return annotated

    def _keep(self, file: Path, text: str) -> None:
        """Write to the cache. If it cannot be written, annotations are not kept."""
        try:
            write_in_folder(file, text.encode())
        except InputError as error:
            self._runtime.warn(f"annotations are not kept: {error}")

    def _conllu(self, task: str, column: Column) -> str:
        new = list(dict.fromkeys(text for text in column if text and text.strip() and text not in self._segments))
        for i, (text, segment) in enumerate(zip(new, self._annotator.annotate(new), strict=True)):
            self._segments[text] = segment
            if i % _STEP == 0:
                self._runtime.report(task, self._done + i * len(column) // len(new), self._total)
        segments = (None if text is None else self._segments.get(text, ()) for text in column)
        return conllu_text(segments, self._annotator.program, self._annotator.model_version)

    def _file(self, column: Column) -> Path | None:
        if self._runtime.cache is None:
            return None
        lines = ["-" if text is None else f"+{text}" for text in column]
        while lines and lines[-1] == "-":  # it makes no difference
            lines.pop()
        texts = "\n".join(lines)
        chosen = self._annotator
        program = "\n".join((_CACHE_FORMAT, annotator_registry.spec(chosen), chosen.program, chosen.model_version))
        digest = digest_of_bytes(f"{program}\n{texts}".encode())
        return Path(self._runtime.cache) / "annotations" / f"{digest}.conllu"


def _read(file: Path, column: Column, label: str) -> tuple[str, AnnotatedColumn] | None:
    """The annotation in a file of the cache; None if the file is missing or damaged."""
    try:
        content = file.read_bytes()
    except OSError:
        return None
    if not is_unchanged(content):
        return None
    text = content.decode()
    return text, parse_conllu(text.split("\n"), column, label)
