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

from assay.data.text_files import digest_of_bytes, read_lines, shown_path
from assay.errors import InputError, printable, shortened
from assay.types import AnnotatedSegment, AnnotatedSentence, Column, Note, NoteKind, Word, find_cycle, word_layers
from assay.types.annotation import CYCLE_HINT, UNNAMED
from assay.types.note import plural

__all__ = [
    "AnnotatedColumn",
    "conllu_text",
    "in_segments",
    "is_unchanged",
    "is_written_by_assay",
    "line_of_tag",
    "missing_values",
    "parse_conllu",
    "read_conllu",
    "without_spaces",
]

_COLUMNS = 10
_UNKNOWN = "_"
_COMMENT = re.compile(r"#\s*(\w+)\s*=\s*(.*)")
_NUMBER = re.compile(r"(?P<first>\d{1,9})(?:-(?P<last>\d{1,9})|(?P<empty>\.\d+))?", re.ASCII)
_HEAD = re.compile(r"\d{1,9}", re.ASCII)
_GENERATOR, _MODEL = "generator", "model"
_MARK = "# assay annotate"
_DIGITS = 8  # of a digest in signatures
_MULTIWORD_HINT = "the row of a multiword token, such as 1-2, stands before the rows of its words, here 1 and 2"
_TREE_HINT = "the seventh column has the number of a word of the same sentence, or 0 for the root"
_SAME_TEXTS_HINT = (
    "the file must annotate the same texts in the same order, segment by segment; assay annotate writes such files"
)


@dataclass(frozen=True, slots=True)
class AnnotatedColumn:
    """The annotation layers of a column, and the program and model that made them."""

    layers: dict[str, Column]
    annotator: str
    notes: tuple[Note, ...] = ()


def read_conllu(path: str | Path, texts: Column) -> AnnotatedColumn:
    """The annotation of these texts in a file."""
    lines, notes = read_lines(path)
    annotated = parse_conllu(lines, texts, shown_path(path))
    content = "\n".join((*lines, "")).encode()
    if content.startswith(f"{_MARK} ".encode()) and not is_unchanged(content):
        edited = f"{annotated.annotator}-edited-{digest_of_bytes(content)[:_DIGITS]}"
        annotated = replace(annotated, annotator=edited)
    return replace(annotated, notes=(*notes, *annotated.notes))


def parse_conllu(lines: Sequence[str], texts: Column, path: str) -> AnnotatedColumn:
    """The annotation of these texts in lines; `path` is for errors and notes."""
    blocks = list(_blocks(lines))
    sentences = [block.sentence(path) for block in blocks if block.rows]
    places = [block.rows[0][0] for block in blocks if block.rows]
    layers = word_layers(in_segments(sentences, places, texts, path))
    notes = (note for layer, column in layers.items() for note in missing_values(layer, column, texts, path))
    return AnnotatedColumn(layers, _annotator(blocks), tuple(notes))


def line_of_tag(path: str | Path, tag: str) -> int | None:
    """The first line of a file with a word that has this universal part of speech."""
    lines, _ = read_lines(path)
    return next((number for number, line in enumerate(lines, 1) if line.split("\t")[3:4] == [tag]), None)


def missing_values(layer: str, column: Column, texts: Column, path: str) -> Iterator[Note]:
    """A note on the segments that have a text but no value in a layer, if there are any."""
    if count := sum(value is None and text is not None for value, text in zip(column, texts, strict=True)):
        where = f"in {count:,} of {plural(len(texts), 'segment')}"
        text = f"the layer '{layer}' lacks values {where}; metrics that need it do not score this text there"
        yield Note(NoteKind.MISSING, text, path, count)


def is_written_by_assay(content: bytes) -> bool:
    """Whether `conllu_text` made a file, which may have been changed since."""
    return content.startswith(_MARK.encode())


def is_unchanged(content: bytes) -> bool:
    """Whether a file is as `conllu_text` made it, so that it can be made again."""
    mark, _, rest = content.partition(b"\n")
    return mark == _mark(rest)


def _mark(content: bytes) -> bytes:
    """The first line of a file, with a digest of all others."""
    return f"{_MARK} {digest_of_bytes(content)}".encode()


def conllu_text(segments: Iterable[AnnotatedSegment | None], generator: str, model: str = "") -> str:
    """A file with these segments, which names the program and its model."""
    header = [f"# {_GENERATOR} = {generator}", *([f"# {_MODEL} = {model}"] if model else [])]
    sentences: list[str] = []
    for number, segment in enumerate(segments, 1):
        for part, sentence in enumerate(segment or (), 1):
            sentences += [f"# sent_id = {number}.{part}", f"# text = {' '.join(sentence.text.split())}"]
            sentences += [_row(i, word) for i, word in enumerate(sentence.words, 1)]
            sentences.append("")
    text = "\n".join([*header, *(sentences or [""])]) + "\n"  # the header stands before the first sentence
    return f"{_mark(text.encode()).decode()}\n{text}"


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
        surface: list[tuple[int, str]] = []
        covered = 0  # the last word of the latest multiword token, such as `du` for `de` and `le`
        for line, fields in self.rows:
            last = _last_word(fields, len(words), path, line)
            if last is None:
                continue
            if fields[0].isdecimal():
                words.append(_word(fields, path, line))
                lines.append(line)
            elif last <= max(covered, len(words)) or covered > len(words):
                message = f"the multiword token {fields[0]} overlaps with the words before it"
                raise InputError(message, path=path, line=line, hint=_MULTIWORD_HINT)
            if last > covered:
                surface.append((line, fields[1]))
                covered = last
        if covered > len(words):
            message = f"a multiword token ends at word {covered}, but the sentence has {plural(len(words), 'word')}"
            raise InputError(message, path=path, line=surface[-1][0], hint=_MULTIWORD_HINT)
        _check_heads(words, lines, path)
        text = self.comments.get("text")
        if text:
            _check_surface(surface, text, path)
        return AnnotatedSentence(text or " ".join(form for _, form in surface), tuple(words))


def _check_surface(surface: Sequence[tuple[int, str]], text: str, path: str) -> None:
    """Raise if the words are not those of the text of the sentence."""
    expected = without_spaces(text)
    if without_spaces("".join(form for _, form in surface)) == expected:
        return
    hint = f"it is '{printable(shortened(text))}' (# text); words and multiword tokens must be the same characters"
    end = 0
    for line, form in surface:
        characters = without_spaces(form)
        if not expected.startswith(characters, end):
            message = f"the word '{printable(shortened(form))}' does not match the text of the sentence at this point"
            raise InputError(message, path=path, line=line, hint=hint)
        end += len(characters)
    message = f"the words end before '{printable(shortened(expected[end:]))}', which is in the text of the sentence"
    raise InputError(message, path=path, line=surface[-1][0], hint=hint)


def _last_word(fields: list[str], words: int, path: str, line: int) -> int | None:
    """The last word that a row stands for: itself, or the end of a multiword token; None for an empty node."""
    if fields[0].startswith("#"):
        hint = "is the empty line before it missing?"
        raise InputError("a comment inside a sentence", path=path, line=line, hint=hint)
    if len(fields) != _COLUMNS:
        hint = "CoNLL-U has ten columns, with tabs between them"
        raise InputError(f"{plural(len(fields), 'column')} instead of {_COLUMNS}", path=path, line=line, hint=hint)
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
    for name, value in (("UPOS", pos), ("DEPREL", relation)):
        if len(value.split()) > 1:
            message = f"{name} '{printable(shortened(value))}' has a space in it"
            raise InputError(message, path=path, line=line, hint="only words, lemmas and XPOS may have spaces")
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
            message = f"word {number} has no head, but other words of the sentence do"
            raise InputError(message, path=path, line=line, hint=f"{_TREE_HINT}; without a parse, _ for all words")
        if word.head > len(words):
            message = f"the head of word {number} is {word.head}, but the sentence has {plural(len(words), 'word')}"
            raise InputError(message, path=path, line=line, hint=_TREE_HINT)
    if (cycle := find_cycle([word.head or 0 for word in words])) is not None:
        shown = " → ".join(map(str, (*cycle, cycle[0])))
        line = lines[cycle[0] - 1]
        raise InputError(f"the heads form a cycle: {shown}", path=path, line=line, hint=CYCLE_HINT)


def in_segments(
    sentences: Sequence[AnnotatedSentence], places: Sequence[int], texts: Column, path: str
) -> Iterator[AnnotatedSegment | None]:
    """The sentences of each segment; None without a text."""
    following = iter(zip(sentences, places, strict=True))
    for number, text in enumerate(texts, 1):
        rest = without_spaces(text or "")
        segment: list[AnnotatedSentence] = []
        while rest:
            sentence, line = next(following, (None, 0))
            if sentence is None:
                raise InputError(f"ends before segment {number:,} of {len(texts):,}", path=path, hint=_SAME_TEXTS_HINT)
            piece = without_spaces(sentence.text)
            if not rest.startswith(piece):
                message = (
                    f"expected '{printable(shortened(rest))}' (segment {number:,}, without white space), "
                    f"found '{printable(shortened(sentence.text))}'"
                )
                raise InputError(message, path=path, line=line, hint=_SAME_TEXTS_HINT)
            rest = rest[len(piece) :]
            segment.append(sentence)
        yield None if text is None else segment
    _, line = next(following, (None, 0))
    if line:
        raise InputError("has more sentences than the texts", path=path, line=line, hint=_SAME_TEXTS_HINT)


def without_spaces(text: str) -> str:
    """The characters of a text without white space, which tokenisers change, after Unicode composition."""
    return unicodedata.normalize("NFC", "".join(text.split()))


def _annotator(blocks: Iterable[_Block]) -> str:
    """The program and the model that the comments name, as they stand in signatures."""
    names: dict[str, str] = {}
    for block in blocks:
        for key, value in block.comments.items():
            kind = _MODEL if key.endswith(f"_{_MODEL}") else key
            if kind in (_GENERATOR, _MODEL) and value:
                names.setdefault(kind, re.sub(r"[^\w.+/-]+", "-", value.partition(",")[0].strip()))
    return "+".join(names[key] for key in (_GENERATOR, _MODEL) if key in names) or UNNAMED
