"""`assay.fetch_data`: download public test sets into the data folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from assay.arguments import public_function
from assay.data.archives.downloads import fetch
from assay.data.archives.imports import import_archive
from assay.types.runtime import Runtime

__all__ = ["fetch_data"]


@public_function
def fetch_data(names: str | Iterable[str], *, runtime: Runtime | None = None) -> tuple[Path, ...]:
    """Download public test sets (`assay.list_downloads`), unpack them into the data folder and return their folders.

    Nothing else in Assay uses the network.
    """
    runtime = runtime or Runtime()
    requested = [names] if isinstance(names, str) else list(names)
    return tuple(import_archive(fetch(name, runtime=runtime), runtime=runtime) for name in requested)
