"""The papers, run once each on the WMT archives."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

import pytest

from assay import reproduce
from tests import archives

__all__ = ["needs_archives", "numbers", "rerun"]

TEST_SETS = {
    "tangled": ("wmt19", "wmt21.news", "wmt22"),
    "thresholds": ("wmt20", "wmt21.news", "wmt22"),
    "aggregation": ("wmt22",),  # of the three that it uses, to save time
    "wmt13": ("wmt13",),
    "ebleu": ("wmt22",),
}

needs_archives = pytest.mark.skipif(
    archives.folder() is None, reason="ASSAY_DATA does not name the folder of the WMT archives"
)


@functools.cache
def rerun(paper, **options):
    """The result of a paper on the archives that it needs."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    for name in TEST_SETS[paper]:
        (folder / name).symlink_to(archives.unpacked(name))
    return reproduce(paper, data=folder, **options)


def numbers(paper, **options):
    """By quantity: each number."""
    return {each.quantity: each for each in rerun(paper, **options)}
