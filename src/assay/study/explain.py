"""`assay.explain`: what a difference of metric scores means to people."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from numbers import Real
from typing import Annotated

from assay.calibration.explanation import Question, answer
from assay.calibration.files import BUNDLED, PUBLISHED, CalibrationChoice, open_calibration, published
from assay.calibration.joint_explanation import JointQuestion, answer_jointly
from assay.calibration.options import STORED, STORED_SEGMENT, JudgedSegments
from assay.calibration.partial_pooling import partly_pooled
from assay.calibration.published import Published
from assay.calibration.system_kinds import KINDS
from assay.errors import ConfigError, most_similar, nearest, option_name
from assay.measurement import AGGREGATIONS
from assay.metrics import metric as metric_registry
from assay.options.checks import check_choice
from assay.options.option import CALIBRATION, Option, split_specs
from assay.options.parameters import kind_of
from assay.options.shared import pair_option
from assay.options.verb import verb
from assay.registry.plugin_files import is_from_file
from assay.results import ALL, Calibration, Explanation, JointExplanation, SignedScore
from assay.types import Note, NoteKind
from assay.types.note import plural
from assay.words.calibration import CAVEAT, significance_words

__all__ = ["explain"]

_PROTOCOLS = ("DA/SQM", "MQM", "ESA")


@verb
def explain(
    metric: Annotated[
        str | Sequence[str],
        Option("Metric, with its options: bleu:tok=intl; or several: bleu,chrf.", split=split_specs),
    ],
    difference: Annotated[
        float | Sequence[float],
        Option(
            "Difference of two scores. Its sign does not matter. Of several metrics, one each: positive where a metric "
            "prefers the first system, negative where it prefers the second.",
            is_checked=False,
        ),
    ],
    *,
    lp: Annotated[
        str | None,
        pair_option("Language pair, which selects the group of target languages.", group=CALIBRATION),
    ] = None,
    agg: Annotated[
        str | None,
        Option(
            "How the scores were aggregated: corpus, segment or bootstrap; for scores from files stored, or "
            "stored-segment for means of segment scores.",
            group=CALIBRATION,
            noun="aggregation",
            choices=(*AGGREGATIONS, STORED, STORED_SEGMENT),
            metavar="NAME",
            default="as usual for the metric if the calibration has it, else corpus",
        ),
    ] = None,
    domain: Annotated[str, Option("Domain of the texts.", group=CALIBRATION, metavar="NAME")] = ALL,
    protocol: Annotated[
        str | None,
        Option(
            "How people judged: DA/SQM, MQM or ESA.",
            group=CALIBRATION,
            metavar="NAME",
            default="as in the latest campaigns with such target languages",
        ),
    ] = None,
    kinds: Annotated[
        str,
        Option(
            "The two systems: language models (LLM), only for translation (MT), or one of each (mixed), also with the "
            "better-scored one first (MT-over-LLM, LLM-over-MT).",
            group=CALIBRATION,
            choices=(ALL, *KINDS),
            noun=option_name("kinds"),
            metavar="NAME",
        ),
    ] = ALL,
    judged: JudgedSegments = None,
    calibration: CalibrationChoice = BUNDLED,
) -> Explanation | JointExplanation:
    """Say what a difference of metric scores means to people.

    The probability that people would find a difference of this size significant, what it was learnt from, and which
    differences of other metrics mean the same. A calibration answers only for a metric with the same options and
    aggregation, and only within the range of differences that were observed. The answer is about the better-scored
    system.

    The differences of several metrics between the same two systems have one answer: that of a fit to all of them, or of
    the one that predicts best, if they do not predict left-out campaigns better together.
    It says which system is ahead.
    """
    differences = _differences(difference, metric)
    opened, source = open_calibration(calibration)
    names = [_known_metric(each, agg, opened) for each in metric]
    if calibration == BUNDLED:
        opened, source = open_calibration(calibration, pairs_of=names)
    check_choice("domain", domain, _known("domain", opened, ALL))
    if protocol is not None:
        check_choice("protocol", protocol, _known("protocol", opened, *_PROTOCOLS))
    scores = tuple(
        SignedScore(name, agg or _usual_aggregation(name, opened), size)
        for name, size in zip(names, differences, strict=True)
    )
    if len(scores) > 1:
        asked = JointQuestion(scores, lp, domain, protocol or "", kinds, judged)
        joint = answer_jointly(asked, opened, source)
        if joint.alone is not None and joint.single is not None:
            joint = replace(joint, alone=_with_pooling(joint.alone, asked.about(joint.single), opened))
        return replace(joint, notes=(*_on_significance(joint), *_on_signs(scores)))
    (score,) = scores
    size = abs(score.difference)
    question = Question(score.metric, score.aggregation, size, lp, domain, protocol or "", kinds, judged)
    explanation = _with_pooling(answer(question, opened, source), question, opened)
    return replace(explanation, notes=tuple(_notes(question, explanation, score.difference)))


def _with_pooling(explanation: Explanation, question: Question, opened: Calibration | Published) -> Explanation:
    """The answer with that of a partially pooled fit, if the calibration has pairs of systems.

    It has none for a number of judged segments, for which it was not shown to predict better.
    """
    if isinstance(opened, Published) or not opened.pairs or question.judged is not None:
        return explanation
    return replace(explanation, partly_pooled=partly_pooled(explanation, question, opened))


def _on_significance(explanation: Explanation | JointExplanation) -> Iterator[Note]:
    """What no calibration replaces, and by which test people's preferences are significant."""
    yield Note(NoteKind.ADVICE, CAVEAT)
    if explanation.is_answered and explanation.settings.get("unit") == "segment":
        yield Note(NoteKind.ADVICE, significance_words(explanation, is_bundled=explanation.source == BUNDLED))


def _on_signs(scores: Iterable[SignedScore]) -> Iterator[Note]:
    """How differences of metrics were read whose lower scores are better."""
    own = [each for each in scores if each.difference and _is_own(each.metric)]
    for each in own:
        if not metric_registry.create(each.metric).higher_is_better:
            better = "first" if each.difference > 0 else "second"
            text = (
                f"{each.metric} {each.difference:+g} was read as: the {better} system is better, with the lower score; "
                "assay compare prints the difference of the scores, which has the other sign"
            )
            yield Note(NoteKind.PROVENANCE, text)


def _differences(difference: float | Sequence[float], metrics: Sequence[str]) -> tuple[float, ...]:
    """One number for each metric."""
    several = difference if isinstance(difference, Iterable) and not isinstance(difference, str) else [difference]
    found = tuple(_finite(each) for each in several)
    if len(found) != len(metrics):
        stated = f"{plural(len(metrics), 'metric')} and {plural(len(found), 'difference')}"
        raise ConfigError(f"{stated} were given", hint="give one difference for each metric: bleu,chrf 1.2,-0.4")
    return found


def _finite(difference: object) -> float:
    if not isinstance(difference, Real) or isinstance(difference, bool):
        raise ConfigError(f"difference must be a number, not {kind_of(difference)}")
    if not math.isfinite(difference):
        raise ConfigError(f"difference must be a finite number, not {float(difference):g}")
    return float(difference)


def _notes(question: Question, explanation: Explanation, difference: float) -> Iterator[Note]:
    yield from _on_significance(explanation)
    if difference < 0:
        text = f"the answer is for {-difference:g}: it is about the better-scored system, whichever that is"
        yield Note(NoteKind.CHANGED, text)
    is_missing = explanation.population is None and explanation.source != PUBLISHED
    if is_missing and answer(question, published(), PUBLISHED).is_answered:
        text = f"{PUBLISHED} has cut-offs of {question.metric}: {option_name('calibration', PUBLISHED)}"
        yield Note(NoteKind.ADVICE, text)


def _known_metric(metric: str, aggregation: str | None, calibration: Calibration | Published) -> str:
    """The name of a metric in a calibration. One that is neither there nor computed by Assay is a misspelling."""
    if isinstance(calibration, Calibration) and metric in calibration.metrics:
        return metric
    is_own = _is_own(metric)
    if is_own and aggregation in (None, *AGGREGATIONS) and isinstance(calibration, Calibration):
        return metric_registry.spec(metric_registry.create(metric))
    if not (is_own or not metric.strip() or _has(calibration, metric) or _has(published(), metric)):
        known = {*metric_registry.names(), *(calibration.metrics if isinstance(calibration, Calibration) else ())}
        begun = [name for name in known if name.lower().startswith(f"{metric.lower()}-")]  # XCOMET-XL for xcomet
        close = begun[0] if len(begun) == 1 else most_similar(metric, (*published().metrics, *known))
        if close is not None and close not in known:
            hint = f"did you mean '{close}'? It is in {PUBLISHED}: {option_name('calibration', PUBLISHED)}"
        else:
            hint = f"did you mean '{close}'?" if close is not None else nearest(metric, known)
        raise ConfigError(f"unknown metric '{metric}'", hint=hint)
    return metric


def _usual_aggregation(metric: str, calibration: Calibration | Published) -> str:
    """That of the metric if the calibration has it, or the only one there is; published cut-offs are of corpora."""
    if isinstance(calibration, Published):
        return "corpus"
    if len(available := {curve.aggregation for curve in calibration if curve.metric == metric}) == 1:
        return available.pop()
    if not _is_own(metric):
        return "corpus"
    usual = metric_registry.create(metric).default_aggregation
    return usual if any((curve.metric, curve.aggregation) == (metric, usual) for curve in calibration) else "corpus"


def _is_own(metric: str) -> bool:
    """Whether Assay computes a metric."""
    return metric.lower() in metric_registry.names() or ":" in metric or is_from_file(metric)


def _has(calibration: Calibration | Published, metric: str) -> bool:
    return metric.lower() in {name.lower() for name in calibration.metrics}


def _known(name: str, calibration: Calibration | Published, *usual: str) -> tuple[str, ...]:
    """The domains or protocols that a calibration may be asked for."""
    if isinstance(calibration, Published):
        return tuple(dict.fromkeys((*usual, *(getattr(cutoff, name) for cutoff in calibration.cutoffs))))
    return tuple(dict.fromkeys((*usual, *(getattr(curve.population, name) for curve in calibration))))
