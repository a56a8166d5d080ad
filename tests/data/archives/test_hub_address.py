from __future__ import annotations

import pytest

from assay.data.archives.hub_address import is_on_hub, on_hub, token_for


@pytest.fixture(autouse=True)
def _nothing_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    for name in ("HF_ENDPOINT", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)


def test_the_hub_of_the_user(monkeypatch):
    assert on_hub("https://huggingface.co/a/b") == "https://huggingface.co/a/b"
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9/")
    assert on_hub("https://huggingface.co/a/b") == "http://127.0.0.1:9/a/b"
    assert on_hub("https://github.com/a/b") == "https://github.com/a/b"
    assert is_on_hub("http://127.0.0.1:9/x")
    assert not is_on_hub("https://huggingface.co/x")


def test_the_token_goes_to_the_hub_only(tmp_path, monkeypatch):
    assert token_for("https://huggingface.co/x") is None
    (tmp_path / "token").write_text("stored\n")
    assert token_for("https://huggingface.co/x") == "stored"
    monkeypatch.setenv("HF_TOKEN", "secret")
    assert token_for("https://huggingface.co/x") == "secret"
    assert token_for("https://huggingface.co.example.org/x") is None
    assert token_for("http://huggingface.co/x") is None
