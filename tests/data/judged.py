"""Files of judgements: written, read, and damaged."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import pytest

from assay.data.formats import data_format
from assay.errors import ConfigError, InputError


def read(folder, spec, text, name):
    """The campaigns of a file that is written first."""
    path = Path(folder) / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return data_format.create(spec).read(path)


def refused(folder, spec, text, name, line=None):
    """The message with which a file is refused; it names the file, and the line."""
    with pytest.raises(InputError) as caught:
        read(folder, spec, text, name)
    assert caught.value.path == str(Path(folder) / name)
    assert caught.value.line == line
    return str(caught.value)


def is_read_or_refused(spec, raw, name):
    """Whatever the bytes, there are campaigns or an error of ours."""
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(InputError, ConfigError):
        assert read(folder, spec, raw, name)
