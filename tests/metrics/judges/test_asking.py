"""Questions to a service that misbehaves in every way: nothing is lost, made up, or asked twice."""

import json
import threading
import time
from email.utils import formatdate

import pytest

from adjudge import workspace
from adjudge.errors import DataError, UsageError
from adjudge.metrics.judges.asking import Patience, answers, tokens
from adjudge.metrics.judges.endpoint import Endpoint, check_url, is_exposed
from adjudge.metrics.judges.secrets import checked_key, without_key
from helpers.models import closed_address, closes, completion, drips, hangs, is_huge, resets, serving

QUICK = Patience(tries=4, first=0.005, longest=0.02)
KEY = "sk-very-secret-0123456789"


def body(text):
    return {"model": "judge-1", "messages": [{"role": "user", "content": text}], "max_tokens": 10}


def ask(model, *texts, patience=QUICK, **fields):
    """Answers in a workspace of the test's own, and that workspace."""
    fields.setdefault("store", workspace.MemoryStore())
    fields.setdefault("time_limit", 5.0)
    with workspace.use(workspace.Workspace(**fields)) as used:
        return answers(
            model if isinstance(model, str) else model.url, [body(t) for t in texts], patience
        ), used


def texts_of(result):
    return [None if answer.reply is None else answer.reply.text for answer in result]


def test_answers_come_in_the_order_of_questions():
    with serving(lambda question, _: f"about {question}") as model:
        result, _ = ask(model, "c", "a", "b")
    assert texts_of(result) == ["about c", "about a", "about b"]
    assert model.headers[0]["path"] == "/v1/chat/completions"
    assert model.bodies[0].keys() == {"model", "messages", "max_tokens"}


def test_equal_questions_are_asked_once_and_known_ones_never_again():
    store = workspace.MemoryStore()
    with serving(lambda question, number: str(number)) as model:
        first, _ = ask(model, "x", "x", "y", store=store, concurrency=1)
        assert len(model.questions) == 2
        again, used = ask(model, "y", "x", "z", store=store)
        assert len(model.questions) == 3
    assert texts_of(first) == ["1", "1", "2"]
    assert texts_of(again) == ["2", "1", "3"]
    assert (used.usage.known, used.usage.requests) == (2, 1)


def test_another_address_is_another_judge():
    store = workspace.MemoryStore()
    with serving(lambda *_: "1") as opened, serving(lambda *_: "2") as other:
        assert texts_of(ask(opened, "x", store=store)[0]) == ["1"]
        assert texts_of(ask(other, "x", store=store)[0]) == ["2"]


def failing(times, fault, then="fine"):
    """A model that fails so often, and then answers."""
    return lambda _, number: fault if number <= times else then


@pytest.mark.parametrize(
    "fault",
    [
        (429, '{"error": {"message": "slow down"}}'),
        (500, "oops"),
        (502, "<html>bad gateway</html>"),
        (503, ""),
        (408, ""),
        closes,
        resets,
        (200, "{garbage"),
        (200, "<html>sign in</html>", {}, "text/html"),
        (200, '{"choices": []}'),
        (200, '{"choices": [{"message": "x"}]}'),
        (200, "[" * 100_000),
        is_huge,
    ],
    ids=lambda fault: str(getattr(fault, "__name__", fault))[:30],
)
def test_what_may_be_mended_is_asked_again(fault):
    with serving(failing(2, fault)) as model:
        result, used = ask(model, "x")
    assert texts_of(result) == ["fine"]
    assert used.usage.requests == len(model.questions) == 3


@pytest.mark.parametrize("fault", [hangs, drips])
def test_a_server_that_takes_for_ever_is_cut_off_and_asked_again(fault):
    begun = time.monotonic()
    with serving(failing(1, fault)) as model:
        result, _ = ask(model, "x", time_limit=0.3)
        assert texts_of(result) == ["fine"]
        assert 0.25 < time.monotonic() - begun < 3


def test_a_right_answer_of_the_wrong_content_type_is_an_answer():
    with serving(lambda *_: (200, completion("42"), {}, "text/plain")) as model:
        assert texts_of(ask(model, "x")[0]) == ["42"]


def test_pauses_grow_and_what_the_server_asks_for_is_kept():
    slow = Patience(tries=4, first=0.1, longest=10)
    with serving(failing(2, (500, ""))) as model:
        ask(model, "x", patience=slow)
    first, second = (b - a for a, b in zip(model.times, model.times[1:], strict=False))
    assert 0.07 <= first < second
    with serving(failing(1, (429, "", {"Retry-After": "0.4"}))) as model:
        ask(model, "x")
    assert model.times[1] - model.times[0] >= 0.4


def test_retry_after_may_be_a_date():
    with serving(failing(1, (503, "", {"Retry-After": formatdate(time.time() + 1.9, usegmt=True)}))) as model:
        ask(model, "x")
    assert 0.5 <= model.times[1] - model.times[0] < 4


def test_a_server_that_wants_to_be_left_alone_for_hours_ends_the_run_at_once():
    with serving(lambda *_: (429, "", {"Retry-After": "7200"})) as model:
        with pytest.raises(DataError, match=r"asked again in 7200 s, .* --time-limit"):
            ask(model, "x")
        assert len(model.questions) == 1


def test_nobody_at_the_address():
    with pytest.raises(DataError, match=r"connection refused\), after 4 requests; is the service running"):
        ask(closed_address(), "x")


def test_a_service_that_never_answers_ends_the_run_but_answers_are_kept():
    store = workspace.MemoryStore()
    with serving(lambda question, _: "fine" if question == "a" else (500, "oops")) as model:
        with pytest.raises(
            DataError, match=r"it answers 500: oops, after 4 requests.* goes on from the answers"
        ):
            ask(model, "a", "b", store=store, concurrency=1)
        model.answer = lambda *_: "well"
        result, used = ask(model, "a", "b", store=store)
    assert texts_of(result) == ["fine", "well"]
    assert used.usage.requests == 1


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_question_that_is_declined_is_without_an_answer_and_not_asked_again(status):
    def answer(question, _):
        return (status, '{"error": {"message": "too long"}}') if question == "b" else "fine"

    with serving(answer) as model:
        result, _ = ask(model, "a", "b", "c")
    assert texts_of(result) == ["fine", None, "fine"]
    assert result[1].reason == f"the service does not take the question ({status}: too long)"
    assert len(model.questions) == 3


def test_an_answer_that_stays_garbage_is_missing_and_not_kept():
    store = workspace.MemoryStore()
    with serving(lambda question, _: (200, "<html>") if question == "b" else "fine") as model:
        result, _ = ask(model, "a", "b", store=store)
        assert texts_of(result) == ["fine", None]
        assert result[1].reason == "its answer is no chat completion: <html>"
        model.answer = lambda *_: "at last"
        assert texts_of(ask(model, "a", "b", store=store)[0]) == ["fine", "at last"]


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (401, "--key-variable"),
        (403, "--key-variable"),
        (404, "OpenAI-compatible"),
        (405, "OpenAI-compatible"),
    ],
)
def test_what_no_patience_mends_ends_the_run_at_once(status, message):
    with serving(lambda *_: (status, '{"error": "no"}')) as model:
        with pytest.raises(DataError, match=f"answers {status}: no; .*{message}"):
            ask(model, "x")
        assert len(model.questions) == 1


def test_redirects_are_not_followed_with_the_key():
    with serving(lambda *_: "fine") as other:
        target = f"{other.url}/elsewhere?token={KEY}"
        with (
            serving(lambda *_: (307, "", {"Location": target})) as model,
            pytest.raises(DataError, match="redirects are not followed") as error,
        ):
            ask(model, "x", key=KEY)
        assert not other.questions
    assert KEY not in str(error.value)


@pytest.mark.parametrize("status", [400, 401, 500])
def test_a_key_that_a_server_echoes_is_nowhere(status, capsys):
    echoed = json.dumps({"error": {"message": f"Bearer {KEY} and {KEY[:12]}**** are no keys"}})
    with serving(lambda *_: (status, echoed)) as model:
        try:
            result, _ = ask(model, "x", key=KEY)
            text = result[0].reason
        except DataError as error:
            text = str(error)
    assert model.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert "Bearer [key] and [key] are no keys" in text
    assert KEY[:9] not in text + capsys.readouterr().err


def test_a_key_in_an_answer_is_not_kept():
    class Watching(workspace.MemoryStore):
        def put(self, kind, values):
            assert all(KEY.encode() not in key + value for key, value in values.items())
            super().put(kind, values)

    store = Watching()
    with serving(lambda *_: f"{KEY}: 70") as model:
        result, used = ask(model, "x", key=KEY, store=store)
    assert texts_of(result) == ["[key]: 70"]
    assert KEY not in repr(used)
    assert KEY not in repr(Endpoint(model.url, KEY))


def test_without_a_key_there_is_no_header():
    with serving(lambda *_: "fine") as model:
        ask(model, "x")
    assert "Authorization" not in model.headers[0]


def test_so_many_at_once_and_no_more():
    def answer(*_):
        time.sleep(0.03)
        return "fine"

    with serving(answer) as model:
        ask(model, *map(str, range(24)), concurrency=3)
    assert model.most_at_once == 3


def test_the_budget_counts_every_request_and_what_was_answered_is_kept():
    store = workspace.MemoryStore()
    with serving(failing(1, (500, ""))) as model:
        with pytest.raises(
            DataError,
            match=r"budget of 3 requests is spent \(1 without an answer: it answers 500.*--max-requests",
        ):
            ask(model, "a", "b", "c", store=store, max_requests=3, concurrency=1)
        assert len(model.questions) == 3
        result, used = ask(model, "a", "b", "c", store=store, max_requests=3)
    assert texts_of(result) == ["fine"] * 3
    assert used.usage.requests == 1


@pytest.mark.parametrize("concurrency", [1, 8])
@pytest.mark.parametrize("most", [1, 3])
def test_a_budget_spent_on_a_service_that_is_down_is_no_matter_of_the_budget(most, concurrency):
    questions = [str(number) for number in range(8)]
    with pytest.raises(DataError) as ended:
        ask(closed_address(), *questions, max_requests=most, concurrency=concurrency)
    requests = "1 request" if most == 1 else "3 requests"
    assert (
        f"nobody answers there (connection refused), after {requests}, which is all that --max-requests allows; "
        "is the service running" in str(ended.value)
    )
    assert "budget" not in str(ended.value)


def test_a_dry_run_asks_nothing_and_counts():
    store = workspace.MemoryStore()
    with serving(lambda *_: "fine") as model:
        ask(model, "a", store=store)
        result, used = ask(model, "a", "b", "b", "c", store=store, dry_run=True)
        assert len(model.questions) == 1
    assert texts_of(result) == ["fine", None, None, None]
    assert (used.usage.requests, used.usage.known, used.usage.most_answered) == (2, 1, 20)
    assert used.usage.tokens >= 2 * tokens("b")


def test_an_end_does_not_wait_for_servers_that_hang():
    begun = time.monotonic()
    with (
        serving(lambda question, _: (401, "no") if question == "z" else hangs) as model,
        pytest.raises(DataError, match="401"),
    ):
        ask(model, *"abcz", time_limit=15, concurrency=4)
    assert time.monotonic() - begun < 5
    assert not [t for t in threading.enumerate() if t.name.startswith("judge")]


def test_progress_is_told():
    told = []
    with serving(lambda *_: "fine") as model:
        ask(model, "a", "b", progress=lambda *step: told.append(step[1:]))
    assert told == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    "url",
    ["", "localhost:8000", "ftp://x/v1", "http://", "http://x:99999/v1", "http://x y/v1", "http://[::1/v1"],
)
def test_addresses_that_are_none(url):
    with pytest.raises(UsageError, match="an address was expected"):
        check_url(url)


@pytest.mark.parametrize("url", ["https://me:pass@x/v1", "https://x/v1?key=pass", "https://x/v1#pass"])
def test_addresses_with_secrets_are_refused_and_not_repeated(url):
    with pytest.raises(UsageError) as error:
        check_url(url)
    assert "pass@" not in str(error.value)
    assert "=pass" not in str(error.value)


def test_keys_that_no_header_carries_are_not_shown():
    for key in ("sk-\nsecret", "sk-sécret", "sk secret"):
        with pytest.raises(UsageError) as error:
            checked_key(key, "MY_KEY")
        assert "$MY_KEY" in str(error.value)
        assert "cret" not in str(error.value)
    assert checked_key(f" {KEY}\n", "MY_KEY") == KEY


def test_texts_without_a_key():
    assert without_key("ab", "") == "ab"
    assert without_key(f"x {KEY}y {KEY[:10]}… z", KEY) == "x [key]y [key] z"
    assert without_key("a short: abc", "abc") == "a short: [key]"


def test_what_is_sent_in_the_clear_is_known():
    assert [is_exposed(u) for u in ("http://gpu:8/v1", "https://gpu/v1", "http://127.0.0.1/v1")] == [
        True,
        False,
        False,
    ]
    with serving(lambda *_: "fine") as model:
        _, used = ask(model, "x", key=KEY)
    assert not used.notes
