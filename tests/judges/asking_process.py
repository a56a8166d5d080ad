"""Ask a server in a process of its own, which the test kills: `python asking_process.py URL FOLDER COUNT PARALLEL`."""

from __future__ import annotations

import json
import sys

from assay.judges.ask import ask
from assay.judges.request import Message, Request, UnreadableReply
from assay.judges.server import Server
from assay.types.runtime import Runtime


def read(text: str) -> int:
    if not text.isdecimal():
        raise UnreadableReply(f"'{text}' is not a number")
    return int(text)


def requests(count: int) -> list[Request]:
    return [Request((Message("user", f"question {i % (count - 5)}"),)) for i in range(count)]


if __name__ == "__main__":
    url, folder, count, parallel = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    runtime = Runtime(cache=folder, parallel=parallel)
    answers = ask(Server(url, "made-up", 0.7), requests(count), read, retries=2, runtime=runtime)
    json.dump([[answer.value, answer.reason, answer.replies, answer.text] for answer in answers], sys.stdout)
