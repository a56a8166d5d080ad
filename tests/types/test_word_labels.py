from __future__ import annotations

import dataclasses

import pytest

from assay.types import WordLabels


def test_labels_are_values():
    labels = WordLabels(("lexical",), {"x": {0: ((0, 3, 0),)}}, {"x": {0: ("refA", ())}})
    assert labels == WordLabels(("lexical",), {"x": {0: ((0, 3, 0),)}}, {"x": {0: ("refA", ())}})
    with pytest.raises(dataclasses.FrozenInstanceError):
        labels.names = ()
