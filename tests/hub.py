"""The Hugging Face hub on this machine, as far as downloads of models need it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tests.file_server import FileServer, file_server

COMMIT = "0123456789abcdef0123456789abcdef01234567"
LARGE = 1000  # bytes from which on a file is in Git LFS


def listed(name: str, content: bytes) -> dict[str, object]:
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()  # noqa: S324 - Git's
    entry: dict[str, object] = {"rfilename": name, "size": len(content), "blobId": blob}
    if len(content) >= LARGE:
        entry["lfs"] = {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
    return entry


def add_repository(server: FileServer, name: str, files: Mapping[str, bytes], licence: str | None) -> None:
    tree = {
        "id": name,
        "sha": COMMIT,
        "cardData": {"license": licence} if licence else None,
        "siblings": [listed(*item) for item in files.items()],
    }
    server.files[f"/api/models/{name}"] = json.dumps(tree).encode()
    server.files |= {f"/{name}/resolve/{COMMIT}/{path}": content for path, content in files.items()}


@contextmanager
def hub() -> Iterator[FileServer]:
    with file_server({}) as server:
        yield server
