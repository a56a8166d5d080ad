"""A server of files in memory, on this machine: whole or from a byte on, with an ETag."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit


class FileServer(ThreadingHTTPServer):
    daemon_threads = True
    files: dict[str, bytes]
    """The files by path."""
    forbidden: set[str]
    """Paths that need a token."""
    cut: dict[str, int]
    """After how many bytes the connection closes, once."""
    redirects: dict[str, str]
    """Addresses by path."""
    requests: list[tuple[str, str]]
    """Paths and ranges that were asked for."""
    tokens: list[str]
    """Tokens that came with requests."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Request(BaseHTTPRequestHandler):
    server: FileServer

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        path = unquote(parts.path)
        wanted = self.headers.get("Range", "")
        self.server.requests.append((path, wanted))
        self.close_connection = True
        if token := self.headers.get("Authorization"):
            self.server.tokens.append(token)
        if path in self.server.redirects:
            self.send_response(302)
            self.send_header("Location", self.server.redirects[path])
            self.end_headers()
            return
        if path in self.server.forbidden and self.headers.get("Authorization") != "Bearer secret":
            self.send_error(401)
            return
        body = self.server.files.get(path)
        if body is None:
            self.send_error(404)
            return
        tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        start = int(wanted[6:-1]) if wanted and self.headers.get("If-Range") == tag else 0
        self.send_response(206 if start else 200)
        self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(body) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.end_headers()
        self.wfile.write(body[start : self.server.cut.pop(path, len(body))])

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def file_server(files: dict[str, bytes]) -> Iterator[FileServer]:
    server = FileServer(("127.0.0.1", 0), _Request)
    server.files, server.forbidden, server.cut, server.redirects = dict(files), set(), {}, {}
    server.requests, server.tokens = [], []
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
