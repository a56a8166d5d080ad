"""MEANT: values of PyMEANT, and what the papers and we leave or add."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from assay import score
from assay.errors import ConfigError, InputError
from assay.metrics import metric
from assay.testing import check_metric
from assay.types.runtime import Runtime
from tests.metrics import made_up_vectors
from tests.metrics.labelled import labelled, of_yisi

# What PyMEANT says of these frames, with these similarities of words.
SIMILARITIES = {"cat kitty": 0.8, "sat sits": 0.9, "mat rug": 0.7, "dog cat": 0.3, "a the": 0.2}
OUTPUT = ["the kitty sits on the rug", "the dog chased the cat", "x", "x"]
OUTPUT_ROLES = ["3:TARGET 1-2:ARG0 4-6:ARGM-LOC", "3:TARGET 1-2:ARG0 4-5:ARG1", "", ""]
REFERENCE = ["the cat sat on the mat", "a dog chased the kitty sat", "y", "sat"]
REFERENCE_ROLES = ["3:TARGET 1-2:ARG0 4-6:ARGM-LOC", "3:TARGET 1-2:ARG0 4-5:ARG1 | 6:TARGET 4-5:ARG0", "", "1:TARGET"]
PYMEANT = [0.9, 0.8333333333333334, 1.0, 0.0]


def golden():
    return labelled({"x": (OUTPUT, OUTPUT_ROLES)}, {"ref": (REFERENCE, REFERENCE_ROLES)})


@pytest.fixture
def vectors(tmp_path):
    """Vectors whose cosines are the similarities."""
    words = sorted({word for text in (*OUTPUT, *REFERENCE) for word in text.split()})
    gram = np.eye(len(words))
    for pair, value in SIMILARITIES.items():
        first, second = map(words.index, pair.split())
        gram[first, second] = gram[second, first] = value
    rows = np.linalg.cholesky(gram).round(9).tolist()
    return made_up_vectors.write(tmp_path / "en.vec", dict(zip(words, rows, strict=True)))


def segments(testset, spec, system="x"):
    run = score(testset, spec, resamples=0)
    return run[next(iter(run))].segments[system]


def test_values_of_pymeant(vectors):
    found = segments(golden(), f"meant:frameless=one,vectors={vectors}")
    np.testing.assert_allclose(found, PYMEANT, atol=1e-6)


def test_a_text_without_any_frame_is_noted():
    """Its labeller failed, more likely than that nobody does anything in all of it."""
    found = labelled({"x": (OUTPUT, OUTPUT_ROLES), "y": (OUTPUT, [""] * 4)}, {"ref": (REFERENCE, REFERENCE_ROLES)})
    notes = [
        note for note in score(found, "umeant:similarity=exact", resamples=0).notes if "no segment of" in note.text
    ]
    assert [(note.where, note.text, note.hint) for note in notes] == [
        (
            "y, roles",
            "no segment of 4 has a frame, so that each scores 0 where the other side has one",
            "check the output of the role labeller",
        )
    ]


def test_a_segment_without_frames_is_undefined():
    run = score(golden(), "meant:similarity=exact", resamples=0)
    result = run["meant:similarity=exact"]
    assert np.isnan(result.segments["x"][2])
    assert result.segment_mean.estimate("x").n == 3
    assert "neither the output nor the reference has a frame" in " ".join(note.text for note in run.notes)


def test_frames_without_a_partner(vectors):
    """The reference has a second frame of three words of its eight."""
    ignored = segments(golden(), f"meant:vectors={vectors}")[1]
    counted = segments(golden(), f"meant:unaligned=counted,vectors={vectors}")[1]
    precision, recall = ignored, ignored * 5 / 8
    assert counted == pytest.approx(2 * precision * recall / (precision + recall))


def test_weights_of_roles_in_the_references(vectors):
    """Predicates count a quarter: 4 of 4 * 0.25 = 1, ARG0 3, ARG1 1, ARGM-LOC 1."""
    found = segments(golden(), f"umeant:vectors={vectors}")
    assert found[0] == pytest.approx((1 * 0.9 + 3 * 0.9 + 1 * 0.9) / 5)
    assert found[1] == pytest.approx((1 * 1 + 3 * 0.6 + 1 * 0.9) / 5)


def test_only_equal_roles_match():
    both = {"ref": (["cats see dogs"], ["1:ARG0 2:V 3:ARG1"])}
    same = labelled({"x": (["cats see dogs"], ["1:A0 2:V 3:C-A1"])}, both)
    swapped = labelled({"x": (["cats see dogs"], ["1:ARG1 2:V 3:ARG0"])}, both)
    spec = "meant:similarity=exact"
    assert segments(same, spec)[0] == pytest.approx(1)
    assert segments(swapped, spec)[0] == pytest.approx((1 + 2e-5) / 3)


def test_the_best_reference_counts():
    output = {"x": (["cats sleep"], ["1:A0 2:V"])}
    first, second = (["dogs run"], ["1:A0 2:V"]), (["cats sleep now"], ["1:A0 2:V"])
    both = labelled(output, {"A": first, "B": second})
    assert segments(both, "meant:similarity=exact")[0] == pytest.approx(1)
    bare = labelled(output, {"A": (["yes"], [""]), "B": second})
    assert segments(bare, "meant:similarity=exact")[0] == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize("options", ["similarity=lcs", "similarity=exact,unaligned=counted,frameless=one"])
@pytest.mark.parametrize("name", ["meant", "umeant"])
def test_the_contract(name, options):
    more = ([*OUTPUT[::-1]], [*OUTPUT_ROLES[::-1]])
    testset = labelled({"x": (OUTPUT, OUTPUT_ROLES), "y": more}, {"ref": (REFERENCE, REFERENCE_ROLES)})
    check_metric(metric.create(f"{name}:{options}"), testset)


def test_frames_of_dependencies():
    testset = of_yisi()
    texts = list(testset.references["ref"])
    tags = [" ".join("VERB" if word in ("sat", "chased") else "NOUN" for word in text.split()) for text in texts]
    heads = ["2:det 3:nsubj 0:root 6:case 6:det 3:obl", "2:det 3:nsubj 0:root 5:det 3:obj"]
    heads += [heads[0], "2:det 3:nsubj 0:root"]
    layers = {"tokens": {"ref": texts, "x": texts}, "pos": {"ref": tags, "x": tags}}
    layers["dependencies"] = {"ref": heads, "x": heads}
    testset = dataclasses.replace(testset, outputs={"x": testset.references["ref"]}, annotations=layers)
    run = score(testset, "meant:frames=dependencies,similarity=exact", resamples=0)
    result = run[next(iter(run))]
    np.testing.assert_allclose(result.segments["x"], 1)
    assert any("a substitute for semantic roles" in note.text for note in run.notes)


def test_refusals(tmp_path):
    with pytest.raises(ConfigError, match="the metric meant needs word vectors"):
        score(golden(), "meant")
    with pytest.raises(ConfigError, match="takes no vectors"):
        metric.create("meant:similarity=lcs,vectors=x")
    with pytest.raises(ConfigError, match="expected ignored or counted"):
        metric.create("meant:unaligned=skip")
    (tmp_path / "encoder").mkdir()
    with pytest.raises(ConfigError, match="takes vectors of words, not an encoder"):
        score(golden(), f"meant:vectors={tmp_path / 'encoder'}")


def test_a_text_may_be_too_long():
    long = ("a " * 5000).strip()
    testset = labelled({"x": (["a", long], ["1:V", "1:V"])}, {"ref": (["a", "a"], ["1:V", "1:V"])})
    with pytest.raises(InputError, match="is too long for meant: 5,000 tokens"):
        score(testset, "meant:similarity=exact")


def test_the_same_on_any_number_of_threads(vectors):
    chosen = metric.create(f"umeant:vectors={vectors}").prepare(golden())
    tables = [chosen.statistics(golden(), Runtime(threads=threads)) for threads in (1, 4)]
    assert tables[0].tobytes() == tables[1].tobytes()
