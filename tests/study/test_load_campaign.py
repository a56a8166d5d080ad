"""All of the WMT archives load, with the counts of their manifest."""

from __future__ import annotations

import csv
from dataclasses import replace
from unittest.mock import ANY

import numpy as np
import pytest

import assay
from assay import load_campaign, load_campaigns, score
from assay.data.formats.mtme import Mtme
from assay.errors import ConfigError, InputError, UnknownNameError
from assay.types import NoteKind
from assay.types.runtime import Runtime
from tests import archives
from tests.campaigns_with_metrics import campaign as make_campaign


@pytest.fixture
def data():
    if archives.folder() is None:
        pytest.skip("ASSAY_DATA does not name the folder of the WMT archives")
    return archives.unpacked("wmt22").parent


def manifest():
    place = archives.folder()
    if place is None:
        return [pytest.param({}, marks=pytest.mark.skip("ASSAY_DATA does not name the folder of the WMT archives"))]
    with (place / "MANIFEST.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    return [pytest.param(row, id=f"{row['test set']}-{row['pair']}") for row in rows]


@pytest.mark.parametrize("row", manifest())
def test_the_counts_of_the_manifest(row):
    name, lp = row["test set"], row["pair"]
    campaign = load_campaign(archives.unpacked(name), lp=lp)
    testset, segment_scores = campaign.testset, [t for t in campaign.human if t.level == "segment"]
    expected_segments = int(row["segments"])
    assert expected_segments in (0, campaign.segments)
    assert int(row["outputs"]) == (0 if testset is None else len(testset.outputs))
    if testset is not None:  # without outputs, references are not read
        assert int(row["references"]) == len(testset.references)
    names = {t.name for t in campaign.human if t.level == "system"}
    assert names == set(row["human scores (sys)"].replace(",", " ").split()) - {"-"}
    filled = {f"{t.name}:{int((~np.isnan(t.values)).sum())}" for t in segment_scores}
    assert filled == set(row["human scores (seg: filled cells)"].split()) - {"-"}
    assert int(row["metrics sys"]) == sum(t.level == "system" for t in campaign.metrics)
    assert int(row["metrics seg"]) == sum(t.level == "segment" for t in campaign.metrics)
    judged = {f"{j.name}:{len(j) + replaced(name, lp, j.name)}" for j in campaign.judgements}
    assert judged == set(row["judgements"].split()) - {"-"}


def replaced(name, lp, judgements):
    """How many ratings a table of ESA says were replaced by later ones, which the manifest counts, too."""
    if judgements != "esa":
        return 0
    with (archives.unpacked(name) / "judgements" / f"{lp}.esa.tsv").open(encoding="utf-8", newline="") as lines:
        return sum(row["counted"] == "0" for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_stored_scores_take_part_and_ours_are_the_same(data):
    """The organisers' stored BLEU and chrF by segment are those we compute, to the rounding of six digits."""
    campaign = load_campaign(data / "wmt22", lp="zh-en")
    testset = campaign.select_texts(references=["refA"])
    stored = campaign.find("chrF", "segment", references=("refA",))
    run = score(testset, ["chrf", stored], resamples=0)
    for system in ("Online-W", "HuaweiTSC"):
        assert np.allclose(run["chrF"].segments[system], run["chrf"].segments[system], rtol=2e-5, atol=1e-4)
    assert any(note.text.startswith("left out: refB") for note in run.notes)


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_unknown_test_sets(home):
    with pytest.raises(InputError, match="wmt22: no such file, and no test set of this name in ") as caught:
        load_campaign("wmt22", lp="zh-en")
    assert "assay data import" in caught.value.hint
    (home / "wmt21/system-outputs").mkdir(parents=True)
    with pytest.raises(InputError) as caught:
        load_campaigns("wmt22")
    assert caught.value.hint == "there are wmt21; assay data import ARCHIVE adds others"  # a year is no misspelling
    with pytest.raises(InputError) as caught:
        load_campaigns("wtm21")
    assert caught.value.hint == "did you mean 'wmt21'?"
    with pytest.raises(InputError, match="no such file"):
        load_campaign("x" * 5000)


@pytest.mark.parametrize("release", [".", "mt-metrics-eval-v2"])
def test_test_sets_in_the_data_folder(home, release):
    for lp in ("de-en", "en-de"):
        place = home / release / "wmt99" / "human-scores" / f"{lp}.wmt.sys.score"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("a\t1\nb\t2\n", encoding="utf-8")
    steps = []
    campaigns = load_campaigns("wmt99", runtime=Runtime(progress=lambda *step: steps.append(step)))
    assert [campaign.lp for campaign in campaigns] == ["de-en", "en-de"]
    assert steps == [("reading wmt99 de-en", 0, 2), ("reading wmt99 en-de", 1, 2), ("reading wmt99 en-de", 2, 2)]
    assert load_campaign("wmt99", lp="en-de").lp == "en-de"


def test_campaigns_of_a_path(tmp_path, monkeypatch):
    Mtme().write([make_campaign(), make_campaign("en-de")], tmp_path)
    monkeypatch.chdir(tmp_path)
    assert [campaign.lp for campaign in load_campaigns("wmt99")] == ["de-en", "en-de"]
    assert [campaign.lp for campaign in load_campaigns("wmt99", lps=["en-de", "en-de"])] == ["en-de"]
    assert [campaign.name for campaign in load_campaigns(".")] == ["wmt99", "wmt99"]
    scores = "wmt99/metric-scores/de-en/good-refA.sys.score"
    assert load_campaign(scores).scores[0].level == "system"
    assert load_campaign(scores, input_format="score").scores[0].level == "system"


def test_the_language_pair_must_be_known_and_unambiguous(tmp_path):
    Mtme().write([make_campaign(), make_campaign("en-de")], tmp_path)
    with pytest.raises(ConfigError, match="wmt99 has several language pairs") as caught:
        load_campaign(tmp_path / "wmt99")
    assert caught.value.hint == "choose one with lp: de-en, en-de"
    with pytest.raises(UnknownNameError, match="wmt99 has no language pair 'fr-en'") as caught:
        load_campaign(tmp_path / "wmt99", lp="fr-en")
    assert caught.value.hint == "available: de-en, en-de"
    table = tmp_path / "t.tsv"
    table.write_text("lp\tsystem\tsegment\tscore\nen-de\tx\t1\t1\nen-fr\tx\t1\t1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="several language pairs") as caught:
        load_campaign(table)
    assert caught.value.hint == "choose one with lp: en-de, en-fr"
    assert load_campaign(table, lp="en-fr").lp == "en-fr"
    with pytest.raises(UnknownNameError, match="has no language pair 'de-en'"):
        load_campaign(table, lp="de-en")


def test_folders(tmp_path):
    Mtme().write([make_campaign()], tmp_path / "one")
    assert load_campaign(tmp_path / "one").name == "wmt99"
    Mtme().write([make_campaign(), replace(make_campaign(), name="wmt98")], tmp_path / "two")
    with pytest.raises(ConfigError, match="two has several test sets") as caught:
        load_campaign(tmp_path / "two")
    assert caught.value.hint == "choose one: wmt98, wmt99"
    (tmp_path / "three").mkdir()
    with pytest.raises(InputError, match="not the folder of a test set"):
        load_campaign(tmp_path / "three")
    (tmp_path / "three/human-scores").mkdir()
    with pytest.raises(InputError, match="no language pairs"):
        load_campaign(tmp_path / "three")


def test_one_language_pair_as_a_string(tmp_path):
    Mtme().write([make_campaign("de-en"), make_campaign("en-zh")], tmp_path)
    assert [campaign.lp for campaign in load_campaigns(tmp_path / "wmt99", lps="en-zh")] == ["en-zh"]


ROW = "{user},A,{item},TGT,eng,deu,{score},1.5,2.5\n"


def test_several_files_are_read_together(tmp_path):
    for user in ("u1", "u2"):
        text = "".join(ROW.format(user=user, item=item, score=50) for item in range(1, 4))
        (tmp_path / f"{user}.csv").write_text(text, encoding="utf-8")
    campaign = load_campaign(tmp_path / "u1.csv", tmp_path / "u2.csv")
    (ratings,) = campaign.judgements
    assert (campaign.name, ratings.raters, len(ratings)) == ("u1, u2", ("u1", "u2"), 6)
    assert repr(ratings) == "Ratings(appraise, DA: 6 ratings of 3 outputs of 1 system by 2 raters)"
    assert [c.lp for c in load_campaigns(tmp_path / "u1.csv", tmp_path / "u2.csv", lps="en-de")] == ["en-de"]
    with pytest.raises(ConfigError, match="no data was given"):
        load_campaign()
    with pytest.raises(InputError, match="no such file") as caught:
        load_campaign(tmp_path / "u1.csv", "en-de")
    assert caught.value.hint == 'if it is a language pair, name it: lp="en-de"'


@pytest.mark.warns("faulty rows? skipped")
def test_strict_reading_refuses_faulty_rows(tmp_path):
    path = tmp_path / "a.csv"
    rows = [ROW.format(user="u", item=item, score=50) for item in range(1, 30)]
    path.write_text("".join([*rows, ROW.format(user="u", item=1, score="5O")]), encoding="utf-8")
    assert [note.kind for note in load_campaign(path).reading_notes] == [NoteKind.SKIPPED]
    for reader in (load_campaign, load_campaigns, assay.read):
        with pytest.raises(InputError, match=r"a\.csv, line 30: 1 faulty row skipped: the score is not a number"):
            reader(path, strict=True)
    assert [f.severity for f in assay.check(path).findings] == ["warning"]
    assert [f.severity for f in assay.check(path, strict=True).findings] == ["error"]


def test_penalties_are_refused(tmp_path):
    path = tmp_path / "a.tsv"
    text = "lp\tsystem\tsegment\thuman:{}\nen-de\tA\t1\t5\nen-de\tB\t1\t0\n"
    for name in ("mqm", "MQM", "mqm_penalty", "penalties"):
        path.write_text(text.format(name), encoding="utf-8")
        with pytest.raises(InputError, match=f"the segment scores '{name}' are positive") as caught:
            load_campaign(path)
        assert caught.value.hint == "if lower is better, call the column human:NAME:better=lower"
        (finding,) = assay.check(path).findings
        assert (finding.severity, finding.text, finding.hint) == ("error", ANY, caught.value.hint)
    for name in ("mqm:better=lower", "esa"):
        path.write_text(text.format(name), encoding="utf-8")
        assert load_campaign(path).human[0].values.tolist() == [[5], [0]]


def test_patterns_of_language_pairs(tmp_path):
    Mtme().write([make_campaign(lp) for lp in ("cs-en", "de-en", "en-de", "de-fr")], tmp_path)
    place = tmp_path / "wmt99"
    assert [c.lp for c in load_campaigns(place, lps="*-en")] == ["cs-en", "de-en"]
    assert [c.lp for c in load_campaigns(place, lps=["en-*", "de-*", "de-en"])] == ["en-de", "de-en", "de-fr"]
    assert load_campaign(place, lp="cs-*").lp == "cs-en"
    with pytest.raises(UnknownNameError, match="has no language pair 'fr-\\*'"):
        load_campaigns(place, lps=["*-en", "fr-*"])
    with pytest.raises(ConfigError, match="several language pairs") as caught:
        load_campaign(place, lp="*-en")
    assert caught.value.hint == "choose one with lp: cs-en, de-en"


TEXTS = (
    "system\tsegment\toutput\treference\nA\t1\tein Hund\tein Hund\nA\t2\tdie Katze\teine Katze\n"
    "B\t1\tHund\tein Hund\nB\t2\tKatze\teine Katze\n"
)
ERRORS = "system,segment,start,end,severity\nA,1,,,\nA,2,0,3,minor\nB,1,0,4,major\n"


@pytest.fixture
def marked(tmp_path):
    (tmp_path / "texts.tsv").write_text(TEXTS, encoding="utf-8")
    (tmp_path / "xcomet.spans.csv").write_text(ERRORS, encoding="utf-8")
    return tmp_path


def test_errors_that_a_metric_marked_are_an_annotation_layer(marked):
    texts = load_campaign(marked / "texts.tsv", marked / "xcomet.spans.csv", lp="en-de").testset
    assert {name: tuple(column) for name, column in texts.annotations["errors"].items()} == {
        "A": ("", "0-3:minor"),
        "B": ("0-4:major", None),
    }
    assert texts.annotators == dict.fromkeys(texts.annotations, texts.annotators["errors"])
    run = score(texts, "spans", resamples=0)
    assert run["spans"].segments["A"].tolist() == [0, 1]
    assert not load_campaign(marked / "texts.tsv", lp="en-de").testset.annotations


def test_each_test_set_may_have_annotations_of_its_own(tmp_path):
    campaign = load_campaign(_texts(tmp_path / "one"), lp="en-de")
    for place, tag in ((f"{campaign.name}/en-de", "OWN"), ("en-de", "SHARED")):
        (tmp_path / "parses" / place).mkdir(parents=True)
        (tmp_path / "parses" / place / "A.pos").write_text(f"{tag} {tag}\n{tag} {tag}\n", encoding="utf-8")
    own = load_campaign(tmp_path / "one", lp="en-de", annotations=tmp_path / "parses").testset
    assert own.annotations["pos"]["A"][0] == "OWN OWN"
    _texts(tmp_path / "two")
    shared = load_campaign(tmp_path / "two", lp="en-de", annotations=tmp_path / "parses").testset
    assert shared.annotations["pos"]["A"][0] == "SHARED SHARED"


def _texts(folder):
    """A test set in the layout of mt-metrics-eval."""
    for place, text in (
        ("sources/en-de.txt", "x"),
        ("references/en-de.refA.txt", "y"),
        ("system-outputs/en-de/A.txt", "z w"),
    ):
        file = folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n{text}\n", encoding="utf-8")
    (folder / "documents").mkdir()
    (folder / "documents" / "en-de.docs").write_text("d\td1\nd\td1\n", encoding="utf-8")
    return folder
