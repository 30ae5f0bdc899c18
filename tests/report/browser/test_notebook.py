"""A result in a notebook, in a real browser: its looks stay in its frame, and follow the notebook's light or dark."""

import pytest

import adjudge


@pytest.fixture(scope="module")
def frame():
    """A comparison as a notebook shows it."""
    reference = ["The old house stands there.", "Nobody knows the way."] * 6
    outputs = [
        adjudge.Outputs("good", reference),
        adjudge.Outputs("worse", [r.replace("the", "a") for r in reference]),
    ]
    compared = adjudge.compare(
        adjudge.TestSet(references=[reference]), outputs, "chrf", resamples=20, trials=50
    )
    return compared._repr_html_()


def test_dots_stand_above_their_ticks_where_a_notebook_indents_lists(chromium, tmp_path, frame):
    """By the rule that Jupyter has, which goes before one of a class."""
    path = tmp_path / "indented.html"
    rule = ".jp-RenderedHTMLCommon ol:not(.list-inline) { padding-left: 2em; list-style: decimal; }"
    path.write_text(
        f"<!doctype html><meta charset=utf-8><style>{rule}</style><div class=jp-RenderedHTMLCommon>{frame}</div>",
        encoding="utf-8",
    )
    page = chromium.new_page()
    page.goto(path.as_uri())
    edges = "e => [e.getBoundingClientRect().left, e.getBoundingClientRect().right]"
    track, ticks = (page.eval_on_selector(name, edges) for name in (".bars .track", ".bars .ticks > div"))
    page.close()
    assert track == ticks


def test_looks_stay_in_their_frame_light_and_dark(chromium, tmp_path, frame):
    path = tmp_path / "notebook.html"
    path.write_text(
        f"<!doctype html><meta charset=utf-8><h2>Mine</h2><table><td>x</table>{frame}", encoding="utf-8"
    )
    colours = {}
    for scheme in ("light", "dark"):
        page = chromium.new_page(color_scheme=scheme)
        page.goto(path.as_uri())

        def style(selector: str, name: str, page=page) -> str:
            return page.evaluate(f"getComputedStyle(document.querySelector({selector!r}))[{name!r}]")

        colours[scheme] = (style(".adjudge", "backgroundColor"), style(".adjudge", "color"))
        assert style("body", "backgroundColor") == "rgba(0, 0, 0, 0)"
        assert style("body > table td", "borderBottomWidth") == "0px"
        assert style(".adjudge td", "borderBottomWidth") != "0px"
        page.evaluate("document.body.dataset.jpThemeLight = 'false'")
        assert (style(".adjudge", "backgroundColor"), style(".adjudge", "color")) == (
            "rgb(20, 23, 28)",
            "rgb(230, 232, 236)",
        )
        page.close()
    assert colours["light"] != colours["dark"]
