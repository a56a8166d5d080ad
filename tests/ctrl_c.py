"""Processes that answer Ctrl-C, wherever the tests run."""

from __future__ import annotations

import signal


def restore() -> None:
    """For `preexec_fn`: a shell starts background processes with SIGINT ignored, and their children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
