from __future__ import annotations

import inspect
import math
from dataclasses import replace

import numpy as np
import pytest

from assay import rank
from assay.errors import ConfigError, InputError, NameClashError, UnknownNameError
from assay.results import PairRankings
from assay.study.rater_reliability import rater_reliability
from assay.types import Campaign, ErrorSpan, NoteKind, Rankings, Ratings, ScoreTable, TestSet
from tests.human.judged import make_ratings

SYSTEMS = ("good", "poor", "refA")


@pytest.fixture(scope="module")
def campaign():
    random = np.random.Generator(np.random.PCG64(1))
    quality = np.array([[-8.0], [-9.0], [-7.0]])
    raters = [
        ScoreTable(f"mqm-col{k}", "segment", SYSTEMS, quality + random.normal(size=(3, 80)), protocol="MQM")
        for k in (1, 2)
    ]
    mean = ScoreTable("mqm", "segment", SYSTEMS, np.mean([t.values for t in raters], axis=0), protocol="MQM")
    ranks = np.array([[1, 2, 0], [1, 2, 1], [2, 1, 1]] * 20, np.int8)
    rankings = Rankings("rr", SYSTEMS, ("j", "k"), np.arange(60) % 2, np.arange(60) // 2, ranks)
    return Campaign("wmt", "en-de", 80, SYSTEMS, ("refA",), None, (mean, *raters), (rankings,))


def test_a_campaign_is_ranked_by_its_gold(campaign):
    ranking = rank(campaign, gold="mqm", resamples=50)
    assert [ranked.system for ranked in ranking] == ["good", "poor"]
    assert list(map(str, ranking.notes)) == ["left out: refA (a reference)"]
    assert ranking.settings["test"] == "randomisation:resamples=50"
    assert ranking.reliability is None
    assert rank(campaign, gold="rr", resamples=50).settings["method"] == "expected-wins"


def test_a_ranking_names_the_file_of_its_judgements(campaign):
    table = replace(campaign.find("mqm", "segment"), origin="mqm.tsv", digest="12ab")
    ranking = rank(table, resamples=10).to_dict()
    assert (ranking["origin"], ranking["digest"]) == ("mqm.tsv", "12ab")
    assert rank(campaign, gold="rr", resamples=10).to_dict()["origin"] == ""


def test_as_the_judgements_alone(campaign):
    table = campaign.find("mqm", "segment")
    alone = rank(table.take(("good", "poor")), resamples=50)
    found = rank(campaign, gold="mqm", resamples=50)
    assert found.signature == f"gold:mqm|{alone.signature}"
    assert alone.tree() == found.tree() | {"lp": "", "settings": alone.settings}
    assert list(alone.rows()) == [{**row, "lp": None} for row in found.rows()]
    assert len(rank(table, resamples=10)) == 3
    assert len(rank(campaign, gold="mqm", keep_references=True, resamples=10)) == 3
    assert [ranked.system for ranked in rank(table, systems=("p*",), resamples=10)] == ["poor"]


def test_reliability_on_request(campaign):
    agreement = rank(campaign, gold="mqm", resamples=10, reliability=True).reliability
    assert agreement is not None
    assert agreement["Pearson within pairs of raters"].n == 1
    assert "kappa between raters" in rank(campaign, gold="rr", resamples=10, reliability=True).reliability


def test_options_reach_the_ranking(campaign):
    ranking = rank(campaign, gold="rr", method="wins:ties=share", alpha=0.1, correction="holm", resamples=10, seed=3)
    assert ranking.signature == (
        "gold:rr|method:wins:ties=share|unit:segment|correction:holm|alpha:0.1|resamples:10|seed:3|confidence:0.95"
    )
    with pytest.raises(ConfigError, match="alpha must be between"):
        rank(campaign, gold="rr", alpha=0)


def test_one_ranking_per_language_pair(campaign):
    other = replace(campaign, lp="en-cs", judgements=())
    found = rank([campaign, other], gold="rr", resamples=10)
    assert isinstance(found, PairRankings)
    assert list(found) == ["en-de"]
    assert str(found.notes[0]) == "not ranked: en-cs (no such judgements)"
    both = rank([campaign, other], gold="mqm", resamples=10, reliability=True)
    assert list(both) == ["en-de", "en-cs"]
    alone = rank(campaign, gold="mqm", resamples=10, reliability=True)
    assert both["en-de"].to_dict() == alone.to_dict()
    assert str(both.notes[0]) == "en-de, en-cs: left out: refA (a reference)"
    same_pair = rank([campaign, replace(campaign, name="wmt2")], gold="mqm", resamples=10)
    assert list(same_pair) == ["wmt en-de", "wmt2 en-de"]
    for several, error in (([], InputError), ([campaign, campaign], NameClashError)):
        with pytest.raises(error):
            rank(several, gold="mqm")
    with pytest.raises(ConfigError, match="several kinds"):
        rank([campaign, other])


def test_patterns_need_to_match_on_one_pair(campaign):
    renamed = replace(campaign.find("mqm", "segment"), systems=("best", "worst", "refA"))
    other = replace(campaign, lp="en-cs", systems=("best", "worst", "refA"), scores=(renamed,), judgements=())
    found = rank([campaign, other], gold="mqm", systems=("good", "poor"), resamples=10)
    assert list(found) == ["en-de"]
    assert str(found.notes[0]) == "not ranked: en-cs (no system is selected)"
    assert "systems:good+poor" in found.signature
    with pytest.raises(UnknownNameError, match="no system matches 'nobody'"):
        rank([campaign, other], gold="mqm", exclude=("nobody",))


def test_domains_of_the_test_set(campaign):
    texts = ("text",) * 80
    testset = TestSet(
        outputs={"good": texts, "poor": texts},
        references={"refA": texts},
        domains=("news",) * 50 + ("social",) * 30,
    )
    with_texts = replace(campaign, testset=testset)
    found = rank(with_texts, gold="mqm", over_domains="mean", by_domain=True, resamples=10)
    assert {d: [(s, e.n) for s, e in means.items()] for d, means in found.by_domain.items()} == {
        "news": [("good", 50), ("poor", 50)],
        "social": [("good", 30), ("poor", 30)],
    }
    assert found["good"].score.value == pytest.approx(np.mean([m["good"].value for m in found.by_domain.values()]))
    assert found.settings["over_domains"] == "mean"
    assert [(row["domain"], row["system"]) for row in found.rows()][2:4] == [("news", "good"), ("news", "poor")]
    assert found.opposed == ()
    with pytest.raises(InputError, match="'mqm' has no domains"):
        rank(campaign, gold="mqm", by_domain=True, resamples=10)


def test_every_option_that_changes_a_number_is_in_the_signature(campaign):
    found = rank(campaign, gold="mqm", exclude=("poor",), keep_references=True, resamples=10)
    assert found.signature.startswith("gold:mqm|exclude:poor|keep_references:yes|method:mean|protocol:MQM|")


def test_reliability_on_errors_and_z_scores():
    random = np.random.Generator(np.random.PCG64(1))
    rows = [
        (r, s, i, float(random.integers(0, 100))) for r in ("x", "y", "z") for s in ("a", "b", "c") for i in range(9)
    ]
    da = rank(make_ratings(rows), reliability=True, standardise="sample", resamples=10).reliability
    assert da["split-half reliability of segments"].value != pytest.approx(
        rank(make_ratings(rows), reliability=True, resamples=10).reliability["split-half reliability of segments"].value
    )
    errors = tuple((ErrorSpan("style", "minor"),) * int(random.integers(0, 4)) for _ in rows)
    mqm = make_ratings([(*row[:3], math.nan) for row in rows], errors=errors, protocol="MQM")
    agreement = rank(mqm, reliability=True, resamples=10).reliability
    assert agreement["Pearson within pairs of raters"].n == 3
    alone = rater_reliability(mqm)
    assert (alone.tree(), [note.kind for note in alone.notes]) == (agreement.tree(), [NoteKind.PROVENANCE])


def test_positive_mqm_scores_are_refused():
    penalties = ScoreTable("mqm", "segment", ("a", "b"), np.array([[0.0, 5.0], [1.0, 0.0]]), protocol="MQM")
    with pytest.raises(InputError, match="the segment scores 'mqm' are positive, but MQM") as caught:
        rank(penalties, resamples=10)
    assert "human:NAME:better=lower" in caught.value.hint
    found = rank(replace(penalties, higher_is_better=False), resamples=10)
    assert [ranked.system for ranked in found] == ["b", "a"]


def test_only_da_has_a_threshold_by_convention():
    values = np.array([[80.0, 90.0, 10.0], [20.0, 30.0, 60.0]])
    for protocol, scores in (("ESA", values), ("DA-z", values / 100), ("MQM", -values), ("other", values + 100)):
        table = ScoreTable("h", "segment", ("a", "b"), scores, protocol=protocol)
        with pytest.raises(ConfigError, match=f"'h' \\({protocol}\\) needs a threshold"):
            rank(table, method="wins", resamples=10)
        assert rank(table, method="wins", threshold=0.1, resamples=10).judgement_kind == "comparisons"
    da = rank(ScoreTable("h", "segment", ("a", "b"), values, protocol="DA"), method="wins", resamples=10)
    assert (da.settings["threshold"], da.judgement_count, da.outputs) == ("25", 3, 6)


def test_two_sided_p_values_mark_pairs_with_opposed_domains():
    random = np.random.Generator(np.random.PCG64(2))
    values = np.stack([np.concatenate([random.normal(9, 1, 40), random.normal(0, 1, 40)]), random.normal(4, 1, 80)])
    table = ScoreTable(
        "esa", "segment", ("a", "b"), values, protocol="ESA-z", domains=("news",) * 40 + ("social",) * 40
    )
    found = rank(table, preset="wmt24", resamples=10)
    assert found.p_value("a", "b") == found.p_value("b", "a") < 1e-6
    assert found.opposed == (("a", "b"),)
    assert found.to_dict()["opposed"] == [["a", "b"]]
    assert [row["opposed"] for row in found.rows()] == ["b", "a"]
    assert "which combined two-sided p-values do not show; of these pairs, 1 is significant: a – b" in str(
        found.notes[-1]
    )
    assert found.alternative == "two-sided"
    assert NoteKind.SUSPECT in {note.kind for note in found.notes}
    signed = rank(table, over_domains="mean", test="signed-rank", resamples=10)
    assert min(signed.p_value("a", "b"), signed.p_value("b", "a")) > 0.05
    assert signed.opposed == ()


@pytest.mark.parametrize("wrong", ["wmt22", None, 5, [1], {"a": 1}])
def test_only_judgements_can_be_ranked(wrong):
    with pytest.raises(InputError, match="judgements must be a campaign or"):
        rank(wrong)


def test_the_wrong_object_is_named(campaign):
    for wrong in (5, campaign.find("mqm", "segment")):
        with pytest.raises(
            InputError,
            match=f"must be (a campaign or judgements|a campaign or a list of campaigns), not {type(wrong).__name__}",
        ):
            rank([campaign, wrong])


def test_seed_and_resamples_reach_the_test(campaign):
    """Once p was bounded by 1,000 fixed resamples, whatever the signature said."""
    few, many = (rank(campaign, gold="mqm", resamples=resamples) for resamples in (50, 5000))
    assert few.p_value("good", "poor") == 1 / 51
    assert many.p_value("good", "poor") == 1 / 5001
    assert "test:randomisation:resamples=5000|" in many.signature
    without = rank(campaign, gold="mqm", resamples=0, seed=3)
    assert without.p_value("good", "poor") == 1 / 1001
    assert without.settings["test"] == "randomisation:seed=3"
    own = rank(campaign, gold="mqm", test="randomisation:resamples=20", resamples=50)
    assert own.p_value("good", "poor") == 1 / 21
    assert rank(campaign, gold="mqm", resamples=0, over_domains="pooled").settings["test"] == "randomisation"


def test_domains_of_named_items_are_found_as_in_meta(campaign):
    names = tuple(f"item{k}" for k in range(80))
    testset = TestSet(
        outputs=dict.fromkeys(("good", "poor"), ("text",) * 80),
        references={},
        domains=("news",) * 50 + ("social",) * 30,
        items=names,
    )
    numbered = campaign.find("mqm", "segment")
    backwards = replace(numbered, values=numbered.values[:, ::-1], items=names[::-1])
    by_name, by_number = (
        rank(replace(campaign, testset=testset, scores=(table,)), gold="mqm", over_domains="mean", resamples=0)
        for table in (backwards, numbered)
    )
    assert by_name["good"].score.value == pytest.approx(by_number["good"].score.value)
    assert by_name.settings["over_domains"] == "mean"


@pytest.mark.parametrize("name", ["quality", "threshold", "alpha", "confidence", "resamples", "seed"])
def test_numbers_are_checked(campaign, name):
    with pytest.raises(ConfigError, match=f"{name} must be"):
        rank(campaign, gold="mqm", **{name: "x"})


def test_the_signature_lists_every_option():
    names = list(inspect.signature(rank).parameters)
    assert {"judgements", "gold", "reliability", "preset", "seed", "by_domain"} <= set(names)
    assert "options" not in names
    with pytest.raises(TypeError, match="unexpected keyword argument 'sed'"):
        rank(None, sed=1)


def test_nothing_is_left(campaign):
    for given in (campaign, [campaign], campaign.find("mqm", "segment")):
        options = {} if isinstance(given, ScoreTable) else {"gold": "mqm"}
        with pytest.raises(InputError, match="no system is left"):
            rank(given, exclude=("*",), **options)


def test_references_among_the_systems_are_named(campaign):
    names = ("good", "wmt23.refA", "Human-B.0", "reference", "preferred", "GPT-4_with_refA", "humanist")
    table = ScoreTable("mqm", "segment", names, -np.ones((7, 40)), protocol="MQM")
    (note,) = [note for note in rank(table, resamples=10).notes if note.kind == NoteKind.SUSPECT]
    assert str(note) == (
        "ranked with the systems: wmt23.refA, Human-B.0, reference, probably references; "
        "exclude them to rank systems only"
    )
    for chosen in ({"exclude": ("*ref*", "Human*")}, {"systems": ("good", "reference")}, {"keep_references": True}):
        assert NoteKind.SUSPECT not in {note.kind for note in rank(table, resamples=10, **chosen).notes}


def test_few_documents_are_noted(campaign):
    texts = ("text",) * 80
    for documents, count in ((("d1",) * 50 + ("d2",) * 30, 1), (("d1",) * 50 + ("d2",) * 29 + ("d3",), 0)):
        testset = TestSet(outputs={"good": texts, "poor": texts}, references={}, documents=documents)
        found = rank(replace(campaign, testset=testset), gold="mqm", resamples=10)
        assert sum("segments of a document are not independent" in str(note) for note in found.notes) == count
        assert sum("documents (d1, d2)" in str(note) for note in found.notes) == count
    rows = [("x", "a", i, 50.0 + i) for i in range(40)]
    one = make_ratings(rows, document=tuple(f"d#{i}" for i in range(40)))
    assert "the judgements are of 1 document (d)" in str(rank(one, resamples=10).notes[0])


def test_esa_can_be_ranked_by_its_errors():
    errors = [(ErrorSpan("", severity, 0, 1),) for severity in ("minor", "major", "undecided")]
    ratings = Ratings(
        *("esa", "ESA", ("r",), ("a", "b", "c")),
        *(np.zeros(3, dtype=int), np.arange(3), np.zeros(3, dtype=int), np.array([90.0, 80.0, 70.0])),
        errors=tuple(errors),
    )
    scores = {name: rank(ratings, weights="esa-spans", resamples=0)[name].score.value for name in ("a", "b", "c")}
    assert scores == {"a": -1, "b": -5, "c": 0}
    assert rank(ratings, resamples=0)["c"].score.value == 70
    with pytest.raises(ConfigError, match="undecided"):
        rank(ratings, weights="google2020", resamples=0)


@pytest.mark.warns("left out: 1 rating with")
def test_ratings_whose_errors_do_not_fit_the_text_have_no_score_by_errors():
    """They were made of another version of the output; and a score alone says nothing about errors."""
    minor, beyond = ErrorSpan("", "minor", 0, 4), ErrorSpan("", "major", 4, 40)
    rows = [("r", system, segment, 50.0) for system in "ab" for segment in range(3)]
    errors = ((minor,), (), (beyond,), (minor,), (minor,), None)
    ratings = replace(make_ratings(rows, errors=errors, protocol="ESA"), name="esa")
    texts = TestSet(dict.fromkeys("ab", ("some text",) * 3))
    judged = Campaign("t", "en-de", 3, ("a", "b"), (), texts, (), (ratings,))
    found = rank(judged, gold="esa", weights="esa-spans", resamples=10)
    assert [(ranked.system, ranked.score.value, ranked.score.n) for ranked in found] == [("a", -0.5, 2), ("b", -1.0, 2)]
    left_out = [note for note in found.notes if note.severity == "warning"]
    assert [note.count for note in left_out] == [1, 1]
    assert "1 rating with scores alone" in left_out[0].text
    assert "1 rating with errors outside the text (first: a, segment 3)" in left_out[1].text
    assert "weights:esa-spans|protocol:ESA" in found.signature
    assert rank(judged, gold="esa", resamples=10)["a"].score.value == 50  # the scores count whatever the errors


@pytest.mark.warns("beyond the last segment")
def test_what_is_doubtful_about_errors_that_are_scored_is_noted():
    overlapping = (ErrorSpan("", "minor", 0, 4), ErrorSpan("", "major", 2, 6))
    rows = [("r", system, segment, 50.0) for system in "abc" for segment in range(2)] + [("r", "a", 98, 50.0)]
    errors = (overlapping, (ErrorSpan("", "minor", 3, 3),), *[(ErrorSpan("", "minor", 0, 4),)] * 5)
    ratings = replace(make_ratings(rows, errors=errors, protocol="ESA"), name="esa")
    texts = TestSet(dict.fromkeys("ab", ("some text",) * 2))
    judged = Campaign("t", "en-de", 2, ("a", "b", "c"), (), texts, (), (ratings,))
    notes = [note.text for note in rank(judged, weights="esa-spans", resamples=10).notes]
    assert "1 output with errors that overlap; each of them counts" in notes
    assert "1 error without a character: start and end are the same" in notes
    assert "places of errors not checked: 3 ratings of outputs without a text (c, a)" in notes
    by_score = [note.text for note in rank(judged, resamples=10).notes]
    for found in (notes, by_score):
        assert "judged, but without outputs: c; leave them out if they are not systems" in found
        assert "the judgements 'esa' have segment numbers up to 99, beyond the last segment, 2" in found
