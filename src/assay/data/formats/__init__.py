"""The formats of the field, one module each: how to recognise, list, read and, where useful, write them.

A new format is one new file here: `assay.read`, `assay data`, `--data` and the tests find it by name. A format declares
what it recognises (`recognises`), what it can list without reading everything (`contents`) and what it reads (`read`),
so that any of them can stand behind `--data`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from assay.data.certainty import NO, POSSIBLE
from assay.data.text_files import read_bytes, read_text, shown_path
from assay.errors import ConfigError, EmptyInputError, InputError, UnknownNameError, nearest
from assay.registry import Registry
from assay.runtime import Runtime
from assay.types import Campaign

__all__ = [
    "Format",
    "StoredCampaign",
    "data_format",
    "detect_format",
    "find_format",
    "format_by_suffix",
    "has_suffix",
    "list_campaigns",
    "read_campaign",
    "read_campaigns",
    "read_pairs",
]

_HEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class StoredCampaign:
    """One language pair of a test set in a file or folder: its names, and a function that reads it."""

    testset: str
    lp: str
    read: Callable[[], Campaign] = field(repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.testset} {self.lp}".strip()


class Format(ABC):
    """A way to write test sets, scores or judgements down."""

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    """Suffixes of such files; `.gz` may follow."""
    is_folder: ClassVar[bool] = False
    """Whether the format is a folder of files rather than a file."""

    def recognises(self, path: Path, head: str) -> int:
        """How certain it is that a file has this format, from NO to CERTAIN; `head` is the start of its text."""
        return POSSIBLE if has_suffix(path, self.suffixes) else NO

    def contents(self, path: Path) -> tuple[StoredCampaign, ...]:
        """The test sets and language pairs of a file or folder. By default it is read; a folder can be listed."""
        return tuple(_already_read(campaign) for campaign in self.read(path))

    @abstractmethod
    def read(self, path: Path) -> tuple[Campaign, ...]:
        """A campaign for each test set and language pair of a file or folder. All flaws are `InputError`s."""

    def read_together(self, paths: Sequence[Path]) -> tuple[Campaign, ...]:
        """The campaigns of several files. A format that spreads one test set over several files combines them."""
        return tuple(campaign for path in paths for campaign in self.read(path))

    def write(self, campaigns: Iterable[Campaign], path: Path) -> None:
        """Write what `read` reads."""
        raise ConfigError(f"{self.name} can be read but not written")


def _already_read(campaign: Campaign) -> StoredCampaign:
    return StoredCampaign(campaign.name, campaign.lp, lambda: campaign)


data_format: Registry[Format] = Registry("format", __name__)


def has_suffix(path: Path, suffixes: Iterable[str]) -> bool:
    """Whether the name of a file ends in one of these suffixes, before `.gz`."""
    return path.name.lower().removesuffix(".gz").endswith(tuple(suffixes))


def read_campaigns(*paths: str | Path, input_format: str | None = None) -> tuple[Campaign, ...]:
    """All campaigns in files or folders; `input_format` names the format, otherwise each file's is detected."""
    by_format: dict[Format, list[Path]] = {}
    for path in map(Path, paths):
        by_format.setdefault(find_format(path, input_format), []).append(path)
    return tuple(campaign for reader, places in by_format.items() for campaign in reader.read_together(places))


def list_campaigns(path: str | Path, input_format: str | None = None) -> tuple[StoredCampaign, ...]:
    """The test sets and language pairs in a file or folder; a folder is listed without reading its files."""
    return find_format(Path(path), input_format).contents(Path(path))


def read_campaign(path: str | Path, lp: str | None = None, input_format: str | None = None) -> Campaign:
    """The only campaign in a file or folder, or the only one of this language pair."""
    stored = list_campaigns(path, input_format)
    matching = [campaign for campaign in stored if lp in (None, campaign.lp)]
    if len(matching) == 1:
        return matching[0].read()
    _check_pair(path, lp, stored)
    pairs = ", ".join(dict.fromkeys(campaign.lp for campaign in matching))
    raise ConfigError(f"{shown_path(path)} has several language pairs", hint=f"choose one with --lp: {pairs}")


def read_pairs(
    path: str | Path, lps: Collection[str] = (), input_format: str | None = None, *, runtime: Runtime | None = None
) -> tuple[Campaign, ...]:
    """All campaigns in a file or folder, or those of these language pairs, in the order of `lps`."""
    stored = list_campaigns(path, input_format)
    for lp in lps:
        _check_pair(path, lp, stored)
    wanted = [c for lp in dict.fromkeys(lps) for c in stored if c.lp == lp] if lps else stored
    return tuple(c.read() for c in (runtime or Runtime()).track(wanted, lambda campaign: f"reading {campaign}"))


def _check_pair(path: str | Path, lp: str | None, stored: Iterable[StoredCampaign]) -> None:
    """Refuse a language pair that is absent or in several test sets, and a place without any."""
    testsets: dict[str, set[str]] = {}
    for campaign in stored:
        testsets.setdefault(campaign.lp, set()).add(campaign.testset)
    if not testsets:
        raise EmptyInputError("no language pairs", path=shown_path(path))
    if lp is not None and lp not in testsets:
        raise UnknownNameError(
            f"{shown_path(path)} has no language pair '{lp}'", hint=nearest(lp, filter(None, testsets))
        )
    names = set().union(*testsets.values()) if lp is None else testsets[lp]
    if len(names) > 1:
        raise ConfigError(f"{shown_path(path)} has several test sets", hint=f"choose one: {', '.join(sorted(names))}")


def format_by_suffix(path: Path) -> Format:
    """The format to write a file in."""
    for name in data_format.names():
        writer = data_format.create(name)
        if type(writer).write is not Format.write and has_suffix(path, writer.suffixes):
            return writer
    raise ConfigError(f"no format is written with the suffix '{path.suffix}'", hint="choose one, e.g. --to tsv")


def find_format(path: Path, input_format: str | None = None) -> Format:
    """The named format, or the one detected; an error if none is."""
    if input_format is not None:
        return data_format.create(input_format)
    detected = detect_format(path)
    if detected is not None:
        return detected
    if path.is_dir():
        return data_format.create("mtme")  # whose error says what it looked for
    hint = f"name the format: --input-format {'|'.join(data_format.names())}"
    if has_suffix(path, (".score", ".txt", ".tsv", ".csv")):
        hint = f"name score files NAME.seg.score or NAME.sys.score, name the columns of a table, or {hint}"
    raise InputError("unrecognised format", path=shown_path(path), hint=hint)


def detect_format(path: Path) -> Format | None:
    """The most likely format of a file; None if no format recognises it, so it may be plain text."""
    if not path.exists():
        raise InputError("no such file or directory", path=shown_path(path))
    is_folder = path.is_dir()
    head = "" if is_folder else read_bytes(path)[:_HEAD].decode("utf-8", errors="replace")
    candidates = [name for name in data_format.names() if data_format.type_of(name)[0].is_folder == is_folder]
    certainty = {name: data_format.create(name).recognises(path, head) for name in candidates}
    best = max(certainty.values())
    names = [name for name, level in certainty.items() if level == best]
    if best == NO:
        if head:
            read_text(path)  # raises an error if the content is not text at all
        return None
    if len(names) > 1:
        hint = f"choose one: --input-format {names[0]}"
        raise InputError(f"ambiguous format: {' or '.join(names)}", path=shown_path(path), hint=hint)
    return data_format.create(names[0])
