from __future__ import annotations

import json

import numpy as np
import pytest

import assay
from assay.errors import ConfigError, InputError
from assay.metrics import from_training, metric
from assay.results.result import digest_of_tree
from assay.testing import ContractError, check_metric, sample_testset


@pytest.fixture(autouse=True)
def _registry(monkeypatch):
    """What a test registers does not stay."""
    metric.names()
    monkeypatch.setattr(metric, "_types", dict(metric._types))


def tree(features=("chrf", "ter#edits/reference_length"), wins="none", **changes):
    model = {
        "kind": "linear",
        "low": [0.0, 0.0],
        "high": [100.0, 5.0],
        "centre": [50.0, 0.5],
        "scale": [20.0, 0.5],
        "weights": [1.0, -0.5],
    }
    made = {"format": 1, "features": [{"feature": each} for each in features], "model": model, "wins": wins, **changes}
    return {**made, "digest": digest_of_tree(made)}


def test_it_keeps_the_contract():
    check_metric(from_training(tree()))


def test_wins_break_the_rule_on_other_systems_alone():
    wins = from_training(tree(wins="soft"))
    with pytest.raises(ContractError, match="a row depends on other systems"):
        check_metric(wins)
    check_metric(wins, skip=("systems", "direction"))


def test_the_score_is_the_weighted_sum():
    testset = sample_testset()
    scores = assay.score(testset, [from_training(tree()), "chrf"], resamples=0)
    table = metric.create("ter").prepare(testset).statistics(testset, assay.Runtime())
    ratio = table[1, :, 0] / np.where(table[1, :, 1] > 0, table[1, :, 1], np.nan)
    chrf = np.array(scores["chrf"].segments["damaged"])
    expected = (chrf - 50) / 20 - 0.5 * (np.clip(ratio, 0, 5) - 0.5) / 0.5
    assert np.allclose(scores["trained"].segments["damaged"], expected, equal_nan=True)


def test_files_are_found_by_explicit_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.json").write_text(json.dumps(tree()), encoding="utf-8")
    name = f"mine.json@{tree()['digest'][:8]}"
    assert metric.spec(metric.create("./mine.json")) == name
    assert metric.create(f"./{name}:wins=hard").wins == "hard"
    assert metric.create(name) == metric.create(f"{tmp_path}/mine.json")
    with pytest.raises(ConfigError, match="does not name a file") as caught:
        metric.create("mine.json")
    assert "./mine.json" in str(caught.value)
    with pytest.raises(ConfigError, match=r"mine\.json has changed: its digest is"):
        metric.create("./mine.json@00000000")
    with pytest.raises(InputError, match="No such file"):
        metric.create("./other.json")
    for text, message in (
        ("{", "this is not JSON"),
        ("[1]", "not the file of a trained metric"),
        ("{}", "not the file"),
    ):
        (tmp_path / "other.json").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=message) as unread:
            metric.create("./other.json")
        assert unread.value.hint == "give a file that assay train -o FILE.json wrote"
    with pytest.raises(ConfigError, match="unknown metric") as caught:
        metric.create("./mine.txt")
    assert "NAME.json as assay train" in caught.value.hint


def test_what_prepare_sets_cannot_be_chosen():
    cls = type(from_training(tree()))
    for option in ("features", "against"):
        with pytest.raises(ValueError, match="are set when a test set is scored"):
            cls(**{option: "x"})
    with pytest.raises(ConfigError, match="wins"):
        cls(wins="all")


def test_features_from_files_stand_beside_the_metric(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = "def size(output):\n    return len(output)\n\n\nsize.higher_is_better = True\n"
    (tmp_path / "own.py").write_text(code, encoding="utf-8")
    spec = metric.spec(metric.create("./own.py:size"))
    (tmp_path / "mine.json").write_text(json.dumps(tree(("chrf", spec))), encoding="utf-8")
    assert metric.create(f"{tmp_path}/mine.json").feature_set.names == ("chrf", spec)
    (tmp_path / "own.py").write_text(code + "# changed\n", encoding="utf-8")
    for name in (spec, metric.spec(metric.create(f"{tmp_path}/mine.json"))):
        metric._types.pop(name)
    with pytest.raises(InputError, match=r"mine\.json: a feature cannot be computed: .*own\.py has changed") as changed:
        metric.create(f"{tmp_path}/mine.json")
    (tmp_path / "own.py").unlink()
    with pytest.raises(InputError, match=r"mine\.json: a feature cannot be computed: .*own\.py: No such file") as gone:
        metric.create(f"{tmp_path}/mine.json")
    for caught in (changed, gone):
        assert f"put the files of {spec} in {tmp_path} as they were when it was trained" in caught.value.hint
