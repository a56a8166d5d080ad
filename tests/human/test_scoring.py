from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from assay.errors import ConfigError, InputError
from assay.human.scoring import segment_scores, standardised, without_controls
from assay.types import NoteKind, mean_of_defined
from tests.human.judged import make_ratings, needs_archives, wmt

KINDS = ("TGT", "REPEAT", "BAD", "REF", "CHK", "BAD_REF", "BAD.1")


def random_ratings(count, seed=1):
    random = np.random.Generator(np.random.PCG64(seed))
    for _ in range(count):
        rows = [
            (
                str(random.choice(["x", "y", "z"])),
                str(random.choice(["a", "b", "c"])),
                int(random.integers(-1, 6)),
                float(random.integers(0, 4)) * 0.1 if random.random() < 0.9 else math.nan,
            )
            for _ in range(int(random.integers(1, 40)))
        ]
        yield make_ratings(rows, kind=tuple(random.choice(KINDS, len(rows)).tolist()))


def test_controls_and_document_scores_are_left_out():
    rows = [("x", "a", segment, 50.0) for segment in (0, 1, 2, -1, 3, 4)]
    ratings = make_ratings(rows, kind=("TGT", "BAD", "REPEAT", "TGT", "CHK", "REF"))
    assert without_controls(ratings)[0].segment.tolist() == [0, 2]
    assert without_controls(replace(ratings, kind=()))[0].segment.tolist() == [0, 1, 2, 3, 4]
    assert without_controls(ratings.where(np.zeros(6, bool)))[0].segment.tolist() == []
    assert [(note.kind, str(note), note.count) for note in without_controls(ratings)[1]] == [
        (NoteKind.EXCLUDED, "left out: 1 document score", 1),
        (NoteKind.EXCLUDED, "left out: 3 ratings of quality-control items (1 BAD, 1 CHK, 1 REF)", 3),
    ]


def test_every_kind_of_control():
    kinds = ("HOTW-test", "TUTORIAL", "BAD_REF", "TGT")
    ratings = make_ratings([("x", "a", segment, 50.0) for segment in range(4)], kind=kinds)
    assert without_controls(ratings)[0].segment.tolist() == [3]


@pytest.mark.parametrize("deviation", ["sample", "population"])
def test_standardised_as_the_slow_twin(deviation):
    for ratings in random_ratings(200):
        found, notes = standardised(ratings, deviation)
        told = 0
        for rater, name in enumerate(ratings.raters):
            given = [s for r, s in zip(ratings.rater, ratings.score, strict=True) if r == rater and not math.isnan(s)]
            own = found.score[(ratings.rater == rater) & ~np.isnan(ratings.score)]
            if len(set(given)) < 2:
                assert np.isnan(own).all()
                assert sum(str(note).startswith(f"rater {name} ") for note in notes) == bool(given)
                told += bool(given)
                continue
            mean = math.fsum(given) / len(given)
            squares = math.fsum((s - mean) ** 2 for s in given)
            sd = math.sqrt(squares / (len(given) - (deviation == "sample")))
            assert own == pytest.approx([(s - mean) / sd for s in given], abs=1e-9)
            assert own.mean() == pytest.approx(0, abs=1e-9)
            assert own.std(ddof=deviation == "sample") == pytest.approx(1)
        assert len(notes) == told
        assert np.isnan(found.score[np.isnan(ratings.score)]).all()
        assert found.protocol == "DA-z"


def test_standardised_by_hand():
    ratings = make_ratings([("x", "a", 0, 1.0), ("x", "b", 0, 2.0), ("x", "a", 1, 3.0), ("y", "a", 0, 9.0)])
    found, notes = standardised(ratings)
    assert found.score[:3].tolist() == [-1, 0, 1]
    assert math.isnan(found.score[3])
    assert list(map(str, notes)) == ["rater y gave only one score, which cannot be standardised"]
    assert standardised(ratings, "population")[0].score[0] == pytest.approx(-math.sqrt(1.5))


def test_a_constant_rater_is_constant_despite_rounding():
    ratings = make_ratings([("x", "a", segment, 0.1) for segment in range(3)])
    assert ratings.score.mean() != 0.1
    found, notes = standardised(ratings)
    assert np.isnan(found.score).all()
    assert list(map(str, notes)) == ["rater x always gave the same score: 3 ratings cannot be standardised"]
    assert [(note.kind, note.count) for note in notes] == [(NoteKind.EXCLUDED, 3)]


def test_segment_scores_as_the_slow_twin():
    for ratings in random_ratings(200, seed=2):
        cells = defaultdict(list)
        for system, segment, score in zip(ratings.system, ratings.segment, ratings.score, strict=True):
            if segment >= 0 and not math.isnan(score):
                cells[ratings.systems[system], int(segment)].append(score)
        table = segment_scores(ratings, segments=7, systems=("c", "a", "unseen"))
        assert table.values.shape == (3, 7)
        for i, name in enumerate(table.systems):
            own = [cells.get((name, segment), []) for segment in range(7)]
            expected = [sum(given) / len(given) if given else math.nan for given in own]
            assert table.values[i] == pytest.approx(expected, nan_ok=True)


def test_order_does_not_matter():
    for ratings in random_ratings(50, seed=3):
        turned = ratings.where(np.ones(len(ratings), bool))
        order = np.random.Generator(np.random.PCG64(1)).permutation(len(ratings))
        columns = {name: getattr(ratings, name)[order] for name in ("rater", "system", "segment", "score")}
        turned = replace(turned, **columns, kind=tuple(ratings.kind[i] for i in order))
        values = segment_scores(ratings).values
        assert segment_scores(turned).values == pytest.approx(values, nan_ok=True)


def test_ratings_that_do_not_fit_the_segments_are_an_error():
    ratings = make_ratings([("x", "a", 3, 1.0)])
    with pytest.raises(InputError, match="cover more than 3 segments"):
        segment_scores(ratings, segments=3)
    assert segment_scores(ratings).values.shape == (1, 4)


def test_named_items_keep_their_names_and_domains():
    rows = [("x", "a", 1, 10.0), ("y", "a", 1, 20.0), ("x", "b", 3, 5.0)]
    ratings = make_ratings(rows, items=tuple("pqrs"), domain=("news", "news", "social"))
    table = segment_scores(ratings, segments=2)
    assert (table.items, table.domains) == (tuple("pqrs"), ("", "news", "", "social"))
    assert (table.values[0, 1], table.values[1, 3]) == (15.0, 5.0)
    assert segment_scores(replace(ratings, domain=("", "", ""))).domains == ()
    with pytest.raises(InputError, match="segment 'q' has two domains"):
        segment_scores(replace(ratings, domain=("news", "speech", "social")))
    with pytest.raises(InputError, match="segment 2 has two domains"):
        segment_scores(replace(ratings, items=(), domain=("news", "speech", "social")))


def test_scores_keep_their_metadata():
    ratings = make_ratings([("x", "a", 0, 1.0)], protocol="ESA", origin="file", digest="d", higher_is_better=False)
    table = segment_scores(ratings)
    assert (table.protocol, table.origin, table.digest, table.higher_is_better) == ("ESA", "file", "d", False)


def stored(campaign, name, level):
    return next(t for t in campaign.scores if (t.name, t.level) == (name, level))


@needs_archives
@pytest.mark.parametrize(
    ("lp", "name"), [("en-liv", "wmt-appraise"), ("en-liv", "wmt-appraise-refbased"), ("liv-en", "wmt-appraise")]
)
def test_livonian_scores_of_wmt22(lp, name):
    """Averages and z (population) of the raw judgements are the stored scores, to the 8 digits these have."""
    campaign = wmt("wmt22", lp)
    ratings, _ = without_controls(next(j for j in campaign.judgements if j.name == name))
    z, notes = standardised(ratings, "population")
    assert notes == ()
    for given, suffix in ((ratings, ""), (z, "-z")):
        expected = stored(campaign, name + suffix, "segment")
        table = segment_scores(given, segments=campaign.segments, systems=expected.systems)
        assert np.isnan(table.values).tolist() == np.isnan(expected.values).tolist()
        assert table.values == pytest.approx(expected.values, nan_ok=True, abs=1e-7, rel=1e-7)
        systems = stored(campaign, name + suffix, "system")
        means = mean_of_defined(table.take(systems.systems).values, axis=1)[:, np.newaxis]
        assert means == pytest.approx(systems.values, abs=1e-7 if suffix else 1e-6, rel=0)


@needs_archives
@pytest.mark.parametrize(("lp", "unknown"), [("cs-en", 0), ("de-en", 65)])
def test_crowd_scores_of_wmt22(lp, unknown):
    """Averages of the crowd's z-scores, given to 6 digits; some stored cells have no single judgement in the data."""
    campaign = wmt("wmt22", lp)
    (ratings,) = campaign.judgements
    expected = stored(campaign, "wmt-z", "segment")
    table = segment_scores(without_controls(ratings)[0], segments=campaign.segments, systems=expected.systems)
    both = ~np.isnan(table.values) & ~np.isnan(expected.values)
    assert (~np.isnan(table.values) & np.isnan(expected.values)).sum() == 0
    assert (np.isnan(table.values) & ~np.isnan(expected.values)).sum() == unknown
    assert np.abs(table.values[both] - expected.values[both]).max() < 3e-5


def test_z_scores_are_not_standardised_again():
    z, _ = standardised(make_ratings([("x", "a", 0, 1.0), ("x", "a", 1, 3.0)]))
    with pytest.raises(ConfigError, match=r"'da' \(DA-z\) are already standardised"):
        standardised(z)


def test_standardised_esa_is_a_protocol_of_its_own():
    z, _ = standardised(make_ratings([("x", "a", 0, 1.0), ("x", "a", 1, 3.0)], protocol="ESA"))
    assert z.protocol == "ESA-z"
