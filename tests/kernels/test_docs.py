"""The page on kernels: its examples print what stands there."""

import doctest

from conftest import PROJECT


def test_the_examples_of_the_page_run():
    result = doctest.testfile(str(PROJECT / "docs" / "kernels.md"), module_relative=False)
    assert result.failed == 0
    assert result.attempted >= 14
