from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assay.data.formats import read_campaign
from assay.data.tables.browser_offsets import in_characters, ratings_in_characters, unit_starts
from assay.types import ErrorSpan, Ratings, TestSet
from assay.types.judgements import CHARACTERS, UTF16

TEXT = "😀 a 𝄞b"  # units: 2, 1, 1, 1, 2, 1


def span(start: int, end: int) -> ErrorSpan:
    return ErrorSpan("", "minor", start, end)


def test_units_of_characters() -> None:
    assert [*unit_starts(TEXT)] == [0, 2, 3, 4, 5, 7, 8]
    assert [*unit_starts("abc")] == [0, 1, 2, 3]
    assert [*unit_starts("")] == [0]


@pytest.mark.parametrize(
    ("units", "characters"),
    [((0, 2), (0, 1)), ((0, 8), (0, 6)), ((3, 4), (2, 3)), ((7, 8), (5, 6)), ((5, 7), (4, 5)), ((4, 4), (3, 3))],
)
def test_places_in_units_become_characters(units: tuple[int, int], characters: tuple[int, int]) -> None:
    assert in_characters((span(*units),), TEXT) == (span(*characters),)


def test_what_is_outside_stays_outside_and_omissions_have_no_place() -> None:
    errors = (span(7, 9), ErrorSpan("missing", "minor"))
    assert in_characters(errors, TEXT) == errors


def test_ratings_keep_units_until_the_texts_are_known() -> None:
    rows = np.array([0, 0])
    ratings = Ratings(
        "esa",
        "ESA",
        ("r",),
        ("A",),
        rows,
        rows,
        np.array([0, 1]),
        np.array([1.0, 2.0]),
        errors=((span(7, 8),), (span(1, 2),)),
        offsets=UTF16,
    )
    assert ratings_in_characters(ratings, None) is ratings
    moved = ratings_in_characters(ratings, TestSet({"A": [TEXT, "abc"]}))
    assert (moved.errors, moved.offsets) == (((span(5, 6),), (span(1, 2),)), CHARACTERS)
    assert ratings_in_characters(moved, TestSet({"A": [TEXT, "abc"]})) is moved
    named = replace(ratings, items=("x", "y"))
    assert ratings_in_characters(named, TestSet({"A": [TEXT, "abc"]})) is named


def test_a_folder_with_esa_has_characters(tmp_path: Path) -> None:
    for name, text in {
        "sources/en-de.txt": "a\n",
        "system-outputs/en-de/A.txt": f"{TEXT}\n",
        "judgements/en-de.esa.tsv": "system\tdocument\tsegment\tdomain\tannotator\twave\tcounted\tscore\tstart\tend"
        + "\tminor\tmajor\terrors\nA\td\t1\tnews\tr\t1\t1\t50\t1\t2\t1\t0\t"
        + json.dumps([{"start_i": 7, "end_i": 7, "severity": "minor"}])
        + "\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (judged,) = read_campaign(tmp_path, lp="en-de").judgements
    assert judged.errors == ((span(5, 6),),)
    (alone,) = read_campaign(tmp_path / "judgements" / "en-de.esa.tsv").judgements
    assert (alone.errors, alone.offsets) == (((span(7, 8),),), UTF16)
