"""Where data lives that was imported or fetched."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["data_folder"]


def data_folder() -> Path:
    """`$ASSAY_HOME`, else the user's data folder by the XDG rules. It need not be there yet."""
    if own := os.environ.get("ASSAY_HOME"):
        return Path(own).expanduser()
    shared = os.environ.get("XDG_DATA_HOME", "")
    return (Path(shared) if Path(shared).is_absolute() else Path.home() / ".local" / "share") / "assay"
