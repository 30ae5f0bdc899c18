"""The types of what results hold, to annotate and to test with: fields of what functions of `adjudge` return."""

from __future__ import annotations

from adjudge.analysis.alignments import MeasureDistribution, Structure, SystemDistribution, WordRun
from adjudge.analysis.buckets import Bucket, BucketScore, BucketScores, BucketTable
from adjudge.analysis.changes import Change, Changes
from adjudge.analysis.diversity import Diversity, TextDiversity
from adjudge.analysis.error_typology import Branch, BranchRate, ErrorTypology
from adjudge.analysis.errors import ClassDifference, ClassRate, ErrorClasses, SystemErrors, TagErrors
from adjudge.analysis.examples import Example, ExampleList, Examples
from adjudge.analysis.fault_kinds import FaultKind
from adjudge.analysis.faults import Fault, FaultExample, Faults, SystemFault
from adjudge.analysis.ngrams import NgramDifference, NgramDifferences
from adjudge.analysis.origins import Translationese
from adjudge.analysis.scores import (
    MetricCorrelation,
    ScoreDistributions,
    Spread,
    SystemScoreDistribution,
)
from adjudge.analysis.terms import MissedTerm, SystemTerms, TermResult
from adjudge.analysis.translationese import Half, Halves, Lengths, PairOfHalves
from adjudge.analysis.words import Accuracy, WordAccuracy, WordBucket
from adjudge.analysis.xray import SegmentView, SystemSummary, SystemView
from adjudge.checks.findings import Finding
from adjudge.comparison.pairwise_view import PairwiseView
from adjudge.comparison.ranked_sets import MeanPreference, RankedSets, TestedPreference
from adjudge.comparison.results import (
    Measured,
    MeasureTable,
    Pair,
    SegmentGroup,
    SetGroup,
    SetScore,
    Standing,
    TestFacts,
)
from adjudge.comparison.scoring import RunMean, Score, TestSetFacts
from adjudge.comparison.verdict import Evidence, Verdict
from adjudge.data import Alignment, Link, ScoreMatrix, Shift
from adjudge.data.judgements import Span
from adjudge.display import Cell, Column, Data, Displayable, Layout, Row, Section, Signature, Table
from adjudge.dossiers.analysis import AgreementCurves
from adjudge.dossiers.checklist import Checklist
from adjudge.dossiers.checklist.parity import Claim
from adjudge.dossiers.checklist.points import Point
from adjudge.dossiers.costs import EditingCost
from adjudge.dossiers.grids import Axis, ScoreGrid
from adjudge.dossiers.histograms import Histogram
from adjudge.dossiers.segment_table import MarkedSpan, ScoreColumn, SegmentTable
from adjudge.history.diff import Diff, SystemDiff
from adjudge.history.place import Revision
from adjudge.history.records import Evaluation, Record, RecordedScore, RowSet
from adjudge.history.version_lines import HistoryLine, Lines, Step, Version
from adjudge.human.agreement import RatingPart
from adjudge.human.annotator_flags import Diagnosis
from adjudge.human.assessment import Scales
from adjudge.human.choices import PairAgreement
from adjudge.human.curves import AgreementPoint
from adjudge.human.mqm import ErrorType
from adjudge.human.postediting import Bill
from adjudge.human.postediting_results import PostEdits
from adjudge.human.quality import ChoiceQuality, Quality
from adjudge.human.ranking import RankedSystem, Ranking
from adjudge.human.ranking_results import RankedPair, RankingAnalysis, RankingFacts, RankingGroup
from adjudge.human.rater_model import PairEstimate, RaterModel, SystemEstimate
from adjudge.human.results import RatedSystem, RatingAnalysis, RatingFacts, RatingGroup
from adjudge.io.glossaries import Term
from adjudge.io.segment_scores import ScoreFile
from adjudge.io.studies import LoadedSet
from adjudge.io.study_file import StudySet
from adjudge.metrics.base import PairRows
from adjudge.metrics.hjerson import Hjerson
from adjudge.planning.interim import InterimLook, SequentialPlan
from adjudge.planning.power import Alternative, Budget
from adjudge.reranking.approximation import ApproximationError
from adjudge.reranking.result import HypothesisChoice
from adjudge.stats.agreement import Coefficient
from adjudge.stats.common_items import ItemScores
from adjudge.stats.design import Balance, Grouping
from adjudge.stats.equivalence import Equivalence
from adjudge.stats.intraclass import Intraclass
from adjudge.stats.tests.planned import PlannedTest
from adjudge.stats.tests.systems.base import SystemTest
from adjudge.tuning.weights.weight_fit import HeldOutWeights

__all__ = [
    "Accuracy",
    "AgreementCurves",
    "AgreementPoint",
    "Alignment",
    "Alternative",
    "ApproximationError",
    "Axis",
    "Balance",
    "Bill",
    "Branch",
    "BranchRate",
    "Bucket",
    "BucketScore",
    "BucketScores",
    "BucketTable",
    "Budget",
    "Cell",
    "Change",
    "Changes",
    "Checklist",
    "ChoiceQuality",
    "Claim",
    "ClassDifference",
    "ClassRate",
    "Coefficient",
    "Column",
    "Data",
    "Diagnosis",
    "Diff",
    "Displayable",
    "Diversity",
    "EditingCost",
    "Equivalence",
    "ErrorClasses",
    "ErrorType",
    "ErrorTypology",
    "Evaluation",
    "Evidence",
    "Example",
    "ExampleList",
    "Examples",
    "Fault",
    "FaultExample",
    "FaultKind",
    "Faults",
    "Finding",
    "Grouping",
    "Half",
    "Halves",
    "HeldOutWeights",
    "Histogram",
    "HistoryLine",
    "Hjerson",
    "HypothesisChoice",
    "InterimLook",
    "Intraclass",
    "ItemScores",
    "Layout",
    "Lengths",
    "Lines",
    "Link",
    "LoadedSet",
    "MarkedSpan",
    "MeanPreference",
    "MeasureDistribution",
    "MeasureTable",
    "Measured",
    "MetricCorrelation",
    "MissedTerm",
    "NgramDifference",
    "NgramDifferences",
    "Pair",
    "PairAgreement",
    "PairEstimate",
    "PairOfHalves",
    "PairRows",
    "PairwiseView",
    "PlannedTest",
    "Point",
    "PostEdits",
    "Quality",
    "RankedPair",
    "RankedSets",
    "RankedSystem",
    "Ranking",
    "RankingAnalysis",
    "RankingFacts",
    "RankingGroup",
    "RatedSystem",
    "RaterModel",
    "RatingAnalysis",
    "RatingFacts",
    "RatingGroup",
    "RatingPart",
    "Record",
    "RecordedScore",
    "Revision",
    "Row",
    "RowSet",
    "RunMean",
    "Scales",
    "Score",
    "ScoreColumn",
    "ScoreDistributions",
    "ScoreFile",
    "ScoreGrid",
    "ScoreMatrix",
    "Section",
    "SegmentGroup",
    "SegmentTable",
    "SegmentView",
    "SequentialPlan",
    "SetGroup",
    "SetScore",
    "Shift",
    "Signature",
    "Span",
    "Spread",
    "Standing",
    "Step",
    "Structure",
    "StudySet",
    "SystemDiff",
    "SystemDistribution",
    "SystemErrors",
    "SystemEstimate",
    "SystemFault",
    "SystemScoreDistribution",
    "SystemSummary",
    "SystemTerms",
    "SystemTest",
    "SystemView",
    "Table",
    "TagErrors",
    "Term",
    "TermResult",
    "TestFacts",
    "TestSetFacts",
    "TestedPreference",
    "TextDiversity",
    "Translationese",
    "Verdict",
    "Version",
    "WordAccuracy",
    "WordBucket",
    "WordRun",
]
