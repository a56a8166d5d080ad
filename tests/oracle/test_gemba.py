"""GEMBA's published scores (WMT22, WMT25) as replies: `judge` reads each of them, and has the published system scores.

What this can check: the numbers that models answered with DA and ESA prompts, their range, and how they become system
scores. What it cannot: prompts, because ours are others; errors, because GEMBA's are not published here; and scores by
errors, because there are no files of GEMBA-MQM. MQM scores are compared with people's errors instead.
"""

from __future__ import annotations

import json

import pytest

import assay
from assay.data.formats.mqm import Mqm
from assay.human.mqm import find_weights, mqm_ratings
from assay.judges.protocols.mqm import mqm_score
from tests import archives
from tests.judges.scripted import part, scripted

pytestmark = pytest.mark.skipif(archives.folder() is None, reason="ASSAY_DATA does not name the WMT archives")


def stored(campaign, lp, name, level):
    """System to values, as texts."""
    values = {}
    for line in archives.lines(archives.unpacked(campaign) / "metric-scores" / lp / f"{name}.{level}.score"):
        system, value = line.split("\t")
        values.setdefault(system, []).append(value)
    return values


@pytest.mark.parametrize(
    ("campaign", "lp", "name", "protocol"),
    [
        ("wmt22", "en-de", "GEMBA-GPT4-DA-src", "da"),
        ("wmt22", "zh-en", "GEMBA-Dav3-DA-refA", "da"),
        ("wmt25", "en-is_IS", "GEMBA-ESA-GPT4.1-src", "esa"),
        ("wmt25", "en-is_IS", "GEMBA-ESA-CMDA-src", "esa"),
    ],
)
@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
def test_published_scores_as_replies(monkeypatch, campaign, lp, name, protocol):
    """Published system scores have 6 decimals in WMT25. A segment without a score was left out of a system's mean."""
    segments = stored(campaign, lp, name, "seg")
    published = {system: float(value) for system, (value,) in stored(campaign, lp, name, "sys").items()}

    def reply(prompt, *_):
        system, _, number = part(prompt, "candidate").rpartition(" ")
        if protocol == "esa" and part(prompt, "errors") is None:
            return '{"errors": []}'
        value = segments[system][int(number)]
        return "I cannot rate this." if value == "None" else json.dumps({"score": float(value)})

    scripted(monkeypatch, reply)
    spec = f"judge:protocol={protocol},model=m,endpoint=http://127.0.0.1:8000/v1"
    sources = [f"Source {number}" for number in range(len(next(iter(segments.values()))))]
    for system, values in segments.items():
        outputs = {system: [f"{system} {number}" for number in range(len(values))]}
        run = assay.score(assay.load(sources=sources, outputs=outputs, lp=lp.partition("_")[0]), spec, resamples=0)
        found = run[spec].segment_mean.estimate(system)
        assert found.n == len(values) - values.count("None")
        assert found.value == pytest.approx(published[system], abs=1e-6)


def test_weights_of_people_s_errors():
    """The MQM annotations of WMT21's TED talks: our sum is that of their scores, but not below -25."""
    path = archives.unpacked("formats") / "google-mqm" / "mqm_ted_ende.tsv"
    (campaign,) = Mqm().read(path)
    ratings = campaign.ratings[0]
    weighted = mqm_ratings(ratings, find_weights("google2020", ratings))
    assert [mqm_score(errors) for errors in ratings.marks] == pytest.approx([max(-25, s) for s in weighted.score])
