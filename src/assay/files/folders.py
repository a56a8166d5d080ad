"""Folders of the user: an environment variable names them, or the XDG rules do."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["cache_folder", "user_folder"]


def cache_folder() -> Path:
    """`$ASSAY_CACHE`, or `assay` in the user's XDG cache folder. Everything in it can be computed again."""
    return user_folder("ASSAY_CACHE", "XDG_CACHE_HOME", ".cache", "assay")


def user_folder(variable: str, xdg_variable: str, xdg_default: str, name: str) -> Path:
    """The folder in `$variable`, else `name` in the user's XDG folder. It may not exist yet."""
    if own := os.environ.get(variable):
        return Path(own).expanduser()
    shared = os.environ.get(xdg_variable, "")  # the XDG rules say: ignore a relative path
    return (Path(shared) if Path(shared).is_absolute() else Path.home() / xdg_default) / name
