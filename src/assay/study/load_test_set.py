"""`assay.load_test_set` and `assay.read_test_set`: public test sets by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Unpack

from assay.data.test_sets.reading import PublicTexts, read_public_texts
from assay.errors import AlignmentError
from assay.options.option import Option
from assay.options.shared import RUNTIME
from assay.options.verb import verb
from assay.study.load import ColumnLike, load
from assay.types import TestSet
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["load_test_set", "read_test_set"]

_Names = Annotated[
    str | Iterable[str],
    Option("Names of public test sets, such as wmt23 (`assay.list_downloads`). Several are joined in this order."),
]
_Pair = Annotated[str, Option("Language pair, such as en-de.")]
_References = Annotated[
    str | Iterable[str],
    Option("Names of references.", default="those that sacreBLEU uses; all of a test set that it does not have"),
]


@verb
def load_test_set(
    test_set: _Names,
    *,
    lp: _Pair,
    outputs: Annotated[
        Mapping[str, ColumnLike] | ColumnLike,
        Option("Outputs of systems, as in `assay.load`: translations of the sources.", is_checked=False),
    ],
    references: _References = (),
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> TestSet:
    """Create a test set from outputs and the sources and references of a public test set.

    Files that are not in the data folder yet are downloaded. If that fails, the error says which file belongs where.
    """
    return with_outputs(read_public_texts(tuple(test_set), lp, references=references, runtime=runtime), outputs)


def with_outputs(texts: PublicTexts, outputs: Mapping[str, ColumnLike] | ColumnLike) -> TestSet:
    """The test set of these texts and outputs."""
    try:
        testset = load(
            outputs=outputs,
            references=texts.references,
            sources=texts.sources,
            documents=texts.documents,
            domains=texts.domains,
            lp=texts.lp,
        )
    except AlignmentError as error:
        error.hint = f"translate each line of: assay score -t {texts.name} -l {texts.lp} --echo src"
        raise
    return replace(testset, name=texts.name, notes=(*texts.notes, *testset.notes))


@verb
def read_test_set(
    test_set: _Names,
    *,
    lp: _Pair,
    references: _References = (),
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> PublicTexts:
    """Read the sources, references, documents and domains of a public test set, for example to translate it."""
    return read_public_texts(tuple(test_set), lp, references=references, runtime=runtime)
