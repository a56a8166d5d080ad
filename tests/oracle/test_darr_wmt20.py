"""Direct assessment as relative ranking in WMT20, against the organisers' results (results/output of wmt20-metrics)."""

from __future__ import annotations

import pytest

from assay import agree, load_campaign
from assay.people.comparisons import preferences_by_threshold
from tests import archives

PUBLISHED = {  # pairs of outputs at least 25 points apart; tau of chrF and TER as printed
    "cs-en": (14018, 0.08632, -0.04009),
    "de-en": (16584, 0.4379, 0.3554),
    "en-cs": (21121, 0.4722, 0.3168),
    "ru-en": (14024, 0.04949, -0.1171),
    "zh-en": (62586, 0.132, -0.01045),
}


@pytest.fixture(params=PUBLISHED)
def pair(request):
    if archives.folder() is None:
        pytest.skip("ASSAY_DATA does not name the folder of the WMT archives")
    campaign = load_campaign(archives.unpacked("wmt20").parent, "wmt20", request.param)
    human = campaign.find("wmt-raw", "segment")
    judged = [name for name in human.systems if name not in campaign.references and not name.startswith("HUMAN")]
    return campaign, human.take(judged), *PUBLISHED[request.param]


def test_pairs_and_tau(pair):
    campaign, human, pairs, chrf, ter = pair
    assert len(preferences_by_threshold(human, 25)) == pairs
    for name, tau in (("chrF", chrf), ("TER", ter)):
        (table,) = [t for t in campaign.metrics if (t.name, t.level, t.references) == (name, "segment", ("ref",))]
        found = agree(table, human, "kendall-like", grouping="item", average="micro")
        assert found.value == pytest.approx(tau, abs=6e-5 if abs(tau) >= 0.1 else 1e-5)
