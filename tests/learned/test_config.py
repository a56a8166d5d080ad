"""The configuration of a model."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from assay.errors import InputError, MissingExtraError
from assay.learned.config import check_vocabulary, read_config, read_sizes


@dataclass(frozen=True)
class Sizes:
    width: int
    depth: int = 3
    epsilon: float = 0.5
    narrow: int | None = None
    activation: str = "gelu"


def test_configurations(tmp_path):
    with pytest.raises(MissingExtraError, match=r"config\.json not found in") as raised:
        read_config(tmp_path)
    assert raised.value.hint == "copy it from the model's repository"
    (tmp_path / "config.json").write_text("[]")
    with pytest.raises(InputError, match="must be a mapping"):
        read_config(tmp_path)


def test_sizes(tmp_path):
    (tmp_path / "config.json").write_text('{"width": 8, "other": 1, "narrow": null, "epsilon": 1}')
    assert read_sizes(tmp_path, Sizes) == Sizes(8, epsilon=1)
    (tmp_path / "config.json").write_text('{"depth": 8}')
    with pytest.raises(InputError, match="the configuration has no width"):
        read_sizes(tmp_path, Sizes)


@pytest.mark.parametrize("wrong", ['"width": "8"', '"width": 1.5', '"width": true', '"width": 8, "activation": 3'])
def test_sizes_of_another_type(tmp_path, wrong):
    (tmp_path / "config.json").write_text(f"{{{wrong}}}")
    with pytest.raises(InputError, match=r"config\.json: (width|activation) cannot be") as raised:
        read_sizes(tmp_path, Sizes)
    assert raised.value.hint == "does it belong to another model?"


def test_a_vocabulary_larger_than_that_of_the_model(tmp_path):
    check_vocabulary(tmp_path, 7, 8)
    with pytest.raises(InputError, match="the tokeniser has 9 tokens, but the vocabulary of the model has 8"):
        check_vocabulary(tmp_path, 9, 8)
