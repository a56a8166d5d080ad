"""Studies on the WMT archives in $ASSAY_DATA, each a page of docs/studies with its tables and figures.

    python -m scripts.studies [NAME...]

A study is a file here with a function `study`. It uses the public functions, and every number and sentence on its page
is computed.
"""
