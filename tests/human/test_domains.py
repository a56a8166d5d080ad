from __future__ import annotations

import numpy as np
import pytest

from assay.errors import InputError
from assay.human.domains import (
    compare_systems,
    document_name,
    documents_of,
    domain_means,
    missing_domains,
    scorable_of,
    with_domains,
)
from assay.significance.signed_rank import SignedRank
from assay.significance.stouffer import stouffer
from assay.types import NoteKind, ScoreTable, TestSet
from assay.types.runtime import Runtime
from tests.human.judged import make_rankings, make_ratings

NAN = np.nan
DOMAINS = ("news", "news", "news", "social", "")


def table(values, domains=DOMAINS, **others):
    values = np.array(values, float)
    return ScoreTable("esa", "segment", tuple("ab")[: len(values)], values, protocol="ESA", domains=domains, **others)


def test_documents_are_those_of_the_ratings_else_of_the_test_set():
    texts = TestSet({"a": ("text",) * 3}, references={}, documents=("x", None, "y"), items=("p", "q", "r"))
    rated = make_ratings([("r", "a", 0, 5.0), ("r", "a", 2, 5.0)], document=("d#mark", "e"))
    assert documents_of(rated, texts, 4) == ("d", "", "e", "")
    unnamed = make_ratings([("r", "a", 0, 5.0), ("r", "a", 1, 5.0)], items=("r", "p"))
    assert documents_of(unnamed, texts, 2) == ("y", "x")
    assert documents_of(make_rankings([[1, 2]]), texts, 3) == ("x", "", "y")
    assert documents_of(unnamed, None, 2) == documents_of(make_rankings([[1, 2]]), texts, 4) == ()


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("test-en-news_beverly#bad3", "test-en-news_beverly"),
        ("news.12#3-13", "news.12"),
        ("en-is_#_news_#_d1", "en-is_#_news_#_d1"),
        ("news_###_d1_###_4", "news_###_d1_###_4"),
        ("news_###_d1_###_4#dup", "news_###_d1_###_4"),
        ("d_1#incomplete", "d_1"),
    ],
)
def test_only_marks_are_left_out_of_the_name_of_a_document(name, document):
    """`_#_` (WMT25) and `_###_` (WMT26) separate the parts of names: cut there, a domain would be a document."""
    assert document_name(name) == document
    rated = make_ratings([("r", "a", 0, 5.0)], document=(name,))
    assert documents_of(rated, None, 1) == (document,)


def test_the_mean_of_domain_means():
    scores = table([[1, 2, 3, 10, NAN], [NAN, 4, 4, NAN, NAN]])
    assert scorable_of(scores, averages_domains=False).values(Runtime(threads=1)).tolist() == [4.0, 4.0]
    assert scorable_of(scores, averages_domains=True).values(Runtime(threads=1)).tolist() == [6.0, 4.0]
    penalties = table([[1, 2, 3, 10, NAN]], higher_is_better=False)
    assert scorable_of(penalties, averages_domains=True).values(Runtime()).tolist() == [-6.0]


def test_domain_means_have_counts_and_reasons():
    scores = table([[1, 2, 3, 10, NAN], [NAN, 4, 4, NAN, NAN]])
    means = domain_means(scores)
    assert [(d, s, e.n) for d, by_system in means.items() for s, e in by_system.items()] == [
        ("news", "a", 3),
        ("news", "b", 2),
        ("social", "a", 1),
        ("social", "b", 0),
    ]
    assert means["news"]["a"].value == 2
    assert means["social"]["b"].reason == "not judged in this domain"
    (note,) = missing_domains(scores)
    assert (note.kind, note.where, note.count) == (NoteKind.MISSING, "b", 1)


def test_scored_segments_need_a_domain():
    with pytest.raises(InputError, match="'esa': 1 scored segment without a domain"):
        scorable_of(table([[1, 2, 3, 10, 5]]), averages_domains=True)
    with pytest.raises(InputError, match="'esa' has no domains"):
        domain_means(table([[1, 2, 3, 10, 5]], domains=()))


def test_p_values_are_combined_over_domains():
    random = np.random.Generator(np.random.PCG64(4))
    values = random.integers(0, 100, (2, 60)).astype(float)
    domains = ("news",) * 40 + ("social",) * 20
    found = by_domain(table(values, domains))
    parts = [by_domain(table(values[:, part], ("x",) * n)).p for part, n in ((slice(40), 40), (slice(40, 60), 20))]
    assert found.p == pytest.approx(stouffer(np.stack(parts)), nan_ok=True)
    assert (found.opposed, dict(found.untested)) == (None, {})
    apart = table([[1, 2, 3, NAN, NAN], [NAN, NAN, NAN, 1, NAN]])
    assert dict(by_domain(apart).untested) == {"the systems have no segment in common": 1}


def by_domain(scores):
    return compare_systems(SignedRank(), scores, "better", averages_domains=True)


def test_two_sided_p_values_are_symmetric():
    scores = table([[5, 6, 7, 1, NAN], [1, 2, 3, 9, NAN]])
    for averages_domains in (False, True):
        found = compare_systems(SignedRank(), scores, "two-sided", averages_domains=averages_domains)
        assert found.p[0, 1] == found.p[1, 0]
        assert found.opposed[0, 1] == averages_domains  # better in the news, worse elsewhere


def test_judgements_get_the_domains_of_the_test_set():
    texts = ("text",) * 2
    testset = TestSet(outputs={"a": texts}, references={}, domains=("news", "social"), items=("p", "q"))
    ratings = make_ratings([("x", "a", 1, 5.0), ("x", "a", -1, 5.0), ("x", "a", 7, 5.0)])
    assert with_domains(ratings, testset).domain == ("social", "", "")
    own = make_ratings([("x", "a", 1, 5.0)], domain=("speech",))
    assert with_domains(own, testset).domain == ("speech",)
    assert with_domains(table([[1.0, 2.0]], ()), testset).domains == ("news", "social")
    rankings = make_rankings([[1, 2]])
    assert with_domains(rankings, testset) is rankings
    assert with_domains(ratings, None) is ratings


def test_named_items_get_their_domains_by_name():
    testset = TestSet(outputs={"a": ("text",) * 2}, references={}, domains=("news", "social"), items=("p", "q"))
    named = make_ratings([("x", "a", 0, 5.0), ("x", "a", 1, 5.0)], items=("q", "other"))
    assert with_domains(named, testset).domain == ("social", "")
    scores = table([[1.0, 2.0]], (), items=("q", "p"))
    assert with_domains(scores, testset).domains == ("social", "news")


def test_domains_are_opposed_by_their_means_not_by_ranks():
    """One very good segment makes the mean of a domain higher although most ranks are lower."""
    values = np.array([[5.0, 6.0, 7.0, 90.0, 2.0, 3.0], [6.0, 7.0, 8.0, 9.0, 1.0, 2.0]])
    table = ScoreTable("da", "segment", ("a", "b"), values, protocol="DA", domains=("news",) * 4 + ("social",) * 2)
    found = compare_systems(SignedRank(), table, "two-sided", averages_domains=True)
    assert not found.opposed.any()
