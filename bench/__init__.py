"""Speed, compared with other tools and with the project's goals: `python -m bench [GROUP…]` (or `make bench`).

ASSAY_DATA is the folder of the WMT archives. Most figures are ratios of median CPU times: the other tool (the peer) and
Assay run alternately in one process, on one thread, and each run checks that both give the same numbers.
"""
