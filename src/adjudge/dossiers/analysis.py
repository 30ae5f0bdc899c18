"""One analysis of judgements: systems, agreement and annotators, and beside them all else that was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from adjudge.analysis.origins import Translationese, of_judgements, of_rankings
from adjudge.comparison.claims import reverse_warning
from adjudge.data.judgements import LANGUAGES, Judgements, language_pairs, of_language, of_pair
from adjudge.data.label_names import meant
from adjudge.display import Displayable
from adjudge.dossiers.checklist import Checklist, Provenance, checklist
from adjudge.dossiers.language_pairs import LanguagePairAnalyses, without_pair
from adjudge.dossiers.options import AnalysisOptions, refuse_options
from adjudge.errors import UsageError
from adjudge.human.agreement import ChoiceAgreement, RatingAgreement
from adjudge.human.curves import AgreementPoint, without_first, without_least
from adjudge.human.diagnostics import Diagnosis
from adjudge.human.postediting_results import PostEdits, post_edits
from adjudge.human.quality import ChoiceQuality, Quality
from adjudge.human.ranking_results import RankingAnalysis, RankingFacts, RankingGroup
from adjudge.human.rankings import analyse_rankings
from adjudge.human.rater_model import RaterModel, fit_rater_model
from adjudge.human.ratings import analyse_ratings
from adjudge.human.results import RatingAnalysis, RatingFacts, RatingGroup

TESTING = ("correction", "alpha", "resamples", "confidence", "seed")


@dataclass(frozen=True)
class AgreementCurves:
    """Agreement as judgements and judges are dropped."""

    without_first: tuple[AgreementPoint, ...]
    """Without the first judgements of everybody."""
    without_least: tuple[AgreementPoint, ...]
    """Without the annotators who agree least."""


@dataclass(frozen=True)
class Analysis(Displayable):
    """All that judgements show; what was not asked for, or cannot be told, is None."""

    results: RatingAnalysis | RankingAnalysis
    """Systems, pairs, agreement and annotators."""
    checklist: Checklist
    """Nine points of an evaluation that may be believed, and the claim that was asked for."""
    translationese: Translationese | None
    """The halves of a test set by origin."""
    post_edits: PostEdits | None
    model: RaterModel | None
    curves: AgreementCurves | None
    warnings: tuple[str, ...]

    def display(self) -> Displayable:
        """All that is shown of it."""
        from adjudge.dossiers.analysis_display import AnalysisDisplay  # late: it may be shown nowhere

        return AnalysisDisplay(self, self.warnings)

    @property
    def facts(self) -> RatingFacts | RankingFacts:
        """What was judged, and how it was tested."""
        return self.results.facts

    @property
    def groups(self) -> tuple[RatingGroup, ...] | tuple[RankingGroup, ...]:
        """Systems, pairs and claims: by all judgements first, then by those of every label."""
        return self.results.groups

    @property
    def agreement(self) -> RatingAgreement | ChoiceAgreement:
        """Between annotators, and with themselves."""
        return self.results.agreement

    @property
    def annotators(self) -> tuple[Diagnosis, ...]:
        """What is unusual about whom."""
        return self.results.annotators

    @property
    def controls(self) -> tuple[Quality, ...] | tuple[ChoiceQuality, ...]:
        """What the control items say of every annotator."""
        return self.results.controls

    @property
    def claim_refused(self) -> bool:
        """Whether a claim was asked for that the evaluation cannot carry."""
        return self.checklist.claim is not None and not self.checklist.claim.granted


def analyse(
    judgements: Judgements, options: AnalysisOptions | None = None, /, **named: Any
) -> Analysis | LanguagePairAnalyses:
    """Everything that judgements show: ratings or rankings, and what else was asked for.

    Options are the fields of `AnalysisOptions`, as keywords (`by=["origin"], language="de-en", model=True`) or made
    before. Those that these judgements have no use for are refused. Where judgements are of several language pairs,
    each pair has its own analysis, unless `language` names one or `pool_languages` asks for the mean over pairs.
    """
    if not isinstance(judgements, Judgements):
        raise UsageError(
            "analyse takes judgements: adjudge.load_judgements(FILE).judgements reads them from a file"
        )
    if options is not None and named:
        raise UsageError("give the options of an analysis as one value or as keywords, not as both")
    options = AnalysisOptions.named(named) if options is None else options
    refuse_options(judgements, options.given(), options.preset)
    pairs = language_pairs(judgements)
    if options.pool_languages:
        if options.mixed_model:
            raise UsageError(
                "--mixed-model fits the annotators and items of one language pair: leave --pool-languages out, and "
                "each pair has its own model"
            )
        return analyse_alike(judgements, replace(options, by=(*_group_labels(options), LANGUAGES)))
    if len(pairs) < 2:
        return analyse_alike(judgements, options)
    options = replace(options, by=_group_labels(options))
    if options.language:
        return analyse_alike(of_language(judgements, options.language), options)
    return _by_pair(judgements, pairs, options)


def _group_labels(options: AnalysisOptions) -> tuple[str, ...]:
    """The labels to group by, without that of language pairs, which are apart in any case."""
    return tuple(name for name in options.by if name != LANGUAGES)


def _by_pair(judgements: Judgements, pairs: Sequence[str], options: AnalysisOptions) -> LanguagePairAnalyses:
    def own_options(pair: str) -> AnalysisOptions:
        everything = options.scales_of
        if everything is not None and pair in language_pairs(everything):
            everything = of_pair(everything, pair)
        return replace(options, scales_of=everything)

    analyses = {pair: analyse_alike(of_pair(judgements, pair), own_options(pair)) for pair in pairs}
    warnings = [f"{pair}: {warning}" for pair, analysis in analyses.items() for warning in analysis.warnings]
    return LanguagePairAnalyses(analyses, (*without_pair(judgements), *warnings))


def analyse_alike(judgements: Judgements, options: AnalysisOptions) -> Analysis:
    """Everything that judgements of one language pair show, or of several that are to be taken together."""
    language = _language(judgements, options)
    results: RatingAnalysis | RankingAnalysis
    tested = judgements
    if judgements.is_ranking:
        results = _rankings(judgements, options)
    else:
        results = _ratings(judgements, options)
        tested = results.tested
    halves, untold = _halves(judgements, results, options, language)
    edits = _post_edits(results, options)
    provenance = Provenance.of(judgements)
    return Analysis(
        results=results,
        checklist=checklist(
            results,
            provenance,
            language=language,
            declared=options.declare,
            claim=options.claim,
            human=options.human,
            **options.chosen("effect"),
        ),
        translationese=halves,
        post_edits=edits,
        model=_model(results, options),
        curves=AgreementCurves(without_first(tested), without_least(tested)) if options.curves else None,
        warnings=(
            *_reverse(provenance.origins, language),
            *results.warnings,
            *untold,
            *(edits.warnings if edits is not None else ()),
        ),
    )


def _language(judgements: Judgements, options: AnalysisOptions) -> str:
    """The pair that was named, or else the one that all judgements are of."""
    pairs = judgements.labels.get("languages")
    if not options.language and pairs is not None and len(pairs.names) == 1:
        return pairs.names[0]
    return options.language or ""


def _ratings(judgements: Judgements, options: AnalysisOptions) -> RatingAnalysis:
    return analyse_ratings(
        judgements,
        score=options.score,
        by=options.by,
        repeats=options.repeats,
        unit=options.unit or "auto",
        drop_failed=options.drop_failed,
        scales_of=options.scales_of,
        quality_test=options.quality_test,
        preset=options.preset,
        weights=options.error_weights,
        most_errors=options.most_errors,
        test=options.test,
        alternative="one-sided" if options.one_sided else "two-sided",
        expected=tuple(options.expected),
        pool=LANGUAGES if options.pool_languages else "",
        **options.chosen(*TESTING, "baseline", "trials", "margin"),
    )


def _rankings(judgements: Judgements, options: AnalysisOptions) -> RankingAnalysis:
    return analyse_rankings(
        judgements,
        ranking=options.ranking or "expected-wins",
        unit=options.unit,
        by=options.by,
        preset=options.preset,
        **options.chosen(*TESTING, "regularisation", "margin"),
    )


def _halves(
    judgements: Judgements, results: RatingAnalysis | RankingAnalysis, options: AnalysisOptions, language: str
) -> tuple[Translationese | None, Sequence[str]]:
    """Forward beside reverse, where asked for by origin alone; a warning where that cannot be done."""
    if [meant(name, ["origin"]) for name in options.by] != ["origin"]:
        if options.sources:
            raise UsageError("--source is for lengths by origin: --by origin")
        return None, ()
    if len(results.groups) < 2:  # nobody knows the origin of anything
        return None, ()
    if isinstance(results, RatingAnalysis) and results.facts.whole_systems:
        return None, ()
    try:
        if isinstance(results, RatingAnalysis):
            return of_judgements(results, language, options.sources), ()
        ranking = results.groups[0].ranking
        return of_rankings(
            judgements,
            language,
            options.sources,
            method=ranking.method,
            unit=ranking.unit,
            resamples=ranking.resamples,
            seed=ranking.seed,
            **options.chosen("regularisation"),
        ), ()
    except UsageError as error:
        return None, [f"forward and reverse are not set beside each other: {error}"]


def _post_edits(results: RatingAnalysis | RankingAnalysis, options: AnalysisOptions) -> PostEdits | None:
    if isinstance(results, RankingAnalysis):
        return None
    if "words" not in results.judgements.measures and options.rates is None:
        return None
    return post_edits(
        results.judgements, rates=options.rates, **options.chosen(*TESTING, "baseline", "trials")
    )


def _model(results: RatingAnalysis | RankingAnalysis, options: AnalysisOptions) -> RaterModel | None:
    if isinstance(results, RankingAnalysis) or not options.mixed_model:
        return None
    return fit_rater_model(
        results.judgements,
        repeats=results.facts.repeats,
        **options.chosen("correction", "alpha", "confidence"),
    )


def _reverse(origins: Sequence[str], language: str) -> list[str]:
    """What to say loudly where sources are translations."""
    warning = reverse_warning(origins, language) if origins else None
    return [warning] if warning else []
