"""Readings of eBLEU's paper: a slow twin beside the kernel, invariants, and what the authors' scores decide."""

from __future__ import annotations

import csv
import math
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import load
from assay.metrics.ebleu import Ebleu
from assay.types.runtime import Runtime
from scripts.ebleu_identity import page
from scripts.ebleu_identity.fit import (
    BINS,
    Fit,
    Texts,
    correlation_with_length,
    fit,
    lowest_of_three_words,
    means,
    scores,
)
from scripts.ebleu_identity.readings import PRINTED, WEIGHTS, Reading, cosines, grid, one_change
from scripts.ebleu_identity.readings import score as slow_score
from scripts.ebleu_identity.vectors import SOURCES, Source, map_of_integers, murmur64, vectors_of
from tests.metrics import made_up_vectors

GOLDEN = Path(__file__).parents[1] / "golden" / "ebleu_identity.tsv"
"""Of 530 segments into English of WMT23 that equal their reference: the authors' score, and numbers of words."""
KNOWN = [f"w{i}" for i in range(9)]
OTHERS = ("tokens", "ngrams", "cosines")
"""Fields of a reading that are no options of the metric under this name."""
WORDS = [*KNOWN, "u0", "u1"]
EXACT = made_up_vectors.ExactVectors(made_up_vectors.of_words(KNOWN, seed=5))
VECTORS = EXACT.vectors

OTHER_READINGS = {"ngrams": "least", "cosines": "absolute", "meaning": "others", "diffusion": "l1-of-columns"}

texts = st.lists(st.sampled_from(WORDS), max_size=9)


@st.composite
def readings(draw, **fixed):
    """What the metric has options for."""
    found = {
        "unknown": st.sampled_from(["same", "zero"]),
        "diffusion": st.sampled_from(["softmax", "l1"]),
        "weights": st.sampled_from(list(WEIGHTS)),
        "meaning": st.sampled_from(["row", "diagonal"]),
        "short": st.sampled_from(["skip", "zero"]),
        "length": st.sampled_from(["longer", "reference"]),
    }
    chosen = {name: draw(values) for name, values in found.items()} | fixed
    if chosen["diffusion"] == "softmax":
        chosen["temperature"] = draw(st.sampled_from([1.0, 0.05, 0.3, 4.0]))
    else:
        chosen["zero_rows"] = draw(st.sampled_from(["zero", "spread"]))
    return Reading(**chosen)


@pytest.fixture(scope="module")
def vectors_file(tmp_path_factory):
    """The same vectors in a file, with others for the words in capitals."""
    capitals = made_up_vectors.of_words([word.upper() for word in KNOWN], seed=6)
    path = tmp_path_factory.mktemp("vectors") / "small.vec"
    return made_up_vectors.write(path, {word: vector.tolist() for word, vector in VECTORS.items()} | capitals)


@pytest.fixture(scope="module")
def official():
    """The columns of the golden file."""
    with GOLDEN.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def by_metric(output, reference, reading):
    options = {name: value for name, value in asdict(reading).items() if name not in OTHERS}
    testset = load(outputs={"x": [" ".join(output)]}, references=[" ".join(reference)])
    with pytest.MonkeyPatch.context() as patch:  # double precision, whatever the name
        patch.setattr("assay.metrics.vector_metric.open_token_vectors", lambda *_, **__: EXACT)
        metric = Ebleu(vectors="given", tok="none", **options)
        return metric.score(metric.statistics(testset, Runtime(threads=1)))[0, 0]


def by_twin(output, reference, reading):
    sides = (output, output), (reference, reference), (output, reference)
    return slow_score(*(cosines(x, y, VECTORS, reading) for x, y in sides), reading)


@given(output=texts, reference=texts, reading=readings())
def test_the_metric_agrees_with_its_twin(output, reference, reading):
    assert reading.is_metric
    expected = by_twin(output, reference, reading)
    assert by_metric(output, reference, reading) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(text=texts.filter(bool), reading=readings(unknown="same", short="skip"))
def test_a_text_scores_from_0_to_1_against_itself(text, reading):
    """And 1 if all words are one, or if there are two: all rows of S have the same sum."""
    found = by_metric(text, text, reading)
    assert 0 < found <= 1 + 1e-12
    if len(text) <= 2 or len(set(text)) == 1:
        assert found == pytest.approx(1, abs=1e-12)


@given(output=texts, reference=texts, reading=readings(unknown="same", length="longer"))
def test_sides_can_be_exchanged(output, reference, reading):
    if output and reference:
        there, back = by_metric(output, reference, reading), by_metric(reference, output, reading)
        assert there == pytest.approx(back, abs=1e-12)


def test_sides_cannot_be_exchanged_if_lengths_are_relative_to_the_reference():
    reading = replace(PRINTED, length="reference")
    short, long = ["w1"], ["w1", "w1", "w1"]
    assert by_metric(long, short, reading) < by_metric(short, long, reading)


@given(output=texts, reference=texts, upper=st.lists(st.booleans(), min_size=9, max_size=9))
def test_case_does_not_matter(vectors_file, output, reference, upper):
    written = [word.upper() if is_upper else word for word, is_upper in zip(output, upper, strict=False)]
    testset = load(outputs={"x": [" ".join(written)], "y": [" ".join(output)]}, references=[" ".join(reference)])
    metric = Ebleu(vectors=vectors_file, tok="none")
    first, second = metric.score(metric.statistics(testset, Runtime(threads=1)))[:, 0]
    np.testing.assert_equal(first, second)


def test_readings_are_distinct_and_begin_with_the_printed_one():
    changes = list(one_change())
    assert changes[0] == ("as printed", PRINTED)
    assert len({reading for _, reading in changes}) == len(changes)
    assert len(set(grid())) == len(list(grid())) == 648
    assert PRINTED in grid()


def test_what_is_an_option_of_the_metric():
    assert not any(replace(PRINTED, **{name: value}).is_metric for name, value in OTHER_READINGS.items())
    assert sum(reading.is_metric for reading in grid()) == 2 * 2 * 2 * 7 * 3


def test_the_printed_reading_is_the_default():
    default = Ebleu(vectors="given")
    options = {name: value for name, value in asdict(PRINTED).items() if name not in OTHERS}
    assert {name: getattr(default, name) for name in options} == options


def test_the_authors_words_stand_between_spaces(official):
    """Two words score 1 on any vectors; more by 13a would not."""
    two = official["words"] == 2
    assert two.sum() == 16
    assert official["score"][two] == pytest.approx(1, abs=2e-7)
    assert (official["words_13a"][two] > 2).sum() == 8
    more = official["different_words"] > 2
    assert more.sum() == 505
    assert official["score"][more].max() < 0.9999


@pytest.mark.slow
def test_readings_that_cannot_give_three_words_so_low_a_score(official):
    low = official["score"][official["words"] == 3].min()
    assert low == pytest.approx(0.98227, abs=1e-5)
    assert lowest_of_three_words(PRINTED) < 0.95
    assert lowest_of_three_words(replace(PRINTED, temperature=0.1)) > low + 0.001
    assert lowest_of_three_words(replace(PRINTED, diffusion="l1-of-columns")) == pytest.approx(1)
    assert lowest_of_three_words(replace(PRINTED, meaning="diagonal")) == pytest.approx(1)


@pytest.mark.slow
def test_no_vectors_give_three_words_less_than_the_lowest():
    rng = np.random.default_rng(3)
    text = ["a", "b", "c"]
    for reading in (PRINTED, replace(PRINTED, diffusion="l1"), replace(PRINTED, temperature=0.1)):
        lowest = lowest_of_three_words(reading)
        for _ in range(200):
            vectors = dict(zip(text, rng.normal(rng.choice([0, 0.5]), 1, (3, 3)), strict=True))
            between = cosines(text, text, vectors, reading)
            assert slow_score(between, between, between, reading) >= lowest - 1e-4


def test_the_page_has_the_authors_scores(official):
    """The other numbers take the texts, which do not come with Assay."""
    assert len(official["score"]) == 530
    section = page.PAGE.read_text(encoding="utf-8").partition(page.BEGIN)[2].partition(page.END)[0]
    shown = means(official["score"], official["words"])
    assert f"| **the authors' scores** | {' | '.join(f'{value:.3f}' for value in shown)} |" in section
    printed = next(line for line in section.splitlines() if line.startswith("| as printed |"))
    assert printed.split("|")[2].strip() == "1.000"


def test_the_script_reads_texts_and_measures_shapes(tmp_path):
    (tmp_path / "x.tsv").write_text(
        'text\tscore\n"I grew up"\t0.99\nGood luck.\t1.0\nw1 w2 w3 w4 w1\t0.8\nw1 w1 w1 w2 w5\t0.9\n', encoding="utf-8"
    )
    found = Texts.read(tmp_path / "x.tsv")
    assert found.lengths.tolist() == [3, 2, 5, 5]
    assert found.words["spaces"][0] == ['"i', "grew", 'up"']
    assert found.words["13a"][1] == ["good", "luck", "."]
    values = scores(found, VECTORS, PRINTED, {})
    expected = [by_twin(text, text, PRINTED) for text in found.words["spaces"]]
    np.testing.assert_allclose(values, expected, atol=1e-12)
    assert correlation_with_length(found) == pytest.approx(0.95, abs=0.01)


def test_a_fit_by_hand():
    texts = Texts({"spaces": [["w"] * n for n in (1, 3, 3, 3, 3, 3)]}, np.array([1, 0.9, 0.8, 0.7, 0.6, 0.5]))
    same = fit(texts.official, texts)
    assert (same.rmse, same.n) == (0, 6)
    assert (same.rank, same.within) == pytest.approx((1, 1))
    assert same.means[:2] == pytest.approx((1, 0.7))
    assert math.isnan(same.means[2])
    four = fit(np.array([1, 0.4, 0.5, 0.6, 0.7, math.nan]), texts)
    assert four.n == 5
    assert math.isnan(four.within)  # of texts of a length, five are ranked at least
    turned = fit(np.array([1, 0.4, 0.5, 0.6, 0.7, 0.8]), texts)
    assert turned.within == pytest.approx(-1)
    assert fit(np.full(6, math.nan), texts).n == 0


def test_words_without_subwords_lose_the_punctuation_around_them(tmp_path):
    asked = []

    def look_up(words, _):
        asked.append(list(words))
        return {word: np.array([1.0, len(word)]) for word in words if word in ("luck", "good")}

    for has_subwords, expected in ((False, {"good": 4, "luck.": 4}), (True, {"good": 4})):
        source = Source(f"made-up-{has_subwords}", "", True, look_up, has_subwords)
        found = vectors_of(source, ["good", "luck.", "!!"], tmp_path)
        assert {word: vector[1] for word, vector in found.items()} == expected
        assert {
            word: vector[1] for word, vector in vectors_of(source, ["good", "luck.", "!!"], tmp_path).items()
        } == expected
    assert len(asked) == 2  # the second time from the file


def test_the_table_of_spacy():
    """The hash that spaCy's documentation gives as an example, and MessagePack by hand."""
    assert murmur64(b"coffee") == 3197928453018144401
    packed = bytes([0xDF, 0, 0, 0, 3, 5, 0xFF, 0xCD, 1, 0, 0xCE, 0, 1, 0, 0, 0xCF, *bytes(7), 9, 0xD1, 0xFF, 0xFE])
    assert dict(map_of_integers(packed)) == {5: -1, 256: 65536, 9: -2}
    with pytest.raises(ValueError, match="not a large"):
        dict(map_of_integers(b"\x80"))


def test_readings_are_chosen_on_some_sources_only():
    assert [source.name for source in SOURCES if source.is_chosen_on] == ["fasttext-cbow", "english-md"]
    made_up = Fit(0.1, 0.5, 0.2, (1.0,) * len(BINS), 530)
    assert page.table_of_all({("x", PRINTED): made_up}).splitlines()[1].endswith("\t530")
