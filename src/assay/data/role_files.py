"""Semantic roles as labellers write them: the columns of CoNLL-2009, CoNLL-2012 and PropBank, and JSON lines.

A file annotates one column of texts, and its sentences are matched with the segments as those of CoNLL-U are. It has
the words, too, so it makes the layers `tokens` and `roles`, and from CoNLL-2009 also lemmas, tags and dependencies.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from assay.data.conllu import AnnotatedColumn, in_segments, missing_values
from assay.data.text_files import read_lines, shown_path
from assay.errors import InputError, printable, shortened
from assay.types import AnnotatedSentence, Column, Frame, Role, Word, is_predicate, word_layers
from assay.types.annotation import UNNAMED
from assay.types.note import plural
from assay.types.semantic_roles import PREDICATE

__all__ = ["ROLE_FILES", "read_roles"]

_UNKNOWN = "_"
_NONE = "-"  # no predicate, in columns with brackets
_BRACKETS = re.compile(r"(?P<opened>(?:\([^()*\s]+)*)\*(?P<closed>(?:[^()*\s]*\))*)")


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of a sentence, each with its line."""

    rows: tuple[tuple[int, list[str]], ...]
    path: str

    @property
    def line(self) -> int:
        """Where the sentence starts."""
        return self.rows[0][0]

    def error(self, message: str, row: int = 0, hint: str | None = None) -> InputError:
        """The error for a row."""
        return InputError(message, path=self.path, line=self.rows[row][0], hint=hint)

    def column(self, number: int) -> list[str]:
        """The values of a column."""
        return [fields[number] for _, fields in self.rows]


def read_roles(path: str | Path, kind: str, texts: Column) -> AnnotatedColumn:
    """The words and roles of these texts in a file of a kind, one of `ROLE_FILES`."""
    lines, notes = read_lines(path)
    shown = shown_path(path)
    sentences, places = [], []
    for place, sentence in ROLE_FILES[kind](lines, shown):
        places.append(place)
        sentences.append(sentence)
    layers = word_layers(in_segments(sentences, places, texts, shown))
    missing = (note for layer, column in layers.items() for note in missing_values(layer, column, texts, shown))
    return AnnotatedColumn(layers, UNNAMED, (*notes, *missing))


def _sentences(lines: Sequence[str], path: str, *, separator: str | None) -> Iterator[_Rows]:
    """The rows between empty lines; those of a sentence have the same number of columns."""
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate((*lines, ""), 1):
        if line.startswith("#") and not rows:
            continue  # a comment, such as #begin document
        if line.strip():
            rows.append((number, line.rstrip("\r\n").split(separator)))
            if len(rows[-1][1]) != len(rows[0][1]):
                found = f"{plural(len(rows[-1][1]), 'column')} instead of {len(rows[0][1])}, as in line {rows[0][0]:,}"
                raise InputError(found, path=path, line=number, hint="an empty line stands between sentences")
        elif rows:
            yield _Rows(tuple(rows), path)
            rows = []


def _spaced(words: Sequence[Word]) -> str:
    return " ".join(word.form for word in words)


# CoNLL-2009 (ufal.mff.cuni.cz/conll2009-st): words with heads; arguments are marked at the heads of their phrases.
_FORM, _LEMMA, _POS, _HEAD, _RELATION, _PREDICATE, _FIRST_ARGUMENT = 1, 2, 4, 8, 10, 13, 14


def _conll09(lines: Sequence[str], path: str) -> Iterator[tuple[int, AnnotatedSentence]]:
    for rows in _sentences(lines, path, separator="\t"):
        if len(rows.rows[0][1]) < _FIRST_ARGUMENT:
            message = f"{plural(len(rows.rows[0][1]), 'column')} instead of {_FIRST_ARGUMENT} or more"
            raise rows.error(
                message, hint="CoNLL-2009 has 14 columns with tabs between them, and one for each predicate"
            )
        heads = _heads(rows)
        columns = (rows.column(_FORM), _predicted(rows, _LEMMA), _predicted(rows, _POS), _predicted(rows, _RELATION))
        words = tuple(
            Word(form, lemma, None, pos, head, relation)
            for form, lemma, pos, relation, head in itertools.zip_longest(*columns, heads)
        )
        yield rows.line, AnnotatedSentence(_spaced(words), words, tuple(_conll09_frames(rows, heads)))


def _predicted(rows: _Rows, column: int) -> list[str | None]:
    """The values of a column, or those that were predicted, in the next one."""
    pairs = zip(rows.column(column), rows.column(column + 1), strict=True)
    return [next((value for value in pair if value != _UNKNOWN), None) for pair in pairs]


def _heads(rows: _Rows) -> list[int]:
    """The heads, from 1; none if the words have none."""
    values = _predicted(rows, _HEAD)
    if all(value is None for value in values):
        return []
    for row, value in enumerate(values):
        if value is None or not value.isdecimal() or int(value) > len(values):
            raise rows.error(f"'{shortened(value or _UNKNOWN)}' is not the head of a word", row, "0 is a root")
    return [int(value or 0) for value in values]


def _conll09_frames(rows: _Rows, heads: Sequence[int]) -> Iterator[Frame]:
    predicates = [row for row, value in enumerate(rows.column(_PREDICATE)) if value != _UNKNOWN]
    columns = len(rows.rows[0][1]) - _FIRST_ARGUMENT
    if len(predicates) != columns:
        message = f"{plural(len(predicates), 'predicate')}, but {plural(columns, 'column')} of arguments"
        raise rows.error(message, hint="each word with a value in column 14 has a column of arguments")
    children: dict[int, list[int]] = {}
    for word, head in enumerate(heads):
        children.setdefault(head - 1, []).append(word)
    for number, predicate in enumerate(predicates):
        labels = rows.column(_FIRST_ARGUMENT + number)
        arguments = (
            Role(label, *_phrase(word, predicate, children)) for word, label in enumerate(labels) if label != _UNKNOWN
        )
        yield (Role(PREDICATE, predicate, predicate + 1), *arguments)


def _phrase(head: int, predicate: int, children: Mapping[int, Sequence[int]]) -> tuple[int, int]:
    """From the first to the last word below a head, but not below one that the predicate depends on, as YiSi does."""
    words, following = {head}, [head]
    while following:
        below = children.get(following.pop(), ())
        if predicate not in below:
            following += [word for word in below if word not in words]  # faulty trees have cycles
            words.update(below)
    return min(words), max(words) + 1


# Columns with brackets: `(A0*`, `*`, `*)`, one column for each predicate, as in CoNLL-2005 and CoNLL-2012.
def _conll12(lines: Sequence[str], path: str) -> Iterator[tuple[int, AnnotatedSentence]]:
    """CoNLL-2012: the word in the fourth column, arguments from the twelfth to the one before the last."""
    for rows in _sentences(lines, path, separator=None):
        columns = len(rows.rows[0][1])
        if columns < 12:
            raise rows.error(
                f"{plural(columns, 'column')} instead of 12 or more", hint="is it a file of PropBank columns?"
            )
        words = tuple(Word(form) for form in rows.column(3))
        frames = tuple(_bracketed(rows, number) for number in range(11, columns - 1))
        yield rows.line, AnnotatedSentence(_spaced(words), words, frames)


def _props(lines: Sequence[str], path: str) -> Iterator[tuple[int, AnnotatedSentence]]:
    """The word, any other columns, the predicate or `-`, and a column for each predicate, as in CoNLL-2005."""
    for rows in _sentences(lines, path, separator=None):
        columns = len(rows.rows[0][1])
        frames = columns
        while frames > 1 and all(_BRACKETS.fullmatch(value) for value in rows.column(frames - 1)):
            frames -= 1
        predicates = sum(value != _NONE for value in rows.column(frames - 1)) if frames > 1 else -1
        if predicates != columns - frames:
            message = "expected a word, then a predicate or -, then one column of arguments for each predicate"
            raise rows.error(message, hint="such as: sat sit (V*), in columns with spaces between them")
        words = tuple(Word(form) for form in rows.column(0))
        yield (
            rows.line,
            AnnotatedSentence(
                _spaced(words), words, tuple(_bracketed(rows, number) for number in range(frames, columns))
            ),
        )


def _bracketed(rows: _Rows, column: int) -> Frame:
    """The frame of a column with brackets."""
    opened: list[tuple[str, int]] = []
    roles: list[Role] = []
    for row, value in enumerate(rows.column(column)):
        parts = _BRACKETS.fullmatch(value)
        if parts is None:
            raise rows.error(f"'{printable(shortened(value))}' is not of the form (A0*, * or *)", row)
        opened += [(label, row) for label in parts["opened"].split("(")[1:]]
        for _ in range(parts["closed"].count(")")):
            if not opened:
                raise rows.error("a bracket is closed that was not opened", row)
            label, start = opened.pop()
            roles.append(Role(label, start, row + 1))
    if opened:
        raise rows.error(f"the bracket ({opened[-1][0]} is not closed", opened[-1][1])
    return _with_predicate_first(roles, lambda found: rows.error(f"column {column + 1} has {found}"))


# JSON lines, as the labeller of AllenNLP writes them.
def _json_lines(lines: Sequence[str], path: str) -> Iterator[tuple[int, AnnotatedSentence]]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            words, frames = _json_sentence(line, path, number)
            yield number, AnnotatedSentence(_spaced(words), words, frames)


def _json_sentence(line: str, path: str, number: int) -> tuple[tuple[Word, ...], tuple[Frame, ...]]:
    hint = 'a line is an object such as {"words": ["He", "sat"], "verbs": [{"tags": ["B-ARG0", "B-V"]}]}'
    try:
        sentence: dict[str, Any] = json.loads(line)
        words = tuple(Word(str(form)) for form in sentence["words"])
        tags = [list(map(str, verb["tags"])) for verb in sentence["verbs"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError("has no words and verbs", path=path, line=number, hint=hint) from None
    for of_verb in tags:
        if len(of_verb) != len(words):
            message = f"{plural(len(of_verb), 'tag')} for {plural(len(words), 'word')}"
            raise InputError(message, path=path, line=number, hint="each word has one tag for each verb")

    def error(found: str) -> InputError:
        return InputError(f"a verb has {found}", path=path, line=number, hint="its tags have one span B-V")

    return words, tuple(_with_predicate_first(_tagged(of_verb), error) for of_verb in tags if set(of_verb) != {"O"})


def _tagged(tags: Sequence[str]) -> list[Role]:
    """The spans of tags such as B-ARG0, I-ARG0 and O; an I that continues nothing starts a span."""
    roles: list[Role] = []
    for place, tag in enumerate(tags):
        position, _, label = tag.partition("-")
        if not label:
            continue
        continues = position == "I" and roles and roles[-1].label == label and roles[-1].end == place
        if continues:
            roles[-1] = roles[-1]._replace(end=place + 1)
        else:
            roles.append(Role(label, place, place + 1))
    return roles


def _with_predicate_first(roles: Sequence[Role], error: Callable[[str], InputError]) -> Frame:
    predicates = [role for role in roles if is_predicate(role.label)]
    if len(predicates) != 1:
        raise error(f"{len(predicates)} predicates" if predicates else "no predicate")
    return (*predicates, *(role for role in roles if role is not predicates[0]))


_Reader: TypeAlias = Callable[[Sequence[str], str], Iterator[tuple[int, AnnotatedSentence]]]

ROLE_FILES: Mapping[str, _Reader] = MappingProxyType(
    {"conll09": _conll09, "conll12": _conll12, "props": _props, "srl.jsonl": _json_lines}
)
"""How a file is read, by what its name ends in: `elm.de.conll09` for the texts in `elm.de`."""
