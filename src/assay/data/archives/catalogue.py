"""Campaigns that can be downloaded by name: outputs and human scores, for `--data`.

The publishers give no digests, so none is pinned: the digest of the first download is recorded and checked from then
on. The data belongs to its publishers, under their terms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from assay.errors import UnknownNameError, nearest

__all__ = ["SOURCES", "Source", "source"]


@dataclass(frozen=True, slots=True)
class Source:
    """A file to download, usually an archive: its URLs, contents and licence."""

    name: str
    description: str
    urls: tuple[str, ...]  # the first that works is used
    suffix: str  # of the archive
    licence: str
    sha256: str | None = None
    note: str = ""
    md5: str | None = None
    folder: str = ""
    """Where it belongs in the data folder, if it is read there and not unpacked beside."""

    @property
    def file_name(self) -> str:
        """The name of the downloaded file."""
        return self.name + self.suffix


_RESEARCH = "no licence file; WMT asks for research use only and citation of the findings papers"
_NOT_STATED = "none stated"


def _repository(
    path: str, description: str, licence: str, *, name: str = "", ref: str = "HEAD", note: str = ""
) -> Source:
    """A GitHub repository: its current state, or a commit."""
    url = f"https://github.com/{path}/archive/{ref}.tar.gz"
    return Source(name or path.split("/")[1], description, (url,), ".tar.gz", licence, note=note)


_ALL = (
    Source(
        name="mt-metrics-eval-v2",
        description="WMT19-25 metrics tasks: texts, human scores of systems and segments (also those of WMT19, as raw "
        "DA), metric scores (900 MB, 4 GB unpacked)",
        urls=(
            "https://data.statmt.org/wmt26/mt-metrics-eval-v2.tgz",
            "https://storage.googleapis.com/mt-metrics-eval/mt-metrics-eval-v2.tgz",
        ),
        suffix=".tgz",
        licence="Apache-2.0 for the program; not stated for the data",
        note="replaced in place when campaigns are added; the second URL is older and may be closed",
    ),
    _repository(
        "wmt-conference/wmt21-news-systems", "WMT21 news task: texts as XML and lines, direct assessment", _RESEARCH
    ),
    _repository(
        "wmt-conference/wmt22-news-systems", "WMT22 general task: texts as XML and lines, DA and DA+SQM", _RESEARCH
    ),
    _repository("wmt-conference/wmt23-news-systems", "WMT23 general task: texts as XML and lines, DA+SQM", _RESEARCH),
    _repository("wmt-conference/wmt24-news-systems", "WMT24 general task: texts, error span annotation", _RESEARCH),
    _repository(
        "wmt-conference/wmt25-general-mt",
        "WMT25 general task: texts and scores as JSON lines",
        _NOT_STATED,
        note="the human annotations are in Git LFS: the archive may hold pointers instead",
    ),
    _repository(
        "google/wmt-mqm-human-evaluation",
        "MQM and other expert ratings of WMT20-23 and TED talks, as tables",
        "Apache-2.0",
        ref="7fadea281aff8db61cc72fc3d469a4dca78b82a6",
    ),
    _repository(
        "WMT-Metrics-task/wmt20-metrics", "WMT20 metrics task: submitted scores, DA and relative rankings", _NOT_STATED
    ),
    _repository("mjpost/wmt15", "WMT15 human rankings and clusters", _NOT_STATED, name="wmt15-rankings"),
    _repository("cfedermann/wmt16", "WMT16 human rankings and clusters", _NOT_STATED, name="wmt16-rankings"),
    _repository(
        "MicrosoftTranslator/ToShipOrNotToShip",
        "direct assessment and metric scores of anonymous systems from many campaigns, without texts",
        _NOT_STATED,
        note="one workbook per system",
    ),
)

SOURCES: Mapping[str, Source] = MappingProxyType({source.name: source for source in _ALL})


def source(name: str) -> Source:
    """The source of this name."""
    if name not in SOURCES:
        raise UnknownNameError(f"unknown test set '{name}'", hint=nearest(name, SOURCES))
    return SOURCES[name]
