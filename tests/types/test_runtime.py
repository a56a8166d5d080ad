import dataclasses

import pytest

from assay.errors import ConfigError
from assay.types.runtime import Runtime, RuntimeFields, available_cores


def test_defaults():
    assert Runtime().threads == available_cores() >= 1
    Runtime().report("nobody listens", 0, 1)


@pytest.mark.parametrize(
    "arguments",
    [
        {"threads": 0},
        {"threads": 1.5},
        {"threads": 2000},
        {"batch_size": 0},
        {"batch_size": "8"},
        {"batch_size": 1.5},
        {"device": None},
        {"device": ["cpu"]},
    ],
)
def test_wrong_values(arguments):
    with pytest.raises(ConfigError):
        Runtime(**arguments)


def test_the_fields_for_type_checkers_are_those_of_the_dataclass():
    assert list(RuntimeFields.__annotations__) == [field.name for field in dataclasses.fields(Runtime)]


def test_track_reports_every_step_and_the_end():
    seen = []
    runtime = Runtime(progress=lambda *step: seen.append(step))
    assert list(runtime.track("ab", lambda item: f"doing {item}")) == ["a", "b"]
    assert seen == [("doing a", 0, 2), ("doing b", 1, 2), ("doing b", 2, 2)]
    assert list(runtime.track((), str)) == []


def test_progress_can_interrupt():
    def interrupt(*_step):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(Runtime(progress=interrupt).track([1], str))


def test_warnings():
    seen = []
    Runtime(on_warning=seen.append).warn("the cache is full")
    assert seen == ["the cache is full"]
    with pytest.warns(UserWarning, match="the cache is full"):
        Runtime().warn("the cache is full")


@pytest.mark.parametrize("device", ["auto", "cpu", "cuda", "cuda:1", "cuda:0,cuda:1"])
def test_devices(device):
    assert Runtime(device=device).devices == tuple(device.split(","))


@pytest.mark.parametrize("device", ["gpu", "cuda:", "cuda:x", "", "cuda:0,", "auto,cpu"])
def test_unknown_devices(device):
    with pytest.raises(ConfigError, match="device must be auto, cpu, cuda or cuda:N"):
        Runtime(device=device)
