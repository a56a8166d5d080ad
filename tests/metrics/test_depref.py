from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from assay import Runtime, score
from assay.errors import ConfigError, SegmentError
from assay.metrics import metric
from assay.metrics.depref import _structures
from assay.testing import check_metric
from assay.types import NoteKind, TestSet
from tests import meteor_folder
from tests.metrics.annotated import annotated_testset

REFERENCE = ("the old cat sat on mats", "3:det 3:amod 4:nsubj 0:root 4:prep 5:pobj")
HEADS = np.array([2, 2, 3, -1, 3, 4])


def annotated(output, reference=REFERENCE):
    tokens, dependencies = reference
    layers = {"tokens": {"x": [output], "ref": [tokens]}, "dependencies": {"ref": [dependencies]}}
    return TestSet(outputs={"x": [output]}, references={"ref": [tokens]}, annotations=layers)


def row(output, spec="depref-exact", **options):
    texts = annotated(output, **options)
    return metric.create(spec).prepare(texts).statistics(texts, Runtime())[0, 0].tolist()


def structures(kinds):
    """By whether they are chains, which may have gaps."""
    found = {True: [], False: []}
    for some in _structures(HEADS, np.array([0, 6]), kinds, 3):
        assert some.starts.tolist() == [0, len(some.places)]
        found[some.has_gaps] += map(tuple, some.places.tolist())
    return sorted(found[True]), sorted(found[False])


CHAINS = [*[(i,) for i in range(6)], (0, 2), (0, 2, 3), (1, 2), (1, 2, 3), (2, 3), (3, 4), (3, 4, 5), (4, 5)]


def test_structures_of_a_tree():
    subtrees = [(0, 1, 2), (1, 2), (1, 2, 3), (2, 3), (2, 3, 4), (3, 4), (3, 4, 5), (4, 5)]
    assert structures("chains") == (sorted(CHAINS), [])
    assert structures("subtrees") == ([], sorted([*[(i,) for i in range(6)], *subtrees]))
    assert structures("all") == (sorted(CHAINS), [(0, 1, 2), (2, 3, 4)])


def expected_row(output, reference, heads, max_order=3):
    """The same counts, by the definition."""
    chains = set()
    for place in range(len(reference)):
        chain = []
        while place >= 0 and len(chain) < max_order:
            chain.append(place)
            chains.add(tuple(sorted(chain)))
            place = heads[place]
    windows = [range(i, i + n) for n in range(1, max_order + 1) for i in range(len(reference) - n + 1)]
    subtrees = {tuple(w) for w in windows if sum(heads[i] in w for i in w) == len(w) - 1} - chains
    counts = np.zeros((max_order, 3), dtype=int)
    counts[:, 1] = [max(0, len(output) - n) for n in range(max_order)]
    for some, occurrences in ((chains, with_gaps), (subtrees, without_gaps)):
        for words, count in Counter(tuple(reference[i] for i in places) for places in some).items():
            counts[len(words) - 1] += (min(count, occurrences(words, output)), 0, count)
    return counts.ravel().tolist()


def with_gaps(words, output):
    following, count = iter(output), 0
    while all(word in following for word in words):
        count += 1
    return count


def without_gaps(words, output):
    return sum(tuple(output[i : i + len(words)]) == words for i in range(len(output)))


def test_random_trees():
    rng = random.Random(3)
    texts = {name: [rng.choices("abcde", k=rng.randint(0, 12)) for _ in range(200)] for name in ("x", "y", "ref")}
    heads = [[-1, *(rng.randrange(i) for i in range(1, len(words)))][: len(words)] for words in texts["ref"]]
    tokens = {name: [" ".join(words) for words in column] for name, column in texts.items()}
    layers = {"tokens": tokens, "dependencies": {"ref": [" ".join(f"{h + 1}:x" for h in tree) for tree in heads]}}
    outputs = {name: tokens[name] for name in ("x", "y")}
    testset = TestSet(outputs=outputs, references={"ref": tokens["ref"]}, annotations=layers)
    table = metric.create("depref-exact").statistics(testset, Runtime(threads=2))
    for system, name in enumerate(outputs):
        for i, tree in enumerate(heads):
            assert table[system, i].tolist() == expected_row(texts[name][i], texts["ref"][i], tree), (name, i)


def test_counts():
    """6 words, 5 chains of two, 3 chains of three, and the subtrees `the old cat` and `cat sat on`."""
    assert row("the old cat sat on mats") == [6, 6, 6, 5, 5, 5, 5, 4, 5]


def test_chains_may_have_gaps_and_subtrees_may_not():
    """`sat on mats` and `the cat sat` have a gap in this output, `cat sat on` has one and is a subtree."""
    assert row("the cat then sat there on the mats") == [5, 8, 6, 4, 7, 5, 2, 6, 5]


def test_the_order_of_words_counts():
    assert row("mats on sat cat old the") == [6, 6, 6, 0, 5, 5, 0, 4, 5]


def test_repeated_structures_are_clipped():
    reference = ("a b a b", "2:x 0:root 4:x 2:x")
    assert row("a b", spec="depref-exact:max_order=2", reference=reference)[3:] == [1, 1, 3]
    assert row("a b a b", spec="depref-exact:max_order=2", reference=reference)[3:] == [3, 3, 3]


@pytest.mark.parametrize(("structures", "counts"), [("chains", [5, 3]), ("subtrees", [4, 4])])
def test_one_kind_of_structures(structures, counts):
    assert row("x", spec=f"depref-exact:structures={structures}")[5::3] == counts


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """METEOR's files with a few words: `kids` and `children` are synonyms, `home` and `the house` paraphrases."""
    monkeypatch.setattr("assay.lexicons.meteor_files._installed", lambda: None)
    return meteor_folder.write(tmp_path / "meteor")


CHILDREN = ("The children ran to the house", "2:det 3:nsubj 0:root 3:prep 6:det 4:pobj")


def aligner(folder):
    return f"aligner=(meteor:language=en,modules=exact+synonym+paraphrase,files={folder})"


@pytest.mark.parametrize(
    ("output", "matches"),
    [
        ("the children ran to the house", [6, 5, 4]),
        ("the kids ran to home", [6, 5, 4]),  # a word and a phrase in other words
        ("kids then ran to home", [5, 4, 2]),  # `kids ran` is a chain with a gap, `kids ran to` was a subtree
        ("home to ran kids the", [6, 1, 0]),  # in the order of the reference are only the words of the phrase
        ("", [0, 0, 0]),
    ],
)
def test_aligned_words(output, matches, folder):
    """Structures of three words: The-children-ran, ran-to-house, to-the-house, and the subtree children-ran-to."""
    found = row(output, spec=f"depref-align:{aligner(folder)}", reference=CHILDREN)
    assert (found[0::3], found[2::3]) == (matches, [6, 5, 4])


def test_a_text_that_is_too_long_to_align(folder):
    """The first segment is not compared, and counts all the same."""
    outputs = {"x": [None, "ran"], "y": [None, "ran " * 5000]}
    layers = {"tokens": {**outputs, "ref": ["ran"] * 2}, "dependencies": {"ref": ["0:root"] * 2}}
    texts = TestSet(outputs=outputs, references={"ref": ["ran"] * 2}, annotations=layers)
    with pytest.raises(SegmentError, match="line 2 of 'y' is too long for depref-align: 5,000 tokens"):
        score(texts, metrics=f"depref-align:{aligner(folder)}", resamples=0)


def test_the_aligner_is_part_of_the_signature(folder):
    (scores,) = score(
        annotated("kids ran", CHILDREN), metrics=f"depref-align:{aligner(folder)}", resamples=0
    ).metrics.values()
    signature = str(scores.aggregations["corpus"].signature)
    assert "|aligner:(meteor:language=en,task=rank,modules=exact+synonym+paraphrase,tok=space,files=" in signature
    assert "|jar.digest:sha256-" in signature


@pytest.mark.slow
def test_alignment_keeps_the_contract(folder):
    check_metric(metric.create(f"depref-align:{aligner(folder)}"), annotated_testset())


def test_other_aligners():
    with pytest.raises(ConfigError, match="the aligner must be meteor, not bleu"):
        metric.create("depref-align:aligner=bleu")


def test_score():
    matches, ngrams, structures = (5, 4, 2), (8, 7, 6), (6, 5, 5)
    expected = sum(2 * m / (n + s) for m, n, s in zip(matches, ngrams, structures, strict=True)) / 3
    (scores,) = score(
        annotated("the cat then sat there on the mats"), metrics="depref-exact", resamples=0
    ).metrics.values()
    assert scores.aggregations["corpus"]["x"] == pytest.approx(expected)


def test_alpha_is_the_weight_of_recall():
    recall = metric.create("depref-exact:alpha=1")
    table = recall.statistics(annotated("the cat then sat there on the mats"), Runtime())
    assert recall.score(table)[0, 0] == pytest.approx((5 / 6 + 4 / 5 + 2 / 5) / 3)


def test_metrics_with_different_weights_of_recall_do_not_share_statistics():
    """The best reference depends on alpha: one has a better precision, the other a better recall."""
    references = {"refA": ["a b c d e f"], "refB": ["a b"]}
    tokens = {"x": ["a b c y"], **references}
    heads = {"refA": ["0:r 1:x 2:x 3:x 4:x 5:x"], "refB": ["0:r 1:x"]}
    texts = TestSet(
        outputs={"x": ["a b c y"]}, references=references, annotations={"tokens": tokens, "dependencies": heads}
    )
    specs = ["depref-exact:alpha=0.01", "depref-exact:alpha=0.99"]
    for order in (specs, specs[::-1]):
        together = score(texts, metrics=order, resamples=0)
        for spec in specs:
            alone = score(texts, metrics=spec, resamples=0)
            assert np.array_equal(together[spec].statistics.table, alone[spec].statistics.table)


@pytest.mark.warns("unknown target language|files were not found")
def test_warnings_of_the_aligner(monkeypatch, tmp_path):
    """Without METEOR's files, or without a language, words match by form."""
    monkeypatch.setenv("ASSAY_RESOURCES", str(tmp_path))
    texts = annotated("kids ran", CHILDREN)
    run = score(texts, metrics="depref-align", resamples=0)
    assert any("unknown target language" in note.text for note in run.notes if note.where == "depref-align")
    run = score(replace(texts, lp="de-en"), metrics="depref-align", resamples=0)
    text = "words are aligned without METEOR's modules synonym, paraphrase, whose files were not found"
    assert [note.text for note in run.notes if note.severity == "warning"] == [text]
    run = score(replace(texts, lp="de-en"), metrics="depref-align:aligner=(meteor:modules=exact)", resamples=0)
    assert not [note for note in run.notes if note.severity == "warning"]  # chosen by the user
    assert not score(texts, metrics="depref-exact", resamples=0).notes[1:]


@pytest.mark.parametrize(
    ("option", "message"), [("tok=13a", "tok=13a has no effect"), ("lowercase=no", "lowercase is")]
)
def test_options_of_the_aligner_without_effect_are_refused(option, message):
    with pytest.raises(ConfigError, match=message):
        metric.create(f"depref-align:aligner=(meteor:{option})")


@pytest.mark.warns("METEOR does not know")
def test_tokenisers_are_no_matter_to_the_aligner():
    tokens, heads = "猫 坐 了", "2:x 0:r 2:x"
    layers = {"tokens": {"x": [tokens], "ref": [tokens]}, "dependencies": {"ref": [heads]}}
    texts = TestSet(outputs={"x": ["猫坐了"]}, references={"ref": ["猫坐了"]}, annotations=layers, lp="en-zh")
    assert not any("spaces" in note.text for note in score(texts, metrics="depref-align", resamples=0).notes)


def test_a_short_reference_has_no_large_structures():
    short = metric.create("depref-exact")
    assert short.score(short.statistics(annotated("cat", ("cat", "0:root")), Runtime()))[0, 0] == 1.0
    assert math.isnan(short.score(short.statistics(annotated("cat", ("", "")), Runtime()))[0, 0])


def test_it_says_that_it_is_unverified():
    run = score(annotated("the cat"), metrics="depref-exact", resamples=0)
    assert "|definition.digest:red-style-unverified|" in str(run["depref-exact"].aggregations["corpus"].signature)
    (note,) = [note for note in run.notes if note.kind is NoteKind.PROVENANCE]
    assert note.text.startswith("RED-style, unverified")


@pytest.mark.parametrize("options", ["max_order=0", "alpha=2", "structures=trees", "definition=verified"])
def test_options(options):
    with pytest.raises(ConfigError):
        metric.create(f"depref-exact:{options}")
