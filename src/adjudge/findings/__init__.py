"""All that judgements show, as one result: `analyse()` puts every question to them and holds the answers together."""

from adjudge.findings.analysis import AgreementCurves, Analysis, analyse
from adjudge.findings.language_pairs import LanguagePairAnalyses
from adjudge.findings.options import AnalysisOptions

__all__ = ["AgreementCurves", "Analysis", "AnalysisOptions", "LanguagePairAnalyses", "analyse"]
