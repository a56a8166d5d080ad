"""What can go out unedited, in sentences: the population first where the promise does not hold."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.labels.numbers import interval_text, percent, with_interval
from assay.results import Triage
from assay.results.triage import FEW_JUDGEMENTS, JudgedPopulation
from assay.types.note import listed, plural
from assay.words.statement import Verdict

__all__ = ["triage_verdict"]

_MAX_NAMED = 8
_HELD_OUT = {
    "pair": ("language pair", "language pairs"),
    "documents": ("fifth of the documents", "fifths of the documents"),
}


def triage_verdict(triage: Triage) -> Verdict:
    """Whether the promise can be kept, what of the new segments can go out, and how far that carries."""
    return Verdict(((_headline(triage),),), tuple(_lede(triage)), remarks=tuple(_limits(triage)))


def _headline(triage: Triage) -> str:
    promised = percent(triage.promised)
    if math.isnan(triage.threshold):
        kept = f"the promise that at most {promised} have errors"
        return f"Nothing can go out unedited: no score of {triage.metric} was shown to keep {kept}."
    counted = ""
    if triage.segments:
        counted = f": {len(triage.released):,} of {plural(len(triage.segments), 'new segment')}"
    return (
        f"Segments with a score of {triage.threshold:.4g} or more by {triage.metric} can go out unedited if at most "
        f"{promised} of them may have errors{counted}."
    )


def _lede(triage: Triage) -> Iterator[str]:
    if not math.isnan(triage.threshold):
        rate = triage.error_rate
        yield (
            f"Of {rate.n:,} judgements of such segments, {_percent(rate.value)} found an error, at most "
            f"{_percent(rate.high)} at {percent(triage.confidence)} confidence; of all judgements, "
            f"{_percent(triage.base_rate)}."
        )
        yield f"Such segments are {_percent(triage.released_share)} of those judged."
        yield from _worst_system(triage)
    else:
        best = triage.best
        shown = ""
        if best.value == best.value:
            shown = (
                f": of {plural(best.n, 'judgement')} of these, {_percent(best.value)} found an error, at most "
                f"{_percent(best.high)} at {percent(triage.confidence)} confidence"
            )
        yield f"The reason is that {triage.reason}{shown}; of all judgements, {_percent(triage.base_rate)} found one."
    yield from _tried(triage)
    if triage.segments and (outside := triage.count("outside")):
        yield (
            f"{plural(outside, 'new segment')} {'has a score' if outside == 1 else 'have scores'} beyond those that "
            "people judged, which say nothing: edit them."
        )


def _worst_system(triage: Triage) -> Iterator[str]:
    """What the one system may have whose segments go out."""
    known = [each for each in triage.systems if each.error_rate.n >= FEW_JUDGEMENTS]
    if len(triage.systems) < 2 or not known:
        return
    above, rate = sum(each.error_rate.value > triage.promised for each in known), known[0].error_rate
    systems = f"{above or 'none'} of {plural(len(known), 'system')} {'have' if above > 1 else 'has'}"
    left_out = f" with at least {FEW_JUDGEMENTS} judgements" if len(known) < len(triage.systems) else ""
    share = with_interval(_percent(rate.value), interval_text(100 * rate.low, 100 * rate.high, 1))
    yield (
        f"That is of all systems together: {systems} more errors than promised, and the highest rate{left_out} is that "
        f"of {known[0].system}: {share} of {plural(rate.n, 'judgement')}."
    )


def _tried(triage: Triage) -> Iterator[str]:
    """How often the promise was broken where judgements were held out."""
    tested = [each for each in triage.held_out if each.released]
    if not triage.held_out:
        return
    one, several = _HELD_OUT[triage.held_out_unit]
    if not tested:
        yield f"Held out in turn, no {one} got a threshold from the others, so the promise was not tried."
        return
    broken = [each for each in tested if each.is_broken]
    names = listed((f"{each.part} {_percent(each.error_rate.value)}" for each in broken), _MAX_NAMED)
    found = f"{len(broken)} broke the promise ({names})" if broken else "none broke the promise"
    tried = f"the {len(tested)} {several}" if len(tested) > 1 else f"the one {one}"
    yield f"Held out in turn, of {tried} for which the others gave a threshold, {found}."


def _limits(triage: Triage) -> Iterator[str]:
    yield f"A rating finds an error if {_error(triage)}."
    about = _population(triage.population, triage.metric)
    yield f"This rests on {about}. It says nothing of other languages, kinds of text, systems or metrics."


def _error(triage: Triage) -> str:
    marked = "one is marked" if triage.severity == "minor" else "a major one is marked"
    return marked if math.isnan(triage.least_score) else f"{marked} or the rater gave less than {triage.least_score:g}"


def _population(judged: JudgedPopulation, metric: str) -> str:
    unit = plural(judged.segments or 0, "segment") if judged.documents is None else plural(judged.documents, "document")
    parts = (
        f"{plural(judged.judgements, 'judgement')} ({judged.protocol}, '{judged.human}')",
        f"of {listed(judged.campaigns, _MAX_NAMED) or 'the data'}",
        listed(judged.pairs, _MAX_NAMED),
        plural(judged.systems, "system"),
        unit,
        f"scores of {metric} from {judged.lowest_score:.4g} to {judged.highest_score:.4g}",
    )
    return ", ".join(parts)


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
