from __future__ import annotations

import json

import numpy as np
import pytest

from assay.data.formats import find_format, format_by_suffix, read_campaigns
from assay.data.formats.judgements import JudgementFile
from assay.errors import ConfigError, EmptyInputError, InputError, NameClashError
from assay.study.convert import convert
from assay.types import Campaign, ErrorSpan, Rankings, Ratings, ScoreTable
from tests import archives
from tests.data.flat import read_or_refused
from tests.data.judged import read, refused

ERRORS = (ErrorSpan("Accuracy/Omission", "major", 3, 8, True, 5.0), ErrorSpan("", "minor"))
RATINGS = Ratings(
    "esa",
    "ESA",
    ("r1", "r\u00e9mi"),
    ("A", "B"),
    [0, 1, 0],
    [0, 1, 1],
    [4, 0, -1],
    [83.25, np.nan, 1 / 3],
    kind=("TGT", "BAD", "TGT"),
    errors=(ERRORS, (), ()),
    document=("d1", "d1#bad", "d2"),
    domain=("news", "", "social"),
    wave=("1", "", "2"),
    time=[1724111664.399, np.nan, 3.5],
)
NAMED = Ratings(
    "da", "DA", ("r",), ("A",), [0, 0], [0, 0], [0, 1], [1, 2], items=("d:1", "d:2"), higher_is_better=False
)
RANKINGS = Rankings(
    "rr", ("A", "B", "C"), ("j",), [0, 0], [2, 0], [[1, 2, 0], [0, 0, 0]], output=[[1, 2, 3], [1, 1, 0]]
)
PAIRS = Rankings("pairs", ("A", "B"), ("unknown",), [0], [1], [[2, 1]])
ALL = (RATINGS, NAMED, RANKINGS, PAIRS)
COLUMNS = (
    "name",
    "protocol",
    "raters",
    "systems",
    "kind",
    "errors",
    "document",
    "domain",
    "wave",
    "items",
    "higher_is_better",
)
LINE = (
    '{"lp": "en-de", "name": "da", "protocol": "DA", "rater": "r", "system": "A", "segment": 1, "score": 50, '
    '"errors": [{"category": "x", "severity": "minor"}]}\n'
)
RANKING = '{"name": "rr", "judge": "j", "segment": 1, "ranks": {"A": 1, "B": null}, "outputs": {"A": 1, "B": 2}}\n'


def campaign(*judgements, **more):
    return Campaign("toy", "en-de", 5, ("A", "B", "C"), (), None, judgements=judgements, **more)


def assert_same(one, other):
    for name in ("segment", "score", "rater", "system", "judge", "ranks"):
        if hasattr(one, name):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for name in ("time", "output"):
        if getattr(one, name, None) is None:
            assert getattr(other, name, None) is None
        else:
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    for name in COLUMNS if isinstance(one, Ratings) else ("name", "systems", "judges"):
        assert getattr(one, name) == getattr(other, name), name


def test_judgements_are_read_back_as_they_were(tmp_path):
    path = tmp_path / "all.judgements.jsonl"
    JudgementFile().write([campaign(*ALL)], path)
    (again,) = read_campaigns(path)
    assert (again.name, again.lp, again.segments) == ("toy", "en-de", 5)
    assert len(again.judgements) == len(ALL)
    for judged in ALL:
        assert_same(judged, next(other for other in again.judgements if other.name == judged.name))
    assert all(set(json.loads(line)) >= {"dataset", "lp", "name"} for line in path.read_text("utf-8").splitlines())
    assert find_format(path) == format_by_suffix(path) == JudgementFile()
    packed = tmp_path / "all.judgements.jsonl.gz"
    JudgementFile().write([again], packed)
    assert_same(RATINGS, read_campaigns(packed)[0].judgements[0])


def test_texts_and_scores_have_no_place(tmp_path):
    scores = ScoreTable("da", "system", ("A",), [[1.0]], protocol="DA")
    with pytest.raises(ConfigError, match="toy en-de: a file of judgements cannot hold texts and scores"):
        JudgementFile().write([campaign(RATINGS, scores=(scores,))], tmp_path / "a.judgements.jsonl")
    with pytest.raises(NameClashError, match="two kinds of judgements"):
        JudgementFile().write([campaign(RATINGS, RATINGS)], tmp_path / "a.judgements.jsonl")
    with pytest.raises(EmptyInputError, match="no judgements to write"):
        JudgementFile().write([campaign()], tmp_path / "a.judgements.jsonl")


def test_optional_keys_and_unknown_ones(tmp_path):
    (found, other) = read(tmp_path, "judgements", LINE.replace('"lp"', '"mood": 1, "lp"') + RANKING, "a.jsonl")
    assert (found.lp, other.lp) == ("en-de", "")
    assert [note.text for note in found.notes] == ["unused fields: mood"]
    assert find_format(tmp_path / "a.jsonl") == JudgementFile()


@pytest.mark.parametrize(
    ("text", "old", "new", "message"),
    [
        (LINE, '"en-de"', '"english"', "not a language pair"),
        (LINE, '"DA"', '"XY"', "unknown protocol 'XY'"),
        (LINE, '"rater": "r"', '"rater": 1', "the rater must be text"),
        (LINE, '"system": "A", ', "", "no system"),
        (LINE, '"segment": 1', '"segment": -1', "the segment must be a positive integer"),
        (LINE, '"segment": 1', '"segment": 1, "item": "x"', "a segment or an item, not both"),
        (LINE, '"score": 50', '"score": [50]', "the score must be a number"),
        (LINE, '"score": 50', '"better": "worse"', "better must be higher or lower"),
        (LINE, '[{"category"', '[1, {"category"', "the errors must be a list of JSON objects"),
        (LINE, '"severity"', '"gravity"', "an error has category"),
        (LINE, '"minor"}', '"minor", "start": 3}', "an error needs both start and end"),
        (RANKING, '"segment": 1, ', "", "a ranking needs a segment"),
        (RANKING, '"A": 1, "B": null', '"A": 0', "the ranks must be positive integers or null"),
        (RANKING, '{"A": 1, "B": null}', "[]", "the ranks must be an object"),
        (RANKING, '"outputs": {"A": 1, "B": 2}', '"outputs": {"A": 1}', "the outputs must be of the systems in ranks"),
        (RANKING, RANKING, "[]\n", "expected a JSON object"),
    ],
)
def test_damaged_twins(tmp_path, text, old, new, message):
    assert old in text
    assert message in refused(tmp_path, "judgements", text.replace(old, new, 1), "a.jsonl", 1)
    (found,) = read(tmp_path, "judgements", text * 20 + text.replace(old, new, 1), "a.jsonl")
    assert [note.count for note in found.notes if note.kind == "skipped"] == [1]


def test_any_bytes_are_read_or_refused(tmp_path):
    read_or_refused(lambda raw: read(tmp_path, "judgements", raw, "a.judgements.jsonl"), LINE + RANKING, examples=50)


@pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA is not set")
def test_published_judgements_are_read_back_as_they_were(tmp_path):
    formats = archives.unpacked("formats")
    for source in (
        formats / "appraise/240521rc6MQM.scores.csv",
        formats / "esa-wmt24/esa_generalMT2024_wave2.en-hi.csv",
        formats / "google-mqm/mqm_ted_zhen.tsv",
        formats / "crowd-da/ad-isen-good-stnd-redup.csv",
        formats / "seg-rating/en-de.mqm.first120.seg.rating",
    ):
        (before,) = convert(source, tmp_path / "a.judgements.jsonl", only=("judgements",), force=True)
        (after,) = read_campaigns(tmp_path / "a.judgements.jsonl")
        assert_same(before.judgements[0], after.judgements[0])


def test_quality_control_in_lower_case(tmp_path):
    (campaign,) = read(tmp_path, "judgements", LINE.replace('"score"', '"kind": "bad", "score"'), "x.jsonl")
    assert campaign.judgements[0].kind == ("BAD",)
    text = LINE.replace('"score"', '"kind": "baad", "score"')
    assert "unknown kind of item 'baad'" in refused(tmp_path, "judgements", text, "x.jsonl", line=1)


def test_ratings_that_must_have_scores_and_have_none(tmp_path):
    text = LINE.replace('"DA"', '"ESA"').replace('"score"', '"points"')
    with pytest.raises(InputError, match="1 of 1 ESA ratings have no score"):
        read(tmp_path, "judgements", text, "x.jsonl")
    assert read(tmp_path, "judgements", text.replace("ESA", "MQM"), "x.jsonl")


def test_a_misspelt_optional_field_is_refused(tmp_path):
    rating = {"name": "da", "protocol": "DA", "rater": "x", "system": "A", "segment": 1, "score": 1, "knd": "BAD"}
    (tmp_path / "a.judgements.jsonl").write_text(json.dumps(rating) + "\n")
    with pytest.raises(InputError, match="unknown field 'knd'") as caught:
        JudgementFile().read(tmp_path / "a.judgements.jsonl")
    assert caught.value.hint == "did you mean 'kind'? Rename the field, or remove it"


def test_scores_beyond_the_scale_are_faulty(tmp_path):
    message = refused(tmp_path, "judgements", LINE.replace('"score": 50', '"score": 950'), "a.jsonl", 1)
    assert "the score 950 must be between 0 and 100 (DA)" in message


RATING = '{"name": "esa", "protocol": "ESA", "rater": "r", "system": "A", "segment": %d, "score": 5%s}\n'


def test_a_rating_without_the_field_errors_is_not_one_without_errors(tmp_path):
    path = tmp_path / "x.judgements.jsonl"
    path.write_text(RATING % (1, ', "errors": []') + RATING % (2, ""))
    (found,) = read_campaigns(path)
    assert found.judgements[0].errors == ((), None)
    copy = tmp_path / "copy.judgements.jsonl"
    JudgementFile().write([found], copy)
    assert [json.loads(line).get("errors") for line in copy.read_text().splitlines()] == [[], None]
    path.write_text(RATING % (1, ""))
    assert read_campaigns(path)[0].judgements[0].errors == ()


def test_an_mqm_rating_has_errors_or_a_score(tmp_path):
    path = tmp_path / "x.judgements.jsonl"
    path.write_text('{"name": "mqm", "protocol": "MQM", "rater": "r", "system": "A", "segment": 1}\n')
    with pytest.raises(InputError, match='line 1: no score and no errors; if none were found, write "errors": '):
        read_campaigns(path)


@pytest.mark.parametrize(("misspelt", "known"), [("errrors", "errors"), ("scroe", "score")])
def test_a_field_that_is_misspelt_in_one_line_only_is_refused(tmp_path, misspelt, known):
    path = tmp_path / "x.judgements.jsonl"
    lines = [RATING % (number, ', "errors": []') for number in range(1, 5)]
    path.write_text("".join(lines).replace(known, misspelt, 2).replace(misspelt, known, 1))
    with pytest.raises(InputError, match=f"line 2: unknown field '{misspelt}'") as refused:
        read_campaigns(path)
    assert refused.value.hint == f"did you mean '{known}'? Rename the field, or remove it"


def test_ratings_of_errors_may_lack_the_name_and_the_protocol(tmp_path):
    path = tmp_path / "esa.jsonl"
    rating = {"lp": "en-de", "rater": "r", "system": "A", "segment": 1}
    errors = [{"start": 3, "end": 9, "severity": "minor"}]
    path.write_text(
        "\n".join(json.dumps(rating | more) for more in ({"score": 70, "errors": errors}, {"score": 9, "errors": []}))
    )
    (found,) = read_campaigns(path)
    (ratings,) = found.ratings
    assert (ratings.name, ratings.protocol) == ("esa", "ESA")
    assert ratings.errors == ((ErrorSpan("", "minor", 3, 9),), ())
    path.write_text(json.dumps(rating | {"errors": errors}))
    assert [judged.name for judged in read_campaigns(path)[0].judgements] == ["mqm"]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        ({"start": "4", "end": 9}, 'the start of an error must be an integer or null, not "4"'),
        ({"start": True, "end": 9}, "the start of an error must be an integer or null, not true"),
        ({"severity": None}, "the severity of an error must be text, not null"),
        ({"in_source": 1}, "the in_source of an error must be true or false, not 1"),
        ({"begin": 4}, "not 'begin'"),
    ],
)
def test_what_is_wrong_with_an_error_is_said(tmp_path, error, message):
    path = tmp_path / "x.judgements.jsonl"
    path.write_text(RATING % (1, ', "errors": ' + json.dumps([{"severity": "minor"} | error])))
    with pytest.raises(InputError, match=message):
        read_campaigns(path)
