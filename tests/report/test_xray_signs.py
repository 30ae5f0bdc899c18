"""Every kind of match has its sign."""

from adjudge.data import Alignment, Link
from adjudge.report.pages.xray import page as xray_page
from helpers.pages import Page
from helpers.xrays import drawn, with_alignment


def test_all_kinds_have_signs_and_unknown_ones_do_not_fail() -> None:
    kinds = ["exact", "stem", "synonym", "paraphrase", "substitution", "brand<new"]
    links = tuple(Link((i, i + 1), (i, i + 1), kind) for i, kind in enumerate(kinds))
    result = with_alignment(Alignment(tuple("abcdef"), tuple("ABCDEF"), links))
    text = drawn(result)
    assert "1[a ◆b ●c ▲d] ×e 2[◆f]" in text
    assert "◆ brand<new: brand<new" in " ".join(text.split())
    page = Page(xray_page.page(result, version="0"))
    assert {c["class"] for tag, c in page.tags if tag == "path" and "link" in str(c["class"]).split()} == {
        f"link {kind}" for kind in ["exact", "stem", "synonym", "paraphrase", "substitution", "other"]
    }
