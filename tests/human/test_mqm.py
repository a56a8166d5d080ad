from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from assay.errors import ConfigError, InputError, UnknownNameError
from assay.human.mqm import GOOGLE_WEIGHTS, WEIGHTS, find_weights, mqm_ratings, read_weights, weight_of
from assay.human.scoring import segment_scores
from assay.study.load_campaign import load_campaign
from assay.types import ErrorSpan
from assay.types.severity import SEVERITIES
from tests import archives
from tests.human.judged import make_ratings, needs_archives, wmt


def mqm_scores(ratings, weights=None, **others):
    return segment_scores(mqm_ratings(ratings, find_weights(weights, ratings)), **others)


def error(text):
    """severity/category/subcategory"""
    severity, _, category = text.partition("/")
    return ErrorSpan(category, severity)


def rated(*rows):
    """Rows of rater, system, segment and errors by space."""
    return make_ratings(
        [(rater, system, segment, math.nan) for rater, system, segment, _ in rows],
        protocol="MQM",
        errors=tuple(tuple(map(error, errors.split())) for *_, errors in rows),
    )


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("major/accuracy/mistranslation", 5.0),
        ("Major/Accuracy/Omission", 5.0),
        ("minor/fluency/grammar", 1.0),
        ("Minor/Fluency/Punctuation", 0.1),
        ("minor/fluency/punctuation/comma", 0.1),
        ("major/fluency/punctuation", 5.0),
        ("Major/Non-translation", 25.0),
        ("Major/Non-translation!", 25.0),  # the category's name in Google's files
        ("minor/non-translation!", 1.0),
        ("neutral/style", 0.0),
        ("no-error/no-error", 0.0),
        ("No-error", 0.0),
        ("major", 5.0),
    ],
)
def test_weights_of_google(text, weight):
    """Table 1 of Freitag et al. (2021)."""
    assert weight_of(error(text), GOOGLE_WEIGHTS) == weight


def test_the_longest_key_that_fits_counts():
    weights = {"a": 1.0, "a/b": 2.0, "a/b/c": 3.0, "a/bb": 4.0}
    for text, weight in {
        "a": 1,
        "a/x": 1,
        "a/b": 2,
        "a/b/x": 2,
        "a/b/c": 3,
        "a/b/c/d": 3,
        "a/bb": 4,
        "a/bbb": 1,
    }.items():
        assert weight_of(error(text), weights) == weight


def test_an_error_without_a_weight_is_refused():
    with pytest.raises(ConfigError, match="no weight for errors of the severity 'critical'"):
        weight_of(error("Critical/Accuracy"), GOOGLE_WEIGHTS)
    with pytest.raises(ConfigError, match="no weight for errors of the severity 'undecided'") as caught:
        mqm_scores(rated(("x", "a", 0, "undecided")))
    assert '"undecided" = NUMBER' in caught.value.hint
    with pytest.raises(ConfigError) as caught:
        mqm_scores(rated(("x", "a", 0, "majr")))
    assert caught.value.hint.startswith("did you mean 'major'?")


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("severity", SEVERITIES)
def test_known_severities_have_a_weight_unless_nobody_published_one(severity, name):
    unpublished = {("google2020", "critical"), ("wmt22", "critical")}
    unpublished |= {(scheme, "undecided") for scheme in ("google2020", "wmt22", "wmt23", "wmt24")}
    if (name, severity) not in unpublished:
        assert weight_of(ErrorSpan("", severity), WEIGHTS[name]) >= 0
        return
    with pytest.raises(ConfigError) as caught:
        weight_of(ErrorSpan("", severity), WEIGHTS[name])
    assert "did you mean" not in caught.value.hint
    assert caught.value.hint.startswith("choose weights that have it (")


def test_milder_errors_never_weigh_more():
    for table in WEIGHTS.values():
        ordered = ("critical", "major", "minor", "trivial", "neutral", "no-error")
        weights = [weight_of(ErrorSpan("", severity), table) for severity in ordered if severity in table]
        assert weights == sorted(weights, reverse=True)


def test_a_missing_weight_names_the_ratings_and_their_file():
    ratings = replace(rated(("x", "a", 0, "huge/style")), origin="raters.tsv")
    with pytest.raises(ConfigError, match=r"raters\.tsv: 'da' by google2020: there is no weight .* severity 'huge'"):
        mqm_scores(ratings)


def test_scores_by_hand():
    table = mqm_scores(
        rated(
            ("x", "a", 0, "major/accuracy minor/fluency/punctuation"),
            ("y", "a", 0, "minor/style"),
            ("x", "a", 1, ""),
            ("x", "b", 1, "major/non-translation!"),
            ("y", "b", 0, "neutral/x no-error/x"),
        )
    )
    assert table.systems == ("a", "b")
    assert table.values == pytest.approx(np.array([[-(5.1 + 1) / 2, 0], [0, -25]]))
    assert not np.signbit(table.values[[0, 1], [1, 0]]).any()  # 0, not -0
    assert (table.protocol, table.higher_is_better) == ("MQM", True)


def test_other_weights():
    ratings = rated(("x", "a", 0, "Major/Accuracy minor/style"))
    assert mqm_scores(ratings, weights={"MAJOR": 10, "minor": 0.5}).values.tolist() == [[-10.5]]
    assert mqm_scores(ratings, segments=3, systems=("b", "a")).values[1].tolist() == pytest.approx(
        [-6, math.nan, math.nan], nan_ok=True
    )


def test_ratings_without_errors_are_refused():
    with pytest.raises(InputError, match="have no marked errors"):
        mqm_scores(make_ratings([("x", "a", 0, 1.0)]))


def test_weights_from_a_file(tmp_path):
    path = tmp_path / "weights.toml"
    path.write_text('major = 10\nMinor = 1.5\n"minor/Fluency/Punctuation" = 0  # nothing\n', encoding="utf-8")
    assert read_weights(path) == {"major": 10.0, "minor": 1.5, "minor/fluency/punctuation": 0.0}


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "the file has no weights"),
        (b"major", "not TOML"),
        (b"major = 5\nmajor = 6", "not TOML"),
        (b"major = 5\nMajor = 6", "two weights differ only in case"),
        (b"major = \xff", "not TOML"),
        (b"major = 'five'", "the weight of 'major' must be a non-negative number"),
        (b"major = true", "the weight of 'major' must be a non-negative number"),
        (b"major = -1", "the weight of 'major' must be a non-negative number"),
        (b"major = nan", "the weight of 'major' must be a non-negative number"),
        (b"major = inf", "the weight of 'major' must be a non-negative number"),
        (b"[minor]\nstyle = 1", "the weight of 'minor' must be a non-negative number"),
    ],
)
def test_damaged_files_are_refused(tmp_path, raw, message):
    path = tmp_path / "weights.toml"
    path.write_bytes(raw)
    with pytest.raises(InputError, match=message) as caught:
        read_weights(path)
    assert caught.value.path == str(path)


@pytest.mark.parametrize("weights", [{}, {"major": -1}, {"major": math.nan}, {"major": "5"}, {"major": 1, "MAJOR": 2}])
def test_damaged_mappings_are_refused(weights):
    with pytest.raises(InputError, match=r"no weights|must be a non-negative number|differ only in case"):
        find_weights(weights, rated(("x", "a", 0, "major")))


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_weights(tmp_path / "absent.toml")
    with pytest.raises(InputError, match="is a directory"):
        read_weights(tmp_path)


@pytest.mark.parametrize(
    ("severity", "category", "weights"),
    [
        ("Major", "Source issue", (5, 0, 0, 0)),
        ("Minor", "Source error/-", (1, 0, 0, 0)),
        ("minor", "accuracy/creative reinterpretation", (1, 1, 0, 0)),
        ("Major", "Non-translation!", (25, 25, 25, 25)),
        ("neutral", "Non-translation!", (0, 0, 0, 0)),
        ("Minor", "Fluency/Punctuation", (0.1, 0.1, 0.1, 0.1)),
        ("Major", "Fluency/Punctuation", (5, 5, 5, 5)),
    ],
)
def test_schemes(severity, category, weights):
    schemes = (WEIGHTS[name] for name in ("google2020", "wmt22", "wmt23", "wmt24"))
    assert tuple(weight_of(ErrorSpan(category, severity), table) for table in schemes) == weights


def test_critical_errors_are_major_since_wmt23():
    assert weight_of(ErrorSpan("accuracy", "critical"), WEIGHTS["wmt24"]) == 5
    with pytest.raises(ConfigError, match="no weight for errors of the severity 'critical'"):
        weight_of(ErrorSpan("accuracy", "critical"), WEIGHTS["google2020"])


def spans(*scores):
    errors = tuple(ErrorSpan("style", "minor", score=score) for score in scores)
    return make_ratings([("x", "a", 0, math.nan)], errors=(errors,), protocol="MQM")


def test_stored_penalties_are_the_default_where_every_error_has_one():
    assert find_weights(None, spans(3.0, 0.0)).name == "stored"
    assert mqm_scores(spans(3.0, 0.5)).values.tolist() == [[-3.5]]
    assert mqm_scores(spans(3.0, 0.5), weights="wmt23").values.tolist() == [[-2.0]]
    assert find_weights(None, spans(3.0, None)).name == "google2020"
    assert find_weights(None, spans(), "wmt24").name == "wmt24"
    with pytest.raises(ConfigError, match="an error of 'da' has no stored penalty"):
        mqm_scores(spans(3.0, None), weights="stored")


def test_weights_have_a_name_or_a_digest(tmp_path):
    path = tmp_path / "w.toml"
    path.write_text('major = 10\n"minor" = 1\n')
    from_file = find_weights(str(path), spans(1.0))
    assert from_file == find_weights({"minor": 1, "Major": 10.0}, spans(1.0)) == find_weights(path, spans(1.0))
    assert from_file.name.startswith("sha256-")
    assert find_weights({"minor": 2, "major": 10.0}, spans(1.0)).name != from_file.name
    with pytest.raises(UnknownNameError, match="no weights called 'wmt32'"):
        find_weights("wmt32", spans(1.0))
    with pytest.raises(InputError, match=r"absent\.toml: no such file"):
        find_weights("absent.toml", spans(1.0))


@needs_archives
def test_stored_penalties_of_wmt23_are_those_of_the_scheme():
    (path,) = (archives.unpacked("formats") / "seg-rating").iterdir()
    (ratings,) = load_campaign(path, lp="en-de").judgements
    assert find_weights(None, ratings).name == "stored"
    stored, computed = mqm_scores(ratings), mqm_scores(ratings, weights="wmt23")
    assert computed.values == pytest.approx(stored.values, nan_ok=True)
    assert mqm_scores(ratings, weights="google2020").values != pytest.approx(stored.values, nan_ok=True)


@needs_archives
def test_errors_in_the_source_count_in_the_ted_talks_of_wmt21():
    path = archives.unpacked("formats") / "google-mqm" / "mqm_ted_zhen.tsv"
    (ratings,) = load_campaign(path, lp="zh-en").judgements
    stored = wmt("wmt21.tedtalks", "zh-en").find("mqm", "segment")
    systems = tuple(name for name in stored.systems if name in ratings.systems)
    assert len(systems) > 10
    found = mqm_scores(ratings, weights="google2020", systems=systems)
    rated = found.values[:, ~np.isnan(found.values).all(axis=0)]  # the stored segments are numbered anew
    assert rated == pytest.approx(stored.take(systems).values, nan_ok=True, abs=1e-6)
    without = mqm_scores(ratings, weights="wmt22", systems=systems).values
    assert (np.abs(without - found.values) > 0.01).sum() > 30


@pytest.mark.parametrize("severity", ["critical", "major", "minor"])
def test_every_non_translation_counts_25_since_wmt23(severity):
    assert {weight_of(ErrorSpan(f"Non-translation{mark}", severity), WEIGHTS["wmt23"]) for mark in ("", "!")} == {25.0}
