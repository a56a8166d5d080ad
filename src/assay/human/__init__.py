"""Scores and rankings of systems from human judgements, and how well the raters agree."""

from __future__ import annotations

__all__: list[str] = []
