"""The groups of measurements, in the order of the page."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from bench import (
    agreement,
    character_edits,
    commands,
    drop_in,
    edits,
    growth,
    kernels,
    limits,
    meteor,
    metric_tests,
    ngrams,
    paired,
    peers,
    reranking,
    resampling,
    scale,
    vectors,
    viewer,
)
from bench.growth import Point
from bench.harness import Measured, Result, run, timed

Row: TypeAlias = Result | Measured | Point


@dataclass(frozen=True)
class Group:
    """A section of the page: what it says about its rows, and what measures them."""

    name: str
    title: str
    about: str
    measure: Callable[[], Iterator[Row]]


def _kernels() -> Iterator[Row]:
    modules = (kernels, ngrams, edits, peers, scale)
    return map(run, itertools.chain.from_iterable(module.cases() for module in modules))


def _intervals() -> Iterator[Row]:
    return map(run, itertools.chain(resampling.cases(), paired.cases()))


GROUPS = (
    Group(
        "commands",
        "Commands",
        "Whole processes, from files to printed scores, on WMT22 en-de.",
        commands.results,
    ),
    Group(
        "kernels",
        "Scores",
        """From Python lists of strings to scores without intervals. `score(spec, outputs, references)` stands for
`assay.score(assay.load(outputs=outputs, references=…), spec, agg="corpus", resamples=0, runtime=Runtime(threads=1))`;
options that are shown replace those. Data: WMT22 en-de and WMT19 en-zh; for 100,000 segments, all systems of WMT17,
WMT19 and WMT22 en-de. The objects of sacreBLEU are made in the measured call, because they keep the tokens of texts
that they have seen. bleuscore and fastchrf are written in Rust.""",
        _kernels,
    ),
    Group(
        "characters",
        "Edits of characters",
        """The mean of segment scores, from Python lists of strings; `score` as above. CharacTER beside the package cer,
whose edit distance is compiled, and EED beside torchmetrics, which is written in Python and adds up in single precision
(equal to 1e-6); torchmetrics needs torch, so `make bench` has this row only if it was installed before. Data: WMT22
en-de.""",
        lambda: map(run, character_edits.cases()),
    ),
    Group(
        "vectors",
        "Metrics on vectors",
        """eBLEU has no other implementation. From a loaded test set to segment scores on one thread, with notes on
unknown words; the vectors are random, and were opened before. Data: outputs of WMT17, WMT19 and WMT22 en-de.""",
        vectors.rates,
    ),
    Group(
        "meteor",
        "METEOR",
        """METEOR 1.5 with all modules for English, and its own program in Java, which loads all its files in every run:
Assay maps a table that was made once of the paraphrases. All counts of all segments are equal. CPU time of all
threads. After loading, the program gets one segment after another. Data: WMT13 de-en.""",
        meteor.rows,
    ),
    Group(
        "segments",
        "Scores of single segments",
        """sacreBLEU's functions for one segment and the same functions of `assay.compat.sacrebleu`, called for each
segment of a WMT22 en-de output. `their_metric` and `our_metric` are `BLEU(effective_order=True)`, made before.""",
        lambda: map(run, drop_in.cases()),
    ),
    Group(
        "intervals",
        "Intervals and tests",
        """`score` as above. sacreBLEU's intervals are those of `n_bootstrap`; its scores are equal, and its intervals
differ by less than 10 %, because the tools draw different resamples. x-BLEU (the mean score of resamples of 1,000
segments) has two peers, which get the drawn resamples for free: one scores the texts of each resample; the fair one
counts n-grams once, as Assay does, and sums the counts with numpy. The p-values of the paired tests are those of
sacreBLEU bit by bit.""",
        _intervals,
    ),
    Group(
        "rerank",
        "Choosing among candidates",
        """Minimum Bayes risk: the mean segment score of each candidate against all candidates of its segment. These
are the outputs of all systems of WMT24 en-de (330 characters on average), or 100: these, and texts that begin like one
of them and end like another. `decoder` is mbrs' `DecoderMBR` with its chrF and BLEU metrics; `fastchrf` is its option
that uses a library written in Rust. The processes that mbrs starts for each segment are threads here, so that their CPU
time counts. mbrs computes in single precision: utilities agree to 1e-3.""",
        lambda: map(run, reranking.cases()),
    ),
    Group(
        "agreement",
        "Agreement with human scores",
        """From arrays to values: 15 systems and 2,000 segments, with human scores that have many ties. "By item"
computes a value for each segment.""",
        lambda: map(run, agreement.cases()),
    ),
    Group(
        "metric-tests",
        "Tests between metrics",
        """All 435 pairs of 30 metrics on 15 systems and 2,000 segments, with 1,000 resamples on one thread.
mt-metrics-eval would take about 20 minutes (Pearson), 36 hours (acc-star), days (Kendall by item) and 5 hours (soft
pairwise accuracy).""",
        lambda: map(timed, metric_tests.tasks()),
    ),
    Group(
        "large",
        "Large tasks",
        """CPU time and memory of single calls on one thread. The full table has Pearson at system level and Kendall and
acc-star at segment level, with and without outliers, and other human scores and random metrics as baselines.""",
        limits.results,
    ),
    Group(
        "growth",
        "Growth",
        """Whole commands: a corpus score with its interval of 1,000 resamples, on one thread. The segments are those of
WMT17, WMT19 and WMT22 en-de, repeated with one type of token in sixteen altered in every thousand lines, so that 10
million segments have 2.6 million distinct tokens. Systems mix outputs of WMT22 en-de (2,000 segments), and references
are its two references and then outputs. A cell is a segment of a system. sacreBLEU's command runs once for each system.

<img src="images/growth.svg" alt="CPU time per cell and peak memory of BLEU, chrF and TER, by Assay and by sacreBLEU, \
as segments, systems and references grow" width="960">

CPU time is linear in segments and systems once there are enough of them. Before that, most of it is the start of the
process, about the same for any input, so the time per cell falls; on 10,000 segments it also hides most of what more
references cost. Memory is not linear: up to 100,000 segments, the table of statistics is kept as a whole; beyond 2
million cells it is added up in parts, and what grows are 16 bytes for each segment, the offsets of its lines in two
files. sacreBLEU holds the statistics of all resamples at once: 1,000 times those of the segments.""",
        growth.rows,
    ),
    Group(
        "viewer",
        "Segment viewer",
        """A report with 10,000 segments of 10 systems under three metrics, in Chromium: elapsed time from a change of
a control until the browser shows the new page of 50 segments.""",
        viewer.timings,
    ),
)
