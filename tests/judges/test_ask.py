"""Each question once, several at a time, within limits, and none twice."""

from __future__ import annotations

import re
import sqlite3
import threading
import time
from contextlib import closing

import pytest

from assay.console import _ProgressLine
from assay.errors import BudgetError, ConfigError
from assay.judges.reply import ReplyCache
from assay.judges.request import Message, Request
from assay.judges.server import Server
from assay.types.runtime import Runtime
from tests.chat_server import Step, chat_server, error
from tests.judges.asking import SCHEMA, Asking, echoes, requests, values


def test_answers_come_in_the_order_of_the_requests(asking):
    asking.server.answer = lambda body: time.sleep(0.002 * (hash(str(body)) % 5)) or f"echo {body['messages'][0]}"
    answers = asking.ask(requests(40))
    assert [re.search(r"QUESTION (\d+)", answer.value)[1] for answer in answers] == [str(i) for i in range(40)]
    assert all((answer.replies, answer.reason) == (1, "") for answer in answers)


def test_equal_requests_are_sent_once(asking):
    answers = asking.ask([*requests(3), *requests(3), *requests(2)])
    assert len(asking.server.requests) == 3
    assert [answer.text for answer in answers[3:6]] == [answer.text for answer in answers[:3]]
    assert asking.progress[-1][1:] == (3, 3)


def test_nothing_is_asked_without_a_question(asking):
    assert asking.ask([]) == []
    assert asking.server.paths == []


def test_votes_are_requests_of_their_own(asking):
    count = iter(range(100))
    asking.server.answer = lambda body: f"echo {next(count)}"
    answers = asking.ask([*requests(1, vote=0), *requests(1, vote=1), *requests(1, vote=2)], parallel=1)
    assert [answer.value for answer in answers] == ["ECHO 0", "ECHO 1", "ECHO 2"]


def test_a_second_run_asks_nothing(asking):
    first = asking.ask(requests(30), schema=SCHEMA)
    asking.server.shutdown()  # nobody needs to listen
    assert asking.ask(requests(30), schema=SCHEMA) == first
    assert len(asking.server.requests) == 30
    assert asking.spending.from_cache == 0  # what this run has paid for
    asking.judge = Server(asking.server.url, "made-up")
    assert asking.ask(requests(30), schema=SCHEMA) == first
    assert asking.spending.from_cache == 30
    assert asking.judge.reported_model == "made-up"


@pytest.mark.parametrize(
    ("settings", "schema"),
    [({"model": "other"}, None), ({"temperature": 0.5}, None), ({"max_tokens": 9}, None), ({}, SCHEMA)],
)
def test_what_a_reply_depends_on_is_in_the_key(asking, settings, schema):
    asking.ask(requests(3))
    asking.judge = Server(**{"url": asking.server.url, "model": "made-up"} | settings)
    asking.ask(requests(3), schema=schema)
    assert len(asking.server.requests) == 6


def test_equal_numbers_have_one_key(asking):
    asking.judge = Server(asking.server.url, "made-up", 1)
    asking.ask(requests(1))
    asking.judge = Server(asking.server.url, "made-up", 1.0)
    asking.ask(requests(1))
    assert len(asking.server.requests) == 1


def test_roles_and_the_borders_of_messages_are_in_the_key(asking):
    judge = asking.judge
    conversations = [
        (Message("user", "ab"),),
        (Message("system", "ab"),),
        (Message("user", "a"), Message("user", "b")),
        (Message("user", "a"), Message("user", "b"), Message("user", "")),
    ]
    digests = {judge.digest(Request(messages), None)[0] for messages in conversations}
    assert len(digests) == len(conversations)


def test_replies_of_one_server_are_not_those_of_another(asking):
    """Local servers often ignore the name of the model: two of them may have different ones by the same name."""
    asking.ask(requests(3))
    with chat_server() as other:
        asking.judge = Server(other.url, "made-up")
        asking.ask(requests(3))
        assert len(other.requests) == 3
    asking.judge = Server(f"{asking.server.url}/", "made-up")
    assert values(asking.ask(requests(3))) == echoes(3)
    assert len(asking.server.requests) == 3


def test_replies_are_kept_where_the_user_keeps_things(asking, monkeypatch, tmp_path):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "usual"))
    asking.ask(requests(2), cache=None)
    (file,) = (tmp_path / "usual").rglob("*.sqlite")
    assert file.name == "made-up.sqlite"


def test_a_cache_that_cannot_be_written_does_not_end_a_run(asking, tmp_path):
    (tmp_path / "file").touch()
    assert values(asking.ask(requests(3), cache=tmp_path / "file")) == echoes(3)
    assert "results are not cached; an interrupted run starts over" in asking.warned[0]


def test_of_two_runs_at_the_same_time_both_use_the_replies_of_the_first(asking, tmp_path):
    """The server answers at random; what the other run has stored meanwhile counts."""
    count = iter(range(100))
    other = Asking(asking.server, tmp_path)

    def answer(body):
        number = next(count)
        if number == 0:
            other_answers.extend(other.ask(requests(1)))
        return f"echo {number}"

    other_answers = []
    asking.server.answer = answer
    assert asking.ask(requests(1)) == other_answers
    assert other_answers[0].value == "ECHO 1"


def test_texts_that_utf8_cannot_write(asking):
    asking.server.answer = lambda body: "echo \ud800 😀"
    (answer,) = asking.ask([Request((Message("user", "\udcff"),))])
    assert answer.text == "echo ? 😀"


def test_an_error_of_the_reader_is_no_unreadable_reply(asking):
    def broken(text):
        raise ZeroDivisionError(text)

    with pytest.raises(ZeroDivisionError):
        asking.ask(requests(5), broken)
    asking.server.requests.clear()
    asking.ask(requests(1))
    assert asking.server.requests == []  # the reply was kept nevertheless


def test_the_first_request_goes_alone(asking):
    together = []
    asking.server.answer = lambda body: together.append(asking.server.busy) or "echo"
    asking.server.delay = 0.02
    asking.ask(requests(16), parallel=8)
    assert together[0] == 1
    assert asking.server.busiest == 8


@pytest.mark.parametrize("parallel", [1, 3])
def test_requests_at_a_time(asking, parallel):
    asking.server.delay = 0.01
    asking.ask(requests(12), parallel=parallel)
    assert asking.server.busiest == parallel


def test_the_rate(asking):
    asking.ask(requests(31), rate=60)
    assert asking.clock.time == pytest.approx(30)
    asking.clock.time = 0
    asking.ask(requests(31))
    assert asking.clock.time == 0  # all in the cache


def test_retries_count_for_the_rate(asking):
    asking.server.script += [Step(text="no"), Step(text="no")]
    asking.ask(requests(2), rate=6)
    assert asking.clock.time == pytest.approx(30)


def test_progress_has_time_left_and_cost(asking, monkeypatch, capsys):
    """At a request a second, as a terminal shows it."""
    monkeypatch.setattr("time.monotonic", asking.clock.now)
    monkeypatch.setenv("COLUMNS", "100")
    line = _ProgressLine(is_terminal=True)
    asking.server.delay = 0.001
    runtime = asking.runtime
    asking.runtime = lambda **settings: runtime(progress=line.show, **settings)
    asking.ask(requests(100), rate=60, prices=(1000, 5000))
    shown = capsys.readouterr().err.split("\r\x1b[K")
    assert "asking made-up: 11 of 100 done (1.0 per second, 1 min 2" in "".join(shown).replace("1.1 per", "1.0 per")
    assert shown[-1].startswith("asking made-up: 99 of 100 done (1.0 per second, 1 s left); 1.68 USD")


def test_progress_may_interrupt(asking):
    class Enough(Exception):
        pass

    def progress(task, done, total):
        if done == 10:
            raise Enough

    with pytest.raises(Enough):
        asking.ask(requests(50), progress=progress)
    answered = len(asking.server.answered)
    asking.ask(requests(50))
    assert answered >= 10
    assert len(asking.server.requests) == 50  # nothing twice


def test_an_interruption_waits_for_what_is_under_way(asking):
    delays = {"question 0": 0.0, "question 1": 0.1}
    asking.server.refuse = lambda body: Step(delay=delays.get(body["messages"][0]["content"], 0.4))

    def progress(task, done, total):
        if len(asking.server.requests) >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asking.ask(requests(50), progress=progress)
    assert len(asking.server.requests) == 5
    assert asking.said == ["waiting for 3 requests under way (Ctrl-C: do not wait)"]
    asking.server.refuse = lambda body: None
    asking.ask(requests(50))
    assert len(asking.server.requests) == 50


def test_an_interruption_while_replies_are_written(asking, monkeypatch):
    """SQLite undoes the transaction; the replies are written again."""
    add, calls = ReplyCache.add, []

    def interrupted(cache, results):
        calls.append(dict(results))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return add(cache, results)

    monkeypatch.setattr(ReplyCache, "add", interrupted)
    with pytest.raises(KeyboardInterrupt):
        asking.ask(requests(50))
    monkeypatch.undo()
    asked = len(asking.server.requests)
    asking.ask(requests(50))
    assert len(asking.server.requests) == 50
    assert asked < 50


def test_the_estimate_refuses_before_the_first_request(asking):
    with pytest.raises(BudgetError) as caught:
        asking.ask(requests(1000), prices=(2.5, 10), budget=1, reply_tokens=200)
    assert asking.server.paths == []
    assert caught.value.exit_code == ConfigError.exit_code == 2
    assert re.fullmatch(
        r"about 2\.\d\d USD for 1,000 requests \([\d,]+ tokens read, 200,000 written\) is more than the budget of "
        r"1\.00 USD",
        caught.value.message,
    )
    assert "budget" in caught.value.hint


def test_the_estimate_is_said_before_the_first_request(asking):
    asking.ask(requests(10), prices=(2.5, 10), reply_tokens=3)
    assert re.fullmatch(
        r"about 0\.00\d+ USD for 10 requests \([\d,]+ tokens read, 30 written\) to made-up", asking.said[0]
    )
    asking.said.clear()
    asking.ask(requests(10), prices=(2.5, 10), reply_tokens=3)
    assert asking.said == []  # nothing is to be paid
    asking.ask(requests(110), prices=(2.5, 10), reply_tokens=900)
    assert "for 100 requests (204 tokens read, 300 written)" in asking.said[0]  # as the replies in the cache were


def test_a_run_stops_before_it_passes_the_budget(asking):
    """A reply takes a hundred times what was expected. One that is under way is counted with what is known so far."""
    usage = {"prompt_tokens": 1000, "completion_tokens": 300}
    asking.server.refuse = lambda body: Step(fields={"usage": usage})
    with pytest.raises(BudgetError) as caught:
        asking.ask(requests(100, start=100), prices=(1000, 1000), budget=20, reply_tokens=3, parallel=2)
    assert caught.value.exit_code == 2
    assert asking.spending.usd((1000, 1000)) == pytest.approx(19.5)  # 15 requests of 1.30
    assert "the budget of 20.00 USD is used up: 19.50 USD has been spent" in caught.value.message
    assert "85 of 100 requests are left" in caught.value.message
    assert "what was answered is kept" in caught.value.hint
    assert "about 110.50 USD for 85 requests" in caught.value.hint
    asking.spending.__init__()
    assert all(
        answer.value for answer in asking.ask(requests(100, start=100), prices=(1000, 1000), budget=111, reply_tokens=3)
    )
    assert len(asking.server.requests) == 100


def test_the_budget_is_that_of_all_calls_with_one_runtime(asking):
    usage = {"prompt_tokens": 1000, "completion_tokens": 0}
    asking.server.refuse = lambda body: Step(fields={"usage": usage})
    runtime = asking.runtime(prices=(1000, 1000), budget=12)
    asking.runtime = lambda: runtime
    asking.ask(requests(10), reply_tokens=1)
    with pytest.raises(BudgetError, match=r"of which 10\.00 USD has been spent"):
        asking.ask(requests(10, start=50, vote=1), reply_tokens=1000)


def test_a_budget_needs_prices():
    with pytest.raises(ConfigError, match="budget needs prices"):
        Runtime(budget=3)
    for prices in [(1,), (1, 2, 3), (1, -2), "1", "x,1", "nan,1"]:
        with pytest.raises(ConfigError, match="prices must be"):
            Runtime(prices=prices)
    assert Runtime(prices="2.5,10").prices == Runtime(prices=[2.5, 10]).prices == (2.5, 10.0)


def test_a_remote_server_is_announced(asking, monkeypatch):
    monkeypatch.setattr(Server, "is_local", property(lambda self: False))
    asking.ask(requests(3))
    asking.ask(requests(6))
    assert asking.said == ["texts leave this computer: they go to 127.0.0.1"]
    asking.said.clear()
    asking.judge = Server(asking.server.url, "made-up")
    monkeypatch.setenv("ASSAY_JUDGE_KEY", "a-key")
    asking.ask(requests(9))
    assert asking.said[0].endswith("go to 127.0.0.1; so does the key, which others can read on its way")


def test_only_what_was_named_is_contacted(asking):
    asking.ask(requests(5), schema=SCHEMA)
    assert set(asking.server.paths) == {"/v1/chat/completions"}


def test_a_damaged_reply_is_asked_for_again(asking, tmp_path):
    first = asking.ask(requests(3))
    (file,) = tmp_path.rglob("*.sqlite")
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE results SET reply = x'7b7d'")
    assert asking.ask(requests(3)) == first
    assert "the cache cannot be read: it is damaged" in asking.warned[0]


def test_threads_end(asking):
    asking.ask(requests(20))

    def left():
        return [thread for thread in threading.enumerate() if "_work" in thread.name]

    deadline = time.monotonic() + 10
    while left() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert left() == []


def test_a_question_is_not_starved_by_others(asking):
    """A request that fails is sent again when its pause is over, before the others are all done."""
    asking.server.script += [Step(), error(500, "odd")]
    asking.ask(requests(100), rate=60, parallel=1)
    assert asking.asked().index("question 1", 2) < 6
