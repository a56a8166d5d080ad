from __future__ import annotations

import json
import math
import time
from dataclasses import replace

import numpy as np
import pytest

from assay import load_campaigns, meta, metrics_task, open_result, save_result
from assay.errors import ConfigError, InputError, UnknownNameError
from assay.metaeval.tasks.reader import read_task
from assay.reports import document, renderer
from assay.types import NoteKind, Rankings, ScoreTable
from assay.types.runtime import Runtime
from tests import archives
from tests.campaigns_with_metrics import SYSTEMS, campaign, human, metric
from tests.metaeval.tasks.files import SMALL, made_up, write_task

needs_archives = pytest.mark.skipif(
    archives.folder() is None, reason="ASSAY_DATA does not name the folder of the WMT archives"
)

WMT23 = ("en-de", "he-en", "zh-en")


def wmt23(**changes):
    return metrics_task([made_up(lp) for lp in WMT23], "wmt23", **changes)


def test_wmt23_is_what_meta_gives_with_the_settings_of_each_pair():
    """The official set in one call: he-en has reference B, and reference A counts as a system."""
    (table,) = wmt23()
    row = table["BLEU"]
    common = {"gold": "mqm", "outliers": "keep"}
    campaigns = {lp: made_up(lp) for lp in WMT23}
    for lp, reference in (("en-de", "refA"), ("he-en", "refB"), ("zh-en", "refA")):
        systems = {"systems": ("*", "refA")} if lp == "he-en" else {}
        for label, options in (
            (f"{lp} system pearson", {"statistics": "pearson"}),
            (f"{lp} segment pearson", {"statistics": "pearson", "level": "segment", "grouping": "none"}),
            (f"{lp} segment acc-star", {"statistics": "acc-star", "level": "segment"}),
        ):
            found = meta([campaigns[lp]], **common, references=[reference], resamples=0, **systems, **options)
            (agreement,) = found["BLEU"].agreements.values()
            assert row.values[label].value == agreement.value, label
    assert row.values["he-en system pearson"].n == 7
    scores = [
        component.weight * (row.values[component.label].value - component.low) / (component.high - component.low)
        for component in table.components
    ]
    assert row.score.value == pytest.approx(math.fsum(scores))
    assert [row.metric for row in table.metrics] == ["COMET", "CometKiwi-src", "BLEU", "chrF"]


def test_metrics_that_are_not_in_the_task_are_left_out_and_said():
    extra = (metric("mine", 0.1), metric("mine", 0.1, level="segment"))
    campaigns = [made_up(lp, extra=extra) for lp in WMT23]
    result = metrics_task(campaigns, "wmt23")
    notes = {note.text: note for note in result.notes}
    assert "stored metrics that are not in the task are left out: mine" in notes
    assert any(text.startswith("metrics of the task without stored scores: Calibri-COMET22") for text in notes)
    with pytest.raises(UnknownNameError):
        _ = result["mine"]
    with pytest.raises(InputError, match="he-en"):  # mine has no scores with reference B
        metrics_task(campaigns, "wmt23", metrics=["mine*"])
    assert metrics_task(campaigns, "wmt23", metrics=["mine*", "B*"])["BLEU"].rank == 1
    tables = {
        lp: [metric("own", 0.1, references=()), metric("own", 0.1, level="segment", references=())] for lp in WMT23
    }
    result = metrics_task(campaigns, "wmt23", external=tables)
    assert result["own"].rank == 1
    assert result.settings["scores"].startswith("own@")


def test_missing_components_are_refused_unless_partial():
    campaigns = [made_up("en-de"), made_up("he-en", gold="da"), made_up("cs-en")]
    with pytest.raises(InputError, match="7 of 10 components of the task 'wmt23' cannot be computed") as caught:
        metrics_task(campaigns, "wmt23")
    assert caught.value.hint == "evaluate the others with partial=True"
    result = metrics_task(campaigns, "wmt23", partial=True)
    (table,) = result.tables
    assert [component.label for component in table.components] == [
        "pooled (en-de) system pairwise-accuracy",
        "en-de system pearson",
        "en-de segment pearson",
        "en-de segment acc-star",
    ]
    assert [component.weight for component in table.components] == [0.25] * 4
    assert result.missing["zh-en system pearson"] == "no data of this language pair"
    assert list(result.incomplete) == ["pooled system pairwise-accuracy"]
    assert result.incomplete["pooled system pairwise-accuracy"].startswith("he-en: left out: it has no human")
    assert result.to_dict()["incomplete"] == dict(result.incomplete)
    assert [result.settings[name] for name in ("data", "lp", "gold")] == ["wmt23", "en-de+he-en", "mqm"]
    assert result.settings["partial"] == "yes"
    listed = [note for note in result.notes if note.kind is NoteKind.MISSING]
    assert any("3 components of the task missing (no data of this" in note.text for note in listed)
    assert any(note.text == "language pairs that are not in the task: cs-en" for note in result.notes)
    for partial in (True, False):
        with pytest.raises(InputError, match="no component of the task can be computed") as caught:
            metrics_task([made_up("cs-en")], "wmt23", partial=partial)
        assert "partial" not in caught.value.hint


def test_a_metric_without_some_components_is_dropped_and_said():
    campaigns = [
        made_up("en-de"),
        made_up("zh-en"),
        made_up("he-en", extra=(metric("eBLEU", 0.1, references=("refB",)),)),
    ]
    result = metrics_task(campaigns, "wmt23")
    assert result.tables[0].dropped == {"eBLEU": 9}
    assert any("without a value in all components are dropped: eBLEU lacks 9" in n.text for n in result.notes)


def test_gold_and_a_reference_that_is_not_there(tmp_path):
    task = write_task(tmp_path, SMALL)
    assert metrics_task([made_up("de-en")], task)["BLEU"].rank == 3
    assert metrics_task([made_up("de-en", gold="x")], task, gold="x").settings["gold"] == "x"
    with pytest.raises(InputError, match=r"de-en pearson \(no reference refC\)"):
        metrics_task([made_up("de-en")], write_task(tmp_path, SMALL.replace("refA", "refC")))


def test_computed_metrics(tmp_path):
    result = metrics_task([made_up("de-en")], write_task(tmp_path, SMALL), metrics="bleu,chrf")
    assert "chrf" in [row.metric for row in result.tables[0].metrics]
    assert result.tables[0].dropped == {"bleu": 1}  # no system has four words in common with the reference


def test_wmt24_is_the_mean_of_soft_pairwise_accuracy_and_acc_star():
    campaigns = [made_up(lp, name="wmt24") for lp in ("en-de", "en-es", "ja-zh")]
    result = metrics_task(campaigns, "wmt24")
    (table,) = result.tables
    row = table["COMET"]
    labels = [
        f"{lp} {kind}"
        for kind in ("system soft-pairwise-accuracy", "segment acc-star")
        for lp in ("en-de", "en-es", "ja-zh")
    ]
    assert [component.label for component in table.components] == labels
    assert row.score.value == pytest.approx(math.fsum(row.values[label].value for label in labels) / 6)
    counts = {pair.lp: len(pair.systems) for pair in result.language_pairs if len(pair.systems)}
    assert counts == {"en-de": 7, "en-es": 6, "ja-zh": 6}  # the other reference of en-de counts as a system


def test_the_whole_of_wmt25():
    task = read_task("wmt25")
    campaigns = [made_up(lp, gold=settings.gold, name="wmt25") for lp, settings in task.pairs.items()]
    (table,) = metrics_task(campaigns, "wmt25").tables
    assert len(table.components) == 32
    assert {component.weight for component in table.components} == {1 / 32}
    assert "CometKiwi-src" in [row.metric for row in table.metrics]


def test_wmt25_mixes_protocols():
    golds = {"en-ko_KR": "mqm", "en-et_EE": "esa"}
    result = metrics_task([made_up(lp, gold=gold) for lp, gold in golds.items()], "wmt25", partial=True)
    assert {pair.lp: pair.gold for pair in result.language_pairs} == golds
    assert len(result.tables[0].components) == 4


@pytest.mark.warns("not published yet: the statistics and weights of WMT26")
def test_wmt26_says_what_is_not_published():
    pairs = ("eng_Latn-isl_Latn", "zho_Hans-jpn_Jpan")
    result = metrics_task([made_up(lp, gold="esa", name="wmt26") for lp in pairs], "wmt26", partial=True)
    assert [component.label for component in result.tables[0].components] == [
        f"{lp} {kind}" for kind in ("system soft-pairwise-accuracy", "segment acc-star") for lp in pairs
    ]
    with pytest.raises(InputError, match="42 of 46 components of the task 'wmt26' cannot be computed"):
        metrics_task([made_up(lp, gold="esa", name="wmt26") for lp in pairs], "wmt26")


def ranked_campaign(outputs):
    """A campaign of rankings of so many outputs each."""
    random = np.random.Generator(np.random.PCG64(1))
    ranks = np.zeros((60, 6), dtype=np.int8)
    for row in ranks:
        row[random.permutation(6)[:outputs]] = np.arange(1, outputs + 1)
    segment, judge = np.repeat(np.arange(6), 10), np.zeros(60, dtype=np.int64)
    rankings = Rankings("rr-pairs", ("a", "b", "c", "d", "e", "far"), ("j",), judge, segment, ranks)
    scores = (metric("BLEU", 0.1, references=("ref",)), metric("chrF", 9.0, references=("ref",), seed=3))
    return campaign("fr-en", name="wmt13", judgements=(rankings,), scores=scores, references=("ref",), testset=None)


@pytest.mark.warns("intervals are too narrow")
def test_wmt13_draws_segments_and_says_so():
    """The public files have rankings cut into pairs; drawing those takes judgements of a segment for independent."""
    result = metrics_task([ranked_campaign(2)], "wmt13", partial=True, resamples=50)
    assert result.settings["ci"] == "judgements:unit=segment"
    text = renderer.create("table").render(document(result))
    assert "bootstrap over human judgements, segments with all their rankings, 50 resamples" in text

    def warnings(outputs, ci):
        found = metrics_task([ranked_campaign(outputs)], "wmt13", partial=True, resamples=20, ci=ci)
        return [note for note in found.notes if "intervals are too narrow" in note.text]

    by_ranking = "judgements:unit=ranking"
    cases = ((2, None), (2, "judgements"), (2, by_ranking), (4, by_ranking))
    assert [len(warnings(*each)) for each in cases] == [0, 0, 1, 0]
    (warning,) = warnings(4, "judgements:unit=pair")
    assert warning.severity == "warning"
    assert 'ci="judgements:unit=segment"' in warning.text


@pytest.mark.warns("intervals are too narrow")
def test_a_method_of_intervals_brings_its_own_number_of_resamples():
    """A table of judgements once looked for a number that only `resamples` set."""
    result = metrics_task([ranked_campaign(2)], "wmt13", partial=True, ci="judgements:unit=pair")
    assert (result.settings["ci"], result.settings["resamples"]) == ("judgements:unit=pair", "1000")
    assert "single pairs of outputs, 1,000 resamples" in renderer.create("table").render(document(result))


@pytest.mark.warns("intervals are too narrow")
def test_meta_has_the_intervals_of_the_task_by_default():
    made = [ranked_campaign(2)]
    table = meta(made, gold="rr-pairs", statistics="spearman", outliers="keep")
    assert table.settings["ci"] == "judgements:unit=segment"
    assert not any(note.severity == "warning" for note in table.notes)
    narrow = meta(made, gold="rr-pairs", statistics="spearman", outliers="keep", ci="judgements:unit=pair")
    assert any("intervals are too narrow" in note.text for note in narrow.notes)


def test_notes_do_not_mention_rows_that_the_table_does_not_have():
    other = ScoreTable(
        "wmt", "segment", SYSTEMS, np.where(np.arange(6) < 3, human("segment").values, np.nan), protocol="DA"
    )
    campaigns = [made_up(lp, extra=(other,)) for lp in WMT23]
    assert any("human: wmt" in note.text for note in meta(campaigns, gold="mqm", level="segment", resamples=0).notes)
    assert not any("human: wmt" in note.text for note in metrics_task(campaigns, "wmt23").notes)


def test_metrics_on_other_systems_are_marked():
    few = tuple(
        metric("eBLEU", 0.1, level=level, references=(reference,), systems=("a", "b", "c", "d", "refA"))
        for level in ("system", "segment")
        for reference in ("refA", "refB")
    )
    result = metrics_task([made_up(lp, extra=few) for lp in WMT23], "wmt23")
    assert result["BLEU"].values["pooled system pairwise-accuracy"].n == 6 + 7 + 6
    lines = renderer.create("table").render(document(result)).splitlines()
    marked = [line.split()[0] for line in lines if line.count("§") > 1]
    assert marked == ["eBLEU"]
    assert "§: on other systems or segment scores than most metrics" in lines
    assert next(line.split() for line in lines if line.startswith("n "))[:5] == ["n", "3", "language", "pairs", "6"]
    assert next(line.split() for line in lines if line.startswith("weight "))[:3] == ["weight", "0.250", "0.083"]


def test_leaving_out_a_system_does_not_pay(tmp_path):
    """One rule for `assay.meta` and for tasks: metrics on fewer systems than most come after the others."""
    whole = np.array([[1.0], [2.0], [3.0], [4.0], [-90.0], [-41.0], [6.0], [7.0]])  # it gets the system e wrong
    hiding = np.where(np.array(SYSTEMS)[:, np.newaxis] == "e", np.nan, whole)
    tables = {
        "de-en": [
            ScoreTable(name, "system", SYSTEMS, values) for name, values in (("whole", whole), ("hiding", hiding))
        ]
    }
    made = [made_up("de-en")]
    by_value = [*meta(made, gold="mqm", outliers="keep", references=["refA"], external=tables, resamples=0)]
    (table,) = result = metrics_task(made, write_task(tmp_path, SMALL), external=tables)
    assert [row.metric for row in table.metrics] == [row.metric for row in by_value]
    assert [row.metric for row in table.metrics][-2:] == ["whole", "hiding"]
    assert table["hiding"].score.value > max(row.score.value for row in table.metrics if row.metric != "hiding")
    assert table["hiding"].ranks == {"de-en pearson": len(table.metrics)}
    assert table["hiding"].fewer_systems == {"de-en pearson": "5 of 6 on de-en"}
    text = "metrics on fewer systems than most come after the others, whatever their values: hiding (5 of 6 on de-en)"
    assert text in [note.text for note in result.notes]
    hiding_row = next(
        line for line in renderer.create("latex").render(document(result)).splitlines() if "hiding" in line
    )
    assert "textbf" not in hiding_row


def test_the_caption_names_the_methods_of_intervals():
    text = renderer.create("table").render(document(wmt23(resamples=20)))
    assert "±: half the width of the 95 % interval, which need not be centred (Fisher's z over systems; " in text


def test_options_without_effect():
    with pytest.raises(ConfigError, match="confidence has no effect"):
        wmt23(confidence=0.9)
    with pytest.raises(ConfigError, match="unknown interval method 'x'"):
        wmt23(ci="x")
    with pytest.raises(UnknownNameError, match="there is no task called 'wmt98'"):
        metrics_task([made_up("en-de")], "wmt98")


def test_results_are_saved_opened_and_repeated(tmp_path):
    result = wmt23()
    save_result(result, tmp_path / "saved")
    opened = open_result(tmp_path / "saved")
    assert json.dumps(opened.to_dict()) == json.dumps(result.to_dict())
    assert json.dumps(wmt23(runtime=Runtime(threads=2)).to_dict()) == json.dumps(result.to_dict())


def test_progress():
    steps = []
    wmt23(runtime=Runtime(threads=1, progress=lambda task, done, total: steps.append(task)))
    assert "he-en: segment level" in steps
    assert "en-de: evaluating BLEU" in steps


@needs_archives
@pytest.mark.slow
def test_wmt22_runs_what_exists():
    """Only zh-en has MQM scores here: 80 of its components, and accuracy over one of three pairs."""
    campaigns = load_campaigns(archives.unpacked("wmt22"), lps=["en-de", "en-ru", "zh-en"])
    with pytest.raises(InputError, match="121 of 201 components"):
        metrics_task(campaigns, "wmt22")
    start = time.process_time()
    result = metrics_task(campaigns, "wmt22", partial=True)
    assert time.process_time() - start < 30
    (table,) = result.tables
    assert len(table.components) == 81
    assert (len(result.missing), len(result.incomplete)) == (120, 1)
    assert math.fsum(component.weight for component in table.components) == pytest.approx(1.0)
    assert table.component("pooled (zh-en) system pairwise-accuracy").weight == 0.5
    assert [row.metric for row in table.metrics[:2]] == ["COMET-22", "metricx_xxl_MQM_2020"]
    last = [(row.metric, bool(row.fewer_systems)) for row in table.metrics[-3:]]
    assert last == [("REUSE-src", False), ("chrF", True), ("BLEU", True)]  # these have 10 of 14 systems
    direct = meta(
        campaigns, gold="mqm", level="segment", statistics="kendall", references=["refA"], outliers="keep", resamples=0
    )
    (agreement,) = direct["COMET-22"].agreements.values()
    assert table["COMET-22"].values["zh-en segment kendall by item"].value == agreement.value


@needs_archives
@pytest.mark.slow
@pytest.mark.warns("intervals are too narrow")
def test_wmt13_beside_the_paper():
    """Table 2 of Macháček & Bojar 2013: BLEU-MTEVAL is as printed.

    Half the width of the printed intervals is between those of drawing pairs and of drawing segments: the paper
    drew rankings of five outputs, as `assay reproduce wmt13` does.
    """
    printed = {"es-en": (0.888, 0.045), "cs-en": (0.936, 0.032)}
    campaigns = load_campaigns(archives.unpacked("wmt13"), lps=["[ce]s-en"])
    metrics = ["BLEU-MTEVAL", "WER-MOSES"]
    by_pair, by_segment = (
        metrics_task(campaigns, "wmt13", partial=True, metrics=metrics, resamples=300, ci=f"judgements:unit={unit}")
        for unit in ("pair", "segment")
    )
    (table,) = by_pair.tables
    assert table.title == "into English"
    row, wide = table.metrics[0], by_segment.tables[0].metrics[0]
    assert row.metric == "bleu-mteval"
    for lp, (value, half) in printed.items():
        label = f"{lp} spearman"
        found, other = row.values[label], wide.values[label]
        assert round(found.value, 3) == value
        assert (found.high - found.low) / 2 < half < (other.high - other.low) / 2
    assert (len(by_pair.missing), len(by_pair.incomplete)) == (11, 3)  # the other pairs, and the averages over them
    assert row.score.value == pytest.approx(math.fsum(row.values[f"{lp} spearman"].value for lp in printed) / 2)
    assert row.score.low < row.score.value < row.score.high


def test_several_test_sets_of_a_year_are_components_of_their_own(tmp_path):
    sets = [replace(made_up("en-de"), name=name) for name in ("news", "talks")]
    task = write_task(tmp_path, '[pairs]\n"en-de" = {gold = "mqm"}\n[[components]]\nstatistic = "pearson"\n')
    (table,) = metrics_task(sets, task).tables
    assert [each.label for each in table.components] == ["news en-de pearson", "talks en-de pearson"]
    assert [each.weight for each in table.components] == [0.5, 0.5]
