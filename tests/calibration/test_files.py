from __future__ import annotations

import copy
import json

import pytest

from assay.calibration.files import bundled, bundled_file, open_calibration, parse_calibration, read_calibration
from assay.errors import ConfigError, InputError
from assay.study.calibrate import calibrate
from tests.calibration.made_up import campaign


@pytest.fixture(scope="module")
def tree():
    campaigns = [campaign(lp, seed=k) for k, lp in enumerate(("de-en", "cs-en", "en-de", "zh-en", "en-ja"))]
    return calibrate(campaigns, metrics=("bleu",), min_segments=20, resamples=20, at=(2.0,)).to_dict()


def test_round_trip(tree):
    parsed = parse_calibration(json.dumps(tree), path="curve.json")
    assert parsed.to_dict() == tree
    assert parsed.signature == tree["signature"]


def damaged(tree, where, value):
    changed = copy.deepcopy(tree)
    *path, last = where
    part = changed
    for key in path:
        part = part[key]
    if value is None:
        del part[last]
    else:
        part[last] = value
    return json.dumps(changed)


@pytest.mark.parametrize(
    ("where", "value", "message"),
    [
        (("version",), 99, "version"),
        (("curves",), [], "no curves"),
        (("curves",), {}, "curves is not a list"),
        (("settings",), 3, "settings is not an object"),
        (("curves", 0), 7, "not an object"),
        (("curves", 0, "x", 0), 1e9, "ascending"),
        (("curves", 0, "x", 0), "1", "list of numbers"),
        (("curves", 0, "x", -1), 1e300, "finite"),
        (("curves", 0, "x", -1), 10**400, "finite"),
        (("curves", 0, "y", 0), 1.5, "probabilities"),
        (("curves", 0, "y", -1), -0.1, "probabilities"),
        (("curves", 0, "y"), [0.1], "different lengths"),
        (("curves", 0, "high", 0), 7.0, "bounds"),
        (("curves", 0, "support"), [1], "support is not a list of counts"),
        (("curves", 0, "support", 0), 0, "support is not a list of counts"),
        (("curves", 0, "base_rate"), 7, "base_rate is not a number from 0 to 1"),
        (("curves", 0, "low", -1), -0.1, "bounds"),
        (("curves", 0, "at", 0, "difference"), 10**400, "finite"),
        (("curves", 0, "population", "pairs"), 10**400, "pairs is not a count"),
        (("settings", "orientation"), "sideways", "one of by-metric, absolute, by-human"),
        (("curves", 0, "metric"), None, "metric is not text"),
        (("curves", 0, "population", "pairs"), -1, "pairs is not a count"),
        (("curves", 0, "population", "pairs"), True, "pairs is not a count"),
        (("curves", 0, "at"), [1], "list of objects"),
        (("curves", 0, "reversed"), [], "reversed is not an object"),
        (("curves", 0, "aggregation"), "corpuss", "aggregation is not one of corpus, segment, bootstrap, stored"),
        (("curves", 0, "outcome"), "sig", "outcome is not one of significant, agrees, metric p<0.05"),
        (("curves", 0, "cutoffs"), [{"a": 1}], "cutoffs is not what the rest of the file says"),
        (("curves", 0, "cutoffs", 0, "value"), 99.0, r"curves\[0\].cutoffs\[0\].value is not what the rest"),
        (("curves", 0, "at", 0, "value"), 0.99, r"curves\[0\].at\[0\].value is not what the rest"),
        (("curves", 0, "colour"), "red", r"curves\[0\].colour is not part of a calibration"),
        (("curves", 0, "support", -1), 999, "support is not a list of counts that do not rise"),
        (("curves", 0, "population", "campaigns"), [3], "campaigns"),
        (("curves", 0, "reason"), 3, "reason"),
        (("signature",), 3, "signature is not what the rest of the file says"),
        (("signature",), "x:y", "signature is not what the rest of the file says"),
        (("notes",), "hello", "notes is not a list"),
        (("notes",), [{"kind": "gossip"}], "kind is not one of"),
    ],
)
def test_a_damaged_file_is_refused(tree, where, value, message):
    with pytest.raises(InputError, match=message) as caught:
        parse_calibration(damaged(tree, where, value), path="curve.json")
    assert caught.value.path == "curve.json"


def test_missing_and_null_values_are_the_same(tree):
    del (without := copy.deepcopy(tree))["curves"][0]["cutoffs"]
    null = copy.deepcopy(tree)
    null["curves"][0]["cutoffs"] = None
    for changed in (without, null):
        assert parse_calibration(json.dumps(changed), path="curve.json").to_dict() == tree


def test_a_question_has_one_curve(tree):
    twice = {**tree, "curves": [*tree["curves"], {**tree["curves"][0], "y": tree["curves"][0]["y"]}]}
    with pytest.raises(InputError, match="is not the only curve of bleu corpus, DA/SQM"):
        parse_calibration(json.dumps(twice), path="curve.json")


def test_not_a_calibration(tmp_path):
    with pytest.raises(InputError, match="No such file") as caught:
        read_calibration(tmp_path / "none.txt")
    assert "give a file that assay calibrate -o FILE.json wrote, or one of wmt and lo2023" in caught.value.hint
    (tmp_path / "text.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(InputError, match="expected a JSON object") as caught:
        read_calibration(tmp_path / "text.json")
    assert caught.value.hint == "give a file that assay calibrate -o FILE.json wrote"
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        read_calibration(tmp_path / "bytes.json")


def test_only_the_files_of_some_metrics_are_read():
    some = bundled(["bleu", "chrf", "bleu:tok=intl"])
    assert some.metrics == ("bleu", "chrf")
    assert some.settings == bundled().settings
    assert bundled(["COMET-22"]).metrics == ()


@pytest.mark.parametrize("metric", ["bleu", "XCOMET-XL"])
def test_bundled_files_are_as_consistent_as_those_of_others(metric):
    text, path = bundled_file(metric)
    assert parse_calibration(text, path=path).metrics == (metric,)


def test_the_bundled_calibration():
    calibration = bundled()
    assert {curve.aggregation for curve in calibration} == {"corpus", "segment", "bootstrap", "stored"}
    assert {"COMET", "XCOMET-XL", "MetricX-24-Hybrid-XL", "CometKiwi-XL", "GEMBA-ESA-GPT4.1"} <= set(
        calibration.metrics
    )
    words = {"bleu", "chrf", "chrf++", "ter", "wer", "per", "cder", "cer", "nist"}
    assert words | {"lepor", "nlepor", "hlepor", "hjerson"} <= set(calibration.metrics)
    assert "meteor" not in calibration.metrics  # its scores depend on its files, which the name does not tell
    assert calibration.settings["orientation"] == "by-metric"
    with pytest.raises(ConfigError, match="no calibration 'wtm'") as caught:
        open_calibration("wtm")
    assert "did you mean 'wmt'" in caught.value.hint


def test_published_cut_offs_are_those_of_the_paper():
    """Lo et al. 2023, Tables 2 to 5, in part."""
    published, source = open_calibration("lo2023")
    assert source == "lo2023"
    assert len(published.metrics) == 10

    def at(metric, probability, **population):
        place = {"protocol": "DA/SQM", "group": "all", "domain": "all", **population}
        cutoffs = published.find(metric, "corpus", **place)
        return next(each.difference for each in cutoffs if each.probability == probability)

    assert [at("BLEU", level) for level in (0.5, 0.8, 0.95)] == [1.2, 5.5, 12.9]
    assert [at("COMET-20", 0.8, group=group) for group in ("English", "I", "II", "Inuktitut")] == [0.2, 0.1, 0.08, 0.05]
    assert at("MetricX", 0.8, protocol="MQM") == 0.03
    assert at("chrF", 0.8, domain="conversation") == 19


def test_a_calibration_of_an_earlier_version_is_to_be_fitted_again():
    tree = json.loads(json.dumps(bundled(["bleu"]).to_dict()))
    for curve in tree["curves"]:
        del curve["opposite"], curve["independent"]
    with pytest.raises(InputError, match="written by an earlier version of Assay") as caught:
        parse_calibration(json.dumps(tree), path="old.json")
    assert caught.value.hint == "fit it again with assay calibrate"
