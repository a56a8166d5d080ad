"""Segments become distinct inputs, and their results become scores."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from assay.errors import InputError
from assay.learned import Segment, open_bleurt, open_comet, open_metricx, open_unite
from assay.learned.model import deduplicate, map_distinct
from assay.types.runtime import Runtime
from tests.learned.made_up_model import MadeUpModel
from tests.learned.official import official

SEGMENTS = [
    Segment("abc", None, "ab"),
    Segment("ab", None, "abc"),
    Segment("abc", None, "ab"),
    Segment("x" * 12, None, ""),
]


def test_equal_texts_are_given_to_a_function_once():
    calls = []

    def lengths(texts):
        calls.append(texts)
        return [len(text) for text in texts]

    assert map_distinct(lengths, ["abc", "", "abc", "de"]) == [3, 0, 3, 2]
    assert calls == [["abc", "", "de"]]


def test_equal_inputs_get_one_index():
    encoded = deduplicate([(1,), (2,), (1,), (1,)], [False, True, False, False], 2)
    assert encoded.inputs == [(1,), (2,)]
    assert encoded.input_indices.tolist() == [[0, 1], [0, 0]]
    assert encoded.is_truncated.tolist() == [[False, True], [False, False]]


def test_the_score_is_the_mean_over_inputs():
    assert MadeUpModel().score(SEGMENTS, Runtime()).tolist() == [3.5, 3.5, 3.5, 5.5]
    assert MadeUpModel().score([], Runtime()).tolist() == []


def test_a_score_that_is_no_number_is_an_error(monkeypatch):
    monkeypatch.setattr(MadeUpModel, "combine", lambda self, results, indices, runtime: np.full(len(indices), np.nan))
    with pytest.raises(InputError, match="made-up: the model returned NaN or infinity for 4 of 4 segments") as raised:
        MadeUpModel().score(SEGMENTS, Runtime())
    assert "bf16" in raised.value.hint


OPEN = {
    "comet": open_comet,
    "unite": open_unite,
    "bleurt": open_bleurt,
    "metricx-24": functools.partial(open_metricx, release="24"),
}


@pytest.mark.parametrize("name", OPEN)
def test_a_model_that_changes_while_it_is_in_use(tmp_path, name):
    """The signature has the digest of the files as they were when the model was found."""
    if name.startswith("metricx"):
        pytest.importorskip("sentencepiece")
    made = official(name)
    model = OPEN[name](made.copied(tmp_path))
    (tmp_path / "copy" / "README.md").write_text("another version")  # is not read
    _ = model.digests
    read = next(path for name in ("hparams.yaml", "config.json") if (path := tmp_path / "copy" / name).exists())
    read.write_text(read.read_text() + "\n")
    with pytest.raises(InputError, match="copy: changed while it was in use"):
        model.score(made.segments, Runtime(device="cpu"))


@pytest.mark.parametrize("name", OPEN)
def test_a_model_in_the_working_directory_has_a_name(monkeypatch, tmp_path, name):
    if name.startswith("metricx"):
        pytest.importorskip("sentencepiece")
    monkeypatch.chdir(official(name).copied(tmp_path))
    assert OPEN[name](".").name == "copy"


def test_vectors_are_moved_to_the_device_in_parts(monkeypatch):
    """All vectors of a campaign may be more than the memory of a GPU."""
    made = official("comet")
    model = open_comet(made.model)
    expected = model.score(made.segments, Runtime(device="cpu"))
    torch, sizes = pytest.importorskip("torch"), []
    from_numpy = torch.from_numpy
    monkeypatch.setattr("assay.learned.comet._PART", 5)
    monkeypatch.setattr(torch, "from_numpy", lambda array: sizes.append(len(array)) or from_numpy(array))
    np.testing.assert_allclose(model.score(made.segments, Runtime(device="cpu")), expected, atol=1e-6)
    assert max(sizes) == 5
