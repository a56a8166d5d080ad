"""One file over HTTP(S): cut connections are taken up where they broke, standing and endless ones are given up.

A part is only continued if the server says that it is still the same file (If-Range); else it begins anew.
"""

from __future__ import annotations

import contextlib
import errno
import http.client
import json
import re
import shutil
import socket
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import urlsplit

from assay.data.bounds import Limits
from assay.data.folder import Progress, as_fetch_error
from assay.errors import FetchError, printable
from assay.files import write_whole
from assay.version import __version__

__all__ = ["Failure", "Policy", "discard", "transfer"]

_CHUNK = 1 << 16
_PASSING = (408, 425, 429, 500, 502, 503, 504)
_UNREACHABLE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.ECONNREFUSED)
_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18})")
_LONGEST_PAUSE = 60.0


@dataclass(frozen=True, slots=True)
class Policy:
    """How long to wait, how often to try, how much to take."""

    timeout: float = 30.0  # seconds without a byte
    slowest: float = 1000.0  # bytes a second over a timeout; what is slower stands still
    tries: int = 6  # in a row that bring nothing worth while
    worthwhile: int = 1 << 20  # bytes
    pause: float = 1.0  # seconds before the second try, doubled for each one after it
    max_bytes: int = 8 << 30
    limits: Limits = field(default_factory=Limits)  # of what comes out of the archive


class Failure(Exception):
    """A download that did not come about; `passing`: it may the next time; `stale`: what is here of it is of no use."""

    def __init__(
        self,
        message: str,
        *,
        passing: bool = False,
        stale: bool = False,
        unreachable: bool = False,
        wait: float = 0.0,
    ) -> None:
        super().__init__(message)
        self.passing, self.stale, self.unreachable, self.wait = passing, stale, unreachable, wait


@dataclass(frozen=True, slots=True)
class _Part:
    """What is here of a file, and how to ask whether it is still the same: by ETag or date."""

    size: int
    validator: str
    total: int | None


def transfer(url: str, part: Path, *, policy: Policy, what: str, progress: Progress | None = None) -> bool:
    """Bring a part to its end, in as many tries as it takes; tells whether it was put together from pieces."""
    tries, continued = 0, False
    while True:
        before = part.stat().st_size
        try:
            return _attempt(url, part, policy, what, progress) or continued
        except Failure as failure:
            if failure.stale:
                discard(part)
            size = part.stat().st_size
            continued = size > 0
            tries = 1 if size - before >= policy.worthwhile else tries + 1
            if not failure.passing or tries >= policy.tries or (failure.unreachable and size == 0):
                raise
            time.sleep(min(max(failure.wait, policy.pause * 2 ** (tries - 1)), _LONGEST_PAUSE))


def discard(part: Path) -> None:
    """Forget what is here of a file."""
    _about(part).unlink(missing_ok=True)
    if part.exists():
        with part.open("r+b") as file:
            file.truncate(0)


def _attempt(url: str, part: Path, policy: Policy, what: str, progress: Progress | None) -> bool:
    known = _known(part, url)
    if known is not None and known.size == known.total:
        return True
    with _opened(url, known, policy.timeout) as answer:
        start, total = _agreed(answer, known)
        _refuse_too_large(start, total, part, policy)
        with as_fetch_error(part), part.open("r+b") as file:
            file.truncate(start)
            file.seek(start)
            _remember(part, url, _validator(answer), total)
            size = _copy(answer, file, start, total, policy, what, progress)
    if total is not None and size != total:
        raise Failure(f"the connection was cut after {size:,} of {total:,} bytes", passing=True)
    return start > 0


def _about(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _known(part: Path, url: str) -> _Part | None:
    """What is here, if it is from that address and the server can be asked to go on."""
    size = part.stat().st_size
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        about = json.loads(_about(part).read_bytes())
        if size and about["url"] == url:
            total = about["total"]
            return _Part(size, str(about["validator"]), None if total is None else int(total))
    return None


def _remember(part: Path, url: str, validator: str | None, total: int | None) -> None:
    if validator is None:
        _about(part).unlink(missing_ok=True)
    else:
        about = {"url": url, "validator": validator, "total": total}
        write_whole(_about(part), (json.dumps(about) + "\n").encode())


def _validator(answer: http.client.HTTPResponse) -> str | None:
    """A strong ETag, else the date of the last change."""
    tag = answer.headers.get("ETag", "")
    return tag if tag.startswith('"') else answer.headers.get("Last-Modified")


def _agreed(answer: http.client.HTTPResponse, known: _Part | None) -> tuple[int, int | None]:
    """Where the answer goes on, and how long the whole file is, if the server says so."""
    if "html" in answer.headers.get("Content-Type", "").lower():
        raise Failure("the server sends a web page in place of the file")
    if answer.status == http.HTTPStatus.OK:
        return 0, answer.length
    found = _RANGE.fullmatch(answer.headers.get("Content-Range", "").strip())
    if answer.status != http.HTTPStatus.PARTIAL_CONTENT or known is None or found is None:
        raise Failure(f"the server answers {answer.status} out of turn", passing=True, stale=True)
    start, end, total = (int(digits) for digits in found.groups())
    same = _validator(answer) == known.validator and known.total in (None, total)
    if start != known.size or end != total - 1 or not same:
        raise Failure("the file changed while it was downloaded", passing=True, stale=True)
    return start, total


def _refuse_too_large(start: int, total: int | None, part: Path, policy: Policy) -> None:
    if total is None:
        return
    if total > policy.max_bytes:
        raise Failure(f"the file has {total:,} bytes, and the limit is {policy.max_bytes:,}")
    with as_fetch_error(part):
        free = shutil.disk_usage(part.parent).free
    if total - start > free:
        hint = "free some space, or name a folder on another disk: ASSAY_HOME=/other/disk/assay"
        what = f"{total - start:,} bytes are to come and {free:,} are free"
        raise FetchError(what, path=str(part.parent), hint=hint)


def _copy(
    answer: http.client.HTTPResponse,
    file: BinaryIO,
    size: int,
    total: int | None,
    policy: Policy,
    what: str,
    progress: Progress | None,
) -> int:
    """Write down what comes; gives the size in the end."""
    window_start, window_size = time.monotonic(), size
    while piece := _piece(answer, policy.timeout):
        if size == 0 and piece.lstrip()[:9].lower().startswith((b"<!doctype", b"<html")):
            raise Failure("the server sends a web page in place of the file")
        size += len(piece)
        if size > policy.max_bytes:
            raise Failure(f"more than {policy.max_bytes:,} bytes come, which is the limit", stale=True)
        file.write(piece)
        if progress is not None:
            progress(what, size, total or 0)
        seconds = time.monotonic() - window_start
        if seconds >= policy.timeout:
            if size - window_size < policy.slowest * seconds:
                raise Failure(f"only {size - window_size:,} bytes came in {seconds:.1f} s", passing=True)
            window_start, window_size = time.monotonic(), size
    return size


def _piece(answer: http.client.HTTPResponse, timeout: float) -> bytes:
    try:
        return answer.read1(_CHUNK)  # read() would wait for a full chunk, however slowly it drips in
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _network_failure(error, timeout) from error


@contextlib.contextmanager
def _opened(url: str, known: _Part | None, timeout: float) -> Iterator[http.client.HTTPResponse]:
    headers = {"User-Agent": f"assay/{__version__}", "Accept-Encoding": "identity"}
    if known is not None:
        headers |= {"Range": f"bytes={known.size}-", "If-Range": known.validator}
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - the opener knows no other schemes
    try:
        answer = _opener().open(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        with error:
            raise _refusal(error) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _network_failure(getattr(error, "reason", error), timeout) from error
    with answer:
        yield answer


def _opener() -> urllib.request.OpenerDirector:
    """Knows http and https, and nothing else: no files, no FTP."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.UnknownHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _Redirects(),
    ):
        opener.add_handler(handler)
    return opener


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows only to http and https, and from https only to https."""

    max_redirections = 8

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """The request that follows."""
        old, new = urlsplit(req.full_url).scheme, urlsplit(newurl).scheme
        if new not in ("http", "https") or (old == "https" and new == "http"):
            fp.close()
            raise Failure(f"the server sends us on to {printable(newurl)}, where nothing is fetched from")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _refusal(error: urllib.error.HTTPError) -> Failure:
    """What a status that is no success means."""
    if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        return Failure("the file is shorter than it was", passing=True, stale=True)
    if error.code // 100 == 3:
        return Failure(f"the server sends us in circles or where nothing is fetched from ({error.code})")
    after = error.headers.get("Retry-After", "") if error.headers is not None else ""
    wait = float(after) if after.isdecimal() and len(after) < 9 else 0.0
    return Failure(f"the server answers {error.code} {error.reason}", passing=error.code in _PASSING, wait=wait)


def _network_failure(error: object, timeout: float) -> Failure:
    """What a broken connection means."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return Failure(f"its certificate is not trusted: {error.verify_message}")
    if isinstance(error, TimeoutError):
        return Failure(f"nothing came for {timeout:g} s", passing=True)
    reason = printable(str(getattr(error, "strerror", None) or error)).lower()
    unreachable = isinstance(error, socket.gaierror) or getattr(error, "errno", None) in _UNREACHABLE
    if unreachable:
        return Failure(f"cannot be reached from here: {reason}", passing=True, unreachable=True)
    return Failure(f"the connection broke: {reason or type(error).__name__}", passing=True)
