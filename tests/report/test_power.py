"""Power shown: on any screen, for print, for machines; a map that is read with and without colours."""

from helpers.powers import rendered


def test_print(results):
    for name, result in results.items():
        assert rendered(result, "markdown").startswith("**"), name
        latex = rendered(result, "latex")
        assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}")
    assert "| 55 | .438 | .367 |" in rendered(results["map"], "markdown")
    assert r"55 & .438 & .367" in rendered(results["map"], "latex")
    assert r"\textbf{.824}" in rendered(results["map"], "latex")
