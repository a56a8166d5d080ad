"""All outputs of a test set before a judge: values by system, segment and vote, and what went wrong on the way."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from assay.judges.marks import Doubts
from assay.judges.protocols import Judging, OutputProtocol, PairProtocol, Segment
from assay.judges.repeats import changed_orders, cohen_kappa
from assay.judges.request import Answer
from assay.lazily import numpy as np
from assay.types import ErrorSpan, FloatArray

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Outputs", "Panel", "judge_outputs", "judge_pairs"]

TIE = 0.5
_PERCENT = 100.0


@dataclass(frozen=True)
class Outputs:
    """The outputs of all systems, by system and segment, and what each segment shares."""

    segments: Sequence[Segment | None]
    """None: a text that the judge reads is absent."""
    texts: Sequence[Sequence[str | None]]
    wanted: npt.NDArray[np.bool_]
    """(system, segment): which outputs are judged."""

    def cells(self) -> Iterable[tuple[int, int, Segment, str]]:
        """System, segment and texts of each output that is judged."""
        for system, number in np.argwhere(self.wanted).tolist():
            segment, text = self.segments[number], self.texts[system][number]
            if segment is not None and text is not None:
                yield system, number, segment, text


class VoteStability(NamedTuple):
    """How much votes agree with each other, two by two."""

    equal: int
    """Scores that are the same in both votes."""
    compared: int
    changed: int
    """Pairs of systems whose order is another one in the second vote."""
    pairs: int


@dataclass
class Panel:
    """What came back."""

    values: FloatArray
    """(system, segment, vote); NaN: no reply could be read."""
    errors: dict[tuple[int, int], tuple[ErrorSpan, ...]] = field(default_factory=dict)
    """What the first vote with a readable reply marked, by system and segment."""
    doubts: Doubts = field(default_factory=Doubts)
    asked: int = 0
    """Distinct questions, each with one answer."""
    unread: Counter[str] = field(default_factory=Counter)
    """How many of them have no answer, by reason."""
    unanswered: int = 0
    """How many of these the server refused or failed on, so that there is no reply."""
    example: str = ""
    """The first reply that could not be read."""
    orders: Counter[tuple[float, float]] = field(default_factory=Counter)
    """How many pairs that were asked in both orders have which two answers, both about the same output."""

    @property
    def changed(self) -> int:
        """How many pairs have another answer in the other order."""
        return sum(count for (one, other), count in self.orders.items() if one != other)

    @property
    def order_kappa(self) -> float:
        """Cohen's kappa of the answers in both orders; NaN if all answers are the same."""
        return cohen_kappa(self.orders.elements())

    def vote_stability(self) -> VoteStability:
        """How much the votes agree, on outputs with an answer in both of two votes."""
        equal = compared = changed = pairs = 0
        for u, v in combinations(range(self.values.shape[-1]), 2):
            one, other = self.values[..., u], self.values[..., v]
            both = ~np.isnan(one) & ~np.isnan(other)
            equal, compared = equal + int((one == other)[both].sum()), compared + int(both.sum())
            orders = changed_orders(one, other)
            changed, pairs = changed + orders[0], pairs + orders[1]
        return VoteStability(equal, compared, changed, pairs)

    def count(self, answers: Iterable[Answer[Any]]) -> None:
        """Count answers and reasons why there is none."""
        for answer in answers:
            self.asked += 1
            if answer.value is None:
                self.unread[answer.reason or "no reply"] += 1
                self.unanswered += not answer.replies
                self.example = self.example or answer.text


def judge_outputs(protocol: OutputProtocol, outputs: Outputs, judging: Judging) -> Panel:
    """The scores of outputs. Equal outputs of a segment are judged once."""
    panel = _empty(outputs, judging)
    cells = list(outputs.cells())
    distinct = list({(number, text): (segment, text) for _, number, segment, text in cells}.items())
    answers = dict(
        zip((key for key, _ in distinct), protocol.judge([each for _, each in distinct], judging), strict=True)
    )
    for votes in answers.values():
        panel.count(votes)
        for answer in votes:
            if answer.value is not None:
                panel.doubts.add(answer.value.doubts)
    for system, number, _, text in cells:
        verdicts = [answer.value for answer in answers[number, text]]
        for vote, verdict in enumerate(verdicts):
            if verdict is not None:
                panel.values[system, number, vote] = verdict.score
        marked = next((verdict.errors for verdict in verdicts if verdict is not None), None)
        if marked is not None:
            panel.errors[system, number] = marked
    return panel


def judge_pairs(
    protocol: PairProtocol, outputs: Outputs, judging: Judging, *, baseline: int | None, both_orders: bool
) -> Panel:
    """The share of comparisons that an output wins, in per cent; a tie counts half.

    Each output is compared with those of all other systems, or with that of the baseline. `both_orders`: each pair is
    asked in both orders, and has the mean of the answers; otherwise in an order that depends on the texts alone.
    """
    panel = _empty(outputs, judging)
    games = list(_games(outputs, baseline))
    pairs = {(game.segment, game.texts): game.shared for game in games if game.texts[0] != game.texts[1]}
    orders = [
        (key, shared, turned)
        for key, shared in pairs.items()
        for turned in ((False, True) if both_orders else (_is_turned(key[1]),))
    ]
    conversations = [(shared, *(key[1][::-1] if turned else key[1])) for key, shared, turned in orders]
    answered: dict[tuple[int, tuple[str, str]], list[FloatArray]] = {}
    for (key, _, turned), votes in zip(orders, protocol.compare(conversations, judging), strict=True):
        panel.count(votes)
        values = np.array([np.nan if vote.value is None else vote.value for vote in votes])
        answered.setdefault(key, []).append(1 - values if turned else values)
    _count_orders(panel, answered.values())
    shares: dict[tuple[int, int], list[FloatArray]] = {}
    for game in games:
        tie = np.full(judging.votes, TIE)
        value = np.mean(answered[game.segment, game.texts], axis=0) if game.texts[0] != game.texts[1] else tie
        for system, won in zip(game.systems, (value, 1 - value), strict=True):
            shares.setdefault((system, game.segment), []).append(won)
    for (system, number), won in shares.items():
        of_votes = np.array(won)
        counts = (~np.isnan(of_votes)).sum(axis=0)
        sums = np.where(np.isnan(of_votes), 0.0, of_votes).sum(axis=0)
        panel.values[system, number] = np.where(counts, _PERCENT * sums / np.maximum(counts, 1), np.nan)
    if baseline is not None:  # against itself
        panel.values[baseline, outputs.wanted[baseline]] = _PERCENT * TIE
    return panel


@dataclass(frozen=True, slots=True)
class _Game:
    """Two systems with their outputs of a segment, the text that sorts first before the other."""

    segment: int
    shared: Segment
    systems: tuple[int, int]
    texts: tuple[str, str]


def _games(outputs: Outputs, baseline: int | None) -> Iterable[_Game]:
    by_segment: dict[int, list[tuple[int, str]]] = {}
    shared = {}
    for system, number, segment, text in outputs.cells():
        by_segment.setdefault(number, []).append((system, text))
        shared[number] = segment
    for number, players in by_segment.items():
        for one, other in combinations(players, 2):
            if baseline is None or baseline in (one[0], other[0]):
                first, second = sorted((one, other), key=lambda player: player[1])
                yield _Game(number, shared[number], (first[0], second[0]), (first[1], second[1]))


def _is_turned(texts: tuple[str, str]) -> bool:
    """Whether the second text is shown first: as good as chance, but the same in every run."""
    return bool(hashlib.sha256("\0".join(texts).encode()).digest()[0] % 2)


def _count_orders(panel: Panel, answers: Iterable[Sequence[FloatArray]]) -> None:
    for each in answers:
        if len(each) > 1:
            pairs = zip(*(votes.tolist() for votes in each), strict=True)
            panel.orders.update((one, other) for one, other in pairs if not math.isnan(one + other))


def _empty(outputs: Outputs, judging: Judging) -> Panel:
    return Panel(np.full((*outputs.wanted.shape, judging.votes), np.nan))
