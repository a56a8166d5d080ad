from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from importlib.resources import files

import numpy as np
import pytest

from assay import load, score
from assay.sample.campaign import LANGUAGES, RANKED, SYSTEMS, generate

DIGESTS = {"de": "b4d2ad9d228edb7a", "zh": "fe3982266efe1d92"}


@pytest.fixture(scope="module", params=LANGUAGES)
def campaign(request):
    return generate(request.param)


def test_size(campaign):
    assert len(set(campaign.sources)) >= 120
    assert len(set(campaign.documents)) >= 12
    assert len(set(campaign.domains)) >= 3
    assert len(campaign.references) == 2
    assert all(len(set(column)) >= 120 for column in campaign.references.values())
    assert len(campaign.tokens) >= 6
    bundled = sum(len(path.read_bytes()) for path in files("assay.sample").iterdir() if path.name.endswith(".tsv"))
    assert bundled < 300_000


def test_it_is_the_same_everywhere(campaign):
    """Only random.random is used, whose sequence is guaranteed; so the digest is part of the contract."""
    text = json.dumps(asdict(campaign), ensure_ascii=False, sort_keys=True)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[campaign.target]


def test_another_seed_is_another_campaign():
    assert generate("de", seed=1).tokens != generate("de").tokens


def mean_scores(campaign):
    """Average direct assessment of each output, control items apart."""
    found = {}
    for judgement in campaign.assessments:
        if judgement.kind == "TGT":
            found.setdefault((judgement.system, judgement.segment), []).append(judgement.score)
    return {key: np.mean(values) for key, values in found.items()}


def test_people_see_the_grades(campaign):
    by_system = {name: [v for (s, _), v in mean_scores(campaign).items() if s == name] for name in SYSTEMS}
    means = [np.mean(by_system[name]) for name in SYSTEMS]
    assert means == sorted(means, reverse=True)
    noticed = {name: sum(len(e) for _, s, _, e in campaign.mqm if s == name) for name in SYSTEMS}
    assert list(noticed.values()) == sorted(noticed.values())
    ranks = {name: [rank for r in campaign.rankings for s, rank in r.ranks if s == name] for name in SYSTEMS}
    assert np.mean(ranks["alder"]) < np.mean(ranks["elm"]) < np.mean(ranks["willow"])


def test_human_scores_are_no_function_of_a_metric(campaign):
    """Related to segment scores, but far from determined by them; and metrics punish the system that rewords."""
    outputs = {name: campaign.output(name) for name in campaign.tokens}
    run = score(
        load(outputs=outputs, references=campaign.references, lp=f"en-{campaign.target}"), resamples=0, agg="corpus"
    )
    human = mean_scores(campaign)
    for spec in run:
        pairs = [(run[spec].segments[system][segment], value) for (system, segment), value in human.items()]
        assert 0.2 < np.corrcoef(np.array(pairs).T)[0, 1] < 0.85
        assert run[spec].corpus["birch"] < run[spec].corpus["cedar"]


def test_raters_differ(campaign):
    by_rater = {}
    for judgement in campaign.assessments:
        by_rater.setdefault(judgement.rater, []).append(judgement.score)
    means = [np.mean(values) for values in by_rater.values()]
    assert max(means) - min(means) > 10
    bad = [j.score for j in campaign.assessments if j.kind == "BAD"]
    assert np.mean(bad) < np.mean([j.score for j in campaign.assessments if j.kind == "TGT"]) - 15


def test_rankings_have_five_systems_and_ties(campaign):
    assert all(len({s for s, _ in r.ranks}) == RANKED for r in campaign.rankings)
    assert any(len({rank for _, rank in r.ranks}) < RANKED for r in campaign.rankings)


def test_error_spans_lie_in_the_output(campaign):
    for system, by_segment in campaign.errors.items():
        for tokens, errors in zip(campaign.tokens[system], by_segment, strict=True):
            assert all(0 <= e.first <= e.last < len(tokens) for e in errors)
