"""The package's surface."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import assay

ROOT = Path(__file__).parents[1]


def test_public_names():
    assert assay.__all__ == sorted(assay.__all__)
    for name in assay.__all__:
        value = getattr(assay, name)
        assert name == "__version__" or value.__doc__
    with pytest.raises(AttributeError):
        _ = assay.nothing
    assert [name for name in dir(assay) if not name.startswith("__")] == [
        name for name in assay.__all__ if not name.startswith("__")
    ]


def test_the_lowest_versions_that_are_tested_are_those_that_are_allowed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    names = re.search(r"\[(.*)\]", extras["all"][0])[1].split(",")
    required = [*project["dependencies"], *(requirement for name in names for requirement in extras[name])]
    lowest = dict(re.match(r"([\w-]+)>=([\d.]+)", requirement).groups() for requirement in required)
    lines = (ROOT / "tests/lowest-constraints.txt").read_text().splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert pinned.keys() == lowest.keys()
    for name, version in pinned.items():
        assert re.sub(r"(\.0)+$", "", version) == re.sub(r"(\.0)+$", "", lowest[name]), name


def test_the_example_in_the_docstring():
    assert doctest.testmod(assay).failed == 0


def test_import_is_light():
    code = "import sys, assay, assay.cli; print([m for m in ('numpy', 'scipy', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_scripts_import_nothing_of_the_tests():
    scripts = list((ROOT / "scripts").rglob("*.py"))
    assert len(scripts) > 20
    found = [
        str(path) for path in scripts if re.search(r"^\s*(from|import) tests\b", path.read_text(encoding="utf-8"), re.M)
    ]
    assert found == []
