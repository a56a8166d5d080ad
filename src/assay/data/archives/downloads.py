"""Download archives and other files. Nothing here runs unless the user asks for a download.

A download is stored as `….part`, resumed after an interruption, and renamed once its digest is right. If no digest is
known, an archive must be complete; its digest is then stored in `….lock.json` and checked from then on.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from assay.data.archives.catalogue import Source, source
from assay.data.archives.folder import as_fetch_error, data_folder, folder_for
from assay.data.archives.imports import SUFFIXES, check, stem_of
from assay.data.archives.record import sha256_of
from assay.data.archives.transfer import Failure, Policy, discard, transfer
from assay.errors import ArchiveError, ChecksumError, ConfigError, FetchError, printable
from assay.files import write_atomic
from assay.files.sizes import byte_text
from assay.types.runtime import Runtime

__all__ = ["Policy", "fetch"]


def fetch(
    what: str | Source,
    home: Path | None = None,
    *,
    sha256: str | None = None,
    policy: Policy | None = None,
    runtime: Runtime | None = None,
) -> Path:
    """Download a file into the data folder, by its name in the catalogue or its URL; returns its path.

    A file that exists already is checked and not downloaded again. `import_archive` unpacks an archive.
    """
    wanted = _source_of(what, sha256) if isinstance(what, str) else what
    target = (home or data_folder()) / wanted.folder / wanted.file_name
    expected = _expected_digest(target, wanted)
    if target.exists():
        _check_existing(target, expected, wanted, runtime)
        return target
    if os.environ.get("ASSAY_OFFLINE", "0") not in ("", "0"):
        raise _not_downloaded(f"ASSAY_OFFLINE is set ({wanted.urls[0]})", wanted, target)
    part = target.with_name(f"{target.name}.part")
    job = _Job(wanted, target, part, expected, policy or Policy(), runtime)
    with folder_for(target), _held(part):
        if not target.exists():  # unless another process has just downloaded it
            job.run()
    return target


def _source_of(name_or_url: str, sha256: str | None) -> Source:
    if "://" not in name_or_url:
        entry = source(name_or_url)
        return entry if sha256 is None else dataclasses.replace(entry, sha256=sha256)
    name = unquote(_path_of(name_or_url)).rpartition("/")[2]
    stem = stem_of(name)
    return Source(stem, name_or_url, (name_or_url,), name[len(stem) :], "", sha256)


def _path_of(url: str) -> str:
    try:
        parts = urlsplit(url)
        plain = url.isprintable() and " " not in url and parts.username is None and parts.port != 0
        if plain and parts.hostname and parts.scheme in ("http", "https"):
            return parts.path
        reason = "write http://… or https://…, without a password"
    except ValueError as error:  # bad host or port
        reason = str(error).lower()
    raise ConfigError(f"'{printable(url)}' is not a URL to download from", hint=reason)


def _lock_of(target: Path) -> Path:
    return target.with_name(f"{target.name}.lock.json")


def _expected_digest(target: Path, wanted: Source) -> str | None:
    """The digest a file must have: the pinned one, or that of the first download."""
    if wanted.sha256 is not None:
        return wanted.sha256.lower()
    lock = _lock_of(target)
    try:
        record = json.loads(lock.read_bytes())
        digest, urls = str(record["sha256"]), [str(url) for url in record["urls"]]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FetchError((error.strerror or str(error)).lower(), path=str(lock)) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FetchError("not a download record", path=str(lock), hint="remove it") from error
    if not set(urls) & set(wanted.urls):
        hint = f"remove that file and {lock.name}, or download the other one yourself: assay data import FILE"
        raise FetchError(f"{target.name} was downloaded from another URL: {urls[0]}", path=str(lock), hint=hint)
    return digest


def _check_existing(target: Path, expected: str | None, wanted: Source, runtime: Runtime | None) -> None:
    if expected is None and wanted.folder:  # the user has put it there
        with as_fetch_error(target):
            _check_md5(target, wanted, f"remove it, and download it again from {wanted.urls[0]}")
        return
    if expected is None:
        hint = f"to use it: assay data import {target}; to download it again: remove it first"
        raise FetchError("the file exists already, but was not downloaded by Assay", path=str(target), hint=hint)
    with as_fetch_error(target):
        digest = sha256_of(target, runtime=runtime)
    if digest != expected:
        message = f"changed since it was downloaded: the SHA-256 is {digest}, not {expected}"
        hint = "remove it, and run the command again to download it"
        raise ChecksumError(message, path=str(target), hint=hint)


def _check_md5(path: Path, wanted: Source, hint: str) -> None:
    """Raise if the publisher gives another MD5 digest, which is all that some give."""
    if wanted.md5 is None:
        return
    import hashlib

    with path.open("rb") as file:
        digest = hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
    if digest != wanted.md5:
        message = f"not the expected file: the MD5 is {digest}, not {wanted.md5}"
        raise ChecksumError(message, path=str(path), hint=hint)


def _not_downloaded(reason: str, wanted: Source, target: Path, alternative: str = "") -> FetchError:
    what = wanted.file_name
    if wanted.folder:
        what = f"{what} of {Path(wanted.folder).name}"
        hint = f"{alternative}download it on another machine, save it as {target}, and run the same command again"
    else:
        hint = f"{alternative}download it yourself on another machine, then: assay data import {wanted.file_name}"
    return FetchError(f"{what} was not downloaded: {reason}", hint=hint)


@contextlib.contextmanager
def _held(part: Path) -> Iterator[None]:
    """Keep other processes from writing to the same part. An empty part is removed at the end."""
    with as_fetch_error(part), part.open("ab") as file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # no such locks on Windows
            pass
        except OSError as error:
            hint = "wait until it is finished"
            raise FetchError("another process is downloading this file", path=str(part), hint=hint) from error
        try:
            yield
        finally:
            if part.exists() and part.stat().st_size == 0:
                part.unlink()


@dataclasses.dataclass(frozen=True, slots=True)
class _Job:
    """One download."""

    wanted: Source
    target: Path
    part: Path
    expected: str | None
    policy: Policy
    runtime: Runtime | None

    def run(self) -> None:
        """Download from the first URL that works."""
        failures = []
        for url in self.wanted.urls:
            try:
                self._download(url)
            except Failure as failure:
                failures.append(f"{url}: {failure}")
                if failure.is_temporary and self.part.stat().st_size:
                    break  # resume here later rather than start again elsewhere
            else:
                return
        size = self.part.stat().st_size
        resume = f"run the command again to resume after {byte_text(size)}; or " if size else ""
        raise _not_downloaded("; ".join(failures), self.wanted, self.target, resume)

    def _download(self, url: str) -> None:
        """Download, check and rename; a resumed download that turns out wrong is downloaded once more."""
        for attempt in (1, 2):
            was_resumed = transfer(
                url, self.part, policy=self.policy, task=f"downloading {self.target.name}", runtime=self.runtime
            )
            try:
                self._finish(url)
            except (ChecksumError, ArchiveError):
                discard(self.part)
                if attempt == 2 or not was_resumed:
                    raise
            else:
                return

    def _finish(self, url: str) -> None:
        digest = sha256_of(self.part, runtime=self.runtime)
        if self.expected is None:
            _check_md5(self.part, self.wanted, "the download was discarded; try again later")
            if self.target.name.lower().endswith(SUFFIXES):
                self._check_archive(url)
            record = {"urls": list(self.wanted.urls), "sha256": digest, "bytes": self.part.stat().st_size}
            write_atomic(_lock_of(self.target), (json.dumps(record, indent=1) + "\n").encode())
        elif digest != self.expected:
            raise self._wrong_digest(url, digest)
        self.part.replace(self.target)
        discard(self.part)

    def _check_archive(self, url: str) -> None:
        """Record a digest only for a complete archive."""
        try:
            check(self.part, limits=self.policy.limits, runtime=self.runtime)
        except ArchiveError as error:
            hint = "the download was discarded; try again later, or open the URL in a browser"
            raise ArchiveError(f"{url}: the download is not a complete archive: {error.problem}", hint=hint) from error

    def _wrong_digest(self, url: str, digest: str) -> ChecksumError:
        lock = _lock_of(self.target)
        if self.wanted.sha256 is not None:
            reason = "not the expected file"
            hint = "the download was discarded; try again later, or use another URL"
        else:
            reason = "the file changed since it was first downloaded"
            hint = f"the download was discarded; to accept the new file, remove {lock} and download it again"
        return ChecksumError(f"{url}: {reason}: the SHA-256 is {digest}, not {self.expected}", hint=hint)
