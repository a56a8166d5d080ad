"""Fixtures shared by all tests."""

from __future__ import annotations

import functools

import hypothesis
import pytest

from tests import archives

hypothesis.settings.register_profile("untimed", deadline=None)  # a busy machine is no reason to fail
hypothesis.settings.load_profile("untimed")


@pytest.fixture(scope="session")
def wmt_texts():
    """A function from a campaign, a language pair and names of references to texts; skips without the archives."""
    if archives.folder() is None:
        pytest.skip("ASSAY_DATA does not name the folder of the WMT archives")
    return functools.cache(archives.texts)
