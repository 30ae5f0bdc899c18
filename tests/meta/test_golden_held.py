"""No value of mt-metrics-eval that lies beside the project is passed over: each has a test that notices a change."""

import json
import os
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
GOLDEN, DETAILS, SIGNIFICANCE = (
    f"meta/test_golden{part}.py::test_" for part in ("", "_details", "_significance")
)
NOTHING = "no value: "
SAID = NOTHING + "says what it is or where it comes from"
ELSEWHERE = ("Calibri-COMET22", "MS-COMET-QE-22", "XLsim", "cometoid22-wmt22", "docWMT22CometKiwiDA")
ELSEWHERE += ("embed_llama", "mbr-metricx-qe", "mre-score-labse-regular")
HELD = {
    "darr.json": {
        "*/_about/systems": GOLDEN + "wmt21_direct_assessment",
        "*/_about/judged_cells": GOLDEN + "wmt21_direct_assessment",
        "*/_about/rows_skipped_no_text/*": DETAILS + "pairs_and_ties_of_wmt21",
        "*/_about/*": SAID,
        "sets/wmt21 */correlations/*_none/n_averaged": NOTHING + "one list is one",
        "sets/wmt21 */correlations/*": GOLDEN + "wmt21_direct_assessment",
        "sets/wmt21 */acc_eq_item/n_candidates": DETAILS + "candidates_for_ties_of_wmt21",
        "sets/wmt21 */*": DETAILS + "pairs_and_ties_of_wmt21",
        "sets/wmt23 */*": DETAILS + "pairs_that_people_order_on_wmt23",
    },
    "ende_correlations.json": {
        "n_systems_by_flags_refA_mqm/*": DETAILS + "what_each_setting_is_about",
        "settings/*/description": SAID,
        "settings/*/metrics/*/system/spa_100000_seed4": GOLDEN + "systems",
        "settings/*/metrics/*/system/spa_1000_seed4": DETAILS
        + "p_of_no_correlation_and_sampled_soft_accuracy",
        "settings/*/metrics/*/system/agreeing_pairs": DETAILS
        + "p_of_no_correlation_and_sampled_soft_accuracy",
        "settings/*/metrics/*/system/pairs": DETAILS + "p_of_no_correlation_and_sampled_soft_accuracy",
        "settings/*/metrics/*/system/pearson_p": DETAILS + "p_of_no_correlation_and_sampled_soft_accuracy",
        "settings/*/metrics/*/system/*": GOLDEN + "systems",
        "settings/*/metrics/*/system_from_mean_of_rated_segments/*": GOLDEN
        + "systems_by_the_means_of_their_rated_segments",
        "settings/*/metrics/*/segment/*/by": SAID,
        "settings/*/metrics/*/segment/*_uncalibrated_none/n_averaged": DETAILS
        + "candidates_for_ties_in_one_list",
        "settings/*/metrics/*/segment/*_uncalibrated_none/value": GOLDEN
        + "pairs_of_all_segments_in_one_list",
        "settings/*/metrics/*/segment/*_uncalibrated_*/n_averaged": DETAILS + "candidates_for_ties",
        "settings/*/metrics/*/segment/pearson_pairwise_differences_pdp/n_averaged": NOTHING
        + "one list is one",
        "settings/*/metrics/*/segment/*_none/n_averaged": NOTHING + "one list is one",
        "settings/*/metrics/*/segment/acc_eq_none/*": DETAILS + "candidates_for_ties_in_one_list",
        "settings/*/metrics/*/segment/acc_eq_item/*": DETAILS + "candidates_for_ties",
        "settings/*/metrics/*/segment/acc_eq_sys/*": DETAILS + "candidates_for_ties",
        "settings/*/metrics/*/segment/tau_23_item/*": DETAILS + "candidates_for_ties",
        "settings/*/metrics/*/segment/*": GOLDEN + "segments",
        "settings/*": DETAILS + "what_each_setting_is_about",
    },
    "ende_significance.json": {
        "null_quantile_levels": SIGNIFICANCE + "what_swaps_give_between_metrics",
        "k/*": SIGNIFICANCE + "what_swaps_give_between_metrics",
        "average_of_4_tasks/weights": SIGNIFICANCE + "the_average_of_four_tasks_and_its_swaps",
        "average_of_4_tasks/pairs/*/p": SIGNIFICANCE + "the_average_of_four_tasks_and_its_swaps",
        "average_of_4_tasks/ranking/*/value": SIGNIFICANCE + "the_average_of_four_tasks_and_its_swaps",
        "average_of_4_tasks/ranking/*/rank": SIGNIFICANCE + "ranks_from_their_p_values",
        "*/better": SAID,
        "*/worse": SAID,
        "*/metric": SAID,
        "*/note": SAID,
        "tasks/*/definition": SAID,
        "tasks/*/cpu_seconds": NOTHING + "a time",
        "tasks/*/ranking/*/rank": SIGNIFICANCE + "ranks_from_their_p_values",
        "tasks/*/ranking/*/value": SIGNIFICANCE + "values_behind_the_ranking",
        "tasks/*/pairs/*/williams_p_one_sided": SIGNIFICANCE + "williams_between_metrics",
        "tasks/*/pairs/*/r_between_metrics": SIGNIFICANCE + "correlations_between_metrics",
        "tasks/*/pairs/*/epsilon_*": SIGNIFICANCE + "verdicts_on_pairs_and_the_normal_null",
        "tasks/*/pairs/*/pairs_where_verdicts_differ": SIGNIFICANCE + "verdicts_on_pairs_and_the_normal_null",
        "tasks/*/pairs/*/p_normal_approximation": SIGNIFICANCE + "verdicts_on_pairs_and_the_normal_null",
        "tasks/*/pairs/*/null_quantiles": SIGNIFICANCE + "what_swaps_give_between_metrics",
        "tasks/*/pairs/*/null_mean": SIGNIFICANCE + "what_swaps_give_between_metrics",
        "tasks/*/pairs/*/own_20000_draws/null_sd": SIGNIFICANCE + "metrics_against_each_other",
        "tasks/*/pairs/*/own_20000_draws/*": SIGNIFICANCE + "what_swaps_give_between_metrics",
        "tasks/*/pairs/*/k_used": SIGNIFICANCE + "what_swaps_give_between_metrics",
        "tasks/sys_[ap][ce]*/pairs/*/null_sd": SIGNIFICANCE + "metrics_against_each_other",
        "tasks/sys_[ap][ce]*/pairs/*/p": SIGNIFICANCE + "metrics_against_each_other",
        "tasks/*/pairs/*": SIGNIFICANCE + "metrics_against_each_other",
    },
    "ende_spa.json": {
        "gold": DETAILS + "soft_accuracy_over_seeds_and_orders",
        "n_segments": DETAILS + "soft_accuracy_over_seeds_and_orders",
        "systems": GOLDEN + "p_values_behind_soft_accuracy",
        "spa/*": DETAILS + "soft_accuracy_over_seeds_and_orders",
        "scorers/*/p_1000_seed4": DETAILS + "soft_accuracy_over_seeds_and_orders",
        "scorers/*": GOLDEN + "p_values_behind_soft_accuracy",
    },
    "small_cases.json": {
        "layout": SAID,
        "rank_clusters/note": SAID,
        "rank_clusters/cases/*": "meta/test_tasks.py::test_rank_clusters_of_mt_metrics_eval",
        "williams/*": DETAILS + "williams_to_one_side",
        "cases/*/results/pearson_pdp/value": "meta/test_tables.py::test_differences_between_systems_of_small_tables",
        "cases/*/results/kendall_like_*/value": "stats/test_item_pairs.py::test_pairs_that_people_order",
        "cases/*/results/spa/error": SAID,
        "cases/*": DETAILS + "small_cases_to_their_last_value",
    },
    "wmt17_da_seg_deen_zhen.json": {
        "gold": SAID,
        "pairs/*/lines_where_text_file_and_testset_tsv_differ/*": SAID,
        "pairs/*/signatures/*": SAID,
        "pairs/*/results/*/pearson": GOLDEN + "wmt17_direct_assessment",
        "pairs/*/results/*/spearman": GOLDEN + "wmt17_direct_assessment",
        "pairs/*/results/*/kendall_?": GOLDEN + "wmt17_direct_assessment",
        "pairs/*": DETAILS + "wmt17_from_its_files",
    },
    "wmt23_tasks_ende.json": {
        "cpu_seconds": NOTHING + "a time",
        "WMT*/tasks": SAID,
        "WMT*/weights_fraction": SAID,
        **{f"WMT*/rows/{name}*": NOTHING + "its scores do not lie there" for name in ELSEWHERE},
        "WMT??*/rows/*": GOLDEN + "task_sets_and_their_averages",
        "WMT*/average": SAID,
        "WMT*": GOLDEN + "task_sets_and_their_averages",
    },
    "timings.json": {"*": NOTHING + "a time, beside which bench/meta.py prints ours"},
}
EVERYWHERE = dict.fromkeys(
    (
        "commit",
        "program",
        "version",
        "python",
        "numpy",
        "scipy",
        "sacrebleu",
        "test_set",
        "language_pair",
        "seed",
    ),
    SAID,
) | dict.fromkeys(
    (
        "definition",
        "metrics",
        "metrics_whose_scores_*",
        "early_stopping",
        "p_meaning",
        "order",
        "rng",
        "data",
        "text",
    ),
    SAID,
)


def leaves(value, path=()):
    """Every value with its way to it; a list of numbers or names is one value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if isinstance(value, list) and not any(isinstance(part, dict | list) for part in value):
        items = ()
    if not items:
        yield path, value
    for key, part in items:
        yield from leaves(part, (*path, str(key)))


def holder(file, path):
    """The pattern of a value, and the test that holds it or why it is none."""
    name = "/".join(path)
    table = {**HELD[file], **(EVERYWHERE if len(path) == 1 else {})}
    return next(((pattern, test) for pattern, test in table.items() if fnmatchcase(name, pattern)), None)


def test_every_value_has_a_test_or_is_none(shared):
    folder = shared.data.parent / "golden" / "mtme"
    assert {path.name for path in folder.glob("*.json")} == set(HELD)
    for file in HELD:
        without = [
            "/".join(path) for path, _ in leaves(shared.json(f"mtme/{file}")) if not holder(file, path)
        ]
        assert not without, (file, without[:5])


def test_the_tests_are_there():
    for table in HELD.values():
        for test in table.values():
            if not test.startswith(NOTHING):
                file, _, name = test.partition("::")
                assert f"def {name}(" in (TESTS / file).read_text(encoding="utf-8"), test


def changed(value):
    """Another value, which no draw of chance explains."""
    if isinstance(value, list):
        return [changed(part) for part in value]
    if isinstance(value, bool) or value is None:
        return 7.5
    if isinstance(value, str):
        return f"{value}-changed"
    if isinstance(value, int):
        return value + 1
    return value + 0.4 if value < 0.5 else value - 0.4


def samples():
    """One value a pattern that has a test."""
    root = Path(os.environ.get("ADJUDGE_SHARED", TESTS.parents[1] / "shared"))
    for file in HELD:
        path = root / "golden" / "mtme" / file
        if not path.exists():
            continue
        seen = set()
        for way, _ in leaves(json.loads(path.read_text(encoding="utf-8"))):
            pattern, test = holder(file, way) or ("", NOTHING)
            # One value of each name is changed for each pattern.
            kind = (pattern, [key for key in way if not key.isdigit()][-1])
            if not test.startswith(NOTHING) and kind not in seen:
                seen.add(kind)
                yield pytest.param(file, way, test, id=f"{file.removesuffix('.json')}-{'-'.join(way)[-60:]}")


@pytest.mark.slow
@pytest.mark.parametrize(("file", "way", "test"), list(samples()))
def test_a_changed_value_is_noticed(shared, tmp_path, file, way, test):
    root = shared.data.parent
    (tmp_path / "golden" / "mtme").mkdir(parents=True)
    (tmp_path / "data").symlink_to(root / "data")
    for path in (root / "golden").iterdir():
        if path.name != "mtme":
            (tmp_path / "golden" / path.name).symlink_to(path)
    for path in (root / "golden" / "mtme").iterdir():
        if path.name != file:
            (tmp_path / "golden" / "mtme" / path.name).symlink_to(path)
    document = shared.json(f"mtme/{file}")
    place = document
    for key in way[:-1]:
        place = place[int(key) if isinstance(place, list) else key]
    last = int(way[-1]) if isinstance(place, list) else way[-1]
    place[last] = changed(place[last])
    (tmp_path / "golden" / "mtme" / file).write_text(json.dumps(document), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-n0",
        str(TESTS / test.partition("::")[0]),
    ]
    command[-1:] = [f"{command[-1]}::{test.partition('::')[2]}"]
    run = subprocess.run(
        command,
        env={**os.environ, "ADJUDGE_SHARED": str(tmp_path)},
        cwd=TESTS.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1, run.stdout[-2000:]
