"""Challenge sets. The fields are those of ACES and DEMETR; the texts are made up."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from assay import meta_challenge, read
from assay.errors import AssayWarning, InputError
from assay.metaeval.challenge_sets import ACES_WEIGHTS, PairCounts, aces_category, count_pairs
from assay.reports import document, renderer
from assay.reports.labelled import caption_text
from assay.types import ScoreTable

PHENOMENA = {
    "addition": "addition",
    "omission": "omission",
    "hallucination-number-level-1": "mistranslation",
    "xnli-omission-neutral": "mistranslation",
    "untranslated-vs-synonym": "untranslated",
    "do-not-translate": "do not translate",
    "hyponym-replacement": "overtranslation",
    "hypernym-replacement": "undertranslation",
    "commonsense-only-ref-ambiguous": "real-world knowledge",
    "similar-language-low": "wrong language",
    "punctuation:deletion_all": "punctuation",
}
_COLUMNS = ("source", "good-translation", "incorrect-translation", "reference", "phenomena", "langpair")
_HEADER = "\t".join([*_COLUMNS, "first-good", "first-bad", "second-good", "second-bad"]) + "\n"


def aces(path: Path, phenomena=tuple(PHENOMENA), pairs=("en-de", "en-fr")) -> Path:
    """`first` is always right; `second` is right, equal and wrong by turns."""
    rows = [
        f"s{k}\tgood {k}\tbad {k}\tref {k}\t{name}\t{lp}\t1\t0\t{turn}\t0\n"
        for lp in pairs
        for name in phenomena
        for k, turn in enumerate((1, 0, -1))
    ]
    path.write_text(_HEADER + "".join(rows), encoding="utf-8")
    return path


@pytest.fixture
def evaluation(tmp_path):
    return meta_challenge(read(aces(tmp_path / "aces.tsv")))


def test_accuracy_ties_and_tau(evaluation):
    first, second = evaluation.of("first"), evaluation.of("second")
    assert [each.metric for each in evaluation][:2] == ["first", "second"]
    assert (first.n, first.accuracy.value, first.tau, first.ties) == (66, 1, 1, 0)
    assert first.accuracy.low == pytest.approx(0.025 ** (1 / 66))
    assert second.accuracy.value == second.ties == pytest.approx(1 / 3)
    assert second.tau == pytest.approx(-1 / 3)  # a tie is wrong
    part = evaluation.of("second", "omission")
    assert (part.n, part.accuracy.value) == (6, pytest.approx(1 / 3))  # of both language pairs


def test_the_highest_aces_score_is_that_of_the_weights(evaluation):
    (grid,) = document(evaluation).sections[1].grids
    (caption,) = (text for each in grid.captions if (text := caption_text(each)).startswith("ACES score"))
    highest = f"{len(ACES_WEIGHTS)} categories, at most {sum(ACES_WEIGHTS.values()):g}"
    assert highest == "10 categories, at most 29.1"
    assert caption.endswith(highest)


def test_the_aces_score_needs_all_categories(evaluation, tmp_path):
    total = sum(ACES_WEIGHTS.values())
    assert total == pytest.approx(29.1)
    assert evaluation.of("first").aces_score.value == pytest.approx(total)
    second = evaluation.of("second").aces_score
    assert second.value == pytest.approx(-total / 3)
    assert second.low < second.value < second.high
    first = evaluation.of("first").aces_score
    assert first.high == first.value  # nothing is above it
    bounds = [weight * 2 * (1 - 0.025 ** (1 / 6)) for weight in (*[5] * 4, *[1] * 4, 0.1, 2.5, 2.5)]
    assert first.low == pytest.approx(total - math.hypot(*bounds))  # Clopper and Pearson of 6 in 6; two mistranslations
    assert [note.text for note in evaluation.notes] == [
        "ACES scores of fewer than its 68 phenomena, which cannot be compared with published ones: first (11), second "
        "(11)"
    ]
    fewer = meta_challenge(read(aces(tmp_path / "fewer.tsv", tuple(PHENOMENA)[1:])))
    assert fewer.of("first").aces_score is None


@pytest.mark.parametrize(("phenomenon", "category"), [*PHENOMENA.items(), ("minor_id28_final_punc_removed", None)])
def test_categories_of_aces(phenomenon, category):
    assert aces_category(phenomenon) == category


def test_metrics_that_did_not_score_all_pairs_come_last(tmp_path):
    path = aces(tmp_path / "aces.tsv")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    shorter = [line if k % 3 else line.replace("\t1\t0\t", "\t\t\t") for k, line in enumerate(lines)]
    path.write_text("".join(shorter), encoding="utf-8")
    with pytest.warns(AssayWarning, match=r"not all 66 pairs have scores, .* of other metrics: first \(44\)"):
        found = meta_challenge(read(path))
    assert [each.metric for each in found if not each.phenomenon] == ["second", "first"]
    assert found.of("first").accuracy.value > found.of("second").accuracy.value


def test_pairs_without_a_score_do_not_count():
    table = ScoreTable("m", "segment", ("good", "incorrect"), [[1, 2, float("nan")], [2, 1, 0]], higher_is_better=False)
    assert count_pairs(table, ["a", "a", "a"]) == {"a": PairCounts(1, 0, 2)}


def test_metrics_are_computed_from_the_texts(tmp_path):
    path = aces(tmp_path / "aces.tsv", ("addition",), ("en-de",))
    row = meta_challenge(read(path), metrics=["chrf"], references=["ref"]).of("chrf")
    assert row.n == 3


def test_json_lines_of_aces_and_arrays_of_demetr(tmp_path):
    item = {"ID": 1, "source": "s", "good-translation": "g", "incorrect-translation": "b", "reference": "r"}
    pairs = zip(("s1", "s2", "s3"), ("en-de", "en-de", "de-en"), strict=True)
    lines = [json.dumps({**item, "source": s, "phenomena": "addition", "langpair": lp}) for s, lp in pairs]
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    german, english = read(tmp_path / "a.jsonl")
    assert (german.lp, german.segments, english.lp, german.systems) == ("en-de", 2, "de-en", ("good", "incorrect"))
    item = {"id": 1, "src_sent": "s", "eng_sent": "r", "mt_sent": "g", "pert_sent": "b", "lang_tag": "chinese_simple"}
    items = [{**item, "pert_check": True, "pert_name": "minor_id28"}, {**item, "id": 2, "pert_check": False}]
    (tmp_path / "d.json").write_text(json.dumps(items, indent=1), encoding="utf-8")
    (chinese,) = read(tmp_path / "d.json")
    assert (chinese.lp, chinese.segments, list(chinese.testset.domains)) == ("zh-en", 1, ["minor_id28"])
    assert [note.text for note in chinese.notes] == ["1 pair left out: nothing was changed (pert_check is false)"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.tsv", _HEADER + "s\tg\n", "line 2: 2 fields, but the header has 10"),
        ("a.tsv", _HEADER + "s\tg\tb\tr\tp\ten-de\tx\t0\t0\t0\n", "line 2: "),
        ("a.jsonl", '{"source": "", "good-translation": 3, "incorrect-translation": "", "phenomena": ""}\n', "no text"),
        ("d.json", '[{"src_sent": "", "eng_sent": "", "mt_sent": "", "pert_sent": "", "lang_tag": "x"}]', "'x' is unk"),
    ],
)
def test_faults_are_named(tmp_path, name, text, message):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read(tmp_path / name)


def test_other_data_are_no_challenge_set(tmp_path):
    (tmp_path / "t.tsv").write_text("source\treference\tA\tB\ns\tr\ta\tb\n", encoding="utf-8")
    with pytest.raises(InputError, match="no pairs of a good and an incorrect translation"):
        meta_challenge(read(tmp_path / "t.tsv"))


def test_signatures_of_other_numbers_differ(evaluation, tmp_path):
    """Other metrics, references, texts and confidences. Nothing is drawn."""
    path, other = aces(tmp_path / "aces.tsv"), aces(tmp_path / "other.tsv", ("addition",))
    options = [
        {"metrics": ["chrf"]},
        {"metrics": ["bleu", "chrf"]},
        {"metrics": ["chrf"], "references": ["ref"]},
        {"confidence": 0.8},
    ]
    signatures = [meta_challenge(read(path), **each).signature for each in options]
    signatures += [evaluation.signature, meta_challenge(read(other)).signature]
    assert len(set(signatures)) == len(signatures)
    settings = meta_challenge(read(path), metrics=["chrf"], references=["ref"]).settings
    assert (settings["metrics"], settings["references"]) == ("chrf", "ref")
    assert "ties" not in settings
    assert "seed" not in settings
    assert meta_challenge(read(path)).signature == evaluation.signature


@pytest.mark.parametrize(
    ("form", "rows"),
    [
        ("table", ["second 66 0.333 [0.222, 0.460] 0.333 -0.333 -9.700", "omission second 6 0.333 [0.043, 0.777]"]),
        ("md", ["| second | 66 | 0.333", "| omission | second | 6 | 0.333"]),
        ("tsv", ["second 66 0.3333333333333333 0.2220307627", "omission second 6 0.3333333333333333 0.0432718682"]),
        ("latex", ["& second & 66 & 0.333 & 0.333 & $-$0.333 & $-$9.700", "omission & second & 6 & 0.333"]),
    ],
)
def test_rows_of_every_form(evaluation, form, rows):
    text = " ".join(renderer.create(form).render(document(evaluation)).split())
    assert all(row in text for row in rows)


def test_json(evaluation):
    tree = json.loads(renderer.create("json").render(document(evaluation)))
    second = tree["metrics"][1]
    assert (second["metric"], second["phenomenon"], second["n"]) == ("second", "", 66)
    assert second["aces_score"]["value"] == pytest.approx(-sum(ACES_WEIGHTS.values()) / 3)
    assert tree["metrics"][2]["aces_score"] is None
    assert tree["settings"] == evaluation.settings
