from __future__ import annotations

import ast
import importlib
import subprocess
import sys
import types
from pathlib import Path

import pytest

import assay.results
import assay.types
from assay.lazily import attach, import_later

PACKAGES = [assay, assay.results, assay.types]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_has_its_home(package):
    assert set(package.__all__) <= set(dir(package))
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'nothing'"):
        _ = package.nothing


def test_names_come_from_the_stub(tmp_path, monkeypatch):
    stub = "from assay.lazily import attach as attach\nfrom assay.version import __version__ as __version__\n"
    (tmp_path / "__init__.pyi").write_text(stub, encoding="utf-8")
    package = types.ModuleType("somewhere")
    monkeypatch.setitem(sys.modules, "somewhere", package)
    find, names, exported = attach("somewhere", str(tmp_path / "__init__.py"))
    assert exported == ["__version__", "attach"]
    assert {"attach", "__version__"} <= set(names())
    assert find("attach") is attach is package.attach
    with pytest.raises(AttributeError, match="module 'somewhere' has no attribute 'nothing'"):
        find("nothing")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_line_of_a_stub_is_read(package):
    stub = ast.parse(Path(package.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imported = [alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert sorted(imported) == package.__all__
    others = [ast.unparse(node) for node in stub.body[1:] if not isinstance(node, ast.ImportFrom)]
    assert others == ["__all__: list[str]"]


def test_scoring_does_not_wait_for_what_it_does_not_need():
    code = "import sys; from assay.results import Run; from assay.types import TestSet; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "assay.results.scores" in found
    assert not {"assay.results.meta", "assay.results.robustness", "assay.types.campaign"} & set(found)


def test_modules_for_users_need_no_import():
    code = "import assay; print(assay.metrics.from_function.__name__, assay.errors.InputError.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["from_function", "InputError"]


def test_a_module_that_is_imported_later(tmp_path, monkeypatch):
    (tmp_path / "imported_later.py").write_text("loads = []\nloads.append(1)\nname = 'value'\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import_later("imported_later")
    stand_in = importlib.import_module("imported_later")
    assert "loads" not in vars(stand_in)
    assert stand_in.name == "value"
    module = importlib.import_module("imported_later")
    assert module is not stand_in
    assert (module.loads, stand_in.loads) == ([1], [1])
    with pytest.raises(AttributeError, match="nothing"):
        _ = stand_in.nothing
    import_later("imported_later")  # which changes nothing now
    assert sys.modules.pop("imported_later") is module
