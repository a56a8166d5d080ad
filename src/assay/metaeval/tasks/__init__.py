"""Metrics tasks: rankings of metrics over several component tasks, described by TOML files.

The shipped tasks are the `.toml` files of this folder. docs/guide/metrics-task.md describes the keys.
"""

from __future__ import annotations

__all__: list[str] = []
