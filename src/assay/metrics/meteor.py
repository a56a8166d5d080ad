"""METEOR 1.5 (Denkowski & Lavie 2014): aligned words and phrases, by form, stem, synonym and paraphrase."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from assay import _core
from assay.checks import check_choice
from assay.errors import ConfigError, MissingExtraError, option
from assay.lexicons.meteor_files import LANGUAGES, METEOR_FILES, NO_FILES, find_meteor_files
from assay.lexicons.paraphrases import open_paraphrases
from assay.lexicons.stemmers import STEMMED_LANGUAGES, stem, stemmer_version
from assay.metrics import metric
from assay.metrics.references import in_blocks, of_best_reference
from assay.metrics.token_vectors import TokenizedTexts, check_lengths, tokenize
from assay.metrics.tokenized import AUTO, TokenizedMetric
from assay.registry import NestedSpec
from assay.resources import Resource
from assay.runtime import Runtime
from assay.text import space_advice, tokenizer
from assay.text.meteor import LANGUAGES as NORMALISED
from assay.text.meteor import MeteorTokenizer
from assay.types import Column, FloatArray, Note, NoteKind, Table, TestSet, as_column

__all__ = ["Alignment", "Match", "Meteor"]

_MODULES = ("exact", "stem", "synonym", "paraphrase")
_OTHER = "other"
_STEMMERS = "PyStemmer-2."
_INSTALL = 'pip install "assay[meteor]"'
_REMEDY = f"pip install pycocoevalcap, or put METEOR's folder into the resource folder as {METEOR_FILES}"
_NO_NUMBERS = np.empty(0, dtype=np.int32)
_NO_STARTS = np.empty(0, dtype=np.int64)
_Task = Literal["auto", "rank", "adq", "hter", "util", "li", "tune", "universal"]
_FunctionWords = Literal["english", "own"]
_Version = Literal["1.5", "1.3", "1.3-unverified"]


class _Parameters(NamedTuple):
    """What a task sets: the balance of recall, the form and size of the penalty, the share of content words."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: Mapping[str, float]


def _of_modules(*weights: float) -> Mapping[str, float]:
    return dict(zip(_MODULES, weights, strict=True))


_RANK = {
    "cs": _Parameters(0.95, 0.20, 0.60, 0.80, {"exact": 1.0, "paraphrase": 0.4}),
    "de": _Parameters(0.95, 1.00, 0.55, 0.55, {"exact": 1.0, "stem": 0.8, "paraphrase": 0.2}),
    "en": _Parameters(0.85, 0.20, 0.60, 0.75, _of_modules(1.0, 0.6, 0.8, 0.6)),
    "es": _Parameters(0.65, 1.30, 0.50, 0.80, {"exact": 1.0, "stem": 0.8, "paraphrase": 0.6}),
    "fr": _Parameters(0.90, 1.40, 0.60, 0.65, {"exact": 1.0, "stem": 0.2, "paraphrase": 0.4}),
    "ru": _Parameters(0.75, 1.40, 0.70, 0.50, {"exact": 1.0, "stem": 0.5, "paraphrase": 0.5}),
}
"""Tuned to rankings of translations into each language."""
_ENGLISH = {
    "adq": _Parameters(0.75, 1.40, 0.45, 0.70, _of_modules(1.0, 1.0, 0.6, 0.8)),
    "hter": _Parameters(0.40, 1.50, 0.35, 0.55, _of_modules(1.0, 0.2, 0.6, 0.8)),
    "util": _Parameters(0.65, 0.10, 0.55, 0.65, _of_modules(1.0, 0.0, 0.0, 0.8)),
}
_ANY = {
    "li": _Parameters(0.75, 1.40, 0.70, 0.50, _of_modules(1.0, 0.5, 0.5, 0.5)),
    "tune": _Parameters(0.50, 1.00, 0.50, 0.50, _of_modules(1.0, 0.5, 0.5, 0.5)),
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
    """Weighted harmonic mean of precision and recall of aligned words, less a penalty for fragments, 0 to 1.

    score = F * (1 - gamma * (chunks / matches)^beta), F = 1 / ((1 - alpha) / P + alpha / R); in P and R a match counts
    the weight of its module, and content words count delta, function words 1 - delta

    Options: language (auto: the target language; other); task, whose parameters are used (rank, adq, hter, util, li,
    tune, universal; auto: rank for en, cs, de, es, fr and ru, else li); modules, joined by + (exact, stem, synonym,
    paraphrase; auto: all that the language has); tok, the tokeniser (auto: METEOR's -norm for these languages, else
    space); lowercase; function_words, whose list (english, which METEOR uses for all languages; own); characters,
    whether P and R count these and not words; files, METEOR's folder, a name or path (none: no function words, synonyms
    and paraphrases); version (1.5; 1.3, unverified). With several references a segment is scored against the one that
    gives the highest score.
    """

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

    def __post_init__(self) -> None:
        check_choice("language", self.language, (AUTO, _OTHER, *LANGUAGES))
        check_choice("task", self.task, get_args(_Task))
        check_choice("function_words", self.function_words, get_args(_FunctionWords))
        check_choice("version", self.version, get_args(_Version))
        if self.modules not in (AUTO, *_module_lists()):
            raise ValueError(f"modules must be exact, or exact and others in the order {'+'.join(_MODULES)}")
        super().__post_init__()

    def default_tok(self, language: str | None) -> str:
        return "space"

    def prepare(self, testset: TestSet) -> Meteor:
        """This metric with all options set for the target language of a test set, and for the files that are there."""
        target = testset.target or _OTHER
        language = (target if target in LANGUAGES else _OTHER) if self.language == AUTO else self.language
        chosen = dataclasses.replace(
            self,
            language=language,
            version="1.5" if self.version == "1.5" else "1.3-unverified",
            files=NO_FILES if find_meteor_files(self.files) is None else self.files,
        )
        chosen = dataclasses.replace(chosen, task=chosen._chosen_task)
        modules = "+".join(chosen._available_modules()) if self.modules == AUTO else self.modules
        chosen = dataclasses.replace(chosen, modules=modules, tok=chosen._chosen_tok)
        chosen._check_modules()
        return chosen

    @property
    def _ranked(self) -> Mapping[str, _Parameters]:
        """The languages with parameters of their own. Russian came after version 1.3."""
        return _RANK if self.version == "1.5" else {key: value for key, value in _RANK.items() if key != "ru"}

    @property
    def _chosen_task(self) -> _Task:
        return self.task if self.task != AUTO else "rank" if self.language in self._ranked else "li"

    @property
    def _chosen_tok(self) -> str:
        if self.tok != AUTO:
            return self.tok
        return (
            tokenizer.spec(MeteorTokenizer(self.language, files=self.files)) if self.language in NORMALISED else "space"
        )

    @property
    def _parameters(self) -> _Parameters:
        by_task = dict(_ANY)
        if self.version != "1.5":
            del by_task["universal"]
        if self.language == "en":
            by_task |= _ENGLISH
        if self.language in self._ranked:
            by_task["rank"] = self._ranked[self.language]
        if (task := self._chosen_task) not in by_task:
            version = "" if self.version == "1.5" else f" in version {self.version}"
            hint = f"choose one of {', '.join(by_task)}"
            raise ConfigError(
                f"task={task} of meteor has no parameters for language={self.language}{version}", hint=hint
            )
        return by_task[task]

    def _check_modules(self) -> None:
        modules = self.modules.split("+")
        if "stem" in modules and self.language not in STEMMED_LANGUAGES:
            raise ConfigError(f"METEOR has no stemmer for language={self.language}", hint="choose modules without stem")
        if without := [name for name in modules if name not in self._parameters.weights]:
            hint = "use task=li, which has a weight for every module"
            what = f"task={self.task} of meteor has no weight of the module {without[0]} for language={self.language}"
            raise ConfigError(what, hint=hint)

    def _available_modules(self) -> list[str]:
        """The modules of the language and the task for which there are files."""
        if self.task == "universal":
            usual: Iterable[str] = self._parameters.weights
        elif self.language in self._ranked:
            usual = self._ranked[self.language].weights
        else:
            usual = ("exact", "stem") if self.language in STEMMED_LANGUAGES else ("exact",)
        files = find_meteor_files(self.files)
        missing = set()
        if files is None or not files.has_synonyms(self.language):
            missing.add("synonym")
        if files is None or files.paraphrases(self.language) is None:
            missing.add("paraphrase")
        return [name for name in usual if name not in missing]

    @property
    def columns(self) -> tuple[str, ...]:
        kinds = ("output_content", "reference_content", "output_function", "reference_function")
        return (
            *("output_length", "reference_length", "output_function_length", "reference_function_length"),
            *(f"{module}_{kind}" for module in _MODULES for kind in kinds),
            *("chunks", "output_matches", "reference_matches"),
        )

    @property
    def resources(self) -> Mapping[str, str]:
        """The tokeniser's, the jar with the word lists, the table of paraphrases and the stemmers, as far as used."""
        found = dict(super().resources)
        if (files := find_meteor_files(self.files)) is not None:
            found["words"] = files.jar.digest
        if "paraphrase" in self.modules:
            found["paraphrases"] = self._paraphrase_table().digest
        if "stem" in self.modules:
            found["stemmers"] = stemmer_version()
        return found

    def _paraphrase_table(self) -> Resource:
        files = find_meteor_files(self.files)
        table = None if files is None else files.paraphrases(self.language)
        if table is None:
            raise MissingExtraError(f"there is no table of paraphrases for language={self.language}", hint=_REMEDY)
        return table

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        chosen = self.prepare(testset)
        names = [f"reference '{name}'" for name in testset.references] + [f"'{name}'" for name in testset.outputs]

        def statistics(references: tuple[Column, ...], outputs: tuple[Column, ...], first: int) -> Table:
            texts = tokenize((*references, *outputs), chosen.tok, lowercase=chosen.lowercase)
            check_lengths(texts, chosen.name, names, first)
            columns = chosen._columns_of(texts)
            words = chosen._words(texts.words, runtime)
            split = len(references)
            tables = _core.meteor_statistics(columns[:split], columns[split:], words, runtime.threads)
            return of_best_reference(tables, chosen.score(tables), references)

        return in_blocks(tuple(testset.references.values()), tuple(testset.outputs.values()), statistics)

    @staticmethod
    def _columns_of(texts: TokenizedTexts) -> tuple[_core.TokenColumn, ...]:
        unweighted = np.ones(len(texts.words))
        return tuple(texts.column(i, unweighted) for i in range(len(texts.rows)))

    def _words(self, words: Sequence[str], runtime: Runtime) -> _core.MeteorWords:
        """What the modules need to know about words."""
        modules = self.modules.split("+")
        files = find_meteor_files(self.files)
        forms, lengths = _core.java_hashes(list(words))
        stems = _core.java_hashes(stem(words, self.language))[0] if "stem" in modules else _NO_NUMBERS
        synset_starts, synsets = self._synsets(words) if "synonym" in modules else (_NO_STARTS, _NO_NUMBERS)
        paraphrases = open_paraphrases(self._paraphrase_table(), runtime) if "paraphrase" in modules else None
        language = "en" if self.function_words == "english" else self.language
        function_words = frozenset() if files is None else files.function_words(language)
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
        if files is None or not files.has_synonyms(self.language):
            raise MissingExtraError(f"there are no synonyms for language={self.language}", hint=_REMEDY)
        return files.synonyms(self.language).look_up(list(words))

    def score(self, totals: Table) -> FloatArray:
        totals = np.asarray(totals, dtype=np.float64)
        parameters = self._parameters
        shares = parameters.delta, 1 - parameters.delta
        rates = []
        for side in (0, 1):
            length, function_length = totals[..., side], totals[..., 2 + side]
            matched = np.zeros(totals.shape[:-1])
            for share, offset in zip(shares, (4, 6), strict=True):
                for i, name in enumerate(_MODULES):
                    matched += totals[..., offset + 4 * i + side] * parameters.weights.get(name, 0.0) * share
            with np.errstate(divide="ignore", invalid="ignore"):
                rates.append(matched / (shares[0] * (length - function_length) + shares[1] * function_length))
        precision, recall = rates
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = 1 / ((1 - parameters.alpha) / precision + parameters.alpha / recall)
            fragmentation = totals[..., 20] / ((totals[..., 21] + totals[..., 22]) / 2)
            score = mean * (1 - parameters.gamma * fragmentation**parameters.beta)
        return np.where(totals[..., 1] > 0, np.maximum(np.nan_to_num(score), 0.0), np.nan)

    def alignment(self, output: str, reference: str, runtime: Runtime | None = None) -> Alignment:
        """Which words of an output and a reference are aligned. The metric must have a language."""
        (found,) = self.alignments(as_column([output]), as_column([reference]), runtime)
        if found is None:
            raise TypeError("an output and a reference are needed, not None")
        return found

    def alignments(
        self, outputs: Column, references: Column, runtime: Runtime | None = None
    ) -> Iterator[Alignment | None]:
        """The same for each segment of two columns; None where one has no text."""
        chosen = self.prepare(TestSet(references={"reference": references}, outputs={"output": outputs}))
        texts = tokenize((references, outputs), chosen.tok, lowercase=chosen.lowercase)
        check_lengths(texts, chosen.name, ("the reference", "the output"), 0)
        words = chosen._words(texts.words, runtime or Runtime())
        for i in range(len(outputs)):
            if not texts.present[0][i] or not texts.present[1][i]:
                yield None
                continue
            sides = [texts.rows[side][slice(*texts.starts[side][i : i + 2])] for side in (0, 1)]
            rows = _core.meteor_alignment(_single_text(sides[0]), _single_text(sides[1]), words).tolist()
            matches = tuple(Match(slice(a, a + n), slice(b, b + m), _MODULES[module]) for a, n, b, m, module in rows)
            reference, output = (tuple(texts.words[row] for row in side.tolist()) for side in sides)
            yield Alignment(output=output, reference=reference, matches=matches)

    def advice(self, testset: TestSet) -> Iterator[Note]:
        chosen = self.prepare(testset)
        if chosen.files == NO_FILES and chosen.language != _OTHER:
            text = (
                f"without METEOR's files only the modules {chosen.modules} are used, and no function words: {_REMEDY}"
            )
            yield Note(NoteKind.MISSING, text, where=self.name, severity="warning")
        if chosen.version != "1.5":
            text = "version 1.3 is 1.5 with fewer languages; it could not be compared with METEOR 1.3 itself"
            yield Note(NoteKind.PROVENANCE, text, where=self.name)
        if chosen.language == _OTHER and testset.target is None:
            text = f"the language is not known, so words match by form alone: give the pair ({option('lp', 'de-en')})"
            yield Note(NoteKind.ADVICE, text, where=self.name, severity="warning")
        if "stem" in chosen.modules and not stemmer_version().startswith(_STEMMERS):
            text = f"{stemmer_version()} has other rules than METEOR's stemmers: {_INSTALL}"
            yield Note(NoteKind.ADVICE, text, where=self.name)
        yield from space_advice(testset, self.name, chosen.tok, f"{self.name}:tok={{tok}}")

    def variants(self, testset: TestSet) -> Mapping[str, Sequence[Any]]:
        chosen = self.prepare(testset)
        tasks = ("rank", *_ENGLISH) if chosen.language == "en" else ("rank",) if chosen.task == "rank" else ()
        modules = chosen.modules.split("+")
        return {
            "task": (*tasks, "li", "tune"),
            "modules": tuple("+".join(modules[: n + 1]) for n in range(len(modules))),
            "tok": (AUTO, "space"),
            "lowercase": (True, False),
        }


def _single_text(rows: npt.NDArray[np.int32]) -> _core.TokenColumn:
    """A column of one text."""
    starts = np.array([0, len(rows)], dtype=np.int64)
    return _core.TokenColumn(np.ascontiguousarray(rows), starts, np.ones(1, dtype=np.bool_), np.ones(len(rows)))


def _module_lists() -> Iterator[str]:
    """All values of the option modules."""
    for n in range(len(_MODULES)):
        for others in itertools.combinations(_MODULES[1:], n):
            yield "+".join(("exact", *others))
