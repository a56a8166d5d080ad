"""The mechanism alone. What happens to files that are full, damaged or locked is in tests/neural/test_cache.py."""

from __future__ import annotations

from assay.files import cache_file
from assay.files.cache_file import CacheFile


class Words(CacheFile[str, int]):
    layout = "words-1"
    tables = ("CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, word TEXT, number BLOB, checksum INTEGER)",)

    def key(self, item):
        return item.encode()

    def encode(self, value):
        return None if value < 0 else (str(value), bytes([value]))

    def decode(self, text, content):
        return content[0]


def opened(folder, identity="one", warn=print):
    return Words.open(folder, identity, warn)


def test_results_are_found_again(tmp_path):
    with opened(tmp_path) as cache:
        assert cache.add({"a": 1, "b": 2, "not stored": -1}) == {"a": 1, "b": 2, "not stored": -1}
    with opened(tmp_path) as cache:
        assert cache.find(["b", "c", "a", "not stored"]) == {"a": 1, "b": 2}
    with opened(tmp_path, "two") as cache:
        assert cache.find(["a"]) == {}
    assert sorted(path.name for path in (tmp_path / "words-1").iterdir()) == ["one.sqlite", "two.sqlite"]


def test_what_is_there_stays(tmp_path):
    with opened(tmp_path) as first, opened(tmp_path) as second:
        first.add({"a": 1})
        assert second.add({"a": 2, "b": 3}) == {"a": 1, "b": 3}


def test_more_keys_than_a_query_takes(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_file, "_KEYS_PER_QUERY", 3)
    with opened(tmp_path) as cache:
        cache.add({str(i): i for i in range(10)})
        assert len(cache.find([str(i) for i in range(20)])) == 10


def test_no_folder_no_cache():
    with opened(None) as cache:
        assert cache is None


def test_damage_is_said_once(tmp_path):
    warnings = []
    with opened(tmp_path, warn=warnings.append) as cache:
        cache.add({"a": 1, "b": 2})
        cache._database.execute("UPDATE results SET number = x'07'")
        assert cache.find(["a", "b"]) == {}
        assert cache.find(["a"]) == {}
    (warning,) = warnings
    assert "one.sqlite: the cache cannot be read: it is damaged (a checksum is wrong)" in warning
