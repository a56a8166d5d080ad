"""Studies on the WMT archives in $ASSAY_DATA, each a page of docs/studies with its tables and figures.

    python -m scripts.studies [NAME...]

A study is a file here with a function `study`, and uses the package's own functions. Every number on its page is
computed. A sentence that advises something does so only if an interval supports it, and says something else if not.
"""
