"""Archives from the network. Nothing here is used unless somebody asks for a download.

A file comes in under the name `….part`, is continued where it was cut off, and gets its name when its digest is the
right one and it is an archive from end to end. Where no digest is known, that of the first download is kept in
`….lock.json` beside it, and held to ever after.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from assay.data.archives import check, stem_of
from assay.data.catalogue import Source, source
from assay.data.folder import Progress, as_fetch_error, data_folder, folder_for, sha256_of
from assay.data.transfer import Failure, Policy, discard, transfer
from assay.errors import ArchiveError, ChecksumError, ConfigError, FetchError, printable
from assay.files import write_whole

__all__ = ["Policy", "fetch"]


def fetch(
    what: str,
    home: Path | None = None,
    *,
    sha256: str | None = None,
    policy: Policy | None = None,
    progress: Progress | None = None,
) -> Path:
    """Download an archive by its name in the catalogue or its address, into the data folder; gives its path.

    What is there already is checked and not downloaded again. `import_archive` unpacks it.
    """
    wanted = _wanted(what, sha256)
    place = (home or data_folder()) / wanted.file_name
    expected = _expected(place, wanted)
    if place.exists():
        _refuse_other(place, expected, wanted, progress)
        return place
    if os.environ.get("ASSAY_OFFLINE", "0") not in ("", "0"):
        raise _by_hand(f"ASSAY_OFFLINE is set ({wanted.urls[0]})", wanted)
    part = place.with_name(f"{place.name}.part")
    job = _Job(wanted, place, part, expected, policy or Policy(), progress)
    with folder_for(place), _held(part):
        if not place.exists():  # else another process has just brought it
            job.run()
    return place


def _wanted(what: str, sha256: str | None) -> Source:
    if "://" not in what:
        found = source(what)
        return found if sha256 is None else dataclasses.replace(found, sha256=sha256)
    name = unquote(_path_of(what)).rpartition("/")[2]
    stem = stem_of(name)
    return Source(stem, what, (what,), name[len(stem) :], "", sha256)


def _path_of(url: str) -> str:
    try:
        parts = urlsplit(url)
        plain = url.isprintable() and " " not in url and parts.username is None and parts.port != 0
        if plain and parts.hostname and parts.scheme in ("http", "https"):
            return parts.path
        reason = "http://… or https://…, without a password"
    except ValueError as error:  # of the host or port
        reason = str(error).lower()
    raise ConfigError(f"'{printable(url)}' is no address to download from", hint=reason)


def _lock_of(place: Path) -> Path:
    return place.with_name(f"{place.name}.lock.json")


def _expected(place: Path, wanted: Source) -> str | None:
    """The digest that a file has to have: the one pinned, else that of its first download."""
    if wanted.sha256 is not None:
        return wanted.sha256.lower()
    lock = _lock_of(place)
    try:
        record = json.loads(lock.read_bytes())
        digest, urls = str(record["sha256"]), [str(url) for url in record["urls"]]
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FetchError((error.strerror or str(error)).lower(), path=str(lock)) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FetchError("not the record of a download", path=str(lock), hint="remove it") from error
    if not set(urls) & set(wanted.urls):
        hint = f"remove that file and {lock.name}, or take the other one by hand: assay data import FILE"
        raise FetchError(f"{place.name} was downloaded from another address: {urls[0]}", path=str(lock), hint=hint)
    return digest


def _refuse_other(place: Path, expected: str | None, wanted: Source, progress: Progress | None) -> None:
    if expected is None:
        hint = f"to use it: assay data import {place}; to download it: remove it"
        raise FetchError("a file of that name is there, and was not downloaded", path=str(place), hint=hint)
    with as_fetch_error(place):
        digest = sha256_of(place, progress=progress)
    if digest != expected:
        what = f"has changed since it was downloaded: its SHA-256 is {digest}, not {expected}"
        raise ChecksumError(what, path=str(place), hint=f"remove it and fetch it again: assay data fetch {wanted.name}")


def _by_hand(why: str, wanted: Source, otherwise: str = "") -> FetchError:
    hint = f"{otherwise}download it by hand where you can, and then: assay data import {wanted.file_name}"
    return FetchError(f"{wanted.file_name} was not downloaded: {why}", hint=hint)


@contextlib.contextmanager
def _held(part: Path) -> Iterator[None]:
    """Keep other processes from writing to the same part. One that is empty in the end is removed."""
    with as_fetch_error(part), part.open("ab") as file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # Windows has other locks
            pass
        except OSError as error:
            hint = "wait until it is done"
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
    place: Path
    part: Path
    expected: str | None
    policy: Policy
    progress: Progress | None

    def run(self) -> None:
        """Download from the first address that has it."""
        failures = []
        for url in self.wanted.urls:
            try:
                self._bring(url)
            except Failure as failure:
                failures.append(f"{url}: {failure}")
                if failure.passing and self.part.stat().st_size:
                    break  # rather go on from here another time than begin anew elsewhere
            else:
                return
        size = self.part.stat().st_size
        kept = f"to go on after the {size:,} bytes that are here, run it again; or " if size else ""
        raise _by_hand("; ".join(failures), self.wanted, kept)

    def _bring(self, url: str) -> None:
        """Download, check and put in place; what was put together from pieces and is wrong gets a second chance."""
        for chance in (1, 2):
            continued = transfer(
                url, self.part, policy=self.policy, what=f"downloading {self.place.name}", progress=self.progress
            )
            try:
                self._settle(url)
            except (ChecksumError, ArchiveError):
                discard(self.part)
                if chance == 2 or not continued:
                    raise
            else:
                return

    def _settle(self, url: str) -> None:
        digest = sha256_of(self.part, progress=self.progress)
        if self.expected is None:
            self._check_archive(url)
            record = {"urls": list(self.wanted.urls), "sha256": digest, "bytes": self.part.stat().st_size}
            write_whole(_lock_of(self.place), (json.dumps(record, indent=1) + "\n").encode())
        elif digest != self.expected:
            raise self._other_file(url, digest)
        self.part.replace(self.place)
        discard(self.part)

    def _check_archive(self, url: str) -> None:
        """A digest is only recorded of what is an archive from end to end."""
        try:
            check(self.part, limits=self.policy.limits, progress=self.progress)
        except ArchiveError as error:
            reason = error.message.removeprefix(f"{printable(str(self.part))}: ")
            hint = "it was not kept; try again later, or look at the address in a browser"
            raise ArchiveError(f"{url}: what came is no whole archive: {reason}", hint=hint) from error

    def _other_file(self, url: str, digest: str) -> ChecksumError:
        lock = _lock_of(self.place)
        if self.wanted.sha256 is not None:
            why, hint = "is not the file it should be", "it was not kept; try again later, or another address"
        else:
            why = "is not the file it was when it was first downloaded"
            hint = f"it was not kept; if you want the new one, remove {lock} and fetch it again"
        return ChecksumError(f"{url}: {why}: its SHA-256 is {digest}, not {self.expected}", hint=hint)
