"""A process that is killed loses nothing that was answered, and pays for nothing twice."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

import assay
from tests.chat_server import ChatServer, Step, chat_server, error
from tests.ctrl_c import restore
from tests.judges import asking_process

COUNT = 120
KILLS = 20


def start(server: ChatServer, folder: Path, parallel: int, count: int = COUNT) -> subprocess.Popen[bytes]:
    source = Path(assay.__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": f"{source}:{os.environ.get('PYTHONPATH', '')}"}
    arguments = [server.url, str(folder), str(count), str(parallel)]
    return subprocess.Popen(
        [sys.executable, asking_process.__file__, *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=restore,
    )


def misbehave(server: ChatServer) -> None:
    """Some replies can never be read, and some requests fail at first: always the same ones.

    A reply depends on the question alone: a server cannot know which of its replies were lost.
    """
    failed: Counter[str] = Counter()

    def refuse(body):
        question = body["messages"][0]["content"]
        if hash_of(question) % 11 == 0 and not failed[question]:
            failed[question] += 1
            return error(500, "out of luck")
        return None

    def answer(body):
        question = body["messages"][0]["content"]
        return "never" if hash_of(question) % 7 == 0 else str(hash_of(question))

    server.refuse, server.answer = refuse, answer


def hash_of(text: str) -> int:
    return sum(ord(c) * i for i, c in enumerate(text, 1))


def stored(folder: Path) -> int:
    """How many replies are in the cache."""
    files = list(folder.rglob("*.sqlite"))
    if not files:
        return 0
    with closing(sqlite3.connect(files[0], timeout=30)) as database:
        try:
            return int(database.execute("SELECT count(*) FROM results").fetchone()[0])
        except sqlite3.OperationalError:  # no table yet
            return 0


def questions(bodies: list[dict]) -> Counter[str]:
    return Counter(body["messages"][0]["content"] for body in bodies)


def undisturbed(folder: Path) -> tuple[bytes, Counter[str]]:
    with chat_server() as server:
        misbehave(server)
        done = start(server, folder, 4)
        output, errors = done.communicate(timeout=60)
        assert done.returncode == 0, errors.decode()
        return output, questions(server.answered)


@pytest.mark.slow
@pytest.mark.parametrize("parallel", [1, 4])
def test_twenty_kills(tmp_path, parallel):
    """After each kill, the replies in the cache are counted. None of them is ever asked for again.

    A reply that was on its way when the process died is lost; the server counts it as answered. There are at most as
    many of them as requests at a time, for each kill.
    """
    expected, needed = undisturbed(tmp_path / "undisturbed")
    rng = random.Random(parallel)
    folder = tmp_path / "killed"
    lost = kills = 0
    with chat_server() as server:
        misbehave(server)
        server.delay = 0.012 * parallel
        while kills < KILLS:
            before, kept = len(server.answered), stored(folder)
            process = start(server, folder, parallel)
            until = time.monotonic() + 30
            while len(server.answered) - before < rng.randint(1, 5) and time.monotonic() < until:
                time.sleep(0.001)
            time.sleep(rng.random() * 0.03)
            assert process.poll() is None, process.communicate()[1].decode()
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += 1
            time.sleep(0.012 * parallel + 0.02)  # the server finishes what it was asked
            new = len(server.answered) - before
            lost_now = new - (stored(folder) - kept)
            assert 0 <= lost_now <= parallel
            lost += lost_now
        server.delay = 0
        process = start(server, folder, parallel)
        output, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors.decode()
        answered = questions(server.answered)
    assert output == expected
    assert sum(needed.values()) > COUNT  # with those that could not be read
    extra = answered - needed
    assert needed - answered == Counter()
    assert sum(extra.values()) == lost <= KILLS * parallel  # what was on its way, and nothing else
    assert stored(folder) == sum(needed.values())
    print(f"{sum(answered.values())} answers, {lost} lost on their way in {kills} kills")  # noqa: T201


def test_a_killed_run_goes_on_where_it_stopped(tmp_path):
    """One kill at a moment that is known: nothing is under way but one request, which the server never answers."""
    with chat_server() as server:
        server.answer = lambda body: "1"
        server.refuse = lambda body: Step(delay=2.0) if len(server.answered) >= 20 else None
        process = start(server, tmp_path, 1)
        until = time.monotonic() + 30
        while len(server.requests) < 21 and time.monotonic() < until:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert stored(tmp_path) == 20
        server.refuse = lambda body: None
        output, _ = start(server, tmp_path, 1).communicate(timeout=60)
        assert [row[0] for row in json.loads(output)] == [1] * COUNT
        assert len(server.requests) == COUNT - 5 + 1  # the last one of the killed run again


def test_ctrl_c_loses_nothing(tmp_path):
    """SIGINT at any moment: what is under way is waited for, and kept."""
    with chat_server() as server:
        server.answer, server.delay = (lambda body: "1"), 0.05
        for moment in (3, 9):
            process = start(server, tmp_path, 4)
            until = time.monotonic() + 30
            while len(server.answered) < moment and time.monotonic() < until:
                time.sleep(0.001)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=30)
            assert b"KeyboardInterrupt" in errors
            assert stored(tmp_path) == len(server.answered) == len(server.requests)
        server.delay = 0
        output, _ = start(server, tmp_path, 4).communicate(timeout=60)
        assert [row[0] for row in json.loads(output)] == [1] * COUNT
        assert len(server.requests) == COUNT - 5
