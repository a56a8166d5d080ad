from __future__ import annotations

from assay.reports.html.figures import Wanted
from assay.reports.html.sections.result_section import result_section
from tests.reports.html.parsed import parsed
from tests.store.examples import example


def test_charts_stand_above_the_tables():
    section = result_section(
        example("rank ratings"),
        id="x",
        link="X",
        heading="Who?",
        lede="So.",
        charts=[Wanted("human-ranking"), Wanted("scores")],
    )
    tags = [tag for tag, _ in parsed(section.html).elements]
    assert tags.count("figure") == 1
    assert tags.index("figure") < tags.index("table")
    assert (section.id, section.link, section.heading, section.lede, section.part) == (
        "x",
        "X",
        "Who?",
        "So.",
        "Metrics",
    )
