"""All that judgements show, as one result: `analyse()` puts every question to them and holds the answers together."""

from adjudge.dossiers.analysis import AgreementCurves, Analysis, analyse
from adjudge.dossiers.language_pairs import LanguagePairAnalyses
from adjudge.dossiers.options import AnalysisOptions

__all__ = ["AgreementCurves", "Analysis", "AnalysisOptions", "LanguagePairAnalyses", "analyse"]
