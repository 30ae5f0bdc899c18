"""Which outputs a judgement means."""

import pytest

from adjudge.comparison.judged_places import JudgedPlaces
from adjudge.data import TestSet


@pytest.mark.parametrize(
    ("name", "systems"),
    [
        ("uedin", ("uedin",)),
        ("newstest2013.fr-en.uedin", ("uedin",)),
        ("newstest2016.uedin.heafield.ro-en", ("uedin.heafield",)),
        ("uedin+cmu", ("uedin", "cmu")),
        ("uedin+newstest2016.cmu.ro-en", ("uedin", "cmu")),
        ("newstest2016.uedin+nmt.ro-en", ("uedin+nmt",)),
        ("newstest2016.jhu.ro-en", None),
        ("uedin.cmu", ("uedin",)),
        ("uu.cmu.jhi", None),
    ],
)
def test_names_of_wmt_mean_the_longest_system_in_them(name, systems):
    places = JudgedPlaces(
        ("uedin", "uedin.heafield", "uedin+nmt", "cmu", "jhi"), TestSet(references=(("a",),))
    )
    assert places.systems(name) == systems
