"""Simulate a campaign: systems of graded quality, and people who judge them.

A latent quality is drawn for every (system, segment). It determines the errors in the output *and*, separately, the
human judgements, so that human scores are related to the text without being a function of any metric. Harmless synonyms
change the text and the metrics, but not the latent quality; raters differ in severity, spread and attention.

Only `random.Random.random` is used: its sequence for a seed is the same in every Python.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TypeVar

__all__ = ["LANGUAGES", "SYSTEMS", "Campaign", "Judgement", "MqmError", "Ranking", "generate"]

T = TypeVar("T")

SEED = 20240613
LANGUAGES = ("de", "zh")

# Mean latent quality, and how often the system uses synonyms.
SYSTEMS = {
    "alder": (2.1, 0.15),
    "birch": (1.8, 0.75),
    "cedar": (1.5, 0.20),
    "elm": (1.1, 0.10),
    "hazel": (0.8, 0.60),
    "maple": (0.2, 0.20),
    "willow": (-0.5, 0.30),
}
DA_RATERS = {  # severity and spread on the 0-100 scale
    "rater1": (0.0, 9.0),
    "rater2": (-12.0, 11.0),
    "rater3": (6.0, 7.0),
    "rater4": (-4.0, 14.0),
    "rater5": (11.0, 10.0),
}
MQM_RATERS = {"expert1": 0.95, "expert2": 0.85, "expert3": 0.75}  # how likely an error is noticed
JUDGES = ("judge1", "judge2", "judge3", "judge4")
RANKINGS = 200
RANKED = 5

# Category, severity and share.
_ERRORS = (
    ("Accuracy/Mistranslation", "Major", 0.26),
    ("Accuracy/Omission", "Major", 0.16),
    ("Accuracy/Untranslated text", "Major", 0.08),
    ("Accuracy/Addition", "Minor", 0.14),
    ("Fluency/Word order", "Minor", 0.24),
    ("Fluency/Punctuation", "Minor", 0.12),
)


@dataclass(frozen=True, slots=True)
class MqmError:
    """An error, with the first and last token of the output it spans."""

    category: str
    severity: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """A direct assessment; `kind` is TGT, or BAD for a deliberately damaged control item."""

    rater: str
    system: str
    segment: int
    kind: str
    score: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """A judge's ranks of five systems on a segment; equal ranks are ties."""

    judge: str
    segment: int
    ranks: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Campaign:
    """One language pair. Tokens are joined by `joint` to give an output."""

    target: str
    joint: str
    documents: tuple[str, ...]
    domains: tuple[str, ...]
    sources: tuple[str, ...]
    references: dict[str, tuple[str, ...]]
    tokens: dict[str, tuple[tuple[str, ...], ...]]
    errors: dict[str, tuple[tuple[MqmError, ...], ...]]
    mqm: tuple[tuple[str, str, int, tuple[MqmError, ...]], ...]  # rater, system, segment, errors noticed
    assessments: tuple[Judgement, ...]
    rankings: tuple[Ranking, ...]

    def output(self, system: str) -> tuple[str, ...]:
        """A system's translations."""
        return tuple(self.joint.join(tokens) for tokens in self.tokens[system])


def generate(target: str, *, seed: int = SEED) -> Campaign:
    """The sample campaign into `de` or `zh`."""
    rows = _read("texts.tsv")
    synonyms = {row["word"]: row["alternative"] for row in _read("synonyms.tsv") if row["language"] == target}
    joint = " " if target == "de" else ""
    drafts = [_tokens(row[f"{target}_draft"], joint) for row in rows]
    vocabulary = [token for draft in drafts for token in draft if token.isalpha()]
    latent: dict[str, list[float]] = {}
    tokens: dict[str, tuple[tuple[str, ...], ...]] = {}
    errors: dict[str, tuple[tuple[MqmError, ...], ...]] = {}
    difficulty = [_normal(random.Random(f"{seed}/{target}/difficulty/{i}")) * 0.5 for i in range(len(rows))]
    for system, (quality, rewording) in SYSTEMS.items():
        latent[system], translations = [], []
        for i, row in enumerate(rows):
            rng = random.Random(f"{seed}/{target}/{system}/{i}")
            latent[system].append(quality - difficulty[i] + 0.8 * _normal(rng))
            reworded = _reword(row[f"{target}_draft"], synonyms, rewording, joint, rng)
            count = min(_poisson(math.exp(0.9 - latent[system][-1]), rng), 6)
            translations.append(_damage(reworded, count, vocabulary, row["en"].split(), rng))
        tokens[system] = tuple(t for t, _ in translations)
        errors[system] = tuple(e for _, e in translations)
    return Campaign(
        target=target,
        joint=joint,
        documents=tuple(row["document"] for row in rows),
        domains=tuple(row["domain"] for row in rows),
        sources=tuple(row["en"] for row in rows),
        references={f"ref{x.upper()}": tuple(row[f"{target}_{x}"] for row in rows) for x in "ab"},
        tokens=tokens,
        errors=errors,
        mqm=_annotate(errors, random.Random(f"{seed}/{target}/mqm")),
        assessments=_assess(latent, random.Random(f"{seed}/{target}/da")),
        rankings=_rank(latent, random.Random(f"{seed}/{target}/rankings")),
    )


def _read(name: str) -> list[dict[str, str]]:
    header, *lines = files("assay.sample").joinpath(name).read_text(encoding="utf-8").splitlines()
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


def _tokens(text: str, joint: str) -> list[str]:
    return text.split(joint) if joint else list(text)


def _reword(text: str, synonyms: dict[str, str], rate: float, joint: str, rng: random.Random) -> list[str]:
    """Replace words by harmless synonyms."""
    if joint:
        return [synonyms[t] if t in synonyms and rng.random() < rate else t for t in text.split(joint)]
    for word, alternative in synonyms.items():
        if word in text and rng.random() < rate:
            text = text.replace(word, alternative)
    return list(text)


def _damage(
    tokens: list[str], count: int, vocabulary: Sequence[str], source: Sequence[str], rng: random.Random
) -> tuple[tuple[str, ...], tuple[MqmError, ...]]:
    """Insert `count` errors at different positions; their spans are token positions in the result."""
    marked: list[tuple[str, list[int]]] = [(token, []) for token in tokens]
    made: list[tuple[str, str]] = []
    for _ in range(count):
        free = [i for i, (_, marks) in enumerate(marked[:-1]) if not marks and not marked[i + 1][1]]
        if not free:
            break
        category, severity = _weighted(_ERRORS, rng)
        at, mark = _choice(free, rng), len(made)
        kind = category.split("/")[1]
        if kind == "Omission":
            del marked[at]
        elif kind == "Addition":
            marked.insert(at, (marked[at][0], []))
        elif kind == "Word order":
            marked[at], marked[at + 1] = marked[at + 1], marked[at]
            marked[at + 1][1].append(mark)
        elif kind == "Punctuation":
            at = len(marked) - 1
            if marked[at][1]:
                continue
            marked[at] = (marked[at][0].rstrip(".。!?！？") or ",", [])
        else:
            marked[at] = (_choice(source if kind == "Untranslated text" else vocabulary, rng), [])
        marked[at][1].append(mark)
        made.append((category, severity))
    spans = [[i for i, (_, marks) in enumerate(marked) if mark in marks] for mark in range(len(made))]
    errors = (MqmError(*made[mark], first=span[0], last=span[-1]) for mark, span in enumerate(spans) if span)
    return tuple(token for token, _ in marked), tuple(errors)


def _annotate(
    errors: dict[str, tuple[tuple[MqmError, ...], ...]], rng: random.Random
) -> tuple[tuple[str, str, int, tuple[MqmError, ...]], ...]:
    """Two of three experts annotate each output and miss some errors."""
    annotations = []
    for system, by_segment in errors.items():
        for segment, present in enumerate(by_segment):
            skipped = _choice(list(MQM_RATERS), rng)
            for rater, attention in MQM_RATERS.items():
                if rater != skipped:
                    annotations.append((rater, system, segment, tuple(e for e in present if rng.random() < attention)))
    return tuple(annotations)


def _assess(latent: dict[str, list[float]], rng: random.Random) -> tuple[Judgement, ...]:
    """Two of five raters assess each output; occasionally a damaged copy is added as a control item."""
    judgements = []
    for system, qualities in latent.items():
        for segment, quality in enumerate(qualities):
            first = _choice(list(DA_RATERS), rng)
            second = _choice([rater for rater in DA_RATERS if rater != first], rng)
            for rater in (first, second):
                judgements.append(Judgement(rater, system, segment, "TGT", _da_score(quality, rater, rng)))
                if rng.random() < 0.04:
                    judgements.append(Judgement(rater, system, segment, "BAD", _da_score(quality - 2.5, rater, rng)))
    return tuple(judgements)


def _da_score(quality: float, rater: str, rng: random.Random) -> int:
    severity, spread = DA_RATERS[rater]
    return round(min(100.0, max(0.0, 58 + 14 * quality + severity + spread * _normal(rng))))


def _rank(latent: dict[str, list[float]], rng: random.Random) -> tuple[Ranking, ...]:
    """Judges rank five systems at a time; differences they cannot perceive become ties."""
    segments = len(next(iter(latent.values())))
    rankings = []
    for _ in range(RANKINGS):
        judge, segment = _choice(JUDGES, rng), int(rng.random() * segments)
        remaining = list(latent)
        systems = [remaining.pop(int(rng.random() * len(remaining))) for _ in range(RANKED)]
        perceived = {system: round((latent[system][segment] + 0.6 * _normal(rng)) / 0.7) for system in systems}
        order = sorted(set(perceived.values()), reverse=True)
        rankings.append(Ranking(judge, segment, tuple((s, order.index(perceived[s]) + 1) for s in systems)))
    return tuple(rankings)


def _choice(items: Sequence[T], rng: random.Random) -> T:
    return items[int(rng.random() * len(items))]


def _weighted(options: Sequence[tuple[str, str, float]], rng: random.Random) -> tuple[str, str]:
    point = rng.random()
    for category, severity, share in options:
        point -= share
        if point < 0:
            return category, severity
    return options[-1][:2]


def _normal(rng: random.Random) -> float:
    """Box-Muller."""
    return math.sqrt(-2 * math.log(1 - rng.random())) * math.cos(2 * math.pi * rng.random())


def _poisson(mean: float, rng: random.Random) -> int:
    """Knuth's product of uniforms."""
    limit, product, count = math.exp(-mean), rng.random(), 0
    while product > limit:
        product *= rng.random()
        count += 1
    return count
