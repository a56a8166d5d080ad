"""`assay score`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click

from assay.errors import ConfigError, EmptyInputError, InputError, NameClashError

__all__ = ["command"]

_FORMATS = ("table", "json", "jsonl", "tsv", "csv", "md", "latex")


@click.command("score")
@click.argument("outputs", nargs=-1, metavar="[OUTPUT]...")
@click.option("--ref", "references", multiple=True, metavar="[NAME=]FILE", help="A reference; repeat for several.")
@click.option("--sys", "systems", multiple=True, metavar="NAME=FILE", help="A system's output; repeat for several.")
@click.option("--src", "sources", metavar="FILE", help="The sources.")
@click.option("--documents", metavar="FILE", help="The document of each segment, one a line.")
@click.option("--domains", metavar="FILE", help="The domain of each segment, one a line.")
@click.option("--lp", metavar="SRC-TGT", help="Language pair, e.g. en-zh; chooses BLEU's tokeniser for zh, ja, ko.")
@click.option("-m", "--metric", "metrics", multiple=True, metavar="SPEC", help="Repeat for several.  [bleu, chrf]")
@click.option("--agg", metavar="NAMES", help="Aggregations, of corpus,segment,bootstrap.  [default: all]")
@click.option("--by", default="", metavar="GROUPING", help="Also score by document, domain or length.")
@click.option("--resamples", default=1000, show_default=True, help="Bootstrap resamples; 0: no intervals.")
@click.option("--size", type=int, help="Segments in a resample of the bootstrap aggregation.  [default: all]")
@click.option("--seed", default=12345, show_default=True, help="Seed of the resamples.")
@click.option("--confidence", default=0.95, show_default=True, help="Level of the intervals.")
@click.option("--threads", type=int, help="Threads; never changes an answer.  [default: all cores]")
@click.option("--segments", is_flag=True, help="Also give the score of each segment.")
@click.option("--format", "form", type=click.Choice(_FORMATS), help="Default: by the suffix of -o, else table.")
@click.option("-o", "--output", "target", type=click.Path(path_type=Path), metavar="FILE", help="Write there instead.")
@click.option(
    "--signature",
    type=click.Choice(("assay", "sacrebleu")),
    default="assay",
    show_default=True,
    help="The form of corpus signatures.",
)
def command(
    outputs: tuple[str, ...],
    references: tuple[str, ...],
    systems: tuple[str, ...],
    sources: str | None,
    documents: str | None,
    domains: str | None,
    lp: str | None,
    metrics: tuple[str, ...],
    agg: str | None,
    by: str,
    resamples: int,
    size: int | None,
    seed: int,
    confidence: float,
    threads: int | None,
    segments: bool,
    form: str | None,
    target: Path | None,
    signature: str,
) -> None:
    """Score system outputs against references.

    An OUTPUT is a file with one segment a line; the system is named after it. `-` is standard input.

    \b
    assay score --ref ref.de base.de new.de
    assay score --ref ref.de --sys base=out/1.de --sys new=out/2.de -m bleu -m chrf++ --format json
    """
    from assay.metrics import metric
    from assay.reports import renderer
    from assay.study import DEFAULT_METRICS, load, score

    chosen = [metric.create(spec) for spec in metrics or DEFAULT_METRICS]
    named = _named("system", (*outputs, *systems))
    if not named:
        raise EmptyInputError("no system output was given", hint="e.g. assay score --ref ref.de base.de new.de")
    write = renderer.type_of(_format(form, target))[0](segments=segments, sacrebleu=signature == "sacrebleu")
    named_references = _named("reference", references)
    if [*named.values(), *named_references.values(), sources, documents, domains].count("-") > 1:
        raise InputError("standard input can be read only once")
    testset = load(
        outputs=named,
        references=named_references or None,
        sources=sources,
        documents=documents,
        domains=domains,
        lp=lp,
    )
    run = score(
        testset,
        chosen,
        agg=agg,
        by=by or (),
        resamples=resamples,
        size=size,
        seed=seed,
        confidence=confidence,
        threads=threads,
    )
    for note in run.notes:
        click.echo(f"note: {note}", err=True)
    _write(write.render(run), target)


def _named(kind: str, given: tuple[str, ...]) -> dict[str, str]:
    """NAME=FILE, or FILE named after itself without its suffix."""
    found: dict[str, str] = {}
    for item in given:
        name, equals, path = item.partition("=")
        if not equals or Path(item).exists():
            name, path = ("stdin" if item == "-" else Path(item.removesuffix(".gz")).stem), item
        if name in found:
            raise NameClashError(
                f"two {kind}s are called '{name}': {found[name]} and {path}", hint="name them: NAME=FILE"
            )
        found[name] = path
    return found


def _format(form: str | None, target: Path | None) -> str:
    from assay.reports import renderer

    if form is not None or target is None:
        return form or "table"
    by_suffix = {suffix: name for name in _FORMATS for suffix in renderer.type_of(name)[0].suffixes}
    if target.suffix not in by_suffix:
        raise ConfigError(
            f"no format has the suffix '{target.suffix}'", hint=f"use {', '.join(by_suffix)} or give --format"
        )
    return by_suffix[target.suffix]


def _write(text: str, target: Path | None) -> None:
    """To standard output, or to a file that is whole or not there; a device or pipe is written to, not replaced."""
    if target is None:
        click.echo(text, nl=False)
        return
    try:
        if target.exists() and not target.is_file():
            target.write_text(text, encoding="utf-8", newline="\n")
            return
        place = target.resolve()
        mode = place.stat().st_mode if place.exists() else 0o666 & ~_umask()
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=place.parent, delete=False
        ) as scratch:
            scratch.write(text)
        Path(scratch.name).chmod(mode)
        Path(scratch.name).replace(place)
    except OSError as error:
        raise InputError(f"cannot be written: {(error.strerror or str(error)).lower()}", path=str(target)) from error


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
