"""`assay.fetch_data`: download public test sets and campaigns into the data folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Unpack

from assay.data.archives.catalogue import SOURCES
from assay.data.archives.downloads import fetch
from assay.data.archives.folder import data_folder
from assay.data.archives.imports import import_archive
from assay.data.test_sets.catalogue import public_test_set, public_test_sets
from assay.data.test_sets.reading import fetch_files
from assay.errors import ConfigError, UnknownNameError, nearest
from assay.options.option import Option
from assay.options.shared import RUNTIME, LanguagePairs
from assay.options.verb import verb
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["fetch_data"]


@verb
def fetch_data(
    names: Annotated[str | Iterable[str], Option("Names in `assay.list_downloads`.")],
    *,
    lps: LanguagePairs = (),
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> tuple[Path, ...]:
    """Download public test sets and campaigns, and return their folders.

    Of test sets, only the files of the language pairs are downloaded, if some are given. Campaigns are unpacked.
    """
    runtime = runtime or Runtime()
    found = (path for name in names for path in _fetched(name, tuple(lps), runtime))
    return tuple(dict.fromkeys(found))


def _fetched(name: str, lps: tuple[str, ...], runtime: Runtime) -> Iterator[Path]:
    if name in SOURCES:
        yield import_archive(fetch(name, runtime=runtime), runtime=runtime)
        return
    try:
        testset = public_test_set(name)
    except UnknownNameError as error:
        error.hint = nearest(name, (*SOURCES, *(each.name for each in public_test_sets())))
        raise
    if not lps and testset.languages:
        message = f"{testset.name} has a file for each language: which language pair?"
        raise ConfigError(message, hint="name one or more, such as en-de")
    for lp in lps or testset.pairs or ("en-de",):  # if only the file says which pairs there are, all are in one
        pair = testset.pair(lp)
        fetch_files(testset, pair, runtime)
        yield from (data_folder() / place.file.folder for place in pair.places)
