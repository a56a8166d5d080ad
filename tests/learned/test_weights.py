"""Weights are read without running code, and all that a network has must be there."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import InputError
from assay.learned.weights import check_shape, filled, read_checkpoint

torch = pytest.importorskip("torch", reason="torch is not installed (make test-neural)")
pytest.importorskip("transformers", reason="transformers is not installed (make test-neural)")

PATH = Path("model.ckpt")


class Payload:
    """Would write a file if it were unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def test_tensors_and_plain_values_are_read(tmp_path):
    torch.save({"weights": torch.arange(3), "options": {"layer": "mix"}}, tmp_path / "x.ckpt")
    content = read_checkpoint(tmp_path / "x.ckpt", "1")
    assert content["weights"].tolist() == [0, 1, 2]
    assert content["options"] == {"layer": "mix"}


def test_objects_are_refused_and_not_run(tmp_path):
    torch.save({"weights": Payload(tmp_path / "touched")}, tmp_path / "x.ckpt")
    with pytest.raises(InputError, match="objects other than tensors") as raised:
        read_checkpoint(tmp_path / "x.ckpt", "1")
    assert "no code of a checkpoint is run" in raised.value.hint
    assert not (tmp_path / "touched").exists()


@pytest.mark.parametrize("content", [b"", b"version https://git-lfs.github.com/spec/v1\n", b"PK\x05\x06" + bytes(18)])
def test_files_that_are_no_checkpoint(tmp_path, content):
    (tmp_path / "x.ckpt").write_bytes(content)
    with pytest.raises(InputError, match=r"x\.ckpt"):
        read_checkpoint(tmp_path / "x.ckpt", "1")


def test_a_list_is_no_checkpoint(tmp_path):
    torch.save([1, 2], tmp_path / "x.ckpt")
    with pytest.raises(InputError, match="holds a list"):
        read_checkpoint(tmp_path / "x.ckpt", "1")


def test_a_network_gets_its_weights():
    weights = {"head.weight": torch.full((2, 3), 0.5, dtype=torch.float16), "head.bias": torch.ones(2), "other": None}
    network = filled(lambda: torch.nn.Linear(3, 2), weights, PATH, prefix="head.")
    assert network(torch.ones(3)).tolist() == [2.5, 2.5]
    assert network.weight.dtype == torch.float32
    assert not network.training


def test_missing_weights_and_other_shapes_are_refused():
    weights = {"weight": torch.zeros(2, 3)}
    with pytest.raises(InputError, match="the weights bias are missing"):
        filled(lambda: torch.nn.Linear(3, 2), weights, PATH)
    with pytest.raises(InputError, match=r"the weights weight have the shape \(2, 3\) instead of \(3, 3\)"):
        check_shape(weights, "weight", (3, 3), PATH)


def test_unknown_constants_are_refused():
    class Odd(torch.nn.Linear):
        def __init__(self):
            super().__init__(1, 1)
            self.register_buffer("odd", torch.zeros(1), persistent=False)

    with pytest.raises(InputError, match="transformers makes 'odd'"):
        filled(Odd, {"weight": torch.zeros(1, 1), "bias": torch.zeros(1)}, PATH)
