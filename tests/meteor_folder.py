"""METEOR's folder: a small one made up on the spot, and the real one if it was fetched (`make resources`)."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from assay.lexicons.meteor_files import LANGUAGES, MeteorFiles, find_meteor_files

FETCHED = Path(__file__).parents[1] / "build" / "resources" / "meteor-1.5"
LISTS = {
    **{f"function/{name}.words": "" for name in LANGUAGES.values()},
    **{f"nonbreaking/{name}.prefixes": "" for name in ("czech", "french", "german", "russian", "spanish")},
    "function/english.words": "the\nof\n,\n.\n",
    "function/german.words": "der\ndie\n",
    "function/other.words": "",
    "nonbreaking/english.prefixes": "#comment\nMr\n\nNo #NUMERIC_ONLY#\n",
    "synonym/english.synsets": "kid\n00000007 00000008\nchild\n00000007\nrun\n00000020\nsprint\n00000020\n",
    "synonym/english.exceptions": "child\nchildren\nrun\nran running\n",
}
PARAPHRASES = (("do not", "don 't"), ("the house", "home"), ("home", "the house"), ("a b c", "x"), ("big", "large"))


def write(folder: Path, lists: Mapping[str, str] = LISTS, paraphrases: Iterable[tuple[str, str]] = PARAPHRASES) -> str:
    """Write a folder like METEOR's; its path as text."""
    (folder / "data").mkdir(parents=True)
    with zipfile.ZipFile(folder / "meteor-1.5.jar", "w") as jar:
        for name, text in lists.items():
            jar.writestr(name, text)
    lines = "".join(f"0.5\n{phrase}\n{other}\n" for phrase, other in paraphrases)
    (folder / "data" / "paraphrase-en.gz").write_bytes(gzip.compress(lines.encode()))
    return str(folder)


def real() -> str:
    """The path of METEOR's own folder; skips without it."""
    found = MeteorFiles(FETCHED) if FETCHED.exists() else find_meteor_files()
    if found is None:
        pytest.skip("METEOR's files are not there: make resources")
    return str(found.folder)
