"""`assay.list_downloads`: public test sets and campaigns that `assay.fetch_data` can download."""

from __future__ import annotations

from collections.abc import Iterator

from assay.data.archives.catalogue import SOURCES
from assay.data.test_sets.catalogue import public_test_sets
from assay.options.verb import verb
from assay.results import Download, DownloadList

__all__ = ["list_downloads"]


@verb
def list_downloads() -> DownloadList:
    """List the public test sets and campaigns that can be downloaded by name, with their licences.

    A test set has sources and references, for outputs of your own; a campaign has outputs and human scores.
    """
    return DownloadList((*_test_sets(), *_campaigns()))


def _test_sets() -> Iterator[Download]:
    for each in public_test_sets():
        urls = dict.fromkeys(url for lp in each.pairs for place in each.pair(lp).places for url in place.file.urls)
        yield Download(
            each.name, each.description, each.licence, tuple(urls), "--test-set", pairs=each.pairs, cite=each.cite
        )


def _campaigns() -> Iterator[Download]:
    for name, source in SOURCES.items():
        yield Download(name, source.description, source.licence, source.urls, "--data")
