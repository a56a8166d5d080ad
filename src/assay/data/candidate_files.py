"""Candidates from files: n lines for each segment, n-best lists of Moses, JSON lines, tables, or a file for each.

Files are read strictly: whatever is out of place is an error with its line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.data.text_files import explaining_cut_off_files, read_lines, shown_path
from assay.errors import AlignmentError, ConfigError, EmptyInputError, InputError, nearest, option_name, printable
from assay.files.strict_json import parse_json
from assay.types import Note
from assay.types.candidates import Candidates
from assay.types.note import plural

__all__ = ["FORMATS", "read_candidates"]

FORMATS = ("lines", "moses", "jsonl", "tsv")
"""Formats of a single file with all candidates."""

_BARS = re.compile(r"\s*\|\|\|(?:\s|$)")
_NUMBER = re.compile(r"[0-9]+")
_LIST_KEYS = ("candidates", "hypotheses", "outputs", "translations", "samples", "nbest", "texts")
_TEXT_KEYS = ("text", "candidate", "hypothesis", "output", "translation")
_SEGMENT_COLUMNS = ("segment", "segment_id", "seg", "seg_id", "id")
_MAX_SHOWN = 40
_SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".tsv": "tsv"}


def read_candidates(
    files: str | Path | Sequence[str | Path],
    *,
    per_segment: int | None = None,
    segments: int | None = None,
    input_format: str | None = None,
    noun: str = "candidate",
) -> Candidates:
    """The candidates in a file, or in a list of files that each have one candidate for every segment.

    How many lines of a plain text file belong to a segment is said by `per_segment`, or follows from the number of
    segments.
    """
    is_single = isinstance(files, str | Path)
    paths = [files] if isinstance(files, str | Path) else list(files)
    if not paths:
        raise EmptyInputError(f"no file with {noun}s was given")
    with explaining_cut_off_files():
        if not is_single:
            _check_several(paths, per_segment, input_format)
            return _read_files(paths, noun)
        return _read_one(paths[0], per_segment, segments, input_format, noun)


def _check_several(paths: Sequence[str | Path], per_segment: int | None, input_format: str | None) -> None:
    if per_segment is not None or input_format not in (None, "lines"):
        name = option_name("per_segment", per_segment) if per_segment else option_name("input_format", input_format)
        hint = "of several files, each has one candidate for every segment"
        raise ConfigError(f"{name} is for a single file with all candidates, not for {len(paths)}", hint=hint)


def _read_files(paths: Sequence[str | Path], noun: str) -> Candidates:
    """A candidate of every segment from each file."""
    notes: list[Note] = []
    columns: list[tuple[str, ...]] = []
    for path in paths:
        lines, found = read_lines(path)
        notes += found
        if not lines:
            raise EmptyInputError("the file has no segments", path=shown_path(path))
        if columns and len(lines) != len(columns[0]):
            counts = f"{plural(len(lines), 'line')}, but {shown_path(paths[0])} has {len(columns[0]):,}"
            raise AlignmentError(f"{shown_path(path)} has {counts}", hint=f"each file has one {noun} for every segment")
        columns.append(lines)
    return Candidates.of(zip(*columns, strict=True), notes=notes, noun=noun)


def _read_one(
    path: str | Path, per_segment: int | None, segments: int | None, input_format: str | None, noun: str
) -> Candidates:
    lines, notes = read_lines(path)
    name = shown_path(path)
    if not lines:
        raise EmptyInputError("the file is empty", path=name, hint="was the program that wrote it interrupted?")
    form = input_format or ("lines" if per_segment is not None else _detected(path, lines) or "lines")
    if form not in FORMATS:
        raise ConfigError(f"unknown format of candidates '{printable(form)}'", hint=nearest(form, FORMATS))
    if per_segment is not None and form != "lines":
        raise ConfigError(
            f"{option_name('per_segment', per_segment)} does not apply to the format {form}",
            hint="such a file says itself which segment a candidate belongs to",
        )
    if form == "lines":
        number = per_segment or _lines_for_each(len(lines), segments, name, noun)
        return Candidates.of(_of_lines(lines, number, name), notes=notes, noun=noun)
    return Candidates.of(_READERS[form](lines, name, noun), notes=notes, noun=noun)


def _detected(path: str | Path, lines: Sequence[str]) -> str:
    """The format of a file; empty if it is plain text."""
    suffix = Path(str(path).lower().removesuffix(".gz")).suffix
    if suffix in _SUFFIXES:
        return _SUFFIXES[suffix]
    if _NUMBER.fullmatch(_BARS.split(lines[0], maxsplit=1)[0].strip()) and _BARS.search(lines[0]):
        return "moses"
    if lines[0].startswith(("[", "{")):
        return "jsonl"
    return ""


def _lines_for_each(lines: int, segments: int | None, path: str, noun: str) -> int:
    """How many lines each segment has."""
    if segments is None:
        hint = (
            f"say it with {option_name('per_segment', 'N')}; or give a file for each {noun}, an n-best list of Moses, "
            "JSON lines (.jsonl) or a table (.tsv)"
        )
        raise ConfigError(f"{path}: how many lines does each segment have?", hint=hint)
    if lines % segments:
        message = f"{plural(lines, 'line')} cannot be the {noun}s of {plural(segments, 'segment')}"
        hint = "give the same number of lines for each segment, or an n-best list, JSON lines or a table"
        raise AlignmentError(f"{path}: {message}", hint=hint)
    return lines // segments


def _of_lines(lines: Sequence[str], per_segment: int, path: str) -> Iterator[Sequence[str]]:
    if len(lines) % per_segment:
        whole = len(lines) // per_segment
        text = (
            f"{plural(len(lines), 'line')} cannot be {per_segment:,} for each segment: the last one has only "
            f"{len(lines) - whole * per_segment:,}"
        )
        hint = f"is {option_name('per_segment')} right? {'; '.join(_divisors(len(lines)))}" if whole else None
        raise AlignmentError(f"{path}: {text}", hint=hint)
    return (lines[first : first + per_segment] for first in range(0, len(lines), per_segment))


def _divisors(lines: int) -> Iterator[str]:
    fitting = [str(n) for n in range(2, 1001) if lines % n == 0][:6]
    yield f"these would fit: {', '.join(fitting)}" if fitting else "was the file cut off?"


@dataclass(slots=True)
class _Groups:
    """Candidates in lines of their own, those of a segment one after the other."""

    path: str
    noun: str
    names: dict[str, int]
    """The line at which a segment began."""
    groups: list[list[str]]
    last: str | None = None

    def add(self, name: str, text: str, line: int) -> None:
        """One more candidate."""
        if name != self.last:
            if name in self.names:
                raise InputError(
                    f"segment {_shown(name)} began at line {self.names[name]:,}, and others stand in between",
                    path=self.path,
                    line=line,
                    hint=f"put all {self.noun}s of a segment one after the other",
                )
            self.names[name], self.last = line, name
            self.groups.append([])
        self.groups[-1].append(text)


def _of_moses(lines: Sequence[str], path: str, noun: str) -> list[list[str]]:
    """`id ||| text ||| features ||| score`: ids are numbers from 0 or 1 without gaps."""
    found = _Groups(path, noun, {}, [])
    expected: int | None = None
    for line, row in enumerate(lines, 1):
        fields = _BARS.split(row)
        name = fields[0].strip()
        if len(fields) < 2:
            message = "expected fields separated by |||: the number of the segment, the text, …"
            raise InputError(message, path=path, line=line)
        if not _NUMBER.fullmatch(name):
            raise InputError(f"the number of the segment is not a number: '{_shown(name)}'", path=path, line=line)
        number = int(name)
        if expected is None and number not in (0, 1):
            raise InputError(f"the first segment has the number {number}, not 0 or 1", path=path, line=line)
        if expected is not None and number > expected + 1:
            message = f"segment {expected + 1} is missing: {number} follows {expected}"
            raise InputError(message, path=path, line=line, hint=f"each segment needs at least one {noun}")
        found.add(str(number), fields[1].strip(), line)
        expected = number
    return found.groups


def _of_jsonl(lines: Sequence[str], path: str, noun: str) -> Iterator[list[str]]:
    """A list of texts, or an object with such a list."""
    for line, row in enumerate(lines, 1):
        if not row.strip():
            hint = "each line is a list of texts, or an object with one"
            raise InputError("the line is empty", path=path, line=line, hint=hint)
        value = parse_json(row, path=path, line=line)
        if isinstance(value, Mapping):
            value = _list_of(value, path, line)
        if not isinstance(value, list):
            raise InputError(f"expected a list of texts, not {_kind(value)}", path=path, line=line)
        if not value:
            raise EmptyInputError(f"the segment has no {noun}", path=path, line=line)
        yield [_text_of(item, place, path, line) for place, item in enumerate(value, 1)]


def _list_of(value: Mapping[str, object], path: str, line: int) -> object:
    keys = [key for key in _LIST_KEYS if key in value]
    if len(keys) == 1:
        return value[keys[0]]
    found = f"has {' and '.join(keys)}" if keys else f"has {', '.join(map(_shown, value)) or 'no key'}"
    hint = f"call the list of texts {_LIST_KEYS[0]}" if not keys else "keep one of them"
    raise InputError(f"no single list of candidates: the object {found}", path=path, line=line, hint=hint)


def _text_of(item: object, place: int, path: str, line: int) -> str:
    if isinstance(item, Mapping):
        keys = [key for key in _TEXT_KEYS if key in item]
        if len(keys) != 1:
            message = f"candidate {place} is an object without a single text; its key is called text"
            raise InputError(message, path=path, line=line)
        item = item[keys[0]]
    if not isinstance(item, str):
        raise InputError(f"candidate {place} is {_kind(item)}, not text", path=path, line=line)
    if "\n" in item or "\r" in item:
        message = f"candidate {place} has a line break"
        hint = "the chosen texts are written one per line: replace line breaks by spaces first"
        raise InputError(message, path=path, line=line, hint=hint)
    return item


def _of_tsv(lines: Sequence[str], path: str, noun: str) -> list[list[str]]:
    """A header with a column of segments and one of texts, then a candidate in each row."""
    header = [name.strip().lower() for name in lines[0].split("\t")]
    segment, text = _column(header, _SEGMENT_COLUMNS, path), _column(header, _TEXT_KEYS, path)
    found = _Groups(path, noun, {}, [])
    for line, row in enumerate(lines[1:], 2):
        cells = row.split("\t")
        if len(cells) != len(header):
            message = f"{plural(len(cells), 'field')}, but the header has {len(header)}"
            raise InputError(message, path=path, line=line)
        if not cells[segment].strip():
            raise InputError("the segment is empty", path=path, line=line)
        found.add(cells[segment].strip(), cells[text], line)
    if not found.groups:
        raise EmptyInputError("there is nothing below the header", path=path)
    _check_order(found.names, path)
    return found.groups


def _check_order(names: Mapping[str, int], path: str) -> None:
    """Raise if segments have numbers that are not in order and without gaps: chosen texts are written one per line."""
    if not all(map(_NUMBER.fullmatch, names)):
        return
    numbers = list(map(int, names))
    for place, (name, line) in enumerate(names.items()):
        expected = place + (1 if numbers[0] else 0)
        if numbers[place] != expected:
            message = f"segment {_shown(name)} stands where segment {expected} should be"
            hint = "number the segments from 0 or 1 in order and without gaps, or call them by other names, such as s7"
            raise InputError(message, path=path, line=line, hint=hint)


def _column(header: Sequence[str], names: Iterable[str], path: str) -> int:
    places = [place for place, name in enumerate(header) if name in names]
    if len(places) == 1:
        return places[0]
    wanted = " or ".join(names)
    number = "no column" if not places else "several columns"
    message = f"{number} called {wanted}: the header has {', '.join(map(_shown, header))}"
    raise InputError(message, path=path, line=1, hint="name the columns segment and text")


_READERS: Mapping[str, Callable[[Sequence[str], str, str], Iterable[Sequence[str]]]] = {
    "moses": _of_moses,
    "jsonl": _of_jsonl,
    "tsv": _of_tsv,
}


def _shown(text: str) -> str:
    return printable(text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…")


def _kind(value: object) -> str:
    names = {type(None): "null", bool: "true or false", int: "a number", float: "a number", str: "a text"}
    return names.get(type(value), "an object" if isinstance(value, Mapping) else "a list")
