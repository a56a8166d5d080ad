"""Tokenisers by name. Some run inside the C++ kernels; the others return text with spaces between tokens."""

from __future__ import annotations

import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from assay import _core
from assay.errors import SegmentError, option_name
from assay.registry import Registry
from assay.types import Column, Note, NoteKind, TestSet, as_column

__all__ = [
    "CORE_TOKENIZERS",
    "WORD_SEGMENTERS",
    "CoreTokenizer",
    "Tokenizer",
    "default_tokenizer",
    "is_unspaced",
    "make_tokenizer",
    "script_tokenizers",
    "space_advice",
    "tokenizer",
    "tokenizer_names",
    "tokenizer_spec",
    "unspaced_tokenizer",
    "word_segmenter",
]

CORE_TOKENIZERS = ("13a", "intl", "zh", "char", "none")
WORD_SEGMENTERS = {"ja-mecab": "ja", "newmm": "th", "jieba": "zh"}
"""Tokenisers that find words in texts written without spaces, and the extra that each needs."""

_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u9fff]")  # Thai; kana and Han
_UNUSUAL = re.compile("[\u0e00-\u0e7f\u3040-\U0010ffff]")  # scripts that have tokenisers of their own
_BY_LANGUAGE = ("meteor", "moses")  # tokenisers that have rules for each language
_DEFAULT_BY_LANGUAGE = {
    **dict.fromkeys(("zh", "zho", "chi", "cmn", "yue"), "zh"),
    **dict.fromkeys(("ja", "jpn"), "ja-mecab"),
    **dict.fromkeys(("ko", "kor"), "ko-mecab"),
}


def default_tokenizer(language: str | None) -> str:
    """The tokeniser that `auto` stands for with a target language: sacreBLEU's choice."""
    return _DEFAULT_BY_LANGUAGE.get(language or "", "13a")


def is_unspaced(columns: Iterable[Column]) -> bool:
    """Whether texts are mostly Han, kana or Thai, which are written without spaces."""
    return _is_unspaced(_letters(columns))


def unspaced_tokenizer(testset: TestSet) -> str:
    """The tokeniser for references that are written without spaces."""
    return next((name for name in ("ja-mecab", "newmm") if name in script_tokenizers(testset)), "zh")


def word_segmenter(columns: Iterable[Column]) -> str | None:
    """The tokeniser that finds words in texts written without spaces, whatever is installed; None if they have spaces.

    Unlike `unspaced_tokenizer`, which is for metrics on n-grams, it does not split Chinese into characters.
    """
    letters = _letters(columns)
    if not _is_unspaced(letters):
        return None
    return next((name for name in WORD_SEGMENTERS if name in _script_tokenizers(letters)), "jieba")


def _is_unspaced(letters: list[str]) -> bool:
    return len(_UNSPACED.findall("".join(letters))) > len(letters) / 2


def space_advice(
    testset: TestSet, name: str, tok: str, better: str, *, depends_on_language: bool = False
) -> Iterator[Note]:
    """Advice to use `better` if the tokeniser needs spaces and the texts have none.

    `better` may name the tokeniser for such texts as {tok}.
    `depends_on_language`: the metric would choose another tokeniser if it knew the language pair.
    """
    if make_tokenizer(tok).needs_spaces and all(
        is_unspaced(columns.values()) for columns in (testset.references, testset.outputs)
    ):
        unspaced = unspaced_tokenizer(testset)
        better, pair = better.format(tok=unspaced), {"ja-mecab": "en-ja", "zh": "en-zh"}.get(unspaced, "")
        is_default = pair and depends_on_language and not testset.lp
        or_pair = f" or give the language pair ({option_name('lp', pair)})" if is_default else ""
        text = f"words are counted between spaces, but the references are written without spaces: use {better}{or_pair}"
        yield Note(NoteKind.ADVICE, text, where=name)


def white_space_advice(testset: TestSet, name: str, tok: str, better: str) -> list[Note]:
    """Advice for a metric whose tokeniser may split at white space alone: on texts without spaces, or not tokenised.

    `better` names the tokeniser to use as {tok}.
    """
    from assay.text.punctuation import punctuation_advice  # rarely needed

    unspaced = list(space_advice(testset, name, tok, better))
    return unspaced or list(
        punctuation_advice(testset, name, tok, better.format(tok=default_tokenizer(testset.target)))
    )


def script_tokenizers(testset: TestSet) -> list[str]:
    """Tokenisers made for the scripts of the references."""
    return _script_tokenizers(_letters(testset.references.values()))


def _script_tokenizers(letters: list[str]) -> list[str]:
    scripts = {"ja-mecab": ("\u3040", "\u30ff"), "ko-mecab": ("\uac00", "\ud7a3"), "newmm": ("\u0e00", "\u0e7f")}
    return [name for name, (low, high) in scripts.items() if sum(low <= c <= high for c in letters) > len(letters) / 10]


def _letters(columns: Iterable[Column]) -> list[str]:
    """The letters at the start of the texts; none if no script is unusual, a quick check."""
    sample = "".join(text[:50] for column in columns for text in column[:10] if text)
    return [c for c in sample if c.isalpha()] if _UNUSUAL.search(sample) else []


class Tokenizer(ABC):
    """Splits a line into tokens. Subclass it as a frozen dataclass and register it with `@tokenizer("name")`."""

    name: ClassVar[str]
    core: ClassVar[str] = "none"
    """The core's tokeniser for the text that `cut` returns."""
    is_core: ClassVar[bool] = False
    """Whether the core does all the work, so that `cut` is not called."""
    needs_spaces: ClassVar[bool] = False
    """Whether it relies on spaces between words and fails for languages without them."""
    splits_characters: ClassVar[bool] = False
    """Whether it splits texts of languages without spaces into characters, and not into words."""
    max_characters: ClassVar[int | None] = None
    """The most characters of a line, if it takes too much time or memory to split longer ones."""
    argument: ClassVar[str | None] = None
    """The option that a spec may give without its name: `spm:MODEL` is `spm:model=MODEL`."""

    @abstractmethod
    def cut(self, line: str) -> str:
        """The line with white space between tokens, except where the core splits it."""

    def reader(self, *, lowercase: bool) -> tuple[Callable[[str], str] | None, str]:
        """A function to apply to each text first (None: nothing), and the core's tokeniser for its result."""
        if self.is_core:
            return (str.lower if lowercase else None), self.core
        return (lambda text: self.cut((text.lower() if lowercase else text).rstrip())), self.core

    def read_column(self, column: Column, *, lowercase: bool, threads: int = 1) -> Column:
        """What `reader` makes of each text of a column; `threads` does not change it."""
        change, _ = self.reader(lowercase=lowercase)
        if change is None:
            return column
        if change is str.lower:  # the core does the same, a column at a time
            return _core.lower(column)
        self._check_lengths(column)
        return as_column(None if text is None else change(text) for text in column)

    def _check_lengths(self, column: Column) -> None:
        if self.max_characters is None:
            return
        for segment, text in enumerate(column):
            if text is not None and len(text) > self.max_characters:
                raise SegmentError(
                    segment,
                    f"is too long for the tokeniser {self.name}: {len(text):,} characters, at most "
                    f"{self.max_characters:,} are allowed",
                    hint="is a line break missing? Split the text into segments",
                )

    @property
    def sacrebleu_name(self) -> str | None:
        """The name in a sacreBLEU signature; None if sacreBLEU's name for it is unknown."""
        return self.name

    @property
    def resources(self) -> Mapping[str, str]:
        """Digests of the files and packages it depends on, by name; part of every signature that uses it."""
        return {}


def _language_hint(name: str) -> str | None:
    """A hint for the name of a tokeniser that has rules for some languages, without a language or with another one."""
    family, dash, rest = name.partition("-")
    if family not in _BY_LANGUAGE:
        return None
    if not dash:
        return f"name the language: {name}-LANG, e.g. {name}-de"
    languages = sorted({known.split("-")[1] for known in tokenizer.names() if known.startswith(f"{family}-")})
    is_known = rest.partition("-")[0] in languages
    return None if is_known else f"{family}-LANG has rules for {', '.join(languages)}"


tokenizer: Registry[Tokenizer] = Registry(
    "tokeniser", __name__, entry_point_group="assay.tokenizers", elsewhere=_language_hint
)


def tokenizer_names() -> list[str]:
    """The names of all tokenisers, with one for all languages of a tokeniser with rules for each."""
    families = (name.partition("-")[0] for name in tokenizer.names())
    names = (
        f"{family}-LANG" if family in _BY_LANGUAGE else name
        for family, name in zip(families, tokenizer.names(), strict=True)
    )
    return list(dict.fromkeys(names))


@functools.cache
def make_tokenizer(spec: str) -> Tokenizer:
    """The tokeniser that a spec describes, e.g. `13a` or `spm:flores.model`."""
    return tokenizer.create(spec)


@functools.cache
def tokenizer_spec(spec: str) -> str:
    """The shortest spec of the same tokeniser: `moses-en:language=de` is `moses-de`."""
    return tokenizer.spec(make_tokenizer(spec))


@dataclass(frozen=True)
class CoreTokenizer(Tokenizer):
    """Leaves the line unchanged: the kernel tokenises (cpp/include/assay/tokenize.hpp)."""

    is_core = True

    def cut(self, line: str) -> str:
        return line


for _name in CORE_TOKENIZERS:
    _attributes = {
        "core": _name,
        "needs_spaces": _name in ("13a", "intl", "none"),
        "splits_characters": _name in ("zh", "char"),
    }
    tokenizer(_name)(type(f"Core_{_name}", (CoreTokenizer,), _attributes))
