from __future__ import annotations

import json
import math
import warnings
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.cli.group import _run
from assay.errors import AssayWarning, ConfigError, InputError, NameClashError, UnknownNameError
from assay.human.error_layers import with_error_layers
from assay.metrics import from_training, metric
from assay.reports import document, renderer
from assay.types import ErrorSpan, Ratings, ScoreTable
from tests.training.made_up import campaign, register, several


@pytest.fixture(autouse=True)
def _features(monkeypatch):
    """What a test registers does not stay."""
    metric.names()
    monkeypatch.setattr(metric, "_types", dict(metric._types))
    register()


def weights(training):
    return {feature.name: feature.weight for feature in training.features}


def sentences(training):
    return " ".join(document(training).verdict.sentences)


def test_the_truth_is_found_and_noise_is_not():
    training = assay.train(several(), ["noise", "truth"], resamples=200)
    assert abs(weights(training)["noise"]) < 0.1 < 1 < weights(training)["truth"]
    important = {feature.name: feature.importance for feature in training.features}
    assert important["truth"] > 0.3
    assert abs(important["noise"]) < 0.02
    assert {feature.name: round(feature.alone, 1) for feature in training.features} == {"noise": 0.5, "truth": 0.9}
    evaluation = training.evaluation("campaign")
    assert evaluation.metric.value == pytest.approx(evaluation.single.value, abs=0.02)
    assert evaluation.beyond_ranks.low > 0
    assert {each.single for each in training.held_out} == {"truth"}
    assert not evaluation.beyond_single.low > 0
    assert (
        "This metric is not shown to be better than its best single feature, truth (test sets left out): use that"
        in sentences(training)
    )


def test_two_halves_of_the_truth_are_better_than_one():
    """People score the sum of two independent features, so that a combination must win."""
    campaigns = several()
    summed = []
    for each in campaigns:
        values = np.array(
            [[sum(float(x.split("=")[1]) for x in text.split()) for text in each.testset.outputs[name]]
             for name in each.systems]
        )  # fmt: skip
        summed.append(replace(each, scores=(ScoreTable("human", "segment", each.systems, values, protocol="DA-z"),)))
    training = assay.train(summed, ["noise", "truth"], resamples=200)
    evaluation = training.evaluation("campaign")
    assert evaluation.metric.value > 0.97
    assert evaluation.beyond_single.low > 0.15
    assert (
        "This metric agrees with people on more preferences between outputs than its best single feature"
        in sentences(training)
    )
    ratio = weights(training)["truth"] / weights(training)["noise"]
    assert 0.9 < ratio < 1.4  # weights are of features in standard deviations


def test_equal_features_share_their_weight():
    training = assay.train(several(), ["truth", "same"], resamples=0)
    assert weights(training)["truth"] == pytest.approx(weights(training)["same"], rel=1e-6)
    alone = assay.train(several(), ["truth"], resamples=0)
    assert sum(weights(training).values()) == pytest.approx(weights(alone)["truth"], rel=0.05)
    assert "This metric has one feature, truth, and gives the same order." in sentences(alone)


@pytest.mark.parametrize("model", ["logistic", "ridge", pytest.param("boosting", marks=pytest.mark.slow)])
def test_constant_features_say_nothing(model):
    training = assay.train(several(2), ["constant", "truth"], model=[model], resamples=0)
    assert [feature.is_constant for feature in training.features] == [True, False]
    if model != "boosting":
        assert weights(training)["constant"] == 0
    assert training.features[0].importance == 0
    assert training.evaluation("campaign").metric.value > 0.8


def test_undefined_features_leave_outputs_out_and_are_counted():
    training = assay.train(several(), ["gaps", "truth"], resamples=0)
    undefined = sum(each.undefined for each in training.populations)
    assert 0.1 < undefined / (6 * 5 * 60) < 0.3
    note = next(note for note in training.notes if "a feature is undefined" in note.text)
    assert note.count == undefined
    testset = several()[0].testset
    learnt = from_training(training)
    run = assay.score(testset, [learnt, "gaps"], resamples=0)
    mine, theirs = (run[name].segments["s0"] for name in ("trained", "gaps"))
    assert np.array_equal(np.isnan(mine), np.isnan(theirs))
    assert np.isnan(mine).any()


@pytest.mark.parametrize(
    ("features", "settings", "error", "message"),
    [
        (["nothing", "truth"], {}, InputError, "no language pair has texts and judgements to learn from"),
        (["constant"], {}, InputError, "nothing was learnt: no feature agrees"),
        (["truth", "truth"], {}, ConfigError, "the feature 'truth' is given twice"),
        (["truth#size"], {}, UnknownNameError, "the statistics of truth have no column 'size'"),
        (["#value"], {}, ConfigError, "'#value' is not a feature"),
        (["no-such"], {}, ConfigError, "unknown metric 'no-such'"),
        (["truth"], {"model": ["forest"]}, ConfigError, "unknown model 'forest'"),
        (["truth"], {"gold": ["mqm"]}, InputError, "no language pair has texts"),
        (["bleu"], {}, InputError, "no language pair has texts"),
        (["truth"], {"exclude": ["zz*"]}, UnknownNameError, "no system matches 'zz"),
        (["truth"], {"max_preferences": 3}, ConfigError, "max_preferences must be"),
        ([], {}, ConfigError, "features is empty"),
        (["comet"], {}, ConfigError, "the feature 'comet' needs a model"),
    ],
)
def test_refusals(features, settings, error, message):
    with pytest.raises(error, match=message):
        assay.train(several(), features, **settings)


def test_an_undefined_feature_is_named_in_the_hint():
    with pytest.raises(InputError) as caught:
        assay.train(several(), ["nothing", "truth"])
    assert "undefined everywhere: nothing" in str(caught.value)


def test_external_scores_are_not_offered_as_features():
    with pytest.raises(ConfigError) as caught:
        assay.train(several(), ["comet"])
    assert "comet:model=FOLDER" in caught.value.hint
    assert "--scores" not in caught.value.hint


def test_no_test_sets_to_check_on_may_be_an_empty_list():
    assert assay.train(several(2), ["truth"], check=[], resamples=0).evaluation("check") is None


def test_a_metric_without_intervals_does_not_speak_of_them():
    few, many = (sentences(assay.train(several(count), ["truth", "noise"], resamples=100)) for count in (2, 6))
    assert "intervals over language pairs" not in few
    assert ", no interval)" in few
    assert "with 95 % intervals over language pairs" in many


def test_a_recipe_gives_no_advice_on_its_features():
    """Words with punctuation, and a metric that splits at white space."""
    campaigns = [
        replace(
            each, testset=replace(each.testset, references={"refA": each.testset.outputs["s4"]}), references=("refA",)
        )
        for each in _with_punctuation(several(2))
    ]
    chosen, recipe = (
        [note.hint for note in assay.train(campaigns, resamples=0, **options).notes if "white space" in note.text]
        for options in ({"features": ["hjerson:error=lexical"]}, {"recipe": "terrorcat"})
    )
    assert chosen == ["use hjerson:tok=13a"]
    assert recipe == [None]
    learnt = from_training(assay.train(campaigns, ["hjerson:error=lexical"], resamples=0))
    assert [note.hint for note in learnt.prepare(campaigns[0].testset).advice(campaigns[0].testset)] == [None]


def _with_punctuation(campaigns):
    for each in campaigns:
        outputs = {
            name: [f"the {text.partition(' ')[0][6:9]} cat, sat." for text in texts]
            for name, texts in each.testset.outputs.items()
        }
        texts = replace(each.testset, outputs=outputs, references={"refA": outputs["s4"]})
        yield replace(each, testset=texts, references=("refA",))


def test_the_same_test_set_twice_is_refused():
    with pytest.raises(NameClashError, match="two test sets called"):
        assay.train([*several(), *several(1)], ["truth"])


def test_what_says_nothing_is_said_to_say_nothing():
    training = assay.train(several(), ["noise", "constant"], resamples=200)
    assert "not shown to agree with people more often than by chance (test sets left out)." in sentences(training)


def test_notes_name_their_language_pairs():
    """Ratings with errors and without scores are scored by weights that nobody chose."""
    campaigns = []
    for each in several(2):
        rows = [(k, i) for k in range(5) for i in range(60)]
        ratings = Ratings(
            "mqm",
            "MQM",
            ("r",),
            each.systems,
            np.zeros(len(rows), int),
            np.array([k for k, _ in rows]),
            np.array([i for _, i in rows]),
            np.full(len(rows), np.nan),
            errors=tuple((ErrorSpan("Accuracy", ("minor", "major")[(k + i) % 2], 0, 2),) for k, i in rows),
        )
        campaigns.append(replace(each, scores=(), judgements=(ratings,)))
    training = assay.train(campaigns, ["truth", "noise"], resamples=0)
    note = next(note for note in training.notes if "no weights were chosen" in note.text)
    assert note.where == "test0 en-de, test1 en-cs"


def test_a_campaign_of_one_system_is_left_out():
    training = assay.train([*several(), campaign("alone", systems=1)], ["truth"], resamples=0)
    assert [note.text for note in training.notes] == ["left out: alone en-de (1 system)"]
    assert len(training.populations) == 6


def test_rankings_and_the_other_direction():
    training = assay.train(several(ranked=True), ["cost", "noise"], resamples=0)
    assert weights(training)["cost"] > 1  # features are turned so that higher is better
    assert {each.protocol for each in training.populations} == {"rankings"}
    learnt = from_training(training)
    testset = several()[0].testset
    scores = assay.score(testset, [learnt], resamples=0)["trained"].segments
    true = assay.score(testset, ["truth"], resamples=0)["truth"].segments
    assert np.corrcoef(scores["s1"], true["s1"])[0, 1] > 0.95


def test_columns_have_no_direction_until_people_give_one():
    training = assay.train(several(), ["cost#value", "noise"], resamples=0)
    assert weights(training)["cost#value"] < -1
    assert training.single == "cost#value"
    assert training.evaluation("campaign").single.value > 0.8


def test_error_free_labels():
    """Outputs without errors are those with a high truth."""
    campaigns = []
    for each in several():
        cells = [(k, i) for k in range(5) for i in range(60)]
        clean = [float(each.testset.outputs[f"s{k}"][i].split()[0].split("=")[1]) > 0.5 for k, i in cells]
        ratings = Ratings(
            "esa",
            "ESA",
            ("r",),
            each.systems,
            np.zeros(len(cells), int),
            np.array([k for k, _ in cells]),
            np.array([i for _, i in cells]),
            np.array([95.0 if free else 40.0 for free in clean]),
            errors=tuple(() if free else (ErrorSpan("", "major", 0, 2),) for free in clean),
        )
        campaigns.append(replace(each, scores=(), judgements=(ratings,)))
    training = assay.train(campaigns, ["truth", "noise"], learn="error-free", resamples=0)
    assert training.populations[0].protocol == "ESA, no errors"
    assert training.evaluation("campaign").metric.value > 0.97


@pytest.mark.slow
def test_the_bytes_depend_on_nothing_but_inputs_and_seed():
    campaigns = several()
    options = {"features": ["noise", "truth"], "max_preferences": 200, "resamples": 100}

    def text(data, **more):
        return renderer.create("json").render(document(assay.train(data, **{**options, **more})))

    first = text(campaigns)
    assert first == text(campaigns[::-1], threads=1)
    assert first == text(campaigns, threads=4)
    assert first != text(campaigns, seed=7)


@pytest.mark.slow
def test_the_file_is_a_metric(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    training = assay.train(several(), ["noise", "truth"], resamples=0)
    text = renderer.create("json").render(document(training))
    (tmp_path / "mine.json").write_text(text, encoding="utf-8")
    assert json.loads(text)["digest"] == training.digest
    spec = f"mine.json@{training.digest[:8]}"
    testset = several()[0].testset
    run = assay.score(testset, ["./mine.json", "./mine.json:wins=soft"], resamples=20)
    assert list(run) == ["mine", "mine:wins=soft"]
    signature = str(run["mine"].signature)
    assert signature.startswith(f"{spec}|wins:none|features:noise:better=higher+truth:better=higher|refs:0|agg:segment")
    same = assay.score(testset, [from_training(training, name="own")], resamples=0)["own"].segments
    assert all(np.array_equal(run["mine"].segments[name], same[name]) for name in testset.systems)
    assert assay.describe_metric("./mine.json").metric.higher_is_better
    assert "Digest: " + training.digest in assay.describe_metric("./mine.json").documentation
    table = assay.meta(several()[0], metrics=["./mine.json"], level="segment", statistics=["acc23"])
    assert next(iter(table)).metric.startswith(spec)
    comparison = assay.compare(testset.with_systems(["s0", "s4"]), ["./mine.json"], resamples=200)
    assert any("mine" in sentence for sentence in document(comparison).verdict.sentences)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"wins": "none"', '"wins": "soft"', "damaged or was edited: its digest is"),
        ('"lp": "en-de"', '"lp": "en-fr"', "damaged or was edited: its digest is"),
        ('"format": 1', '"format": 2', "has format 2; this version of Assay reads format 1"),
        ('"version": 3', '"version": NaN', "a number is not finite"),
    ],
)
def test_an_edited_file_is_refused(tmp_path, old, new, message):
    training = assay.train(several(2), ["truth"], resamples=0)
    text = renderer.create("json").render(document(training))
    assert old in text
    (tmp_path / "mine.json").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        metric.create(f"{tmp_path}/mine.json")


def test_test_sets_that_were_not_trained_on():
    training = assay.train(several(), ["noise", "truth"], check=[campaign("later", "en-fr", seed=9)], resamples=50)
    evaluation = training.evaluation("check")
    assert evaluation.metric.n == 1
    assert math.isnan(evaluation.metric.low)
    assert evaluation.metric.reason == "no interval: 1 language pair, fewer than 5"
    assert "(other test sets)" in sentences(training)
    with pytest.raises(ConfigError, match="a metric that is trained on test0 en-de cannot be checked on it"):
        assay.train(several(), ["truth"], check=several()[:1])


def test_texts_that_were_trained_on_are_not_tested_on():
    shared = campaign("later", "en-fr", seed=9, sources="test0 en-de")
    training = assay.train(several(), ["truth"], check=[shared, campaign("new", "en-fr", seed=8)], resamples=0)
    assert [each.campaign for each in training.held_out if each.by == "check"] == ["new"]
    assert any("segments whose texts were trained on are left out" in note.text for note in training.notes)


def test_no_judgement_of_what_is_left_out_is_used():
    """With all preferences of one test set turned round, what was learnt without it is the same and agrees as rarely
    as it agreed often before.
    """
    before = assay.train(several(3), ["noise", "truth"], resamples=0)
    first, *others = several(3)
    (table,) = first.scores
    turned = replace(first, scores=(replace(table, values=-table.values),))
    after = assay.train([turned, *others], ["noise", "truth"], resamples=0)
    for by in ("campaign", "language"):
        old, new = (
            next(each for each in result.held_out if (each.by, each.campaign) == (by, "test0"))
            for result in (before, after)
        )
        if by == "campaign":
            assert (new.chosen, new.single) == (old.chosen, old.single)
            assert new.accuracy == pytest.approx(1 - old.accuracy)
            assert new.accuracy_of_ranks == pytest.approx(1 - old.accuracy_of_ranks)
        else:  # test2 is of the same language, and left out with it
            assert new.accuracy == pytest.approx(1 - old.accuracy)


def test_stored_scores_cannot_be_features():
    each = campaign()
    stored = ScoreTable("Stored-Metric", "segment", each.systems, np.zeros((5, 60)))
    with pytest.raises(
        ConfigError, match="'Stored-Metric' cannot be a feature: a trained metric computes its features"
    ):
        assay.train([replace(each, scores=(*each.scores, stored))], ["truth", "Stored-Metric"])


def test_of_a_test_set_into_one_language_each_language_pair_is_left_out():
    data = [campaign("one", lp, seed=number) for number, lp in enumerate(("cs-en", "liv-en", "zh-en"))]
    training = assay.train(data, ["noise", "truth"], resamples=0)
    assert [each.part for each in training.held_out if each.by == "pair"] == ["cs-en", "liv-en", "zh-en"]
    assert training.evaluation("pair").metric.value > 0.8
    assert math.isnan(training.evaluation("campaign").metric.value)
    assert "On language pairs left out in turn, it agrees with people on" in sentences(training)
    assert "(language pairs left out)" in sentences(training)
    assert {each.name: each.importance > 0.2 for each in training.features} == {"noise": False, "truth": True}
    assert assay.train(several(2), ["truth"], resamples=0).evaluation("pair") is None


def test_nothing_is_known_of_one_language_pair():
    training = assay.train([campaign()], ["noise", "truth"])
    assert "Whether this metric is better than one of its features is not known" in sentences(training)
    assert "On test sets left out in turn, there is no result, because there is only one test set." in sentences(
        training
    )
    assert "What is left out shares" not in sentences(training)
    assert math.isnan(training.features[0].importance)


def test_scores_of_a_metric_of_wins_depend_on_the_other_systems():
    training = assay.train(several(), ["truth"], wins="soft", resamples=0)
    learnt = from_training(training)
    assert learnt.wins == "soft"
    testset = several()[0].testset
    run = assay.score(testset, [learnt, replace(learnt, wins="none")], resamples=0)
    soft, plain = (np.array([*run[name].segments.values()]) for name in run)
    assert np.allclose(soft.mean(axis=0), 0.5)
    assert (np.argsort(soft, axis=0) == np.argsort(plain, axis=0)).all()
    notes = " ".join(note.text for note in run.notes)
    assert "scores are wins over the other systems of this run (5 systems)" in notes
    with pytest.warns(AssayWarning, match="wins are over other systems, and there is only one: use .*:wins=none, or"):
        alone = assay.score(testset.with_systems(["s0"]), [learnt], resamples=0)
    assert np.isnan(alone["trained"].segments["s0"]).all()


@pytest.mark.slow
def test_trained_metrics_are_features_of_others(tmp_path):
    first = assay.train(several()[:2], ["noise", "truth"], resamples=0)
    path = tmp_path / "first.json"
    path.write_text(renderer.create("json").render(document(first)), encoding="utf-8")
    second = assay.train(several()[2:], [str(path), "noise"], resamples=0)
    (tmp_path / "second.json").write_text(renderer.create("json").render(document(second)), encoding="utf-8")
    assert metric.create(f"{tmp_path}/second.json").feature_set.names[0] == f"first.json@{first.digest[:8]}"
    wins = assay.train(several(), ["truth"], wins="hard", resamples=0)
    with pytest.raises(ConfigError, match="depends on the other systems"):
        assay.train(several(), [metric.spec(from_training(wins)), "noise"])


def test_what_a_feature_was_trained_on_is_left_out():
    """It has seen these judgements, so that nothing of them can be held out from it."""
    data = several(3)
    feature = metric.spec(from_training(assay.train(data[:1], ["truth"], resamples=0)))
    training = assay.train(data, [feature, "noise"], resamples=0)
    assert {each.campaign for each in training.populations} == {"test1", "test2"}
    assert any(
        note.text == f"left out: test0 en-de ({feature} was trained on its judgements)" for note in training.notes
    )
    with pytest.raises(InputError, match="no language pair has texts and judgements to learn from"):
        assay.train(data[:1], [feature, "noise"], resamples=0)
    with pytest.raises(InputError, match="check: no language pair"):
        assay.train(data[1:], [feature, "noise"], check=data[:1], resamples=0)
    ensemble = f"ensemble:metrics={feature}+noise"
    with pytest.raises(InputError, match="was trained on its judgements"):
        assay.train(data[:1], [ensemble, "noise"], resamples=0)


def test_what_a_feature_was_trained_on_is_known_by_its_texts():
    """Under another name, and if only some of the segments are the same."""
    known, other, new = (
        with_long_sources(campaign(name, seed=seed), start)
        for name, seed, start in (("known", 3, 0), ("other", 4, 40), ("new", 5, 200))
    )
    feature = from_training(assay.train([known], ["truth"], resamples=0))
    with pytest.warns(AssayWarning, match="200 preferences left out, of segments whose judgements"):
        training = assay.train([other, new], [metric.spec(feature), "noise"], resamples=0)
    (note,) = (note for note in training.notes if note.kind == "in-sample")
    assert note.severity == "warning"
    assert [each.drawn for each in training.populations] == [
        600,
        400,
    ]  # 20 segments less, with 10 pairs of outputs each
    assert feature.learnt_segments(other.testset).tolist() == [True] * 20 + [False] * 40
    assert feature.learnt_segments(new.testset) is None


def test_what_a_metric_was_trained_on_is_no_evidence():
    known, new = (with_long_sources(campaign(name, seed=3), start) for name, start in (("known", 0), ("new", 200)))
    feature = metric.spec(from_training(assay.train([known], ["truth"], resamples=0)))
    for verb in (assay.meta, lambda *args, **more: assay.calibrate(*args, resamples=0, min_segments=10, **more)):
        warned = {}
        for each in (known, new):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", AssayWarning)
                found = verb([each], metrics=[feature])
            warned[each.name] = [note for note in found.notes if note.kind == "in-sample"]
        (note,) = warned["known"]
        assert "trained on judgements of the texts of 60 of 60 segments (known en-de)" in note.text
        assert note.severity == "warning"
        assert not warned["new"]


def with_long_sources(each, start):
    sources = [f"a source of some length, number {start + number}" for number in range(each.segments)]
    return replace(each, testset=replace(each.testset, sources=sources))


@pytest.mark.slow
def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("first", "second"):
        made = campaign(name, segments=30)
        (tmp_path / name).mkdir()
        folder = tmp_path / name
        (folder / "system-outputs" / "en-de").mkdir(parents=True)
        (folder / "human-scores").mkdir()
        (folder / "sources").mkdir()
        (folder / "references").mkdir()
        (folder / "documents").mkdir()
        (folder / "sources" / "en-de.txt").write_text("".join(f"{text}\n" for text in made.testset.sources))
        (folder / "references" / "en-de.refA.txt").write_text("".join(f"{t}\n" for t in made.testset.outputs["s4"]))
        rows = []
        for k, system in enumerate(made.systems[:4]):
            lines = "".join(f"{text}\n" for text in made.testset.outputs[system])
            (folder / "system-outputs" / "en-de" / f"{system}.txt").write_text(lines)
            rows += [f"{system}\t{value:.4f}\n" for value in made.scores[0].values[k]]
        (folder / "human-scores" / "en-de.wmt-z.seg.score").write_text("".join(rows))
    arguments = ["train", "./first", "./second", "-m", "chrf,cer,chrf#output_char_1/reference_char_1"]
    assert _run([*arguments, "-o", "mine.json", "--resamples", "0"]) == 0
    assert "note: This metric is not shown to be better than its best single feature" in capsys.readouterr().err
    assert _run([*arguments, "-o", "mine.json", "--resamples", "0", "--notes", "none"]) == 0
    assert capsys.readouterr().err == ""
    assert _run(["metrics", "show", "./mine.json"]) == 0
    shown = capsys.readouterr().out
    assert "Learnt from:" in shown
    assert "chrf#output_char_1/reference_char_1" in shown
    assert _run([*arguments, "-o", "mine.txt", "--resamples", "0"]) == 0
    assert "note: only a file whose name ends in .json can be used as a metric" in capsys.readouterr().err
    assert _run([*arguments, "--resamples", "0"]) == 0
    assert "Features (logistic l2=" in capsys.readouterr().out
    assert _run([*arguments, "--check", "./first"]) == 2
    assert "cannot be checked on it" in capsys.readouterr().err


def with_errors(each, name="marker"):
    """The campaign with predicted errors: the worse an output, the more; and with parts of speech of words."""
    systems = each.systems
    truth = np.array([[float(text.split()[0].split("=")[1]) for text in each.testset.outputs[s]] for s in systems])
    rows = [(k, i) for k in range(len(systems)) for i in range(each.segments)]
    found = [int(np.clip(2 - truth[row], 0, 4)) for row in rows]
    errors = tuple(tuple(ErrorSpan("", "minor", 3 * n, 3 * n + 3) for n in range(count)) for count in found)
    numbers = np.array(rows)
    predicted = Ratings(
        name, "other", (name,), systems, np.zeros(len(rows), int), numbers[:, 0], numbers[:, 1],
        np.full(len(rows), np.nan), errors=errors, is_human=False,
    )  # fmt: skip
    tags = {s: ["NOUN " * max(1, int(3 + value)) for value in row] for s, row in zip(systems, truth, strict=True)}
    texts = replace(
        each.testset,
        references={"ref": [f"{each.label} {number}" for number in range(each.segments)]},
        annotations={"pos": {**tags, "ref": ["NOUN " * 6] * each.segments}},
        annotators={"pos": "tagger"},
    )
    return replace(each, testset=texts, predictions=(predicted,), references=("ref",))


def test_marked_errors_and_labels_are_features():
    campaigns = [with_errors(each) for each in several(4)]
    names = ["spans", "spans#marked/characters", "label-counts:label=NOUN#output", "noise"]
    training = assay.train(campaigns, names, resamples=0)
    alone = {feature.name: feature.alone for feature in training.features}
    assert alone["spans"] > 0.75
    assert alone["label-counts:label=NOUN#output"] > 0.75
    assert alone["noise"] < 0.6
    assert training.evaluation("campaign").metric.value > 0.75
    assert training.populations[0].annotators == {"errors": "marker", "pos": "tagger"}
    made = from_training(training)
    assert made.needs == {"reference", "errors", "pos"}

    other = with_error_layers(with_errors(campaign("new", seed=9))).testset
    run = assay.score(other, made, resamples=0)
    scores = next(iter(run.metrics.values())).segments
    assert not np.isnan(scores["s0"]).any()
    assert not [note for note in run.notes if "is by" in note.text]

    columns = {**other.annotations["errors"], "s0": [None, *list(other.annotations["errors"]["s0"])[1:]]}
    unread = replace(other, annotations={**other.annotations, "errors": columns}, annotators={"pos": "tagger"})
    run = assay.score(unread, made, resamples=0)
    scores = next(iter(run.metrics.values())).segments
    assert np.isnan(scores["s0"][0])
    assert any("lack the annotation layer 'errors'" in note.text for note in run.notes)
    with pytest.raises(InputError, match="needs the annotation layer 'errors', which the test set does not have"):
        assay.score(replace(other, annotations={"pos": other.annotations["pos"]}), made)

    judge = replace(other, annotators={"errors": "judge", "pos": "tagger"})
    with pytest.warns(AssayWarning, match="the annotation layer 'errors' is by judge, and the metric was trained with"):
        assay.score(judge, made, resamples=0)


def test_data_without_marked_errors_is_left_out():
    campaigns = [with_errors(each) for each in several(3)]
    training = assay.train([*campaigns[:2], campaign("none")], ["spans"], resamples=0)
    assert any("spans needs the annotation layer 'errors'" in note.text for note in training.notes)
