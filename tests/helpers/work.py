"""What the tests of work in the store share."""

import threading
from concurrent.futures import ThreadPoolExecutor

from adjudge.campaigns.items import Hit
from adjudge.campaigns.store import (
    StoreError,
)


def at_once(action, cases):
    """All of it at the same time; an error is a result."""
    barrier = threading.Barrier(len(cases))

    def run(case):
        barrier.wait()
        try:
            return action(*case)
        except StoreError as error:
            return error

    with ThreadPoolExecutor(len(cases)) as pool:
        return list(pool.map(run, cases))


def more(pool, who, size):
    """A planner that gives somebody the first edits that nobody was given."""

    def make(hits):
        given = {item.key for hit in hits for item in hit.items}
        left = [item for item in pool if item.key not in given][:size]
        return [Hit(f"more-{len(hits)}-{who}", tuple(left), who)] if left else []

    return make
