"""What can go out unedited, in sentences: the population first where the promise does not hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.labels.numbers import interval_text, percent, threshold_text, with_interval
from assay.results import Estimate, Triage
from assay.results.triage import FEW_JUDGEMENTS, JudgedPopulation
from assay.types.note import listed, plural
from assay.types.severity import Severity
from assay.words.statement import Verdict

__all__ = ["triage_verdict"]

_MAX_NAMED = 8


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
        f"Segments with a score of {threshold_text(triage.threshold)} or more by {triage.metric} can go out unedited "
        f"if at most {promised} of them may have errors{counted}."
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
    rate = known[0].error_rate
    above = sum(each.error_rate.value > triage.promised for each in known)
    few = f" with at least {FEW_JUDGEMENTS} judgements" if len(known) < len(triage.systems) else ""
    share = with_interval(_percent(rate.value), interval_text(100 * rate.low, 100 * rate.high, 1))
    yield (
        f"That is of all systems together: of {plural(len(known), 'system')}{few}, {above} {_have(above)} a higher "
        f"rate than promised{_shown(triage, [each.error_rate for each in known])}. The highest is that of "
        f"{known[0].system}: {share} of {plural(rate.n, 'judgement')}."
    )


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _shown(triage: Triage, rates: Sequence[Estimate]) -> str:
    """How many of these the intervals show to break the promise, and how many to keep it."""
    broken, kept = (sum(triage.shown(rate) == outcome for rate in rates) for outcome in ("broken", "kept"))
    return f"; by the intervals, {broken} {_are(broken)} shown to break the promise and {kept} to keep it"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _tried(triage: Triage) -> Iterator[str]:
    """How often the promise was broken where judgements were held out."""
    tested = [each for each in triage.held_out if each.released]
    if not triage.held_out:
        return
    unit = triage.population.unit
    one, several = f"part of the {unit}s", f"parts of the {unit}s"
    if triage.holds_out_pairs:
        one, several = "language pair", "language pairs"
    if not tested:
        yield f"Held out in turn, no {one} got a threshold from the others, so the promise was not tried."
        return
    above = [each for each in tested if each.error_rate.value > triage.promised]
    names = listed((f"{each.part} {_percent(each.error_rate.value)}" for each in above), _MAX_NAMED)
    found = f"{len(above)} {_have(len(above))} a higher rate than promised" + (f" ({names})" if names else "")
    tried = f"the {len(tested)} {several}" if len(tested) > 1 else f"the one {one}"
    shown = _shown(triage, [each.error_rate for each in tested])
    yield f"Held out in turn, of {tried} for which the others gave a threshold, {found}{shown}."


def _limits(triage: Triage) -> Iterator[str]:
    yield f"A rating finds an error if {_error(triage)}."
    about = _population(triage.population, triage.metric)
    yield f"This rests on {about}. It says nothing of other languages, kinds of text, systems or metrics."


def _error(triage: Triage) -> str:
    marked = "one is marked" if triage.severity == Severity.MINOR else "a major one is marked"
    return marked if math.isnan(triage.min_score) else f"{marked} or the rater gave less than {triage.min_score:g}"


def _population(judged: JudgedPopulation, metric: str) -> str:
    return (
        f"{judged.judgements:,} {judged.protocol} {'judgement' if judged.judgements == 1 else 'judgements'} "
        f"('{judged.human}') of {plural(judged.systems, 'system')} in "
        f"{plural(judged.units, judged.unit)} of "
        f"{listed(judged.campaigns, _MAX_NAMED) or 'the data'} ({listed(judged.pairs, _MAX_NAMED)}), with scores of "
        f"{metric} from {judged.lowest_score:.4g} to {judged.highest_score:.4g}"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
