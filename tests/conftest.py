"""Fixtures shared by all tests."""

from __future__ import annotations

import functools
import gc
import os
from pathlib import Path

import hypothesis
import pytest

from assay import AssayWarning
from tests import archives, meteor_folder
from tests import browser as browsers
from tests.browser import browser, open_page  # noqa: F401 - fixtures

SLOW_FOLDERS = {"badinputs", "contract", "oracle", "sections"}

hypothesis.settings.register_profile("untimed", deadline=None)  # a busy machine is no reason to fail
hypothesis.settings.load_profile("untimed")


def pytest_configure():
    """With ASSAY_COMPLETE, as in .ci/run, no test may be skipped for want of data, of METEOR or of a browser."""
    gc.disable()  # until all tests are collected
    if os.environ.get("ASSAY_COMPLETE"):
        if archives.folder() is None:
            pytest.exit("ASSAY_DATA does not name the folder of the WMT archives", returncode=1)
        if not browsers.is_installed():
            pytest.exit("chromium or playwright is not installed", returncode=1)
        if not meteor_folder.FETCHED.exists():
            pytest.exit("METEOR's files are not there: python -m scripts.resources meteor-1.5", returncode=1)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """`make test-fast` leaves out whole folders, and tests on random inputs; other slow tests are marked by hand."""
    here = Path(__file__).parent
    for item in items:
        folders = item.path.relative_to(here).parts
        if SLOW_FOLDERS.intersection(folders) or getattr(item.obj, "is_hypothesis_test", False):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish():
    """The tests themselves are never garbage: without them, collecting it takes a fraction of the time."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """`@pytest.mark.warns(pattern)`: the test must cause an `AssayWarning` that matches, and no others."""
    marker = pyfuncitem.get_closest_marker("warns")
    if marker is None:
        return (yield)
    with pytest.warns(AssayWarning, match=marker.args[0]):
        return (yield)


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory):
    """Neither the user's resources nor their cache play a part in the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_RESOURCES", str(tmp_path_factory.mktemp("resources")))
        patch.setenv("HF_HUB_CACHE", str(tmp_path_factory.mktemp("hub")))
        patch.setenv("ASSAY_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def wmt_texts():
    """A function from a campaign, a language pair and names of references to texts; skips without the archives."""
    if archives.folder() is None:
        pytest.skip("ASSAY_DATA does not name the folder of the WMT archives")
    return functools.cache(archives.texts)
