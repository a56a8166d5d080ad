"""What can be released unedited, in sentences: the population first where the promise does not hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.labels.numbers import percent, share_text, threshold_text
from assay.results import Estimate, Triage
from assay.results.triage import FEW_JUDGEMENTS, JudgedPopulation
from assay.types.note import listed, plural, verb_for
from assay.types.severity import Severity
from assay.words.statement import Verdict

__all__ = ["triage_verdict"]

_MAX = 8


def triage_verdict(triage: Triage) -> Verdict:
    """Whether the promise can be kept, which new segments can be released, and how far that carries."""
    return Verdict(((_headline(triage),),), tuple(_lede(triage)), remarks=tuple(_limits(triage)))


def _headline(triage: Triage) -> str:
    promised = percent(triage.promised)
    if math.isnan(triage.threshold):
        kept = f"the promise that a rater finds errors in at most {promised} of what is released"
        if not math.isnan(triage.withheld):
            kept += ", in every language pair"
        return f"Nothing can be released unedited: no score of {triage.metric} was shown to keep {kept}."
    counted = ""
    if triage.segments:
        counted = f": {len(triage.released):,} of {plural(len(triage.segments), 'new segment')}"
    return (
        f"Segments with a score of {threshold_text(triage.threshold)} or more by {triage.metric} can be released "
        f"unedited if a rater may find errors in at most {promised} of them{counted}."
    )


def _lede(triage: Triage) -> Iterator[str]:
    if not math.isnan(triage.threshold):
        rate = triage.error_rate
        yield (
            f"Of {rate.n:,} judgements of such segments, {_share(rate.value)} found an error, at most "
            f"{_share(rate.high)} at {percent(triage.confidence)} confidence; of all judgements, "
            f"{_share(triage.base_rate)}."
        )
        yield f"Such segments have {_share(triage.released_share)} of the judgements."
        if (several := triage.found_by_any).n:
            found = f"at least one rater found an error in {_share(several.value)} of these"
            yield f"Each rating of a segment counts: {_with_several(several.n)}, and {found}."
        yield from _of_documents(triage)
        yield from _systems(triage)
    else:
        best = triage.best
        shown = ""
        which = "of these" if math.isnan(triage.withheld) else "from there on"
        if best.value == best.value:
            shown = (
                f": of {plural(best.n, 'judgement')} {which}, {_share(best.value)} found an error, at most "
                f"{_share(best.high)} at {percent(triage.confidence)} confidence"
            )
        yield f"The reason is that {triage.reason}{shown}; of all judgements, {_share(triage.base_rate)} found one."
        yield from _single_pairs(triage)
    yield from _cross_check(triage)
    if triage.segments and (outside := triage.count("outside")):
        yield (
            f"{plural(outside, 'new segment')} {verb_for(outside, 'has a score', 'have scores')} beyond those that "
            "people judged, which say nothing: edit them."
        )


def _with_several(count: int) -> str:
    return f"{plural(count, 'output')} {verb_for(count, 'has', 'have')} several"


def _of_documents(triage: Triage) -> Iterator[str]:
    """What the promise assumes of documents that nobody saw."""
    judged = triage.population
    if judged.unit == "document":
        yield (
            "The promise is of documents like those judged, and no longer: of documents of more than "
            f"{plural(judged.longest, 'segment')} nothing is known."
        )
    else:
        yield "The documents are not known: segments count as independent, so that more may have errors than it says."


def _single_pairs(triage: Triage) -> Iterator[str]:
    """Which language pairs have a threshold by themselves."""
    if not triage.pairs:
        return
    alone = [each for each in triage.pairs if not math.isnan(each.own_threshold)]
    if not alone:
        yield "No language pair has a threshold by itself, either."
        return
    names = listed((f"{each.pair} ({threshold_text(each.own_threshold)})" for each in alone), _MAX)
    alone_or_each = "itself" if len(alone) == 1 else "themselves"
    yield f"By {alone_or_each}, there is a threshold for {names}: ask for one language pair."


def _systems(triage: Triage) -> Iterator[str]:
    """How the systems differ whose segments are released."""
    known = [each for each in triage.systems if each.error_rate.n >= FEW_JUDGEMENTS]
    if len(triage.systems) < 2 or not known:
        return
    worst, rates = known[0], [each.error_rate for each in known]
    few = f" with at least {FEW_JUDGEMENTS} judgements" if len(known) < len(triage.systems) else ""
    yield (
        "The promise is of all systems together. "
        f"{_more(triage, rates)} {plural(len(known), 'system')}{few}{_shown(triage, rates)}. "
        f"{worst.system} has the most: {_share(worst.error_rate)} of {plural(worst.error_rate.n, 'judgement')}."
    )
    if _above(triage, rates):
        yield "If you publish a single system, ask for a promise of that one: --systems NAME."


def _cross_check(triage: Triage) -> Iterator[str]:
    """How often the promise was broken where judgements were held out."""
    if not triage.held_out:
        return
    part = "language pair" if triage.holds_out_pairs else f"part of the {triage.population.unit}s"
    if not (tested := [each for each in triage.held_out if each.released]):
        yield f"The promise could not be cross-checked: with each {part} left out in turn, nothing in it was released."
        return
    rates = [each.error_rate for each in tested]
    above = [each for each in tested if each.error_rate.value > triage.promised]
    names = listed((f"{each.part} {_share(each.error_rate.value)}" for each in above), _MAX)
    where = "them" if len(tested) == len(triage.held_out) else f"the {len(tested)} where segments were released"
    yield (
        f"Cross-check: each {part} in turn was left out, and the threshold of the others applied to it. "
        f"{_more(triage, rates)} {where}{f' ({names})' if names else ''}{_shown(triage, rates)}."
    )


def _more(triage: Triage, rates: Sequence[Estimate]) -> str:
    return f"More judgements found errors than promised in {len(_above(triage, rates)) or 'none'} of"


def _above(triage: Triage, rates: Sequence[Estimate]) -> list[Estimate]:
    """The rates that are higher than promised."""
    return [rate for rate in rates if rate.value > triage.promised]


def _shown(triage: Triage, rates: Sequence[Estimate]) -> str:
    """In how many of those with more errors than promised the interval shows it."""
    above = _above(triage, rates)
    if not above:
        return ""
    broken = sum(triage.shown(rate) == "broken" for rate in above)
    return f", significantly in {broken or 'none'}" if len(above) > 1 else f", {'' if broken else 'not '}significantly"


def _limits(triage: Triage) -> Iterator[str]:
    yield f"A rating finds an error if {_error(triage)}."
    about = _population(triage.population, triage.metric)
    yield f"This rests on {about}. It says nothing of other languages, kinds of text, systems or metrics."


def _error(triage: Triage) -> str:
    marked = "one is marked" if triage.severity == Severity.MINOR else "a major one is marked"
    return marked if math.isnan(triage.min_score) else f"{marked} or the rater gave less than {triage.min_score:g}"


def _population(judged: JudgedPopulation, metric: str) -> str:
    return (
        f"{plural(judged.judgements, f'{judged.protocol} judgement')} "
        f"('{judged.human}') of {plural(judged.systems, 'system')} in "
        f"{plural(judged.units, judged.unit)} of "
        f"{listed(judged.campaigns, _MAX) or 'the data'} ({listed(judged.pairs, _MAX)}), with scores of "
        f"{metric} from {judged.lowest_score:.4g} to {judged.highest_score:.4g}"
    )


def _share(share: Estimate | float) -> str:
    return share_text(share, 1)
