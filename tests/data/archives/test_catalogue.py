from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from assay.data.archives.catalogue import SOURCES, source
from assay.data.archives.imports import SUFFIXES, stem_of
from assay.errors import UnknownNameError


@pytest.mark.parametrize("name", SOURCES)
def test_every_entry_is_complete(name):
    entry = source(name)
    assert entry.name == name == stem_of(entry.file_name)
    assert entry.description
    assert entry.licence
    assert entry.suffix in SUFFIXES
    assert entry.sha256 is None  # none was seen first-hand
    for url in entry.urls:
        parts = urlsplit(url)
        assert parts.scheme == "https"
        assert parts.path.endswith(entry.suffix)


def test_a_misspelt_name():
    with pytest.raises(UnknownNameError, match="did you mean 'mt-metrics-eval-v2'"):
        source("mt-metrics-eval")
