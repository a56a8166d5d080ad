"""The papers, run once each: on the WMT archives, and on made-up test sets."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
import warnings
from pathlib import Path

import pytest

from assay import AssayWarning, reproduce
from assay.reproduction import PAPERS
from tests import archives
from tests.reproduction.made_up import write_test_sets

__all__ = ["made_up_folder", "needs_archives", "numbers", "on_made_up_data", "rerun"]

OTHERS = {"tangled": ("wmt20", "wmt21.news", "wmt22"), "aggregation": ("wmt22",), "wmt13": ("wmt12",)}
"""Test sets that stand in for what the papers have and the archives do not, or which metrics are learnt from."""

needs_archives = pytest.mark.skipif(
    archives.folder() is None, reason="ASSAY_DATA does not name the folder of the WMT archives"
)


@functools.cache
def rerun(paper, **options):
    """The result of a paper on the archives that it needs."""
    folder = _new_folder()
    for name in (*PAPERS[paper].test_sets, *OTHERS.get(paper, ())):
        if archives.is_there(name):
            (folder / name).symlink_to(archives.unpacked(name))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*count once for each", AssayWarning)  # as in the papers
        return reproduce(paper, data=folder, **options)


@functools.cache
def made_up_folder():
    """A folder with made-up test sets for all papers."""
    return write_test_sets(_new_folder(), "wmt13", "wmt17", "wmt19", "wmt20", "wmt21.news", "wmt22")


@functools.cache
def on_made_up_data(paper, **options):
    """The result of a paper on made-up test sets."""
    return reproduce(paper, data=made_up_folder(), **options)


def numbers(result):
    """By quantity: each number."""
    return {each.quantity: each for each in result}


def _new_folder():
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    return folder
