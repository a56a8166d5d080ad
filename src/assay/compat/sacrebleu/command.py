"""`python -m assay.compat.sacrebleu`: sacreBLEU's command line and its output, byte for byte."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from assay.compat.sacrebleu.inputs import Column, Inputs, read_inputs
from assay.compat.sacrebleu.layout import one_system, paired_systems, several_systems
from assay.compat.sacrebleu.metrics import BLEU, CHRF, TER
from assay.compat.sacrebleu.metrics.base import Metric
from assay.compat.sacrebleu.options import FORMATS, RESAMPLES, Options, parse
from assay.compat.sacrebleu.significance import DEFAULT_SAMPLES, PairedTest
from assay.console import print_message, run_command, write_stdout
from assay.errors import ConfigError
from assay.types import Note, NoteKind

__all__ = ["run"]

_BOOTSTRAP_ADVICE = (
    "the p-values of sacreBLEU's paired bootstrap are too small: at 0.05 it rejects about 11% of true null hypotheses; "
    "prefer `assay compare`, or --paired-ar, which is wrong only about copies"
)
_SUSPICIOUS_LINES = 100  # this many lines ending in " ." suggest tokenised text


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return the exit code."""
    return run_command(lambda: _print(arguments), debug="--debug" in arguments)


def _print(arguments: Sequence[str]) -> int:
    try:
        text = _output(arguments)
    except SystemExit:  # argparse has printed the help or the version
        return 0
    write_stdout(text)
    return 0


def _output(arguments: Sequence[str]) -> str:
    """The text for standard output. Notes go to standard error."""
    options = parse(arguments)
    paths = _without_repeated_baseline(options.input) if options.paired_test else options.input
    inputs = read_inputs(options.references, paths, encoding=options.encoding, num_refs=options.num_refs)
    _check_systems(options, inputs.systems)
    scorers = _scorers(options, inputs.references)
    for note in () if options.quiet else _notes(options, inputs):
        print_message("note", str(note))
    if options.sentence_level:
        return _sentence_level(options, inputs.systems[0], *scorers)
    if len(inputs.systems) == 1:
        return _one_system(options, inputs.systems[0], scorers)
    if options.paired_test:
        return _paired(options, inputs.systems, scorers)
    return _several_systems(options, inputs.systems, scorers)


def _without_repeated_baseline(paths: Sequence[str] | None) -> Sequence[str] | None:
    """As in sacreBLEU, so that `-i base.de *.de` works."""
    return paths and [paths[0], *(path for path in paths[1:] if path != paths[0])]


def _check_systems(options: Options, systems: Sequence[Column]) -> None:
    if len(systems) == 1 and options.paired_test:
        raise ConfigError(
            f"--paired-{options.paired_test} needs two or more systems",
            hint="give the baseline first: -i base.de new.de",
        )
    if len(systems) > 1 and options.sentence_level:
        raise ConfigError(f"--sentence-level accepts one system, not {len(systems)}")
    if len(systems) > 1 and options.confidence:
        raise ConfigError(
            f"--confidence accepts one system, not {len(systems)}",
            hint="score them one by one, or use `assay score`, which computes intervals for all systems",
        )


def _scorers(options: Options, references: Sequence[Column]) -> list[Metric]:
    """The requested metrics, in the order sacreBLEU prints them: as requested for paired tests, else by name."""
    texts = [column.texts for column in references]
    create: dict[str, Callable[[], Metric]] = {
        "bleu": lambda: BLEU(
            lowercase=options.lowercase,
            tokenize=options.tokenize,
            smooth_method=options.smooth_method,
            smooth_value=options.smooth_value,
            effective_order=options.sentence_level,
            trg_lang=options.target,
            references=texts,
        ),
        "chrf": lambda: CHRF(
            char_order=options.chrf_char_order,
            word_order=options.chrf_word_order,
            beta=options.chrf_beta,
            lowercase=options.chrf_lowercase,
            whitespace=options.chrf_whitespace,
            eps_smoothing=options.chrf_eps_smoothing,
            references=texts,
        ),
        "ter": lambda: TER(
            normalized=options.ter_normalized,
            no_punct=options.ter_no_punct,
            asian_support=options.ter_asian_support,
            case_sensitive=options.ter_case_sensitive,
            references=texts,
        ),
    }
    names = dict.fromkeys(options.metrics if options.paired_test else sorted(options.metrics))
    return [create[name]() for name in names]


def _sentence_level(options: Options, system: Column, scorer: Metric) -> str:
    rows = scorer._extract_corpus_statistics(system.texts, None)
    scores = map(scorer._compute_score_from_stats, rows)
    signature = scorer.get_signature().format(options.short)
    return "".join(score.format(options.width, options.score_only, signature) + "\n" for score in scores)


def _one_system(options: Options, system: Column, scorers: Sequence[Metric]) -> str:
    as_json = options.format == "json"
    results = []
    for scorer in scorers:
        score = scorer.corpus_score(system.texts, None, n_bootstrap=options.confidence_n if options.confidence else 1)
        signature = scorer.get_signature().format(options.short and not as_json)
        results.append(score.format(options.width, options.score_only, signature, as_json))
    return one_system(results, options.format)


def _several_systems(options: Options, systems: Sequence[Column], scorers: Sequence[Metric]) -> str:
    scores: dict[str, list[str]] = {}
    signatures: dict[str, str] = {}
    for system in systems:
        for scorer in scorers:
            score = scorer.corpus_score(system.texts, None)
            scores.setdefault(score.name, []).append(score.format(options.width, score_only=True))
            signatures[score.name] = scorer.get_signature().format(options.short)
    return several_systems([system.name for system in systems], scores, signatures, options.format)


def _paired(options: Options, systems: Sequence[Column], scorers: Sequence[Metric]) -> str:
    """Every system tested against the first."""
    names = [system.name for system in systems]
    names = ["Baseline", *names[:-1]] if options.input is None else [f"Baseline: {names[0]}", *names[1:]]
    test = PairedTest(
        [(name, system.texts) for name, system in zip(names, systems, strict=True)],
        {str(k): scorer for k, scorer in enumerate(scorers)},
        None,
        options.paired_test,
        options.paired_samples,
        n_jobs=options.paired_jobs,
    )
    signatures, scores = test()
    lines = {name: signature.format(options.short) for name, signature in signatures.items()}
    return paired_systems(scores, lines, test, options.format, options.width)


def _notes(options: Options, inputs: Inputs) -> Iterator[Note]:
    """Changes made while reading, suspicious text, and options that have no effect, here as in sacreBLEU."""
    yield from inputs.notes
    form, several = os.environ.get("SACREBLEU_FORMAT", ""), len(inputs.systems) > 1
    without_effect = {
        f"SACREBLEU_FORMAT={form} (supported: {', '.join(FORMATS)})": form and form.lower() not in FORMATS,
        "--smooth-value without --smooth-method floor or add-k": options.smooth_value is not None
        and options.smooth_method not in ("floor", "add-k"),
        "--confidence-n without --confidence": not options.confidence and options.confidence_n != RESAMPLES,
        "--paired-bs-n without --paired-bs": not options.paired_bs and options.paired_bs_n != DEFAULT_SAMPLES["bs"],
        "--paired-ar-n without --paired-ar": not options.paired_ar and options.paired_ar_n != DEFAULT_SAMPLES["ar"],
        "--paired-jobs without a paired test": not options.paired_test and options.paired_jobs != 1,
        "--confidence-n below 2": options.confidence and options.confidence_n < 2,
        "--score-only with several systems": several and options.score_only,
        "--format latex with one system": options.format == "latex" and not several,
    }
    yield from (
        Note(NoteKind.ADVICE, f"{option} has no effect") for option, applies in without_effect.items() if applies
    )
    if options.paired_test:
        yield from _paired_notes(options, inputs.systems)
    for system in inputs.systems if "bleu" in options.metrics and not options.force else ():
        ends = sum(text.endswith(" .") for text in system.texts)
        if ends >= _SUSPICIOUS_LINES:
            text = f"{ends:,} lines end in ' .'. Is the text tokenised? BLEU tokenises by itself (--force: no warning)"
            yield Note(NoteKind.SUSPECT, text, where=system.name, count=ends)


def _paired_notes(options: Options, systems: Sequence[Column]) -> Iterator[Note]:
    if options.paired_bs:
        yield Note(NoteKind.ADVICE, _BOOTSTRAP_ADVICE)
    baseline, *others = systems
    for system in others:
        if system.texts == baseline.texts:
            text = f"the same output as {baseline.name}, but sacreBLEU's tests give it the smallest p-value possible"
            yield Note(NoteKind.ADVICE, text, where=system.name)
