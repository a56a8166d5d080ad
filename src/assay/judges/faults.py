"""What can go wrong between us and a server: what ends the run, what is tried again, and what fails one request."""

from __future__ import annotations

import errno
import json
import re
import socket
import ssl
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

from assay.errors import AssayError, ConfigError, ServerError, printable, shortened
from assay.types.spending import duration_text

__all__ = ["Failure", "Refusal", "error_text", "network_failure", "status_failure"]

_UNREACHABLE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.ECONNREFUSED)
_TEMPORARY = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_EARLY)
_NO_CREDIT = re.compile(r"insufficient_quota|insufficient credits|credit balance is too low", re.IGNORECASE)
_LARGEST_NUMBER = 10  # characters


class Failure(Exception):
    """A request that was not answered, and may be answered if it is sent again."""

    def __init__(
        self,
        message: str,
        *,
        wait: float = 0.0,
        is_throttled: bool = False,
        is_unreachable: bool = False,
        is_timeout: bool = False,
    ) -> None:
        super().__init__(message)
        self.wait, self.is_throttled = wait, is_throttled
        self.is_unreachable, self.is_timeout = is_unreachable, is_timeout


class Refusal(Exception):
    """A request that the server does not accept, and would not accept a second time."""


def status_failure(
    status: int, headers: Mapping[str, str], body: bytes, *, url: str, has_answered: bool, has_key: bool
) -> Exception:
    """The error behind an HTTP status that is not 200. 404 is not among them: it may be the address or the model."""
    text = error_text(body)
    said = f"the server answered {status}{_phrase(status)}{text and f': {text}'}"
    if 300 <= status < 400:
        return _redirected(headers.get("Location", ""), url)
    if status == HTTPStatus.UNAUTHORIZED or (status == HTTPStatus.FORBIDDEN and not has_answered):
        return key_error(said, url, has_key=has_key)
    throttled = status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
    if status == HTTPStatus.PAYMENT_REQUIRED or _NO_CREDIT.search(body[:10_000].decode(errors="replace")):
        return ServerError(f"no credit is left: {said}", path=url, hint="add credit, then run it again")
    if throttled or status >= 500 or status in _TEMPORARY:
        return Failure(said, wait=_wait(headers), is_throttled=throttled)
    return Refusal(said)


def key_error(said: str, url: str, *, has_key: bool) -> AssayError:
    """A key that is missing or wrong."""
    hint = "put the key of this server into the environment variable ASSAY_JUDGE_KEY"
    what = "does not accept the key" if has_key else "needs a key"
    return ConfigError(f"{printable(url)}: the server {what}: {said}", hint=hint)


def network_failure(error: Exception, timeout: float, url: str) -> Exception:
    """The failure behind a network error."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return ServerError(f"untrusted certificate: {error.verify_message}", path=url)
    if isinstance(error, ssl.SSLError):
        return ServerError(f"no secure connection: {printable(str(error))}", path=url, hint="is it http, not https?")
    if isinstance(error, TimeoutError):
        return Failure(f"no answer within {duration_text(timeout)}", is_timeout=True)
    reason = printable(str(getattr(error, "strerror", None) or error)).lower() or type(error).__name__
    is_unreachable = isinstance(error, socket.gaierror) or getattr(error, "errno", None) in _UNREACHABLE
    words = "unreachable" if is_unreachable else "the connection failed"
    return Failure(f"{words}: {reason}", is_unreachable=is_unreachable)


def error_text(body: bytes) -> str:
    """What a server says about an error, in the forms that servers have for it; empty if it is something else."""
    try:
        content: Any = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    for name in ("error", "message", "detail", "msg"):
        if isinstance(content, dict) and name in content:
            content = content[name]
    if isinstance(content, list) and content and isinstance(content[0], dict):  # FastAPI's validation errors
        content = content[0].get("msg")
    return printable(shortened(" ".join(content.split()))) if isinstance(content, str) else ""


def _redirected(target: str, url: str) -> ServerError:
    """Texts and keys go only to the server that the user named."""
    shown = printable(shortened(target)) or "another address"
    hint = "only the named server is contacted; if you trust the other one, name it"
    return ServerError(f"the server redirects to {shown}", path=url, hint=hint)


def _wait(headers: Mapping[str, str]) -> float:
    """The seconds that a server asks to wait; 0 if it does not say."""
    after = (headers.get("Retry-After") or "").strip()
    if len(after) <= _LARGEST_NUMBER and re.fullmatch(r"\d+(\.\d+)?", after):
        return float(after)
    try:
        until = parsedate_to_datetime(after).timestamp()
        date = headers.get("Date")
        return max(0.0, until - (parsedate_to_datetime(date).timestamp() if date else time.time()))
    except (TypeError, ValueError, IndexError, OverflowError):
        return 0.0


def _phrase(status: int) -> str:
    try:
        return f" {HTTPStatus(status).phrase}"
    except ValueError:
        return ""
