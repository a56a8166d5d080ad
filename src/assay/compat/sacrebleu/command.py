"""`python -m assay.compat.sacrebleu`: sacreBLEU's command line and its output, byte for byte."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from assay.compat.sacrebleu.inputs import Column, Inputs, read_inputs
from assay.compat.sacrebleu.layout import one_system, several_systems
from assay.compat.sacrebleu.options import FORMATS, RESAMPLES, Options, parse
from assay.compat.sacrebleu.scorers import BLEU, CHRF, TER, Scorer, sentence_scores
from assay.console import print_message, run_command, write_stdout
from assay.errors import ConfigError
from assay.types import Note, NoteKind

__all__ = ["run"]

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
    inputs = read_inputs(options.references, options.input, encoding=options.encoding, num_refs=options.num_refs)
    _check_systems(options, inputs.systems)
    scorers = _scorers(options, inputs.references)
    for note in () if options.quiet else _notes(options, inputs):
        print_message("note", str(note))
    if options.sentence_level:
        return _sentence_level(options, inputs, *scorers)
    if len(inputs.systems) == 1:
        return _one_system(options, inputs.systems[0], scorers)
    return _several_systems(options, inputs.systems, scorers)


def _check_systems(options: Options, systems: Sequence[Column]) -> None:
    if len(systems) > 1 and options.sentence_level:
        raise ConfigError(f"--sentence-level accepts one system, not {len(systems)}")
    if len(systems) > 1 and options.confidence:
        raise ConfigError(
            f"--confidence accepts one system, not {len(systems)}",
            hint="score them one by one, or use `assay score`, which computes intervals for all systems",
        )


def _scorers(options: Options, references: Sequence[Column]) -> list[Scorer]:
    """The requested metrics, in the order sacreBLEU prints them."""
    texts = [column.texts for column in references]
    scorers: list[Scorer] = []
    try:
        if "bleu" in options.metrics:
            scorers.append(
                BLEU(
                    lowercase=options.lowercase,
                    tokenize=options.tokenize,
                    smooth_method=options.smooth_method,
                    smooth_value=options.smooth_value,
                    effective_order=options.sentence_level,
                    trg_lang=options.target,
                    references=texts,
                )
            )
        if "chrf" in options.metrics:
            scorers.append(
                CHRF(
                    char_order=options.chrf_char_order,
                    word_order=options.chrf_word_order,
                    beta=options.chrf_beta,
                    lowercase=options.chrf_lowercase,
                    whitespace=options.chrf_whitespace,
                    eps_smoothing=options.chrf_eps_smoothing,
                    references=texts,
                )
            )
        if "ter" in options.metrics:
            scorers.append(
                TER(
                    normalized=options.ter_normalized,
                    no_punct=options.ter_no_punct,
                    asian_support=options.ter_asian_support,
                    case_sensitive=options.ter_case_sensitive,
                    references=texts,
                )
            )
    except ValueError as error:  # a value out of range
        raise ConfigError(str(error)) from error
    return scorers


def _sentence_level(options: Options, inputs: Inputs, scorer: Scorer) -> str:
    scores = sentence_scores(scorer, inputs.systems[0].texts, [column.texts for column in inputs.references])
    signature = scorer.get_signature().format(options.short)
    return "".join(score.format(options.width, options.score_only, signature) + "\n" for score in scores)


def _one_system(options: Options, system: Column, scorers: Sequence[Scorer]) -> str:
    as_json = options.format == "json"
    results = []
    for scorer in scorers:
        score = scorer.corpus_score(system.texts, None, n_bootstrap=options.confidence_n if options.confidence else 1)
        signature = scorer.get_signature().format(options.short and not as_json)
        results.append(score.format(options.width, options.score_only, signature, as_json))
    return one_system(results, options.format)


def _several_systems(options: Options, systems: Sequence[Column], scorers: Sequence[Scorer]) -> str:
    scores: dict[str, list[str]] = {}
    signatures: dict[str, str] = {}
    for system in systems:
        for scorer in scorers:
            score = scorer.corpus_score(system.texts, None)
            scores.setdefault(score.name, []).append(score.format(options.width, score_only=True))
            signatures[score.name] = scorer.get_signature().format(options.short)
    return several_systems([system.name for system in systems], scores, signatures, options.format)


def _notes(options: Options, inputs: Inputs) -> Iterator[Note]:
    """Changes made while reading, suspicious text, and options that have no effect, here as in sacreBLEU."""
    yield from inputs.notes
    form, several = os.environ.get("SACREBLEU_FORMAT", ""), len(inputs.systems) > 1
    without_effect = {
        f"SACREBLEU_FORMAT={form} (supported: {', '.join(FORMATS)})": form and form.lower() not in FORMATS,
        "--smooth-value without --smooth-method floor or add-k": options.smooth_value is not None
        and options.smooth_method not in ("floor", "add-k"),
        "--confidence-n without --confidence": not options.confidence and options.confidence_n != RESAMPLES,
        "--confidence-n below 2": options.confidence and options.confidence_n < 2,
        "--score-only with several systems": several and options.score_only,
        "--format latex with one system": options.format == "latex" and not several,
    }
    yield from (
        Note(NoteKind.ADVICE, f"{option} has no effect") for option, applies in without_effect.items() if applies
    )
    for system in inputs.systems if "bleu" in options.metrics and not options.force else ():
        ends = sum(text.endswith(" .") for text in system.texts)
        if ends >= _SUSPICIOUS_LINES:
            text = f"{ends:,} lines end in ' .'. Is the text tokenised? BLEU tokenises by itself (--force: no warning)"
            yield Note(NoteKind.SUSPECT, text, where=system.name, count=ends)
