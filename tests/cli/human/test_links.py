"""`adjudge human links`: new ones end the old."""

import re


def test_new_links(run, own_database, made):
    result = run(
        "human", "links", "news", "anna", "--database", own_database, "--base-url", "https://example.org/"
    )
    assert re.fullmatch(r"anna  https://example\.org/a/[\w-]{32}\n", result.out)
    assert run("human", "links", "news", "nobody", "--database", own_database).code == 1
    assert run("human", "links", "news", "--base-url", "example.org", "--database", own_database).code == 2
