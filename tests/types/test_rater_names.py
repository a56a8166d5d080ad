from __future__ import annotations

import pytest

from assay.types import base_name, column_of, judgements_name, rater_of
from assay.types.rater_names import language_model_in


@pytest.mark.parametrize(
    ("name", "rater", "base", "column", "judgements"),
    [
        ("mqm", None, "mqm", None, "mqm"),
        ("mqm-col1", "col1", "mqm", "col1", "mqm"),
        ("mqm.col12", "col12", "mqm", None, "mqm"),
        ("mqm.rater1", "rater1", "mqm", None, "mqm"),
        ("esa-annotator2", "annotator2", "esa", None, "esa"),
        ("da.human3", "human3", "da", None, "da"),
        ("esa-human2", "human2", "esa", "human2", "esa"),
        ("wmt-z", None, "wmt-z", None, "wmt"),
        ("wmt-raw", None, "wmt-raw", None, "wmt"),
        ("mqm.merged", None, "mqm.merged", None, "mqm"),
        ("mqm.merged-col1", "col1", "mqm.merged", "col1", "mqm"),
        ("mqm-col1-z", None, "mqm-col1-z", None, "mqm"),
        ("col1", None, "col1", None, "col1"),
        ("protocol1", None, "protocol1", None, "protocol1"),
    ],
)
def test_names(name, rater, base, column, judgements):
    assert (rater_of(name), base_name(name), column_of(name), judgements_name(name)) == (
        rater,
        base,
        column,
        judgements,
    )


@pytest.mark.parametrize(
    ("name", "model"),
    [
        *((name, None) for name in ("mqm", "mqm-col1", "wmt-appraise-z", "esa-human1", "psqm", "trueskill", "napalm")),
        *((name, None) for name in ("da-palmer", "claudette", "CLAUDETTE", "opgptimal", "esa-Gemmatria")),
        *(("claudeEsa", "claude"), ("chatGPT", "chatGPT"), ("palm2-esa", "palm"), ("esa_gpt4o", "gpt4o")),
        *(("gemba-esa", "gemba"), ("GEMBA-MQM", "GEMBA"), ("esa-GPT4", "GPT4"), ("mqmGPT-4o", "GPT-4o")),
        *(("esa.llm", "llm"), ("llm-judge", "llm"), ("esa-claude", "claude"), ("Gemini_esa", "Gemini")),
    ],
)
def test_scores_of_language_models(name, model):
    assert language_model_in(name) == model
