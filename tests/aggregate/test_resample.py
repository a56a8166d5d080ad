from __future__ import annotations

import numpy as np
import pytest

from assay import _core
from assay.aggregate.resample import Bootstrap, ClusterBootstrap, Totals
from assay.errors import ConfigError
from assay.types import totals as sums_over_segments
from assay.types.runtime import Runtime


def draw(bootstrap, segments, threads=1):
    return np.concatenate(list(bootstrap.blocks(segments, runtime=Runtime(threads=threads))))


def test_each_resample_draws_its_size():
    weights = draw(Bootstrap(50, 30, 1), 7)
    assert weights.shape == (50, 7)
    assert (weights.sum(axis=1) == 30).all()
    assert (draw(Bootstrap(20), 11).sum(axis=1) == 11).all()


def test_blocks_and_threads_change_nothing():
    whole = draw(Bootstrap(300, None, 5), 20_000, threads=4)  # several blocks
    rows = [_core.bootstrap_weights(b, 1, 20_000, 20_000, 5, 1)[0] for b in (0, 103, 104, 299)]
    np.testing.assert_array_equal(whole[[0, 103, 104, 299]], rows)


def test_seeds_and_resamples_differ():
    first, second = draw(Bootstrap(10, 100, 1), 50), draw(Bootstrap(10, 100, 2), 50)
    assert not np.array_equal(first, second)
    assert len({row.tobytes() for row in np.concatenate([first, second])}) == 20


def test_draws_are_uniform_and_independent():
    weights = draw(Bootstrap(4000, 10, 3), 10).astype(float)
    mean, variance = weights.mean(axis=0), weights.var(axis=0)
    np.testing.assert_allclose(mean, 1.0, atol=5 * np.sqrt(0.9 / 4000))  # five standard errors
    np.testing.assert_allclose(variance, 0.9, rtol=0.12)  # multinomial: n p (1 - p)
    correlation = np.corrcoef(weights.T)[np.triu_indices(10, 1)]
    np.testing.assert_allclose(correlation, -1 / 9, atol=0.08)


def test_sums_are_weighted_sums():
    random = np.random.default_rng(1)
    integers, reals = random.integers(0, 99, (2, 9000, 3)), random.normal(size=(1, 9000, 2))
    bootstrap = Bootstrap(30, 7000, 4)
    weights = draw(bootstrap, 9000)
    for threads in (1, 3):
        sums = bootstrap.sums([integers, reals], Runtime(threads=threads))
        np.testing.assert_array_equal(sums[0], np.einsum("bi,sik->sbk", weights.astype(np.int64), integers))
        np.testing.assert_array_equal(sums[1], _core.Summable(reals).sums(weights, 1))


def test_sums_without_segments_or_resamples():
    table = np.ones((2, 0, 3), dtype=np.int64)
    assert Bootstrap(5).sums([table], Runtime())[0].tolist() == np.zeros((2, 5, 3)).tolist()
    assert Bootstrap(0).sums([np.ones((2, 4, 3))], Runtime())[0].shape == (2, 0, 3)


def test_chunks_are_not_strata():
    """Strata would give no variance to a column that is constant within chunks; the variance must be s²/N."""
    chunks, resamples = 6, 4000
    column = np.repeat(np.arange(chunks, dtype=np.float64), 4096)[:22_000]
    (sums,) = Bootstrap(resamples, None, 5).sums([column.reshape(1, -1, 1)], Runtime())
    means = sums[0, :, 0] / len(column)
    variance = column.var() / len(column)
    assert abs(means.mean() - column.mean()) < 5 * np.sqrt(variance / resamples)
    assert abs(means.var() / variance - 1) < 5 * np.sqrt(2 / resamples)


@pytest.mark.parametrize("segments", [1, 2, 3, 64, 1000, 65536])
def test_every_segment_can_be_drawn(segments):
    weights = draw(Bootstrap(1, segments * 30, 7), segments)
    assert weights.sum() == segments * 30
    assert (weights > 0).mean() > 0.99


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"resamples": -1}, "resamples"), ({"size": 0}, "size"), ({"seed": -1}, "seed"), ({"seed": 2**64}, "seed")],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(ConfigError, match=message):
        Bootstrap(**arguments)


def test_clusters_are_drawn_as_often_as_there_are_clusters():
    weights = ClusterBootstrap(2000, 7).weights(5)
    assert weights.shape == (2000, 5)
    assert (weights.sum(axis=1) == 5).all()
    assert weights.mean(axis=0) == pytest.approx(np.ones(5), abs=0.1)
    assert (weights == 5).any(axis=1).mean() == pytest.approx(1 / 625, abs=0.003)
    assert np.array_equal(weights, ClusterBootstrap(2000, 7).weights(5))


def test_few_clusters_are_not_drawn():
    assert ClusterBootstrap().weights(4) == "no interval: 4 language pairs, fewer than 5"
    with pytest.raises(ConfigError, match="resamples must be an integer"):
        ClusterBootstrap(-1)


@pytest.mark.parametrize("segments", [1, 4095, 4096, 4097, 13_000])
@pytest.mark.parametrize("size", [None, 100])
def test_totals_are_the_same_bytes_for_any_parts(segments, size):
    generator = np.random.default_rng(segments)
    tables = [
        generator.integers(-5, 1000, (2, segments, 3)),
        generator.integers(0, 1 << 40, (1, segments, 2)),
        generator.normal(size=(3, segments, 2)),
    ]
    bootstrap = Bootstrap(37, size, 7)
    expected = bootstrap.sums(tables, Runtime(threads=1))
    for threads, width in ((1, segments), (2, 4096), (1, 1000), (3, 5000)):
        totals = Totals(segments, bootstrap, Runtime(threads=threads))
        for first in range(0, segments, width):
            totals.add([table[:, first : first + width] for table in tables])
        for found, own in zip(totals.replicates, expected, strict=True):
            np.testing.assert_array_equal(found, own)
        for found, table in zip(totals.sums, tables, strict=True):
            np.testing.assert_array_equal(np.asarray(found)[:, 0], sums_over_segments(table, Runtime(threads=1)))


def test_totals_without_resamples():
    totals = Totals(3, Bootstrap(0), Runtime())
    totals.add([np.ones((1, 3, 1), dtype=np.int64)])
    assert totals.sums[0].tolist() == [[[3]]]
    assert totals.replicates[0].shape == (1, 0, 1)


def test_totals_refuse_other_tables():
    part = [_core.Summable(np.ones((1, 2, 1)))]
    totals = _core.Totals(5000, 10, 5000, 1, 1)
    for tables, message in (
        ([], "no tables"),
        (part, "must end with a chunk"),
        ([*part, _core.Summable(np.ones((1, 3, 1)))], "differ in segments"),
        ([_core.Summable(np.ones((1, 5001, 1)))], "must end with a chunk"),
    ):
        with pytest.raises(ValueError, match=message):
            totals.add(tables)
    totals.add([_core.Summable(np.ones((1, 4096, 1)))])
    with pytest.raises(ValueError, match="another shape"):
        totals.add([_core.Summable(np.ones((2, 904, 1)))])
    with pytest.raises(ValueError, match="another shape"):
        totals.add([_core.Summable(np.ones((1, 904, 1), dtype=np.int64))])
    with pytest.raises(ValueError, match="number of tables"):
        totals.add([_core.Summable(np.ones((1, 904, 1)))] * 2)
