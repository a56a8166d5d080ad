"""TER: edits and lengths equal to sacreBLEU's on random pairs that stress the search, odd text, and WMT systems.

sacreBLEU needs seconds for a system, so only the first segments of some systems are compared; with ASSAY_ALL_SYSTEMS
set (`make oracle-sacrebleu`) all segments of all systems are.
"""

from __future__ import annotations

import os
import random

import numpy as np
import pytest
from sacrebleu.metrics import TER
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from assay import _core, load, score
from scripts.oddtext import SEED, odd_line, odd_pair

IS_FULL = bool(os.environ.get("ASSAY_ALL_SYSTEMS"))
SEGMENTS = None if IS_FULL else 300
CHINESE = {"normalized": True, "asian_support": True}
PAIRS = {
    ("wmt22", "en-de"): (("refA",), {}, 11),
    ("wmt22", "en-uk"): (("refA",), {}, 10),
    ("wmt19", "en-zh"): (("ref",), CHINESE, 12),
}
CASES = [(*pair, i) for pair, (_, _, systems) in PAIRS.items() for i in range(systems)]
SAMPLED = [case for case in CASES if case[2] in (0, 5)]


def spec_of(options):
    names = {"asian_support": "asian"}
    given = ",".join(f"{names.get(key, key)}={'yes' if value else 'no'}" for key, value in options.items())
    return f"ter:{given}" if given else "ter"


def check(outputs, columns, options):
    spec = spec_of(options)
    references = {f"ref{k}": column for k, column in enumerate(columns)}
    found = score(load(outputs={"x": outputs}, references=references), spec, agg="corpus", resamples=0)[spec]
    oracle = TER(**options)
    expected = oracle._extract_corpus_statistics(outputs, columns)
    np.testing.assert_array_equal(found.statistics.table[0], expected)
    corpus = oracle._aggregate_and_compute([list(row) for row in expected]).score
    assert found.corpus["x"] == pytest.approx(corpus, abs=1e-9)
    segments = [oracle._compute_score_from_stats(row).score for row in expected]
    np.testing.assert_allclose(found.segments["x"], segments, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("campaign", "lp", "number"), CASES if IS_FULL else SAMPLED)
def test_wmt_systems(wmt_texts, campaign, lp, number):
    names, options, systems = PAIRS[campaign, lp]
    references, outputs = wmt_texts(campaign, lp, names)
    assert len(outputs) == systems
    limit = SEGMENTS if IS_FULL or not options else 60  # Chinese characters take sacreBLEU ten times as long
    output = list(outputs.values())[number][:limit]
    check(output, [column[:limit] for column in references.values()], options)


OPTIONS = [
    {"normalized": n, "no_punct": p, "asian_support": a, "case_sensitive": c}
    for n in (False, True)
    for p in (False, True)
    for a in (False, True)
    for c in (False, True)
]


@pytest.mark.parametrize("options", OPTIONS, ids=spec_of)
def test_odd_text(options):
    rng = random.Random(f"{SEED}/ter/{spec_of(options)}")
    for references in (1, 3):
        drawn = [odd_pair(rng, references) for _ in range(60)]
        columns = [[refs[k] for _, refs in drawn] for k in range(references)]
        if references > 1:
            for i in range(0, 60, 7):
                columns[rng.randrange(references)][i] = None
        check([output for output, _ in drawn], columns, options)


PIECES = ("'s", "'s ", "'s.", "it's)", "'s中", "'S ", "a's\n-b", "\n-", *'㈀㼢㼣か。，･?:;!"(')


@pytest.mark.parametrize("options", OPTIONS[::2], ids=spec_of)
def test_tokens(options):
    rng = random.Random(f"{SEED}/tercom/{spec_of(options)}")
    oracle = TercomTokenizer(**{**options, "case_sensitive": True})
    kept = [("normalized", "normalized"), ("asian", "asian_support"), ("no_punct", "no_punct")]
    name = "+".join(["tercom", *(ours for ours, theirs in kept if options[theirs])])
    for _ in range(1500):
        line = odd_line(rng)
        if rng.random() < 0.5:
            at = rng.randint(0, len(line))
            line = line[:at] + rng.choice(PIECES) + line[at:]
        assert _core.tokenize(line, name) == oracle(line.rstrip()).split(), repr(line)


def block_permuted(rng, words, moves):
    words = list(words)
    for _ in range(moves):
        first = rng.randrange(len(words) + 1)
        block = words[first : first + rng.randrange(1, 14)]
        del words[first : first + len(block)]
        at = rng.randrange(len(words) + 1)
        words[at:at] = block
    return words


def random_pair(rng, longest):
    """Words of small and large alphabets: unrelated, permuted, edited, and of very different lengths."""
    alphabet = rng.choice((2, 3, 5, 10, 40, 400))
    reference = [str(rng.randrange(alphabet)) for _ in range(rng.randint(0, longest))]
    kind = rng.random()
    if kind < 0.2:
        output = [str(rng.randrange(alphabet)) for _ in range(rng.randint(0, longest))]
    else:
        output = block_permuted(rng, reference, rng.randrange(5))
        for _ in range(rng.randrange(6)):
            if output and rng.random() < 0.5:
                output.pop(rng.randrange(len(output)))
            else:
                output.insert(rng.randint(0, len(output)), str(rng.randrange(alphabet)))
    if kind > 0.95:
        output = output[: rng.randrange(4)]
    return output, reference


# Around the lengths at which the beam begins to matter (24), a word of bits ends (64) and the beam leaves it behind.
# The kernel is compared with its twin on many more pairs in cpp/tests.
@pytest.mark.parametrize(("longest", "pairs"), [(6, 1000), (14, 600), (26, 180), (40, 44), (75, 10), (140, 2)])
def test_random_words(longest, pairs):
    rng = random.Random(f"{SEED}/ter/words/{longest}")
    drawn = [random_pair(rng, longest) for _ in range(pairs)]
    columns = [tuple(" ".join(words) for words in side) for side in zip(*drawn, strict=True)]
    table = _core.rate_statistics((columns[1],), (columns[0],), "ter", "none", True, False, 10**12, 1).tolist()[0]
    for (output, reference), row in zip(drawn, table, strict=True):
        assert tuple(row) == translation_edit_rate(output, reference), (output, reference)


@pytest.mark.parametrize(("output", "reference"), [(2, 140), (1, 51), (3, 400), (120, 3), (70, 20)])
def test_random_words_of_very_different_length(output, reference):
    rng = random.Random(f"{SEED}/ter/lengths/{output}/{reference}")
    for _ in range(6):
        words = [[str(rng.randrange(8)) for _ in range(size)] for size in (output, reference)]
        first, second = (" ".join(side) for side in words)
        row = _core.rate_statistics(((second,),), ((first,),), "ter", "none", True, False, 10**12, 1).tolist()[0][0]
        assert tuple(row) == translation_edit_rate(*words)


def test_a_shift_that_brings_the_path_back_into_the_beam():
    """It gains more than two edits a word, because the distance before it was that of a detour."""
    output = "59 6 20 32 32 20 35 19 27 26 13 43 53 6 38 39 4 35 52 3 53 16 57 4 25 38 21 41 39 15 2 7 58 51 23 26"
    reference = (
        "59 6 20 43 13 43 53 6 38 39 4 35 52 3 53 16 57 4 7 38 21 41 39 15 2 7 58 51 23 26 16 59 32 20 35 19 27 26 46 "
        "1 59 41 55 35 22 14 4 43 34 33 21 45 5 42 47 1 27 6 24 32"
    )
    row = _core.rate_statistics(((reference,),), ((output,),), "ter", "none", True, False, 10**12, 1).tolist()[0][0]
    assert tuple(row) == translation_edit_rate(output.split(), reference.split())
