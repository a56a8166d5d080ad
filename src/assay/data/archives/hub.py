"""Repositories of models on the Hugging Face hub: what is in them, and downloads that are complete or absent.

Every file is checked against the digest that the hub gives.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from assay.data.archives.hub_address import hub_address
from assay.data.archives.limits import flaw_of_name
from assay.data.archives.transfer import Failure, Policy, discard, read_json, transfer
from assay.errors import ChecksumError, FetchError, printable
from assay.files.sizes import byte_text
from assay.types.runtime import Runtime

__all__ = ["Repository", "RepositoryFile", "download_file", "hub_page", "open_repository"]


@dataclass(frozen=True, slots=True)
class RepositoryFile:
    """A file in a repository: its path, size, and the digest that the hub gives."""

    path: str
    size: int
    sha256: str | None
    """Of a large file."""
    blob: str | None
    """Git's own digest, of a small file."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A version of a repository."""

    name: str
    commit: str
    licence: str
    """As its page states it; empty if it states none."""
    files: Mapping[str, RepositoryFile]


def hub_page(repository: str) -> str:
    """The address of a repository."""
    return f"{hub_address()}/{repository}"


def open_repository(name: str, *, policy: Policy | None = None) -> Repository:
    """The newest version of a repository."""
    url = f"{hub_address()}/api/models/{quote(name)}?blobs=true"
    if os.environ.get("ASSAY_OFFLINE", "0") not in ("", "0"):
        raise FetchError(f"{name} was not downloaded: ASSAY_OFFLINE is set")
    try:
        tree = read_json(url, policy or Policy())
        siblings = [_file(each) for each in tree["siblings"]]
        licence = (tree.get("cardData") or {}).get("license") or ""
        return Repository(name, str(tree["sha"]), str(licence), {file.path: file for file in siblings})
    except Failure as failure:
        raise FetchError(f"{url}: {failure}") from failure
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FetchError(f"{url}: not the answer of a hub: {printable(str(error))}") from error


def _file(tree: Mapping[str, object]) -> RepositoryFile:
    path, large, blob = str(tree["rfilename"]), tree.get("lfs"), tree.get("blobId")
    for part in PurePosixPath(path).parts:
        if (flaw := flaw_of_name(part)) is not None:
            raise ValueError(f"unsafe name '{printable(path)}': {flaw}")
    sha256 = str(large["sha256"]) if isinstance(large, dict) else None
    size = tree.get("size")
    return RepositoryFile(path, size if isinstance(size, int) else 0, sha256, None if blob is None else str(blob))


def download_file(
    repository: Repository,
    file: RepositoryFile,
    target: Path,
    *,
    policy: Policy | None = None,
    runtime: Runtime | None = None,
) -> str:
    """Download a file unless it is there, and return its SHA-256. An interrupted download is resumed next time."""
    if target.is_file() and _is_right(target, file):
        return _sha256(target)
    part = target.with_name(f"{target.name}.part")
    url = f"{hub_page(repository.name)}/resolve/{repository.commit}/{quote(file.path)}"
    target.parent.mkdir(parents=True, exist_ok=True)
    part.touch()
    try:
        transfer(
            url, part, policy=policy or Policy(max_bytes=1 << 40), task=f"downloading {file.path}", runtime=runtime
        )
    except Failure as failure:
        size = part.stat().st_size
        hint = f"run the command again to resume after {byte_text(size)}" if size else None
        raise FetchError(f"{url}: {failure}", hint=hint) from failure
    if not _is_right(part, file):
        discard(part)
        message = f"{url}: not the expected file: its digest is not the one that the hub gives"
        raise ChecksumError(message, hint="the download was discarded; run the command again")
    part.replace(target)
    discard(part)
    return _sha256(target)


def _is_right(path: Path, file: RepositoryFile) -> bool:
    if file.sha256 is not None:
        return _sha256(path) == file.sha256
    return file.blob is None or _git_blob(path) == file.blob


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _git_blob(path: Path) -> str:
    """The digest of a file in Git: SHA-1 of its size and content."""
    content = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
