"""Compare eBLEU, YiSi and BERTScore with people on the WMT archives in $ASSAY_DATA and write docs/embedding-metrics.md.

python -m scripts.embedding_metrics [RESOURCE | TEST_SET/PAIR ...]

Vectors and encoders are those in the resource folder (scripts/resources.py). Results of a language pair are kept in
build/embedding_metrics under the digest of the resource, so that a run can be continued; without arguments, all that
are missing are computed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import assay
from assay.reproduction.ebleu import digests_at_hand, score_once
from assay.types import ScoreTable
from scripts import archives

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "embedding-metrics.md"
RESULTS = ROOT / "build" / "embedding_metrics"

TEST_SETS = ("wmt22", "wmt21.news", "wmt19")
LANGUAGES: Mapping[str, frozenset[str]] = {
    "wink-en": frozenset({"en"}),
    "navec-ru": frozenset({"ru"}),
    "minilm-en": frozenset({"en"}),
    "use-multilingual": frozenset(
        ["ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"]
    ),
}
"""What each resource is for."""
ENCODERS = ("minilm-en", "use-multilingual")
MULTILINGUAL = "use-multilingual"
GOLDS = ("mqm", "mqm-col1", "wmt-z")
"""Human scores, the first that a language pair has."""
RANKINGS = "darr"
CHANCE = 0.5
REFERENCES = ("refA", "refB", "ref")
SEGMENT_MEAN = "chrF, segment mean"
BASELINES = {"BLEU": "bleu", "chrF": "chrf", SEGMENT_MEAN: "chrf"}


def main() -> None:
    """Compute what is asked for, and write the page."""
    campaigns = [(name, each) for name in TEST_SETS for each in assay.load_campaigns(archives.unpacked(name))]
    digests = digests_at_hand(LANGUAGES)
    for resource in digests:
        for test_set, campaign in campaigns:
            file = result_file(test_set, campaign.lp, resource, digests)
            is_wanted = not sys.argv[1:] or {resource, f"{test_set}/{campaign.lp}"} & set(sys.argv[1:])
            if not is_wanted or file.exists() or not (specs := metrics_for(campaign.lp, resource)):
                continue
            start = time.process_time()
            if (found := evaluate(campaign, specs)) is None:
                continue
            about = {"test_set": test_set, "lp": campaign.lp, "resource": resource, "digest": digests[resource]}
            RESULTS.mkdir(parents=True, exist_ok=True)
            seconds = time.process_time() - start
            file.write_text(json.dumps({**about, "seconds": seconds, **found}, indent=1), encoding="utf-8")
            print(f"{file.stem}: {seconds:.0f} s", file=sys.stderr, flush=True)
    results = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(RESULTS.glob("*.json"))]
    current = [result for result in results if result.get("digest") == digests.get(result["resource"])]
    PAGE.write_text("\n".join(page(current, _missing(campaigns, digests))) + "\n", encoding="utf-8")


def result_file(test_set: str, lp: str, resource: str, digests: Mapping[str, str]) -> Path:
    """Where the results of a language pair are kept. Those of another version of a resource have another name."""
    return RESULTS / f"{test_set}.{lp}.{resource}.{digests.get(resource, 'absent')}.json"


def _missing(campaigns: Sequence[tuple[str, assay.Campaign]], digests: Mapping[str, str]) -> dict[str, list[str]]:
    """By resource, the language pairs with human scores that have not been computed."""
    missing: dict[str, list[str]] = {}
    for resource in LANGUAGES:
        for test_set, campaign in campaigns:
            is_judged = any(
                (table.name, table.level) in {(gold, "system") for gold in GOLDS} for table in campaign.human
            )
            is_done = result_file(test_set, campaign.lp, resource, digests).exists()
            if is_judged and metrics_for(campaign.lp, resource) and not is_done:
                missing.setdefault(resource, []).append(f"{test_set} {campaign.lp}")
    return missing


def metrics_for(lp: str, resource: str) -> dict[str, str]:
    """The metrics of a resource by their names on the page, if it is for this language pair."""
    source, target = lp.split("-")
    if target not in LANGUAGES[resource]:
        return {}
    n = ",n=1" if resource in ENCODERS else ""  # as in the paper
    specs = {
        "eBLEU, softmax": f"ebleu:vectors={resource}",
        "eBLEU, L1": f"ebleu:vectors={resource},diffusion=l1",
        "YiSi-1": f"yisi-1:vectors={resource}{n}",
        "BERTScore": f"bertscore:vectors={resource}",
    }
    if resource == MULTILINGUAL and source in LANGUAGES[resource]:
        specs["YiSi-2"] = f"yisi-2:vectors={resource}{n}"
    return specs


def evaluate(campaign: assay.Campaign, specs: Mapping[str, str]) -> dict[str, Any] | None:
    """Pairwise accuracy of systems and Kendall's tau of segments, with intervals; None without human scores."""
    human = {(table.name, table.level): table for table in campaign.human}
    gold = next((name for name in GOLDS if (name, "system") in human), None)
    if gold is None:
        return None
    table = human[gold, "system"]
    judged = {name for name, value in zip(table.systems, table.values[:, 0], strict=True) if value == value}
    scores = _score_tables(campaign, judged, {**BASELINES, **specs})
    found = {"gold": gold, "systems": _rows(campaign, scores, gold=gold, statistics=["pairwise-accuracy"])}
    segment_gold = RANKINGS if any(each.name == RANKINGS for each in campaign.judgements) else gold
    if segment_gold == RANKINGS or (segment_gold, "segment") in human:
        found["segment_gold"] = segment_gold
        found["segments"] = _rows(campaign, scores, gold=segment_gold, level="segment")
    return found


def _score_tables(campaign: assay.Campaign, judged: set[str], specs: Mapping[str, str]) -> list[ScoreTable]:
    """System and segment scores of the judged systems against the first reference, by the names on the page."""
    testset = campaign.testset
    assert testset is not None  # noqa: S101  # these test sets have texts
    reference = next(name for name in REFERENCES if name in testset.references)
    texts = assay.load(
        references={reference: list(testset.references[reference])},
        outputs={name: list(column) for name, column in testset.outputs.items() if name in judged},
        sources=None if testset.sources is None else list(testset.sources),
        lp=campaign.lp,
    )
    run = score_once(texts, specs.values(), assay.Runtime(), agg=["corpus", "segment"])
    tables = []
    for name, spec in specs.items():
        scored = run[spec]
        values: dict[str, Mapping[str, Any]] = {
            "system": scored.segment_mean if name == SEGMENT_MEAN else scored.headline,
            "segment": scored.segments,
        }
        for level, by_system in values.items():
            if name == SEGMENT_MEAN and level == "segment":
                continue  # chrF has the same segment scores
            matrix = np.array([np.atleast_1d(by_system[system]) for system in run.systems])
            tables.append(ScoreTable(name, level, run.systems, matrix, references=(reference,)))
    return tables


def _rows(campaign: assay.Campaign, scores: list[ScoreTable], **options: Any) -> dict[str, dict[str, Any]]:
    """By the name of the metric: value, interval and numbers."""
    found = assay.meta(
        [replace(campaign, scores=campaign.human)],
        external={campaign.lp: scores},
        outliers="keep",
        random_metrics=0,
        **options,
    )
    kept = ("value", "low", "high", "systems", "segments", "pairs", "statistic", "ci", "reason")
    names = [table.name for table in scores if table.level == "system"]
    rows = {row["metric"]: {key: row[key] for key in kept} for row in found.rows() if row["lp"] == campaign.lp}
    return {name: rows[name] for name in names if name in rows}


def page(results: Sequence[Mapping[str, Any]], missing: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The lines of the page."""
    yield "# Metrics on vectors, compared with people\n"
    yield "<!-- written by scripts/embedding_metrics.py (make embedding-metrics) -->\n"
    yield (
        "How well eBLEU, YiSi and BERTScore agree with people when they use vectors and encoders that can be had from "
        "package registries ([where to get them](methods/vectors.md)), beside BLEU, chrF and the segment mean of "
        "chrF. Nothing was tuned on these data: all options are the defaults, except that YiSi has n = 1 with "
        "encoders, as in its paper. These encoders are small; the large ones that the papers use cannot be had there, "
        "and the numbers say nothing about them.\n"
    )
    yield (
        "One reference (A if there is one), references that were judged like systems left out, outliers kept. Systems: "
        "the share of pairs that a metric and people order alike (1 is best, 0.5 is chance). Segments: Kendall's tau-b "
        "over the outputs of each segment, averaged; for WMT19 that of the daRR pairs. Intervals are for 95%: systems, "
        "respectively documents or segments, are drawn again. How often a metric is ahead of chrF or behind it counts "
        "every difference, also those that may be chance.\n"
    )
    for resource in LANGUAGES:
        chosen = [result for result in results if result["resource"] == resource]
        if chosen:
            yield f"## {resource}\n"
            yield from _averages(chosen)
            yield from _against_source(chosen)
            if resource in missing:
                yield f"Not computed yet: {', '.join(missing[resource])}.\n"
    yield "## Every language pair\n"
    for test_set in TEST_SETS:
        for lp in sorted({result["lp"] for result in results if result["test_set"] == test_set}):
            yield from _pair([each for each in results if (each["test_set"], each["lp"]) == (test_set, lp)])


def _averages(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Means over language pairs, and on how many of them a metric is ahead of chrF."""
    covered = [[each[level] for each in results if level in each] for level in ("systems", "segments")]
    names = list(dict.fromkeys(name for rows in covered[0] for name in rows))
    yield f"Language pairs: {len(covered[0])}, with segment scores {len(covered[1])}.\n"
    yield "| metric | systems | ahead of chrF | segments | ahead of chrF |\n|---|--:|--:|--:|--:|"
    for name in names:
        yield f"| {name} | {' | '.join(cell for rows in covered for cell in _average(name, rows))} |"
    yield ""


def _against_source(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """How often YiSi-2, which sees no reference, is worse than chance."""
    scored = [(each, each["systems"]["YiSi-2"]) for each in results if "YiSi-2" in each["systems"]]
    if not scored:
        return
    worse = [(each, row) for each, row in scored if row["value"] < CHANCE]
    sure = [row for _, row in worse if row["high"] is not None and row["high"] < CHANCE]
    shown = ", ".join(f"{each['test_set']} {each['lp']} ({row['value']:.3f})" for each, row in worse)
    yield (
        f"**Against the source** (YiSi-2), this encoder orders fewer than half of the pairs of systems as people do on "
        f"{len(worse)} of {len(scored)} language pairs{': ' if worse else ''}{shown}. On {len(sure)} of them the whole "
        "interval is below one half. It must not be used to estimate quality.\n"
    )


def _average(name: str, covered: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    both = [(rows[name]["value"], rows["chrF"]["value"]) for rows in covered if name in rows]
    if not both:
        return "", ""
    ahead, behind = (sum(sign * (ours - chrf) > 0 for ours, chrf in both) for sign in (1, -1))
    of_all = "" if len(both) == len(covered) else f" (of {len(both)} pairs)"
    return (
        f"{sum(ours for ours, _ in both) / len(both):.3f}{of_all}",
        "" if name == "chrF" else f"{ahead}, behind {behind}",
    )


def _pair(results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    first = results[0]
    yield f"### {first['test_set']} {first['lp']}\n"
    judged = f"; of segments: {first['segment_gold']}" if "segments" in first else ""
    yield f"{first['systems']['chrF']['systems']} systems; human scores of systems: {first['gold']}{judged}.\n"
    yield "| metric | vectors | systems | segments |\n|---|---|--:|--:|"
    for result in results:
        for name, row in result["systems"].items():
            is_baseline = name in BASELINES
            if not is_baseline or result is first:
                resource = "" if is_baseline else result["resource"]
                yield f"| {name} | {resource} | {_cell(row)} | {_cell(result.get('segments', {}).get(name))} |"
    yield ""


def _cell(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return ""
    if row["value"] is None:
        return str(row["reason"])
    if row["low"] is None:
        return f"{row['value']:.3f} ({row['reason']})" if row["reason"] else f"{row['value']:.3f}"
    return f"{row['value']:.3f} ({row['low']:.3f} to {row['high']:.3f})"


if __name__ == "__main__":
    main()
