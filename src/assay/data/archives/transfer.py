"""Transfer one file over HTTP(S): resume broken connections, give up on stalled and endless ones.

A partial file is only resumed if the server confirms that the file is unchanged (If-Range); otherwise it starts again.
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

from assay.data.archives.folder import as_fetch_error
from assay.data.archives.hub_address import is_on_hub, token_for
from assay.data.archives.limits import Limits
from assay.errors import FetchError, printable
from assay.files import write_atomic
from assay.files.sizes import byte_text
from assay.types.runtime import Runtime
from assay.version import __version__

__all__ = ["Failure", "Policy", "discard", "read_json", "transfer"]

_CHUNK = 1 << 16
_TEMPORARY = (408, 425, 429, 500, 502, 503, 504)
_UNREACHABLE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.ECONNREFUSED)
_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18})")
_LONGEST_PAUSE = 60.0
_MAX_JSON_BYTES = 1 << 25


@dataclass(frozen=True, slots=True)
class Policy:
    """How long to wait, how often to retry, and how much to accept."""

    timeout: float = 30.0  # seconds without data
    slowest: float = 1000.0  # bytes per second during a timeout; anything slower counts as stalled
    tries: int = 6  # consecutive attempts that transfer less than `worthwhile`
    worthwhile: int = 1 << 20  # bytes
    pause: float = 1.0  # seconds before the second attempt, doubled for each further one
    max_bytes: int = 8 << 30
    limits: Limits = field(default_factory=Limits)  # of the unpacked archive


class Failure(Exception):
    """A failed download. If `is_temporary`, another attempt may succeed; if `is_stale`, the partial file is useless."""

    def __init__(
        self,
        message: str,
        *,
        is_temporary: bool = False,
        is_stale: bool = False,
        is_unreachable: bool = False,
        wait: float = 0.0,
    ) -> None:
        super().__init__(message)
        self.is_temporary, self.is_stale = is_temporary, is_stale
        self.is_unreachable, self.wait = is_unreachable, wait


@dataclass(frozen=True, slots=True)
class _Part:
    """A partial file, and the ETag or date that identifies its version."""

    size: int
    validator: str
    total: int | None


def transfer(url: str, part: Path, *, policy: Policy, task: str, runtime: Runtime | None = None) -> bool:
    """Complete a partial file, with retries; returns whether the download was resumed at any point."""
    tries, was_resumed = 0, False
    while True:
        before = part.stat().st_size
        try:
            return _attempt(url, part, policy, task, runtime or Runtime()) or was_resumed
        except Failure as failure:
            if failure.is_stale:
                discard(part)
            size = part.stat().st_size
            was_resumed = size > 0
            tries = 1 if size - before >= policy.worthwhile else tries + 1
            if not failure.is_temporary or tries >= policy.tries or (failure.is_unreachable and size == 0):
                raise
            time.sleep(min(max(failure.wait, policy.pause * 2 ** (tries - 1)), _LONGEST_PAUSE))


def read_json(url: str, policy: Policy) -> Any:
    """What a server answers in JSON, with one attempt. A ValueError if it is something else."""
    with _opened(url, None, policy.timeout) as answer:
        try:
            content = answer.read(_MAX_JSON_BYTES)
        except (OSError, http.client.HTTPException) as error:
            raise _network_failure(error, policy.timeout) from error
    return json.loads(content)


def discard(part: Path) -> None:
    """Discard a partial file."""
    _about(part).unlink(missing_ok=True)
    if part.exists():
        with part.open("r+b") as file:
            file.truncate(0)


def _attempt(url: str, part: Path, policy: Policy, task: str, runtime: Runtime) -> bool:
    known = _resumable(part, url)
    if known is not None and known.size == known.total:
        return True
    with _opened(url, known, policy.timeout) as answer:
        start, total = _range_of(answer, known)
        _refuse_too_large(start, total, part, policy)
        with as_fetch_error(part), part.open("r+b") as file:
            file.truncate(start)
            file.seek(start)
            _remember(part, url, _validator(answer), total)
            size = _copy(answer, file, start, total, policy, task, runtime)
    if total is not None and size != total:
        raise Failure(f"the connection closed after {byte_text(size)} of {byte_text(total)}", is_temporary=True)
    return start > 0


def _about(part: Path) -> Path:
    return part.with_name(f"{part.name}.json")


def _resumable(part: Path, url: str) -> _Part | None:
    """The partial file, if it came from this URL and can be resumed."""
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
        write_atomic(_about(part), (json.dumps(about) + "\n").encode())


def _validator(answer: http.client.HTTPResponse) -> str | None:
    """A strong ETag, or the date of the last change."""
    tag = answer.headers.get("ETag", "")
    return tag if tag.startswith('"') else answer.headers.get("Last-Modified")


def _range_of(answer: http.client.HTTPResponse, known: _Part | None) -> tuple[int, int | None]:
    """The position at which the response starts, and the size of the whole file, if the server states it."""
    if "html" in answer.headers.get("Content-Type", "").lower():
        raise Failure("the server sent a web page instead of the file")
    if answer.status == http.HTTPStatus.OK:
        return 0, answer.length
    match = _RANGE.fullmatch(answer.headers.get("Content-Range", "").strip())
    if answer.status != http.HTTPStatus.PARTIAL_CONTENT or known is None or match is None:
        raise Failure(f"unexpected response {answer.status} from the server", is_temporary=True, is_stale=True)
    start, end, total = (int(digits) for digits in match.groups())
    is_same = _validator(answer) == known.validator and known.total in (None, total)
    if start != known.size or end != total - 1 or not is_same:
        raise Failure("the file changed during the download", is_temporary=True, is_stale=True)
    return start, total


def _refuse_too_large(start: int, total: int | None, part: Path, policy: Policy) -> None:
    if total is None:
        return
    if total > policy.max_bytes:
        raise Failure(f"the file has {byte_text(total)}; the limit is {byte_text(policy.max_bytes)}")
    with as_fetch_error(part):
        free = shutil.disk_usage(part.parent).free
    if total - start > free:
        hint = "free some space, or use a folder on another disk: ASSAY_HOME=/other/disk/assay"
        message = f"not enough disk space: {byte_text(total - start)} needed, {byte_text(free)} free"
        raise FetchError(message, path=str(part.parent), hint=hint)


def _copy(
    answer: http.client.HTTPResponse,
    file: BinaryIO,
    size: int,
    total: int | None,
    policy: Policy,
    task: str,
    runtime: Runtime,
) -> int:
    """Write the response to the file; returns the final size."""
    window_start, window_size = time.monotonic(), size
    while chunk := _next_chunk(answer, policy.timeout):
        if size == 0 and chunk.lstrip()[:9].lower().startswith((b"<!doctype", b"<html")):
            raise Failure("the server sent a web page instead of the file")
        size += len(chunk)
        if size > policy.max_bytes:
            raise Failure(f"the file exceeds the limit of {byte_text(policy.max_bytes)}", is_stale=True)
        file.write(chunk)
        runtime.report(task, size, total or 0)
        seconds = time.monotonic() - window_start
        if seconds >= policy.timeout:
            if size - window_size < policy.slowest * seconds:
                raise Failure(f"only {byte_text(size - window_size)} in {seconds:.1f} s", is_temporary=True)
            window_start, window_size = time.monotonic(), size
    return size


def _next_chunk(answer: http.client.HTTPResponse, timeout: float) -> bytes:
    try:
        return answer.read1(_CHUNK)  # read() would wait for a full chunk, however slow
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _network_failure(error, timeout) from error


@contextlib.contextmanager
def _opened(url: str, known: _Part | None, timeout: float) -> Iterator[http.client.HTTPResponse]:
    headers = {"User-Agent": f"assay/{__version__}", "Accept-Encoding": "identity"}
    if known is not None:
        headers |= {"Range": f"bytes={known.size}-", "If-Range": known.validator}
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - the opener supports no other schemes
    if (token := token_for(url)) is not None:
        request.add_unredirected_header("Authorization", f"Bearer {token}")  # not for the servers it redirects to
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
    """Supports http and https only: no files, no FTP."""
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
    """Follows redirects to http and https, and from https to https only."""

    max_redirections = 8

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """The request after a redirect."""
        old, new = urlsplit(req.full_url).scheme, urlsplit(newurl).scheme
        if new not in ("http", "https") or (old == "https" and new == "http"):
            fp.close()
            raise Failure(f"refused a redirect to {printable(newurl)}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _refusal(error: urllib.error.HTTPError) -> Failure:
    """The failure behind an HTTP error status."""
    if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
        return Failure("the file became shorter", is_temporary=True, is_stale=True)
    if error.code // 100 == 3:
        return Failure(f"too many redirects, or one that is not allowed ({error.code})")
    after = error.headers.get("Retry-After", "") if error.headers is not None else ""
    wait = float(after) if after.isdecimal() and len(after) < 9 else 0.0
    is_gated = error.code in (401, 403) and is_on_hub(error.url)
    gate = ": accept the conditions on its page, and set HF_TOKEN to your token" if is_gated else ""
    return Failure(
        f"the server answered {error.code} {error.reason}{gate}", is_temporary=error.code in _TEMPORARY, wait=wait
    )


def _network_failure(error: object, timeout: float) -> Failure:
    """The failure behind a network error."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return Failure(f"untrusted certificate: {error.verify_message}")
    if isinstance(error, TimeoutError):
        return Failure(f"no data for {timeout:g} s", is_temporary=True)
    reason = printable(str(getattr(error, "strerror", None) or error)).lower()
    is_unreachable = isinstance(error, socket.gaierror) or getattr(error, "errno", None) in _UNREACHABLE
    if is_unreachable:
        return Failure(f"unreachable: {reason}", is_temporary=True, is_unreachable=True)
    return Failure(f"the connection failed: {reason or type(error).__name__}", is_temporary=True)
