"""Names of systems and references as files give them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from assay.errors import InputError, NameClashError, UnsafeNameError
from assay.types import check_names

__all__ = ["check_names_in_file", "checked_name", "stem_of", "systems_of_files"]


def checked_name(kind: str, name: str, *, path: str, line: int | None = None) -> str:
    """The name of a system or reference, if it is a valid one; otherwise an error with file and line."""
    check_names_in_file(kind, [name], path=path, line=line)
    return name


def check_names_in_file(kind: str, names: Iterable[str], *, path: str, line: int | None = None) -> None:
    """As `check_names`, with errors that name the file."""
    try:
        check_names(kind, names)
    except InputError as error:
        hint = "rename it in the file" if isinstance(error, UnsafeNameError) else error.hint
        raise type(error)(error.message, path=path, line=line, hint=hint) from None


def stem_of(file: str | Path) -> str:
    """The name of a file without folder, suffix and `.gz`."""
    return Path(str(file).removesuffix(".gz")).stem


def systems_of_files(files: Sequence[str], *, path: str) -> list[str]:
    """Names of systems from their files: without folder and suffix, unless two would then be the same."""
    whole = [re.sub(r"[/\\]+", "_", file) for file in files]
    for names in ([stem_of(file) for file in files], whole):
        if len(set(names)) == len(names):
            return [checked_name("system", name, path=path) for name in names]
    duplicate, _ = Counter(whole).most_common(1)[0]
    raise NameClashError(f"two systems are called '{duplicate[:80]}'", path=path)
