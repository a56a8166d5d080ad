"""Tokens of the second text."""

from __future__ import annotations

import pytest

from assay.learned.model import as_second, split_types


def test_ids_and_types():
    torch = pytest.importorskip("torch", reason="torch is not installed (make test-neural)")
    ids, types = split_types(torch.tensor([[5, 0, *as_second((0, 7))]]))
    assert ids.tolist() == [[5, 0, 0, 7]]
    assert types.tolist() == [[0, 0, 1, 1]]
