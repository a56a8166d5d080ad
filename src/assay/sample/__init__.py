"""The bundled sample campaign: synthetic, written for this project, generated from its texts and a seed."""

from __future__ import annotations

from assay.sample.campaign import Campaign, generate
from assay.sample.files import write

__all__ = ["Campaign", "generate", "write"]
