"""Times one case in this process and prints seconds, score and peak memory: one.py CASE DATA THREADS."""

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
    start = time.perf_counter()
    score = work()
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "score": score, "peak_mb": peak, "segments": len(hyp)}))


if __name__ == "__main__":
    main()
