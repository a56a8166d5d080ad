"""The type stub `_core.pyi` declares exactly what the compiled module `_core` has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from assay import _core

STUB = (Path(__file__).parents[1] / "src/assay/_core.pyi").read_text(encoding="utf-8")

Overloads: TypeAlias = list[tuple[str, str]]
"""(parameters, returned type) of every overload; ("property", type) of a property; ("", type) of a value."""


def declared(stub: str) -> dict[str, Overloads]:
    """Functions, methods, properties and attributes in a stub; types as coarse as in the compiled module."""
    for pattern, coarse in (
        (r"(?:memoryview \| )?npt\.NDArray\[np\.([a-z0-9]+)_?\]", r"\1_array"),
        (r"\b(tuple|list|dict)\[[^\[\]]*\]", r"\1"),
    ):
        stub = re.sub(pattern, coarse, stub)
    members: dict[str, Overloads] = {}
    for scope, node in _statements(ast.parse(stub)):
        if isinstance(node, ast.AnnAssign):
            members[scope + ast.unparse(node.target)] = [("", ast.unparse(node.annotation))]
        elif isinstance(node, ast.FunctionDef):
            members.setdefault(scope + node.name, []).append(_signature(node))
    return members


def _statements(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Top-level statements, and those of classes with the name of their class and a dot."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.", inner) for inner in node.body)
        else:
            yield "", node


def compiled() -> dict[str, Overloads]:
    """The same in the compiled module: nanobind keeps the signature of every overload."""
    members: dict[str, Overloads] = {}
    for name, value in vars(_core).items():
        if isinstance(value, type):
            own = vars(value).keys() - {"__doc__", "__module__", "__new__", "__weakref__"}
            members |= {f"{name}.{member}": _overloads(vars(value)[member]) for member in own}
        elif not name.startswith("__"):
            members[name] = _overloads(value)
    return members


def _overloads(value: object) -> Overloads:
    if isinstance(value, property):
        return [("property", returned) for _, returned in _overloads(value.fget)]
    if not hasattr(value, "__nb_signature__"):
        return [("", type(value).__name__)]
    return [_parse(text) for text, *_ in value.__nb_signature__]


def _parse(text: str) -> tuple[str, str]:
    """A signature as nanobind writes it; that of a property has no name."""
    text = text.replace("assay._core.", "")
    text = re.sub(r"memoryview\[[^\]]*\]", "memoryview", text)
    text = re.sub(r"(?:numpy\.)?ndarray\[dtype=(\w+)[^\]]*\]", r"\1_array", text)
    node = ast.parse(re.sub(r"^def \(", "def _(", text) + ": ...").body[0]
    assert isinstance(node, ast.FunctionDef)
    return _signature(node)


def _signature(node: ast.FunctionDef) -> tuple[str, str]:
    assert node.returns
    is_property = any(ast.unparse(decorator) == "property" for decorator in node.decorator_list)
    return "property" if is_property else ast.unparse(node.args), ast.unparse(node.returns)


def differences(stub: dict[str, Overloads], module: dict[str, Overloads]) -> list[str]:
    """The names of members that differ. Where the module returns any object, the stub may be more precise."""
    return [
        name
        for name in sorted(stub.keys() | module.keys())
        if len(stub.get(name, [])) != len(module.get(name, []))
        or any(
            ours != theirs or returned not in (declared_return, "object")
            for (ours, declared_return), (theirs, returned) in zip(stub[name], module[name], strict=True)
        )
    ]


def test_the_stub_matches_the_module():
    stub, module = declared(STUB), compiled()
    assert {name: (stub.get(name), module.get(name)) for name in differences(stub, module)} == {}
    assert {"tokenize", "unicode_tables", "NistWeights.__init__", "NistWeights.digest", "Summable.sums"} <= stub.keys()


@pytest.mark.parametrize(
    ("pattern", "replacement", "name"),
    [
        (r"line: str, tokenizer", "text: str, tokenizer", "tokenize"),
        (r"line: str, tokenizer: str", "tokenizer: str, line: str", "tokenize"),
        (r"line: str, ", "", "tokenize"),
        (r"line: str, ", "line: str, width: int, ", "tokenize"),
        (r"line: str, ", "line: bytes, ", "tokenize"),
        (r"tokenizer: str\) -> list", "tokenizer: str = ...) -> list", "tokenize"),
        (r"-> list\[str\]", "-> tuple[str, ...]", "tokenize"),
        (r"def present.*\n", "", "present"),
        (r"\Z", "def absent(column: Column) -> int: ...\n", "absent"),
        (r"unicode_tables: str", "unicode_tables: int", "unicode_tables"),
        (r"    @property\n    def digest\(self\) -> int: ...\n", "", "NistWeights.digest"),
        (r"    @property\n(    def digest)", r"\1", "NistWeights.digest"),
        (r"def digest", "def fingerprint", "NistWeights.digest"),
        (r"weights: npt.NDArray\[np.uint32\], threads", "weights: npt.NDArray[np.int64], threads", "Summable.sums"),
        (r"table: memoryview \| npt.NDArray\[np.float64\]", "values: npt.NDArray[np.float64]", "Summable.__init__"),
    ],
)
def test_every_change_of_the_stub_is_noticed(pattern, replacement, name):
    changed, count = re.subn(pattern, replacement, STUB, count=1)
    assert count == 1
    assert name in differences(declared(changed), compiled())


def test_every_change_of_the_module_is_noticed():
    stub, module = declared(STUB), compiled()
    for name, [(parameters, returned), *others] in module.items():
        assert differences(stub, module | {name: [(f"{parameters}, extra: int", returned), *others]}) == [name]
        assert differences(stub, {key: value for key, value in module.items() if key != name}) == [name]
