from __future__ import annotations

import threading

from assay.judges.pace import Clock
from assay.judges.reply import Reply
from assay.judges.workers import Workers


def test_replies_and_errors_come_back():
    left = []

    def send(job):
        if job == "bad":
            raise ValueError(job)
        return Reply(job)

    workers = Workers(send, lambda: left.append(threading.current_thread()), Clock())
    for job in ("a", "bad", "b"):
        workers.give(job)
    assert workers.busy == 3
    found = {}
    while workers.busy:
        found |= dict(workers.take(5))
    assert (found["a"], found["b"], str(found["bad"])) == (Reply("a"), Reply("b"), "bad")
    assert workers.received == {"a": Reply("a"), "b": Reply("b")}
    assert workers.under_way == set()
    workers.close()
    for thread in left:
        thread.join(5)


def test_no_more_threads_than_requests_at_a_time():
    started = threading.active_count()
    workers = Workers(Reply, lambda: None, Clock())
    for i in range(50):
        workers.give(str(i))
        workers.take(5)
    assert threading.active_count() <= started + 1
    workers.close()
