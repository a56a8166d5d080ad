from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from assay import load_campaign
from assay.errors import ConfigError, InputError
from assay.metrics import meteor
from assay.metrics import metric as metric_registry
from assay.reproduction import reproduce, wmt13, wmt13_metrics
from assay.results import Estimate
from assay.types import Rankings
from assay.types.runtime import Runtime
from tests import archives, meteor_folder
from tests.reproduction.made_up import write_test_sets
from tests.reproduction.rerun import needs_archives, numbers, on_made_up_data, rerun

DIRECTIONS = ("fr-en", "de-en", "es-en", "cs-en")
"""Those of the archives."""


@pytest.mark.slow
@needs_archives
def test_all_values_of_the_mteval_metrics_come_out():
    met = {each.quantity for each in rerun("wmt13") if each.verdict == "met"}
    for metric in ("BLEU-MTEVAL", "BLEU-MTEVAL-INTL", "NIST-MTEVAL", "NIST-MTEVAL-INTL"):
        for lp in DIRECTIONS:
            assert f"{metric}, {lp}" in met
    assert "SENTBLEU-MOSES, de-en" in met
    assert len(met) == 40  # 4 of them extracted pairs


@pytest.mark.slow
@needs_archives
def test_the_tokeniser_of_moses_gives_most_values_of_its_scorers():
    """13 of 20; the other values are of cs-en (4), de-en (1), fr-en (1) and es-en (1)."""
    scorers = ("BLEU-MOSES", "TER-MOSES", "WER-MOSES", "PER-MOSES", "CDER-MOSES")
    places = {f"{name}, {lp}" for name in scorers for lp in DIRECTIONS}
    assert sum(each.verdict == "met" for each in rerun("wmt13") if each.quantity in places) == 13


@pytest.mark.slow
@needs_archives
def test_judged_sentences_have_at_most_thirty_words():
    *_, remark = rerun("wmt13").remarks
    assert "cs-en 0 of 2,577, de-en 0 of 2,593, es-en 0 of 2,176, fr-en 2 of 2,278" in remark


@pytest.mark.slow
@needs_archives
def test_the_published_widths_are_those_of_resampled_rankings():
    numbers = [each for each in rerun("wmt13") if each.quantity.endswith("±")]
    widths = [each for each in numbers if not each.verdict.startswith("needs")]
    assert (len(numbers), len(widths)) == (56, 56)  # without METEOR's files and without annotations; 4 of TERRORCAT
    assert sum(each.verdict == "width met" for each in widths) >= 42
    ratios = [each.ours.value / each.published.value for each in widths]
    assert np.median(ratios) == pytest.approx(0.97, abs=0.05)


@pytest.mark.slow
@needs_archives
def test_meteor_has_the_published_values_of_cs_en(monkeypatch):
    """At both levels; Table 4 differs in fr-en and es-en for all metrics."""
    monkeypatch.setenv("ASSAY_RESOURCES", str(Path(meteor_folder.real()).parent))
    campaigns = [load_campaign(archives.unpacked("wmt13"), lp="cs-en")]
    spec = wmt13_metrics.Metrics({}, None).spec("METEOR", "cs-en", "system")
    found = [level(campaigns, [spec], Runtime()) for level in (wmt13._systems, wmt13._segments)]
    values = [f"{table.agreement(spec, lp='cs-en').estimate.value:.3f}".lstrip("0") for table in found]
    assert values == [wmt13.printed(table)["METEOR"]["cs-en"].value for table in ("Table 2", "Table 4")]


def test_rankings_are_put_together_again():
    """Two rankings of segment 0, the first with a tie of b and c, and one of segment 4."""
    rows = ["a>b", "a>c", "a>d", "b>d", "c>d", "a>b", "a>c", "b>c"]
    pairs = np.zeros((len(rows) + 1, 4), dtype=np.int8)
    for row, text in enumerate([*rows, "d>a"]):
        for rank, name in enumerate(text.split(">"), 1):
            pairs[row, "abcd".index(name)] = rank
    segment = np.array([0] * len(rows) + [4])
    judged = Rankings("rr-pairs", tuple("abcd"), ("?",), np.zeros(len(pairs), dtype=int), segment, pairs)
    found = wmt13.rankings_of_pairs(judged)
    assert found.segment.tolist() == [0, 0, 4]
    assert found.ranks.tolist() == [[1, 2, 2, 4], [1, 2, 3, 0], [2, 0, 0, 1]]


def test_more_than_five_systems_are_two_rankings():
    pairs = np.eye(6, dtype=np.int8)[:3] + 2 * np.eye(6, k=3, dtype=np.int8)[:3]
    judged = Rankings("rr-pairs", tuple("abcdef"), ("?",), np.zeros(3, dtype=int), np.zeros(3, dtype=int), pairs)
    assert len(wmt13.rankings_of_pairs(judged)) == 2


def test_an_interval_is_of_rankings():
    table = on_made_up_data("wmt13").results["table-2"]
    basis = table.agreement("bleu-mteval", lp="fr-en").estimate.basis
    assert (basis.method, basis.n) == ("judgements:unit=ranking", 59)
    half = numbers(on_made_up_data("wmt13"))["BLEU-MTEVAL, fr-en, ±"].ours.value
    assert half == pytest.approx(1.96 * table.agreement("bleu-mteval", lp="fr-en").estimate.standard_error)


def test_every_metric_of_the_paper_can_be_computed_given_what_it_needs():
    computed = {*wmt13_metrics.TEXTS, *wmt13_metrics.ANNOTATED, *wmt13_metrics.LEARNT}
    assert {metric for table in wmt13.TABLES for metric in wmt13.printed(table)} == computed


def test_all_printed_numbers_are_there():
    count = {
        table: sum(cell.numbers for columns in wmt13.printed(table).values() for cell in columns.values())
        for table in wmt13.TABLES
    }
    assert count == {"Table 2": 296, "Table 3": 246, "Table 4": 68, "Table 5": 44}


def test_an_average_is_that_of_all_directions():
    """The printed averages and their widths follow from the printed directions."""
    for table in ("Table 2", "Table 3"):
        for metric, columns in wmt13.printed(table).items():
            cells = [columns[lp] for lp in columns if "-" in lp]
            ours = wmt13._mean([Estimate(float(cell.value), 9, standard_error=float(cell.width)) for cell in cells])
            assert ours.value == pytest.approx(float(columns["average"].value), abs=0.0016), metric
            assert ours.standard_error == pytest.approx(float(columns["average"].width), rel=0.15, abs=0.0005), metric


def test_what_the_folder_has_is_computed(tmp_path):
    """Any language pairs of the paper, in both directions, and averages of metrics that have all of theirs."""
    wmt13_folder(tmp_path, "de-en", "fr-en", "es-en", "cs-en", "ru-en", "en-fr", "en-de")
    result = reproduce("wmt13", data=tmp_path)
    found = numbers(result)
    for quantity in (
        "BLEU-MTEVAL, ru-en",
        "NIST-MTEVAL, average",
        "NIST-MTEVAL, average, ±",
    ):
        assert not np.isnan(found[quantity].ours.value), found[quantity].reason
    for measure in ("Pearson", "clusters", "fuzzy ranks"):
        assert not np.isnan(found[f"SIMPBLEU-PREC, {measure} average"].ours.value)
    assert not any("ru-en" in each.reason for each in result)
    missing = found["en-es, all metrics"]
    assert (missing.verdict, missing.reason) == (
        "needs data",
        "the folder wmt13 has no rankings (rr-pairs) and texts of en-es",
    )
    values = [found[f"NIST-MTEVAL, {lp}"].ours.value for lp in (*DIRECTIONS, "ru-en")]
    assert found["NIST-MTEVAL, average"].ours.value == pytest.approx(np.mean(values))


@pytest.mark.warns("it was trained on judgements of the texts")  # the folder stands for both years
def test_metrics_that_are_learnt(one_pair, monkeypatch):
    monkeypatch.setattr(metric_registry, "_types", dict(metric_registry._types))  # the learnt metric is registered
    without = numbers(reproduce("wmt13", data=one_pair))["TERRORCAT (recipe terrorcat, learnt from WMT12), fr-en"]
    assert (without.verdict, without.count) == ("needs data", 1)  # in Table 4
    assert "there is no folder wmt12" in without.reason
    (one_pair / "wmt12").symlink_to(one_pair / "wmt13")
    result = reproduce("wmt13", data=one_pair)
    found = numbers(result)["TERRORCAT (recipe terrorcat, learnt from WMT12), fr-en"]
    assert (found.verdict, found.reason) == ("other data", wmt13.REASONS["learnt"])
    assert result.settings["data"] == "wmt13+wmt12"


def test_meant_needs_semantic_roles(one_pair, monkeypatch):
    found = numbers(reproduce("wmt13", data=one_pair))["MEANT (on the vectors wink-en), fr-en"]
    assert found.verdict == "needs model"
    assert "layer roles" in found.reason
    parses = annotate(one_pair)
    for path in (parses / "fr-en").glob("*.conllu"):
        segments = path.read_text().split("\n\n")
        count = len((one_pair / "wmt13/references/fr-en.refA.txt").read_text().splitlines())
        assert len(segments) >= count
        path.with_suffix(".roles").write_text("1:V 2:ARG1\n" * count)
    monkeypatch.setitem(wmt13_metrics.ANNOTATED, "MEANT", "meant:similarity=lcs")
    found = numbers(reproduce("wmt13", data=one_pair, annotations=parses))
    assert found["MEANT (on the vectors wink-en), fr-en"].verdict == "other data"


def wmt13_folder(folder, *lps):
    """A made-up WMT13 of these language pairs."""
    write_test_sets(folder, "wmt13")
    first = folder / "wmt13"
    (first / "sources").mkdir()
    shutil.copy(first / "references" / "fr-en.refA.txt", first / "sources" / "fr-en.txt")
    for lp in lps:
        for path in [each for each in first.rglob("*fr-en*") if lp != "fr-en"]:
            target = path.with_name(path.name.replace("fr-en", lp))
            if path.is_dir():
                shutil.copytree(path, target, dirs_exist_ok=True)
            else:
                shutil.copy(path, target)


@pytest.fixture
def one_pair(tmp_path):
    """A folder with fr-en of a made-up WMT13."""
    write_test_sets(tmp_path, "wmt13")
    for path in sorted(tmp_path.rglob("*"), reverse=True):  # files before their folders
        if path.is_file() and "fr-en" not in str(path.relative_to(tmp_path)):
            path.unlink()
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    return tmp_path


def annotate(folder, *, left_out=()):
    """Write annotations of fr-en, in which each word depends on the one before it; the folder of them."""
    texts = {path.stem: path for path in (folder / "wmt13/system-outputs/fr-en").iterdir()}
    texts["refA"] = folder / "wmt13/references/fr-en.refA.txt"
    target = folder / "parses" / "fr-en"
    target.mkdir(parents=True)
    for name, path in texts.items():
        sentences = (
            "".join(f"{i}\t{word}\t{word}\tNOUN\t_\t_\t{i - 1}\tdep\t_\t_\n" for i, word in enumerate(line.split(), 1))
            for line in path.read_text().splitlines()
        )
        if name not in left_out:
            (target / f"{name}.conllu").write_text("# generator = hand\n" + "\n".join(sentences) + "\n")
    return target.parent


def test_metrics_on_annotations(one_pair):
    result = reproduce("wmt13", data=one_pair, annotations=annotate(one_pair))
    found = numbers(result)
    assert not np.isnan(found["DEPREF-EXACT, fr-en"].ours.value)
    assert found["DEPREF-EXACT, fr-en"].verdict in ("met", "differs")
    substitute = found["SEMPOS (sempos-upos, a substitute), fr-en"]
    assert (substitute.verdict, substitute.reason) == ("other data", wmt13.REASONS["substitute"])
    assert "SEMPOS, fr-en" not in found
    assert result.settings["annotator"] == "hand"
    assert {"table-2-annotated", "table-4-annotated"} <= result.tables.keys() & result.figures.keys()


def test_without_annotations_a_reason_says_what_to_do(one_pair):
    found = numbers(reproduce("wmt13", data=one_pair))
    for metric in ("DEPREF-EXACT", "SEMPOS (sempos-upos, a substitute)"):
        assert found[f"{metric}, fr-en"].verdict == "needs model"
        assert "assay annotate --data wmt13" in found[f"{metric}, fr-en"].reason
    assert "no rankings" not in found["DEPREF-EXACT, fr-en"].reason
    assert found["de-en, all metrics"].reason.endswith("no rankings (rr-pairs) and texts of de-en")


def test_a_language_pair_without_annotations_is_named(one_pair, tmp_path_factory):
    data = tmp_path_factory.mktemp("all")
    write_test_sets(data, "wmt13")
    parses = annotate(one_pair)
    found = numbers(reproduce("wmt13", data=data, annotations=parses))
    assert not np.isnan(found["DEPREF-EXACT, fr-en"].ours.value)
    assert found["DEPREF-EXACT, de-en"].reason == (
        f"the folder {parses} has no annotations of de-en: assay annotate --data wmt13 --lp de-en -o {parses}"
    )


@pytest.mark.parametrize(
    ("better", "of_best"), [("METEOR", ""), ("NLEPOR", "; METEOR has 0.9720")], ids=["as printed", "another one"]
)
def test_the_best_metric_of_the_paper_is_named_once(better, of_best):
    table = wmt13.printed("Table 2")
    metrics = (*wmt13_metrics.TEXTS.keys() & table.keys(),)
    ours = {name: np.mean([float(table[name][lp].value) for lp in DIRECTIONS]) for name in sorted(metrics)}
    found = wmt13._recommendation("Table 2", DIRECTIONS, {**ours, better: 1.0})
    assert found.recommended.endswith(
        "METEOR has the highest mean over fr-en, de-en, es-en and cs-en (0.9720), and PER-MOSES the lowest."
    )
    assert found.found == f"{better} has the highest (1.0000), and PER-MOSES the lowest (0.6910){of_best}."


def test_a_system_without_annotations_is_named(one_pair):
    parses = annotate(one_pair, left_out=("sys3",))
    found = numbers(reproduce("wmt13", data=one_pair, annotations=parses))
    assert found["DEPREF-EXACT, fr-en"].reason.startswith("the annotations lack layers of sys3; needed: tokens")


def test_annotations_that_are_not_there(one_pair):
    with pytest.raises(InputError, match="no such folder"):
        reproduce("wmt13", data=one_pair, annotations=one_pair / "nothing")
    with pytest.raises(ConfigError, match="annotations has no effect on ebleu"):
        reproduce("ebleu", data=one_pair, annotations=one_pair)


def test_meteor_with_its_files(one_pair, monkeypatch):
    monkeypatch.setenv("ASSAY_RESOURCES", str(one_pair / "resources"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(one_pair / "cache"))
    meteor_folder.write(one_pair / "resources" / "meteor-1.5")
    found = numbers(reproduce("wmt13", data=one_pair, annotations=annotate(one_pair)))
    for quantity in ("METEOR, fr-en", "METEOR, fr-en, ±", "DEPREF-ALIGN, fr-en"):
        assert not np.isnan(found[quantity].ours.value), found[quantity].reason


def test_meteor_without_its_files_is_not_replaced(one_pair, monkeypatch):
    """By another metric: with exact matches and stems alone, for instance."""
    monkeypatch.setattr(meteor, "find_meteor_files", lambda _="": None)
    found = numbers(reproduce("wmt13", data=one_pair, annotations=annotate(one_pair)))
    for metric in ("METEOR", "DEPREF-ALIGN"):
        assert found[f"{metric}, fr-en"].verdict == "needs model"
        assert "pip install pycocoevalcap" in found[f"{metric}, fr-en"].reason
    assert not np.isnan(found["DEPREF-EXACT, fr-en"].ours.value)
    assert not np.isnan(found["NLEPOR, fr-en"].ours.value)
