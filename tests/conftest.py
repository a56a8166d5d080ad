"""Fixtures shared by all tests: the WMT archives, where they are, and seeded odd text."""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
from pathlib import Path

import pytest

CACHE = Path(__file__).parents[1] / ".cache" / "data"


def _unpack(archive: Path) -> Path:
    """Unpack once; several test processes may try at the same time, and one of them wins."""
    folder = CACHE / archive.name.removesuffix(".tar.xz")
    if not folder.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(dir=CACHE))
        with tarfile.open(archive) as tar:
            tar.extractall(scratch, filter="data")
        try:
            (scratch / folder.name).rename(folder)
        except OSError:
            if not folder.exists():
                raise
        shutil.rmtree(scratch, ignore_errors=True)
    return folder


@pytest.fixture(scope="session")
def wmt():
    """A function from a campaign's name to its unpacked folder."""
    data = os.environ.get("ASSAY_DATA")
    if not data:
        pytest.skip("ASSAY_DATA does not name the folder of the WMT archives")
    return lambda name: _unpack(Path(data) / f"{name}.tar.xz")
