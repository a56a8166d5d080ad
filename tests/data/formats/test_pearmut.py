"""Campaigns of Pearmut: one of three made-up documents, annotated by two raters in the browser (Pearmut 1.1.6).

`tests/golden/pearmut_annotations.json` is what its dashboard downloaded, with fewer recorded actions, and
`pearmut_campaigns.json` the campaign. Ben began, was reset, and annotated two documents; Anna annotated one, and gave
the damaged output of her attention check the best score. The expected means are those of Pearmut's own results page.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from assay.data.formats import find_format
from assay.data.formats.pearmut import Pearmut
from assay.errors import ConfigError, EmptyInputError
from assay.types import Campaign, ErrorSpan, NoteKind, Ratings
from tests.data.flat import read_or_refused
from tests.data.judged import read, refused

GOLDEN = Path(__file__).parents[2] / "golden"
ANNOTATIONS, CAMPAIGNS = GOLDEN / "pearmut_annotations.json", GOLDEN / "pearmut_campaigns.json"
ENTRIES: list[dict[str, Any]] = next(iter(json.loads(ANNOTATIONS.read_text(encoding="utf-8")).values()))
LOG = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in ENTRIES)
NAME = "eng_Latn---deu_Latn v3"
OLDER = {
    "annotation": [
        {"A": {"score": 87, "error_spans": [{"start_i": "missing", "end_i": "missing", "severity": "minor"}]}}
    ],
    "item": [{"item_id": "cs-de_DE_#_edu_#_e1_#_0", "src": "Prší.", "tgt": {"A": "Es regnet."}}],
    "user_id": "calm-otter-1",
    "item_i": 13,
}


def only(*paths: Path, spec: str = "pearmut") -> tuple[Campaign, Ratings]:
    (campaign,) = assay.read(*paths, input_format=spec)
    (ratings,) = campaign.judgements
    assert isinstance(ratings, Ratings)
    return campaign, ratings


def one(tmp_path: Path, entry: dict[str, Any], name: str = "a.jsonl") -> tuple[Campaign, Ratings]:
    (tmp_path / name).write_text(json.dumps(entry, ensure_ascii=False) + "\n", encoding="utf-8")
    return only(tmp_path / name)


def texts_of(campaign: Campaign) -> list[str]:
    return [note.text for note in campaign.notes]


def test_scores_are_those_of_the_results_page() -> None:
    campaign, ratings = only(ANNOTATIONS)
    assert (campaign.name, campaign.lp, ratings.protocol, ratings.name) == ("", "eng_Latn-deu_Latn", "ESA", "esa")
    means = {
        name: float(np.mean(ratings.score[ratings.system == number])) for number, name in enumerate(ratings.systems)
    }
    assert means == {"SysA": 81, "Sys C": 81, "GPT 5.5": 69}
    assert np.bincount(ratings.system).tolist() == [5, 5, 5]
    assert ratings.raters == ("anna", "ben")
    assert campaign.systems == ("SysA", "GPT 5.5", "Sys C")


def test_spans_are_characters_although_a_browser_counts_an_emoji_twice() -> None:
    campaign, ratings = only(ANNOTATIONS)
    assert campaign.testset is not None
    marked = {
        (ratings.raters[rater], ratings.systems[system], campaign.testset.items[segment]): errors
        for rater, system, segment, errors in zip(
            ratings.rater, ratings.system, ratings.segment.tolist(), ratings.errors, strict=True
        )
        if errors
    }
    assert marked == {
        ("anna", "SysA", "social_###_d1_###_0"): (ErrorSpan("", "minor", 8, 12),),
        ("anna", "GPT 5.5", "social_###_d1_###_0"): (ErrorSpan("missing", "major"),),
        ("ben", "Sys C", "news_###_d2_###_0"): (ErrorSpan("", "major", 3, 5),),
        ("ben", "Sys C", "speech_###_d3_###_0"): (ErrorSpan("instruction_fault", "minor"),),
    }
    assert campaign.testset.outputs["SysA"][0] == "Hallo 😀 Welt, gut."
    assert "Hallo 😀 Welt, gut."[8:12] == "Welt"


def test_documents_domains_and_times() -> None:
    campaign, ratings = only(ANNOTATIONS)
    assert set(ratings.document) == {"social_###_d1", "news_###_d2", "speech_###_d3"}
    assert set(ratings.domain) == {"social", "news", "speech"}
    assert ratings.time is not None
    assert np.isfinite(ratings.time).all()
    assert campaign.testset is not None
    assert set(campaign.testset.domains or ()) == {"social", "news", "speech"}


def test_what_does_not_count_is_noted() -> None:
    campaign, _ = only(ANNOTATIONS)
    assert texts_of(campaign)[:4] == [
        "2 documents not counted: Pearmut reset ben",
        "3 of 4 attention checks passed; failed: anna 1 of 2",
        "10 ratings of attention checks and tutorials left out",
        "outputs were rated side by side, up to 3 on a screen: ratings of one screen depend on each other",
    ]


def test_raters_who_fail_checks_can_be_left_out() -> None:
    campaign, ratings = only(ANNOTATIONS, spec="pearmut:max_failed=0")
    assert ratings.raters == ("ben",)
    assert "11 ratings left out, by raters who failed too many attention checks: anna" in "; ".join(texts_of(campaign))
    assert len(only(ANNOTATIONS, spec="pearmut:max_failed=1")[1]) == 15
    with pytest.raises(ConfigError, match="max_failed must be a number from 0"):
        Pearmut(max_failed=-1)


def test_a_log_is_read_as_the_download(tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.jsonl"
    path.write_text(LOG, encoding="utf-8")
    campaign, ratings = only(path)
    _, downloaded = only(ANNOTATIONS)
    assert campaign.lp == "eng_Latn-deu_Latn"
    assert ratings.score.tolist() == downloaded.score.tolist()
    assert ratings.errors == downloaded.errors


def test_a_campaign_has_texts_and_names_special_tokens(tmp_path: Path) -> None:
    (campaign,) = assay.read(CAMPAIGNS)
    assert (campaign.lp, campaign.segments, campaign.judgements) == ("eng_Latn-deu_Latn", 5, ())
    renamed = CAMPAIGNS.read_text(encoding="utf-8").replace("[instructions fault]", "[wrong style]")
    (tmp_path / "campaigns.json").write_text(renamed, encoding="utf-8")
    together, ratings = only(ANNOTATIONS, tmp_path / "campaigns.json")
    categories = {error.category for errors in ratings.errors for error in errors}
    assert categories == {"", "missing", "wrong_style"}
    assert together.segments == 5
    assert ratings.protocol == "ESA"  # as the campaign says, although there are categories


def test_which_format(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(LOG, encoding="utf-8")
    (tmp_path / "b.jsonl").write_text('{"user_id": "u", "annotation": "__RESET__"}\n' + LOG, encoding="utf-8")
    (tmp_path / "c.json").write_text(json.dumps(json.loads(CAMPAIGNS.read_text(encoding="utf-8"))[0]), encoding="utf-8")
    for path in (ANNOTATIONS, CAMPAIGNS, *tmp_path.iterdir()):
        assert find_format(path) == Pearmut()


def test_names_of_2025_say_the_language_pair(tmp_path: Path) -> None:
    campaign, ratings = one(tmp_path, OLDER)
    assert (campaign.name, campaign.lp, campaign.segments) == ("a", "cs-de_DE", 1)
    assert ratings.errors == ((ErrorSpan("missing", "minor"),),)
    assert (ratings.document, ratings.domain) == (("cs-de_DE_#_edu_#_e1",), ("edu",))


def test_controls_of_real_systems_stay_as_controls(tmp_path: Path) -> None:
    check = {**OLDER, "item": [{**OLDER["item"][0], "item_id": "x", "validation": {"B": {"score_greaterthan": "A"}}}]}
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in (OLDER, check)), encoding="utf-8")
    _, ratings = only(path)
    assert ratings.kind == ("TGT", "BAD")


def test_an_item_without_a_name_goes_by_its_place(tmp_path: Path) -> None:
    campaign, _ = one(tmp_path, {**OLDER, "item": [{"src": "x", "tgt": {"A": "y"}}]})
    assert campaign.testset is not None
    assert campaign.testset.items == ("13:0",)


def test_some_items_without_a_name_are_noted(tmp_path: Path) -> None:
    """Ratings of one segment with and without its name are ratings of two segments."""
    other = {**OLDER, "user_id": "x", "item": [{k: v for k, v in OLDER["item"][0].items() if k != "item_id"}]}
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in (OLDER, other)), encoding="utf-8")
    with pytest.warns(assay.AssayWarning, match="1 rated item without an item_id"):
        campaign, ratings = only(tmp_path / "a.jsonl")
    assert len(set(ratings.segment.tolist())) == 2
    note = next(note for note in campaign.notes if "item_id" in note.text)
    assert (note.kind, note.count, note.severity) == (NoteKind.SUSPECT, 1, "warning")
    campaign, _ = one(tmp_path, other)
    assert not any("item_id" in text for text in texts_of(campaign))


def test_campaigns_that_nobody_annotated(tmp_path: Path) -> None:
    path = tmp_path / "annotations.json"
    for text in ('{"eng_Latn---deu_Latn v3":[]}', '{"ces_Latn---deu_Latn": [], "eng_Latn---deu_Latn": [ ]}\n'):
        path.write_text(text, encoding="utf-8")
        assert find_format(path) == Pearmut()
        with pytest.raises(EmptyInputError, match="no ratings") as refused_:
            assay.read(path)
        assert refused_.value.hint == "has anyone annotated this campaign?"
    path.write_text(json.dumps({"ces_Latn---deu_Latn": [], NAME: ENTRIES}), encoding="utf-8")
    assert find_format(path) == Pearmut()
    campaign, ratings = only(path)
    assert len(ratings) == 15
    assert "no ratings in the campaign 'ces_Latn---deu_Latn'" in texts_of(campaign)


def test_parts_that_are_no_ratings_are_counted(tmp_path: Path) -> None:
    entry = {
        **OLDER,
        "annotation": [
            *OLDER["annotation"],
            None,
            "five",
            {"A": {"score": None, "sliders": {"Fluency": 3}}, "Z": {"score": 1}},
        ],
        "item": [
            *OLDER["item"],
            {"tgt": {"A": "x"}},
            {"text": "How old are you?", "form": "string"},
            {"item_id": "d_#_1", "src": "s", "src_text": "said", "tgt": {"A": "y"}},
        ],
    }
    campaign, ratings = one(tmp_path, entry)
    assert [text for text in texts_of(campaign) if "1 " in text[:2]] == [
        "1 item not read: skipped by the rater",
        "1 item not read: not a translation",
        "1 rating has sliders of its own, which are not read",
        "1 rating left out: of an output that was not on the rater's screen",
        "1 rating without a score",
    ]
    assert len(ratings) == 2
    assert campaign.testset is not None
    assert list(campaign.testset.sources or ())[1] == "said"


def test_categories_make_it_mqm_unless_told_otherwise(tmp_path: Path) -> None:
    span = {"start_i": 0, "end_i": 1, "severity": "minor", "category": "Accuracy"}
    entry = {**OLDER, "annotation": [{"A": {"score": 5, "error_spans": [span]}}]}
    assert one(tmp_path, entry)[1].protocol == "MQM"
    assert only(tmp_path / "a.jsonl", spec="pearmut:protocol=DA")[1].protocol == "DA"


def test_a_rater_who_submits_again_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text((json.dumps(OLDER) + "\n") * 2, encoding="utf-8")
    campaign, ratings = only(path)
    assert len(ratings) == 2
    assert "1 rating of an output that the same rater rated before; all of them count" in texts_of(campaign)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"user_id": "calm-otter-1"', '"user_id": ""', "no user_id"),
        ('"user_id": "calm-otter-1"', '"user_id": 5', "no user_id, or one that is no text"),
        ('"item": [{', '"item": [{}, {', "must be lists of the same length"),
        ('"score": 87', '"score": 101', "the score 101 must be between 0 and 100"),
        ('"score": 87', '"score": "high"', "the score is not a number: 'high'"),
        ('{"score": 87, ', '{"score": 87, "sliders": 5, ', "the sliders of 'A' must be an object"),
        ('"A": "Es regnet."', '"A": 5', "the output of 'A' must be text"),
        ('"src": "Pr', '"src_text": 1, "src": "Pr', "the source must be text"),
        ('"item_id": "cs-de_DE_#_edu_#_e1_#_0"', '"item_id": 7', "item_id must be text"),
        ('"start_i": "missing"', '"start_i": 2', "must be a character index"),
        ('"start_i": "missing", "end_i": "missing"', '"start_i": 5, "end_i": 2', "an error ends before it starts"),
        (
            '"start_i": "missing", "end_i": "missing"',
            '"start_i": 9, "end_i": 10',
            "an error outside the text: characters",
        ),
        ('"start_i": "missing", "end_i": "missing"', '"start_i": 12, "end_i": 12', "characters 12 to 12 of 10"),
    ],
)
def test_damaged_twins(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = json.dumps(OLDER, ensure_ascii=False) + "\n"
    damaged = text.replace(old, new, 1)
    assert damaged != text
    assert message in refused(tmp_path, "pearmut", damaged, "a.jsonl", 1)


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        ("", "a.jsonl", "empty file"),
        ('{"a": 5, "b": [{"annotation": 1}]}', "a.json", "cannot"),
        ('{"a": [{"annotation": 1}], "b": 5}', "a.json", "each a list of objects"),
        ('{"info": 5, "assignment": 1}', "a.json", "must be an object with 'info' and 'data'"),
        ('{"info": {"assignment": "dynamic"}}', "a.json", "a campaign has no campaign_id"),
        ('{"campaign_id": "a", "info": {"assignment": "", "special_tokens": 5}}', "a.json", "must be a list of texts"),
    ],
)
def test_files_that_are_no_campaigns(tmp_path: Path, text: str, name: str, message: str) -> None:
    line = 1 if message == "cannot" else None
    found = refused(tmp_path, "pearmut", text, name, line)
    assert message == "cannot" or message in found


def test_segments_of_one_name_must_be_the_same(tmp_path: Path) -> None:
    text = CAMPAIGNS.read_text(encoding="utf-8").replace("news_###_d2_###_1", "news_###_d2_###_0")
    message = refused(tmp_path, "pearmut", text, "a.json")
    assert "two segments are called 'news_###_d2_###_0', with other texts" in message


@pytest.mark.warns("1 faulty row skipped")
def test_faulty_entries_among_many_are_skipped(tmp_path: Path) -> None:
    entries = [{**OLDER, "user_id": f"u{number}"} for number in range(40)]
    entries[7] = {**entries[7], "annotation": 5}
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    campaign, ratings = only(path)
    (note,) = [note for note in campaign.notes if note.kind is NoteKind.SKIPPED]
    assert (note.line, note.text) == (8, "1 faulty row skipped: item and annotation must be lists of the same length")
    assert len(ratings) == 39


def test_any_bytes_are_read_or_refused(tmp_path: Path) -> None:
    read_or_refused(lambda raw: read(tmp_path, "pearmut", raw, "a.jsonl"), LOG, examples=40)
    read_or_refused(
        lambda raw: read(tmp_path, "pearmut", raw, "a.json"),
        ANNOTATIONS.read_text(encoding="utf-8"),
        CAMPAIGNS.read_text(encoding="utf-8"),
        examples=60,
    )
