"""`assay.list_downloads`: public test sets that `assay.fetch_data` can download."""

from __future__ import annotations

from assay.data.archives.catalogue import SOURCES
from assay.options.verb import verb
from assay.results import Download, DownloadList

__all__ = ["list_downloads"]


@verb
def list_downloads() -> DownloadList:
    """List the public test sets that can be downloaded by name, with their licences."""
    return DownloadList(
        tuple(Download(name, source.description, source.licence, source.urls) for name, source in SOURCES.items())
    )
