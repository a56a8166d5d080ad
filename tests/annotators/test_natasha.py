from __future__ import annotations

import pytest

from assay.annotators import find_annotator
from assay.annotators.natasha import _without_cycles


@pytest.mark.parametrize(
    ("heads", "expected"),
    [
        ([2, 0, 2], [2, 0, 2]),
        ([2, 1, 2], [0, 1, 2]),  # the first word of a cycle becomes a root
        ([2, 3, 2, 0], [2, 0, 2, 0]),
        ([1, 9, 0], [0, 0, 0]),
        ([], []),
    ],
)
def test_trees_have_no_cycles(heads, expected):
    assert _without_cycles(heads) == expected


def test_sentences():
    pytest.importorskip("natasha")
    annotator = find_annotator(None, "ru")
    segment, empty = annotator.annotate(["Кошки сидели на коврике. Они побежали домой.", ""])
    assert [[word.lemma for word in sentence.words] for sentence in segment] == [
        ["кошка", "сидеть", "на", "коврик", "."],
        ["они", "побежать", "домой", "."],
    ]
    assert [(word.pos, word.head, word.relation) for word in segment[0].words][:2] == [
        ("NOUN", 2, "nsubj"),
        ("VERB", 0, "root"),
    ]
    assert [word.has_space_after for word in segment[0].words] == [True, True, True, False, True]
    assert empty == []
    assert annotator.program == "natasha 1.6.0"
    assert annotator.model_version.startswith("slovnet 0.6.0 pymorphy2-dicts ")
