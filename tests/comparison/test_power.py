"""Power: known values, the t distribution for few units, and what cannot be computed."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from assay.comparison.power import MAX_SIZE, power_analysis
from assay.errors import ConfigError


def test_detectable_is_2_8_standard_errors():
    power = power_analysis(0.25, 2000)
    assert power.detectable == pytest.approx(2.8015852 * 0.25, abs=1e-8)
    assert power_analysis(0.25, 2000, alpha=0.01, power=0.9).detectable == pytest.approx(
        (2.5758293 + 1.2815516) * 0.25, abs=1e-7
    )


def test_at_the_detectable_this_test_set_is_just_large_enough():
    smallest = power_analysis(0.25, 2000).detectable
    at_smallest = power_analysis(0.25, 2000, delta=smallest * (1 + 1e-12))
    assert at_smallest.at_delta == pytest.approx(0.8, abs=1e-5)
    assert at_smallest.needed == 2000


def test_a_one_sided_test_shows_smaller_differences():
    power = power_analysis(0.25, 2000, delta=0.5, is_two_sided=False)
    assert power.detectable == pytest.approx((1.6448536 + 0.8416212) * 0.25, abs=1e-7)
    assert power.at_delta == pytest.approx(0.6388, abs=1e-4)  # Φ(2 - 1.6449)
    assert power.needed == 3092  # 2000 (2.4865 / 2)^2


def test_half_the_difference_needs_four_times_the_segments():
    power = power_analysis(0.25, 2000, delta=power_analysis(0.25, 2000).detectable / 2 * (1 + 1e-12))
    assert power.needed == 8000
    assert power.at_delta == pytest.approx(0.2884, abs=1e-4)  # Φ(1.4008 - 1.96) + Φ(-1.4008 - 1.96)


def test_few_units_use_the_t_distribution():
    """G*Power: a paired t-test with d = 0.5 and power .8 needs 34 pairs; with 34 pairs, the power is .8078."""
    at_34 = power_analysis(1 / math.sqrt(34), 34, delta=0.5, degrees_of_freedom=33)
    assert at_34.needed == 34
    assert at_34.at_delta == pytest.approx(0.8078, abs=1e-4)
    assert power_analysis(1 / math.sqrt(10), 10, delta=0.5, degrees_of_freedom=9).needed == 34
    assert power_analysis(1 / math.sqrt(500), 500, delta=0.5, degrees_of_freedom=499).needed == 34


def test_many_degrees_of_freedom_are_normal():
    normal, t = power_analysis(0.3, 10**6, delta=0.4), power_analysis(0.3, 10**6, delta=0.4, degrees_of_freedom=10**6)
    assert t.detectable == pytest.approx(normal.detectable, rel=1e-5)
    assert t.at_delta == pytest.approx(normal.at_delta, abs=1e-5)
    assert t.needed == pytest.approx(normal.needed, rel=1e-4)


def test_a_large_difference_needs_two_units():
    assert power_analysis(0.1, 2000, delta=50.0).needed == 2
    assert power_analysis(0.1, 2000, delta=50.0).at_delta == 1.0


def test_a_tiny_difference_needs_more_than_there_are():
    power = power_analysis(0.1, 2000, delta=1e-9)
    assert power.needed is None
    assert f"{MAX_SIZE:,}" in power.reason


@pytest.mark.parametrize(
    ("error", "says"), [(0.0, "same in every segment"), (math.nan, "undefined"), (math.inf, "undefined")]
)
def test_without_a_standard_error_nothing_is_said(error, says):
    power = power_analysis(error, 100, delta=1.0)
    assert math.isnan(power.detectable)
    assert math.isnan(power.at_delta)
    assert power.needed is None
    assert says in power.reason
    if not math.isinf(error):
        json.dumps(power.to_dict(), allow_nan=False)


@pytest.mark.parametrize("options", [{"delta": 0.0}, {"delta": -1.0}, {"delta": math.nan}, {"delta": math.inf}])
def test_delta_is_positive(options):
    with pytest.raises(ConfigError, match="delta must be a positive number"):
        power_analysis(0.1, 100, **options)


@pytest.mark.parametrize("options", [{"alpha": 0.0}, {"alpha": 0.9}, {"power": 1.0}, {"power": 0.04}])
def test_alpha_and_power_are_probabilities(options):
    with pytest.raises(ConfigError, match="alpha must be above 0"):
        power_analysis(0.1, 100, **options)


def test_the_promised_power_is_achieved():
    """Segment differences that are skewed, as real ones are: the t-test rejects in 80 % of the test sets it needs."""
    generator = np.random.default_rng(20240601)
    pool = generator.exponential(10.0, 100_000) - generator.exponential(9.0, 100_000) * (
        generator.random(100_000) < 0.9
    )
    pilot = generator.choice(pool, 2000)
    needed = power_analysis(pilot.std(ddof=1) / math.sqrt(2000), 2000, delta=pool.mean()).needed
    sets = generator.choice(pool, (2000, needed))
    t = sets.mean(axis=1) / (sets.std(axis=1, ddof=1) / math.sqrt(needed))
    assert 0.75 <= (np.abs(t) > 1.96).mean() <= 0.85
