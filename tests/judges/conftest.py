from __future__ import annotations

import pytest

from tests.chat_server import chat_server
from tests.judges.asking import Asking


@pytest.fixture
def asking(tmp_path, monkeypatch):
    for variable in ("ASSAY_JUDGE_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    with chat_server() as server:
        yield Asking(server, tmp_path)
