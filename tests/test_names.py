"""One name, one thing: no public class name is defined twice in the package."""

import re
from collections import defaultdict
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "src" / "adjudge"


def public_classes() -> dict[str, list[str]]:
    """The modules that define each public class; `compat` has the names of other tools."""
    places = defaultdict(list)
    for path in sorted(SOURCES.rglob("*.py")):
        place = path.relative_to(SOURCES).as_posix()
        if place.startswith(("compat/", "cli/sacrebleu.py")):
            continue
        for name in re.findall(r"^class ([A-Za-z]\w*)", path.read_text(encoding="utf-8"), re.MULTILINE):
            places[name].append(place)
    return places


def test_no_public_class_name_is_defined_twice():
    assert {name: places for name, places in public_classes().items() if len(places) > 1} == {}
