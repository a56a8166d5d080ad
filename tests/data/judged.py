"""Files of judgements: written, read, and damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.data.formats import data_format
from assay.errors import InputError


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
