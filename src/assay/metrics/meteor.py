"""METEOR 1.5 (Denkowski & Lavie 2014): aligned words and phrases, by form, stem, synonym and paraphrase."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.contracts import AUTO, SURFACE
from assay.errors import ConfigError, MissingExtraError, option_name
from assay.files.resources import Resource
from assay.lexicons.meteor_files import LANGUAGES, METEOR_FILES, NO_FILES, find_meteor_files
from assay.lexicons.paraphrases import open_paraphrases
from assay.lexicons.stemmers import STEMMED_LANGUAGES, stem, stemmer_version
from assay.metrics import metric
from assay.metrics.references import in_blocks, of_best_reference
from assay.metrics.tokenized import TokenizedMetric
from assay.metrics.tokenized_texts import TokenizedTexts, check_lengths, tokenize
from assay.options.checks import check_choice
from assay.registry import NestedSpec
from assay.text import default_tokenizer, space_advice, tokenizer
from assay.text.meteor import LANGUAGES as NORMALISED
from assay.text.meteor import MeteorTokenizer
from assay.types import Column, FloatArray, Note, NoteKind, Table, TestSet, as_column
from assay.types.language_codes import two_letter_code
from assay.types.runtime import Runtime

__all__ = ["Alignment", "Match", "Meteor"]

_MODULES = ("exact", "stem", "synonym", "paraphrase")
_OTHER = "other"
_CODES = {"nb": "no"}  # METEOR's Norwegian is Bokmål
_JAVA_WHITE_SPACE = re.compile("[\t\n\r\f]")  # where StringTokenizer splits, besides spaces
_STEMMERS = "PyStemmer-2."
_OTHER_STEMS = {"fi": "about 1 %"}  # by language; measured on WMT19
_INSTALL_STEMMERS = 'pip install "PyStemmer>=2,<3"'
_INSTALL_FILES = f"pip install pycocoevalcap, or put METEOR's folder into the resource folder as {METEOR_FILES}"
_NO_NUMBERS = np.empty(0, dtype=np.int32)
_NO_STARTS = np.empty(0, dtype=np.int64)
_Task = Literal["auto", "rank", "adq", "hter", "util", "li", "tune", "universal"]
_FunctionWords = Literal["english", "own", "none"]
_Version = Literal["1.5", "1.3"]
_COLUMNS = (
    *(f"{side}_{kind}" for kind in ("length", "function_length") for side in ("output", "reference")),
    *(
        f"{module}_{side}_{kind}"
        for module in _MODULES
        for kind in ("content", "function")
        for side in ("output", "reference")
    ),
    *("chunks", "output_matches", "reference_matches"),
)


class _Parameters(NamedTuple):
    """What a task sets: the balance of recall, the form and size of the penalty, the share of content words."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: Mapping[str, float]


def _module_weights(*weights: float) -> Mapping[str, float]:
    return dict(zip(_MODULES, weights, strict=True))


_RANK = {
    "cs": _Parameters(0.95, 0.20, 0.60, 0.80, {"exact": 1.0, "paraphrase": 0.4}),
    "de": _Parameters(0.95, 1.00, 0.55, 0.55, {"exact": 1.0, "stem": 0.8, "paraphrase": 0.2}),
    "en": _Parameters(0.85, 0.20, 0.60, 0.75, _module_weights(1.0, 0.6, 0.8, 0.6)),
    "es": _Parameters(0.65, 1.30, 0.50, 0.80, {"exact": 1.0, "stem": 0.8, "paraphrase": 0.6}),
    "fr": _Parameters(0.90, 1.40, 0.60, 0.65, {"exact": 1.0, "stem": 0.2, "paraphrase": 0.4}),
    "ru": _Parameters(0.75, 1.40, 0.70, 0.50, {"exact": 1.0, "stem": 0.5, "paraphrase": 0.5}),
}
"""Tuned to rankings of translations into each language."""
_ENGLISH = {
    "adq": _Parameters(0.75, 1.40, 0.45, 0.70, _module_weights(1.0, 1.0, 0.6, 0.8)),
    "hter": _Parameters(0.40, 1.50, 0.35, 0.55, _module_weights(1.0, 0.2, 0.6, 0.8)),
    "util": _Parameters(0.65, 0.10, 0.55, 0.65, _module_weights(1.0, 0.0, 0.0, 0.8)),
}
_ANY_LANGUAGE = {
    "li": _Parameters(0.75, 1.40, 0.70, 0.50, _module_weights(1.0, 0.5, 0.5, 0.5)),
    "tune": _Parameters(0.50, 1.00, 0.50, 0.50, _module_weights(1.0, 0.5, 0.5, 0.5)),
    "universal": _Parameters(0.70, 1.40, 0.30, 0.70, {"exact": 1.0, "paraphrase": 0.6}),
}


@dataclass(frozen=True, slots=True)
class Match:
    """Words of the reference and of the output that are aligned, and by which module."""

    reference: slice
    output: slice
    module: str


@dataclass(frozen=True, slots=True)
class Alignment:
    """The words of an output and of a reference, and their matches from left to right in the reference."""

    output: tuple[str, ...]
    reference: tuple[str, ...]
    matches: tuple[Match, ...]


@metric("meteor")
@dataclass(frozen=True)
class Meteor(TokenizedMetric):
    """Weighted harmonic mean of precision and recall of aligned words, multiplied by a fragmentation penalty, 0 to 1.

    score = F * (1 - gamma * (chunks / matches)^beta), F = 1 / ((1 - alpha) / P + alpha / R); each match in P and R is
    weighted by its module, and by delta for content words or 1 - delta for function words

    Options: language (auto: the target language; other); task, whose parameters are used (rank, adq, hter, util, li,
    tune, universal; auto: rank for en, cs, de, es, fr and ru, else li); modules, joined by + (exact, stem, synonym,
    paraphrase; auto: all that the language has); tok, the tokeniser (auto: METEOR's -norm for these languages, else
    space); lowercase; function_words, whose list (english, which METEOR uses for all languages; own; none); characters:
    count characters instead of words; files, METEOR's folder, a name or path (none: no function words, synonyms and
    paraphrases); version (1.5; 1.3, unverified). With several references a segment is scored against the one that gives
    the highest score.
    """

    labels = ("METEOR",)
    family = SURFACE
    undefined = "the reference has no words"

    language: str = AUTO
    task: _Task = "auto"
    modules: str = AUTO
    tok: NestedSpec = AUTO
    lowercase: bool = True
    function_words: _FunctionWords = "english"
    characters: bool = False
    files: str = METEOR_FILES
    version: _Version = "1.5"
    automatic: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """The options that `prepare` chose."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "language", _meteor_code(self.language))
        check_choice("language", self.language, (AUTO, _OTHER, *LANGUAGES))
        check_choice("task", self.task, get_args(_Task))
        check_choice("function_words", self.function_words, get_args(_FunctionWords))
        check_choice("version", self.version, get_args(_Version))
        if self.modules not in (AUTO, *_module_lists()):
            others = ", ".join(_MODULES[1:])
            raise ValueError(f"modules must be exact, optionally followed by {others} in this order, joined by +")
        super().__post_init__()

    def default_tok(self, language: str | None) -> str:
        if language not in NORMALISED:
            return "space"
        return tokenizer.spec(MeteorTokenizer(language, files=self._existing_files))

    def prepare(self, testset: TestSet) -> Meteor:
        """This metric with all options set for the target language of a test set, and for the files that are there."""
        language, target = self.language, _meteor_code(testset.target or _OTHER)
        if language == AUTO:
            language = target if target in LANGUAGES else _OTHER
        task = self.task
        if task == AUTO:
            task = "rank" if language in self._ranking_parameters else "li"
        files = self._existing_files
        automatic = {name for name in ("language", "modules", "tok") if getattr(self, name) == AUTO}
        prepared = dataclasses.replace(
            self,
            language=language,
            task=task,
            modules="+".join(self._available_modules(language, task)) if self.modules == AUTO else self.modules,
            tok=self.tok_for(language),
            function_words="none" if files == NO_FILES else self.function_words,
            files=files,
            automatic=self.automatic | automatic | ({"files"} if files != self.files else set()),
        )
        prepared._check_modules()
        return prepared

    @property
    def _existing_files(self) -> str:
        return NO_FILES if find_meteor_files(self.files) is None else self.files

    @property
    def _ranking_parameters(self) -> Mapping[str, _Parameters]:
        """By language. Russian came after version 1.3."""
        return _RANK if self.version == "1.5" else {key: value for key, value in _RANK.items() if key != "ru"}

    @property
    def _parameters(self) -> _Parameters:
        by_task = dict(_ANY_LANGUAGE)
        if self.version != "1.5":
            del by_task["universal"]
        if self.language == "en":
            by_task |= _ENGLISH
        if self.language in self._ranking_parameters:
            by_task["rank"] = self._ranking_parameters[self.language]
        if self.task not in by_task:
            version = "" if self.version == "1.5" else f" in version {self.version}"
            reason = f"meteor has no parameters for task={self.task} and language={self.language}{version}"
            raise ConfigError(reason, hint=f"choose one of {', '.join(by_task)}")
        return by_task[self.task]

    def _check_modules(self) -> None:
        modules = self.modules.split("+")
        if "stem" in modules and self.language not in STEMMED_LANGUAGES:
            raise ConfigError(f"METEOR has no stemmer for language={self.language}", hint="choose modules without stem")
        if without := [name for name in modules if name not in self._parameters.weights]:
            reason = f"task={self.task} has no weight for the module {without[0]} with language={self.language}"
            raise ConfigError(f"meteor: {reason}", hint="use task=li, which has a weight for every module")

    def _default_modules(self, language: str, task: str) -> tuple[str, ...]:
        """The modules that METEOR uses for a language and a task."""
        if task == "universal":
            return tuple(_ANY_LANGUAGE["universal"].weights)
        if language in self._ranking_parameters:
            return tuple(self._ranking_parameters[language].weights)
        return ("exact", "stem") if language in STEMMED_LANGUAGES else ("exact",)

    def _available_modules(self, language: str, task: str) -> list[str]:
        """The default modules for which there are files."""
        files = find_meteor_files(self.files)
        missing = set()
        if files is None:
            missing.add("synonym")
        if files is None or files.paraphrases(language) is None:
            missing.add("paraphrase")
        return [name for name in self._default_modules(language, task) if name not in missing]

    @property
    def lacking_modules(self) -> list[str]:
        """The modules that METEOR uses by default and this prepared metric does not, for lack of files."""
        defaults = self._default_modules(self.language, self.task) if "modules" in self.automatic else ()
        return [name for name in defaults if name not in self.modules.split("+")]

    @property
    def columns(self) -> tuple[str, ...]:
        return _COLUMNS

    @property
    def resources(self) -> Mapping[str, str]:
        """The jar with the word lists, the table of paraphrases and the stemmers, where used."""
        resources = dict(super().resources)
        if (files := find_meteor_files(self.files)) is not None:
            jars = (resources.get("jar"), files.jar.digest)  # the tokeniser may have another one
            resources["jar"] = "+".join(dict.fromkeys(filter(None, jars)))
        if "paraphrase" in self.modules and self.language != AUTO:  # whose table it is depends on the language
            resources["paraphrases"] = self._paraphrase_table().digest
        if "stem" in self.modules:
            resources["stemmers"] = stemmer_version()
        if self.version == "1.3":
            resources["definition"] = "1.3-unverified"
        return resources

    def _paraphrase_table(self) -> Resource:
        files = find_meteor_files(self.files)
        table = None if files is None else files.paraphrases(self.language)
        if table is None:
            hint = (
                "only the English table is still available: choose modules without paraphrase, or give a METEOR folder "
                f"that has data/paraphrase-{self.language}.gz (meteor:files=FOLDER)"
            )
            raise MissingExtraError(
                f"no paraphrase table found for language={self.language}",
                hint=_INSTALL_FILES if self.language == "en" else hint,
            )
        return table

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        names = [f"reference '{name}'" for name in testset.references] + [f"'{name}'" for name in testset.outputs]

        def statistics(references: tuple[Column, ...], outputs: tuple[Column, ...], first: int) -> Table:
            texts = self._tokenize((*references, *outputs), runtime.threads)
            check_lengths(texts, self.name, names, first)
            columns = texts.columns()
            words = self._words(texts.words, runtime)
            split = len(references)
            tables = _core.meteor_statistics(columns[:split], columns[split:], words, runtime.threads)
            return of_best_reference(tables, self.score(tables), references)

        return in_blocks(tuple(testset.references.values()), tuple(testset.outputs.values()), statistics)

    def _tokenize(self, columns: tuple[Column, ...], threads: int = 1) -> TokenizedTexts:
        """The words of texts. METEOR splits at all white space of ASCII, the tokeniser `space` at spaces only."""
        if self.tok == "space":
            columns = tuple(map(_with_spaces, columns))
        return tokenize(columns, self.tok, lowercase=self.lowercase, threads=threads)

    def _words(self, words: Sequence[str], runtime: Runtime) -> _core.MeteorWords:
        """What the modules need to know about words."""
        modules = self.modules.split("+")
        files = find_meteor_files(self.files)
        forms, lengths = _core.java_hashes(as_column(words))
        stems = _core.java_hashes(as_column(stem(words, self.language)))[0] if "stem" in modules else _NO_NUMBERS
        synset_starts, synsets = self._synsets(words) if "synonym" in modules else (_NO_STARTS, _NO_NUMBERS)
        paraphrases = open_paraphrases(self._paraphrase_table(), runtime) if "paraphrase" in modules else None
        language = "en" if self.function_words == "english" else self.language
        is_listed = self.function_words != "none"
        function_words = files.function_words(language) if files is not None and is_listed else frozenset()
        return _core.MeteorWords(
            forms,
            stems,
            synset_starts,
            synsets,
            _NO_NUMBERS if paraphrases is None else paraphrases.numbers(words),
            lengths if self.characters else np.ones_like(lengths),
            np.fromiter((word.lower() in function_words for word in words), dtype=np.bool_, count=len(words)),
            None if paraphrases is None else paraphrases.table,
        )

    def _synsets(self, words: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
        """Where the synsets of each word start, and the synsets."""
        files = find_meteor_files(self.files)
        if files is None or self.language != "en":
            hint = (
                _INSTALL_FILES if self.language == "en" else "only English has synonyms: choose modules without synonym"
            )
            if self.files == NO_FILES and "files" not in self.automatic:
                hint = "files=none leaves out the synonyms: leave out that option, or choose modules without synonym"
            raise MissingExtraError(f"no synonyms found for language={self.language}", hint=hint)
        return files.synonyms.look_up(as_column(words))

    def score(self, totals: Table) -> FloatArray:
        counts = dict(zip(_COLUMNS, np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0), strict=True))
        alpha, beta, gamma = self._parameters[:3]
        precision, recall = (self._rate(counts, side) for side in ("output", "reference"))
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = 1 / ((1 - alpha) / precision + alpha / recall)
            fragmentation = counts["chunks"] / ((counts["output_matches"] + counts["reference_matches"]) / 2)
            score = mean * (1 - gamma * fragmentation**beta)
        return np.where(counts["reference_length"] > 0, np.maximum(np.nan_to_num(score), 0.0), np.nan)

    def _rate(self, counts: Mapping[str, FloatArray], side: str) -> FloatArray:
        """The weighted share of the words of a side that are matched: precision or recall."""
        weights, delta = self._parameters.weights, self._parameters.delta
        length, function_length = counts[f"{side}_length"], counts[f"{side}_function_length"]
        matched = np.zeros_like(length)
        for kind, share in (("content", delta), ("function", 1 - delta)):
            for module in _MODULES:
                matched += counts[f"{module}_{side}_{kind}"] * weights.get(module, 0.0) * share
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(matched / (delta * (length - function_length) + (1 - delta) * function_length))

    def alignment(self, output: str, reference: str, runtime: Runtime | None = None) -> Alignment:
        """Which words of an output and a reference are aligned. The metric must have a language."""
        columns = as_column([reference]), as_column([output])
        chosen = self.prepare(TestSet(references={"reference": columns[0]}, outputs={"output": columns[1]}))
        texts = chosen._tokenize(columns)
        check_lengths(texts, chosen.name, ("the reference", "the output"), 0)
        matches, _ = chosen.align(texts, 1, runtime or Runtime())
        reference_words, output_words = (tuple(texts.words[row] for row in rows) for rows in texts.rows)
        return Alignment(
            output=output_words,
            reference=reference_words,
            matches=tuple(
                Match(slice(a, a + n), slice(b, b + m), _MODULES[module]) for a, n, b, m, module in matches.tolist()
            ),
        )

    def align(
        self, texts: TokenizedTexts, references: int, runtime: Runtime
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Align all pairs of a reference and an output; the first columns are references. The metric must be prepared.

        Returns matches (match, [start and length in the reference, in the output, module]), and where those of each
        segment start, by reference, system and segment.
        """
        columns = texts.columns()
        words = self._words(texts.words, runtime)
        return _core.meteor_alignments(columns[:references], columns[references:], words, runtime.threads)

    def advice(self, testset: TestSet) -> Iterator[Note]:
        yield from self._module_advice(testset)
        if self.version == "1.3":
            text = (
                "version=1.3 is METEOR 1.5 without Russian parameters and task=universal; it was not verified against "
                "METEOR 1.3"
            )
            yield Note(NoteKind.PROVENANCE, text, where=self.name)
        if "stem" in self.modules and self.language in _OTHER_STEMS:
            text = f"{_OTHER_STEMS[self.language]} of stems differ from those of METEOR's program"
            yield Note(NoteKind.PROVENANCE, text, where=self.name)
        if "stem" in self.modules and not stemmer_version().startswith(_STEMMERS):
            text = f"{stemmer_version()} differs from METEOR's stemmers; install PyStemmer 2: {_INSTALL_STEMMERS}"
            yield Note(NoteKind.ADVICE, text, where=self.name)
        unspaced = list(space_advice(testset, self.name, self.tok, f"{self.name}:tok={{tok}}"))
        if "tok" in self.automatic and self.tok == "space" and testset.target is not None and not unspaced:
            text = (
                f"METEOR has no tokeniser for {testset.target}: words are split at white space, and 'word.' differs "
                f"from 'word'; use {self.name}:tok={default_tokenizer(testset.target)} unless the texts are tokenised"
            )
            yield Note(NoteKind.ADVICE, text, where=self.name)
        yield from unspaced

    def _module_advice(self, testset: TestSet) -> Iterator[Note]:
        """A warning if the score lacks something that METEOR has by default and the user did not exclude."""
        is_automatic, lacking = "modules" in self.automatic, self.lacking_modules
        if "language" in self.automatic and self.language == _OTHER:
            if testset.target is None:
                text = (
                    "unknown target language: only exact matches are used, and words are split at white space; not "
                    "comparable with published METEOR scores; give the language pair, "
                    f"e.g. {option_name('lp', 'en-de')}"
                )
                yield Note(NoteKind.ADVICE, text, where=self.name, severity="warning")
            elif is_automatic:
                unknown = f"METEOR does not know the language {testset.target}"
                text = f"{unknown}: as in its program, only exact matches are used"
                yield Note(NoteKind.ADVICE, text, where=self.name, severity="warning")
        elif self.files == NO_FILES and "files" in self.automatic:
            remedy = f"; {_INSTALL_FILES}" if is_automatic else ""
            yield self._incomplete("METEOR's files were not found", lacking, "function words", remedy)
        elif lacking and self.files == NO_FILES:
            yield self._incomplete("files=none", lacking, "function words")
        elif lacking:
            remedy = f"; put paraphrase-en.gz of the package pycocoevalcap into the folder data of {self.files}"
            reason = f"there is no paraphrase table for language={self.language}"
            yield self._incomplete(reason, lacking, remedy=remedy if self.language == "en" else "")

    def _incomplete(self, reason: str, modules: Sequence[str], others: str = "", remedy: str = "") -> Note:
        *first, last = modules or ("",)
        names = f"{', '.join(first)} and {last}" if first else last
        without = [f"{names} module{'s' if first else ''}"] if names else []
        text = (
            f"{reason}: scored without METEOR's {' and '.join(filter(None, [*without, others]))}; not comparable with "
            f"published METEOR scores{remedy}"
        )
        return Note(NoteKind.MISSING, text, where=self.name, severity="warning")

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        tasks = ("rank", *_ENGLISH) if self.language == "en" else ("rank",) if self.task == "rank" else ()
        modules = self.modules.split("+")
        return {
            "task": (*tasks, "li", "tune"),
            "modules": tuple("+".join(modules[: n + 1]) for n in range(len(modules))),
            "tok": (AUTO, "space"),
            "lowercase": (True, False),
        }


def _meteor_code(language: str) -> str:
    """The code that METEOR's languages have here, for any code of a language."""
    code = two_letter_code(language)
    return _CODES.get(code, code)


def _with_spaces(column: Column) -> Column:
    """A column with spaces instead of the other white space at which Java splits."""
    if not any(text and _JAVA_WHITE_SPACE.search(text) for text in column):
        return column
    return as_column(None if text is None else _JAVA_WHITE_SPACE.sub(" ", text) for text in column)


def _module_lists() -> Iterator[str]:
    """All values of the option modules."""
    for n in range(len(_MODULES)):
        for others in itertools.combinations(_MODULES[1:], n):
            yield "+".join(("exact", *others))
