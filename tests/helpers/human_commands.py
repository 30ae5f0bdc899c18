"""What the tests of `adjudge human` share: a campaign to begin with."""

import json
import urllib.request
from pathlib import Path

from adjudge.campaigns.store import CampaignStore, campaigns, events, people, work
from adjudge.server.sessions import csrf

EXAMPLES = Path(__file__).parents[2] / "examples"


def judge(own_database, name, count, score=lambda item: 50):
    """Answers of one annotator, straight into the store."""
    store = CampaignStore.open(f"sqlite:///{own_database}")
    kept = campaigns.find(store, "")
    person = people.find(store, kept, name)
    for task in work.tasks(store, person)[:count]:
        answer = {"score": score(task.item)}
        events.record_answer(store, person, task.id, key=f"key-{task.id:06}", answer=answer, seconds=12.0)
    store.close()


def answered(address, link):
    """The number that an answer to the first task of whoever has this link was given."""
    cookies = urllib.request.HTTPCookieProcessor()
    site = urllib.request.build_opener(cookies)
    site.open(f"{address}/a/{link.rpartition('/')[2]}")
    (cookie,) = cookies.cookiejar
    task = json.load(site.open(f"{address}/api/work"))["tasks"][0]["id"]
    sent = {"task": task, "key": f"background-{task:06}", "answer": {"score": 50}, "seconds": 1.5}
    asked = urllib.request.Request(
        f"{address}/api/answers",
        json.dumps(sent).encode(),
        {"Content-Type": "application/json", "X-CSRF-Token": csrf(cookie.value)},
    )
    return json.load(site.open(asked))["event"]
