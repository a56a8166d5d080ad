from __future__ import annotations

import numpy as np
import pytest

from assay import load, score
from assay.charts import caption, draw, drawable, svg
from assay.charts.diffusion import Diffusion
from assay.errors import ConfigError
from assay.metrics import metric
from assay.store import open_result, save_result
from assay.types.runtime import Runtime
from tests.charts.examples import embedded
from tests.metrics import made_up_vectors
from tests.store.examples import example


@pytest.mark.parametrize("side", ["reference", "output"])
@pytest.mark.parametrize("options", ["", ",diffusion=l1,zero_rows=spread", ",unknown=same,temperature=0.2"])
def test_its_row_sums_are_what_the_score_is_computed_from(side, options):
    """The kernel never makes the map; both must agree."""
    made = metric.create(next(iter(embedded().metrics)) + options)
    output, reference = "the kitty sits xyzzy", "the cat sat down xyzzy plugh"
    row = made.statistics(load(outputs={"x": [output]}, references=[reference]), Runtime(threads=1))[0, 0]
    texts = (reference, output) if side == "reference" else (output, reference)
    found = made.diffusion_map(*texts, Runtime(threads=1))
    assert " ".join(found.words) == texts[0]
    meaning, reconstructed = found.own.sum(axis=1), found.reconstructed.sum(axis=1)
    first = 2 if side == "output" else 10
    assert np.minimum(meaning, reconstructed).sum() == pytest.approx(row[first], rel=1e-9)
    assert meaning.sum() == pytest.approx(row[first + 4], rel=1e-9)


@pytest.mark.slow
def test_words_and_sums():
    text = svg(draw("diffusion", embedded(), width=1040))
    assert ">1  the<" in text
    assert ">4  down<" in text
    found = Diffusion().select([embedded()]).map()
    for total in (*found.own.sum(axis=1), *found.reconstructed.sum(axis=1)):
        assert f">{total:.2f}<" in text
    assert ">1  the<" in svg(draw("diffusion", embedded(), side="output", system="y", width=1040))


def test_title():
    title, subtitle = caption(draw("diffusion:side=output,system=y,segment=2", embedded()))
    assert title == "How much of the meaning of the output is in the reference?"
    assert subtitle.startswith("Segment 2, system y, 1 word. ebleu:vectors=")


def test_what_it_needs(tmp_path):
    assert "diffusion" not in drawable(example("score"))
    with pytest.raises(ConfigError, match="needs a run with ebleu, this one has bleu") as error:
        draw("diffusion", example("score"))
    assert error.value.hint == "score with ebleu:vectors=NAME, and save the run with its texts"
    save_result(embedded(), tmp_path / "without")
    without = open_result(tmp_path / "without")
    assert "diffusion" not in drawable(without)
    with pytest.raises(ConfigError, match="this result was saved without its texts"):
        draw("diffusion", without)


def test_whether_it_can_be_drawn_takes_no_computation(monkeypatch):
    def compute(*_):
        raise AssertionError

    monkeypatch.setattr("assay.metrics.ebleu.Ebleu.diffusion_map", compute)
    assert "diffusion" in drawable(embedded())


def test_vectors_that_are_not_those_of_the_run(tmp_path):
    path = made_up_vectors.write(tmp_path / "small.vec", {"the": (1, 2), "cat": (2, 1)})
    run = score(load(outputs={"x": ["the"]}, references=["the cat"]), f"ebleu:vectors={path}", resamples=0)
    assert "diffusion" in drawable(run)
    made_up_vectors.write(tmp_path / "small.vec", {"the": (1, 2), "cat": (2, 3)})
    assert "diffusion" not in drawable(run)
    with pytest.raises(ConfigError, match=r"the vectors of the run have changed since: sha256-\w+ then, sha256-"):
        draw("diffusion", run)
    (tmp_path / "small.vec").unlink()
    assert "diffusion" not in drawable(run)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("segment=3", "segment must be between 1 and 2, not 3"),
        ("system=z", "no system is called 'z'"),
        ("metric=ebleu", "the run has no 'ebleu'"),
        ("side=source", "expected reference or output"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ConfigError, match=message):
        draw(f"diffusion:{options}", embedded())


def test_a_segment_without_words():
    spec = next(iter(embedded().metrics))
    run = score(load(outputs={"x": ["", None]}, references=["the", "the"]), spec, resamples=0)
    with pytest.raises(ConfigError, match="the output of segment 1 has no words"):
        draw("diffusion:side=output", run)
    with pytest.raises(ConfigError, match="segment 2 has no output or no reference"):
        draw("diffusion:segment=2", run)
    assert svg(draw("diffusion", run))
