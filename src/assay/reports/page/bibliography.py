"""BibTeX entries of the metrics, tests and methods that results used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from assay.registry import split_spec
from assay.results import (
    Calibration,
    Decisions,
    MetaEvaluation,
    PairRankings,
    Ranking,
    Result,
    RobustnessTable,
    Run,
    SystemComparison,
)
from assay.version import __version__

__all__ = ["bibtex"]

_FILE = Path(__file__).with_name("references.bib")
_OWN = """@software{assay,
  title = {Assay: machine-translation evaluation you can defend},
  version = {%s}
}"""
_METRICS = {
    "bleu": ("papineni-etal-2002-bleu", "post-2018-call"),
    "cder": ("leusch-etal-2006-cder",),
    "chrf": ("popovic-2015-chrf", "post-2018-call"),
    "chrf++": ("popovic-2017-chrf", "post-2018-call"),
    "nist": ("doddington-2002-automatic",),
    "sentbleu": ("papineni-etal-2002-bleu",),
    "ter": ("snover-etal-2006-study",),
}
_TESTS = {
    "bootstrap": "koehn-2004-statistical",
    "koehn": "koehn-2004-statistical",
    "randomisation": "riezler-maxwell-2005-pitfalls",
}
_STATISTICS = {
    "acc-star": "deutsch-etal-2023-ties",
    "tau-star": "deutsch-etal-2023-ties",
    "acc23": "deutsch-etal-2023-ties",
    "tau23": "deutsch-etal-2023-ties",
    "pairwise-accuracy": "kocmi-etal-2021-ship",
}


def bibtex(results: Sequence[Result]) -> str:
    """Assay itself, then the entries in the order of their years."""
    wanted = {key for result in results for key in _keys(result)}
    entries = re.split(r"(?m)^(?=@)", _FILE.read_text(encoding="utf-8"))
    chosen = [entry.strip() for entry in entries if any(f"{{{key}," in entry for key in wanted)]
    return "\n".join((_OWN % __version__, *sorted(chosen, key=_year)))


def _year(entry: str) -> tuple[str, str]:
    found = re.search(r"year = \{(\d+)\}", entry)
    return (found[1] if found else "", entry)


def _keys(result: Result) -> Iterator[str]:
    if isinstance(result, Run):
        yield from _metric_keys(result.metrics)
    elif isinstance(result, SystemComparison):
        yield from _metric_keys(metric.metric for metric in result.metrics)
        yield from _test_keys(result.settings.get("test", ""))
        if any(pair.noticed is not None for pair in result.pairs):
            yield "lo-etal-2023-beyond"
    elif isinstance(result, Calibration | Decisions):
        yield from _metric_keys(
            each.metric for each in (result.curves if isinstance(result, Calibration) else result.metrics)
        )
        yield "lo-etal-2023-beyond" if isinstance(result, Calibration) else "mathur-etal-2020-tangled"
    else:
        yield from _human_keys(result)


def _human_keys(result: Result) -> Iterator[str]:
    if isinstance(result, MetaEvaluation):
        yield from (_STATISTICS[each.statistic] for each in result.measures if each.statistic in _STATISTICS)
        if any(pair.outliers.systems for pair in result.language_pairs):
            yield "mathur-etal-2020-tangled"
    if isinstance(result, RobustnessTable):
        yield "mathur-etal-2020-tangled"
    rankings = [result] if isinstance(result, Ranking) else []
    if isinstance(result, PairRankings):
        rankings = list(result.rankings.values())
    if any(ranking.settings.get("protocol") == "MQM" for ranking in rankings):
        yield "freitag-etal-2021-experts"


def _metric_keys(specs: Iterable[str]) -> Iterator[str]:
    for spec in specs:
        yield from _METRICS.get(split_spec(spec)[0], ())


def _test_keys(spec: str) -> Iterator[str]:
    if (name := split_spec(spec)[0]) in _TESTS:
        yield _TESTS[name]
