"""What requests will cost: an estimate before the first one, which becomes better with every reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.judges.reply import Reply
from assay.types.note import plural
from assay.types.spending import tokens_text, usd, usd_text

__all__ = ["Estimate"]

_BYTES_PER_TOKEN = 3  # of JSON in UTF-8; most tokens are longer, so that the estimate is rather too high


@dataclass(slots=True)
class Estimate:
    """Tokens that are expected, from sizes in bytes and from the replies so far."""

    reply_tokens: float
    """What a reply is expected to have until some have come."""
    prices: Sequence[float] = ()
    _bytes: int = 0
    _input: int = 0
    _output: int = 0
    _replies: int = 0

    def learn(self, size: int, reply: Reply) -> None:
        """Take a reply into account, if the server says how many tokens it took."""
        if reply.input_tokens is not None and reply.output_tokens is not None:
            self._bytes += size
            self._input += reply.input_tokens
            self._output += reply.output_tokens
            self._replies += 1

    def tokens(self, size: int, requests: int, next_tokens: int | None = None) -> tuple[float, float]:
        """Tokens that are read and written for some requests with so many bytes in all.

        `next_tokens`: what the reply to a second request has that follows each of them.
        """
        inputs = size * self._input / self._bytes if self._bytes else size / _BYTES_PER_TOKEN
        outputs = self._output / self._replies if self._replies else self.reply_tokens
        if next_tokens is None:
            return inputs, requests * outputs
        return 2 * inputs + requests * outputs, requests * (outputs + next_tokens)  # the second one quotes the reply

    def of_reply(self, size: int, reply: Reply) -> tuple[int, int, bool]:
        """The tokens that a reply took, and whether they are estimated because the server does not say it."""
        if reply.input_tokens is not None and reply.output_tokens is not None:
            return reply.input_tokens, reply.output_tokens, False
        return size // _BYTES_PER_TOKEN, len(reply.text.encode()) // _BYTES_PER_TOKEN + 1, True

    def usd(self, size: int, requests: int, next_tokens: int | None = None) -> float:
        """The cost of some requests, and of those that follow them."""
        return usd(*self.tokens(size, requests, next_tokens), self.prices)

    def describe(self, size: int, requests: int, next_tokens: int | None = None) -> str:
        """The cost of some requests, and of those that follow them, in words."""
        inputs, outputs = self.tokens(size, requests, next_tokens)
        tokens = tokens_text(inputs, outputs)
        count = plural(requests if next_tokens is None else 2 * requests, "request")
        return f"about {usd_text(self.usd(size, requests, next_tokens))} for {count} ({tokens})"
