"""Names of systems and references as files give them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from assay.data.tables.languages import is_known_language
from assay.data.text_files import is_pipe
from assay.errors import InputError, NameClashError, UnsafeNameError
from assay.types import check_names
from assay.types.language_codes import LANGUAGE_PAIR

__all__ = ["check_names_in_file", "checked_name", "domain_in", "stem_of", "systems_of_files", "task_and_pair"]

_DOMAINS = (
    re.compile(r"test-[a-z]{2,3}-([a-z]+)_"),
    re.compile(rf"{LANGUAGE_PAIR}_#_(.+?)_#_"),
)
_TASK = re.compile(r"(?P<name>newstest\d+|generalMT\d+|ted)_(?P<source>[a-z]{2})(?P<target>[a-z]{2})\b")

_TAGS = r"(?:_[A-Z][a-z]{3})?(?:_[A-Z]{2})?"  # script and region
_PAIR = re.compile(rf"[._](?P<source>[a-z]{{2,3}})(?P<hyphen>-?)(?P<target>[a-z]{{2,3}})(?P<tags>{_TAGS})(?=\.|$)")


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
    """The name of a file without folder, suffix and `.gz`. A suffix starts with a letter: `GPT-3.5` has none.

    The name of a pipe is a number that means nothing: it is called `pipe`, and standard input `stdin`.
    """
    if is_pipe(file):
        return "stdin" if str(file) == "-" else "pipe"
    path = Path(str(file).removesuffix(".gz"))
    return path.stem if path.suffix[1:2].isalpha() else path.name


def domain_in(document: str) -> str:
    """The domain in the name of a document of WMT24 (`test-en-news_…`) or WMT25 (`en-cs_CZ_#_news_#_…`), or nothing."""
    match = next(filter(None, (pattern.match(document) for pattern in _DOMAINS)), None)
    return match[1] if match else ""


def task_and_pair(path: Path) -> tuple[str, str]:
    """The test set and language pair in the name of a file of MQM ratings, `mqm_newstest2020_ende.tsv`.

    For other names, the name without its suffix, and a pair that follows a point or underscore: `_ende` if one of the
    languages is English, or `_zh-de`.
    """
    if named := _TASK.search(path.name):
        return named["name"], f"{named['source']}-{named['target']}"
    for pair in _PAIR.finditer(path.name):
        languages = pair["source"], pair["target"]
        if all(map(is_known_language, languages)) and (pair["hyphen"] or "en" in languages):
            return stem_of(path), "-".join(languages) + pair["tags"]
    return stem_of(path), ""


def systems_of_files(files: Sequence[str], *, path: str) -> list[str]:
    """Names of systems from their files: without folder and suffix, unless two would then be the same."""
    whole = [re.sub(r"[/\\]+", "_", file) for file in files]
    for names in ([stem_of(file) for file in files], whole):
        if len(set(names)) == len(names):
            return [checked_name("system", name, path=path) for name in names]
    duplicate, _ = Counter(whole).most_common(1)[0]
    raise NameClashError(f"two systems are called '{duplicate[:80]}'", path=path)
