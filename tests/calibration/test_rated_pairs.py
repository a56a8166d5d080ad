from __future__ import annotations

from dataclasses import replace

import pytest

from assay.calibration.error_free import ErrorFreeRule
from assay.calibration.rated_pairs import RatingChoice, rated_language_pairs
from assay.errors import AssayError, InputError
from assay.types.runtime import Runtime
from tests.study.test_triage import campaign

CHOICE = RatingChoice(ErrorFreeRule())


def test_names_of_metrics_meet_across_language_pairs() -> None:
    found = rated_language_pairs([campaign(), campaign("en-cs", seed=2)], CHOICE, Runtime())
    assert [(pair.label, [*pair.scores]) for pair in found.pairs] == [("en-de", ["good-src"]), ("en-cs", ["good-src"])]
    assert found.human == "esa"
    assert {"min_score": "85", "severity": "minor"}.items() <= found.settings.items()


def test_pairs_without_marked_errors_are_left_out_with_a_note() -> None:
    other = campaign("en-cs", seed=2)
    (ratings,) = other.judgements
    plain = replace(other, judgements=(replace(ratings, errors=()),))
    found = rated_language_pairs([campaign(), plain], CHOICE, Runtime())
    assert [pair.label for pair in found.pairs] == ["en-de"]
    assert any("left out: 'esa' has no ratings with marked errors" in str(note) for note in found.notes)
    with pytest.raises(InputError, match="'esa' has no ratings with marked errors"):
        rated_language_pairs([plain], CHOICE, Runtime())


@pytest.mark.parametrize(("patterns", "names"), [(("good*",), ["good-src"]), ((), ["good-src", "other-src"])])
def test_patterns_choose_metrics(patterns: tuple[str, ...], names: list[str]) -> None:
    choice = replace(CHOICE, metrics=patterns)
    (pair,) = rated_language_pairs([campaign(metrics=("good", "other"))], choice, Runtime()).pairs
    assert [*pair.scores] == names


def test_patterns_that_match_nothing_are_refused() -> None:
    with pytest.raises(AssayError, match="best"):
        rated_language_pairs([campaign()], replace(CHOICE, metrics=("best",)), Runtime())


def test_the_rule_decides_what_is_free() -> None:
    (strict,) = rated_language_pairs([campaign()], CHOICE, Runtime()).pairs
    (lenient,) = rated_language_pairs([campaign()], replace(CHOICE, rule=ErrorFreeRule(0, "major")), Runtime()).pairs
    assert (strict.is_free == lenient.is_free).all()  # ratings with an error have a major one and 60
    (none,) = rated_language_pairs([campaign()], replace(CHOICE, rule=ErrorFreeRule(96)), Runtime()).pairs
    assert not none.is_free.any()
