"""JUDGE: a language model behind an OpenAI-compatible server says how good outputs are."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

from assay.contracts import AUTO, Metric
from assay.errors import ConfigError, nearest
from assay.judges.panel import Outputs, Panel, judge_outputs, judge_pairs
from assay.judges.prompt import PROMPTS, Prompt, open_prompt
from assay.judges.protocols import AnyProtocol, Judging, OutputProtocol, PairProtocol, Segment, source_texts
from assay.judges.protocols import protocol as protocols
from assay.lazily import numpy as np
from assay.metrics import metric
from assay.options.checks import check_choice, check_integer, no_effect
from assay.registry import option_text
from assay.results import Estimate
from assay.types import FloatArray, Note, NoteKind, Ratings, Table, TestSet, predicted_ratings, ratio_of_sums
from assay.types.column import as_column
from assay.types.note import listed, plural
from assay.types.runtime import Runtime
from assay.types.testset import digest_of_column

if TYPE_CHECKING:
    import numpy.typing as npt

    from assay.judges.reading import ReplyForm
    from assay.judges.request import Answer, Request
    from assay.judges.server import Server

__all__ = ["Judge"]

Value = TypeVar("Value")

_EXAMPLE = "judge:protocol=esa,model=NAME,endpoint=http://127.0.0.1:8000/v1"
_BOTH, _ONE = "both", "one"
_MAX_VOTES, _MAX_RETRIES, _MAX_TOKENS = 1000, 100, 1 << 20
_MAX_TEMPERATURE = 10.0
_DIGITS = 8  # of the digest of systems
_REASONS = 4  # in a note
_SHOWN = 80  # characters of a reply in a note


class _Prepared(NamedTuple):
    """The server and the prompts that `prepare` opened, and what prompts call the languages."""

    server: Server
    prompts: Mapping[str, Prompt]
    languages: str
    """Empty if no prompt names them."""


class _Judged(NamedTuple):
    """A test set and what the judge said of it."""

    testset: TestSet
    panel: Panel


@metric("judge")
@dataclass(frozen=True)
class Judge(Metric):
    """The mean of the scores that a language model gives, from 0 to 100 (mqm: from -25 to 0).

    The model is behind an OpenAI-compatible server, to which the texts are sent. A key is read from ASSAY_JUDGE_KEY,
    or, for OpenAI's servers and those on this computer, from OPENAI_API_KEY.
    A reply that is not exactly in the form that was asked for is asked for again, and then has no score.

    Options: protocol (da, sqm, mqm, esa, pairwise); model, as the server calls it; endpoint, the address of the server
    up to /v1; temperature; votes, independent replies for each output, whose mean counts; prompt, a file or the name of
    a bundled prompt (for esa two, joined by +); retries after an unreadable reply; max_tokens of a reply; reference
    (no; yes: the judge reads it). For pairwise: baseline, the system that all others are compared with (default: all
    with all); order of the candidates (both; one).
    """

    labels = ("JUDGE",)
    default_aggregation = "segment"
    undefined: ClassVar[str] = "the judge gave no reply that could be read"

    protocol: str = "esa"
    model: str = ""
    endpoint: str = ""
    temperature: float = 0.0
    votes: int = 1
    prompt: str = AUTO
    retries: int = 2
    max_tokens: int = 4096
    reference: bool = False
    baseline: str = ""
    order: str = AUTO
    against: str = AUTO  # set by `prepare`: with pairwise the systems, else nothing
    prepared: _Prepared | None = field(default=None, repr=False, compare=False)
    _last: list[_Judged] = field(default_factory=list, init=False, repr=False, compare=False)
    """At most one: scores, notes and marked errors are of the same replies."""

    def __post_init__(self) -> None:
        check_choice("protocol", self.protocol, protocols.names())
        check_integer("votes", self.votes, 1, _MAX_VOTES)
        check_integer("retries", self.retries, 0, _MAX_RETRIES)
        check_integer("max_tokens", self.max_tokens, 1, _MAX_TOKENS)
        if not 0 <= self.temperature <= _MAX_TEMPERATURE:
            raise ConfigError(f"temperature must be between 0 and {_MAX_TEMPERATURE:g}, not {self.temperature:g}")
        check_choice("order", self.order, (AUTO, _BOTH, _ONE, *([] if self.prepared is None else [""])))
        if self.against != AUTO and self.prepared is None:
            raise ValueError("against cannot be chosen: it is set when a test set is scored")
        for name, default in (("baseline", ""), ("order", AUTO)):
            if getattr(self, name) != default and self.prepared is None and not self._compares:
                raise no_effect(name, "only the protocol pairwise compares outputs")

    @classmethod
    def documentation(cls) -> str:
        """What it computes, and where the prompts are."""
        names = "+".join(protocols.create("esa").bundled_prompts)
        return f"{inspect.getdoc(cls)}\n\nBundled prompts ({names} for esa): {PROMPTS}"

    @property
    def _protocol(self) -> AnyProtocol:
        created: AnyProtocol = protocols.create(self.protocol)
        return created

    @property
    def _compares(self) -> bool:
        return isinstance(self._protocol, PairProtocol)

    @property
    def depends_on_systems(self) -> bool:
        """Whether outputs are compared."""
        return self._compares

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({"source", "reference"} if self.reference else {"source"})

    @property
    def columns(self) -> tuple[str, ...]:
        """With votes also the squared standard error of the mean of a segment's votes, and whether it is known."""
        return ("score", "count", "vote_variance", "vote_count") if self.votes > 1 else ("score", "count")

    @property
    def resources(self) -> Mapping[str, str]:
        """Digests of the prompts, the languages that they name, and what the server calls the model that answered."""
        prompts = self._open_prompts() if self.prepared is None else self.prepared.prompts
        digests = {stage: prompt.digest for stage, prompt in prompts.items()}
        if self.prepared is None:
            return digests
        facts = {"languages": self.prepared.languages, "reported_model": self.prepared.server.reported_model}
        return {**digests, **{name: option_text(text) for name, text in facts.items() if text}}

    def check_resources(self) -> None:
        """Raise if the server, the model or a prompt is missing."""
        for name, what in (("model", "the name of a model"), ("endpoint", "the address of a server")):
            if not getattr(self, name):
                raise ConfigError(f"the metric judge needs {what}", hint=f"e.g. -m {_EXAMPLE}")
        self._open_prompts()

    def reference_count(self, testset: TestSet) -> str:
        return "1" if self.reference else "0"

    def prepare(self, testset: TestSet) -> Judge:
        self.check_resources()
        server = connect(self.endpoint, self.model, self.temperature, self.max_tokens)
        against, order = "", ""
        if self._compares:
            against, order = self._opponents(testset), _BOTH if self.order == AUTO else self.order
        prompts = self._open_prompts()
        names = "+".join(prompt.name for prompt in prompts.values())
        prepared = _Prepared(server, prompts, _languages(prompts.values(), testset))
        return dataclasses.replace(self, prompt=names, order=order, against=against, prepared=prepared)

    def _opponents(self, testset: TestSet) -> str:
        """What identifies the systems that outputs are compared with; raises if there are none."""
        if self.baseline:
            if self.baseline not in testset.outputs:
                message = f"there is no system '{self.baseline}' to compare with"
                raise ConfigError(message, hint=nearest(self.baseline, testset.systems))
            return f"1-{digest_of_column(testset.outputs[self.baseline])[:_DIGITS]}"
        if len(testset.systems) < 2:
            raise ConfigError("pairwise compares systems, and there is only one", hint="score several, or use esa")
        texts = (text for name in sorted(testset.outputs) for text in (name, *testset.outputs[name]))
        return f"{len(testset.systems)}-{digest_of_column(as_column(texts))[:_DIGITS]}"

    def _open_prompts(self) -> dict[str, Prompt]:
        """The prompts by stage."""
        made = self._protocol
        names = made.bundled_prompts if self.prompt == AUTO else tuple(self.prompt.split("+"))
        if len(names) != len(made.stages):
            form = "+".join(f"{stage.upper()}.txt" for stage in made.stages)
            message = f"{self.protocol} has {plural(len(made.stages), 'prompt')}, and prompt= names {len(names)}"
            raise ConfigError(
                message, hint=f"prompt={form}; bundled ones: {'+'.join(made.bundled_prompts)}, in {PROMPTS}"
            )
        prompts = dict(zip(made.stages, map(open_prompt, names), strict=True))
        for stage, places in made.stages.items():
            prompts[stage].check(places, reference=self.reference)
        return prompts

    def statistics(self, testset: TestSet, runtime: Runtime) -> Table:
        return _table(self._judge(testset, runtime).values)

    def score(self, totals: Table) -> FloatArray:
        return ratio_of_sums(totals[..., :2])

    def defined(self, table: Table) -> npt.NDArray[np.bool_]:
        has_score: npt.NDArray[np.bool_] = np.asarray(table)[..., 1] > 0
        return has_score

    def vote_error(self, totals: Table) -> FloatArray:
        """The standard error that the scores of sums of rows have because replies vary; NaN without votes.

        Segments with a single readable vote count as if their votes varied like those of the others.
        """
        if self.votes == 1:
            return np.full(np.asarray(totals).shape[:-1], np.nan)
        _, count, variance, known = np.moveaxis(np.asarray(totals, dtype=np.float64), -1, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.sqrt(variance * count / known) / count)

    def vote_scores(self, testset: TestSet, runtime: Runtime) -> FloatArray:
        """The scores (system, segment, vote) of single votes; NaN where no reply could be read."""
        return self._judge(testset, runtime).values

    def order_agreement(self, testset: TestSet) -> Mapping[str, Estimate]:
        """With pairs that were asked in both orders: how often the answer changed, and kappa of both answers."""
        panel = self._last[0].panel if self._last and self._last[0].testset is testset else None
        if panel is None or not (asked := panel.orders.total()):
            return {}
        reason = "all answers are the same" if math.isnan(panel.order_kappa) else None
        return {
            "kappa between both orders": Estimate(panel.order_kappa, asked, reason=reason),
            "answers that differ between both orders": Estimate(panel.changed / asked, asked),
        }

    @property
    def marks_errors(self) -> bool:
        return bool(self._human_protocol)

    @property
    def _human_protocol(self) -> str:
        """The protocol by which people mark such errors; empty if this one marks none."""
        made = self._protocol
        return made.human if isinstance(made, OutputProtocol) else ""

    def predicted_spans(self, testset: TestSet, runtime: Runtime) -> Ratings:
        """The errors that the first readable vote marked, with mqm and esa."""
        marked = self._judge(testset, runtime).errors
        return predicted_ratings(self.name, self._human_protocol, testset.systems, marked)

    def _judge(self, testset: TestSet, runtime: Runtime) -> Panel:
        if self._last and self._last[0].testset is testset:
            return self._last[0].panel
        if self.prepared is None:
            return self.prepare(testset)._judge(testset, runtime)
        made, server = self._protocol, self.prepared.server
        judging = Judging(self.prepared.prompts, self.votes, partial(send, server, runtime, self.retries))
        outputs = Outputs(_segments(testset, self.reference), _texts(testset), self.scorable(testset))
        if isinstance(made, PairProtocol):
            baseline = testset.systems.index(self.baseline) if self.baseline else None
            panel = judge_pairs(made, outputs, judging, baseline=baseline, both_orders=self.order == _BOTH)
        else:
            panel = judge_outputs(made, outputs, judging)
        self._last[:] = [_Judged(testset, panel)]
        return panel

    def advice(self, testset: TestSet) -> Iterator[Note]:
        """Where the texts went, which replies could not be used, and how much replies vary."""
        if self.prepared is None:
            return
        server = self.prepared.server
        if not server.is_local:
            what = "sources, outputs and references" if self.reference else "sources and outputs"
            text = f"{what} left this computer, in this run or in an earlier one: they were sent to {server.host}"
            yield Note(NoteKind.PROVENANCE, text, where=self.name)
        if self.reference and len(testset.references) > 1:
            yield Note(NoteKind.PROVENANCE, "the judge reads the first reference of each segment only", self.name)
        if self._compares and not self.baseline:
            text = (
                f"scores are shares of comparisons won against the other systems of this run "
                f"({plural(len(testset.systems), 'system')}): they cannot be compared with those of a run with others"
            )
            yield Note(NoteKind.ADVICE, text, where=self.name)
        if self._last and self._last[0].testset is testset:
            yield from self._notes_on(self._last[0].panel, testset)
        yield from (note.at(self.name) for note in server.notes)

    def _notes_on(self, panel: Panel, testset: TestSet) -> Iterator[Note]:
        if unread := panel.unread.total():
            reasons = listed((f"{reason} ({count:,})" for reason, count in panel.unread.most_common()), _REASONS)
            text = f"{self._unread(panel)}: {reasons}{self._gaps(panel, testset)}"
            example = " ".join(panel.example.split())[:_SHOWN] or None
            yield Note(NoteKind.UNDEFINED, text, self.name, unread, "warning", example=example)
        yield from self._notes_on_marks(panel)
        if asked := panel.orders.total():
            kappa = "" if math.isnan(panel.order_kappa) else f"; kappa of both orders {panel.order_kappa:.2f}"
            text = (
                f"in {panel.changed:,} of {plural(asked, 'comparison')} ({panel.changed / asked:.0%}), the answer "
                f"changed with the order of the candidates{kappa}"
            )
            yield Note(NoteKind.PROVENANCE, text, self.name, panel.changed)
        if self.votes > 1:
            yield from self._notes_on_votes(panel)

    def _unread(self, panel: Panel) -> str:
        """How many answers there are not: the server may have refused a request, or sent nothing that can be read."""
        unread = panel.unread.total()
        if panel.unanswered == unread:
            return f"no reply to {unread:,} of {plural(panel.asked, 'question')}"
        if panel.unanswered:
            return f"no readable reply to {unread:,} of {plural(panel.asked, 'question')}"
        attempts = plural(1 + self.retries, "attempt")
        return f"{unread:,} of {plural(panel.asked, 'answer')} could not be read, after {attempts} each"

    def _gaps(self, panel: Panel, testset: TestSet) -> str:
        """Which outputs have no score: often the worst ones, without which a system looks better."""
        gaps = (np.isnan(panel.values).all(axis=2) & self.scorable(testset)).sum(axis=1).tolist()
        lacking = [f"{name} ({count:,})" for name, count in zip(testset.systems, gaps, strict=True) if count]
        if len(testset.systems) == 1 or not lacking:
            return ""
        return (
            f"; outputs without a score: {listed(lacking, _REASONS)}; their segments are left out for all systems, "
            "which helps a system if it is its bad outputs that get no score"
        )

    def _notes_on_marks(self, panel: Panel) -> Iterator[Note]:
        doubts = panel.doubts
        if doubts.absent:
            text = (
                f"{doubts.absent:,} of {plural(doubts.total, 'marked error')} have no place, because the text that the "
                "judge quotes does not occur in the output; they count in scores, but not where places are compared"
            )
            example = " ".join(doubts.example.split())[:_SHOWN] or None
            yield Note(NoteKind.SUSPECT, text, self.name, doubts.absent, "warning", example=example)
        if doubts.repeated:
            text = (
                f"dropped {doubts.repeated:,} of {plural(doubts.total, 'marked error')}, which repeat a text more "
                "often than it occurs in the output"
            )
            yield Note(NoteKind.EXCLUDED, text, self.name, doubts.repeated, "warning")
        uncertain = (
            (doubts.inexact, "found only when case, white space and the shape of characters were ignored"),
            (doubts.ambiguous, "in the first of several places where their text occurs"),
        )
        if found := [f"{count:,} {how}" for count, how in uncertain if count]:
            text = f"of {plural(doubts.total, 'marked error')}: {'; '.join(found)}"
            yield Note(NoteKind.CHANGED, text, self.name, doubts.inexact + doubts.ambiguous)

    def _notes_on_votes(self, panel: Panel) -> Iterator[Note]:
        if self.temperature == 0:
            text = f"temperature is 0, at which most servers give the same reply in all {self.votes} votes"
            yield Note(NoteKind.ADVICE, text, self.name, hint="set temperature=1 to see how much replies vary")
        errors = self.vote_error(_table(panel.values).sum(axis=1))
        if not np.isnan(errors).all():
            low, high = (f"{value:.2g}" for value in (np.nanmin(errors), np.nanmax(errors)))
            amount = low if low == high else f"{low} to {high}"
            text = (
                f"because replies vary, scores of systems have a standard error of {amount} with {self.votes} votes; "
                "resampling segments contains that on average, so do not add it to intervals"
            )
            yield Note(NoteKind.PROVENANCE, text, self.name)
        stability = panel.vote_stability()
        if stability.compared:
            text = f"two votes on the same output agree in {stability.equal / stability.compared:.0%} of cases"
            if stability.pairs:
                share = stability.changed / stability.pairs
                text += f", and order {share:.1%} of the pairs of systems differently"
            yield Note(NoteKind.PROVENANCE, text, self.name)


def connect(endpoint: str, model: str, temperature: float, max_tokens: int) -> Server:
    """The server at an address. Nothing is sent yet."""
    from assay.judges.server import Server

    return Server(url=endpoint, model=model, temperature=temperature, max_tokens=max_tokens)


def send(
    server: Server,
    runtime: Runtime,
    retries: int,
    requests: Sequence[Request],
    form: ReplyForm[Value],
) -> list[Answer[Value]]:
    """The answers of a server, which is only imported if it is asked."""
    from assay.judges.ask import ask

    return ask(
        server,
        requests,
        form.read,
        schema=form.schema,
        retries=retries,
        runtime=runtime,
        reply_tokens=form.tokens,
        next_tokens=form.next_tokens,
    )


def _table(values: FloatArray) -> Table:
    """Values (system, segment, vote) as rows: their mean and 1; with votes, also the squared error of the mean and 1.

    The last two are 0 where fewer than two votes could be read.
    """
    read = ~np.isnan(values)
    counts = read.sum(axis=-1)
    means = np.where(read, values, 0.0).sum(axis=-1) / np.maximum(counts, 1)
    columns = [means, (counts > 0).astype(np.float64)]
    if values.shape[-1] > 1:
        squares = (np.where(read, values - means[..., np.newaxis], 0.0) ** 2).sum(axis=-1)
        is_known = counts > 1
        columns += [
            np.where(is_known, squares / np.maximum(counts * (counts - 1), 1), 0.0),
            is_known.astype(np.float64),
        ]
    return np.stack(columns, axis=-1)


def _languages(prompts: Iterable[Prompt], testset: TestSet) -> str:
    """The names of the languages as prompts have them; empty if no prompt has any."""
    names = source_texts(Segment("", None, _codes(testset)))
    places = ("source_language", "target_language")
    is_named = any(f"{{{place}}}" in prompt.text for prompt in prompts for place in places)
    if not is_named:
        return ""
    return "-".join(names[place] for place in places) if testset.lp else "unknown"


def _codes(testset: TestSet) -> tuple[str, str]:
    """The codes of the source and target language; empty if not known."""
    source, _, target = (testset.lp or "").partition("-")
    return source, target


def _texts(testset: TestSet) -> list[list[str | None]]:
    return [list(column) for column in testset.outputs.values()]


def _segments(testset: TestSet, reads_reference: bool) -> list[Segment | None]:
    sources: Sequence[str | None] = [] if testset.sources is None else list(testset.sources)
    references = [list(column) for column in testset.references.values()] if reads_reference else []
    segments: list[Segment | None] = []
    for number, text in enumerate(sources):
        given = [column[number] for column in references if column[number] is not None]
        reference: Any = next((each for each in given if each and not each.isspace()), given[0] if given else None)
        is_complete = text is not None and (reference is not None or not reads_reference)
        segments.append(Segment(text or "", reference, _codes(testset)) if is_complete else None)
    return segments
