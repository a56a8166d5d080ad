"""Random campaigns that a flat table can hold, what a campaign says, and files to damage."""

from __future__ import annotations

import contextlib
import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.data.formats import data_format
from assay.errors import ConfigError, InputError
from assay.types import PROTOCOLS, Campaign, ScoreTable, TestSet
from assay.types.scoretable import SCALES

LPS = ("en-de", "zho_Hans-en", "cs-uk")
TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r\0"), max_size=6)
NAMES = st.text(st.sampled_from("aB :=%,;|\"'-éß中.#+"), min_size=1, max_size=5).filter(
    lambda name: name.strip() and name not in (".", "..")
)


def facts(campaign: Campaign) -> dict[str, object]:
    """All that a flat table tells of a campaign, in a form that can be compared."""
    told: dict[str, object] = {
        "name": campaign.name,
        "lp": campaign.lp,
        "segments": campaign.segments,
        "systems": campaign.systems,
        "references": campaign.references,
        "scores": sorted(map(_score_facts, campaign.scores), key=repr),
    }
    if (testset := campaign.testset) is not None:
        columns = {"sources": testset.sources, "documents": testset.documents, "domains": testset.domains}
        named = {"outputs": list(testset.outputs.items()), "texts": list(testset.references.items())}
        told |= columns | named | {"testset": (testset.name, testset.lp)}
    return told


def _score_facts(table: ScoreTable) -> tuple[object, ...]:
    values = [[None if math.isnan(value) else value for value in row] for row in table.values.tolist()]
    kind = (table.protocol, table.references, table.rater, table.higher_is_better)
    return table.name, table.level, table.systems, values, *kind


def shown(name):
    """Names that differ only in white space are refused."""
    return " ".join(name.split())


@st.composite
def campaigns(draw, *, text=TEXT, gaps: bool):
    """One to three campaigns in the form that reading gives them; `gaps`: single texts may be missing."""
    names = draw(
        st.lists(
            st.tuples(st.sampled_from(("", "wmt 22", "été")), st.sampled_from(LPS)), unique=True, min_size=1, max_size=3
        )
    )
    references = draw(st.lists(NAMES, unique_by=shown, max_size=2))
    has_sources = draw(st.booleans())
    return tuple(draw(_campaigns(name, lp, references, has_sources, text, gaps)) for name, lp in names)


@st.composite
def _campaigns(draw, name, lp, references, has_sources, text, gaps):
    segments = draw(st.integers(1, 4))
    systems = draw(st.lists(NAMES, unique_by=shown, min_size=1, max_size=3))

    def column(values):
        cells = draw(st.lists(values, min_size=segments, max_size=segments))
        return tuple(cells) if any(cell is not None for cell in cells) else (*cells[1:], draw(values.filter(bool)))

    def maybe(values):
        return column(values) if draw(st.booleans()) else None

    texts = st.none() | text if gaps else text
    labels = st.none() | TEXT.filter(bool)
    testset = TestSet(
        outputs={system: column(st.none() | text) for system in systems},  # no row is a gap, too
        references={reference: column(texts) for reference in references},
        sources=column(texts) if has_sources else None,
        documents=maybe(labels),
        domains=maybe(labels),
        lp=lp,
        name=name or None,
    )
    tables = draw(st.lists(_tables(testset), max_size=3, unique_by=lambda table: table.name.casefold()))
    tables.sort(key=lambda table: table.level)
    return Campaign(name, lp, segments, tuple(systems), tuple(references), testset, tuple(tables))


@st.composite
def _tables(draw, testset):
    level = draw(st.sampled_from(("segment", "system")))
    protocol = draw(st.none() | st.sampled_from(PROTOCOLS))
    low, high = SCALES.get(protocol, (-1e150, 1e150))
    values = np.array(
        [
            [draw(st.floats(low, high)) if text is not None else math.nan for text in column]
            for column in testset.outputs.values()
        ]
    )
    return ScoreTable(
        name=draw(NAMES | st.sampled_from(PROTOCOLS)),
        level=level,
        systems=testset.systems,
        values=values if level == "segment" else np.nanmin(values, axis=1, keepdims=True),
        references=tuple(draw(st.lists(NAMES, unique_by=shown, max_size=2))),
        protocol=protocol,
        rater=draw(st.none() | NAMES),
        higher_is_better=draw(st.booleans()),
    )


def write_and_read(name: str, given, path):
    """What comes back of campaigns."""
    data_format.create(name).write(given, path)
    return data_format.create(name).read(path)


@st.composite
def damaged(draw, valid: bytes):
    """A valid file with some bytes changed, cut out or put in, or bytes that are no such file at all."""
    if draw(st.integers(0, 4)) == 0:
        return draw(st.binary(max_size=60))
    raw = bytearray(valid)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(raw)))
        raw[start : start + draw(st.integers(0, 5))] = draw(
            st.binary(max_size=4)
            | st.sampled_from((b"\t", b"\n", b"\r\n", b'"', b",", b"{", b"null", b"1e999", b"[[", b"\0"))
        )
    return bytes(raw)


def read_or_refused(read, *valid, examples=100):
    """Valid files are read; whatever the bytes of a damaged one, it is read or there is an error of ours."""
    files = [file if isinstance(file, bytes) else file.encode() for file in valid]
    for file in files:
        assert len(read(file)), file

    @settings(max_examples=examples, deadline=None)
    @given(st.one_of(map(damaged, files)))
    def check(raw):
        with contextlib.suppress(InputError, ConfigError):
            assert len(read(raw))

    check()
