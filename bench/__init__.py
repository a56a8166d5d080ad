"""Speed compared with other tools: `python -m bench` (or `make bench`); ASSAY_DATA is the folder of the WMT archives.

Every figure is a ratio of median CPU times. The other tool (the peer) and Assay run alternately in one process, on one
thread, and each run checks that both give the same numbers.
"""
