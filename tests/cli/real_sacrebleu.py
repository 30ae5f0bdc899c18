"""Runs the real sacreBLEU's command line many times: lists of jobs come as lines of JSON, and so do their answers.

A job is {"arguments": [...], "stdin": PATH or null, "environment": {...}}. Each runs in a fork of its own, because
the command line changes the process it runs in, and importing it anew each time would take longer than the work.
"""

import json
import os
import sys
import tempfile
import traceback

import sacrebleu.sacrebleu

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from helpers import made_sets


def run(job: dict) -> dict:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            os.dup2(os.open(job["stdin"] or os.devnull, os.O_RDONLY), 0)
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            os._exit(in_child(job))
        _, status = os.waitpid(child, 0)
        out.seek(0)
        err.seek(0)
        code = os.waitstatus_to_exitcode(status)
        return {"code": code, "stdout": out.read().decode(), "stderr": err.read().decode()}


def in_child(job: dict) -> int:
    sys.argv = ["sacrebleu", *job["arguments"]]
    os.environ.update(job["environment"])
    made_sets.install_told()
    code = 0
    try:
        sacrebleu.sacrebleu.main()
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    for line in iter(sys.stdin.readline, ""):
        print(json.dumps([run(job) for job in json.loads(line)]), flush=True)
