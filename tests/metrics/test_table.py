"""The table of metrics says what the folder holds."""

from adjudge import metrics
from adjudge.metrics.table import MODULES, PRESETS


def test_the_table_names_every_metric_of_the_folder():
    found = {name: kind.__module__.rpartition(".")[2] for name, kind in metrics.builtin().items()}
    missing = "".join(f'\n    "{name}": "{module}",' for name, module in found.items() if name not in MODULES)
    assert not missing, f"add to MODULES in src/adjudge/metrics/table.py:{missing}"
    assert found == MODULES


def test_the_table_names_every_preset_of_the_folder():
    assert {p: name for name, kind in metrics.builtin().items() for p in kind.presets} == PRESETS


def test_a_metric_that_the_table_does_not_name_is_found_in_the_folder(monkeypatch):
    monkeypatch.delitem(MODULES, "wer")
    metrics._builtin_class.cache_clear()
    assert metrics.metric("wer").name == "wer"
    assert metrics.is_builtin(metrics.metric("wer"))
    metrics._builtin_class.cache_clear()
