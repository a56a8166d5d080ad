"""Questions to the scripted server, and what came of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.judges.ask import ask
from assay.judges.request import Message, Request, UnreadableReply
from assay.judges.server import Server
from assay.types.runtime import Runtime
from assay.types.spending import Spending
from tests.chat_server import ChatServer
from tests.judges.made_up_clock import MadeUpClock

SCHEMA = {"type": "object", "properties": {"score": {"type": "integer"}}}


def requests(count: int, start: int = 0, **fields) -> list[Request]:
    return [Request((Message("user", f"question {i}"),), **fields) for i in range(start, start + count)]


def echoes(count: int) -> list[str]:
    """What `read` makes of the server's replies to `requests(count)`."""
    return [f"ECHO QUESTION {i}" for i in range(count)]


def values(answers) -> list[str | None]:
    return [answer.value for answer in answers]


def read(text: str) -> str:
    if not text.startswith("echo"):
        raise UnreadableReply(f"no echo: {text}")
    return text.upper()


@dataclass
class Asking:
    """Everything that a call of `ask` needs, with a clock that does not wait."""

    server: ChatServer
    folder: object
    timeout: float = 20.0
    model: str = "made-up"
    said: list = field(default_factory=list)
    warned: list = field(default_factory=list)
    progress: list = field(default_factory=list)
    clock: MadeUpClock = field(default_factory=MadeUpClock)
    judge: Server = None
    spending: Spending = None

    def __post_init__(self):
        self.judge = self.judge or Server(self.server.url, self.model, timeout=self.timeout)
        self.spending = Spending(announce=self.said.append)

    def runtime(self, **settings) -> Runtime:
        usual = {"cache": self.folder, "spending": self.spending, "parallel": 4, "on_warning": self.warned.append}
        return Runtime(**usual | {"progress": lambda *step: self.progress.append(step)} | settings)

    def ask(self, questions, reader=read, *, schema=None, retries=2, reply_tokens=None, **settings):
        return ask(
            self.judge,
            questions,
            reader,
            schema=schema,
            retries=retries,
            runtime=self.runtime(**settings),
            reply_tokens=reply_tokens,
            clock=self.clock,
        )

    def asked(self) -> list[str]:
        return [body["messages"][-1]["content"] for body in self.server.requests]
