"""Which machine-translation system is better, by how much, and whether you may believe it."""

from __future__ import annotations

# Nothing is imported here: `adjudge` would show a traceback where Ctrl-C comes while it is (see __main__).
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from adjudge import kernels as kernels
    from adjudge import metrics as metrics
    from adjudge import results as results
    from adjudge import workspace as workspace
    from adjudge.analysis import analyses as analyses
    from adjudge.analysis.xray import Xray as Xray
    from adjudge.analysis.xray import xray as xray
    from adjudge.checks import lint as lint
    from adjudge.checks.findings import LintReport as LintReport
    from adjudge.comparison import compare as compare
    from adjudge.comparison import score as score
    from adjudge.comparison.plan import Plan as Plan
    from adjudge.comparison.plan import PlanOptions as PlanOptions
    from adjudge.comparison.results import Comparison as Comparison
    from adjudge.comparison.scoring import Scores as Scores
    from adjudge.comparison.streaming import compare_files as compare_files
    from adjudge.comparison.streaming import score_files as score_files
    from adjudge.data import Outputs as Outputs
    from adjudge.data import TestSet as TestSet
    from adjudge.data.error_weights import ErrorWeights as ErrorWeights
    from adjudge.data.judgements import Judgements as Judgements
    from adjudge.data.judgements import NameColumn as NameColumn
    from adjudge.data.nbest import NBestLists as NBestLists
    from adjudge.data.texts import Texts as Texts
    from adjudge.dossiers import Analysis as Analysis
    from adjudge.dossiers import LanguagePairAnalyses as LanguagePairAnalyses
    from adjudge.dossiers import analyse as analyse
    from adjudge.dossiers.evaluation_dossier import Dossier as Dossier
    from adjudge.dossiers.evaluation_dossier import EvaluationContext as EvaluationContext
    from adjudge.dossiers.evaluation_dossier import dossier as dossier
    from adjudge.dossiers.options import AnalysisOptions as AnalysisOptions
    from adjudge.engine.cache import RowCache as RowCache
    from adjudge.errors import AdjudgeError as AdjudgeError
    from adjudge.history.evaluations import record as record
    from adjudge.history.records import History as History
    from adjudge.human.agreement import RatingAgreement as RatingAgreement
    from adjudge.human.agreement import agreement as agreement
    from adjudge.human.choices import ChoiceAgreement as ChoiceAgreement
    from adjudge.human.postediting import PostEditingRates as PostEditingRates
    from adjudge.human.studies import run_study as run_study
    from adjudge.io.judgements import join_labels as join_labels
    from adjudge.io.judgements import read as load_judgements
    from adjudge.io.judgements import write as write_judgements
    from adjudge.io.judgements.judgement_files import LoadedJudgements as LoadedJudgements
    from adjudge.io.judgements.output import JudgementFile as JudgementFile
    from adjudge.io.load import Loaded as Loaded
    from adjudge.io.load import load as load
    from adjudge.io.nbest import LoadedNBest as LoadedNBest
    from adjudge.io.nbest import read_nbest as load_nbest
    from adjudge.io.studies import LoadedStudy as LoadedStudy
    from adjudge.io.studies import load_study as load_study
    from adjudge.io.study_file import Study as Study
    from adjudge.io.table import Input as Input
    from adjudge.metrics import metric as metric
    from adjudge.metrics.base import Metric as Metric
    from adjudge.planning.campaign_plan import CampaignPlan as CampaignPlan
    from adjudge.planning.power import PowerAnswer as PowerAnswer
    from adjudge.planning.power import power_for as power
    from adjudge.reranking import rerank as rerank
    from adjudge.reranking.approximation import Approximation as Approximation
    from adjudge.reranking.result import Reranking as Reranking
    from adjudge.stats.design import Design as Design
    from adjudge.text import function_words as function_words
    from adjudge.text import trees as trees
    from adjudge.tuning.weights import tune_weights as tune_weights
    from adjudge.tuning.weights.weight_fit import WeightFit as WeightFit
    from adjudge.tuning.weights.weight_fit import WeightOptions as WeightOptions

__version__ = "0.1.0"
__all__ = [
    "AdjudgeError",
    "Analysis",
    "AnalysisOptions",
    "Approximation",
    "CampaignPlan",
    "ChoiceAgreement",
    "Comparison",
    "Design",
    "Dossier",
    "ErrorWeights",
    "EvaluationContext",
    "History",
    "Input",
    "JudgementFile",
    "Judgements",
    "LanguagePairAnalyses",
    "LintReport",
    "Loaded",
    "LoadedJudgements",
    "LoadedNBest",
    "LoadedStudy",
    "Metric",
    "NBestLists",
    "NameColumn",
    "Outputs",
    "Plan",
    "PlanOptions",
    "PostEditingRates",
    "PowerAnswer",
    "RatingAgreement",
    "Reranking",
    "RowCache",
    "Scores",
    "Study",
    "TestSet",
    "Texts",
    "WeightFit",
    "WeightOptions",
    "Xray",
    "agreement",
    "analyse",
    "analyses",
    "compare",
    "compare_files",
    "dossier",
    "function_words",
    "join_labels",
    "kernels",
    "lint",
    "load",
    "load_judgements",
    "load_nbest",
    "load_study",
    "metric",
    "metrics",
    "power",
    "record",
    "rerank",
    "results",
    "run_study",
    "score",
    "score_files",
    "trees",
    "tune_weights",
    "workspace",
    "write_judgements",
    "xray",
]

# What docs/python.md promises, and where each name lives: nothing heavy is imported until it is asked for.
_PUBLIC = {
    "AdjudgeError": "adjudge.errors:AdjudgeError",
    "Analysis": "adjudge.dossiers:Analysis",
    "AnalysisOptions": "adjudge.dossiers.options:AnalysisOptions",
    "Approximation": "adjudge.reranking.approximation:Approximation",
    "CampaignPlan": "adjudge.planning.campaign_plan:CampaignPlan",
    "ChoiceAgreement": "adjudge.human.choices:ChoiceAgreement",
    "Comparison": "adjudge.comparison.results:Comparison",
    "Design": "adjudge.stats.design:Design",
    "Dossier": "adjudge.dossiers.evaluation_dossier:Dossier",
    "ErrorWeights": "adjudge.data.error_weights:ErrorWeights",
    "EvaluationContext": "adjudge.dossiers.evaluation_dossier:EvaluationContext",
    "History": "adjudge.history.records:History",
    "Input": "adjudge.io.table:Input",
    "JudgementFile": "adjudge.io.judgements.output:JudgementFile",
    "Judgements": "adjudge.data.judgements:Judgements",
    "LanguagePairAnalyses": "adjudge.dossiers:LanguagePairAnalyses",
    "LintReport": "adjudge.checks.findings:LintReport",
    "Loaded": "adjudge.io.load:Loaded",
    "LoadedJudgements": "adjudge.io.judgements.judgement_files:LoadedJudgements",
    "LoadedNBest": "adjudge.io.nbest:LoadedNBest",
    "LoadedStudy": "adjudge.io.studies:LoadedStudy",
    "Metric": "adjudge.metrics.base:Metric",
    "NBestLists": "adjudge.data.nbest:NBestLists",
    "NameColumn": "adjudge.data.judgements:NameColumn",
    "Outputs": "adjudge.data:Outputs",
    "Plan": "adjudge.comparison.plan:Plan",
    "PlanOptions": "adjudge.comparison.plan:PlanOptions",
    "PostEditingRates": "adjudge.human.postediting:PostEditingRates",
    "PowerAnswer": "adjudge.planning.power:PowerAnswer",
    "RatingAgreement": "adjudge.human.agreement:RatingAgreement",
    "Reranking": "adjudge.reranking.result:Reranking",
    "RowCache": "adjudge.engine.cache:RowCache",
    "Scores": "adjudge.comparison.scoring:Scores",
    "Study": "adjudge.io.study_file:Study",
    "TestSet": "adjudge.data:TestSet",
    "Texts": "adjudge.data.texts:Texts",
    "WeightFit": "adjudge.tuning.weights.weight_fit:WeightFit",
    "WeightOptions": "adjudge.tuning.weights.weight_fit:WeightOptions",
    "Xray": "adjudge.analysis.xray:Xray",
    "agreement": "adjudge.human.agreement:agreement",
    "analyse": "adjudge.dossiers:analyse",
    "analyses": "adjudge.analysis.analyses:",
    "compare": "adjudge.comparison:compare",
    "compare_files": "adjudge.comparison.streaming:compare_files",
    "dossier": "adjudge.dossiers.evaluation_dossier:dossier",
    "function_words": "adjudge.text.function_words:",
    "join_labels": "adjudge.io.judgements:join_labels",
    "kernels": "adjudge.kernels:",
    "lint": "adjudge.checks:lint",
    "load": "adjudge.io:load",
    "load_judgements": "adjudge.io.judgements:read",
    "load_nbest": "adjudge.io.nbest:read_nbest",
    "load_study": "adjudge.io.studies:load_study",
    "metric": "adjudge.metrics:metric",
    "metrics": "adjudge.metrics:",
    "power": "adjudge.planning.power:power_for",
    "record": "adjudge.history.evaluations:record",
    "rerank": "adjudge.reranking:rerank",
    "results": "adjudge.results:",
    "run_study": "adjudge.human.studies:run_study",
    "score": "adjudge.comparison:score",
    "score_files": "adjudge.comparison.streaming:score_files",
    "trees": "adjudge.text.trees:",
    "tune_weights": "adjudge.tuning.weights:tune_weights",
    "workspace": "adjudge.workspace:",
    "write_judgements": "adjudge.io.judgements:write",
    "xray": "adjudge.analysis.xray:xray",
}
# Where results go that are looked at (see display.py).
_DOORS = {"_notebook": "adjudge.report.render.notebook:"}


def __getattr__(name: str) -> Any:
    if name in _PUBLIC or name in _DOORS:
        import importlib

        room, _, thing = (_PUBLIC.get(name) or _DOORS[name]).partition(":")
        module = importlib.import_module(room)
        return getattr(module, thing) if thing else module
    raise AttributeError(f"module 'adjudge' has no attribute {name!r}")


def __dir__() -> list[str]:
    return ["__version__", *__all__]
