"""Results with one of everything say `1 segment`, `1 pair` and `1 system`."""

from __future__ import annotations

import functools
import re

import pytest

from assay import compare, diff, leaderboard, load, score
from assay.reports import document, renderer
from tests.store.examples import VERBS, example

_NOUNS = (
    "document error file group interval judge judgement language.pair line metric model note output pair point rater "
    "rating ranking reference resample row score segment setting system test text warning word"
)
_WRONG = re.compile(rf"(?<![\w.,:;-])1 (?:{'|'.join(_NOUNS.split())})s\b")


@functools.cache
def _result(name):
    texts = load(references=["The cat sat there"], outputs={"new": ["the cat sat"], "base": ["a dog"]}, lp="de-en")
    one = load(references=["The cat sat there"], outputs={"new": ["the cat sat"]}, lp="de-en")
    make = {
        "score of two": lambda: score(texts, ["bleu", "chrf"], resamples=20),
        "score of one": lambda: score(one, ["bleu"], resamples=20),
        "comparison": lambda: compare(texts, ["bleu"], resamples=20, all_pairs=True),
        "comparison with a baseline": lambda: compare(texts, ["bleu", "chrf"], resamples=20, baseline="base"),
        "leaders": lambda: leaderboard(texts, ["bleu"], resamples=20),
        "difference": lambda: diff(score(one, ["bleu"], resamples=20), score(one, ["bleu:tok=char"], resamples=20)),
    }
    return make[name]()


NAMES = ("score of two", "score of one", "comparison", "comparison with a baseline", "leaders", "difference")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", ["table", "md", "latex", "json", pytest.param("html", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [*NAMES, *VERBS])
def test_one_is_no_plural(name, form):
    result = example(name) if name in VERBS else _result(name)
    text = renderer.create(form).render(document(result))
    assert not _WRONG.findall(re.sub(r"<script.*?</script>|<style.*?</style>", "", text, flags=re.DOTALL))
    assert not _WRONG.findall(f"{result!r}\n" + "\n".join(map(str, result.notes)))
