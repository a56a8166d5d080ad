from __future__ import annotations

import math

import pytest

from assay import Runtime, score
from assay.errors import ConfigError
from assay.metrics import metric
from assay.metrics.depref import _chains, _subtrees
from assay.testing import check_metric
from assay.types import NoteKind, TestSet
from tests import meteor_folder
from tests.metrics.annotated import annotated_testset

REFERENCE = ("the old cat sat on mats", "3:det 3:amod 4:nsubj 0:root 4:prep 5:pobj")
HEADS = [2, 2, 3, -1, 3, 4]


def annotated(output, reference=REFERENCE):
    tokens, dependencies = reference
    layers = {"tokens": {"x": [output], "ref": [tokens]}, "dependencies": {"ref": [dependencies]}}
    return TestSet(outputs={"x": [output]}, references={"ref": [tokens]}, annotations=layers)


def row(output, spec="depref-exact", **options):
    return metric.create(spec).statistics(annotated(output, **options), Runtime())[0, 0].tolist()


def test_structures_of_a_tree():
    assert sorted(chain for chain in _chains(HEADS, 3) if len(chain) > 1) == [
        *((0, 2), (0, 2, 3), (1, 2), (1, 2, 3), (2, 3), (3, 4), (3, 4, 5), (4, 5)),
    ]
    assert sorted(_subtrees(HEADS, 3)) == [
        *(
            (0,),
            (0, 1, 2),
            (1,),
            (1, 2),
            (1, 2, 3),
            (2,),
            (2, 3),
            (2, 3, 4),
            (3,),
            (3, 4),
            (3, 4, 5),
            (4,),
            (4, 5),
            (5,),
        ),
    ]


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


def test_the_aligner_is_part_of_the_signature(folder):
    (scores,) = score(
        annotated("kids ran", CHILDREN), metrics=f"depref-align:{aligner(folder)}", resamples=0
    ).metrics.values()
    signature = str(scores.aggregations["corpus"].signature)
    assert "|aligner:(meteor:language=en,task=rank,modules=exact+synonym+paraphrase,tok=space,files=" in signature
    assert "|words.digest:sha256-" in signature


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


def test_a_short_reference_has_no_large_structures():
    short = metric.create("depref-exact")
    assert short.score(short.statistics(annotated("cat", ("cat", "0:root")), Runtime()))[0, 0] == 1.0
    assert math.isnan(short.score(short.statistics(annotated("cat", ("", "")), Runtime()))[0, 0])


def test_it_says_that_it_is_unverified():
    run = score(annotated("the cat"), metrics="depref-exact", resamples=0)
    assert "|definition:red-style-unverified|" in str(run["depref-exact"].aggregations["corpus"].signature)
    (note,) = [note for note in run.notes if note.kind is NoteKind.PROVENANCE]
    assert note.text.startswith("RED-style, unverified")


@pytest.mark.parametrize("options", ["max_order=0", "alpha=2", "structures=trees", "definition=verified"])
def test_options(options):
    with pytest.raises(ConfigError):
        metric.create(f"depref-exact:{options}")
