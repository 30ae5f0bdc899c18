"""How long a large campaign takes to keep, to work on and to look at, on SQLite and on PostgreSQL.

    .venv/bin/python bench/store.py [--items 50000]

Seconds of wall clock, and of this process's CPU where that says more; PostgreSQL is started as the tests start it.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from sqlalchemy import insert

from adjudge.campaigns.campaign import parse
from adjudge.campaigns.items import CampaignMaterial, Candidate, Hit, Item
from adjudge.campaigns.store import (
    CampaignStore,
    answers,
    backup,
    campaigns,
    events,
    journal,
    people,
    progress,
    schema,
    upkeep,
    work,
)
from adjudge.data import Outputs, TestSet
from helpers.postgresql import ABSENT, Postgres, folders

SYSTEMS, ANNOTATORS, HIT = 4, 100, 100
WORDS = "the translation of a sentence in the news has about twenty words and is read by somebody who judges it now"


def campaign(items):
    """A campaign of so many items; every tenth is judged by two."""
    segments = items // SYSTEMS
    text = [f"{number} {WORDS}" for number in range(segments)]
    systems = {f"system-{i}": [f"{one} {i}" for one in text] for i in range(SYSTEMS)}
    config = {
        "name": "large",
        "protocol": "da",
        "systems": dict.fromkeys(systems, "file"),
        "test_set": {"source": "s", "reference": "r"},
        "annotators": ANNOTATORS,
    }
    made = [
        Item(
            f"{number}-{system}",
            (number,),
            (Candidate((system,), (column[number],)),),
            document=f"doc-{number // 20}",
        )
        for system, column in systems.items()
        for number in range(segments)
    ]
    given = [*made, *made[::10]]
    hits = [
        Hit(f"hit-{number}", tuple(given[start : start + HIT]), f"annotator-{number % ANNOTATORS + 1}")
        for number, start in enumerate(range(0, len(given), HIT))
    ]
    outputs = tuple(Outputs(name, tuple(column)) for name, column in systems.items())
    return parse(config), CampaignMaterial(TestSet((tuple(text),), tuple(text)), outputs), hits


class Watch:
    """Prints what each step took."""

    def __call__(self, what, function, *arguments, times=1, **options):
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(times):
            result = function(*arguments, **options)
        wall, cpu = (time.perf_counter() - wall) / times, (time.process_time() - cpu) / times
        print(f"  {what:<44} {wall * 1000:>9.1f} ms   CPU {cpu * 1000:>9.1f} ms", flush=True)
        return result


def fill(store, share=0.9):
    """Answers to nine tasks in ten, a twentieth of them corrected, a fiftieth taken back."""
    with store.writing() as connection:
        t, h = schema.tasks, schema.hits
        rows = connection.execute(t.join(h, h.c.id == t.c.hit).select()).all()
        events = []
        for number, row in enumerate(rows):
            if number % 10 < share * 10:
                for kind in [
                    "answer",
                    *(["answer"] if number % 20 == 0 else []),
                    *(["undo"] if number % 50 == 1 else []),
                ]:
                    events.append(
                        {
                            "annotator": row[-1],
                            "task": row[0],
                            "key": f"k{len(events)}",
                            "kind": kind,
                            "answer": {"score": number % 101} if kind == "answer" else None,
                            "seconds": 7.5,
                            "started": 1e9 + number,
                            "received": 1e9 + number + 7.5,
                        }
                    )
        connection.execute(insert(schema.events), events)
    return len(events)


def measure(url, items):
    watch = Watch()
    made = campaign(items)
    store = CampaignStore.open(url)
    stored = watch(f"campaigns.add, {items:,} items in {len(made[2])} hits", campaigns.add, store, *made)
    print(f"  ({fill(store):,} events)")
    anna = people.find(store, stored, "annotator-1")
    steps = watch("work.outline of one annotator", work.outline, store, anna, times=10)
    watch(f"work.tasks of one annotator ({len(steps)})", work.tasks, store, anna, times=5)
    watch("work.tasks of one hit", work.tasks, store, anna, steps[0].hit, times=20)
    watch("campaigns.all_campaigns", campaigns.all_campaigns, store, times=20)
    watch("answers.annotator_progress", answers.annotator_progress, store, stored, times=3)
    watch("answers.counted_answers", answers.counted_answers, store, stored)
    watch("progress.campaign_progress", progress.campaign_progress, store, stored)
    watch("campaigns.material", campaigns.material, store, stored)
    watch("campaigns.hits", campaigns.hits, store, stored)
    open_tasks = [step.id for step in steps if not step.answered]
    keys = iter(range(10**6))
    watch(
        "events.record_answer",
        lambda: events.record_answer(store, anna, open_tasks[0], key=f"b{next(keys)}", answer={"score": 50}),
        times=200,
    )
    watch("journal.entries", journal.entries, store, stored)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "backup"
        watch("backup.save", backup.save, store, stored, path)
        print(f"  ({path.stat().st_size / 1e6:.1f} MB)")
        copy = watch("restore.restore", backup.restore, store, path, name="copy")
    watch("upkeep.forget", upkeep.forget, store, copy, "annotator-2", erase=True)
    store.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", type=int, default=50_000)
    items = parser.parse_args().items
    with tempfile.TemporaryDirectory() as folder:
        print("SQLite")
        measure(f"sqlite:///{folder}/adjudge.db", items)
    found = folders()
    if not found:
        print(ABSENT)
        return
    server = Postgres(found[0], fsync=True)
    try:
        print(f"PostgreSQL ({server.execute('SHOW server_version')[0][0].split()[0]})")
        measure(server.database(), items)
    finally:
        server.remove()


if __name__ == "__main__":
    main()
