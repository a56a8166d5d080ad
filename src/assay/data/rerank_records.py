"""The record beside an output that `assay rerank` wrote: which metric chose its texts."""

from __future__ import annotations

import json
from pathlib import Path

from assay.data.text_files import digest_of, digest_of_bytes, is_pipe, shown_path
from assay.errors import InputError
from assay.files import exists
from assay.files.strict_json import parse_object
from assay.types import ChosenBy, Note, NoteKind
from assay.version import __version__

__all__ = ["is_record", "read_record", "record_path", "written_record"]

_MADE_BY = "assay rerank"
_VERSION = 1
_SUFFIX = ".rerank.json"


def record_path(output: str | Path) -> Path:
    """Where the record of an output is."""
    return Path(f"{output}{_SUFFIX}")


def written_record(content: bytes, chosen_by: ChosenBy, rule: str) -> bytes:
    """The record of an output with this content."""
    tree = {
        "version": _VERSION,
        "made_by": _MADE_BY,
        "assay": __version__,
        "rule": rule,
        "metric": chosen_by.metric,
        "parts": chosen_by.parts,
        "families": chosen_by.families,
        "signature": chosen_by.signature,
        "digest": digest_of_bytes(content),
    }
    return (json.dumps(tree, ensure_ascii=False, indent=1) + "\n").encode()


def is_record(content: bytes) -> bool:
    """Whether a file is such a record, which may be replaced."""
    try:
        tree = json.loads(content)
    except ValueError:
        return False
    return isinstance(tree, dict) and tree.get("made_by") == _MADE_BY


def read_record(output: str | Path) -> tuple[ChosenBy | None, list[Note]]:
    """What chose the texts of a file: None if there is no record, or if it is of another text."""
    path = record_path(output)
    if is_pipe(output) or not exists(path) or not path.is_file():
        return None, []
    name = shown_path(path)
    try:
        tree = parse_object(path.read_text(encoding="utf-8"), path=name)
    except (InputError, OSError, UnicodeDecodeError):
        return None, [_unread(name, "cannot be read as JSON")]
    fields = [tree.get(key) for key in ("metric", "signature", "digest")]
    lists = [tree.get(key) for key in ("parts", "families")]
    is_complete = all(isinstance(each, str) for each in fields) and all(map(_is_list_of_texts, lists))
    if tree.get("made_by") != _MADE_BY or not is_complete:
        return None, [_unread(name, f"is not a record of {_MADE_BY}")]
    metric, signature, digest = map(str, fields)
    parts, families = (tuple(each or ()) for each in lists)
    if digest != digest_of(output):
        return None, [_unread(name, "is of another text: the output changed after it was chosen")]
    return ChosenBy(metric, parts, families, signature, name), []


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _unread(name: str, reason: str) -> Note:
    return Note(NoteKind.UNREAD, f"{reason}, so whether a metric chose the output is not known", name)
