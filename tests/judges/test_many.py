"""A hundred thousand requests at one request a second: more than a day."""

from __future__ import annotations

import resource
import time

import pytest

from assay.console import _ProgressLine
from assay.judges.ask import ask
from assay.judges.reply import Reply, ReplyCache
from assay.judges.request import Message, Request
from assay.judges.server import Server
from assay.types.runtime import Runtime
from assay.types.spending import Spending
from tests.judges.made_up_clock import MadeUpClock

PROMPT = "Judge the translation. " * 60  # 1,400 characters


class FastServer(Server):
    """Answers at once, without a network."""

    def __init__(self):
        super().__init__("http://127.0.0.1:9/v1", "made-up")
        self.sent = []

    def send(self, messages, schema):
        if not self.sent:
            self.first = time.perf_counter()
        self.sent.append(messages[-1].content)
        return Reply(f"{len(self.sent)}: fine", model="made-up", input_tokens=300, output_tokens=20)


@pytest.mark.parametrize("count", [3000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_many_requests(tmp_path, monkeypatch, capsys, count):
    monkeypatch.setattr(
        ReplyCache, "tables", ("PRAGMA synchronous = OFF", "PRAGMA journal_mode = MEMORY", *ReplyCache.tables)
    )
    system = Message("system", PROMPT)
    requests = [Request((system, Message("user", f"output {i}"))) for i in range(count)]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    monkeypatch.setenv("COLUMNS", "100")
    clock, server, said = MadeUpClock(), FastServer(), []
    monkeypatch.setattr("time.monotonic", clock.now)
    line, interrupted_at = _ProgressLine(is_terminal=True), count // 2

    def progress(task, done, total):
        if done < 50 or done > total - 50 or done % 10_000 == 0:
            line.show(task, done, total)
        if done == interrupted_at:
            raise KeyboardInterrupt

    runtime = Runtime(
        cache=tmp_path, rate=60, prices=(2, 10), budget=200, progress=progress, spending=Spending(announce=said.append)
    )
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        ask(server, requests, str.upper, retries=2, runtime=runtime, reply_tokens=20, clock=clock)
    assert server.first - start < 1 + count / 10_000  # digests and the estimate come before
    assert said[0].startswith("about ")
    sent, seconds = len(server.sent), clock.time
    assert interrupted_at <= sent <= interrupted_at + 1
    assert seconds == pytest.approx(sent - 1)
    interrupted_at = -1
    again = Runtime(cache=tmp_path, rate=60, progress=progress)
    answers = ask(server, requests, str.upper, retries=2, runtime=again, clock=clock)
    assert len(server.sent) == len(set(server.sent)) == count  # nothing was lost, and nothing asked for twice
    assert [answer.value for answer in answers] == [f"{i}: FINE" for i in range(1, count + 1)]
    assert again.spent.from_cache == 0  # the same server: these are known
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) / 1024
    assert grown < 100 + count / 250  # MB: 500 for 100,000 requests
    shown = capsys.readouterr().err.replace("\r\x1b[K", "\n")
    hours, minutes = divmod(round((count - 31) / 60), 60)
    assert f"asking made-up: 31 of {count:,} done (1.0 per second, {f'{hours} h ' * (hours > 0)}{minutes} min" in shown
    assert "30 of" in shown
    assert "; 0.025 USD" in shown
    print(f"{count} requests: first after {server.first - start:.1f} s, {grown:.0f} MB more")  # noqa: T201
