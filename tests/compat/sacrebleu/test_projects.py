"""How well-known projects call sacreBLEU: the same imports, arguments and attributes, with the same results.

Every function names the project and the file that it follows; only the shape of the calls is theirs.
"""

from __future__ import annotations

import functools
import inspect
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
import sacrebleu as theirs

# what the projects import, by the names that they import
import sacrebleu.metrics.bleu
import sacrebleu.metrics.chrf
import sacrebleu.metrics.helpers
import sacrebleu.metrics.ter
import sacrebleu.tokenizers.tokenizer_13a
from packaging import version

import assay.compat.sacrebleu as ours
from tests.compat.sacrebleu.oracle import corpus

OUTPUTS, (FIRST, SECOND) = corpus("projects", 12)
PER_SEGMENT = list(zip(FIRST, SECOND, strict=True))
CALLS = {}


def call(function):
    """Register how a project calls the package."""
    CALLS[function.__name__] = function
    return function


@call
def evaluate_sacrebleu(package):
    """Hugging Face evaluate, metrics/sacrebleu/sacrebleu.py: references per segment, transposed."""
    assert version.parse(package.__version__) >= version.parse("1.4.12")
    transposed = [[references[k] for references in PER_SEGMENT] for k in range(2)]
    options = {"smooth_method": "exp", "smooth_value": None, "force": False, "lowercase": False}
    score = package.corpus_bleu(OUTPUTS, transposed, **options, use_effective_order=False)
    names = ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len")
    return {name: getattr(score, name) for name in names}


@call
def evaluate_chrf(package):
    """Hugging Face evaluate, metrics/chrf/chrf.py: defaults from class attributes, arguments by position."""
    metric = package.CHRF(package.CHRF.CHAR_ORDER, package.CHRF.WORD_ORDER, package.CHRF.BETA, False, False, False)
    score = metric.corpus_score(OUTPUTS, [FIRST, SECOND])
    return score.score, score.char_order, score.word_order, score.beta


@call
def evaluate_ter(package):
    """Hugging Face evaluate, metrics/ter/ter.py."""
    metric = package.TER(normalized=True, no_punct=True, asian_support=True, case_sensitive=True)
    score = metric.corpus_score(OUTPUTS, [FIRST, SECOND])
    return score.score, score.num_edits, score.ref_length


@call
def torchmetrics(package):
    """torchmetrics, tests/unittests/text/test_sacre_bleu.py, test_chrf.py and test_ter.py: the oracle of its tests."""
    options = {"char_order": 4, "word_order": 2, "lowercase": True, "whitespace": False, "eps_smoothing": True}
    metrics = [package.metrics.BLEU(tokenize=name, lowercase=True) for name in ("none", "13a", "zh", "intl", "char")]
    metrics += [package.metrics.CHRF(**options), package.metrics.TER(normalized=True)]
    return [metric.corpus_score(OUTPUTS, [FIRST, SECOND]).score / 100 for metric in metrics]


@call
def fairseq_scorers(package):
    """fairseq, fairseq/scoring/bleu.py and chrf.py: texts tokenised by itself, and the result as text."""
    tokenizer = package.tokenizers.tokenizer_13a.Tokenizer13a()
    outputs, references = ([tokenizer(text) for text in texts] for texts in (OUTPUTS, FIRST))
    bleu = package.corpus_bleu(outputs, [references], tokenize="none")
    return bleu.format(), bleu.score, package.corpus_chrf(OUTPUTS, [FIRST]).format()


@call
def fairseq_validation(package):
    """fairseq, fairseq/tasks/translation.py: sums of counts over batches, as arrays, back into BLEU."""
    compute_bleu = package.metrics.BLEU.compute_bleu
    batches = [package.corpus_bleu(OUTPUTS[k::3], [FIRST[k::3]]) for k in range(3)]
    smooth = {"smooth_method": "exp"} if "smooth_method" in inspect.getfullargspec(compute_bleu)[0] else {}
    score = compute_bleu(
        correct=np.sum([batch.counts for batch in batches], axis=0),
        total=np.sum([batch.totals for batch in batches], axis=0),
        sys_len=int(sum(batch.sys_len for batch in batches)),
        ref_len=int(sum(batch.ref_len for batch in batches)),
        **smooth,
    )
    return round(score.score, 2), package.metrics.bleu.BLEU is package.metrics.BLEU


@call
def lm_evaluation_harness(package):
    """lm-evaluation-harness, lm_eval/api/metrics.py: tuples of tuples."""
    references, outputs = list(zip(*PER_SEGMENT, strict=True)), tuple(OUTPUTS)
    names = ("corpus_bleu", "corpus_chrf", "corpus_ter")
    return [getattr(package, name)(outputs, references).score for name in names]


@call
def joeynmt(package):
    """JoeyNMT, joeynmt/metrics.py: options that the constructor names, arguments by name, and signatures in the log."""
    configured = {"tokenize": "intl", "lowercase": True, "word_order": 2, "whitespace": True, "other": 1}
    results = []
    for metric in (package.metrics.BLEU, package.metrics.CHRF):
        known = inspect.getfullargspec(metric).args
        scorer = metric(**{key: value for key, value in configured.items() if key in known})
        results.append(scorer.corpus_score(hypotheses=OUTPUTS, references=[FIRST]).score)
        results.append(f"{scorer.get_signature()}")
    return results


@call
def sockeye(package):
    """Sockeye, sockeye/evaluate.py: tokenised text, also one segment at a time."""
    of_corpus = package.raw_corpus_bleu(OUTPUTS, [FIRST], smooth_value=0.01).score / 100.0
    pairs = zip(OUTPUTS, FIRST, strict=True)
    return of_corpus, [package.raw_corpus_bleu([h], [[r]], smooth_value=0.01).score for h, r in pairs]


@call
def mbrs_scores(package):
    """mbrs, mbrs/metrics/bleu.py, chrf.py and ter.py: one segment against one reference, many times."""
    options = {"lowercase": False, "force": False, "tokenize": None, "smooth_method": "exp", "smooth_value": None}
    order = package.metrics.bleu.MAX_NGRAM_ORDER
    metrics = [
        package.metrics.bleu.BLEU(**options, max_ngram_order=order, effective_order=True, trg_lang=""),
        package.metrics.chrf.CHRF(char_order=6, word_order=2, beta=2),
        package.metrics.ter.TER(),
    ]
    return [
        [metric.sentence_score(output, [reference]).score for output in OUTPUTS for reference in FIRST[:4]]
        for metric in metrics
    ]


@call
def mbrs_bleu_of_expected_counts(package):
    """mbrs, mbrs/metrics/bleu.py: n-gram counts of references, averaged."""
    scorer, helpers = package.metrics.bleu.BLEU(effective_order=True), package.metrics.helpers
    references = scorer._cache_references([FIRST])
    lengths = [info["ref_lens"][0] for info in references]
    counts = [{ngram: count / len(FIRST) for ngram, count in info["ref_ngrams"].items()} for info in references]
    output, length = helpers.extract_all_word_ngrams(scorer._preprocess_segment(OUTPUTS[3]), 1, scorer.max_ngram_order)
    assert package.metrics.bleu.BLEU.SMOOTH_DEFAULTS[scorer.smooth_method] is scorer.smooth_value is None
    return lengths, counts, output, length


@call
def mbrs_chrf_of_expected_counts(package):
    """mbrs, mbrs/metrics/chrf.py: the F-score of averaged counts."""
    scorer, helpers = package.metrics.chrf.CHRF(word_order=2), package.metrics.helpers
    (info,) = scorer._cache_references([[reference] for reference in FIRST[:3]])
    reference = info["ref_ngrams"][2]
    output = scorer._preprocess_segment(OUTPUTS[2])
    ngrams = helpers.extract_all_char_ngrams(output, scorer.char_order, scorer.whitespace)
    words = scorer._remove_punctuation(output)
    ngrams += [helpers.extract_word_ngrams(words, n) for n in range(1, scorer.word_order + 1)]
    halved = [{ngram: count / 2 for ngram, count in order.items()} for order in reference]
    statistics = []
    for a, b in zip(ngrams, halved, strict=True):
        statistics += scorer._get_match_statistics(a, b)
    return scorer._compute_f_score(statistics)


@call
def statistics_of_segments(package):
    """As in scripts with bootstraps of their own: private statistics as an array, and scores of their sums."""
    scores = []
    for metric in (package.metrics.BLEU(), package.metrics.CHRF(word_order=2), package.metrics.TER()):
        table = np.asarray(metric._extract_corpus_statistics(OUTPUTS, [FIRST]), dtype=np.float64)
        scores.append(metric._compute_score_from_stats(list(table[::2].sum(0))).score)
        scores.append(metric._aggregate_and_compute(table.tolist()).score)
    return scores


@pytest.mark.parametrize("name", CALLS)
def test_a_project(name):
    assert CALLS[name](ours) == CALLS[name](theirs)


def test_in_other_processes():
    """mbrs sends bound methods to a pool."""
    score = functools.partial(_score, ours.metrics.TER())
    with ProcessPoolExecutor(max_workers=1) as pool:
        assert list(pool.map(score, OUTPUTS[:3], FIRST[:3])) == list(map(score, OUTPUTS[:3], FIRST[:3]))


def _score(metric, output, reference):
    return metric.sentence_score(output, [reference]).score
