"""Metrics learnt from judgements: judged outputs with their features, fits, and evaluations on what was left out."""
