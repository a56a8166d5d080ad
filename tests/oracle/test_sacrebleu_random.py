"""Integer statistics and scores equal to sacreBLEU's on odd random text: 20,000 pairs for BLEU, 20,000 for chrF."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.metrics.bleu import _get_tokenizer

from assay import _core, load, score
from scripts.oddtext import SEED, odd_line, odd_pair

TOKENIZERS = ("13a", "intl", "zh", "char", "none")
SMOOTHINGS = ("exp", "floor", "add-k", "none")


def pairs(name: str, size: int, references: int, *, gaps: bool = False):
    """Outputs and K columns of references; with gaps, a segment keeps at least one reference."""
    rng = random.Random(f"{SEED}/{name}")
    drawn = [odd_pair(rng, references) for _ in range(size)]
    columns = [[refs[k] for _, refs in drawn] for k in range(references)]
    if gaps:
        for i in range(size):
            for k in rng.sample(range(references), rng.randint(0, references - 1)):
                columns[k][i] = None
    return [output for output, _ in drawn], columns


def named(columns):
    return {f"ref{k}": column for k, column in enumerate(columns)}


def check(run, spec, oracle, outputs, columns):
    """Every row of statistics and the corpus score; the rows are returned."""
    found = run[spec]
    expected = oracle._extract_corpus_statistics(outputs, columns)
    assert found.statistics.table[0].tolist() == expected
    corpus = oracle._aggregate_and_compute([list(row) for row in expected]).score
    assert found.corpus["x"] == pytest.approx(corpus, abs=1e-9)
    return expected


@pytest.mark.parametrize(("tok", "smooth", "references"), list(itertools.product(TOKENIZERS, SMOOTHINGS, (1, 2, 3, 4))))
def test_bleu(tok, smooth, references):
    outputs, columns = pairs(f"bleu/{tok}/{smooth}/{references}", 250, references, gaps=references > 2)
    spec = f"bleu:tok={tok},smooth={smooth}"
    run = score(load(outputs={"x": outputs}, references=named(columns)), spec, agg="corpus", resamples=0)
    oracle = BLEU(tokenize=tok, smooth_method=smooth, force=True)
    expected = check(run, spec, oracle, outputs, columns)
    sentence = BLEU(tokenize=tok, smooth_method=smooth, effective_order=True)
    segments = [sentence._compute_score_from_stats(list(row)).score for row in expected]
    np.testing.assert_allclose(run[spec].segments["x"], segments, rtol=0, atol=1e-9)


@pytest.mark.parametrize("max_order", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("effective_order", [False, True])
def test_bleu_orders_and_case(max_order, effective_order):
    outputs, columns = pairs(f"orders/{max_order}/{effective_order}", 100, 2)
    eff = "yes" if effective_order else "no"
    spec = f"bleu:lowercase=yes,max_order={max_order},effective_order={eff}"
    run = score(load(outputs={"x": outputs}, references=named(columns)), spec, agg="corpus", resamples=0)
    oracle = BLEU(lowercase=True, max_ngram_order=max_order, effective_order=effective_order, force=True)
    check(run, spec, oracle, outputs, columns)


@pytest.mark.parametrize(
    ("word_order", "eps", "whitespace", "lowercase", "references"),
    [
        *itertools.product((0, 2), (False, True), (False, True), (False, True), (1, 2)),
        *itertools.product((1,), (False,), (False,), (False,), (1, 3, 4)),
    ],
)
def test_chrf(word_order, eps, whitespace, lowercase, references):
    name = f"chrf/{word_order}/{eps}/{whitespace}/{lowercase}/{references}"
    outputs, columns = pairs(name, 575, references, gaps=references > 2)
    options = {"word_order": word_order, "eps_smoothing": eps, "whitespace": whitespace, "lowercase": lowercase}
    spec = "chrf:" + ",".join(f"{key}={int(value)}" for key, value in options.items())
    run = score(load(outputs={"x": outputs}, references=named(columns)), spec, agg="corpus", resamples=0)
    oracle = CHRF(**options)
    expected = check(run, spec, oracle, outputs, columns)
    segments = [oracle._compute_f_score(row) for row in expected]
    np.testing.assert_allclose(run[spec].segments["x"], segments, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("char_order", "beta"), [(1, 1), (3, 3), (6, 1), (8, 2), (0, 2)])
def test_chrf_orders_and_beta(char_order, beta):
    outputs, columns = pairs(f"chrf-orders/{char_order}/{beta}", 200, 1)
    spec = f"chrf:char_order={char_order},beta={beta},word_order=2"
    run = score(load(outputs={"x": outputs}, references=named(columns)), spec, agg="corpus", resamples=0)
    check(run, spec, CHRF(char_order=char_order, word_order=2, beta=beta), outputs, columns)


@pytest.mark.parametrize("tok", TOKENIZERS)
def test_tokens(tok):
    oracle = _get_tokenizer(tok)()
    rng = random.Random(f"{SEED}/tokens/{tok}")
    for _ in range(10_000):
        line = odd_line(rng)
        assert _core.tokenize(line, tok) == oracle(line.rstrip()).split(), repr(line)
