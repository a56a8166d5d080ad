"""Readings of eBLEU's paper, compared with the scores that its authors gave to outputs equal to their reference."""
