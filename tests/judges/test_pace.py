from __future__ import annotations

import queue
import time

import pytest

from assay.judges.pace import Clock, Pace, backed_off


def test_backing_off():
    assert [backed_off(n) for n in range(1, 9)] == [1, 2, 4, 8, 16, 32, 60, 60]


def test_one_request_goes_first_then_all():
    pace = Pace(8)
    assert pace.width == 1
    pace.answered(is_first=True)
    assert pace.width == 8


def test_an_overload_halves_and_answers_restore():
    pace = Pace(8)
    pace.answered(is_first=True)
    for width in (4, 2, 1, 1):
        pace.throttle()
        assert pace.width == width
    for _ in range(100):
        pace.answered(is_first=False)
    assert pace.width == 8


def test_a_rate_is_even():
    pace = Pace(8, rate=30)
    times, now = [], 5.0
    for _ in range(4):
        now += pace.wait(now)
        pace.sent(now)
        times.append(now)
    assert times == [5, 7, 9, 11]
    pace.sent(100)  # what was not used is not made up for
    assert pace.wait(100) == 2


def test_a_pause_is_for_all():
    pace = Pace(8)
    pace.pause(10, 5)
    pace.pause(10, 2)
    assert pace.wait(11) == 4
    assert pace.wait(16) == 0


def test_the_clock_takes_what_is_there():
    clock, done = Clock(), queue.SimpleQueue()
    start = clock.now()
    assert clock.take(done, 0.01, 1) == []
    assert clock.now() - start >= 0.009
    done.put(1)
    done.put(2)
    assert clock.take(done, 60, 2) == [1, 2]
    assert clock.now() == pytest.approx(time.monotonic(), abs=1)
