"""Which machine-translation system is better, by how much, and whether you may believe it."""

from __future__ import annotations

# Nothing is imported here: `adjudge` would show a traceback where Ctrl-C comes while it is (see __main__).
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from adjudge import kernels as kernels
    from adjudge import metrics as metrics
    from adjudge import workspace as workspace
    from adjudge.analysis import analyses as analyses
    from adjudge.analysis.xray import xray as xray
    from adjudge.checks import lint as lint
    from adjudge.comparison import compare as compare
    from adjudge.comparison import score as score
    from adjudge.comparison.streaming import compare_files as compare_files
    from adjudge.comparison.streaming import score_files as score_files
    from adjudge.data import Outputs as Outputs
    from adjudge.data import TestSet as TestSet
    from adjudge.data.error_weights import Weights as Weights
    from adjudge.data.judgements import Judgements as Judgements
    from adjudge.data.judgements import Names as Names
    from adjudge.data.nbest import NBestLists as NBestLists
    from adjudge.dossiers import Analysis as Analysis
    from adjudge.dossiers import LanguagePairAnalyses as LanguagePairAnalyses
    from adjudge.dossiers import analyse as analyse
    from adjudge.dossiers.evaluation_dossier import Beside as Beside
    from adjudge.dossiers.evaluation_dossier import Dossier as Dossier
    from adjudge.dossiers.evaluation_dossier import dossier as dossier
    from adjudge.errors import AdjudgeError as AdjudgeError
    from adjudge.history.recording import record as record
    from adjudge.history.records import History as History
    from adjudge.human.agreement import agreement as agreement
    from adjudge.human.postediting import Rates as Rates
    from adjudge.human.studies import run_study as run_study
    from adjudge.io.judgements import join_labels as join_labels
    from adjudge.io.judgements import read as load_judgements
    from adjudge.io.judgements import write as write_judgements
    from adjudge.io.load import load as load
    from adjudge.io.nbest import read_nbest as load_nbest
    from adjudge.io.studies import load_study as load_study
    from adjudge.metrics import metric as metric
    from adjudge.planning.campaign_plan import CampaignPlan as CampaignPlan
    from adjudge.planning.power import power_for as power
    from adjudge.reranking import rerank as rerank
    from adjudge.stats.design import Design as Design
    from adjudge.text import function_words as function_words
    from adjudge.text import trees as trees
    from adjudge.tuning.weights import tune_weights as tune_weights

__version__ = "0.1.0"
__all__ = [
    "AdjudgeError",
    "Analysis",
    "Beside",
    "CampaignPlan",
    "Design",
    "Dossier",
    "History",
    "Judgements",
    "LanguagePairAnalyses",
    "NBestLists",
    "Names",
    "Outputs",
    "Rates",
    "TestSet",
    "Weights",
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
    "Beside": "adjudge.dossiers.evaluation_dossier:Beside",
    "CampaignPlan": "adjudge.planning.campaign_plan:CampaignPlan",
    "Design": "adjudge.stats.design:Design",
    "Dossier": "adjudge.dossiers.evaluation_dossier:Dossier",
    "History": "adjudge.history.records:History",
    "Judgements": "adjudge.data.judgements:Judgements",
    "LanguagePairAnalyses": "adjudge.dossiers:LanguagePairAnalyses",
    "NBestLists": "adjudge.data.nbest:NBestLists",
    "Names": "adjudge.data.judgements:Names",
    "Outputs": "adjudge.data:Outputs",
    "Rates": "adjudge.human.postediting:Rates",
    "TestSet": "adjudge.data:TestSet",
    "Weights": "adjudge.data.error_weights:Weights",
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
    "record": "adjudge.history.recording:record",
    "rerank": "adjudge.reranking:rerank",
    "run_study": "adjudge.human.studies:run_study",
    "score": "adjudge.comparison:score",
    "score_files": "adjudge.comparison.streaming:score_files",
    "trees": "adjudge.text.trees:",
    "tune_weights": "adjudge.tuning.weights:tune_weights",
    "workspace": "adjudge.workspace:",
    "write_judgements": "adjudge.io.judgements:write",
    "xray": "adjudge.analysis.xray:xray",
}
# Where results go that are looked at (see showing.py).
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
