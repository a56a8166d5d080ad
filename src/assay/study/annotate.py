"""`assay.annotate`: words, lemmas, tags and dependencies of the outputs and references of a test set."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from assay.annotators import Annotator, find_annotator
from assay.arguments import checked_arguments
from assay.data.annotation_files import columns_to_annotate
from assay.data.conllu import conllu_text, is_our_conllu, parse_conllu
from assay.data.text_files import digest_of_bytes
from assay.errors import ConfigError, InputError, option
from assay.files import check_replaceable, write_atomic
from assay.runtime import Runtime
from assay.types import AnnotatedSegment, Column, TestSet

__all__ = ["annotate"]

_FORM = "1"  # of cached files: increase it when the same annotation is written in another way
_STEP = 16  # texts between two reports of progress


@checked_arguments
def annotate(
    testset: TestSet,
    *,
    language: str | None = None,
    annotator: str | None = None,
    output: str | Path | Mapping[str, str | Path] | None = None,
    force: bool = False,
    runtime: Runtime | None = None,
) -> TestSet:
    """Annotate the outputs and references, and return the test set with the annotation layers.

    `language` (default: the target language of the test set) selects the annotator unless `annotator` is one, e.g.
    `spacy:model=en_core_web_lg`. `output` is a folder for the annotations in CoNLL-U, or a file for each column by
    name. A file that this function did not write is replaced only with `force`. With a `cache` in the runtime, texts
    that were annotated before are not annotated again.
    """
    columns = {name: column for name, column in columns_to_annotate(testset).items() if name != "source"}
    targets = {name: Path(output[name]) for name in columns if name in output} if isinstance(output, Mapping) else {}
    if isinstance(output, str | Path):
        targets = {name: Path(output) / f"{name}.conllu" for name in columns}
    for target in targets.values():
        check_replaceable(target, force=force, is_result=is_our_conllu)
    chosen = find_annotator(annotator, language or _target(testset))
    annotating = _Annotating(chosen, runtime or Runtime(), sum(map(len, columns.values())))
    annotations = {layer: dict(layers) for layer, layers in testset.annotations.items()}
    annotators = dict(testset.annotators)
    for name, column in columns.items():
        text = annotating.conllu(name, column)
        if name in targets:
            _write(targets[name], text)
        parsed = parse_conllu(text.split("\n"), column, f"annotation of '{name}'")
        for layer, values in parsed.layers.items():
            annotations.setdefault(layer, {})[name] = values
            annotators[layer] = parsed.annotator
    return replace(testset, annotations=annotations, annotators=annotators)


def _target(testset: TestSet) -> str:
    if testset.target is None:
        hint = f"{option('language', 'de')}, or the language pair of the test set: {option('lp', 'en-de')}"
        raise ConfigError("the language of the texts is not known", hint=hint)
    return testset.target


class _Annotating:
    """Annotates columns, each text once."""

    def __init__(self, annotator: Annotator, runtime: Runtime, total: int) -> None:
        self._annotator, self._runtime, self._total = annotator, runtime, total
        self._done = 0
        self._segments: dict[str, AnnotatedSegment] = {}

    def conllu(self, name: str, column: Column) -> str:
        """The annotation of a column, from the cache if it is there."""
        task = f"annotating {name}"
        self._runtime.report(task, self._done, self._total)
        file = self._file(column)
        if file is None or (text := _read(file)) is None:
            text = self._annotated(task, column)
            if file is not None:
                with suppress(InputError):  # a cache that cannot be written costs only time
                    _write(file, text)
        self._done += len(column)
        self._runtime.report(task, self._done, self._total)
        return text

    def _annotated(self, task: str, column: Column) -> str:
        new = list(dict.fromkeys(text for text in column if text and text not in self._segments))
        for i, (text, segment) in enumerate(zip(new, self._annotator.annotate(new), strict=True)):
            self._segments[text] = segment
            if i % _STEP == 0:
                self._runtime.report(task, self._done + i * len(column) // len(new), self._total)
        segments = (None if text is None else self._segments[text] if text else () for text in column)
        return conllu_text(segments, self._annotator.program, self._annotator.model_version)

    def _file(self, column: Column) -> Path | None:
        if self._runtime.cache is None:
            return None
        texts = "\n".join("-" if text is None else f"+{text}" for text in column)
        program = "\n".join((_FORM, self._annotator.program, self._annotator.model_version))
        digest = digest_of_bytes(f"{program}\n{texts}".encode())
        return self._runtime.cache / "annotations" / f"{digest}.conllu"


def _read(file: Path) -> str | None:
    try:
        return file.read_bytes().decode()
    except OSError:
        return None


def _write(file: Path, text: str) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot be made: {(error.strerror or str(error)).lower()}"
        raise InputError(message, path=str(file.parent)) from error
    write_atomic(file, text.encode())
