"""What a Pearmut campaign shows to raters: documents of segments, with the outputs of several systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.data.tables.pearmut_log import pair_in, split_name
from assay.data.tables.rows import EVERY_SYSTEM, Row, campaigns_from_rows
from assay.errors import EmptyInputError, InputError, printable
from assay.types import Campaign, Note

__all__ = ["PearmutCampaign"]

_PROTOCOLS = {"DA": "DA", "ESA": "ESA", "cESA": "ESA", "MQM": "MQM"}
_DEFAULT_TOKENS = ("[missing]",)


@dataclass(frozen=True, slots=True)
class PearmutCampaign:
    """A campaign: its name, the protocol of ratings, the special tokens behind outputs, and its documents."""

    name: str
    protocol: str
    tokens: tuple[str, ...]
    documents: tuple[tuple[str, Mapping[str, Any]], ...]
    """The segments in order, each with a name."""

    @classmethod
    def of(cls, content: object, path: str) -> PearmutCampaign:
        """A campaign as the file has it."""
        if not isinstance(content, dict) or not isinstance(content.get("info"), dict):
            raise InputError("a campaign must be an object with 'info' and 'data'", path=path)
        name, info = content.get("campaign_id"), content["info"]
        tokens = info.get("special_tokens", list(_DEFAULT_TOKENS))
        if not isinstance(name, str) or not name:
            raise InputError("a campaign has no campaign_id", path=path)
        if not isinstance(tokens, list) or not all(isinstance(token, str) for token in tokens):
            raise InputError(f"'{printable(name)}': special_tokens must be a list of texts", path=path)
        protocol = _PROTOCOLS.get(str(info.get("protocol", "cESA")), "auto")
        return cls(name, protocol, tuple(tokens), tuple(_segments(content.get("data"))))

    def texts(self, lp: str, path: str, digest: str, notes: Iterable[Note]) -> tuple[Campaign, ...]:
        """The texts of each language pair; without `lp`, the names of segments say it."""
        rows: dict[str, Row] = {}
        for number, (name, item) in enumerate(self.documents, 1):
            row = _row(name, item, lp or pair_in(name), self.name, path, number)
            if rows.setdefault(name, row) != row and _differ(rows[name], row):
                message = (
                    f"'{printable(self.name)}': two segments are called '{printable(name[:80])}', with other texts"
                )
                raise InputError(message, path=path, hint="give every segment an item_id of its own")
        if not rows:
            raise EmptyInputError(f"'{printable(self.name)}' has no segments with outputs in 'data'", path=path)
        return campaigns_from_rows(rows.values(), path=path, digest=digest, notes=notes)


def _segments(data: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The segments with outputs, in the tasks of all raters or in one list of documents."""
    for number, document in enumerate(_documents(data)):
        for position, item in enumerate(document):
            if isinstance(item.get("tgt"), dict):
                name = item.get("item_id")
                yield (name if isinstance(name, str) and name else f"{number}:{position}"), item


def _documents(data: object) -> Iterator[Sequence[Mapping[str, Any]]]:
    """Documents are lists of objects; tasks are lists of documents, which may stand under the names of raters."""
    if isinstance(data, dict):
        data = list(data.values())
    if not isinstance(data, list):
        return
    if data and all(isinstance(item, dict) for item in data):
        yield data
        return
    for part in data:
        yield from _documents(part)


def _row(name: str, item: Mapping[str, Any], lp: str, campaign: str, path: str, number: int) -> Row:
    def text(value: object, label: str) -> str:
        if not isinstance(value, str):
            message = f"'{printable(campaign)}', segment '{printable(name[:80])}': the {label} must be text"
            raise InputError(message, path=path)
        return value

    document, domain = split_name(name)
    source, reference = item.get("src_text", item.get("src")), item.get("ref")
    return Row(
        line=number,
        lp=lp or None,
        segment=name,
        source=None if source is None else text(source, "source"),
        document=document or None,
        domain=domain or None,
        references={} if reference is None else {"ref": text(reference, "reference")},
        outputs={system: text(output, f"output of '{printable(system)}'") for system, output in item["tgt"].items()},
        system=EVERY_SYSTEM,
    )


def _differ(first: Row, second: Row) -> bool:
    """Whether two segments of one name have different texts; the tasks of several raters may have the same one."""
    return (first.source, first.references, first.outputs) != (second.source, second.references, second.outputs)
