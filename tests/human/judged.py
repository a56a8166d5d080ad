"""Judgements for tests: a few by hand, many at random, and those of the WMT campaigns."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from assay.data.formats.mtme import read_pair
from assay.data.tables.judgement_tables import read_judgement_table
from assay.human.comparisons import Comparisons, comparisons_of
from assay.types import Campaign, Rankings, Ratings
from tests import archives

needs_archives = pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA does not name the WMT archives")

WMT15 = ("cs-en", "en-cs", "de-en", "en-de", "fi-en", "en-fi", "fr-en", "en-fr", "ru-en", "en-ru")
WMT16 = ("cs-en", "en-cs", "de-en", "en-de", "fi-en", "en-fi", "ro-en", "en-ro", "ru-en", "en-ru", "tr-en", "en-tr")


def make_rankings(
    ranks: Sequence[Sequence[int]],
    *,
    systems: str = "abcdefgh",
    judges: Sequence[int] | None = None,
    segments: Sequence[int] | None = None,
    output: Sequence[Sequence[int]] | None = None,
) -> Rankings:
    """One row a ranking, 0 for a system that is not in it; each of a segment of its own by one judge, if not said."""
    rows = len(ranks)
    width = len(ranks[0])
    return Rankings(
        "rr",
        tuple(systems[:width]),
        tuple("xyz"),
        np.array([0] * rows if judges is None else judges),
        np.array(range(rows) if segments is None else segments),
        np.array(ranks, np.int8),
        output=None if output is None else np.array(output, np.int8),
    )


def random_rankings(count: int, *, seed: int = 1, largest: int = 6) -> Iterator[Rankings]:
    """With ties, systems left out, skipped rankings, systems that share an output, few judges and few segments."""
    random = np.random.Generator(np.random.PCG64(seed))
    for _ in range(count):
        systems, rows = int(random.integers(2, largest + 1)), int(random.integers(1, 30))
        output = np.argsort(random.random((rows, systems)), axis=1).astype(np.int8) + 1
        ranks = random.integers(1, random.integers(2, 6), (rows, systems))
        for row in range(rows):
            if random.random() < 0.2:
                output[row, 1], ranks[row, 1] = output[row, 0], ranks[row, 0]
        present = random.random((rows, systems)) < random.choice([0.3, 0.8, 1.0])
        present[:, 1] &= present[:, 0] | (output[:, 0] != output[:, 1])
        yield make_rankings(
            np.where(present, ranks, 0).tolist(),
            judges=random.integers(0, 3, rows).tolist(),
            segments=random.integers(0, 5, rows).tolist(),
            output=output.tolist() if random.random() < 0.5 else None,
        )


def random_comparisons(count: int, *, seed: int = 2) -> Iterator[Comparisons]:
    for rankings in random_rankings(count, seed=seed):
        if ((rankings.ranks > 0).sum(axis=1) > 1).any():
            yield comparisons_of(rankings)


def make_ratings(rows: Sequence[tuple[str, str, int, float]], **others: object) -> Ratings:
    """Rows of rater, system, segment, score."""
    raters = tuple(dict.fromkeys(row[0] for row in rows))
    systems = tuple(dict.fromkeys(row[1] for row in rows))
    settings = {"protocol": "DA"} | others
    return Ratings(
        name="da",
        raters=raters,
        systems=systems,
        rater=np.array([raters.index(row[0]) for row in rows], int),
        system=np.array([systems.index(row[1]) for row in rows], int),
        segment=np.array([row[2] for row in rows], int),
        score=np.array([row[3] for row in rows], float),
        **settings,  # type: ignore[arg-type]
    )


@functools.cache
def wmt(name: str, lp: str) -> Campaign:
    """Everything there is of one language pair."""
    return read_pair(archives.unpacked(name), lp)


@functools.cache
def wmt_rankings(name: str, lp: str, table: str = "rr") -> Rankings:
    """Rankings only, which is quicker."""
    found = read_judgement_table(archives.unpacked(name) / "judgements" / f"{lp}.{table}.tsv", table)
    assert isinstance(found, Rankings)
    return found


def official_trueskill(name: str, lp: str) -> dict[str, tuple[float, int]]:
    """Score and cluster of each system, best first, as the organisers published them."""
    path = archives.unpacked(name) / "human-significance" / f"{lp}.trueskill.tsv"
    rows = [line.split("\t") for line in archives.lines(path)[1:]]
    return {system: (float(score), int(cluster)) for system, score, _, _, cluster in rows}
