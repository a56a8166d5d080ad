"""From a difference of metric scores to the probability that people would find it significant (Lo et al. 2023).

`system_pairs` collects pairs of systems with their metric differences (`metric_scores`) and a test of human scores;
`outcomes` orients a pair and says what counts as a success; `isotonic` fits a curve; `curves` adds cut-offs, intervals
and a validation on held-out campaigns (`validation`). `files` reads calibrations and checks them; `explanation` answers
for a difference, `compared` for those of a comparison. `decisions` counts the errors of decisions by a metric.

Two kinds of answers are fitted when they are asked for, to the pairs that a calibration keeps (`judged`): `joint` fits
several scores by an ordered `logistic` regression, for which `joint_explanation` answers, and `judged_sizes` makes
curves for a number of judged segments from `judgement_samples`, with bounds that know how campaigns differ
(`campaign_spread`).
"""

from __future__ import annotations

__all__: list[str] = []
