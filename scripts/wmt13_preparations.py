"""Search for what the tables of WMT13 were computed from, over preparations of texts, human scores and settings.

python -m scripts.wmt13_preparations [SEARCH...]

With names of searches (the functions below), only these are run, and the rows of the others stay as they are. A
candidate is compared with all printed values of its metrics at once, on the directions of the archive in $ASSAY_DATA.
The script writes src/assay/reproduction/wmt13_preparations.tsv, which the reasons and remarks of
`assay reproduce wmt13` quote: a row for each kind of candidate, how many were tried, and the most values that one of
them has. LEPOR is tried with part-of-speech tags if `python -m scripts.annotate_wmt13` has made them, and METEOR's
values are looked at if its files are in $ASSAY_RESOURCES.
"""

from __future__ import annotations

import itertools
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

import assay
from assay.reproduction import wmt13
from assay.reproduction.campaigns import standard_reference
from assay.reproduction.wmt13_metrics import Metrics
from assay.reproduction.wmt13_preparations import TABLE, Row, tried
from assay.results import Published
from assay.text import tokenizer
from assay.types import Column, FloatArray, IntArray, Rankings, TestSet, as_column
from assay.types.runtime import Runtime
from scripts import annotate_wmt13, archives

TARGET = Path(str(TABLE))
RUNTIME = Runtime(threads=1, on_warning=lambda _: None)
AGGREGATIONS = ("corpus", "segment means")
CASE = {"without case": True, "with case": False}
"""Whether texts are lower-cased."""

MOSES = {
    "bleu-moses:tok={tok},lowercase={yes}": "BLEU-MOSES",
    "ter-moses:tok={tok},case_sensitive={no}": "TER-MOSES",
    "wer-moses:tok={tok},lowercase={yes}": "WER-MOSES",
    "per-moses:tok={tok},lowercase={yes}": "PER-MOSES",
    "cder-moses:tok={tok},lowercase={yes}": "CDER-MOSES",
}
MTEVAL = {
    "bleu-mteval:lowercase={yes}": "BLEU-MTEVAL",
    "bleu-mteval-intl:lowercase={yes}": "BLEU-MTEVAL-INTL",
    "nist:lowercase={yes}": "NIST-MTEVAL",
    "nist-mteval-intl:lowercase={yes}": "NIST-MTEVAL-INTL",
}
HUMAN = {"wins": "the share of wins", "expected-wins": "expected wins", "trueskill": "TrueSkill"}
TOKENIZERS = ("none", "13a", "mteval-intl", "moses-en")
"""Those tried for LEPOR; `moses-en` by tokens made before."""
ALIGNMENTS = ("perl-2013", "perl", "strict")
RATIOS = ("9:1", "1:1", "1:9")
TAG_WEIGHTS = ("0.1", "0.5", "0.9")
SEGMENT_TOKENIZERS = ("13a", "mteval", "moses-en")
LEFT_OUT = 3
NORMALISED = "moses-en after its normalisation of punctuation"
SHIFTS = (-2, -1, 1, 2)
OF_SEGMENTS = ("METEOR", "SENTBLEU-MOSES", "SIMPBLEU-RECALL", "SIMPBLEU-PREC", "LEPOR v3.100", "NLEPOR")


def main(names: Sequence[str]) -> None:
    """Run the searches, and write the table after each."""
    warnings.simplefilter("ignore", assay.errors.AssayWarning)
    if unknown := set(names) - SEARCHES.keys():
        sys.exit(f"unknown: {', '.join(unknown)}; available: {', '.join(SEARCHES)}")
    campaigns = [
        campaign
        for campaign in assay.load_campaigns(archives.unpacked("wmt13"), runtime=RUNTIME)
        if campaign.lp in wmt13.printed("Table 2")["METEOR"]
    ]
    for name, (search, kinds) in SEARCHES.items():
        if names and name not in names:
            continue
        start = time.process_time()
        _write(list(search(campaigns)), kinds)
        print(f"{name}: {time.process_time() - start:.0f} s of CPU time", file=sys.stderr)


def _write(found: Sequence[Row], kinds: Sequence[str]) -> None:
    """Put the rows of a search in the place of those that the table had."""
    rows = {kind: tried(kind) for _, own in SEARCHES.values() for kind in own} if TARGET.exists() else {}
    rows |= {kind: tuple(row for row in found if row.search == kind) for kind in kinds}
    lines = ["\t".join(Row._fields), *("\t".join(map(str, row)) for own in rows.values() for row in own)]
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    tried.cache_clear()


def moses_scorers(campaigns: Sequence[assay.Campaign]) -> Iterator[Row]:
    """The five Moses scorers in Table 2, by tokeniser, case, and system score."""
    prepared = {
        **{tok: tok for tok in ("none", "13a", "intl", "mteval", "mteval-intl")},
        **dict.fromkeys(("moses-en", "moses-en-aggressive", NORMALISED), "space"),
    }
    for name, tok in prepared.items():
        texts = [with_tokens(campaign, name) for campaign in campaigns]
        for case, lower in CASE.items():
            specs = {label: _filled(spec, tok, lower=lower) for spec, label in MOSES.items()}
            for score, found in spearman(texts, specs).items():
                yield Row("Moses", _cells(specs, campaigns), name, case, score, 1, met(found), "")


def human_scores(campaigns: Sequence[assay.Campaign]) -> Iterator[Row]:
    """The mteval metrics in Table 2, by the human score that they are correlated with, and case."""
    for case, lower in CASE.items():
        specs = {label: _filled(spec, "", lower=lower) for spec, label in MTEVAL.items()}
        scored = scores(campaigns, specs)
        for method, name in HUMAN.items():
            found = correlations(scored, [*specs], method)["corpus"]
            example = f"BLEU-MTEVAL de-en {found['BLEU-MTEVAL', 'de-en']:.3f}"
            yield Row("mteval", _cells(specs, campaigns), name, case, "corpus", 1, met(found), example)


def lepor(campaigns: Sequence[assay.Campaign], tag_weights: Sequence[str] = ("0",)) -> Iterator[Row]:
    """LEPOR with its settings of WMT13, by tokeniser, case, alignment, weight of tags, and system score."""
    settings = itertools.product(ALIGNMENTS, tag_weights)
    specs = [f"lepor:version=3.1,alignment={alignment},pos_weight={weight}" for alignment, weight in settings]
    search = "LEPOR v3.100" if tag_weights == ("0",) else "LEPOR v3.100 with tags"
    return _settings(campaigns, search, "LEPOR v3.100", specs)


def lepor_with_tags(campaigns: Sequence[assay.Campaign]) -> Iterator[Row]:
    """The same with part-of-speech tags, if there are any."""
    if missing := [str(each.lp) for each in campaigns if not (annotate_wmt13.FOLDER / str(each.lp)).is_dir()]:
        where = f"{annotate_wmt13.FOLDER} has no annotations of {', '.join(missing)}"
        print(f"{where}: LEPOR is not tried with tags", file=sys.stderr)
        return
    folder, annotations = archives.unpacked("wmt13"), annotate_wmt13.FOLDER
    tagged = [
        assay.load_campaign(folder, lp=str(each.lp), annotations=annotations, runtime=RUNTIME) for each in campaigns
    ]
    yield from lepor(tagged, TAG_WEIGHTS)


def nlepor(campaigns: Sequence[assay.Campaign]) -> Iterator[Row]:
    """NLEPOR, by tokeniser, case, alignment, orders, recall to precision, and system score."""
    settings = itertools.product(ALIGNMENTS, range(1, 5), RATIOS)
    specs = [f"lepor:alignment={a},max_order={order},recall_precision={ratio}" for a, order, ratio in settings]
    return _settings(campaigns, "NLEPOR", "NLEPOR", specs)


def _settings(campaigns: Sequence[assay.Campaign], search: str, metric: str, specs: Sequence[str]) -> Iterator[Row]:
    """A row for each tokeniser and case, over all settings and both system scores of a metric of Table 2."""
    for tok in TOKENIZERS:
        texts = [with_tokens(campaign, tok) for campaign in campaigns]
        option = "space" if tok == "moses-en" else tok
        for case, lower in CASE.items():
            named = {spec: f"{spec},tok={option},lowercase={_yes(is_true=lower)}" for spec in specs}
            found = {
                f"{spec}, {score}": met({(metric, lp): value for (name, lp), value in values.items() if name == spec})
                for score, values in spearman(texts, named).items()
                for spec in specs
            }
            yield Row(search, len(campaigns), tok, case, "", len(found), *_best(found))


def sentence_bleu(campaigns: Sequence[assay.Campaign]) -> Iterator[Row]:
    """SENTBLEU-MOSES in Table 4, by tokeniser, case, and what ties of the metric count."""
    for tok in SEGMENT_TOKENIZERS:
        texts = [with_tokens(campaign, tok) for campaign in campaigns]
        option = "space" if tok == "moses-en" else tok
        for case, lower in CASE.items():
            spec = f"sentbleu:tok={option},lowercase={_yes(is_true=lower)}"
            pairs = {str(each.lp): JudgedPairs.of(each, {"SENTBLEU-MOSES": spec}) for each in texts}
            for rule in ("12", "13", "14"):
                found = {key: value for each in pairs.values() for key, value in each.taus(rule).items()}
                score = f"ties as in WMT{rule}"
                yield Row("SENTBLEU-MOSES", len(campaigns), tok, case, score, 1, met(found, "Table 4"), "")


def judged_segments(campaigns: Sequence[assay.Campaign]) -> Iterator[Row]:
    """The metrics of Table 4 in fr-en and es-en, if other systems or other segments were judged than the files say."""
    metrics = Metrics({}, None)
    for campaign in campaigns:
        if campaign.lp not in wmt13.OPEN_SEGMENTS:
            continue
        specs = {
            metric: metrics.spec(metric, campaign.lp, "segment")
            for metric in OF_SEGMENTS
            if metrics.lack(metric, campaign) is None
        }
        pairs = JudgedPairs.of(campaign, specs)
        base = met(pairs.taus(), "Table 4")
        yield Row(campaign.lp, len(specs), "as in the files", "", "", 1, base, _differences(pairs))
        for name, candidates in (
            (f"up to {LEFT_OUT} systems left out", pairs.without_systems),
            ("two systems exchanged", pairs.with_systems_exchanged),
            ("segments numbered differently from some segment on", pairs.with_segments_shifted),
        ):
            found = {label: met(taus, "Table 4") for label, taus in candidates()}
            yield Row(campaign.lp, len(specs), name, "", "", len(found), *_best(found))


def _differences(pairs: JudgedPairs) -> str:
    """How much higher our values are than the printed ones."""
    cells = wmt13.printed("Table 4")
    higher = [value - float(cells[metric][lp].value) for (metric, lp), value in pairs.taus().items()]
    return f"{min(higher):.3f} to {max(higher):.3f} higher".replace("0.", ".")


class JudgedPairs(NamedTuple):
    """The pairs of outputs that people distinguish, and the segment scores of metrics."""

    lp: str
    segment: IntArray
    better: IntArray
    worse: IntArray
    scores: Mapping[str, FloatArray]
    """By metric: (system, segment)."""

    @classmethod
    def of(cls, campaign: assay.Campaign, specs: Mapping[str, str]) -> JudgedPairs:
        """Score the outputs of the systems that were judged."""
        judged = next(each for each in campaign.judgements if isinstance(each, Rankings) and each.name == wmt13.GOLD)
        texts = _texts(campaign, "")
        run = assay.score(texts, list(dict.fromkeys(specs.values())), agg="segment", resamples=0, runtime=RUNTIME)
        better, worse = (np.argmax(judged.ranks == rank, axis=1) for rank in (1, 2))
        scores = {
            metric: np.array([run[spec].segments[system] for system in judged.systems])
            for metric, spec in specs.items()
        }
        return cls(str(campaign.lp), np.asarray(judged.segment), better, worse, scores)

    @property
    def systems(self) -> int:
        """How many there are."""
        return len(next(iter(self.scores.values())))

    def signs(self, scores: FloatArray, segment: IntArray | None = None) -> IntArray:
        """For each pair: 1 if the metric agrees with people, -1 if it does not, 0 if it has a tie."""
        segment = self.segment if segment is None else segment
        difference = scores[self.better, segment] - scores[self.worse, segment]
        return np.where(np.abs(difference) <= 1e-9, 0, np.sign(difference)).astype(np.int64)

    def taus(self, rule: str = "13") -> dict[tuple[str, str], float]:
        """Kendall's tau of each metric, with a rule for its ties."""
        return {(metric, self.lp): _tau(self.signs(scores), rule) for metric, scores in self.scores.items()}

    def without_systems(self) -> Iterator[tuple[str, Mapping[tuple[str, str], float]]]:
        """Pairs without some systems."""
        agreed = {}
        for metric, scores in self.scores.items():
            counts = np.zeros((2, self.systems, self.systems))
            signs = self.signs(scores)
            np.add.at(counts[0], (self.better, self.worse), signs)
            np.add.at(counts[1], (self.better, self.worse), signs != 0)
            agreed[metric] = counts
        for count in range(1, LEFT_OUT + 1):
            for systems in itertools.combinations(range(self.systems), count):
                kept = np.setdiff1d(np.arange(self.systems), systems)
                yield (
                    str(systems),
                    {
                        (metric, self.lp): float(np.divide(*counts[:, kept[:, None], kept].sum(axis=(1, 2))))
                        for metric, counts in agreed.items()
                    },
                )

    def with_systems_exchanged(self) -> Iterator[tuple[str, Mapping[tuple[str, str], float]]]:
        """The outputs of two systems have each other's names."""
        for pair in itertools.combinations(range(self.systems), 2):
            order = np.arange(self.systems)
            order[list(pair)] = order[list(pair[::-1])]
            yield (
                str(pair),
                {(metric, self.lp): _tau(self.signs(scores[order])) for metric, scores in self.scores.items()},
            )

    def with_segments_shifted(self) -> Iterator[tuple[str, Mapping[tuple[str, str], float]]]:
        """From some segment on, the outputs are those of the segment some places before or after it."""
        (count,) = {scores.shape[1] for scores in self.scores.values()}
        for shift in SHIFTS:
            moved = np.clip(self.segment + shift, 0, count - 1)
            agreed = {}
            for metric, scores in self.scores.items():
                by_segment = np.zeros((2, 2, count))
                for side, segment in enumerate((self.segment, moved)):
                    signs = self.signs(scores, segment)
                    np.add.at(by_segment[side, 0], self.segment, signs)
                    np.add.at(by_segment[side, 1], self.segment, signs != 0)
                before = np.cumsum(by_segment[0], axis=1)
                after = np.cumsum(by_segment[1][:, ::-1], axis=1)[:, ::-1]
                sums = np.concatenate([np.zeros((2, 1)), before[:, :-1]], axis=1) + after
                agreed[metric] = sums[0] / sums[1]
            for first in range(count):
                yield (
                    f"{shift:+} from {first}",
                    {(metric, self.lp): float(taus[first]) for metric, taus in agreed.items()},
                )


def _tau(signs: IntArray, rule: str = "13") -> float:
    """(concordant - discordant) / counted; ties of the metric are ignored (13), counted (14) or discordant (12)."""
    ties = int(np.count_nonzero(signs == 0))
    return float(signs.sum() - (ties if rule == "12" else 0)) / (len(signs) - (ties if rule == "13" else 0))


def with_tokens(campaign: assay.Campaign, prepared: str) -> assay.Campaign:
    """The campaign with the systems that were judged, and texts that were split by a tokeniser of Moses if it is one.

    Moses' tokens are made once and then split at spaces, since that tokeniser takes longer than all metrics.
    """
    key = (str(campaign.lp), bool(campaign.testset and campaign.testset.annotations), prepared)
    if key not in _TEXTS:
        _TEXTS[key] = _texts(campaign, prepared)
    return replace(campaign, testset=_TEXTS[key])


_TEXTS: dict[tuple[str, bool, str], TestSet] = {}


def _texts(campaign: assay.Campaign, prepared: str) -> TestSet:
    (judged,) = (each for each in campaign.judgements if isinstance(each, Rankings) and each.name == wmt13.GOLD)
    reference = standard_reference(campaign)
    texts = campaign.select_texts(systems=judged.systems, references=[] if reference is None else [reference])
    if not prepared.startswith("moses"):
        return texts
    cut = tokenizer.create("moses-en" if prepared == NORMALISED else prepared).cut
    if prepared == NORMALISED:
        from sacremoses import MosesPunctNormalizer

        normalize, split = MosesPunctNormalizer("en").normalize, cut

        def cut(line: str) -> str:
            return split(normalize(line))

    def changed(column: Column) -> Column:
        return as_column(None if line is None else cut(line) for line in column)

    outputs = {name: changed(column) for name, column in texts.outputs.items()}
    references = {name: changed(column) for name, column in texts.references.items()}
    return replace(texts, outputs=outputs, references=references)


def spearman(campaigns: Sequence[assay.Campaign], specs: Mapping[str, str]) -> dict[str, dict[tuple[str, str], float]]:
    """By system score: the correlation of each metric with the share of wins, by metric and language pair."""
    return correlations(scores(campaigns, specs), [*specs], "wins")


def scores(campaigns: Sequence[assay.Campaign], specs: Mapping[str, str]) -> list[assay.Campaign]:
    """The campaigns with both system scores of some metrics."""
    found = []
    for campaign in campaigns:
        assert campaign.testset is not None  # noqa: S101
        wanted = list(dict.fromkeys(specs.values()))
        run = assay.score(campaign.testset, wanted, agg=["corpus", "segment"], resamples=0, runtime=RUNTIME)
        tables = [
            assay.ScoreTable(
                f"{name}, {aggregation}",
                "system",
                run.systems,
                np.array([[values[system]] for system in run.systems]),
                references=tuple(campaign.testset.references),
                higher_is_better=run[spec].higher_is_better,
            )
            for name, spec in specs.items()
            for aggregation, values in zip(AGGREGATIONS, (run[spec].corpus, run[spec].segment_mean), strict=True)
        ]
        found.append(replace(wmt13._with_rankings(campaign), scores=tuple(tables)))
    return found


def correlations(
    campaigns: Sequence[assay.Campaign], names: Sequence[str], method: str
) -> dict[str, dict[tuple[str, str], float]]:
    """The same with the human scores of a method."""
    table = assay.meta(
        campaigns,
        gold=wmt13.GOLD,
        statistics=["spearman"],
        method=method,
        outliers="keep",
        resamples=0,
        random_metrics=0,
        runtime=RUNTIME,
    )
    return {
        aggregation: {
            (name, str(each.lp)): table.agreement(f"{name}, {aggregation}", lp=each.lp).estimate.value
            for name in names
            for each in campaigns
        }
        for aggregation in AGGREGATIONS
    }


def met(values: Mapping[tuple[str, str], float], table: str = "Table 2") -> int:
    """How many values, by metric and language pair, are printed in a table."""
    cells = wmt13.printed(table)
    return sum(Published(cells[metric][lp].value).is_met(value) is True for (metric, lp), value in values.items())


def _best(found: Mapping[str, int], few: int = 3) -> tuple[int, str]:
    """The most values, and the candidates that have as many if they are few."""
    most = max(found.values())
    best = [label for label, count in found.items() if count == most and label]
    return most, "; ".join(best) if len(best) <= few else ""


def _cells(specs: Mapping[str, str], campaigns: Sequence[assay.Campaign]) -> int:
    return len(specs) * len(campaigns)


def _filled(spec: str, tok: str, *, lower: bool) -> str:
    return spec.format(tok=tok, yes=_yes(is_true=lower), no=_yes(is_true=not lower))


def _yes(*, is_true: bool) -> str:
    return "yes" if is_true else "no"


SEARCHES: Mapping[str, tuple[Callable[[Sequence[assay.Campaign]], Iterable[Row]], tuple[str, ...]]] = {
    "moses_scorers": (moses_scorers, ("Moses",)),
    "human_scores": (human_scores, ("mteval",)),
    "lepor": (lepor, ("LEPOR v3.100",)),
    "lepor_with_tags": (lepor_with_tags, ("LEPOR v3.100 with tags",)),
    "nlepor": (nlepor, ("NLEPOR",)),
    "sentence_bleu": (sentence_bleu, ("SENTBLEU-MOSES",)),
    "judged_segments": (judged_segments, wmt13.OPEN_SEGMENTS),
}
"""The searches by name, and what their rows are called."""


if __name__ == "__main__":
    main(sys.argv[1:])
