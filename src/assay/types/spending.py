"""What requests to language models have used and cost so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

__all__ = ["Spending", "duration_text", "tokens_text", "usd", "usd_text"]

_MILLION = 1_000_000
_MAX_DIGITS = 9


@dataclass(slots=True)
class Spending:
    """Tokens that language models have read and written so far. All calls that get the same object add to it."""

    requests: int = 0
    """Requests that were answered, also with a reply that could not be read."""
    input_tokens: int = 0
    output_tokens: int = 0
    from_cache: int = 0
    """Answers that earlier runs paid for."""
    is_estimated: bool = False
    """Whether a server did not say how many tokens it used, so that they were estimated."""
    announce: Callable[[str], None] | None = field(default=None, repr=False, compare=False)
    """Called with what a user should know before the first request."""

    def add(self, input_tokens: int, output_tokens: int, *, is_estimated: bool = False) -> None:
        """Count a request."""
        self.requests += 1
        self.input_tokens += input_tokens
        self.output_tokens += output_tokens
        self.is_estimated |= is_estimated

    def usd(self, prices: Sequence[float]) -> float:
        """The cost at prices per million tokens that are read and written."""
        return usd(self.input_tokens, self.output_tokens, prices)

    def say(self, text: str) -> None:
        """Announce something, if anybody listens."""
        if self.announce is not None:
            self.announce(text)

    def describe_shortly(self, prices: Sequence[float]) -> str:
        """The cost so far, or the tokens if prices are not known: a line of a terminal is short."""
        about = "about " if self.is_estimated else ""
        return f"{about}{usd_text(self.usd(prices))}" if prices else self.describe(prices)

    def describe(self, prices: Sequence[float]) -> str:
        """Tokens so far, and their cost if prices are known."""
        about = "about " if self.is_estimated else ""
        tokens = tokens_text(self.input_tokens, self.output_tokens)
        return f"{about}{tokens}, {usd_text(self.usd(prices))}" if prices else f"{about}{tokens}"


def usd(input_tokens: float, output_tokens: float, prices: Sequence[float]) -> float:
    """The cost of tokens at prices per million; 0 without prices."""
    return (input_tokens * prices[0] + output_tokens * prices[1]) / _MILLION if prices else 0.0


def usd_text(amount: float) -> str:
    """An amount with two digits that count: `0.0042 USD`, `12.30 USD`."""
    digits = 2
    while 0 < amount < 10.0 ** (1 - digits) and digits < _MAX_DIGITS:
        digits += 1
    return f"{amount:,.{digits}f} USD"


def tokens_text(read: float, written: float) -> str:
    """Numbers of tokens: `12,300 tokens read, 950 written`; `1.2 M` for a million and more."""
    read_text, written_text = (
        f"{count / _MILLION:,.1f} M" if count >= _MILLION else f"{count:,.0f}" for count in (read, written)
    )
    return f"{read_text} tokens read, {written_text} written"


def duration_text(seconds: float) -> str:
    """A time: `40 s`, `5 min`, `2 h`."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"
