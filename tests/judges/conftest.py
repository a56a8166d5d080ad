from __future__ import annotations

import pytest

from assay.judges.reply import ReplyCache
from tests.chat_server import chat_server
from tests.judges.asking import Asking


@pytest.fixture
def asking(tmp_path, monkeypatch):
    for variable in ("ASSAY_JUDGE_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(ReplyCache, "tables", ("PRAGMA synchronous = OFF", *ReplyCache.tables))  # disks are slow
    with chat_server() as server:
        yield Asking(server, tmp_path)
