"""Count the functions and files of Assay that one command passes through.

    python scripts/trace_call_path.py wmt22        # assay meta wmt22 --lp zh-en --gold mqm --level seg
    python scripts/trace_call_path.py --command "score --ref ref.de out.de"

Counts the named functions and methods of the package that run at least once. It leaves out lambdas, comprehensions,
class and module bodies, generated methods (such as those of dataclasses), and calls made only while a module is being
imported. A function's length is counted from its first decorator to its last line, docstring included.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import inspect
import io
import json
import shlex
import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FrameType
from unittest.mock import patch

DEFAULT_COMMAND = "meta {data} --lp zh-en --gold mqm --level seg"
OUTER_PARTS = ("cli", "console", "data", "reports")  # everything except the computation


@dataclass(frozen=True)
class Function:
    """A function that ran."""

    name: str
    file: str
    line: int
    length: int

    @property
    def part(self) -> str:
        """The module or package directly below `assay`."""
        return self.file.split("/")[1].removesuffix(".py")


class Tracer:
    """A profile function that collects the code objects of one package in the order of their first call."""

    def __init__(self, package: Path) -> None:
        self.package = package
        self.codes: dict[CodeType, None] = {}
        self._open_imports = 0

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        is_of_package = code.co_filename.startswith(f"{self.package}/") and code.co_filename.endswith(".py")
        if event not in ("call", "return") or not is_of_package:  # templates are code, too, but no functions of ours
            return
        if code.co_name == "<module>":
            self._open_imports += 1 if event == "call" else -1
        elif not self._open_imports and _is_named_function(code):
            self.codes.setdefault(code)

    def functions(self) -> list[Function]:
        """The functions that the code objects belong to."""
        return [self._function(code) for code in self.codes]

    def _function(self, code: CodeType) -> Function:
        path = Path(code.co_filename)
        file = path.relative_to(self.package.parent)
        module = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
        name = code.co_qualname.replace(".<locals>", "")
        return Function(f"{module}.{name}", file.as_posix(), code.co_firstlineno, _lengths(path)[code.co_firstlineno])


def _is_named_function(code: CodeType) -> bool:
    """Class and module bodies lack the flag CO_OPTIMIZED; lambdas and comprehensions have names like `<lambda>`."""
    return bool(code.co_flags & inspect.CO_OPTIMIZED) and not code.co_name.startswith("<")


@functools.cache
def _lengths(path: Path) -> dict[int, int]:
    """The length of every function of a file, by its first line."""
    lengths = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min(item.lineno for item in (node, *node.decorator_list))
            lengths[first] = (node.end_lineno or first) - first + 1
    return lengths


def trace(arguments: Sequence[str]) -> list[Function]:
    """Run `assay ARGUMENTS` in this process, discard its output, and return the functions in order of first call."""
    spec = find_spec("assay")
    if spec is None or spec.origin is None:
        raise SystemExit("trace_call_path: cannot import the package assay")
    tracer = Tracer(Path(spec.origin).parent)
    own_arguments = sys.argv
    sys.argv = ["assay", *arguments]
    try:
        with contextlib.redirect_stdout(io.StringIO()), patch("os._exit", sys.exit):  # a command ends its process
            sys.setprofile(tracer)
            from assay.cli import main

            main()
    except SystemExit as ending:
        if ending.code:
            raise SystemExit(f"trace_call_path: {shlex.join(sys.argv)} ended with exit code {ending.code}") from None
    finally:
        sys.setprofile(None)
        sys.argv = own_arguments
    return tracer.functions()


def summary(functions: Sequence[Function]) -> dict[str, float]:
    """Number of functions and files, and lengths of the functions."""
    lengths = [function.length for function in functions] or [0]
    return {
        "functions": len(functions),
        "files": len({function.file for function in functions}),
        "mean_length": round(statistics.fmean(lengths), 2),
        "median_length": statistics.median(lengths),
        "max_length": max(lengths),
        "total_length": sum(lengths),
    }


def report(functions: Sequence[Function]) -> dict[str, dict[str, float]]:
    """Summaries of all functions and of those outside the outer parts, and the number of functions per part."""
    return {
        "all": summary(functions),
        f"without {', '.join(OUTER_PARTS)}": summary([f for f in functions if f.part not in OUTER_PARTS]),
        "functions by part": dict(sorted(Counter(function.part for function in functions).items())),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", default="wmt22", help="replaces {data} in the command [wmt22]")
    parser.add_argument("--command", default=DEFAULT_COMMAND, help=f"the command to trace [{DEFAULT_COMMAND}]")
    parser.add_argument("--list", action="store_true", help="list the functions in the order of their first call")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    words = shlex.split(options.command.removeprefix("assay "))
    functions = trace([word.format(data=options.data) for word in words])
    figures = report(functions)
    if options.json:
        print(json.dumps(figures | {"functions": [asdict(function) for function in functions]}, indent=1))
        return
    if options.list:
        for function in functions:
            print(f"{function.name}  {function.file}:{function.line}  {function.length} lines")
        print()
    for title, rows in figures.items():
        print(f"{title}:")
        for name, value in rows.items():
            print(f"  {name:<16} {value:>8g}")


if __name__ == "__main__":
    main()
