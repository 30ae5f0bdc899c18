"""Many questions to a model: known answers are not asked for, the others at once, again, and within a budget."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from typing import Any

from adjudge import workspace
from adjudge.errors import DataError, unasked_program
from adjudge.io.content_store import key_of
from adjudge.metrics.judges.endpoint import Declined, Endpoint, Reply, Unanswered, is_exposed, place
from adjudge.wording import pluralise

KIND = "answers of language models"
BYTES_A_TOKEN = 4
"""Of UTF-8: near enough for what a run will cost, whatever the model's own tokens are."""
IS_IT_THERE = (
    "is the service running, and is the address right? The same command goes on from the answers so far"
)
Body = Mapping[str, Any]


@dataclass(frozen=True)
class Patience:
    """How often and how long to wait for one answer."""

    tries: int = 6
    first: float = 1.0
    """Seconds before the second try; they double from try to try, with a little chance in them."""
    longest: float = 60.0

    def pause(self, failures: int) -> float:
        """Seconds to wait after so many failures."""
        return min(self.longest, self.first * 2.0 ** (failures - 1)) * random.uniform(0.75, 1.25)


@dataclass(frozen=True)
class ModelAnswer:
    """What became of one question: a reply, or the reason why there is none."""

    reply: Reply | None
    reason: str = ""


def tokens(text: str) -> int:
    """About how many tokens a text has."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_A_TOKEN)


def answers(url: str, bodies: Sequence[Body], patience: Patience | None = None) -> list[ModelAnswer]:
    """The answer to each request, in their order; equal ones are asked once, known ones not at all.

    Every answer is kept as it comes, so that a run that ends early goes on where it ended. A service that does not
    answer after several tries ends the run; a single question that it declines is without an answer.
    """
    used = workspace.current()
    written = {key_of("chat-1", url, _canonical(body)): body for body in bodies}
    keys = [key_of("chat-1", url, _canonical(body)) for body in bodies]
    known = used.store.get(KIND, list(written)) if used.store is not None else {}
    results = {key: ModelAnswer(_unpack(value)) for key, value in known.items()}
    open_questions = {key: body for key, body in written.items() if key not in results}
    used.usage.known += len(results)
    if used.dry_run:
        for key, body in open_questions.items():
            used.usage.add(key, tokens(_canonical(body["messages"])), body.get("max_tokens") or 0)
        return [results.get(key, ModelAnswer(None, "dry run")) for key in keys]
    if open_questions:
        if not used.may_run:  # the key would go to whatever address a file names
            raise unasked_program(f"the service at {place(url)}", "asked")
        if used.key and is_exposed(url):
            used.note(
                f"the key went to {place(url)} without encryption: an address with https:// would hide it"
            )
        for key, answer in _ask(url, open_questions, patience or Patience()):
            results[key] = answer
            if answer.reply is not None and used.store is not None:
                used.store.put(KIND, {key: _pack(answer.reply)})
            used.tell(f"answers of {place(url)}", len(results), len(written))
    return [results[key] for key in keys]


def _ask(url: str, bodies: Mapping[bytes, Body], patience: Patience) -> Iterator[tuple[bytes, ModelAnswer]]:
    """Answers as they come; the first failure of the service ends all of it."""
    used = workspace.current()
    endpoint, stop = Endpoint(url, used.key, used.time_limit), threading.Event()
    budget = _Budget(used.max_requests, used.usage)
    ask = _Asker(endpoint, budget, patience, stop)
    with ThreadPoolExecutor(min(used.concurrency, len(bodies)), "judge") as pool:
        waiting: dict[Future[ModelAnswer], bytes] = {
            pool.submit(ask, body): key for key, body in bodies.items()
        }
        failure: BaseException | None = None
        try:
            while waiting:
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    key, error = waiting.pop(future), future.exception()
                    if error is None:
                        yield key, future.result()
                    elif failure is None:
                        failure = error
                        waiting = {other: key for other, key in waiting.items() if not other.cancel()}
                        # What is under way is paid for: it is waited for, unless the service is at fault.
                        if not isinstance(error, BudgetSpent):
                            endpoint.close()
                        stop.set()
            if failure is not None:
                raise budget.spent(url) if isinstance(failure, BudgetSpent) else failure
        finally:
            stop.set()
            endpoint.close()
            pool.shutdown(wait=False, cancel_futures=True)


class BudgetSpent(DataError):
    """No further request may be made."""


class _Budget:
    """How many requests may still be made, each try being one, and what became of those that were."""

    def __init__(self, most: int | None, usage: workspace.Usage) -> None:
        self.most, self.usage = most, usage
        self.answered = self.unanswered = 0
        self._reason = ""
        self._lock = threading.Lock()

    def take(self) -> None:
        """Count a request, or refuse it."""
        with self._lock:
            if self.most is not None and self.usage.requests >= self.most:
                raise BudgetSpent
            self.usage.requests += 1

    def note(self, failure: Unanswered | None = None) -> None:
        """Count a request that was answered, or was not."""
        with self._lock:
            if failure is None:
                self.answered += 1
            else:
                self.unanswered, self._reason = self.unanswered + 1, str(failure)

    def spent(self, url: str) -> BudgetSpent:
        """What ended the run: the budget, or the service, where it spent the budget without an answer."""
        if self.unanswered and not self.answered:
            return BudgetSpent(
                f"{url}: {self._reason}, after {pluralise(self.unanswered, 'request')}, which is all that "
                f"--max-requests allows; {IS_IT_THERE}"
            )
        lost = f" ({self.unanswered:,} without an answer: {self._reason})" if self.unanswered else ""
        return BudgetSpent(
            f"the budget of {pluralise(self.most or 0, 'request')} is spent{lost}; the answers so far are kept, and "
            "the same command with a larger --max-requests goes on from there"
        )


@dataclass(frozen=True, eq=False)
class _Asker:
    """Asks one question as often as it takes."""

    endpoint: Endpoint
    budget: _Budget
    patience: Patience
    stop: threading.Event

    def __call__(self, body: Body) -> ModelAnswer:
        for failures in range(1, self.patience.tries + 1):
            self.budget.take()
            try:
                reply = self.endpoint.ask(body)
                self.budget.note()
                return ModelAnswer(reply)
            except Declined as error:
                self.budget.note()
                return ModelAnswer(None, f"the service does not take the question ({error})")
            except Unanswered as error:
                self.budget.note(error)
                if failures == self.patience.tries or self.stop.is_set():
                    return self._gave_up(error)
                pause = self._pause(error, failures)
            if self.stop.wait(pause):
                break
        return ModelAnswer(None, "the run has ended")

    def _pause(self, error: Unanswered, failures: int) -> float:
        """Seconds until the next try: what the server asks for, unless that is too long."""
        if error.wait is None:
            return self.patience.pause(failures)
        if error.wait > self.endpoint.time_limit:
            raise DataError(
                f"{self.endpoint.url}: {error}; it wants to be asked again in {error.wait:.0f} s, which is more than "
                f"the time limit ({self.endpoint.time_limit:g} s): --time-limit, or the same command later, which goes "
                "on from the answers that are kept"
            )
        return error.wait

    def _gave_up(self, error: Unanswered) -> ModelAnswer:
        if error.spoke:  # the service is there; this one question may be what it stumbles over
            return ModelAnswer(None, str(error))
        raise DataError(
            f"{self.endpoint.url}: {error}, after {pluralise(self.patience.tries, 'request')}; {IS_IT_THERE}"
        )


def _canonical(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _pack(reply: Reply) -> bytes:
    return json.dumps(asdict(reply), ensure_ascii=False).encode("utf-8", "surrogatepass")


def _unpack(value: bytes) -> Reply:
    return Reply(**json.loads(value.decode("utf-8", "surrogatepass")))


__all__ = ["Body", "ModelAnswer", "Patience", "answers", "tokens"]
