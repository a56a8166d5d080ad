"""Would people notice a difference of this size? By the calibration that the comparison used, with its population."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from assay.reports.blocks import Block, Heading, PageSection, Sentences
from assay.reports.page.figures import HALF, Wanted, figures
from assay.reports.page.report import Report, distinct_names, numbered
from assay.results import Calibration, JointExplanation, Ranking, SystemComparison
from assay.words.compared_pair import PairVerdict, pair_verdict
from assay.words.joint import joint_sentences
from assay.words.noticed import (
    NoticedScores,
    answered_jointly,
    group_remarks,
    in_hundred,
    noticed_answer,
    noticed_basis,
    noticed_lede,
    noticed_scores,
    noticed_sentence,
)
from assay.words.people import ranking_for
from assay.words.statement import Name

__all__ = ["build"]

_MOST_FIGURES = 2


def build(report: Report) -> Iterator[PageSection]:
    """For each comparison that a calibration answers for."""
    found = ((each, pair_verdict(each)) for each in report.of(SystemComparison))
    asked = ((comparison, pair, noticed_scores(pair.scores)) for comparison, pair in found)
    answered = [
        (*each, used)
        for each, used in zip_longest(asked, report.calibrations)
        if each[2] or answered_jointly(each[1], each[0]) is not None
    ]
    labels = distinct_names([comparison.inputs for comparison, *_ in answered])
    for place, (comparison, pair, groups, used) in enumerate(answered):
        others = [each for each in report.of(Calibration) if each is not used]
        yield PageSection(
            f"notice{numbered(place)}",
            f"Would people notice? {labels[place]}".strip(),
            "Would people notice?",
            (
                Heading(("The difference between ", Name(pair.first, "a"), " and ", Name(pair.second, "b"))),
                Sentences(tuple(_answer(comparison, pair, ranking_for(report.results, comparison.inputs.lp)))),
                *(() if used is None else figures(list(_charts(groups))[:_MOST_FIGURES], used)),
                *_together(answered_jointly(pair, comparison)),
                Heading(("By each score, and what the numbers rest on",)),
                Sentences(tuple(noticed_basis(comparison, pair, groups, used, others))),
                *(block for group in groups for block in _by_score(group)),
            ),
            lede=noticed_lede(groups),
            eyebrow=labels[place],
            part="Systems",
        )


def _together(joint: JointExplanation | None) -> Iterator[Block]:
    """What all scores mean together."""
    if joint is not None:
        yield Heading(("All scores together",))
        yield Sentences(tuple(joint_sentences(joint)))


def _answer(comparison: SystemComparison, pair: PairVerdict, ranking: Ranking | None) -> Iterator[str]:
    """The sentence of the terminal, under the heading that asks; if people judged the two, what they said."""
    said = list(noticed_sentence(pair, comparison, ranking))
    yield from said
    if not said:
        yield from (f"{answer.answer}. {answer.detail}" for answer in noticed_answer(pair, comparison, ranking))


def _charts(groups: Sequence[NoticedScores]) -> Iterator[Wanted]:
    """The curve of each metric, of the population that answered; corpus scores come first."""
    seen = set()
    for score in (score for group in groups for score in group.scores):
        population = None if score.pair.explanation is None else score.pair.explanation.population
        if population is None or score.metric.metric in seen:
            continue
        seen.add(score.metric.metric)
        of = {name: getattr(population, name) for name in ("protocol", "group", "domain", "kinds")}
        options = {
            "metric": score.metric.metric,
            "aggregation": score.metric.aggregation,
            "difference": abs(score.favour),
        }
        yield Wanted("calibration", HALF, {**options, **of})


def _by_score(group: NoticedScores) -> Iterator[Block]:
    """The answers that rest on the same data, and what is to be known about them."""
    yield Sentences(tuple(f"{in_hundred(score)}." for score in group.scores), "list")
    yield Sentences(tuple(group_remarks(group)), "notes")
