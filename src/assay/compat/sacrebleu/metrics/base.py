"""What sacreBLEU's metrics share: scores, signatures, and scoring with Assay's core."""

from __future__ import annotations

import json
import statistics
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from assay.comparison.sacrebleu.arithmetic import Floats, scores_of_totals
from assay.comparison.sacrebleu.resampling import SummableTable, resampled_sums
from assay.compat.sacrebleu.columns import (
    checked_testset,
    hypothesis_column,
    read_references,
    reference_columns,
    reference_count,
)
from assay.compat.sacrebleu.errors import NoReferencesError, NoScoreError, TextError
from assay.compat.sacrebleu.seed import seed_text, seeded_generator
from assay.compat.sacrebleu.version import __version__
from assay.contracts import Metric as CoreMetric
from assay.errors import PluginError
from assay.registry import option_text
from assay.types import Column, Table
from assay.types.runtime import Runtime

__all__ = ["Metric", "Score", "Signature", "half_interval"]

_ONE_THREAD = Runtime(threads=1)
_DONE_BY_THE_CORE = {
    "_preprocess_segment",
    "_extract_reference_info",
    "_compute_segment_statistics",
    "_extract_corpus_statistics",
    "_aggregate_and_compute",
    "_compute_score_from_stats",
    "_cache_references",
    "_compute_f_score",
    "_get_match_statistics",
    "_remove_punctuation",
    "_PUNCTS",
}
"""What sacreBLEU would call in a subclass, and Assay would not, or not for resamples."""


class Score:
    """A score in sacreBLEU's format. `_mean` and `_ci`, half the interval, are -1 without resampling."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """The score as a line of text or a JSON object."""
        number = f"{self.score:.{width}f}"
        confidence = f"μ = {self._mean:.{width}f} ± {self._ci:.{width}f}" if self._mean > 0 else ""
        if confidence:
            number += f" ({confidence})"
        if score_only:  # also for JSON, which is then a bare number
            return number
        if is_json:
            return self._json(width, confidence, signature)
        name = f"{self.name}|{signature}" if signature else self.name
        return f"{name} = {number}" + (f" {self._verbose}" if self._verbose else "")

    def _json(self, width: int, confidence: str, signature: str) -> str:
        document: dict[str, Any] = {
            "name": self.name,
            "score": float(f"{self.score:.{width}f}"),
            "signature": signature,
        }
        if confidence:
            document["confidence_mean"] = float(f"{self._mean:.{width}f}")
            document["confidence_var"] = float(f"{self._ci:.{width}f}")
            document["confidence"] = confidence
        if self._verbose:
            document["verbose_score"] = self._verbose
        if signature:
            document |= {key: value for key, _, value in (item.partition(":") for item in signature.split("|"))}
        return json.dumps(document, indent=1, ensure_ascii=False)

    def estimate_ci(self, scores: Sequence[Score]) -> None:
        """Set mean and half the 95% interval from the scores of resamples."""
        self._set_interval([score.score for score in scores])

    def _set_interval(self, values: Sequence[float]) -> None:
        self._mean = float(statistics.mean(values))
        self._ci = half_interval(sorted(values))

    def __repr__(self) -> str:
        return self.format()


def half_interval(scores: Sequence[float] | Floats) -> float:
    """Half the 95% interval of the sorted scores of resamples."""
    tail = len(scores) // 40
    return float(0.5 * (scores[len(scores) - tail - 1] - scores[tail]))


class Signature:
    """sacreBLEU's signature, from the attributes of a metric. `info` has every item, None where it does not apply."""

    _abbr: ClassVar[dict[str, str]] = {
        "version": "v",
        "nrefs": "#",
        "test": "t",
        "lang": "l",
        "subset": "S",
        "origlang": "o",
        "bs": "bs",
        "ar": "ar",
        "seed": "rs",
    }

    def __init__(self, args: Mapping[str, Any]) -> None:
        references = args.get("num_refs")
        if references is None:
            raise NoScoreError("there is no signature before the first score", hint="compute a score first")
        self.info: dict[str, Any] = {
            "version": __version__,
            "nrefs": "var" if references == -1 else references,
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            **dict.fromkeys(("test", "lang", "origlang", "subset")),
        }

    def format(self, short: bool = False) -> str:
        """The signature as text; `short` abbreviates the keys."""
        items = {key: value for key, value in self.info.items() if value is not None}
        items["version"] = items.pop("version")  # comes last
        return "|".join(
            f"{self._abbr[key] if short else key}:{option_text(value) if isinstance(value, bool) else value}"
            for key, value in items.items()
        )

    def update(self, key: str, value: Any) -> None:
        """Set an item."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    __repr__ = __str__


class Metric(ABC):
    """Base class of BLEU, CHRF and TER. Attributes may be changed between scores."""

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = Signature

    def __init__(self, references: Sequence[Sequence[str | None]] | None = None) -> None:
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self.num_refs: int | None = None
        self._references = None if references is None else self._counted(reference_columns(references))

    def __init_subclass__(cls) -> None:
        """Refuse a subclass elsewhere whose methods would be ignored."""
        ignored = sorted(_DONE_BY_THE_CORE & vars(cls).keys())
        if ignored and not cls.__module__.startswith(f"{__package__}."):
            raise PluginError(
                f"{cls.__name__}.{ignored[0]} would be ignored: statistics and resamples are computed by Assay's core",
                hint="write a metric of Assay, or subclass the class of sacreBLEU",
            )

    @property
    @abstractmethod
    def metric(self) -> CoreMetric:
        """The metric of Assay with the options of this one."""

    @abstractmethod
    def _compute_score_from_stats(self, stats: Sequence[float]) -> Any:
        """The score of summed statistics, as an object."""

    @abstractmethod
    def _preprocess_segment(self, sent: str) -> str:
        """The text that n-grams or words are taken from."""

    @abstractmethod
    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        """N-grams or words of the references of a segment."""

    def corpus_score(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None, n_bootstrap: int = 1
    ) -> Any:
        """The score of a corpus; with `n_bootstrap` > 1 also mean and half-width of a 95% interval."""
        table = self.tables([hypotheses], references)
        score = self._compute_score_from_stats(table[0].sum(axis=0).tolist())
        if n_bootstrap > 1:
            self.n_bootstrap, self.seed = n_bootstrap, seed_text()
            _, generator = seeded_generator()
            ((sums,),) = resampled_sums(generator, n_bootstrap, [SummableTable(table)])
            score._set_interval(list(scores_of_totals(self.metric, sums)))
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> Any:
        """The score of one segment against its references."""
        if not isinstance(hypothesis, str):
            raise TextError(f"a hypothesis is a string, not {type(hypothesis).__name__}")
        columns = self._counted(read_references(references))
        table = self.metric.statistics(checked_testset([Column((hypothesis,))], columns), _ONE_THREAD)
        return self._compute_score_from_stats(table[0, 0].tolist())

    def get_signature(self) -> Signature:
        """The signature of the last score."""
        return self._SIGNATURE_TYPE(vars(self))

    def tables(
        self,
        systems: Sequence[Sequence[str]],
        references: Sequence[Sequence[str | None]] | None,
        runtime: Runtime = _ONE_THREAD,
        *,
        names: Iterable[str | None] = (None,),
    ) -> Table:
        """The statistics (system, segment, column). References are by default those of the constructor.

        Errors name the system, if several are given.
        """
        columns = self._references if references is None else reference_columns(references)
        if columns is None:
            raise NoReferencesError("no references were given", hint="pass them here or to the constructor")
        outputs = [hypothesis_column(texts, columns, name) for texts, name in zip(systems, names, strict=True)]
        table: Table = self.metric.statistics(checked_testset(outputs, self._counted(columns)), runtime)
        return table

    def _counted(self, columns: tuple[Column, ...]) -> tuple[Column, ...]:
        self.num_refs = reference_count(columns)
        return columns

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str | None]] | None
    ) -> list[list[float]]:
        statistics: list[list[float]] = self.tables([hypotheses], references)[0].tolist()
        return statistics

    def _aggregate_and_compute(self, stats: Sequence[Sequence[float]]) -> Any:
        return self._compute_score_from_stats(np.sum(stats, axis=0).tolist())

    def _cache_references(self, references: Sequence[Sequence[str | None]]) -> list[dict[str, Any]]:
        columns = self._counted(reference_columns(references))
        return [
            self._extract_reference_info([self._preprocess_segment(text) for text in segment if text is not None])
            for segment in zip(*columns, strict=True)
        ]
