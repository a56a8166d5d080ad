"""Scores of the official programs of learned metrics, on made-up texts and random checkpoints, to compare ours with."""
