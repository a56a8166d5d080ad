from __future__ import annotations

import ast
import subprocess
import sys
import types
from pathlib import Path

import pytest

import assay.results
import assay.types
from assay.lazily import attach, numpy

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


def test_numpy_is_imported_when_an_attribute_is_read():
    program = (
        "import sys; from assay.lazily import numpy as np; print('numpy' in sys.modules); "
        "print(np.ndarray is np.ndarray is sys.modules['numpy'].ndarray)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
    with pytest.raises(AttributeError, match="nothing"):
        _ = numpy.nothing
