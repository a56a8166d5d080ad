"""The values that flow through Assay. All are frozen and checked when they are made."""

from __future__ import annotations

from assay.types.arrays import Column, FloatArray, FrozenDict, IntArray, Table, present
from assay.types.campaign import Campaign, Selection, select
from assay.types.judgements import UNRANKED, ErrorSpan, Judgements, Rankings, Ratings
from assay.types.scoretable import LEVELS, PROTOCOLS, ScoreTable
from assay.types.signature import Signature
from assay.types.statistics import Statistics
from assay.types.testset import TestSet, TestSetRecord, check_names

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
    "present",
    "select",
]
