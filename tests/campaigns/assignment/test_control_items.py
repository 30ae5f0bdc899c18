"""Control items: repeats, references and damage, as the protocol asks."""

import pytest

from adjudge.campaigns.assignment import plan_hits
from helpers.plans import campaign, kinds, material


def test_mqm_has_repeats_and_references_but_no_damage() -> None:
    plan = plan_hits(campaign("abc", 1, "mqm", common=1.0), material("abc", 240, document=10))
    count = kinds([item for hit in plan.hits for item in hit.items])
    assert (count["bad reference"], count["ordinary"]) == (0, 720)
    assert abs(count["repeat"] - 90) <= 1
    assert abs(count["reference"] - 90) <= 1


@pytest.mark.parametrize(
    ("protocol", "options", "where"),
    [
        ("da", {"hit_size": 100}, None),
        ("da", {"hit_size": 50}, None),
        ("da", {"hit_size": 40}, "each hit"),
        ("da", {"bad_references": 0.0}, "each hit"),
        ("ranking", {}, "each hit"),
        ("mqm", {}, "each hit"),
    ],
)
def test_hits_of_a_crowd_in_which_nobody_can_fail(
    protocol: str, options: dict[str, float], where: str | None
) -> None:
    plan = plan_hits(campaign("ab", {"crowd": True}, protocol, **options), material("ab", 700))
    notes = [note for note in plan.notes if "nobody can fail quality control" in note]
    assert len(notes) == (where is not None)
    assert all(where in note for note in notes)
    people = plan_hits(campaign("ab", 3, protocol, **options), material("ab", 700))
    assert not any("quality control" in note for note in people.notes)
