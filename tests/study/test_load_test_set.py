from __future__ import annotations

import pytest

import assay
from assay.errors import AlignmentError, FetchError


@pytest.fixture
def ntrex(tmp_path, monkeypatch):
    """Two files of NTREX where a user has put them."""
    folder = tmp_path / "test-sets" / "ntrex-128"
    folder.mkdir(parents=True)
    (folder / "newstest2019-src.eng.txt").write_text("One\nTwo\n")
    (folder / "newstest2019-ref.deu.txt").write_text("Eins\nZwei\n")
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    monkeypatch.setenv("ASSAY_OFFLINE", "1")


def test_texts_to_translate_and_to_score_with(ntrex):
    texts = assay.read_test_set("ntrex-128", lp="en-de")
    assert (list(texts.sources), len(texts), texts.lp) == (["One", "Two"], 2, "eng-deu")
    testset = assay.load_test_set("ntrex-128", lp="en-de", outputs={"new": ["Eins", "Zwei"]})
    assert (testset.name, testset.lp) == ("ntrex-128", "eng-deu")
    assert assay.score(testset, "chrf", resamples=0)["chrf"].corpus["new"] == 100
    with pytest.raises(AlignmentError, match="-t ntrex-128 -l eng-deu --echo src"):
        assay.load_test_set("ntrex-128", lp="en-de", outputs=["Eins"])


def test_a_file_that_is_not_there(ntrex):
    with pytest.raises(FetchError, match=r"save it as .*ntrex-128/newstest2019-ref\.fra\.txt"):
        assay.read_test_set("ntrex-128", lp="en-fr")
