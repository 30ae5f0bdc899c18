"""Every part of a section is text on a page."""

from adjudge.report.render.section_page import section_page
from helpers.pages import Page
from helpers.pages_of_all import FILES, HOSTILE, assert_harmless, everything


def test_every_part_of_a_section_is_text_on_a_page():
    made = section_page(HOSTILE, HOSTILE, [everything()], version=HOSTILE, inputs=FILES, warnings=(HOSTILE,))
    assert_harmless(made)
    assert "".join(Page(made).texts).count("<script>alert(1)</script>") >= 15
