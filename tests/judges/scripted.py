"""A judge without a server: replies are made by a function, and read and asked for again as a server's would be."""

from __future__ import annotations

import re
from collections import Counter

from assay.judges.request import Answer, UnreadableReply


class ScriptedServer:
    """What `judge` reads of a server."""

    def __init__(self, host="127.0.0.1", is_local=True, reported_model="scripted-1"):
        self.host, self.is_local, self.reported_model, self.notes = host, is_local, reported_model, ()


class Script:
    """Answers requests with `reply(prompt, vote, attempt)`, and remembers what was asked."""

    def __init__(self, reply):
        self.reply = reply
        self.requests = []
        self.schemas = []
        self.replies = Counter()

    def __call__(self, requests, read, schema, retries):
        self.requests += requests
        self.schemas.append(schema)
        return [self._answer(request, read, retries) for request in requests]

    def _answer(self, request, read, retries):
        prompt = request.messages[0].content
        for attempt in range(retries + 1):
            text = self.reply(prompt, request.vote, attempt)
            self.replies[request] += 1
            try:
                return Answer(read(text), "", attempt + 1, text)
            except UnreadableReply as error:
                reason = str(error)
        return Answer(None, reason, retries + 1, text)


def part(prompt, tag):
    """The text between two tags of a prompt; None without them."""
    found = re.search(rf"<{tag}>\n(.*?)\n</{tag}>", prompt, re.DOTALL)
    return None if found is None else found[1]


def scripted(monkeypatch, reply, **server):
    """Let the metric `judge` ask a script."""
    script = Script(reply)
    made = ScriptedServer(**server)
    monkeypatch.setattr("assay.metrics.judge.connect", lambda endpoint, model, temperature, max_tokens: made)
    monkeypatch.setattr(
        "assay.metrics.judge.send",
        lambda server, runtime, retries, requests, form: script(requests, form.read, form.schema, retries),
    )
    return script
