from __future__ import annotations

from assay.reports.page.figures import Wanted
from assay.reports.page.tables import result_section
from tests.reports.html.parsed import parsed
from tests.reports.page.built import section_html
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
    tags = [tag for tag, _ in parsed(section_html(section)).elements]
    assert tags.count("figure") == 1
    assert tags.index("figure") < tags.index("table")
    assert "All numbers" in parsed(section_html(section)).text
    assert (section.id, section.link, section.heading, section.lede, section.part) == (
        "x",
        "X",
        "Who?",
        "So.",
        "Metrics",
    )


def test_tables_are_folded_only_below_charts():
    options = {"id": "x", "link": "X", "heading": "Who?"}
    assert "details" not in tags(result_section(example("meta"), **options))
    folded = result_section(example("meta"), charts=[Wanted("metric-ranking")], **options)
    assert tags(folded).index("details") < tags(folded).index("table")
    first = tags(result_section(example("meta"), charts=[Wanted("metric-ranking")], unfolded=1, **options))
    assert first.index("table") < first.index("details"), "the table of the first statistic stands open"
    assert first.count("table") == tags(folded).count("table")


def tags(section):
    return [tag for tag, _ in parsed(section_html(section)).elements]
