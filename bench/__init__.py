"""Speed beside the peers: `python -m bench` (or `make bench`), with ASSAY_DATA naming the WMT archives.

Every figure is a ratio of CPU times taken in one process, peer and Assay in turn, one thread, medians; and in the same
run the two must have given the same numbers.
"""
