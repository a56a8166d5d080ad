from __future__ import annotations

import numpy as np
import pytest

from assay.metrics import metric
from assay.training.human_data import LanguagePairExcluded
from tests.training.made_up import campaign, register
from tests.training.test_held_out import examples_of


@pytest.fixture(autouse=True)
def _features(monkeypatch):
    metric.names()
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    register()


def test_what_is_drawn_depends_on_the_language_pair_alone():
    first = examples_of(campaign())
    assert (len(first), first.preferences) == (500, 60 * 10)
    again = examples_of(campaign())
    assert np.array_equal(first.better, again.better)
    assert np.array_equal(first.worse, again.worse)


def test_features_stand_beside_the_judged_outputs():
    made = campaign()
    each = examples_of(made)
    for row in (0, 17, 123):
        output = made.testset.outputs[made.systems[each.system[row]]][each.segment[row]]
        assert output == f"truth={each.x[row, 0]:.6f} noise={each.x[row, 1]:.6f}"
    human = made.scores[0].values
    assert (human[each.system[each.better], each.segment[each.better]] > human[
        each.system[each.worse], each.segment[each.worse]
    ]).all()  # fmt: skip


def test_segments_with_a_text_are_left_out_with_their_preferences():
    each = examples_of(campaign())
    kept = each.without_texts(each.texts[each.segment == 3][:1, 0])
    assert set(each.segment) - set(kept.segment) == {3}
    assert len(kept) == len(each) - (each.segment[each.better] == 3).sum()
    assert (kept.segment[kept.better] == kept.segment[kept.worse]).all()


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (campaign(systems=1), "1 system"),
        (campaign(truth_matters=True), "undefined everywhere: nothing"),
    ],
)
def test_why_a_language_pair_is_left_out(made, reason):
    with pytest.raises(LanguagePairExcluded, match=reason):
        examples_of(made, ("nothing", "truth"))


def test_the_language_is_that_of_the_outputs():
    assert [examples_of(campaign(lp=lp, segments=4)).language for lp in ("en-zh_CN", "deu-eng")] == ["zh", "en"]
