from __future__ import annotations

import re

import numpy as np

from assay.human.selection import SystemOptions
from assay.metaeval.metric_tables import MetricOptions
from assay.metaeval.settings import merged, selection_settings
from assay.types import ScoreTable


def of_tables(*tables):
    return selection_settings(metrics=MetricOptions(external={"de-en": tables}))


def test_defaults_are_left_out():
    assert selection_settings() == {}
    better = ScoreTable("good", "system", ("a",), np.ones((1, 1)))
    worse = ScoreTable("ter", "system", ("a",), np.ones((1, 1)), digest="0123456789", higher_is_better=False)
    found = selection_settings(
        SystemOptions(("a|b", "c"), keep_references=True),
        MetricOptions.from_names(["BLEU*"], external={"de-en": [better, worse]}),
    )
    assert found == {
        "systems": "a%7Cb+c",
        "metrics": "BLEU*",
        "scores": "good@53945584+ter@01234567",
        "lower_is_better": "ter",
        "keep_references": "yes",
    }


def test_other_scores_of_the_same_name_have_another_digest():
    tables = [ScoreTable("x", "system", ("a", "b"), np.array(values)) for values in ([[1.0], [2.0]], [[1.0], [3.0]])]
    first, second = (of_tables(table)["scores"] for table in tables)
    assert first != second
    assert first == of_tables(tables[0], tables[0])["scores"]


def test_metrics_have_a_digest_of_their_files(tmp_path):
    path = tmp_path / "words.vec"
    found = set()
    for content in ("a 1 2\n", "a 2 2\n"):
        path.write_text(content)
        (text,) = selection_settings(metrics=MetricOptions.from_names([f"ebleu:vectors={path}", "bleu"]))[
            "metrics"
        ].split("+")[:1]
        found.add(text.rpartition("@")[2])
    assert len(found) == 2
    assert all(re.fullmatch("[0-9a-f]{8}", digest) for digest in found)


def test_settings_of_several_pairs():
    pairs = [{"test": "rank-sum"}, {"test": "randomisation", "weights": "wmt22"}, {"test": "rank-sum"}]
    assert merged(pairs) == {"test": "rank-sum+randomisation", "weights": "wmt22"}
    assert merged([]) == {}
