"""Measure whether `assay triage` keeps its promise, and write the tables of docs/methods/triage.md.

    python -m scripts.triage_promise                     # all tables; the real ones need WMT25 in $ASSAY_DATA
    python -m scripts.triage_promise --only simulated    # simulated, held-out or metrics

- **simulated**: made-up campaigns, in which the true error rate is known. The truth is of 20,000 documents.
- **held-out**: on WMT25, a threshold from two thirds of the documents of a language pair is applied to the other third,
  and that of all other language pairs to one.
- **metrics**: `assay meta --level error-free` on WMT25.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import assay
from assay.calibration.error_free import ErrorFreeRule, RatedLanguagePair
from assay.calibration.rated_pairs import RatingChoice, rated_language_pairs
from assay.calibration.triage import Judgements, Promise, chosen_threshold
from assay.results import ErrorFreeEvaluation, ErrorFreeMetric, Estimate
from assay.types import Campaign
from assay.types.runtime import Runtime
from scripts import archives

PAGE = Path(__file__).parents[1] / "docs" / "methods" / "triage.md"
SEED = 20251119
CAMPAIGNS = 200
TRUTH = 20_000
"""Documents from which the true error rate is computed."""
TRIES = 10
"""Of a third of the documents of a language pair, put aside at random."""
EXCLUDED = "en-mas_KE"
"""In which nothing is error-free."""
SIZES_OF_WMT25 = (*[2] * 36, 4, 6, *[8] * 2, *[10] * 4, *[14] * 2, 16, 18, *[20] * 3, 24, 42, 86)
"""Of documents: proportional to those of en-is, whose two largest have a third of all judgements."""
CONFIDENCE = 0.95

Document = tuple[int, float]
"""The number of judgements, and the share of them with errors at the mean score."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Documents of a made-up campaign, and the promises that are asked for with so many of them."""

    words: str
    draw: Callable[[np.random.Generator], Document]
    asked: tuple[tuple[int, float], ...]
    slope: float = 0.1
    """How much the logarithm of the error rate falls with the score."""
    shared: float = 0.0
    """The standard deviation of what the scores of a document have in common."""


def _two(
    share: float, bad: float, good: float, sizes: tuple[int, int], others: tuple[int, int]
) -> Callable[..., Document]:
    """A share of the documents is bad, and has sizes of its own."""

    def draw(random: np.random.Generator) -> Document:
        is_bad = random.random() < share
        return int(random.integers(*(sizes if is_bad else others))), bad if is_bad else good

    return draw


def _some_long(share: float, bad: float, sizes: tuple[int, int], others: tuple[int, int], rates: tuple[float, float]):  # type: ignore[no-untyped-def]
    """A share of the documents is long, and a share of these is bad."""

    def draw(random: np.random.Generator) -> Document:
        if random.random() >= share:
            return int(random.integers(*others)), rates[0]
        return int(random.integers(*sizes)), rates[1] if random.random() < bad else rates[0]

    return draw


def _heavy(random: np.random.Generator) -> Document:
    return int(min(400, 2 + random.pareto(1.1) * 6)), random.beta(0.3, 1.5)


def _by_score(random: np.random.Generator) -> Document:
    return int(random.integers(10, 40)), random.beta(0.5, 4)


def _like_wmt25(random: np.random.Generator) -> Document:
    size = int(random.choice(SIZES_OF_WMT25))
    return size, 0.6 if size > 40 else 0.05


KINDS = (
    Kind("equal: 40 judgements; one in ten has 60 % errors, the others 2 %", _two(0.1, 0.6, 0.02, (40, 41), (40, 41)),
         ((20, 0.05), (50, 0.07), (100, 0.12))),
    Kind("half are short (2–5) with 50 % errors, the others (30–59) have 5 %", _two(0.5, 0.5, 0.05, (2, 6), (30, 60)),
         ((60, 0.1), (60, 0.2)), 0.5),
    Kind("sizes from 2 to 400 with a heavy tail; rates differ, whatever the size", _heavy, ((60, 0.1), (60, 0.2)), 0.5),
    Kind("10–39; scores and rates depend on the document", _by_score, ((60, 0.1), (60, 0.2)), 0.5, 1.5),
    Kind("one in ten is long (60–119), a third of these have 90 % errors; all others (2–9) have 3 %",
         _some_long(0.1, 1 / 3, (60, 120), (2, 10), (0.03, 0.9)), ((50, 0.12), (50, 0.15), (50, 0.18))),
    Kind("one in twenty is long (50), half of these have only errors; all others (1–2) have 2 %",
         _some_long(0.05, 0.5, (50, 51), (1, 3), (0.02, 1.0)), ((50, 0.25), (100, 0.25), (100, 0.3))),
    Kind("3 % are long (60–119) and have 60 % errors; the others (2–9) have 3 %",
         _two(0.03, 0.6, 0.03, (60, 120), (2, 10)), ((50, 0.15), (50, 0.2))),
    Kind("2 % are long (60–119) and have 60 % errors; the others (2–9) have 3 %",
         _two(0.02, 0.6, 0.03, (60, 120), (2, 10)), ((100, 0.12),)),
    Kind("sizes of WMT25's en-is (2–86); above 40, 60 % errors, the others 5 %", _like_wmt25, ((30, 0.2), (53, 0.2))),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kept:
    """How often a promise was broken in made-up campaigns."""

    kind: str
    documents: int
    promised: float
    truth: float
    """The error rate of everything."""
    campaigns: int
    thresholds: int
    broken: int
    broken_within: int
    """Of documents no longer than the longest that was judged."""


def made(kind: Kind, documents: int, random: np.random.Generator) -> Judgements:
    """A campaign of one system."""
    scores, errors, names = [], [], []
    for name in range(documents):
        size, rate = kind.draw(random)
        score = random.normal(size=size) + (random.normal(0, kind.shared) if kind.shared else 0)
        scores.append(score)
        errors.append(random.random(size) < np.clip(rate * np.exp(-kind.slope * score), 0, 1))
        names.append(np.full(size, name))
    system = np.full(sum(map(len, scores)), "A")
    return Judgements(np.concatenate(scores), np.concatenate(errors), np.concatenate(names), system)


def simulated(campaigns: int = CAMPAIGNS, truth: int = TRUTH, kinds: Sequence[Kind] = KINDS) -> Iterator[Kept]:
    """Each kind of campaign with each number of documents and promise."""
    for kind in kinds:
        number = KINDS.index(kind) if kind in KINDS else len(KINDS)
        everything = made(kind, truth, np.random.default_rng([SEED, number]))
        for documents, promised in kind.asked:
            random = np.random.default_rng([SEED, number, documents, round(1000 * promised)])
            drawn = (made(kind, documents, random) for _ in range(campaigns))
            outcomes = [outcome for each in drawn if (outcome := _outcome(each, everything, promised)) is not None]
            yield Kept(
                kind.words,
                documents,
                promised,
                float(everything.has_error.mean()),
                campaigns,
                len(outcomes),
                sum(broken for broken, _ in outcomes),
                sum(within for _, within in outcomes),
            )


def _outcome(campaign: Judgements, everything: Judgements, promised: float) -> tuple[bool, bool] | None:
    """Whether the promise is broken, in all documents and in those no longer than the longest; None: no threshold."""
    threshold = chosen_threshold(campaign, Promise(promised, CONFIDENCE)).threshold
    if math.isnan(threshold):
        return None
    sizes = everything.by_document[1]
    above = everything.score >= threshold
    within = above & (sizes <= campaign.by_document[1].max())[everything.document]
    return bool(everything.has_error[above].mean() > promised), bool(everything.has_error[within].mean() > promised)


# --- WMT25 ---


def wmt25() -> tuple[Campaign, ...]:
    """The language pairs of WMT25 in the archive."""
    return tuple(assay.load_campaigns(archives.unpacked("wmt25")))


def held_out(campaigns: Sequence[Campaign]) -> Iterator[tuple[str, ...]]:
    """Rows of a table: how often the threshold of other documents, or of other language pairs, broke its promise."""
    rules = (
        ("any, or a score below 85", ErrorFreeRule(), (0.5, 0.6, 0.7, 0.8)),
        ("major", ErrorFreeRule(0, "major"), (0.1, 0.2, 0.3, 0.4)),
    )
    for words, rule, rates in rules:
        pairs = rated_language_pairs(campaigns, RatingChoice(rule), Runtime()).pairs
        names = dict.fromkeys(name for pair in pairs for name in pair.scores)
        cells = [(name, pair) for name in names for pair in pairs if not np.isnan(pair.scores.get(name, np.nan)).all()]
        for place, rate in enumerate(rates):
            same = [each for cell in cells for each in _same_pair(*cell, rate)]
            others = [_other_pairs(*cell, pairs, rate) for cell in cells]
            yield (words if not place else "", f"{100 * rate:.0f} %", *_counted(same), *_counted(others))


def _counted(broken: Sequence[bool | None]) -> tuple[str, str, str]:
    """How many were tried, how many gave something to release, and how many of these broke the promise."""
    released = [each for each in broken if each is not None]
    return str(len(broken)), str(len(released)), str(sum(released)) if released else "–"


def _same_pair(metric: str, pair: RatedLanguagePair, rate: float) -> Iterator[bool | None]:
    own = Judgements.of(metric, [pair])
    documents = np.unique(own.document)
    for number in range(TRIES):
        out = np.random.default_rng([SEED, number]).permutation(documents)[: len(documents) // 3]
        is_out = np.isin(own.document, out)
        yield _is_broken(own.take(~is_out), own.take(is_out), rate)


def _other_pairs(metric: str, pair: RatedLanguagePair, pairs: Sequence[RatedLanguagePair], rate: float) -> bool | None:
    others = Judgements.of(metric, [each for each in pairs if each is not pair])
    return _is_broken(others, Judgements.of(metric, [pair]), rate)


def _is_broken(known: Judgements, new: Judgements, rate: float) -> bool | None:
    """Whether more than promised of what is released has errors; None: nothing is released."""
    threshold = chosen_threshold(known, Promise(rate, CONFIDENCE)).threshold
    released = new.above(math.inf if math.isnan(threshold) else threshold)
    return bool(released.has_error.mean() > rate) if len(released) else None


def metrics(campaigns: Sequence[Campaign]) -> Iterator[tuple[str, ...]]:
    """Rows of a table: means over all language pairs with error-free ratings, then over those with a reference."""
    everywhere = assay.meta_error_free(campaigns)
    most = max(each.pairs or 0 for each in everywhere)
    yield from _rows(everywhere, [each.metric for each in everywhere if not each.lp and each.pairs == most])
    fewer = {each.metric for each in everywhere if not each.lp and each.pairs != most}
    covered = {each.lp for each in everywhere if each.metric in fewer and each.lp}
    yield from _rows(assay.meta_error_free([each for each in campaigns if each.lp in covered]), None)


def _rows(found: ErrorFreeEvaluation, names: Sequence[str] | None) -> Iterator[tuple[str, ...]]:
    means: list[ErrorFreeMetric] = [each for each in found if not each.lp]
    most = max(each.pairs or 0 for each in means)
    for each in means:
        if each.pairs == most and (names is None or each.metric in names):
            values: tuple[float | Estimate, ...] = (each.roc_area, each.pr_area, each.precision, each.recall, each.f)
            values += (each.brier, each.brier_base_rate)
            yield (
                each.metric.removesuffix("-src"),
                str(each.pairs),
                *map(_text, values),
            )


def _text(value: float | Estimate) -> str:
    number, bounds = (value.value, (value.low, value.high)) if isinstance(value, Estimate) else (value, (math.nan,) * 2)
    if math.isnan(number):
        return ""
    shown = f"{number:.3f}".removeprefix("0")
    return shown if math.isnan(bounds[0]) else f"{shown} [{', '.join(f'{b:.2f}'.removeprefix('0') for b in bounds)}]"


# --- the page ---


def kept_rows(found: Sequence[Kept]) -> Iterator[tuple[str, ...]]:
    """Rows of the table of made-up campaigns."""
    for place, each in enumerate(found):
        is_new = not place or found[place - 1].kind != each.kind
        yield (
            each.kind if is_new else "",
            str(each.documents),
            f"{100 * each.promised:.0f} %",
            f"{100 * each.truth:.1f} %",
            str(each.thresholds),
            str(each.broken),
            str(each.broken_within),
        )


def replaced(text: str, name: str, rows: Sequence[Sequence[str]]) -> str:
    """A page with other rows in a table, whose title and rule stay."""
    table = re.compile(rf"(<!-- {name}[^\n]*-->\n\n\|[^\n]*\n\|[-:|]+\|\n)(?:\|[^\n]*\n)*")
    if not table.search(text):
        raise ValueError(f"the page has no table called {name}")
    lines = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return table.sub(lambda match: match[1] + lines, text, count=1)


def main() -> None:
    """Measure, and write the tables of the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--only", choices=("simulated", "held-out", "metrics"), action="append")
    parser.add_argument("--campaigns", type=int, default=CAMPAIGNS)
    options = parser.parse_args()
    tables: dict[str, Callable[[], Iterator[tuple[str, ...]]]] = {
        "simulated": lambda: kept_rows(list(simulated(options.campaigns))),
        "held-out": lambda: held_out(wmt25()),
        "metrics": lambda: metrics(wmt25()),
    }
    for name in options.only or tables:
        rows = []
        for row in tables[name]():
            print(" | ".join(row), flush=True)
            rows.append(row)
        PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), name, rows), encoding="utf-8")


if __name__ == "__main__":
    main()
