"""CoNLL-U, the format of annotated texts (universaldependencies.org/format.html).

A file annotates one column of texts. Its sentences are matched with the segments in order, by their characters without
white space: a segment may have several sentences, an empty one has none, and a sentence that is not the next piece of
the text is an error. So a file of any tagger can be read if it was made of the same texts, one segment at a time.

The comments `# generator = …` and `# model = …` (or `# udpipe_model = …`) name the program and its model.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.data.text_files import read_lines, shown_path
from assay.errors import InputError, printable, shortened
from assay.types import AnnotatedSegment, AnnotatedSentence, Column, Note, Word, first_circle, word_layers

__all__ = ["AnnotatedColumn", "conllu_text", "is_our_conllu", "parse_conllu", "read_conllu"]

_COLUMNS = 10
_UNKNOWN = "_"
_COMMENT = re.compile(r"#\s*(\w+)\s*=\s*(.*)")
_NUMBER = re.compile(r"(?P<first>\d{1,9})(?:-(?P<last>\d{1,9})|(?P<empty>\.\d+))?", re.ASCII)
_HEAD = re.compile(r"\d{1,9}", re.ASCII)
_GENERATOR, _MODEL = "generator", "model"
_MARK = "# assay annotate"
_UNNAMED = "unnamed"
_ANEW = "it must annotate the same texts in the same order, each segment by itself; assay annotate makes such a file"


@dataclass(frozen=True, slots=True)
class AnnotatedColumn:
    """The annotation layers of a column, and the program and model that made them."""

    layers: dict[str, Column]
    annotator: str
    notes: tuple[Note, ...] = ()


def read_conllu(path: str | Path, texts: Column) -> AnnotatedColumn:
    """The annotation of these texts in a file."""
    lines, notes = read_lines(path)
    return replace(parse_conllu(lines, texts, shown_path(path)), notes=tuple(notes))


def parse_conllu(lines: Sequence[str], texts: Column, path: str) -> AnnotatedColumn:
    """The annotation of these texts in lines; `path` is for errors."""
    blocks = list(_blocks(lines))
    sentences = [block.sentence(path) for block in blocks if block.rows]
    places = [block.rows[0][0] for block in blocks if block.rows]
    return AnnotatedColumn(word_layers(_segments(sentences, places, texts, path)), _annotator(blocks))


def is_our_conllu(content: bytes) -> bool:
    """Whether `conllu_text` made a file, so that it can be made again."""
    return content.startswith(f"{_MARK}\n".encode())


def conllu_text(segments: Iterable[AnnotatedSegment | None], generator: str, model: str = "") -> str:
    """A file with these segments, which names the program and its model."""
    header = [_MARK, f"# {_GENERATOR} = {generator}", *([f"# {_MODEL} = {model}"] if model else [])]
    lines = [*header, ""]
    start = len(lines) - 1  # the comments belong to the first sentence
    for number, segment in enumerate(segments, 1):
        for part, sentence in enumerate(segment or (), 1):
            if start:
                del lines[start]
                start = 0
            lines += [f"# sent_id = {number}.{part}", f"# text = {' '.join(sentence.text.split())}"]
            lines += [_row(i, word) for i, word in enumerate(sentence.words, 1)]
            lines.append("")
    return "\n".join(lines) + "\n"


def _row(number: int, word: Word) -> str:
    head = _UNKNOWN if word.head is None else str(word.head)
    values = (word.form, word.lemma, word.pos, word.xpos, None, head, word.relation, None)
    fields = (" ".join(value.split()) if value else _UNKNOWN for value in values)
    return "\t".join((str(number), *fields, _UNKNOWN if word.has_space_after else "SpaceAfter=No"))


@dataclass(slots=True)
class _Block:
    """The comments and rows between two empty lines. A row has the number of its line."""

    comments: dict[str, str] = field(default_factory=dict)
    rows: list[tuple[int, list[str]]] = field(default_factory=list)

    def sentence(self, path: str) -> AnnotatedSentence:
        """The sentence, if its rows are right."""
        words: list[Word] = []
        lines: list[int] = []
        surface: list[str] = []
        covered = 0  # the last word of the latest multiword token, such as `du` for `de` and `le`
        for line, fields in self.rows:
            last = _last_word(fields, len(words), path, line)
            if last is None:
                continue
            if fields[0].isdecimal():
                words.append(_word(fields, path, line))
                lines.append(line)
            if last > covered:
                surface.append(fields[1])
                covered = last
        _check_heads(words, lines, path)
        return AnnotatedSentence(self.comments.get("text") or " ".join(surface), tuple(words))


def _last_word(fields: list[str], words: int, path: str, line: int) -> int | None:
    """The last word that a row stands for: itself, or the end of a multiword token; None for an empty node."""
    if len(fields) != _COLUMNS:
        hint = "CoNLL-U has ten columns, with tabs between them"
        raise InputError(f"{len(fields)} columns instead of {_COLUMNS}", path=path, line=line, hint=hint)
    number = _NUMBER.fullmatch(fields[0])
    if number is None:
        raise InputError(f"'{shortened(fields[0])}' is not the number of a word", path=path, line=line)
    if number["empty"]:
        return None
    if int(number["first"]) != words + 1:
        raise InputError(f"the word has the number {fields[0]}, expected {words + 1}", path=path, line=line)
    return int(number["last"] or number["first"])


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    block = _Block()
    for number, line in enumerate((*lines, ""), 1):
        if line.startswith("#") and not block.rows:
            if (comment := _COMMENT.fullmatch(line.rstrip())) is not None:
                block.comments.setdefault(comment[1], comment[2])
        elif line.strip():
            block.rows.append((number, line.split("\t")))
        elif block.rows or block.comments:
            yield block
            block = _Block()


def _word(fields: list[str], path: str, line: int) -> Word:
    form, lemma, pos, xpos, _, head, relation = fields[1:8]
    if not form.strip():
        raise InputError("the word has no form", path=path, line=line)
    if head != _UNKNOWN and _HEAD.fullmatch(head) is None:
        message = f"'{shortened(head)}' is not the number of a head"
        raise InputError(message, path=path, line=line, hint="the seventh column is a number, 0 for the root, or _")
    return Word(
        form,
        _known(lemma) if form != _UNKNOWN else lemma,
        _known(pos),
        _known(xpos),
        None if head == _UNKNOWN else int(head),
        _known(relation),
    )


def _known(value: str) -> str | None:
    return None if value == _UNKNOWN or not value.strip() else value


def _check_heads(words: Sequence[Word], lines: Sequence[int], path: str) -> None:
    """Raise if the heads are not those of a tree or of several."""
    if all(word.head is None for word in words):
        return
    for number, (word, line) in enumerate(zip(words, lines, strict=True), 1):
        if word.head is None:
            raise InputError(f"word {number} has no head, but others of the sentence have", path=path, line=line)
        if word.head > len(words):
            message = f"the head of word {number} is {word.head}, but the sentence has {len(words)} words"
            raise InputError(message, path=path, line=line)
    if (circle := first_circle([word.head or 0 for word in words])) is not None:
        shown = " → ".join(map(str, (*circle, circle[0])))
        raise InputError(f"the heads of the words go round in a circle: {shown}", path=path, line=lines[circle[0] - 1])


def _segments(
    sentences: Sequence[AnnotatedSentence], places: Sequence[int], texts: Column, path: str
) -> Iterator[AnnotatedSegment | None]:
    """The sentences of each segment; None without a text."""
    following = iter(zip(sentences, places, strict=True))
    for number, text in enumerate(texts, 1):
        rest = _characters(text or "")
        segment: list[AnnotatedSentence] = []
        while rest:
            sentence, line = next(following, (None, 0))
            if sentence is None:
                raise InputError(f"ends before segment {number:,} of {len(texts):,}", path=path, hint=_ANEW)
            piece = _characters(sentence.text)
            if not rest.startswith(piece):
                message = (
                    f"'{printable(shortened(sentence.text))}' is not in the text here: in segment {number:,}, "
                    f"'{printable(shortened(rest))}' follows (without white space)"
                )
                raise InputError(message, path=path, line=line, hint=_ANEW)
            rest = rest[len(piece) :]
            segment.append(sentence)
        yield None if text is None else segment
    _, line = next(following, (None, 0))
    if line:
        raise InputError(f"goes on after the last of {len(texts):,} segments", path=path, line=line, hint=_ANEW)


def _characters(text: str) -> str:
    """The text without white space, which tokenisers change."""
    return unicodedata.normalize("NFC", "".join(text.split()))


def _annotator(blocks: Iterable[_Block]) -> str:
    """The program and the model that the comments name, as they stand in signatures."""
    found: dict[str, str] = {}
    for block in blocks:
        for key, value in block.comments.items():
            kind = _MODEL if key.endswith(f"_{_MODEL}") else key
            if kind in (_GENERATOR, _MODEL) and value:
                found.setdefault(kind, re.sub(r"[^\w.+/-]+", "-", value.partition(",")[0].strip()))
    return "+".join(found[key] for key in (_GENERATOR, _MODEL) if key in found) or _UNNAMED
