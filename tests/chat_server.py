"""A server of chat completions on this machine that does what a script says: it answers, or fails in some way."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Step:
    """What the server does with one request."""

    text: str | None = None
    """The reply; None: what `answer` returns."""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    """The whole content instead of a reply."""
    delay: float = 0.0
    """Seconds before anything is sent."""
    cut: int | None = None
    """How many bytes are sent of the content that is announced."""
    fields: dict[str, Any] = field(default_factory=dict)
    """Of the content, such as `model`, `usage` or `choices`; None: left out."""
    finish: str = "stop"
    trickle: float = 0.0
    """Seconds between two bytes."""


def error(status: int, message: str, **headers: str) -> Step:
    """An error in the form that OpenAI has for it."""
    content = json.dumps({"error": {"message": message}}).encode()
    return Step(status=status, body=content, headers={k.replace("_", "-"): v for k, v in headers.items()})


class ChatServer(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    script: list[Step]
    """What is done with the next requests; then each is answered."""
    answer: Callable[[dict[str, Any]], str]
    """The text of the reply to a request."""
    refuse: Callable[[dict[str, Any]], Step | None]
    """What is done with a request whatever the script says; None: nothing."""
    requests: list[dict[str, Any]]
    """All that was asked for, by POST."""
    answered: list[dict[str, Any]]
    """What was answered completely."""
    keys: list[str]
    """What stood in the header Authorization."""
    paths: list[str]
    models: list[str] | None
    """The names under /models; None: there is no such page."""
    delay: float
    """Seconds for each answer."""
    busiest: int
    """The largest number of requests at a time."""

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Request)
        self.script, self.requests, self.answered, self.keys, self.paths = [], [], [], [], []
        self.answer, self.refuse = (lambda body: f"echo {body['messages'][-1]['content']}"), (lambda body: None)
        self.models, self.delay = ["made-up"], 0.0
        self.busy = self.busiest = 0
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def next_step(self, body: dict[str, Any]) -> Step:
        with self.lock:
            self.requests.append(body)
            return self.refuse(body) or (self.script.pop(0) if self.script else Step())

    def handle_error(self, request: Any, client_address: Any) -> None:
        """The other side may have been killed."""


class _Request(BaseHTTPRequestHandler):
    server: ChatServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self.server.paths.append(self.path)
        if self.path != "/v1/models" or self.server.models is None:
            self._send(404, b"no such page", {})
            return
        self._send(200, json.dumps({"data": [{"id": name} for name in self.server.models]}).encode(), {})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.paths.append(self.path)
        self.server.keys.append(self.headers.get("Authorization", ""))
        if self.path != "/v1/chat/completions":
            self._send(404, b"no such page", {})
            return
        with self.server.lock:
            self.server.busy += 1
            self.server.busiest = max(self.server.busiest, self.server.busy)
        try:
            self._do(body, self.server.next_step(body))
        finally:
            with self.server.lock:
                self.server.busy -= 1

    def _do(self, body: dict[str, Any], step: Step) -> None:
        time.sleep(step.delay or self.server.delay)
        content = self._content(body, step) if step.body is None else step.body
        self._send(step.status, content, step.headers, cut=step.cut, trickle=step.trickle)
        if step.status == 200 and step.body is None and step.cut is None:
            with self.server.lock:
                self.server.answered.append(body)

    def _content(self, body: dict[str, Any], step: Step) -> bytes:
        text = self.server.answer(body) if step.text is None else step.text
        prompt = sum(len(message["content"].split()) for message in body["messages"])
        content = {
            "model": body["model"],
            "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": step.finish}],
            "usage": {"prompt_tokens": prompt, "completion_tokens": len(text.split())},
        } | step.fields
        return json.dumps({name: value for name, value in content.items() if value is not None}).encode()

    def _send(
        self, status: int, content: bytes, headers: dict[str, str], *, cut: int | None = None, trickle: float = 0.0
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if trickle:
            for byte in content:
                self.wfile.write(bytes([byte]))
                time.sleep(trickle)
        else:
            self.wfile.write(content[:cut])
        if cut is not None:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def chat_server(port: int = 0) -> Iterator[ChatServer]:
    server = ChatServer(port)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
