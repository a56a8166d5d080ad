from __future__ import annotations

import hashlib

import pytest

from assay.data.archives.hub import Repository, RepositoryFile, download_file, open_repository
from assay.data.archives.transfer import Policy
from assay.errors import ChecksumError, FetchError
from tests.hub import COMMIT, add_repository, hub

HASTY = Policy(tries=1, pause=0.01)


@pytest.fixture
def server(tmp_path, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "none"))
    monkeypatch.delenv("ASSAY_OFFLINE", raising=False)
    with hub() as started:
        monkeypatch.setenv("HF_ENDPOINT", started.url)
        add_repository(started, "me/model", {"small.txt": b"small", "sub/large.bin": b"x" * 5000}, "mit")
        yield started


def test_what_is_in_a_repository(server):
    repository = open_repository("me/model")
    assert (repository.commit, repository.licence, list(repository.files)) == (
        COMMIT,
        "mit",
        ["small.txt", "sub/large.bin"],
    )
    assert repository.files["small.txt"].sha256 is None
    assert repository.files["sub/large.bin"].size == 5000


def test_files_are_downloaded_once(server, tmp_path):
    repository = open_repository("me/model")
    for name, file in repository.files.items():
        target = tmp_path / name
        digest = hashlib.sha256(server.files[f"/me/model/resolve/{COMMIT}/{name}"]).hexdigest()
        assert download_file(repository, file, target) == digest
        before = len(server.requests)
        assert download_file(repository, file, target) == digest
        assert len(server.requests) == before


def test_digests_of_small_and_large_files_are_checked(server, tmp_path):
    repository = open_repository("me/model")
    for path in repository.files:
        server.files[f"/me/model/resolve/{COMMIT}/{path}"] += b"!"
        with pytest.raises(ChecksumError, match="not the expected file"):
            download_file(repository, repository.files[path], tmp_path / path)
        assert not (tmp_path / path).exists()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "404"),
        (b"<html>", "not the answer of a hub"),
        (b'{"sha": "0"}', "not the answer of a hub: 'siblings'"),
        (b'{"sha": "0", "siblings": [{"rfilename": "../x"}]}', "unsafe name"),
    ],
)
def test_answers_that_are_none(server, answer, message):
    server.files.pop("/api/models/me/model")
    if answer is not None:
        server.files["/api/models/me/model"] = answer
    with pytest.raises(FetchError, match=message):
        open_repository("me/model", policy=HASTY)


def test_a_file_that_is_not_there(server, tmp_path):
    with pytest.raises(FetchError, match="404"):
        download_file(
            Repository("me/model", COMMIT, "", {}), RepositoryFile("x", 1, None, None), tmp_path / "x", policy=HASTY
        )
