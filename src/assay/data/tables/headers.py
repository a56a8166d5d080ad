"""What the name of a column says: a field, a reference, the output of a system, or a score.

Case does not matter, and spaces or hyphens may replace underscores. `reference:NAME` is a reference, `output:NAME` the
output of a system (the wide form), `score:NAME` a metric and `human:NAME` a human score. `score:NAME/SYSTEM` is the
score of a system in a row that has several. Options may follow the name of a score: `score:BLEU:references=refA,refB`,
`human:round-1:protocol=MQM:rater=3:better=lower`. A colon, comma or per cent sign in any of them is written %3A, %2C,
%25.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from assay.data.tables.misspelt import misspelt
from assay.data.tables.rows import ScoreKind
from assay.errors import InputError, printable
from assay.registry import unescaped
from assay.types import PROTOCOLS, check_names

__all__ = [
    "ALIASES",
    "FIELD_OF_ALIAS",
    "LABELS",
    "Meaning",
    "header_of_kind",
    "is_known",
    "kind_of_header",
    "meaning_of",
    "protocol_called",
    "system_of_header",
    "word_of",
]

Meaning: TypeAlias = tuple[str, object]
"""The kind of a column, and its name or description: a `field`, a `reference`, an `output`, a `score` of the system in
the row, or a `score of` another one, with its name."""
LABELS = ("dataset", "lp", "system", "segment", "document", "domain")
ALIASES = {
    "dataset": ("dataset", "testset", "test_set", "corpus"),
    "lp": ("lp", "langs", "language_pair", "lang_pair", "langpair"),
    "system": ("system", "sys", "system_id", "system_name", "model", "model_name", "engine"),
    "segment": ("segment", "seg", "seg_id", "segment_id", "id"),
    "document": ("document", "doc", "doc_id", "docid", "document_id"),
    "domain": ("domain",),
    "source": ("source", "src", "source_text", "src_text", "source_segment"),
    "reference": ("reference", "ref", "references", "refs", "reference_text", "ref_text", "human_translation"),
    "output": ("output", "mt", "hyp", "hypothesis", "translation", "target", "machine_translation", "mt_output"),
    "outputs": ("outputs",),
}
"""Names of a field, the usual one first."""
FIELD_OF_ALIAS = {alias: name for name, aliases in ALIASES.items() for alias in aliases}
_HUMAN = {"raw": "DA", "z": "DA-z", "z_score": "DA-z", "zscore": "DA-z"}
_REFERENCE = re.compile(r"ref(erence)?_?([a-z]|[0-9]{1,3})")
_SCORES = ("score", "human")
_PROTOCOLS = {protocol.casefold(): protocol for protocol in PROTOCOLS}


def kind_of_header(header: str) -> ScoreKind:
    """The score that a header `score:NAME…` or `human:NAME…` describes; a ValueError if the header is invalid."""
    word, *parts = header.split(":")
    name, *options = [part.strip() for part in parts] or [""]
    values: dict[str, str] = {}
    for option in options:
        key, _, value = option.partition("=")
        if key not in ("references", "protocol", "rater", "better") or key in values or not value:
            allowed = "references=, protocol=, rater= and better= may follow the name, once each"
            raise ValueError(f"invalid option '{printable(option)}'; {allowed}; write a colon in a name as %3A")
        values[key] = value
    name, system = _split_system(name)
    check_names("score", [name])
    check_names("system", system)
    protocol = None
    if word_of(word) == "human":
        protocol = _PROTOCOLS.get(values["protocol"].casefold()) if "protocol" in values else _protocol_of_name(name)
    if ("protocol" in values and protocol is None) or values.get("better", "higher") not in ("higher", "lower"):
        raise ValueError(f"use protocol={'|'.join(PROTOCOLS)} (human scores only) and better=higher|lower")
    references = tuple(map(unescaped, values["references"].split(","))) if "references" in values else ()
    check_names("reference", references)
    rater = unescaped(values["rater"]) if "rater" in values else None
    return ScoreKind(name, protocol, references, rater, values.get("better") != "lower")


def system_of_header(header: str) -> str | None:
    """The system that a header `score:NAME/SYSTEM…` names; None if it names none."""
    word, *parts = header.split(":")
    return next(iter(_split_system(parts[0].strip())[1]), None) if parts and word_of(word) in _SCORES else None


def _split_system(name: str) -> tuple[str, list[str]]:
    """The name of a score, and the system that may follow it. Neither can contain a slash."""
    metric, slash, system = name.partition("/")
    return unescaped(metric.strip()), [unescaped(system.strip())] if slash else []


def protocol_called(name: str) -> str | None:
    """The protocol of this name in any case; None if there is none."""
    return _PROTOCOLS.get(name.casefold())


def _protocol_of_name(name: str) -> str:
    """The protocol that human scores of this name have by default; a ValueError if it is misspelt."""
    if intended := _intended_protocol(name):
        hint = f"did you mean human:{intended}? If not, say so: human:{_escaped(name)}:protocol=other"
        raise ValueError(f"no protocol is called '{printable(name)}'; {hint}")
    return _PROTOCOLS.get(name.casefold(), "other")


def _intended_protocol(name: str) -> str | None:
    """The protocol that a name is almost: ESA for ESAA, but not pSQM for SQM."""
    folded = name.casefold()
    if folded in _PROTOCOLS:
        return None
    known = [protocol for protocol in _PROTOCOLS if protocol != "other" and protocol[0] == folded[:1]]
    return next((_PROTOCOLS[found] for found in misspelt([name], known, shortest=3).values()), None)


def header_of_kind(kind: ScoreKind) -> str:
    """The header that `kind_of_header` reads back."""
    parts = ["score" if kind.protocol is None else "human", _escaped(kind.name)]
    if kind.references:
        parts.append(f"references={','.join(map(_escaped, kind.references))}")
    if kind.protocol not in (None, _PROTOCOLS.get(kind.name.casefold(), "other")) or (
        kind.protocol is not None and _intended_protocol(kind.name)
    ):
        parts.append(f"protocol={kind.protocol}")
    if kind.rater:
        parts.append(f"rater={_escaped(kind.rater)}")
    if not kind.higher_is_better:
        parts.append("better=lower")
    return ":".join(parts)


def _escaped(text: str) -> str:
    return re.sub(
        r"[%:,\x00-\x1f\x7f]|^\s|\s$", lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), text
    )


def meaning_of(name: str, stem: str) -> Meaning | None:
    """What a column of this name means, in a file called `stem`; None if it is not recognised."""
    word, rest = word_of(name), name.partition(":")[2] if ":" in name else None
    if word in _SCORES and rest is not None:
        kind, system = kind_of_header(name), system_of_header(name)
        return ("score", kind) if system is None else ("score of", (system, kind))
    if rest is not None:
        field = FIELD_OF_ALIAS.get(word)
        return (field, rest) if field in ("reference", "output") else None
    if word in _HUMAN:
        return "score", ScoreKind(_HUMAN[word], _HUMAN[word])
    if word == "score":
        check_names("score", [stem])
        return "score", ScoreKind(stem)
    if word in FIELD_OF_ALIAS:
        return "field", FIELD_OF_ALIAS[word]
    return ("reference", name.strip()) if _REFERENCE.fullmatch(word) else None


def is_known(name: str) -> bool:
    """Whether a column of this name is recognised, although its name may be invalid."""
    try:
        return meaning_of(name, "") is not None
    except (ValueError, InputError):
        return True  # recognised, but invalid


def word_of(name: str) -> str:
    """The name of a column without case, spaces, hyphens and what follows a colon."""
    return re.sub(r"[ -]", "_", name.partition(":")[0].strip().casefold())
