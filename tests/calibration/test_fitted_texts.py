from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.calibration.fitted_texts import bundled_texts, fitted_texts, judged_by_label
from assay.calibration.segment_files import bundled_segments
from assay.results import FittedSegments
from assay.trained.judged_texts import encoded_texts, fitted_segments
from assay.types import Campaign, TestSet

REFERENCES = [f"reference number {number:03}, long enough" for number in range(6)]


def texts(references: list[str], **settings: object) -> TestSet:
    return TestSet({"A": ["x"] * len(references)}, {"ref": references}, **settings)


def campaign(references: list[str]) -> Campaign:
    return Campaign("test", "en-de", len(references), ("A",), ("ref",), texts(references, lp="en-de"))


def test_judged_segments_are_found_by_their_references() -> None:
    known = {"test en-de": fitted_texts(campaign(REFERENCES), [0, 2, 3])}
    asked = texts(["  reference number 002, long enough ", "another one, also long enough", REFERENCES[1]])
    assert fitted_segments(asked, [("test", "en-de")], known) == (FittedSegments("test", "en-de", 1),)
    assert fitted_segments(texts(["another one, also long enough"]), [("test", "en-de")], known) == ()


def test_any_reference_will_do() -> None:
    judged = campaign(REFERENCES)
    both = replace(judged.testset, references={"a": REFERENCES, "b": [text.upper() for text in REFERENCES]})
    known = {"test en-de": fitted_texts(replace(judged, testset=both), range(6))}
    found = fitted_segments(texts([REFERENCES[4].upper()]), [("test", "en-de")], known)
    assert found == (FittedSegments("test", "en-de", 1),)


def test_short_texts_say_nothing() -> None:
    assert not len(fitted_texts(campaign(["Yes.", "No, thank you."]), [0, 1]))


def test_without_texts_the_name_decides() -> None:
    asked = TestSet({"A": ["x"]}, name="test", lp="en-de")
    judged = [("test", "en-de"), ("test", "en-cs"), ("other", "en-de")]
    assert fitted_segments(asked, judged, {}) == (FittedSegments("test", "en-de", None),)
    with_texts = texts(["a text that nobody judged"], name="test", lp="en-de")
    known = {"test en-de": fitted_texts(campaign(REFERENCES), range(6))}
    assert fitted_segments(with_texts, judged[:1], known) == ()


def test_the_bundled_digests_are_of_what_the_fits_rest_on() -> None:
    digests = bundled_texts()
    for fit in bundled_segments().values():
        assert tuple(digests) == fit.population.pairs
    assert sum(map(len, digests.values())) > 12_000
    assert all(len(np.unique(each)) == len(each) for each in digests.values())
    assert judged_by_label(digests)[0] == ("wmt21.news", "en-de")
    assert encoded_texts(np.array([1, 2**32 - 1])) == "AQAAAP////8="
