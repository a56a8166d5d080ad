from __future__ import annotations

import io

import numpy as np
import pytest

from assay.store.arrays import array_bytes, parse_array

ARRAYS = [
    np.arange(6).reshape(2, 3),
    np.arange(6.0).reshape(2, 3).T,
    np.array([np.nan, np.inf, -0.0]),
    np.zeros((0, 4)),
    np.array(7),
    np.array([[True, False]]),
    np.arange(12, dtype=np.int16)[::2],
]


@pytest.mark.parametrize("array", ARRAYS, ids=str)
def test_they_come_back(array):
    parsed = parse_array(array_bytes(array))
    assert (parsed.shape, parsed.dtype) == (array.shape, array.dtype)
    assert np.array_equal(parsed, array, equal_nan=array.dtype.kind == "f")
    assert not parsed.flags.writeable
    assert parsed.flags.aligned
    assert np.load(io.BytesIO(array_bytes(array))).tobytes() == array.tobytes()


def test_only_booleans_and_numbers_are_saved():
    for array in (np.array(["text"]), np.array([{}], dtype=object), np.array([1j]), np.array(["2020"], dtype="M8[Y]")):
        with pytest.raises(ValueError, match="cannot be saved"):
            array_bytes(array)


def header(text, length=None):
    data = text.encode()
    return b"\x93NUMPY\x01\x00" + (length or len(data) + 1).to_bytes(2, "little") + data + b"\n"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x" * 200,
        array_bytes(np.arange(4))[:-1],
        array_bytes(np.arange(4)) + b"x",
        header("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 99999999999999), }"),
        header("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 99999999999), }"),
        header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, -1), }") + bytes(8),
        header("{'descr': '<f8', 'fortran_order': False, 'shape': (" + "9" * 5000 + ",), }"),
        header("{'descr': '<f8', 'fortran_order': True, 'shape': (1,), }") + bytes(8),
        header("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }") + bytes(8),
        header("{'descr': '|V0', 'fortran_order': False, 'shape': (9999999999,), }"),
        header("__import__('os').getcwd()"),
    ],
    ids=range(12),
)
def test_a_header_that_does_not_fit_is_refused(data):
    with pytest.raises(ValueError, match=r"array|digits"):
        parse_array(data)


def test_a_type_that_does_not_exist_is_refused():
    with pytest.raises(TypeError):
        parse_array(header("{'descr': '<f1', 'fortran_order': False, 'shape': (1,), }") + b"x")


def test_data_at_an_odd_place_is_aligned():
    for padding in range(8):
        data = header("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }" + " " * padding)
        assert parse_array(data + np.array([1.5]).tobytes()).flags.aligned
