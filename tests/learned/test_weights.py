"""Weights are read without running code, and all that a network has must be there."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from assay.errors import InputError
from assay.learned.weights import check_shape, load_network, read_checkpoint, read_weights

torch = pytest.importorskip("torch", reason="torch is not installed (make test-neural)")
pytest.importorskip("transformers", reason="transformers is not installed (make test-neural)")

safetensors = pytest.importorskip("safetensors")

PATH = Path("model.ckpt")
SHAPES = {"a": (2,), "b": (1, 3)}
FORMS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")


def as_float(_name, tensor):
    return tensor.float()


def saved(folder, form):
    """Write three weights in one of the forms."""
    from safetensors.torch import save_file

    weights = {"a": torch.tensor([1.0, 2.0]), "b": torch.ones(1, 3), "c": torch.arange(6.0).reshape(3, 2)}
    save = torch.save if "bin" in form else save_file
    if not form.endswith(".index.json"):
        save(weights, folder / form)
        return
    files = {name: f"part-{name}.{'bin' if 'bin' in form else 'safetensors'}" for name in weights}
    for name, file in files.items():
        save({name: weights[name]}, folder / file)
    (folder / form).write_text(json.dumps({"weight_map": files}))


def read(folder, shapes=SHAPES, place=as_float, **options):
    weights = read_weights(folder, "0", shapes, place, **options)
    return {name: tensor.tolist() for name, tensor in weights.items()}


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_of_weights(tmp_path, form):
    saved(tmp_path, form)
    assert read(tmp_path) == {"a": [1.0, 2.0], "b": [[1.0, 1.0, 1.0]]}
    assert read(tmp_path, {"c": (3, 2)}, rows={"c": 1}) == {"c": [2.0, 3.0]}


class RecordedSlice:
    """A tensor of safetensors that records what is read of it."""

    def __init__(self, tensor, name, steps):
        self.tensor, self.name, self.steps = tensor, name, steps

    def get_shape(self):
        return self.tensor.get_shape()

    def __getitem__(self, index):
        self.steps.append(("read", self.name, index))
        return self.tensor[index]


def test_each_tensor_is_moved_before_the_next_one_is_read(tmp_path, monkeypatch):
    """And of a matrix, of which one row is needed, only this row is read."""
    saved(tmp_path, "model.safetensors")
    steps = []

    def place(name, tensor):
        steps.append(("moved", name, tuple(tensor.shape)))
        return tensor

    @contextmanager
    def recorded(path, **options):
        with safe_open(path, **options) as file:
            slices = {name: RecordedSlice(file.get_slice(name), name, steps) for name in file.keys()}  # noqa: SIM118
            yield SimpleNamespace(keys=slices.keys, get_slice=slices.get)

    safe_open = safetensors.safe_open
    monkeypatch.setattr(safetensors, "safe_open", recorded)
    read(tmp_path, {"a": (2,), "c": (3, 2)}, place, rows={"c": 2})
    expected = [("read", "a", slice(None)), ("moved", "a", (2,)), ("read", "c", 2), ("moved", "c", (2,))]
    assert steps == expected


def test_missing_weights(tmp_path):
    saved(tmp_path, "model.safetensors")
    with pytest.raises(InputError, match="the weights d are missing"):
        read(tmp_path, {**SHAPES, "d": (1,)})
    with pytest.raises(InputError, match=r"the weights a have the shape \(2,\) instead of \(3,\)"):
        read(tmp_path, {"a": (3,)})


@pytest.mark.parametrize("name", ["model.safetensors", "pytorch_model.bin"])
def test_a_git_lfs_pointer(tmp_path, name):
    (tmp_path / name).write_text("version https://git-lfs.github.com/spec/v1")
    with pytest.raises(InputError, match="is a Git LFS pointer"):
        read(tmp_path)


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
    assert "no code in a checkpoint is run" in raised.value.hint
    assert not (tmp_path / "touched").exists()


@pytest.mark.parametrize("content", [b"", b"version https://git-lfs.github.com/spec/v1\n", b"PK\x05\x06" + bytes(18)])
def test_files_that_are_no_checkpoint(tmp_path, content):
    (tmp_path / "x.ckpt").write_bytes(content)
    with pytest.raises(InputError, match=r"x\.ckpt"):
        read_checkpoint(tmp_path / "x.ckpt", "1")


def test_a_list_is_no_checkpoint(tmp_path):
    torch.save([1, 2], tmp_path / "x.ckpt")
    with pytest.raises(InputError, match="contains a list"):
        read_checkpoint(tmp_path / "x.ckpt", "1")


def test_a_network_gets_its_weights():
    weights = {"head.weight": torch.full((2, 3), 0.5, dtype=torch.float16), "head.bias": torch.ones(2), "other": None}
    network = load_network(lambda: torch.nn.Linear(3, 2), weights, PATH, as_float, prefix="head.")
    assert network(torch.ones(3)).tolist() == [2.5, 2.5]
    assert network.weight.dtype == torch.float32
    assert not network.training


def test_missing_weights_and_other_shapes_are_refused():
    weights = {"weight": torch.zeros(2, 3)}
    with pytest.raises(InputError, match="the weights bias are missing"):
        load_network(lambda: torch.nn.Linear(3, 2), weights, PATH, as_float)
    with pytest.raises(InputError, match=r"the weights weight have the shape \(2, 3\) instead of \(3, 3\)"):
        check_shape(weights, "weight", (3, 3), PATH)


def test_unknown_constants_are_refused():
    class Odd(torch.nn.Linear):
        def __init__(self):
            super().__init__(1, 1)
            self.register_buffer("odd", torch.zeros(1), persistent=False)

    with pytest.raises(InputError, match="registers an unknown buffer 'odd'"):
        load_network(Odd, {"weight": torch.zeros(1, 1), "bias": torch.zeros(1)}, PATH, as_float)


@pytest.mark.parametrize("form", ["model.safetensors", "pytorch_model.bin"])
def test_weights_of_more_layers_than_the_configuration_says(tmp_path, form):
    from safetensors.torch import save_file

    names = ("layer.0.weight", "layer.1.weight", "pooler.weight")
    weights = {name: torch.ones(2) for name in names}
    (torch.save if form.endswith("bin") else save_file)(weights, tmp_path / form)
    assert set(read_weights(tmp_path, "0", dict.fromkeys(names[:2], (2,)), as_float)) == set(names[:2])
    with pytest.raises(InputError, match=r"more layers than its configuration says: layer\.1\.weight is not used"):
        read_weights(tmp_path, "0", {"layer.0.weight": (2,)}, as_float)


def test_a_network_with_fewer_layers_than_the_checkpoint():
    weights = {"0.weight": torch.ones(1, 1), "1.weight": torch.ones(1, 1)}
    with pytest.raises(InputError, match=r"more layers than its configuration says: 1\.weight"):
        load_network(lambda: torch.nn.Sequential(torch.nn.Linear(1, 1, bias=False)), weights, PATH, as_float)
