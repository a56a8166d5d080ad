"""A server with a language model: one that understands `POST …/chat/completions` as OpenAI's does.

Only the server that was named is contacted: redirects are not followed, and proxies not used. Its key comes from the
environment for each request, and is in no attribute, text, error or file.
"""

from __future__ import annotations

import hashlib
import http.client
import ipaddress
import json
import os
import re
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from assay.errors import ConfigError, ServerError, UnknownNameError, nearest, printable
from assay.judges.faults import Failure, Refusal, error_text, network_failure, status_failure
from assay.judges.reply import Reply
from assay.judges.request import Message, Request, Schema
from assay.types.note import Note, NoteKind
from assay.version import __version__

__all__ = ["KEY_VARIABLES", "Server"]

KEY_VARIABLES = ("ASSAY_JUDGE_KEY", "OPENAI_API_KEY")
"""Environment variables with a key. The second one is for OpenAI's servers, and for those on this computer."""

_MAX_TOKENS = 1024
_TIMEOUT = 300.0  # seconds: a model may think for minutes
_CONNECT_TIMEOUT = 30.0
_CHUNK = 1 << 16
_MAX_REPLY_BYTES = 1 << 24
_KEY = re.compile(r"[!-~]+")  # what a header takes
_SHORTEST_KEY_IN_ERRORS, _SHORTEST_KEY_IN_REPLIES = 4, 16
"""Characters of a key that is taken out of what a server says. Local servers take keys such as `x`, which are words."""
_FORMATS = ("json_schema", "json_object", "")
"""How to give a schema to a server, in the order in which it is tried; the last one is not to give it."""


class Server:
    """A model on a server, and how it is asked."""

    def __init__(
        self,
        url: str,
        model: str,
        temperature: float = 0.0,
        *,
        max_tokens: int = _MAX_TOKENS,
        timeout: float = _TIMEOUT,
    ) -> None:
        """`url` ends in front of `/chat/completions`, for instance `http://127.0.0.1:8000/v1`."""
        self.url, self.model, self.temperature = _checked(url), model, float(temperature)
        self.max_tokens, self.timeout = max_tokens, timeout
        self.replies: Counter[str] = Counter()
        """How many distinct replies came from each model that the server named; also those of earlier runs."""
        self.unstructured = 0
        """How many of them were made without the schema that was wanted."""
        self.answered = 0
        """How many requests it has answered in this run."""
        self._noted: set[bytes] = set()
        self._limit_name = "max_tokens"
        self._format, self._is_format_known = _FORMATS[0], False
        self._local = threading.local()
        self._connections: set[http.client.HTTPConnection] = set()

    def __repr__(self) -> str:
        return f"Server({self.url!r}, {self.model!r}, {self.temperature!r})"

    @property
    def host(self) -> str:
        """The name or address of the server."""
        return urlsplit(self.url).hostname or ""

    @property
    def is_local(self) -> bool:
        """Whether it is on this computer, so that texts do not leave it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def sends_key_in_clear(self) -> bool:
        """Whether others can read the key on its way."""
        return not self.is_local and urlsplit(self.url).scheme == "http" and bool(self._key())

    @property
    def reported_model(self) -> str:
        """The model that replies named, also those of earlier runs; several are joined by `+`; empty if none did."""
        return "+".join(sorted(filter(None, self.replies)))

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader of the scores should know about the replies; the same if they come from the cache."""
        found = []
        if self.unstructured:
            text = f"{self.unstructured:,} of {self.replies.total():,} replies were made without a JSON schema"
            found.append(Note(NoteKind.ADVICE, f"{text}, which the server does not take"))
        if len(names := sorted(filter(None, self.replies))) > 1:
            counts = ", ".join(f"{printable(name)} ({self.replies[name]:,})" for name in names)
            found.append(Note(NoteKind.SUSPECT, f"replies come from several models: {counts}"))
        return tuple(found)

    @property
    def accepts_schema(self) -> bool | None:
        """Whether the server takes a schema; None if that is not known yet."""
        return bool(self._format) if self._is_format_known else None

    def digest(self, request: Request, schema: Schema | None) -> tuple[bytes, int]:
        """The digest of everything that a reply depends on but the number of the try, and its size in bytes.

        The address is in it: two servers may call different models by the same name, and local ones often ignore it.
        """
        messages = [(message.role, message.content) for message in request.messages]
        what = [self.model, self.temperature, self.max_tokens, messages, schema, request.vote]
        content = json.dumps(what, sort_keys=True, ensure_ascii=False).encode(errors="surrogatepass")
        return hashlib.sha256(f"{self.url}\n".encode() + content).digest(), len(content)

    def note(self, key: bytes, reply: Reply, *, is_structure_wanted: bool) -> bool:
        """Count a reply that is used, and return whether it is the first time: the same questions may come again."""
        if key in self._noted:
            return False
        self._noted.add(key)
        self.replies[reply.model] += 1
        self.unstructured += is_structure_wanted and not reply.is_structured
        return True

    def send(self, messages: Sequence[Message], schema: Schema | None) -> Reply:
        """Send a request once. Raise a `Failure` if it may be sent again, a `Refusal` if it may not.

        Whatever concerns all requests, such as a wrong key, is an `AssayError`. What the server does not support is
        left out, and remembered.
        """
        while True:
            limit, form = self._limit_name, self._format if schema is not None else ""
            try:
                reply = self._complete(messages, schema, limit, form)
            except Refusal as refusal:
                if limit == "max_tokens" and "max_completion_tokens" in str(refusal):
                    self._limit_name = "max_completion_tokens"
                elif not form or self._is_format_known:
                    raise
                else:
                    return self._with_another_format(messages, schema, refusal)
            else:
                self._is_format_known |= bool(form)
                return reply

    def _with_another_format(self, messages: Sequence[Message], schema: Schema | None, refusal: Refusal) -> Reply:
        """Find out whether it was the form of the schema that the server refused.

        If it refuses the request without a schema, too, that refusal says why: the first one may be about the schema.
        """
        for form in _FORMATS[_FORMATS.index(self._format) + 1 :]:
            try:
                reply = self._complete(messages, schema, self._limit_name, form)
            except Refusal as another:
                refusal = another
                continue
            self._format, self._is_format_known = form, True
            return reply
        raise refusal

    def list_models(self) -> tuple[str, ...]:
        """The names of the models that the server offers; empty if it does not say."""
        try:
            status, _, body = self._exchange("GET", "/models", None)
            found = json.loads(body)["data"] if status == HTTPStatus.OK else ()
            return tuple(str(model["id"]) for model in found)
        except (Failure, ServerError, ValueError, KeyError, TypeError):
            return ()

    def close(self) -> None:
        """End all connections. What was asked on them is lost."""
        for connection in tuple(self._connections):
            with suppress(OSError, AttributeError):  # AttributeError: not connected any more
                connection.sock.shutdown(socket.SHUT_RDWR)  # so that its thread does not wait any longer

    def disconnect(self) -> None:
        """Close the connection of this thread."""
        if (connection := getattr(self._local, "connection", None)) is not None:
            self._forget(connection)

    def _complete(self, messages: Sequence[Message], schema: Schema | None, limit: str, form: str) -> Reply:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "temperature": self.temperature,
            limit: self.max_tokens,
        }
        if form == "json_schema":
            described = {"name": "reply", "strict": True, "schema": schema}
            body["response_format"] = {"type": form, "json_schema": described}
        elif form:
            body["response_format"] = {"type": form, "schema": schema}
        status, headers, content = self._exchange("POST", "/chat/completions", json.dumps(body).encode())
        if status != HTTPStatus.OK:
            raise self._failure(status, headers, content, has_format=bool(form))
        return self._read(content, is_structured=bool(form))

    def _failure(self, status: int, headers: Mapping[str, str], body: bytes, *, has_format: bool) -> Exception:
        said = error_text(body)
        if status == HTTPStatus.NOT_FOUND:
            return self._not_found(said)
        if has_format and status >= 500 and re.search(r"response_format|schema|grammar", said):
            return Refusal(said)
        return status_failure(
            status, headers, body, url=self.url, has_answered=self.answered > 0, has_key=bool(self._key())
        )

    def _not_found(self, said: str) -> Exception:
        """It may be the model or the address that does not exist."""
        models = self.list_models()
        if (models and self.model not in models) or "model" in said.lower():
            hint = nearest(self.model, models) if models and self.model not in models else said or None
            return UnknownNameError(f"{printable(self.url)} has no model '{printable(self.model)}'", hint=hint)
        hint = "the address of a server usually ends in /v1, for instance http://127.0.0.1:8000/v1"
        return ServerError(f"there is no /chat/completions here (404){said and f': {said}'}", path=self.url, hint=hint)

    def _read(self, body: bytes, *, is_structured: bool) -> Reply:
        """The reply in what a server sent, which must have the form that OpenAI has published."""
        try:
            content = json.loads(body)
        except (ValueError, RecursionError):
            raise Failure("the server sent something that is not JSON") from None
        if isinstance(content, dict) and content.get("error"):
            said = self._clean(error_text(body)) or "it does not say which"
            raise Failure(f"the server reported an error: {said}")
        try:
            choice = content["choices"][0]
            message = choice["message"]
            text, refusal = _text(message.get("content")), message.get("refusal")
            finish = str(choice.get("finish_reason") or "stop")
            usage = content.get("usage") or {}
            tokens = [_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
        except (KeyError, IndexError, TypeError, AttributeError):
            raise Failure("the server sent JSON without a reply") from None
        if refusal and not text:
            text, finish = str(refusal), "refusal"
        text, model = (self._clean(each, _SHORTEST_KEY_IN_REPLIES) for each in (text, str(content.get("model") or "")))
        return Reply(text, finish, model, tokens[0], tokens[1], is_structured)

    def _exchange(self, method: str, path: str, body: bytes | None) -> tuple[int, Mapping[str, str], bytes]:
        """Send something, and return status, headers and content of the answer."""
        key, deadline = self._key(), time.monotonic() + self.timeout
        headers = {"User-Agent": f"assay/{__version__}", "Accept": "application/json", "Accept-Encoding": "identity"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key:
            headers["Authorization"] = f"Bearer {key}"
        connection = self._connection()
        try:
            response = self._responded(connection, method, path, body, headers)
            content = _content(response, deadline)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._forget(connection)
            raise network_failure(error, self.timeout, self.url) from None
        except BaseException:
            self._forget(connection)
            raise
        if response.will_close:
            self._forget(connection)
        received = {name.title(): self._clean(value) for name, value in response.headers.items()}
        is_reply = response.status == HTTPStatus.OK
        shortest = _SHORTEST_KEY_IN_REPLIES if is_reply else _SHORTEST_KEY_IN_ERRORS
        return response.status, received, self._clean_bytes(content, shortest)

    def _responded(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: bytes | None,
        headers: dict[str, Any],
    ) -> http.client.HTTPResponse:
        """The beginning of an answer. A connection that the server has closed since it was used is opened again."""
        was_open = connection.sock is not None
        for is_last in (not was_open, True):
            try:
                if connection.sock is None:
                    connection.timeout = min(_CONNECT_TIMEOUT, self.timeout)
                    connection.connect()
                    connected: Any = connection.sock
                    connected.settimeout(self.timeout)
                connection.request(method, urlsplit(self.url).path + path, body, headers)
                return connection.getresponse()
            except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
                connection.close()
                if is_last:
                    raise
        raise AssertionError

    def _connection(self) -> http.client.HTTPConnection:
        """The connection of this thread, which serves many requests."""
        found: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if found is None:
            parts = urlsplit(self.url)
            if parts.scheme == "https":
                context = ssl.create_default_context()
                found = http.client.HTTPSConnection(self.host, parts.port, timeout=_CONNECT_TIMEOUT, context=context)
            else:
                found = http.client.HTTPConnection(self.host, parts.port, timeout=_CONNECT_TIMEOUT)
            found.auto_open = 0  # connected here, with a time-out of its own
            self._local.connection = found
        self._connections.add(found)
        return found

    def _forget(self, connection: http.client.HTTPConnection) -> None:
        self._connections.discard(connection)
        connection.close()

    def _key(self) -> str:
        """The key for this server; empty if there is none."""
        is_known = self.is_local or self.host == "openai.com" or self.host.endswith(".openai.com")
        for variable in KEY_VARIABLES if is_known else KEY_VARIABLES[:1]:
            key = os.environ.get(variable, "").strip()
            if key and not _KEY.fullmatch(key):
                raise ConfigError(f"the key in {variable} has characters that no key has", hint="copy it again")
            if key:
                return key
        return ""

    def _clean(self, text: str, shortest: int = _SHORTEST_KEY_IN_ERRORS) -> str:
        """What a server said, without the key: some repeat it in errors. What UTF-8 cannot write is a `?`."""
        key = self._key()
        text = text.encode(errors="replace").decode()
        return text.replace(key, "[key]") if len(key) >= shortest else text

    def _clean_bytes(self, content: bytes, shortest: int) -> bytes:
        key = self._key().encode()
        if len(key) < shortest:
            return content
        if b"\\" in content:  # JSON may write any letter as an escape
            with suppress(ValueError, RecursionError):
                content = json.dumps(json.loads(content), ensure_ascii=False).encode(errors="surrogatepass")
        return content.replace(key, b"[key]")


def _checked(url: str) -> str:
    """The address without a slash at its end; a `ConfigError` if it is not one that can be asked."""
    hint = "for instance http://127.0.0.1:8000/v1"
    shown = printable(re.sub(r"//[^/]*@", "//…@", url))
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or not re.fullmatch(r"[!-~]+", url) or parts.query or parts.fragment:
        raise ConfigError(f"'{shown}' is not the address of a server", hint=hint)
    if parts.username is not None or parts.password is not None:
        hint = "put the key into the environment variable ASSAY_JUDGE_KEY"
        raise ConfigError(f"the address '{shown}' must not contain a name or password", hint=hint)
    return url.rstrip("/")


def _content(response: http.client.HTTPResponse, deadline: float) -> bytes:
    """The whole content, which must come before the deadline: a server may send a byte now and then."""
    chunks: list[bytes] = []
    size = 0
    while chunk := response.read1(_CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > _MAX_REPLY_BYTES:
            raise ValueError("the answer is too long")
        if time.monotonic() > deadline:
            raise TimeoutError
    if response.length:  # bytes that were announced and did not come
        raise http.client.IncompleteRead(b"", response.length)
    response.close()  # so that the connection is free for the next request
    return b"".join(chunks)


def _text(content: object) -> str:
    """The text of a message: a string, or a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content)
    if content is not None and not isinstance(content, str):
        raise TypeError
    return content or ""


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
