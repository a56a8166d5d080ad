"""Ask a language model many questions: each distinct one once, several at a time, and none again that was answered.

Every reply is written to the cache before anything else is done with it. A run that is interrupted or killed, or that
has used up its budget, goes on where it stopped: only what was under way at that moment is sent again.
"""

from __future__ import annotations

import hashlib
import heapq
import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from assay.errors import BudgetError, ServerError, option_name
from assay.judges.cost import Estimate
from assay.judges.faults import Failure, Refusal
from assay.judges.pace import Clock, Pace, backed_off
from assay.judges.reply import Reply, ReplyCache, open_replies
from assay.judges.request import Answer, Request, Schema, UnreadableReply
from assay.judges.server import Server
from assay.judges.workers import Outcome, Workers
from assay.types.note import plural
from assay.types.runtime import Runtime
from assay.types.spending import duration_text, usd_text

__all__ = ["ask"]

_ATTEMPTS = 6
_ATTEMPTS_IF_THROTTLED = 12
_ATTEMPTS_IF_TIMED_OUT = 3
_MAX_REFUSALS = 3  # before the first answer
_MAX_UNREADABLE = 20  # questions without a readable reply, before the first one with a readable one
_MAX_UNANSWERED = 3  # questions in a row, after that the server is down
_LONGEST_WAIT = 3600.0  # seconds that a server may ask to wait
_TICK = 1.0  # seconds between two reports of progress
_GRACE = 30.0  # seconds for requests under way, when a run is interrupted
_ELSE_DOWN = "does a language model answer at this address, and does its log say more?"
_BLOCK = 500  # questions that are looked up together
_SUFFIXES = re.compile(
    r"([-:@._](\d{4}-\d\d-\d\d|\d{3,8}|latest|preview|gguf|i?q\d(_\w+)?|b?f16|f32|fp?8|int[48]|awq|gptq))*"
)
"""What may follow the name of a model: dates and versions, and how the weights are stored."""

Value = TypeVar("Value")


@dataclass(slots=True, eq=False)
class _Question(Generic[Value]):
    """A distinct request, and how far it has come."""

    request: Request
    digest: bytes
    size: int
    tries: int = 0
    """Replies that could not be read."""
    failures: int = 0
    answered_before: int = 0
    """Answers of the server before the first failure."""
    answer: Answer[Value] | None = None

    @property
    def key(self) -> bytes:
        """The name of the next reply in the cache."""
        return hashlib.sha256(self.digest + self.tries.to_bytes(4, "little")).digest()

    @property
    def completed(self) -> Answer[Value]:
        """The answer, which every question has at the end: callers find answers by their position."""
        if self.answer is None:
            raise AssertionError("a question has no answer")
        return self.answer


def ask(
    server: Server,
    requests: Sequence[Request],
    read: Callable[[str], Value],
    *,
    schema: Schema | None = None,
    retries: int,
    runtime: Runtime,
    reply_tokens: int | None = None,
    next_tokens: int | None = None,
    clock: Clock | None = None,
) -> list[Answer[Value]]:
    """The answers to the requests, in their order.

    `read` takes the text of a reply and returns its value, or raises an `UnreadableReply`; then the model is asked
    again, up to `retries` times. `reply_tokens` is what a reply is expected to have, for the estimate of the cost;
    None: as many as it may have. `next_tokens`: each request is followed by a second one of about the same size, whose
    reply is expected to have so many; it counts in the estimate.

    A server that is down, that does not know the model or does not accept the key ends the run with an error. A request
    that the server refuses, or fails on while it answers others, has an answer without a value; it is not kept, and a
    later run sends it again.
    """
    questions: dict[bytes, _Question[Value]] = {}
    order = []
    for request in requests:
        digest, size = server.digest(request, schema)
        questions.setdefault(digest, _Question(request, digest, size))
        order.append(digest)
    with open_replies(runtime, server.model) as cache:
        run = _Run(server, list(questions.values()), read, schema, retries, runtime, cache, clock or Clock())
        run.estimate.reply_tokens = server.max_tokens if reply_tokens is None else reply_tokens
        run.finish(next_tokens)
    return [questions[digest].completed for digest in order]


class _Run(Generic[Value]):
    """The questions that `ask` was given, on their way to answers."""

    def __init__(
        self,
        server: Server,
        questions: list[_Question[Value]],
        read: Callable[[str], Value],
        schema: Schema | None,
        retries: int,
        runtime: Runtime,
        cache: ReplyCache | None,
        clock: Clock,
    ) -> None:
        self._server, self._questions, self._read, self._schema = server, questions, read, schema
        self._retries, self._runtime, self._cache, self._clock = retries, runtime, cache, clock
        self._pace = Pace(runtime.parallel, runtime.rate)
        if server.answered:
            self._pace.answered(is_first=True)
        self.estimate = Estimate(0, runtime.prices)
        self._fresh: deque[_Question[Value]] = deque()
        self._delayed: list[tuple[float, int, _Question[Value]]] = []
        """A heap of those that are sent again: when, and the place of the question."""
        self._places = {question.digest: place for place, question in enumerate(questions)}
        self._under_way: set[_Question[Value]] = set()
        self._done = self._replies = self._refusals = self._unanswered = 0
        self._unreadable = 0
        self._has_read = self._is_budget_spent = False

    def finish(self, next_tokens: int | None = None) -> None:
        """Answer all questions, from the cache or by the server."""
        self._find_in_cache()
        self._fresh.extend(question for question in self._questions if question.answer is None)
        if self._fresh:
            self._announce(next_tokens)
            self._report()
            self._send_all()
            if self._refusals and not self._replies:
                raise self._refused(next(each.answer.reason for each in self._questions if each.answer))

    def _find_in_cache(self) -> None:
        for first in range(0, len(self._questions), _BLOCK):
            block = self._questions[first : first + _BLOCK]
            while self._cache is not None and block:
                found = self._cache.find([question.key for question in block])
                kept = [(question, found[question.key]) for question in block if question.key in found]
                for question, reply in kept:
                    self._runtime.spent.from_cache += self._accept(question, reply)
                block = [question for question, _ in kept if question.answer is None]

    def _announce(self, next_tokens: int | None) -> None:
        """Say where texts go and what it will cost, and raise if that is too much."""
        server, runtime = self._server, self._runtime
        if not server.is_local and not server.answered:
            clear = "; so does the key, which others can read on its way" if server.sends_key_in_clear else ""
            runtime.spent.say(f"texts leave this computer: they go to {server.host}{clear}")
        if not runtime.prices:
            return
        size, count = sum(question.size for question in self._fresh), len(self._fresh)
        description, spent = self.estimate.describe(size, count, next_tokens), runtime.spent.usd(runtime.prices)
        if runtime.budget is not None and spent + self.estimate.usd(size, count, next_tokens) > runtime.budget:
            raise BudgetError(
                f"{description} is more than the budget of {usd_text(runtime.budget)}"
                + (f", of which {usd_text(spent)} has been spent" if spent else ""),
                hint=f"raise {option_name('budget')}, or score fewer segments",
            )
        runtime.spent.say(f"{description} to {server.model}")

    def _send_all(self) -> None:
        workers: Workers[_Question[Value]] = Workers(self._send, self._server.disconnect, self._clock)
        try:
            while (self._is_waiting and not self._is_budget_spent) or workers.busy:
                self._take(workers.take(self._dispatch(workers)), workers.received)
                self._report()
            if self._is_budget_spent:
                raise self._budget_error()
        except BaseException:
            self._save_under_way(workers)
            raise
        finally:
            workers.close()
            self._server.close()

    def _send(self, question: _Question[Value]) -> Reply:
        return self._server.send(question.request.messages, self._schema)

    def _dispatch(self, workers: Workers[_Question[Value]]) -> float:
        """Send what may be sent now, and return how long to wait for what comes back."""
        while self._is_waiting and not self._is_budget_spent and workers.busy < self._pace.width:
            now = self._clock.now()
            is_due = bool(self._delayed) and self._delayed[0][0] <= now
            wait = max(self._pace.wait(now), 0.0 if is_due or self._fresh else self._delayed[0][0] - now)
            if wait > 0:
                return min(wait, _TICK)
            question = self._delayed[0][2] if is_due else self._fresh[0]
            if not self._is_affordable(question):
                self._is_budget_spent = True
                break
            if is_due:
                heapq.heappop(self._delayed)
            else:
                self._fresh.popleft()
            self._under_way.add(question)
            self._pace.sent(now)
            workers.give(question)
        return _TICK

    @property
    def _is_waiting(self) -> bool:
        return bool(self._fresh or self._delayed)

    def _take(
        self, outcomes: Sequence[tuple[_Question[Value], Outcome]], received: dict[_Question[Value], Reply]
    ) -> None:
        """Write the replies to the cache, all that came at once together; then look at them."""
        replies = {question: outcome for question, outcome in outcomes if isinstance(outcome, Reply)}
        for question, reply in self._kept(replies, received):
            self._accept(question, reply)
        for question, outcome in outcomes:
            self._under_way.discard(question)
            if not isinstance(outcome, Reply):
                self._fail(question, outcome)

    def _kept(
        self, replies: dict[_Question[Value], Reply], received: dict[_Question[Value], Reply]
    ) -> list[tuple[_Question[Value], Reply]]:
        """The replies as the cache has them: of two runs at the same time, both use those of the first one."""
        if not replies:
            return []
        added = {question.key: reply for question, reply in replies.items()}
        kept = self._cache.add(added) if self._cache is not None else added
        for question, reply in replies.items():
            received.pop(question, None)
            self._count(question, reply)
        return [(question, kept[question.key]) for question in replies]

    def _count(self, question: _Question[Value], reply: Reply) -> None:
        server = self._server
        if not server.answered and server.accepts_schema is False:
            self._runtime.spent.say(f"{server.host} takes no JSON schema: replies are read without one")
        self._pace.answered(is_first=not server.answered)
        server.answered += 1
        self._unanswered = 0
        inputs, outputs, is_estimated = self.estimate.of_reply(question.size, reply)
        self._runtime.spent.add(inputs, outputs, is_estimated=is_estimated)

    def _accept(self, question: _Question[Value], reply: Reply) -> bool:
        """Read a reply, and return whether it is the first time.

        If it cannot be read, the question is asked again, or has no answer.
        """
        is_new = self._note(question.key, reply)
        self._replies += 1
        self.estimate.learn(question.size, reply)
        question.tries += 1
        question.failures = 0
        try:
            if reply.fault:
                raise UnreadableReply(reply.fault)
            self._answer(question, Answer(self._read(reply.text), replies=question.tries, text=reply.text))
            self._has_read = True
        except UnreadableReply as error:
            if question.tries > self._retries:
                self._answer(question, Answer(None, str(error), replies=question.tries, text=reply.text))
                self._count_unreadable(str(error))
            elif question in self._under_way:
                self._push(question, 0.0)
        return is_new

    def _count_unreadable(self, reason: str) -> None:
        """End a run that only costs: a model may not keep to the form, or refuse, whatever it is asked."""
        self._unreadable += 1
        if self._unreadable >= _MAX_UNREADABLE and not self._has_read:
            raise ServerError(
                f"none of the first {self._unreadable} questions has a reply that can be read: {reason}",
                path=self._server.url,
                hint=f"try another model or prompt, or more retries; {self._kept_text()}",
            )

    def _note(self, key: bytes, reply: Reply) -> bool:
        """Count the reply, and warn of a model with another name than the one that was asked for."""
        server, runtime = self._server, self._runtime
        if reply.model and not server.replies[reply.model]:
            others = [name for name in server.replies if name]
            if others:
                runtime.warn(f"replies come from several models: {', '.join((*others, reply.model))}")
            elif not _is_same_model(server.model, reply.model):
                runtime.warn(f"the server says that it used '{reply.model}', not '{server.model}'")
        return server.note(key, reply, is_structure_wanted=self._schema is not None)

    def _answer(self, question: _Question[Value], answer: Answer[Value]) -> None:
        question.answer = answer
        self._done += 1

    def _push(self, question: _Question[Value], ready: float) -> None:
        heapq.heappush(self._delayed, (ready, self._places[question.digest], question))

    def _fail(self, question: _Question[Value], error: BaseException) -> None:
        """Send it again later, leave it without a value, or end the run."""
        if isinstance(error, Refusal):
            self._refusals += 1
            self._answer(question, Answer(None, str(error), replies=question.tries))
            if not self._replies and self._refusals >= _MAX_REFUSALS:
                raise self._refused(str(error))
        elif not isinstance(error, Failure):
            raise error
        elif error.is_unreachable and not self._server.answered:
            raise self._down(str(error), error)
        else:
            self._try_again(question, error)

    def _try_again(self, question: _Question[Value], failure: Failure) -> None:
        if not question.failures or (failure.is_throttled and self._server.answered > question.answered_before):
            question.failures, question.answered_before = 0, self._server.answered
        question.failures += 1
        if question.failures >= _attempts(failure):
            return self._give_up(question, failure)
        wait, now = failure.wait or backed_off(question.failures), self._clock.now()
        if wait > _LONGEST_WAIT:
            raise self._down(f"{failure}; it asks to wait for {duration_text(wait)}", failure)
        if failure.is_throttled:
            self._pace.throttle()
        if failure.is_throttled or not self._server.answered:  # nothing else is sent meanwhile
            self._pace.pause(now, wait)
            now = wait = 0.0
        return self._push(question, now + wait)

    def _give_up(self, question: _Question[Value], failure: Failure) -> None:
        """A few questions may have no answer; if no other one has, the server is down."""
        self._unanswered += 1
        is_alone = self._replies and self._unanswered <= _MAX_UNANSWERED
        if failure.is_throttled or failure.is_unreachable or not is_alone:
            raise self._down(f"{failure} ({question.failures} times)", failure)
        reason = f"no reply: {failure} ({question.failures} times)"
        self._answer(question, Answer(None, reason, replies=question.tries))

    def _is_affordable(self, question: _Question[Value]) -> bool:
        """Whether it can be sent within the budget, if everything under way costs what is expected."""
        budget, prices = self._runtime.budget, self._runtime.prices
        if budget is None:
            return True
        size = question.size + sum(each.size for each in self._under_way)
        return self._runtime.spent.usd(prices) + self.estimate.usd(size, len(self._under_way) + 1) <= budget

    def _budget_error(self) -> BudgetError:
        spent, budget = self._runtime.spent.usd(self._runtime.prices), self._runtime.budget or 0.0
        left = [question for question in self._questions if question.answer is None]
        more = self.estimate.describe(sum(each.size for each in left), len(left))
        return BudgetError(
            f"the budget of {usd_text(budget)} is used up: {usd_text(spent)} has been spent, and {len(left):,} of "
            f"{plural(len(self._questions), 'request')} are left",
            hint=f"run it again to go on, with {option_name('budget')} for the others alone, which cost {more}: "
            f"{self._kept_text()}",
        )

    def _refused(self, said: str) -> ServerError:
        return ServerError(f"the server refuses the requests: {said}", path=self._server.url)

    def _down(self, said: str, failure: Failure) -> ServerError:
        hint = "is it running, and is this its address?" if failure.is_unreachable else _ELSE_DOWN
        if failure.is_throttled:
            hint = f"it limits requests: try {option_name('rate')} or a smaller {option_name('parallel')}"
        if self._server.answered or self._done:
            hint = f"run it again later: {self._kept_text()}"
        return ServerError(said, path=self._server.url, hint=hint)

    def _kept_text(self) -> str:
        return "what was answered is kept" if self._cache is not None else "nothing could be kept"

    def _save_under_way(self, workers: Workers[_Question[Value]]) -> None:
        """Keep the replies to what is under way: it will be paid for. A second Ctrl-C does not wait."""
        try:
            if workers.under_way and self._server.answered:
                waited_for = plural(len(workers.under_way), "request")
                self._runtime.spent.say(f"waiting for {waited_for} under way (Ctrl-C: do not wait)")
            deadline = self._clock.now() + (_GRACE if self._server.answered else 0.0)
            while workers.under_way and (left := deadline - self._clock.now()) > 0:
                workers.take(min(left, _TICK))
        finally:
            self._kept(dict(workers.received), workers.received)

    def _report(self) -> None:
        runtime = self._runtime
        detail = runtime.spent.describe_shortly(runtime.prices) if runtime.spent.requests else ""
        task = f"asking {self._server.model}"
        runtime.report(f"{task}; {detail}" if detail else task, self._done, len(self._questions))


def _attempts(failure: Failure) -> int:
    if failure.is_throttled:
        return _ATTEMPTS_IF_THROTTLED
    return _ATTEMPTS_IF_TIMED_OUT if failure.is_timeout else _ATTEMPTS


def _is_same_model(wanted: str, reported: str) -> bool:
    """Whether the names differ by no more than a folder, a date, a version or a file format.

    `gpt-4o` and `gpt-4o-2024-08-06` are the same, `gpt-4o` and `gpt-4o-mini` are not.
    """
    short, long = sorted((name.casefold().rpartition("/")[2] for name in (wanted, reported)), key=len)
    return long.startswith(short) and bool(_SUFFIXES.fullmatch(long[len(short) :]))
