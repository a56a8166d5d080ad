"""Models of metrics that were learnt from judgements: how features become a score, and the files that hold them.

They are evaluated with numpy alone. `assay.training` fits them.
"""
