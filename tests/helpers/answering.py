"""People who answer until they are killed: a process to be ended in the middle of its writes.

    python answering.py DATABASE CAMPAIGN LOG

For every line on stdin (the name of a run) a process is begun in which a few workers take hits, answer, correct and
take back, and its number is printed; once it has ended, `gone`. What a worker is about to send goes into the log as
`try`, what the store has acknowledged as `kept`; a line is written at once, so it is there or it is not.
"""

import os
import random
import sys
import threading

WORKERS = 3


def main(url: str, name: str, log: str) -> None:
    import sqlalchemy.dialects.postgresql.psycopg
    import sqlalchemy.dialects.sqlite.pysqlite  # noqa: F401 - what every process needs, loaded once

    from adjudge.campaigns.store import campaigns, events, next_hit, people, work  # noqa: F401

    for line in sys.stdin:
        number = os.fork()
        if number == 0:
            run(url, name, log, line.strip())
            os._exit(0)
        print(number, flush=True)
        os.waitpid(number, 0)
        print("gone", flush=True)


def run(url: str, name: str, log: str, which: str) -> None:
    from adjudge.campaigns.store import CampaignStore, campaigns

    store = CampaignStore.open(url)
    kept = campaigns.find(store, name)
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    threads = [
        threading.Thread(target=answer, args=(store, kept, f"worker-{i}", file, which))
        for i in range(WORKERS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()


def answer(store, kept, name: str, file: int, which: str) -> None:
    """Take hits and answer them; in the run `last` until all is done, in others until somebody stops it."""
    from adjudge.campaigns.store import next_hit, people, work

    worker = people.find_or_add_visitor(store, kept, "crowd", name)
    chance = random.Random(f"{name} {which}")
    number = 0
    while True:
        steps = work.outline(store, worker)
        open_ones = [step.id for step in steps if not step.answered]
        done = [step.id for step in steps if step.answered]
        if not open_ones and next_hit.take_hit(store, kept, worker) is not None:
            continue
        if not open_ones and which == "last":
            return
        look_back = done and (not open_ones or (which != "last" and chance.random() < 0.2))
        task = chance.choice(done) if look_back else open_ones[0]
        undo = bool(look_back) and chance.random() < 0.5
        key, score = f"{which}-{number}", chance.randrange(101)
        number += 1
        text = f"{name} {task} {key} {'-' if undo else score}\n"
        os.write(file, f"try {text}".encode())
        send(store, worker, task, key, None if undo else score)
        os.write(file, f"kept {text}".encode())


def send(store, worker, task: int, key: str, score: int | None):
    """One answer, or an undo."""
    from adjudge.campaigns.store import events

    if score is None:
        return events.record_answer(store, worker, task, key=key, kind=events.UNDO)
    return events.record_answer(store, worker, task, key=key, answer={"score": score})


if __name__ == "__main__":
    main(*sys.argv[1:])
