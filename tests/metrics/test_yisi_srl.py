"""YiSi with semantic roles: all runs of the original program, and what concerns several references."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from assay import score
from assay.errors import ConfigError
from assay.metrics import metric
from assay.testing import check_metric
from assay.types.runtime import Runtime
from tests.metrics import made_up_vectors
from tests.metrics.labelled import OUTPUT, OUTPUT_ROLES, REFERENCE, REFERENCE_ROLES, labelled, of_yisi
from tests.metrics.test_ebleu import VECTORS

_GIVEN = (0.25, *[1.0] * 7)
# What YiSi prints (C++ program, May 2019), one sentence per run: beta, weights of roles, scores. Both weights of frames
# have the same scores, because no text has two frames.
GOLDEN = [
    (0.2, "references", (0.996938, 0.869955, 0.8, 0.37952)),
    (0.2, _GIVEN, (0.996928, 0.864578, 0.8, 0.341506)),
    (0.2, "uniform", (0.996946, 0.873982, 0.8, 0.403179)),
    (0.2, "lexical", (0.997047, 0.865702, 0.8, 0.367147)),
    (1, "references", (0.996504, 0.847896, 0, 0.384615)),
    (1, _GIVEN, (0.996451, 0.822031, 0, 0.2)),
    (1, "uniform", (0.996544, 0.867183, 0, 0.5)),
    (1, "lexical", (0.997047, 0.827891, 0, 0.329801)),
]


@pytest.fixture
def english(tmp_path):
    return made_up_vectors.write(tmp_path / "en.vec", VECTORS)


@pytest.mark.parametrize("frame_weights", ["coverage", "uniform"])
@pytest.mark.parametrize(("beta", "roles", "expected"), GOLDEN)
def test_runs_of_the_original(beta, roles, expected, frame_weights, english):
    """The weights of words are those of all references, and the weights of roles those of each sentence."""
    options = f"vectors={english},n=1,alpha=0.5,beta={beta},frame_weights={frame_weights}"
    spec = f"yisi-1-srl:{options}" + (f",role_weights={roles}" if isinstance(roles, str) else "")
    testset = of_yisi()
    whole = metric.create(spec).prepare(testset)
    found = []
    for segment in range(len(testset)):
        one = testset.take([segment])
        weights = roles if isinstance(roles, tuple) else metric.create(spec).prepare(one).group_weights
        chosen = dataclasses.replace(whole, group_weights=weights)
        found.append(chosen.score(chosen.statistics(one, Runtime()))[0, 0])
    np.testing.assert_allclose(found, expected, atol=5.1e-7)


def segments(testset, spec):
    run = score(testset, spec, resamples=0)
    return run[next(iter(run))].segments["x"]


def test_without_frames_it_is_yisi_of_the_words():
    spec = "similarity=lcs,n=2"
    srl, plain = segments(of_yisi(), f"yisi-srl:{spec},beta=0"), segments(of_yisi(), f"yisi:{spec},tok=none")
    np.testing.assert_array_equal(srl, plain)


def test_frames_weigh_by_their_words():
    """Frames of one and of three words, of which only the first is right."""
    output = {"x": (["run cats see dogs"], ["1:V | 2:A0 3:V 4:A1"])}
    reference = {"ref": (["run xx yy zz"], ["1:V | 2:A0 3:V 4:A1"])}
    spec = "yisi-srl:similarity=exact,beta=1,n=1,alpha=0,role_weights=uniform"
    assert segments(labelled(output, reference), spec)[0] == pytest.approx(1 / 4, abs=1e-4)
    assert segments(labelled(output, reference), f"{spec},frame_weights=uniform")[0] == pytest.approx(1 / 2, abs=1e-4)


def test_several_references():
    """A role of the output has the best partner of any reference; recall is that of the best reference."""
    output = {"x": (["cats see dogs"], ["1:A0 2:V 3:A1"])}
    first, second = (["cats see mice"], ["1:A0 2:V 3:A1"]), (["dogs see dogs"], ["1:A0 2:V 3:A1"])
    spec = "yisi-srl:similarity=exact,beta=1,n=1,role_weights=uniform,alpha="
    both = labelled(output, {"A": first, "B": second})
    assert segments(both, f"{spec}0")[0] == pytest.approx(1, abs=1e-4)
    assert segments(both, f"{spec}1")[0] == pytest.approx(2 / 3, abs=1e-4)


def test_an_argument_needs_a_partner_of_its_group():
    output = {"x": (["cats see"], ["1:AM-TMP 2:V"])}
    reference = {"ref": (["cats see"], ["1:A0 2:V"])}
    spec = "yisi-srl:similarity=exact,beta=1,n=1,role_weights=uniform,alpha="
    assert segments(labelled(output, reference), f"{spec}0")[0] == pytest.approx(1 / 2)
    assert segments(labelled(output, reference), f"{spec}1")[0] == pytest.approx(1)


@pytest.mark.warns("lacks the annotation layer")
def test_a_reference_without_roles_is_not_used():
    output = {"x": (["cats see", "cats"], ["1:A0 2:V", ""])}
    references = {"A": (["cats see", "cats"], [None, ""]), "B": (["xx yy", "xx"], ["1:A0 2:V", ""])}
    found = segments(labelled(output, references), "yisi-srl:similarity=exact,n=1")
    assert found[0] == pytest.approx(0, abs=1e-4)
    assert found[1] == pytest.approx(0.8)


@pytest.mark.slow
@pytest.mark.parametrize("options", ["", ",role_weights=lexical,frame_weights=uniform,beta=1"])
def test_the_contract(options):
    outputs = {"x": (OUTPUT, OUTPUT_ROLES), "y": (OUTPUT[::-1], OUTPUT_ROLES[::-1])}
    testset = labelled(outputs, {"ref": (REFERENCE, REFERENCE_ROLES)})
    check_metric(metric.create(f"yisi-srl:similarity=lcs{options}"), testset)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("against=source", "against=source is for yisi-2"),
        ("tok=13a", "tok=13a has no effect"),
        ("beta=2", "beta must be between 0 and 1"),
    ],
)
def test_refused_options(options, message):
    with pytest.raises(ConfigError, match=message):
        metric.create(f"yisi-srl:{options}")


def test_unknown_choices():
    with pytest.raises(ConfigError, match="unknown role_weights 'given'"):
        metric.create("yisi-srl:role_weights=given")
