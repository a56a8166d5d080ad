"""`assay.fetch_data`: download public test sets into the data folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Unpack

from assay.data.archives.downloads import fetch
from assay.data.archives.imports import import_archive
from assay.options.option import Option
from assay.options.shared import RUNTIME
from assay.options.verb import verb
from assay.types.runtime import Runtime, RuntimeFields

__all__ = ["fetch_data"]


@verb
def fetch_data(
    names: Annotated[str | Iterable[str], Option("Names of test sets in `assay.list_downloads`.")],
    *,
    runtime: Annotated[Runtime | None, RUNTIME] = None,
    **_: Unpack[RuntimeFields],
) -> tuple[Path, ...]:
    """Download public test sets, unpack them into the data folder and return their folders.

    Nothing else in Assay uses the network.
    """
    runtime = runtime or Runtime()
    return tuple(import_archive(fetch(name, runtime=runtime), runtime=runtime) for name in names)
