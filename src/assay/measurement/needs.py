"""What a metric needs of a test set, and what is missing where it has no score."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from assay.contracts import Metric
from assay.data.annotation_files import file_of_layer
from assay.data.language_check import detected_language
from assay.data.text_files import shown_path
from assay.errors import ConfigError, InputError, option_name
from assay.files import exists
from assay.lazily import numpy as np
from assay.metrics.external import ExternalScores
from assay.types import WORD_LAYERS, Column, Mask, TestSet, present
from assay.types.annotation import UNNAMED
from assay.types.marked_errors import ERRORS
from assay.types.note import listed

__all__ = ["TEXTS", "absent_files", "check_needs", "lacking"]

TEXTS = frozenset({"reference", "source"})
"""What a metric may need besides annotation layers."""


def check_needs(testset: TestSet, spec: str, needs: frozenset[str]) -> None:
    """Raise if the test set has no column or layer of a kind that a metric needs."""
    if "reference" in needs and not testset.references:
        hint = f"e.g. {option_name('references', 'ref.de')}, or the texts of a test set that has references"
        raise ConfigError(f"{spec} needs a reference", hint=hint)
    if "source" in needs and testset.sources is None:
        hint = f"e.g. {option_name('sources', 'src.en')}, or the texts of a test set that has sources"
        raise ConfigError(f"{spec} needs the sources", hint=hint)
    for layer in sorted(needs - TEXTS):
        if not testset.annotations.get(layer):
            message = f"{spec} needs the annotation layer '{layer}', which the test set does not have"
            raise InputError(message, hint=_layer_hint(testset, layer))


def _layer_hint(testset: TestSet, layer: str) -> str:
    """Which layers there are, and how to add another one."""
    names = [each.removeprefix(f"{ERRORS}-") for each in testset.annotations if each.startswith(f"{ERRORS}-")]
    if layer == ERRORS and names:
        return f"several programs marked errors: {listed(names)}; choose one: spans:by={names[0]}"
    if layer not in WORD_LAYERS:
        files = f"FILE.{layer} beside each text, or in the folder given by {option_name('annotations', 'FOLDER')}"
        marked = "; or give the file of a metric that marked errors beside the data" if layer.startswith(ERRORS) else ""
        return f"layers of the test set: {', '.join(testset.annotations) or 'none'}; put it into {files}{marked}"
    from assay.annotators import parser_for  # rarely needed

    layers = [name for name in WORD_LAYERS if testset.annotations.get(name)]
    programs = dict.fromkeys(testset.annotators.get(name, UNNAMED) for name in layers)
    known = " and ".join(program for program in programs if program != UNNAMED)
    who = f"{known} found" if known else "the test set has"
    found = f"{who} {', '.join(layers)}, but no {layer}; " if layers else ""
    language = testset.target or detected_language(next(iter(testset.outputs.values()))) or ""
    annotator = parser_for(language) if layers or layer == "dependencies" else ""
    texts = [file for name, file in testset.annotation_files.items() if name != "source"]
    if texts and all(map(exists, texts)):
        command = shlex.join(["assay", "annotate", *texts, "--language", language or "CODE"])
        return f"{found}to add it: {command}{f' --annotator {annotator}' if annotator else ''}"
    options = [
        option_name("language", language or "CODE"),
        *([option_name("annotator", annotator)] if annotator else []),
    ]
    return f"{found}assay annotate adds it, with {' and '.join(options)}"


def lacking(metric: Metric, testset: TestSet, unscored: Mask) -> Iterator[str]:
    """What is missing where there is no score: outputs, defined values, or other texts or scores."""
    absent = np.array([~present(column) for column in testset.outputs.values()])
    undefined = unscored & metric.scorable(testset)
    if (unscored & absent).any():
        yield "an output"
    if undefined.any():
        yield "a defined value" + (f" ({metric.undefined})" if metric.undefined != Metric.undefined else "")
    others = (unscored & ~absent & ~undefined).any(axis=0)
    if others.any() and isinstance(metric, ExternalScores):
        yield "a score"
    elif others.any():
        sources = [] if testset.sources is None else [testset.sources]
        texts = {"reference": list(testset.references.values()), "source": sources}
        kinds = [kind for kind in texts if kind in metric.needs and _are_absent(texts[kind], others)]
        layers = " or ".join(f"'{layer}'" for layer in sorted(metric.needs - texts.keys()))
        sides = " of the output or of a reference" if "reference" in metric.needs else ""
        missing = f"the annotation layer {layers}{sides}" if layers else "another input"
        yield from [f"a {kind}" for kind in kinds] or [missing]


def _are_absent(columns: Iterable[Column], segments: Mask) -> bool:
    """Whether some of these segments have no text in any column."""
    return bool((segments & np.all([~present(column) for column in columns], axis=0)).any())


def absent_files(metric: Metric, testset: TestSet, systems: Iterable[str]) -> list[str]:
    """The annotation files of these systems and of the references that were looked for and do not exist."""
    columns = [
        (layer, name)
        for layer in sorted(metric.needs - TEXTS)
        for name in (*(() if layer.startswith(ERRORS) else testset.references), *systems)
    ]
    files = (file_of_layer(testset, name, layer) for layer, name in columns)
    return list(dict.fromkeys(shown_path(file) for file in files if file is not None and not exists(file)))
