from __future__ import annotations

import pytest

from assay.judges.reply import Reply, ReplyCache, open_replies
from assay.types.runtime import Runtime


@pytest.mark.parametrize(
    "reply", [Reply("x"), Reply("“ä”\n😀", "length", "m", 3, 4, is_structured=True), Reply("", "refusal", "a/b")]
)
def test_a_reply_comes_back_as_it_was(tmp_path, reply):
    with open_replies(Runtime(cache=tmp_path), "org/m") as cache:
        cache.add({b"1": reply})
        assert cache.find([b"1", b"2"]) == {b"1": reply}
        assert cache.add({b"1": Reply("another")}) == {b"1": reply}
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.sqlite")] == ["judges-1/org_m.sqlite"]


def test_the_mechanism_is_that_of_networks():
    from assay.files.cache_file import CacheFile
    from assay.neural.cache import ResultCache

    assert issubclass(ReplyCache, CacheFile)
    assert issubclass(ResultCache, CacheFile)


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (Reply("x"), ""),
        (Reply("x", "eos"), ""),
        (Reply(" "), "the reply is empty"),
        (Reply("x", "length"), "the reply was cut off at the largest number of tokens (max_tokens)"),
        (Reply("x", "content_filter"), "the content filter of the server stopped the reply"),
        (Reply("no", "refusal"), "the model refused to answer"),
    ],
)
def test_faults(reply, fault):
    assert reply.fault == fault
