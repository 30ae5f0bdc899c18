"""The rest of what mt-metrics-eval says of WMT23, 21 and 17 and of small cases: counts, candidates, sampled values."""

import html
import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF

from adjudge.data import TestSet
from adjudge.meta import RunSettings, Task, run_task
from adjudge.meta.tables import tables_of
from adjudge.metrics import metric as metric_of
from adjudge.stats.item_pairs import ItemGroups, ItemPairs, calibrate_ties, mean_correlation, order_verdicts
from adjudge.stats.metric_swaps import williams_test
from adjudge.stats.soft_accuracy import pair_p_values, soft_pair_agreement
from helpers.golden_sets import GROUPINGS, SETTINGS, all_of_wmt23, wmt21
from helpers.meta_tasks import meta_set
from oracles.item_pairs import ordered_pairs, tie_accuracy

QUICK = RunSettings(interval="none", test="none")
WHOLE = [name for name in SETTINGS if not name.endswith("-IAA")]


@pytest.fixture(scope="module")
def wmt23(shared):
    return all_of_wmt23(shared)


def check_pairs(gold, metric, known, grouping="item"):
    """Counts of pairs that people order, tau by every rule, and mt-metrics-eval's mean over lines."""
    pairs = ItemPairs.of(ItemGroups.of(gold, grouping))
    for threshold, theirs in known.items():
        counts = ordered_pairs(pairs, gold, metric, float(threshold))
        human = theirs.get("human_ties", theirs.get("human_ties_counted_discordant_by_canonical"))
        assert (counts.concordant, counts.ties, counts.human_ties) == (
            theirs["concordant"],
            theirs["metric_ties"],
            human,
        )
        assert counts.discordant == theirs["discordant"]
        assert counts.concordant + counts.discordant + counts.ties + counts.human_ties == theirs["pairs"]
        for rule, name in (
            ("discordant", "canonical"),
            ("dropped", "tau_ties_dropped"),
            ("denominator", "tau_ties_in_denominator_only"),
        ):
            assert counts.tau(rule) == pytest.approx(theirs[name], abs=1e-9)
        if "tau_ties_discordant" in theirs:  # ties of people for nothing
            ordered = replace(counts, human_ties=0)
            assert ordered.tau() == pytest.approx(theirs["tau_ties_discordant"], abs=1e-9)
        if "macro_mean_over_lines" in theirs:
            check_mean_over_lines(pairs, gold, metric, float(threshold), theirs)


def check_mean_over_lines(pairs, gold, metric, threshold, theirs):
    """Each line's tau by itself, and 0 for lines on which nothing is ordered."""
    people, scores = pairs.differences(gold), pairs.differences(metric)
    chosen = np.abs(people) >= threshold
    above, below = order_verdicts(people[chosen], scores[chosen])
    lines = pairs.first[chosen] % gold.shape[1]
    won, all_of_it = (np.bincount(lines, part, gold.shape[1]) for part in (above, below))
    judged = theirs["lines_in_macro_mean"]
    assert len(np.unique(pairs.first % gold.shape[1])) == judged
    mean = (won[all_of_it > 0] / all_of_it[all_of_it > 0]).sum() / judged
    assert mean == pytest.approx(theirs["macro_mean_over_lines"], abs=1e-9)


def check_candidates(pairs, gold, metric, known, scale=(1.0, 0.0)):
    """The best epsilon, how many there were to choose from and how many are as good, and the one after it."""
    best = calibrate_ties(pairs, gold, metric)
    times, plus = scale
    size = np.unique(np.append(np.abs(pairs.differences(metric)), 0.0))
    twice = "full sort" in known.get(
        "by", ""
    )  # there the 0 that is always tried stands beside one that was found
    assert len(size) + twice == known["n_candidates"]
    assert times * best.uncalibrated + plus == pytest.approx(known["value_at_eps0"], abs=1e-9)
    for epsilon in (known["epsilon"], *known["equal_best_epsilons"]):
        value = tie_accuracy(pairs, gold, metric, epsilon)
        assert value == pytest.approx(best.accuracy, abs=1e-9)
        assert times * value + plus == pytest.approx(known["value"], abs=1e-9)
    tried = [0.0] * twice + size.tolist()
    assert known["next_candidate"] == (tried[tried.index(known["epsilon"]) + 1 :] or [None])[0]
    if known["n_equal_best"] <= 10:
        assert len(known["equal_best_epsilons"]) == known["n_equal_best"]
    if "canonical_value_at_epsilon" in known:
        assert known["canonical_value_at_epsilon"] == pytest.approx(best.accuracy, abs=1e-9)


def test_pairs_that_people_order_on_wmt23(wmt23, shared):
    for name, golden in shared.json("mtme/darr.json")["sets"].items():
        if not name.startswith("wmt23"):
            continue
        gold = "da-sqm" if "da-sqm" in name else name.rpartition("en-de.")[2].removesuffix(".seg.score")
        tables = tables_of(wmt23, Task(gold))
        for metric, known in golden.items():
            check_pairs(tables.gold, tables.metrics[metric], known)


def check_near_candidates(pairs, gold, metric, known):
    """The same where scores are computed here, whose last bits are others, so that the nearest candidates are meant.

    How many there are differs with the last bits: differences that are equal but for them count as two or as one.
    """
    best = calibrate_ties(pairs, gold, metric)
    assert best.accuracy == pytest.approx(known["value"], abs=1e-9)
    assert best.uncalibrated == pytest.approx(known["value_at_eps0"], abs=1e-9)
    size = np.unique(np.append(np.abs(pairs.differences(metric)), 0.0))
    for epsilon in (known["epsilon"], *known["equal_best_epsilons"]):
        near = size[np.argmin(np.abs(size - epsilon))]
        assert near == pytest.approx(epsilon, abs=1e-9)
        assert tie_accuracy(pairs, gold, metric, near) == pytest.approx(known["value"], abs=1e-9)
    assert len(known["equal_best_epsilons"]) == min(10, known["n_equal_best"])
    assert np.abs(size - known["next_candidate"]).min() < 1e-9
    assert known["next_candidate"] > known["epsilon"]


@pytest.mark.parametrize("pair", ["cs-en", "is-en"])
def test_pairs_and_ties_of_wmt21(shared, pair):
    golden = shared.json("mtme/darr.json")["sets"][f"wmt21 {pair}"]
    folder = shared.data / "01_wmt21_da_toen" / pair
    tables = tables_of(wmt21(folder), Task("da"))
    pairs = ItemPairs.of(ItemGroups.of(tables.gold, "item"))
    for ours, theirs in {"chrf-refA": "chrF2", "bleu-refA": "sentBLEU"}.items():
        counted = {key: known for key, known in golden[theirs].items() if key.isdigit()}
        check_pairs(tables.gold, tables.metrics[ours], counted)
        known = golden[theirs]["acc_eq_item"]
        check_near_candidates(pairs, tables.gold, tables.metrics[ours], known)
    rows = (folder / "human" / "seg-scores.csv").read_text().splitlines()[1:]
    names = [row.split()[0].rpartition(".")[0] for row in rows]
    skipped = golden["_about"]["rows_skipped_no_text"]
    known_systems = set(golden["_about"]["systems"])
    assert skipped == {name: names.count(name) for name in sorted(set(names) - known_systems)}


@pytest.mark.slow
@pytest.mark.parametrize("pair", ["cs-en", "is-en"])
def test_candidates_for_ties_of_wmt21(shared, pair):
    """By sacreBLEU's own scores, as mt-metrics-eval was given them: to the last candidate, rounding included."""
    golden = shared.json("mtme/darr.json")["sets"][f"wmt21 {pair}"]
    folder = shared.data / "01_wmt21_da_toen" / pair
    gold = tables_of(wmt21(folder), Task("da"))
    pairs = ItemPairs.of(ItemGroups.of(gold.gold, "item"))
    reference = (folder / "ref.A.en").read_text().splitlines()
    for metric, theirs in ((CHRF(), "chrF2"), (BLEU(effective_order=True), "sentBLEU")):
        scores = np.zeros(gold.gold.shape)
        for row, system in enumerate(gold.systems):
            outputs = (folder / "hyp" / f"{system}.en").read_text().splitlines()
            for line in np.flatnonzero(~np.isnan(gold.gold[row])):
                scores[row, line] = metric.sentence_score(outputs[line], [reference[line]]).score
        check_candidates(pairs, gold.gold, scores, golden[theirs]["acc_eq_item"])


def test_what_each_setting_is_about(wmt23, shared):
    golden = shared.json("mtme/ende_correlations.json")
    for name, known in golden["settings"].items():
        tables = tables_of(wmt23, SETTINGS[name])
        assert list(tables.systems) == known["systems"]
        assert tables.gold.shape == (known["n_systems"], known["n_segment_lines"])
        assert int(np.isnan(tables.gold).sum()) == known["n_cells_without_gold"]
    for flags, systems in golden["n_systems_by_flags_refA_mqm"].items():
        # refA stays out, for metrics read it; nobody judged the other reference.
        task = Task("mqm", outliers=True, excluded=("refA",), humans="human=True" in flags)
        assert len(tables_of(wmt23, task).systems) == systems


@pytest.mark.parametrize("setting", WHOLE)
def test_p_of_no_correlation_and_sampled_soft_accuracy(wmt23, shared, setting):
    metrics = shared.json("mtme/ende_correlations.json")["settings"][setting]["metrics"]
    task = replace(SETTINGS[setting], level="system")
    values = {value.metric: value for value in run_task(wmt23, task, QUICK).values}
    tables = tables_of(wmt23, task)
    whole = ItemPairs.of(ItemGroups.of(tables.gold, "none"))
    soft = {v.metric: v.value for v in run_task(wmt23, replace(task, correlation="spa"), QUICK).values}
    for name, known in metrics.items():
        system = known["system"]
        # Theirs are 1,000 draws, which spread by .0009 at most; ours 10,240.
        assert soft[name] == pytest.approx(system["spa_1000_seed4"], abs=3 * 0.0009 * math.sqrt(1.1))
        if "pearson_p" not in system:
            continue
        assert values[name].p == pytest.approx(system["pearson_p"], rel=1e-9)
        people, scores = (np.sign(whole.differences(t)) for t in (tables.gold, tables.metrics[name]))
        assert int((people == scores).sum()) == system["agreeing_pairs"]
        assert len(people) == system["pairs"]


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_candidates_for_ties(wmt23, shared, setting):
    """Within items and systems."""
    check_all_candidates(wmt23, shared, setting, ("item", "sys"))


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_candidates_for_ties_in_one_list(wmt23, shared, setting):
    check_all_candidates(wmt23, shared, setting, ("none",))


def check_all_candidates(wmt23, shared, setting, groupings):
    metrics = shared.json("mtme/ende_correlations.json")["settings"][setting]["metrics"]
    tables = tables_of(wmt23, SETTINGS[setting])
    for short in groupings:
        pairs = ItemPairs.of(ItemGroups.of(tables.gold, GROUPINGS[short]))
        for name, known in metrics.items():
            for key, scale in (("acc_eq", (1.0, 0.0)), ("tau_23", (2.0, -1.0))):
                own = known["segment"].get(f"{key}_{short}")
                if own is not None:
                    check_candidates(pairs, tables.gold, tables.metrics[name], own, scale)
                plain = known["segment"].get(f"{key}_uncalibrated_{short}")
                if plain is not None:
                    assert plain["n_averaged"] == pairs.groups


def small_table(rows):
    return np.array([[math.nan if cell is None else cell for cell in row] for row in rows], float)


def test_small_cases_to_their_last_value(shared):
    """Groups without a correlation as 0, tau 23 at every epsilon, counts of pairs, soft accuracy."""
    for name, case in shared.json("mtme/small_cases.json")["cases"].items():
        gold, metric, results = small_table(case["gold"]), small_table(case["metric"]), case["results"]
        for short, grouping in GROUPINGS.items():
            groups = ItemGroups.of(gold, grouping)
            pairs = ItemPairs.of(groups)
            check_small_means(groups, gold, metric, results, short)
            for threshold in (0, 1, 3):
                known = results[f"kendall_like_{threshold}_{short}"]
                counts = ordered_pairs(pairs, gold, metric, threshold)
                number = counts.concordant + counts.discordant + counts.ties + counts.human_ties
                assert number == known["pairs"], (name, short)
                assert number or known["value"] == 0  # nothing here, 0 there
            check_small_ties(pairs, gold, metric, results, short)
        check_small_soft(case, results["spa"], gold, metric)


def check_small_means(groups, gold, metric, results, short):
    for theirs, ours in (("pearson",) * 2, ("spearman",) * 2, ("kendall_b", "kendall"), ("kendall_c",) * 2):
        known, mean = results[f"{theirs}_{short}"], mean_correlation(groups, gold, metric, ours)
        if mean.groups:
            assert mean.value == pytest.approx(known["value"], abs=1e-12)
        assert mean.groups == known["n"]
        if "n_nan_as_zero" in known:
            assert mean.groups + mean.undefined == known["n_nan_as_zero"]
            total = mean.value * mean.groups if mean.groups else 0.0
            count = max(1, mean.groups + mean.undefined)
            assert total / count == pytest.approx(known["value_nan_as_zero"], abs=1e-12)


def check_small_ties(pairs, gold, metric, results, short):
    """acc_eq and tau 23 = 2 acc_eq − 1, as they are and at every threshold."""
    for name, times, plus in (("acc23", 1.0, 0.0), ("23", 2.0, -1.0)):
        plain, best = results[f"{name}_eps0_{short}"], results[f"{name}_opt_{short}"]
        if not pairs.groups:
            assert plain["n"] == 0
            continue
        assert plain["n"] == pairs.groups
        wanted = [(plain["value"], 0.0), (best["value"], best["epsilon"])]
        wanted += list(zip(best["values"], best["thresholds"], strict=True))
        for value, epsilon in wanted:
            own = times * tie_accuracy(pairs, gold, metric, epsilon) + plus
            assert own == pytest.approx(value, abs=1e-12), (name, short, epsilon)
        sizes = np.unique(np.append(np.abs(pairs.differences(metric)), 0.0))
        assert sizes.tolist() == pytest.approx(best["thresholds"], abs=0)


def check_small_soft(case, known, gold, metric):
    if "error" in known:  # cells are missing: an error there, a reason here
        assert np.isnan(gold).any()
        made = meta_set(case["gold"], {"m": case["metric"]})
        with pytest.raises(Exception, match="needs every system's score on the same items"):
            run_task(made, Task("da", "system", "spa"), QUICK)
        return
    judged = ~np.isnan(gold).all(0)
    tables = {"gold": gold[:, judged], "metric": metric[:, judged]}
    for side, table in tables.items():
        leads, ties = sign_vectors(table)
        assert known[f"p_{side}_all_sign_vectors"] == pytest.approx(leads, abs=1e-12)
        # In 32 bits equal sums are sometimes unequal, so that any share of them may be lost.
        error = 3.5 * np.sqrt(np.maximum(leads * (1 - leads), 0.01) / 1000)
        sampled = np.array(known[f"p_{side}"])
        assert (sampled <= leads + error).all()
        assert (sampled >= leads - ties - error).all()
    people, scores = (np.array(known[f"p_{side}"]) for side in ("gold", "metric"))
    assert 1 - np.abs(people - scores).mean() == pytest.approx(known["value"], abs=1e-6)
    soft = soft_pair_agreement(tables["gold"], tables["metric"], trials=40_960, seed=3).mean()
    error = math.sqrt(0.5 / 40_960)  # two p, each spread by .5/√n at most
    assert soft == pytest.approx(known["value_all_sign_vectors"], abs=3 * error)


def sign_vectors(table):
    """Of all sign vectors, the share in which the first of two systems leads by no less, and that by as much."""
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=table.shape[1])))
    a, b = np.triu_indices(len(table), 1)
    lead = table[a] - table[b]
    drawn, seen = lead @ signs.T, lead.sum(1, keepdims=True)
    return (drawn >= seen - 1e-9).mean(1), (np.abs(drawn - seen) < 1e-9).mean(1)


def test_williams_to_one_side(shared):
    for case in shared.json("mtme/small_cases.json")["williams"]:
        p = williams_test(case["r12"], case["r13"], case["r23"], case["n"]).p
        assert p / 2 == pytest.approx(case["one_sided"], abs=1e-12)


def test_soft_accuracy_over_seeds_and_orders(wmt23, shared):
    """Means over 20 seeds hold ours; the order of systems moves nothing by more than the draws do."""
    golden = shared.json("mtme/ende_spa.json")
    tables = tables_of(wmt23, Task("mqm", "system", "spa"))
    assert tables.gold.shape[1] == golden["n_segments"]
    assert golden["gold"] == "mqm"
    for name, known in golden["spa"].items():
        own = np.array(
            [soft_pair_agreement(tables.gold, tables.metrics[name], seed=seed).mean() for seed in range(20)]
        )
        mean, deviation = known["mean_sd_over_20_seeds_1000_permutations"]
        error = math.sqrt((deviation**2 + own.var(ddof=1)) / 20)
        assert own.mean() == pytest.approx(mean, abs=3.5 * error)
        assert 0.4 < own.std(ddof=1) / deviation < 2.5  # F of 19 and 19 lies in .16 to 6.3 but in 1 of 10,000
        for sampled in (known["spa_1000_seed4"], *known["range_over_20_other_system_orders"]):
            assert own.mean() == pytest.approx(sampled, abs=4 * deviation)
        assert own.mean() == pytest.approx(known["spa_100000_seed4"], abs=4 * error)
    pairs = np.abs(
        np.array(golden["scorers"]["gold mqm"]["p_1000_seed4"]) - pair_p_values(tables.gold, seed=4)
    )
    assert pairs.max() < 5 * math.sqrt(0.5 / 1000)


SPECS = {
    "chrF2": "chrf",
    "chrF2_wordorder2": "chrf++",
    "sentBLEU_sacre_exp_eff_toknone": "bleu(tokenize=none,effective_order=true)",
    "sentBLEU_sacre_exp_eff_tok13a": "bleu(effective_order=true)",
    "TER": "ter",
}


@pytest.mark.parametrize("pair", ["de-en", "zh-en"])
def test_wmt17_from_its_files(shared, pair):
    """Items, gold and scores as they come from the texts, and how pairs are ordered in all and within lines."""
    golden = shared.json("mtme/wmt17_da_seg_deen_zhen.json")["pairs"][pair]
    folder = shared.data / "04_wmt17_da_seg_toen" / pair
    rows = [line.split() for line in (folder / "human" / "DA-seglevel.csv").read_text().splitlines()[1:]]
    lines = np.array([int(row[3]) for row in rows])
    gold = np.array([float(row[4]) for row in rows])
    assert [[int(row[3]), row[2]] for row in rows] == golden["items"]
    assert len(rows) == golden["n_items"]
    assert gold.tolist() == golden["gold"]
    assert int((np.unique(lines, return_counts=True)[1] > 1).sum()) == golden["lines_with_more_than_one_item"]
    check_scores(folder, rows, golden)
    in_one, by_line = gold[:, None], np.full((len(rows), lines.max() + 1), math.nan)
    by_line[np.arange(len(rows)), lines] = gold
    within = ItemPairs.of(ItemGroups.of(by_line, "item"))
    for name, scores in golden["scores"].items():
        known = golden["results"][name]
        assert known["sign"] == ("negated" if name == "TER" else "as is")
        own = np.array(scores) * (-1 if name == "TER" else 1)
        check_pairs(in_one, own[:, None], known["kendall_like_all_pairs"], "none")
        table = np.full(by_line.shape, math.nan)
        table[np.arange(len(rows)), lines] = own
        counts, known = ordered_pairs(within, by_line, table, 0.0), known["kendall_like_within_line_thresh0"]
        assert counts.concordant == known["concordant"]
        assert counts.discordant + counts.ties + counts.human_ties == known["discordant"]
        assert counts.tau() == pytest.approx(known["value"], abs=1e-9)


def check_scores(folder, rows, golden):
    """Scores by our metrics on the texts, and the official ones as their file has them."""
    reference = folder.joinpath("ref.en").read_text(encoding="utf-8").splitlines()
    texts = {path.stem: path.read_text(encoding="utf-8").splitlines() for path in (folder / "hyp").iterdir()}
    wanted = [int(row[3]) - 1 for row in rows]
    outputs = [
        html.unescape(texts[row[2].split("+")[0]][line]) for row, line in zip(rows, wanted, strict=True)
    ]
    test_set = TestSet(references=(tuple(html.unescape(reference[line]) for line in wanted),))
    for name, spec in SPECS.items():
        metric = metric_of(spec).for_segments()
        own = metric.aggregate(metric.stats(metric.prepare(test_set), outputs))
        assert own == pytest.approx(np.array(golden["scores"][name]), abs=1e-9), name
    rows_of_file = (folder / "human" / "testset_with_sentBLEU.tsv").read_text(encoding="utf-8").splitlines()
    official = {}
    for *_, human, bleu in (line.split("\t") for line in rows_of_file[1:]):
        official.setdefault(round(float(human), 9), set()).add(float(bleu))
    for human, bleu in zip(golden["gold"], golden["scores"]["sentBLEU_official"], strict=True):
        assert bleu in official[round(human, 9)]
