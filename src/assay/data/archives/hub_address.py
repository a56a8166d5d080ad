"""Where the Hugging Face hub is, and the user's token for it."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

__all__ = ["hub_address", "is_on_hub", "on_hub", "token_for"]

_HUB = "https://huggingface.co"


def hub_address() -> str:
    """$HF_ENDPOINT, else the public hub."""
    return os.environ.get("HF_ENDPOINT", "").rstrip("/") or _HUB


def on_hub(url: str) -> str:
    """The same address at the hub of the user; other addresses as they are."""
    return hub_address() + url.removeprefix(_HUB) if url.startswith(f"{_HUB}/") else url


def is_on_hub(url: str) -> bool:
    """Whether this is an address of the hub."""
    return urlsplit(url)[:2] == urlsplit(hub_address())[:2]


def token_for(url: str) -> str | None:
    """The user's token, if this is an address of the hub: $HF_TOKEN, else the one that the hub's own program stored."""
    if not is_on_hub(url):
        return None
    home = (
        os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "huggingface"
    )
    try:
        return os.environ.get("HF_TOKEN") or Path(home, "token").expanduser().read_text("utf-8").strip() or None
    except (OSError, ValueError):
        return None
