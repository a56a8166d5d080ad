"""The public names of `assay.types`. The package imports them from here when they are first used."""

from assay.types.arrays import FloatArray as FloatArray
from assay.types.arrays import FrozenDict as FrozenDict
from assay.types.arrays import IntArray as IntArray
from assay.types.arrays import LazyDict as LazyDict
from assay.types.arrays import Mask as Mask
from assay.types.arrays import Rows as Rows
from assay.types.arrays import Table as Table
from assay.types.arrays import mean_of_defined as mean_of_defined
from assay.types.arrays import present as present
from assay.types.arrays import row_count as row_count
from assay.types.arrays import summable as summable
from assay.types.campaign import METRIC_REFERENCE as METRIC_REFERENCE
from assay.types.campaign import Campaign as Campaign
from assay.types.campaign import Selection as Selection
from assay.types.campaign import left_out_notes as left_out_notes
from assay.types.campaign import select as select
from assay.types.column import BLOCK as BLOCK
from assay.types.column import Column as Column
from assay.types.column import as_column as as_column
from assay.types.judgements import UNRANKED as UNRANKED
from assay.types.judgements import ErrorSpan as ErrorSpan
from assay.types.judgements import Judgements as Judgements
from assay.types.judgements import Rankings as Rankings
from assay.types.judgements import Ratings as Ratings
from assay.types.note import Note as Note
from assay.types.note import NoteKind as NoteKind
from assay.types.rater_names import base_name as base_name
from assay.types.rater_names import column_of as column_of
from assay.types.rater_names import judgements_name as judgements_name
from assay.types.rater_names import rater_of as rater_of
from assay.types.scorable import Scorable as Scorable
from assay.types.scorable import ratio_of_sums as ratio_of_sums
from assay.types.scorable import totals as totals
from assay.types.scoretable import LEVELS as LEVELS
from assay.types.scoretable import PROTOCOLS as PROTOCOLS
from assay.types.scoretable import ScoreTable as ScoreTable
from assay.types.signature import Signature as Signature
from assay.types.statistics import Statistics as Statistics
from assay.types.testset import TestSet as TestSet
from assay.types.testset import TestSetRecord as TestSetRecord
from assay.types.testset import check_names as check_names
from assay.types.word_labels import LabelledSpan as LabelledSpan
from assay.types.word_labels import WordLabels as WordLabels

__all__: list[str]
