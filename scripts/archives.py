"""The WMT archives that ASSAY_DATA names, unpacked once into an ignored folder."""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
from pathlib import Path

CACHE = Path(__file__).parents[1] / ".cache" / "data"


def folder() -> Path | None:
    """Where the archives are, if ASSAY_DATA says so."""
    named = os.environ.get("ASSAY_DATA")
    return Path(named) if named else None


def is_there(name: str) -> bool:
    """Whether the archive of a campaign is in that folder."""
    archives = folder()
    return archives is not None and (archives / f"{name}.tar.xz").is_file()


def unpacked(name: str) -> Path:
    """The folder of a campaign. Several processes may try at the same time, and one of them wins."""
    target = CACHE / name
    archives = folder()
    if archives is None:
        raise RuntimeError("ASSAY_DATA does not name the folder of the WMT archives")
    if not target.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(dir=CACHE))
        with tarfile.open(archives / f"{name}.tar.xz") as tar:
            tar.extractall(scratch, filter="data")
        try:
            (scratch / name).rename(target)
        except OSError:
            if not target.exists():
                raise
        shutil.rmtree(scratch, ignore_errors=True)
    return target


def lines(path: Path) -> list[str]:
    """One segment a line, byte order marks and all, as the published scores were computed."""
    return path.read_bytes().decode("utf-8").split("\n")[:-1]


def texts(campaign: str, lp: str, references: tuple[str, ...]) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """References by name, and outputs by system in alphabetical order."""
    root = unpacked(campaign)
    outputs = sorted((root / "system-outputs" / lp).iterdir())
    return (
        {name: lines(root / "references" / f"{lp}.{name}.txt") for name in references},
        {path.stem: lines(path) for path in outputs},
    )
