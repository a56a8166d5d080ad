"""A server that fails in all the ways that servers fail."""

from __future__ import annotations

import json
import socket
import time
from email.utils import formatdate

import pytest

from assay.errors import ConfigError, ServerError, UnknownNameError
from assay.judges.faults import error_text
from assay.judges.server import Server
from tests.chat_server import Step, error
from tests.judges.asking import SCHEMA, echoes, requests, values

BROKEN = Step(body=b'{"choices": [{"mess')
FLAWED = {
    "broken JSON": BROKEN,
    "a truncated body": Step(cut=40),
    "an empty body": Step(body=b""),
    "a web page": Step(body=b"<html>hello</html>"),
    "JSON of another kind": Step(body=b"[1, 2]"),
    "empty choices": Step(fields={"choices": []}),
    "no choices": Step(fields={"choices": None}),
    "no message": Step(fields={"choices": [{"text": "old"}]}),
    "content that is not text": Step(fields={"choices": [{"message": {"content": 7}}]}),
    "an error with status 200": Step(body=b'{"error": {"message": "upstream failed"}}'),
    "500": error(500, "out of luck"),
    "500 without a word": Step(status=500, body=b""),
    "502": Step(status=502, body=b"<html>Bad Gateway</html>"),
    "503": error(503, "loading the model"),
    "408": error(408, "too slow"),
    "429": error(429, "rate limit reached"),
}


@pytest.mark.parametrize("name", FLAWED)
def test_a_request_that_fails_is_sent_again(asking, name):
    asking.server.script += [Step(), FLAWED[name], FLAWED[name]]
    answers = asking.ask(requests(2), parallel=1)
    assert [answer.value for answer in answers] == ["ECHO QUESTION 0", "ECHO QUESTION 1"]
    assert len(asking.server.requests) == 4
    assert sum(asking.clock.waits) == 3  # one second, then two
    assert asking.warned == []


@pytest.mark.parametrize("name", FLAWED)
def test_a_server_that_only_fails_ends_the_run(asking, name):
    asking.server.refuse = lambda body: FLAWED[name]
    with pytest.raises(ServerError) as caught:
        asking.ask(requests(100))
    assert caught.value.message.startswith(f"{asking.server.url}: ")
    assert "times)" in caught.value.message
    throttled = name in ("429", "503")
    assert ("is it running" in caught.value.hint, "limits requests" in caught.value.hint) == (False, throttled)
    assert set(asking.asked()) == {"question 0"}  # one request, not a hundred
    assert len(asking.server.requests) == (12 if throttled else 6)


def test_a_question_that_the_server_fails_on_has_no_value(asking):
    asking.server.refuse = lambda body: error(500, "odd") if body["messages"][0]["content"] == "question 3" else None
    answers = asking.ask(requests(20))
    assert [answer.value is None for answer in answers] == [i == 3 for i in range(20)]
    assert answers[3].reason == "no reply: the server answered 500 Internal Server Error: odd (6 times)"
    asking.server.refuse = lambda body: None
    assert asking.ask(requests(20))[3].value == "ECHO QUESTION 3"  # a failure is not kept
    assert asking.asked()[-1:] == ["question 3"]


def test_a_server_that_breaks_down_in_mid_run(asking):
    asking.server.refuse = lambda body: error(500, "odd") if len(asking.server.answered) >= 10 else None
    with pytest.raises(ServerError) as caught:
        asking.ask(requests(100))
    assert "odd (6 times)" in caught.value.message
    assert caught.value.hint == "run it again later: what was answered is kept"
    asking.server.refuse = lambda body: None
    kept = len(asking.server.answered)
    asking.server.requests.clear()
    assert values(asking.ask(requests(100))) == echoes(100)
    assert len(asking.server.requests) == 100 - kept


def test_retry_after_is_honoured(asking):
    asking.server.script += [Step(), error(429, "wait", Retry_After="17")]
    asking.ask(requests(2), parallel=1)
    assert sum(asking.clock.waits) == 17


def test_retry_after_as_a_date(asking):
    now = time.time()
    headers = {"Retry_After": formatdate(now + 90, usegmt=True), "Date": formatdate(now, usegmt=True)}
    asking.server.script += [Step(), error(503, "wait", **headers)]
    asking.ask(requests(2), parallel=1)
    assert 88 <= sum(asking.clock.waits) <= 92


@pytest.mark.parametrize("after", ["soon", "", "-5", "9" * 400, "nan", "Thu, 99 Nov 2026 00:00:00 GMT"])
def test_a_retry_after_that_cannot_be_read(asking, after):
    asking.server.script += [Step(), error(429, "wait", Retry_After=after)]
    assert values(asking.ask(requests(2), parallel=1)) == echoes(2)
    assert sum(asking.clock.waits) == 1


def test_a_wait_of_hours_ends_the_run(asking):
    asking.server.script += [Step(), error(429, "daily limit", Retry_After="36000")]
    with pytest.raises(ServerError, match="daily limit; it asks to wait for 10 h"):
        asking.ask(requests(20), parallel=1)


def test_an_overloaded_server_is_asked_more_slowly(asking):
    """429 for half of the requests, for as long as it likes: nothing is lost, and the run does not end."""
    count = iter(range(10**6))
    asking.server.refuse = lambda body: error(429, "slow down") if next(count) % 2 else None
    assert values(asking.ask(requests(60))) == echoes(60)
    assert asking.server.busiest <= 4


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize(("key", "what"), [("", "needs a key"), ("some-key", "does not accept the key")])
def test_a_wrong_key(asking, monkeypatch, status, key, what):
    monkeypatch.setenv("ASSAY_JUDGE_KEY", key)
    asking.server.refuse = lambda body: error(status, "Incorrect API key provided")
    with pytest.raises(ConfigError) as caught:
        asking.ask(requests(100))
    assert f"the server {what}: " in caught.value.message
    assert "Incorrect API key provided" in caught.value.message
    assert "ASSAY_JUDGE_KEY" in caught.value.hint
    assert len(asking.server.requests) == 1


def test_no_credit(asking):
    body = json.dumps({"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}).encode()
    asking.server.script += [Step(), Step(status=429, body=body)]
    with pytest.raises(ServerError, match=r"no credit is left.*You exceeded your quota"):
        asking.ask(requests(100), parallel=1)
    assert len(asking.server.requests) == 2


def test_an_unknown_model(asking):
    asking.server.models = ["llama-3-8b", "qwen"]
    asking.server.refuse = lambda body: error(404, "no such thing")
    asking.judge = Server(asking.server.url, "llama-3-9b")
    with pytest.raises(UnknownNameError) as caught:
        asking.ask(requests(100))
    assert caught.value.message == f"{asking.server.url} has no model 'llama-3-9b'"
    assert caught.value.hint == "did you mean 'llama-3-8b'?"
    assert len(asking.server.requests) == 1


def test_a_model_that_is_listed_and_not_found(asking):
    """The server lists the model, and still has none: no other name can be the right one."""
    asking.server.models = ["made-up"]
    asking.server.refuse = lambda body: error(404, "model not loaded")
    with pytest.raises(UnknownNameError) as caught:
        asking.ask(requests(1))
    assert caught.value.hint == "model not loaded"


def test_a_wrong_address(asking):
    asking.server.models = None
    asking.judge = Server(asking.server.url.removesuffix("/v1"), "made-up")
    with pytest.raises(ServerError) as caught:
        asking.ask(requests(100))
    assert "there is no /chat/completions here (404)" in caught.value.message
    assert "usually ends in /v1" in caught.value.hint


def test_nobody_listens(asking):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    asking.judge = Server(url, "made-up")
    with pytest.raises(ServerError) as caught:
        asking.ask(requests(10_000))
    assert caught.value.message == f"{url}: unreachable: connection refused"
    assert caught.value.exit_code == 3
    assert asking.clock.waits == []


def test_a_server_that_does_not_exist(asking, monkeypatch):
    def unknown(*_, **__):
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    asking.judge = Server("http://no-such-host.invalid/v1", "made-up")
    with pytest.raises(ServerError, match="unreachable: name or service not known"):
        asking.ask(requests(10))


def test_https_to_a_server_without_it(asking):
    asking.judge = Server(asking.server.url.replace("http:", "https:"), "made-up")
    with pytest.raises(ServerError, match="no secure connection"):
        asking.ask(requests(10))


def test_a_redirect_is_not_followed(asking):
    asking.server.script += [Step(status=307, headers={"Location": "http://127.0.0.1:9/v1"}, body=b"")]
    with pytest.raises(ServerError) as caught:
        asking.ask(requests(10))
    assert "the server redirects to http://127.0.0.1:9/v1" in caught.value.message
    assert "only the named server is contacted" in caught.value.hint


def test_a_server_that_hangs(asking):
    asking.judge = Server(asking.server.url, "made-up", timeout=0.2)
    asking.server.refuse = lambda body: Step(delay=1.0)
    with pytest.raises(ServerError, match=r"no answer within 0.2 s \(3 times\)"):
        asking.ask(requests(100))


def test_a_server_that_sends_a_byte_now_and_then(asking):
    asking.judge = Server(asking.server.url, "made-up", timeout=0.3)
    asking.server.script += [Step(), Step(trickle=0.02), Step(trickle=0.02)]
    assert values(asking.ask(requests(2), parallel=1)) == echoes(2)
    assert len(asking.server.requests) == 4


def test_a_slow_server(asking):
    asking.server.delay = 0.05
    assert values(asking.ask(requests(12))) == echoes(12)
    assert asking.server.busiest == 4
    assert len(asking.server.requests) == 12


def test_a_connection_that_was_closed_meanwhile_is_opened_again(asking):
    asking.server.script += [Step(headers={"Keep-Alive": "timeout=0"})]
    judge = asking.judge
    assert judge.send(requests(1)[0].messages, None).text == "echo question 0"
    judge._local.connection.sock.shutdown(socket.SHUT_RDWR)
    assert judge.send(requests(1)[0].messages, None).text == "echo question 0"
    judge.disconnect()


def test_refusals(asking):
    """One request may be too long; if all are refused, that is said once."""
    asking.server.refuse = lambda body: error(400, "too long") if "7" in body["messages"][0]["content"] else None
    answers = asking.ask(requests(10))
    assert [answer.value is None for answer in answers] == [i == 7 for i in range(10)]
    assert answers[7].reason == "the server answered 400 Bad Request: too long"
    asking.server.refuse = lambda body: error(400, "temperature must be 1")
    asking.server.requests.clear()
    asking.judge = Server(asking.server.url, "other")
    with pytest.raises(ServerError, match=r"refuses the requests: .* temperature must be 1"):
        asking.ask(requests(100))
    assert len(asking.server.requests) == 3
    with pytest.raises(ServerError, match=r"refuses the requests: .* temperature must be 1"):
        asking.ask(requests(1))


def test_another_schema_may_be_refused(asking):
    """Of a second stage, when the server is known to take schemas."""
    asking.ask(requests(5), schema=SCHEMA)
    asking.server.refuse = lambda body: error(400, "unknown keyword")
    with pytest.raises(ServerError, match="unknown keyword"):
        asking.ask(requests(100), schema={"type": "object", "odd": True})


@pytest.mark.parametrize("status", [400, 500])
def test_what_was_left_without_a_value_is_so_in_a_later_run(asking, status):
    """The answers are the same, although the server has answered nothing in the second run."""
    asking.server.refuse = lambda body: error(status, "odd") if "7" in body["messages"][0]["content"] else None
    first = asking.ask(requests(20))
    assert [i for i, answer in enumerate(first) if answer.value is None] == [7, 17]
    asking.judge = Server(asking.server.url, "made-up")
    assert asking.ask(requests(20)) == first


def test_the_first_request_may_be_refused(asking):
    asking.server.script += [error(413, "too large")]
    answers = asking.ask(requests(5))
    assert [answer.value is None for answer in answers] == [True, False, False, False, False]


@pytest.mark.parametrize("refused", [("json_schema",), ("json_schema", "json_object")])
@pytest.mark.parametrize("status", [400, 422, 500, 501])
def test_a_server_that_takes_no_schema(asking, refused, status):
    def refuse(body):
        form = body.get("response_format", {}).get("type")
        return error(status, "response_format is not supported") if form in refused else None

    asking.server.refuse = refuse
    assert values(asking.ask(requests(10), schema=SCHEMA)) == echoes(10)
    assert len(asking.server.requests) == 10 + len(refused)  # found out once
    forms = [body.get("response_format", {}).get("type") for body in asking.server.requests[-9:]]
    assert set(forms) == {"json_object" if len(refused) == 1 else None}
    notes = [note.text for note in asking.judge.notes]
    assert asking.judge.accepts_schema is (len(refused) == 1)
    if len(refused) == 2:
        assert notes == ["10 of 10 replies were made without a JSON schema, which the server does not take"]
        assert asking.said == ["127.0.0.1 takes no JSON schema: replies are read without one"]
        again = Server(asking.server.url, "made-up")  # a later run knows it from the cache
        asking.judge = again
        asking.ask(requests(10), schema=SCHEMA)
        assert [note.text for note in again.notes] == notes
    else:
        assert notes == []


def test_a_refusal_without_a_schema_says_why(asking):
    """The first request is too long for the model, and the server has no schemas: the reason is its length."""

    def refuse(body):
        form = body.get("response_format", {}).get("type")
        if form == "json_schema":
            return error(422, "response_format should be text or json_object")
        return error(400, "maximum context length is 2048 tokens") if "question 0" in str(body) else None

    asking.server.refuse = refuse
    answers = asking.ask(requests(3), schema=SCHEMA, parallel=1)
    assert values(answers) == [None, *echoes(3)[1:]]
    assert "maximum context length is 2048 tokens" in answers[0].reason
    assert answers[0].replies == 0


def test_a_refusal_that_is_not_about_the_schema_stands(asking):
    asking.server.refuse = lambda body: error(400, "unknown temperature")
    with pytest.raises(ServerError, match="unknown temperature"):
        asking.ask(requests(1), schema=SCHEMA)


def test_the_schema_is_sent(asking):
    asking.ask(requests(1), schema=SCHEMA)
    (body,) = asking.server.requests
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert (body["temperature"], body["max_tokens"], body["model"]) == (0.0, 1024, "made-up")


def test_models_with_another_name_for_the_largest_number_of_tokens(asking):
    def refuse(body):
        if "max_tokens" in body:
            return error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        return None

    asking.server.refuse = refuse
    assert values(asking.ask(requests(5), schema=SCHEMA)) == echoes(5)
    assert len(asking.server.requests) == 6
    assert asking.server.requests[-1]["max_completion_tokens"] == 1024


UNREADABLE = {
    "the reply was cut off at the largest number of tokens (max_tokens)": Step(finish="length"),
    "the content filter of the server stopped the reply": Step(finish="content_filter"),
    "the reply is empty": Step(text=" \n"),
    "the reply is empty ": Step(fields={"choices": [{"message": {"content": None}}]}),
    "the model refused to answer": Step(fields={"choices": [{"message": {"content": None, "refusal": "I cannot"}}]}),
    "no echo: Guten Tag": Step(text="Guten Tag"),
}


@pytest.mark.parametrize("reason", UNREADABLE)
def test_a_reply_that_cannot_be_read_is_asked_for_again(asking, reason):
    step = UNREADABLE[reason]
    asking.server.script += [step, step]
    (answer,) = asking.ask(requests(1))
    assert (answer.value, answer.replies, answer.reason) == ("ECHO QUESTION 0", 3, "")
    asking.server.requests.clear()
    asking.server.refuse = lambda body: step
    (answer,) = asking.ask(requests(1, 50))
    assert (answer.value, answer.replies, answer.reason) == (None, 3, reason.strip())
    assert len(asking.server.requests) == 3
    (again,) = asking.ask(requests(1, 50))
    assert again == answer
    assert len(asking.server.requests) == 3  # these replies are kept, too: they were paid for


def test_a_model_that_never_keeps_to_the_form_ends_the_run(asking):
    """20 questions, each asked once more, and not 500."""
    asking.server.answer = lambda body: "Ich kann das nicht."
    with pytest.raises(ServerError, match="none of the first 20 questions has a reply that can be read: no echo"):
        asking.ask(requests(500), retries=1)
    assert len(asking.server.requests) <= 2 * 20 + 2 * 4  # and those under way
    asked = len(asking.server.requests)
    with pytest.raises(ServerError, match="none of the first 20"):
        asking.ask(requests(500), retries=1)  # replies are in the cache
    assert len(asking.server.requests) == asked


def test_a_model_that_once_keeps_to_the_form_is_asked_on(asking):
    asking.server.answer = lambda body: "echo" if "question 0" in str(body) else "no"
    answers = asking.ask(requests(50), retries=0, parallel=1)
    assert [answer.value is not None for answer in answers] == [True, *[False] * 49]


def test_no_retries(asking):
    asking.server.script += [Step(text="no")]
    (answer,) = asking.ask(requests(1), retries=0)
    assert (answer.value, answer.replies, answer.text) == (None, 1, "no")
    (answer,) = asking.ask(requests(1), retries=1)  # the first reply is in the cache
    assert (answer.value, answer.replies) == ("ECHO QUESTION 0", 2)
    assert len(asking.server.requests) == 2


def test_another_model_answers(asking):
    asking.server.refuse = lambda body: Step(fields={"model": "llama-3"})
    asking.ask(requests(3))
    assert asking.warned == ["the server says that it used 'llama-3', not 'made-up'"]
    assert asking.judge.reported_model == "llama-3"
    asking.server.refuse = lambda body: Step(fields={"model": "qwen"})
    asking.ask(requests(5))
    assert asking.warned[1:] == ["replies come from several models: llama-3, qwen"]
    assert asking.judge.reported_model == "llama-3+qwen"
    assert asking.judge.notes[0].text == "replies come from several models: llama-3 (3), qwen (2)"


@pytest.mark.parametrize(
    "reported",
    ["made-up-2026-01-01", "made-up-0613", "made-up:latest", "Made-Up", "models/made-up-Q4_K_M.gguf", None],
)
def test_a_name_with_a_date_or_a_folder_is_the_same_model(asking, reported):
    asking.server.refuse = lambda body: Step(fields={"model": reported})
    asking.ask(requests(3))
    assert asking.warned == []
    assert asking.judge.reported_model == (reported or "")


@pytest.mark.parametrize("reported", ["made-up-mini", "made-up2", "made", "not-made-up", "made-up-3"])
def test_a_name_that_has_the_other_in_it_is_another_model(asking, reported):
    asking.server.refuse = lambda body: Step(fields={"model": reported})
    asking.ask(requests(1))
    assert asking.warned == [f"the server says that it used '{reported}', not 'made-up'"]


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": "7"}, {"prompt_tokens": -1, "completion_tokens": 2}])
def test_a_server_that_does_not_count_tokens(asking, usage):
    asking.server.refuse = lambda body: Step(fields={"usage": usage})
    asking.ask(requests(3), prices=(1, 1))
    assert asking.spending.is_estimated
    assert asking.spending.describe((1, 1)).startswith("about ")
    assert asking.spending.input_tokens > 3 * 10


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b'{"error": {"message": "a"}}', "a"),
        (b'{"error": "b"}', "b"),
        (b'{"message": "c"}', "c"),
        (b'{"detail": [{"msg": "d", "loc": []}]}', "d"),
        (b'{"detail": {"error": {"msg": "e"}}}', ""),
        (b'{"object": "error", "message": "f\\n g"}', "f g"),
        (b"<html>", ""),
        (b"[" * 100_000, ""),
        (b'{"error": {"code": 7}}', ""),
    ],
)
def test_what_a_server_says(body, text):
    assert error_text(body) == text
