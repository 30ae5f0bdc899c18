"""Times one case in this process and prints what it took: one.py CASE DATA THREADS.

Seconds are the clock's; `processor` are those of all threads, which other work on the machine hardly changes.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time

from cases import CASES, data


def main() -> None:
    name, dataset, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
    hyp, ref = data(dataset)
    work = CASES[name](hyp, ref, threads)
    gc.collect()
    start, processor = time.perf_counter(), time.process_time()
    score = work()
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    took = {"seconds": seconds, "processor": processor, "score": score}
    print(json.dumps(took | {"peak_mb": peak, "segments": len(hyp)}))


if __name__ == "__main__":
    main()
