"""Write the sample campaign as the files people exchange: plain text, Appraise CSV, MQM TSV, WMT ranking CSV."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from assay.errors import InputError
from assay.sample.campaign import LANGUAGES, RANKED, Campaign, MqmError, generate

__all__ = ["write"]

_LABEL = "Assay sample campaign (synthetic)"
_README = f"""# {_LABEL}

Everything here is synthetic: the texts were written for this project, the system outputs and the human judgements are
simulated by a seeded generator (`assay.sample`). Use it to try things out, never as evidence about translation.

One folder per language pair, one segment per line:

| file | contents |
|---|---|
| `src.en`, `refA.*`, `refB.*` | sources and two references |
| `documents.txt`, `domains.txt` | the document and domain of each segment |
| `texts.tsv` | all of these in one table, to read together with the judgements |
| `systems/*` | outputs of seven systems, named after trees; in alphabetical order, the best come first |
| `human/da.csv` | direct assessments as exported by Appraise, two raters per output; BAD marks damaged control items |
| `human/mqm.tsv` | error annotations with `<v>` spans, two experts per output |
| `human/rankings.csv` | five-way rankings with ties, as published by WMT |
"""


def write(folder: Path) -> list[Path]:
    """Write both language pairs into `folder` and return their folders."""
    marker = folder / "README.md"
    is_occupied = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    if is_occupied and not (marker.is_file() and _LABEL in marker.read_text(encoding="utf-8", errors="replace")):
        raise InputError("already exists and is not a sample campaign", path=str(folder), hint="choose a new folder")
    written = []
    try:
        for target in LANGUAGES:
            written.append(_write_pair(folder / f"en-{target}", generate(target)))
        _write_text(marker, _README)
    except OSError as error:
        raise InputError(f"cannot be written: {(error.strerror or str(error)).lower()}", path=str(folder)) from error
    return written


def _write_pair(folder: Path, campaign: Campaign) -> Path:
    columns = {
        "src.en": campaign.sources,
        "documents.txt": campaign.documents,
        "domains.txt": campaign.domains,
        **{f"{name}.{campaign.target}": column for name, column in campaign.references.items()},
        **{f"systems/{system}.{campaign.target}": campaign.output(system) for system in campaign.tokens},
    }
    for name, column in columns.items():
        _write_text(folder / name, "".join(f"{line}\n" for line in column))
    _write_text(folder / "texts.tsv", _texts(campaign))
    _write_text(folder / "human/da.csv", _appraise(campaign))
    _write_text(folder / "human/mqm.tsv", _mqm(campaign))
    _write_text(folder / "human/rankings.csv", _rankings(campaign))
    return folder


def _write_text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _texts(campaign: Campaign) -> str:
    """One row for each system and segment, with everything known about the segment."""
    references = campaign.references
    header = [
        "lp",
        "system",
        "segment",
        "document",
        "domain",
        "source",
        *(f"reference:{n}" for n in references),
        "output",
    ]
    rows: list[list[object]] = [list(header)]
    for system in campaign.tokens:
        for place, output in enumerate(campaign.output(system)):
            labels = [campaign.documents[place], campaign.domains[place], campaign.sources[place]]
            texts = [column[place] for column in references.values()]
            rows.append([f"en-{campaign.target}", system, place + 1, *labels, *texts, output])
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


def _appraise(campaign: Campaign) -> str:
    """User, system, item, type, languages, score, start, end; no header, as Appraise exports it."""
    target = {"de": "deu", "zh": "zho"}[campaign.target]
    rows = [
        [j.rater, j.system, j.segment + 1, j.kind, "eng", target, j.score, f"{1000 + 40 * i}.0", f"{1030 + 40 * i}.0"]
        for i, j in enumerate(campaign.assessments)
    ]
    return _csv(rows)


def _mqm(campaign: Campaign) -> str:
    header = "system doc doc_id seg_id rater source target category severity"
    rows: list[list[object]] = [[*header.split()]]
    for rater, system, segment, errors in campaign.mqm:
        document = campaign.documents[segment]
        prefix = [system, document, campaign.documents[:segment].count(document) + 1, segment + 1, rater]
        tokens = campaign.tokens[system][segment]
        for error in errors or (None,):
            target = campaign.joint.join(tokens) if error is None else _marked(tokens, error, campaign.joint)
            label = ("No-error", "No-error") if error is None else (error.category, error.severity)
            rows.append([*prefix, campaign.sources[segment], target, *label])
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


def _marked(tokens: tuple[str, ...], error: MqmError, joint: str) -> str:
    span = f"<v>{joint.join(tokens[error.first : error.last + 1])}</v>"
    return joint.join([*tokens[: error.first], span, *tokens[error.last + 1 :]])


def _rankings(campaign: Campaign) -> str:
    positions = range(1, RANKED + 1)
    header = ["srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"]
    header += [name for k in positions for name in (f"system{k}Number", f"system{k}Id")]
    header += [f"system{k}rank" for k in positions]
    numbers = {system: number for number, system in enumerate(campaign.tokens, 1)}
    rows: list[list[object]] = [list(header)]
    for ranking in campaign.rankings:
        index = ranking.segment + 1
        row: list[object] = ["eng", campaign.target, index, campaign.documents[ranking.segment], index, ranking.judge]
        row += [value for system, _ in ranking.ranks for value in (numbers[system], system)]
        rows.append([*row, *(rank for _, rank in ranking.ranks)])
    return _csv(rows)


def _csv(rows: list[list[object]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()
