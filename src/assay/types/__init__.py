"""The values that flow through Assay. All are frozen and checked when they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.lazily import exporter

if TYPE_CHECKING:
    from assay.types.arrays import Column as Column
    from assay.types.arrays import FloatArray as FloatArray
    from assay.types.arrays import FrozenDict as FrozenDict
    from assay.types.arrays import IntArray as IntArray
    from assay.types.arrays import Table as Table
    from assay.types.arrays import mean_of_given as mean_of_given
    from assay.types.arrays import present as present
    from assay.types.campaign import Campaign as Campaign
    from assay.types.campaign import Selection as Selection
    from assay.types.campaign import select as select
    from assay.types.judgements import UNRANKED as UNRANKED
    from assay.types.judgements import ErrorSpan as ErrorSpan
    from assay.types.judgements import Judgements as Judgements
    from assay.types.judgements import Rankings as Rankings
    from assay.types.judgements import Ratings as Ratings
    from assay.types.scoretable import LEVELS as LEVELS
    from assay.types.scoretable import PROTOCOLS as PROTOCOLS
    from assay.types.scoretable import ScoreTable as ScoreTable
    from assay.types.signature import Signature as Signature
    from assay.types.statistics import Statistics as Statistics
    from assay.types.testset import TestSet as TestSet
    from assay.types.testset import TestSetRecord as TestSetRecord
    from assay.types.testset import check_names as check_names

_HOME = {
    "Campaign": "campaign",
    "Column": "arrays",
    "ErrorSpan": "judgements",
    "FloatArray": "arrays",
    "FrozenDict": "arrays",
    "IntArray": "arrays",
    "Judgements": "judgements",
    "LEVELS": "scoretable",
    "PROTOCOLS": "scoretable",
    "Rankings": "judgements",
    "Ratings": "judgements",
    "ScoreTable": "scoretable",
    "Selection": "campaign",
    "Signature": "signature",
    "Statistics": "statistics",
    "Table": "arrays",
    "TestSet": "testset",
    "TestSetRecord": "testset",
    "UNRANKED": "judgements",
    "check_names": "testset",
    "mean_of_given": "arrays",
    "present": "arrays",
    "select": "campaign",
}

__all__ = [
    "LEVELS",
    "PROTOCOLS",
    "UNRANKED",
    "Campaign",
    "Column",
    "ErrorSpan",
    "FloatArray",
    "FrozenDict",
    "IntArray",
    "Judgements",
    "Rankings",
    "Ratings",
    "ScoreTable",
    "Selection",
    "Signature",
    "Statistics",
    "Table",
    "TestSet",
    "TestSetRecord",
    "check_names",
    "mean_of_given",
    "present",
    "select",
]

__getattr__, __dir__ = exporter(globals(), _HOME)
