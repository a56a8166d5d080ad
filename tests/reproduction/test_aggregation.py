from __future__ import annotations

import math

import pytest
import scipy.stats

from assay.errors import InputError
from assay.reproduction import aggregation, reproduce
from assay.types.runtime import Runtime
from tests.reproduction.made_up import write_test_set, write_test_sets
from tests.reproduction.rerun import made_up_folder, needs_archives, numbers, on_made_up_data, rerun
from tests.study.test_correlate import campaign

SETS = ("wmt13", "wmt17", "wmt20", "wmt21.news", "wmt22")
"""Those of the made-up folder that have texts."""


@pytest.mark.slow
@needs_archives
def test_stored_values():
    found = numbers(rerun("aggregation", as_published=True))
    for quantity, value in {
        "BLEU with MQM, wmt22": 0.594,
        "m-BLEU with MQM, wmt22": 0.658,
        "chrF with MQM, wmt22": 0.630,
        "m-chrF with MQM, wmt22": 0.812,
        "BLEU with MQM by transposed references, wmt22": -0.375,
        "BLEU with DA by transposed references, wmt22": 0.327,
        "COMET with MQM, wmt22": 0.942,
    }.items():
        assert found[quantity].ours.value == pytest.approx(value, abs=5e-4), quantity
    assert found["BLEU and x-BLEU, wmt22"].ours.value > 0.999
    assert found["BLEU and x-BLEU, wmt22"].published.text == ".53"
    assert found["BLEU and x-BLEU, wmt22"].verdict == "other data"


def test_transposed_references_score_the_first_output_against_all_references():
    """As sacreBLEU does, which stops at the end of the shortest list."""
    sacrebleu = pytest.importorskip("sacrebleu")
    made = campaign(3)
    (reference,) = made.testset.references.values()
    tables = aggregation.score_with_transposed_references(made, ["bleu:tok=13a", "chrf"], Runtime())
    metrics = [sacrebleu.BLEU(), sacrebleu.CHRF()]
    for table, metric in zip(tables, metrics, strict=True):
        for name, (value,) in zip(table.systems, table.values.tolist(), strict=True):
            transposed = [[text] for text in reference]
            expected = metric.corpus_score(list(made.testset.outputs[name])[:1], transposed).score
            assert value == pytest.approx(expected), (metric, name)


def test_the_papers_own_data_are_compared_as_far_as_they_are_there(tmp_path):
    """All three language pairs of MQM, two of the eight of DA, and fewer systems than with the challenge sets."""
    write_test_sets(tmp_path, "wmt22", "wmt23")
    result = reproduce("aggregation", data=tmp_path, as_published=True)
    found = numbers(result)
    for quantity, printed in {
        "BLEU with MQM, wmt23": ".425",
        "m-BLEU with MQM, wmt23": ".776",
        "BERTScore with MQM, wmt23": ".855",  # stored as BERTscore
        "COMET with MQM, wmt23": ".923",
        "chrF with MQM by transposed references, wmt23": ".392",
    }.items():
        assert found[quantity].published.number == printed, quantity
        assert found[quantity].verdict in ("met", "differs"), quantity
    for quantity in ("m-BLEU with DA, wmt23", "BLEU with DA by transposed references, wmt23"):
        assert found[quantity].verdict == "other data"
        assert "2 of 8 language pairs: no DA scores of cs-uk, de-en" in found[quantity].reason
    for quantity in ("BLEU and x-BLEU, wmt23", "mean of m-chrF, wmt23", "systems, wmt23"):
        assert found[quantity].verdict == "other data"
        assert "challenge sets" in found[quantity].reason
    assert found["BLEU and x-BLEU, wmt22"].verdict == "other data"
    assert "BLEU with MQM by transposed references, wmt22" in found
    assert not any("which is not in this folder" in remark for remark in result.remarks)
    assert result.published == 39
    assert sum(each.count for each in result if "wmt23" in each.quantity and each.is_published) == 39
    assert {"correlate", "correlate-wmt23", "people-wmt23-da-sqm"} <= result.results.keys()


def test_figure_4_and_skewness():
    result = on_made_up_data("aggregation")
    found = numbers(result)
    label = "+".join(SETS)
    for one, other in aggregation.CROSSED:
        assert (each := found[f"{one} and {other}, {label}"]).where == "Figure 4"
        assert (each.verdict, each.count) == ("no number", 0)
    assert [each.where for each in result if "samples of 10," in each.quantity] == 2 * [
        "Figure 5, left", "Figure 5, centre", "Figure 5, right",
    ]  # fmt: skip
    assert result.figures["figure-4-bleu"].chart == "score-correlations:scores=m-bleu:tok=13a+chrf+x-chrf"
    assert result.settings["samples"] == "1000"
    values = result.results["correlate"].scores["chrf"]
    assert found[f"skewness of chrF, {label}"].ours.value == pytest.approx(scipy.stats.skew(values))


def test_a_linked_folder_keeps_its_name(tmp_path):
    write_test_sets(tmp_path / "elsewhere", "wmt22")
    (tmp_path / "wmt23").symlink_to(tmp_path / "elsewhere" / "wmt22")
    found = numbers(reproduce("aggregation", data=tmp_path, as_published=True))
    assert found["BLEU with DA, wmt23"].reason.startswith("2 of 8 language pairs")
    assert "BLEU with DA by transposed references, wmt23" in found


def test_as_published_shows_every_kind_of_human_scores():
    """Also of wmt17, which has standardised scores only."""
    found = numbers(on_made_up_data("aggregation", as_published=True))
    for protocol, test_set in (("DA-z", "wmt17"), ("MQM", "wmt21.news"), ("DA", "wmt22")):
        transposed = found[f"BLEU with {protocol} by transposed references, {test_set}"]
        assert not math.isnan(transposed.ours.value)
        assert transposed.verdict == "ours only"
    assert not any("transposed" in quantity for quantity in numbers(on_made_up_data("aggregation")))


def test_any_test_set_and_any_metrics(tmp_path):
    write_test_set(tmp_path / "mine", "de-en", golds=("esa",))
    result = reproduce("aggregation", data=tmp_path / "mine", metrics="chrf,ter")
    found = numbers(result)
    assert found["chrf and m-chrf, mine"].verdict == "ours only"
    assert "m-ter with esa, mine" in found
    assert not math.isnan(
        found["m-ter minus ter: difference of Pearson with people, mean over language pairs"].ours.value
    )
    named = reproduce("aggregation", data=tmp_path, test_sets=["mine"])
    assert "BLEU with esa, mine" in numbers(named)
    assert "BLEU with esa, mine" in numbers(reproduce("aggregation", data=tmp_path))
    with pytest.raises(InputError, match="contains no folder wmt99"):
        reproduce("aggregation", data=made_up_folder(), test_sets=["wmt99"])


def test_without_human_scores_the_rows_have_a_reason(tmp_path):
    write_test_set(tmp_path / "wmt22", "de-en", golds=())
    result = reproduce("aggregation", data=tmp_path)
    assert numbers(result)["all scores with MQM"].reason == "the data have no MQM scores of systems"
    assert result.recommendations[0].found == "These data have no human scores of systems."


def test_one_segment_has_another_reason():
    found = numbers(on_made_up_data("aggregation"))
    reason = found[f"BLEU and m-BLEU on samples of 1, {'+'.join(SETS)}"].reason
    assert "n-gram orders that the segment is too short for" in reason


def test_every_language_pair_is_in_a_table():
    result = on_made_up_data("aggregation")
    table = result.results["people-wmt22-mqm"]
    assert {pair.lp for pair in table.language_pairs} == {"cs-en", "zh-en", "en-de"}
    assert "people-wmt22-mqm" in result.tables
    assert table.agreement("m-chrf", lp="cs-en").estimate.low < table.agreement("m-chrf", lp="cs-en").value


def test_scores_of_segments_alone_give_no_correlation_with_people(tmp_path):
    write_test_set(tmp_path / "mine", "de-en", golds=("mqm",))
    (tmp_path / "mine" / "human-scores" / "de-en.mqm.sys.score").unlink()
    result = reproduce("aggregation", data=tmp_path, metrics=["chrf"])
    assert numbers(result)["systems, mine"].ours.value == 6
    assert result.recommendations[0].found == "These data have no human scores of systems."
