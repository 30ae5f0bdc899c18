"""A worker of a marketplace in a real browser: from the link to the code that is handed in."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from adjudge.campaigns.crowd import completion_code, worker_name
from helpers import served
from helpers.browsing import numbers, serving

AUDIT = (Path(__file__).parent / "audit.js").read_text(encoding="utf-8")


def audit(page):
    """What cannot be seen, read, named or hit, in light and dark, wide and narrow."""
    results = []
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 740})
        for theme in ("light", "dark"):
            page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
            results += [f"{theme}, {width}: {entry}" for entry in page.evaluate(AUDIT)]
    return results


def lay_crowd(site, **more):
    return served.make_crowd(site.store, f"campaign-{next(numbers)}", **more)


def answer(worker, count):
    """Scores that tell nothing, from the keyboard."""
    for number in range(1, count + 1):
        worker.place(number)
        worker.press(*str(40 + number), "Enter")
    worker.page.wait_for_selector(".end h2")


def test_the_end_shows_the_code_and_it_can_be_copied(site, visit):
    made = lay_crowd(site)
    worker = visit(
        f"/join/{made.kept.name}?workerId=W1&hit=hit-0001", permissions=["clipboard-read", "clipboard-write"]
    )
    assert "workerId" not in worker.page.url
    answer(worker, 12)
    name = worker_name(made.kept.secret, "W1")
    code = completion_code(made.kept.secret, name, "hit-0001", passed=False)
    worker.page.wait_for_selector(".code code")
    assert worker.text(".code code") == code
    worker.page.get_by_role("button", name=f"Copy the code {code}").click()
    worker.page.wait_for_selector(".code button:text('Copied')")
    assert worker.page.evaluate("navigator.clipboard.readText()") == code
    assert worker.page.locator(".code .hint").count() == 0
    assert audit(worker.page) == []
    worker.page.reload()  # whoever closed the page too early comes back to it
    worker.page.wait_for_selector(".code code")
    assert worker.text(".code code") == code


def test_two_tasks_of_one_worker_have_two_codes_with_their_names(site, visit):
    made = lay_crowd(site, hits=2)
    link = f"/join/{made.kept.name}?workerId=W1&hit="
    worker = visit(f"{link}hit-0002")
    answer(worker, 12)
    worker.page.goto(f"{link}hit-0001")
    worker.ready()
    answer(worker, 12)
    worker.page.wait_for_selector(".code + .code")
    assert worker.page.locator(".code .hint").all_inner_texts() == ["hit-0001", "hit-0002"]
    assert len(set(worker.page.locator(".code code").all_inner_texts())) == 2


def test_without_a_crowd_there_is_no_code(site, visit):
    anna = visit(site.lay("da").link())
    answer(anna, 6)
    assert anna.page.locator(".code").count() == 0


class Marketplace(BaseHTTPRequestHandler):
    """Shows a page of ours in a frame, and takes what is handed in."""

    def do_GET(self):
        self.say(f'<iframe src="{self.server.link}" width=900 height=700></iframe>')

    def do_POST(self):
        sent = self.rfile.read(int(self.headers["content-length"])).decode()
        self.server.posted.append((self.path, dict(parse_qsl(sent))))
        self.say("<p>thanks</p>")

    def say(self, page):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def market():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Marketplace)
    server.posted, server.address = [], f"http://localhost:{server.server_port}"
    running = threading.Thread(target=server.serve_forever, daemon=True)
    running.start()
    yield server
    server.shutdown()
    server.server_close()
    running.join(10)


def test_in_a_frame_the_code_goes_back_to_the_marketplace(chromium, tmp_path, market):
    """The marketplace is the same site for cookies, and another origin for everything else."""
    with serving(tmp_path, embed_in=(market.address,)) as site:
        made = served.make_crowd(site.store)
        base = site.base.replace("127.0.0.1", "localhost")
        accepted = "workerId=W1&hit=hit-0001&assignmentId=3ABC"
        market.link = f"{base}/join/crowd?{accepted}&turkSubmitTo={market.address}/"
        context = chromium.new_context()
        page = context.new_page()
        page.goto(market.address)
        frame = page.frame_locator("iframe")
        frame.locator(".item").wait_for()
        frame.locator("dialog").wait_for()
        page.keyboard.press("Escape")
        for number in range(1, 13):
            frame.locator(f'.place:text-matches("^\\\\D+{number}\\\\D")').wait_for()
            frame.locator("input[type=range]").focus()
            page.keyboard.type(str(40 + number))
            page.keyboard.press("Enter")
        frame.locator(".code code").wait_for()
        page.frames[1].goto(f"{base}/work")  # a reload, without what the link said
        frame.get_by_role("button", name="Hand in the code").click()
        frame.get_by_text("thanks").wait_for()
        context.close()
    code = completion_code(made.kept.secret, worker_name(made.kept.secret, "W1"), "hit-0001", passed=False)
    assert market.posted == [
        ("/mturk/externalSubmit", {"assignmentId": "3ABC", "hit": "hit-0001", "code": code})
    ]


def test_a_preview_and_the_question_for_an_id(site, visit):
    made = lay_crowd(site, title="Two systems")
    worker = visit()
    worker.page.goto(f"/join/{made.kept.name}?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE")
    assert worker.text("h1") == "Two systems"
    assert worker.page.locator("dd").count() == 6
    assert audit(worker.page) == []
    worker.page.goto(f"/join/{made.kept.name}?hit=hit-0001")
    assert audit(worker.page) == []
    worker.page.get_by_label("Your worker id").fill("W1")
    worker.page.get_by_role("button", name="Begin").click()
    worker.ready()
    assert worker.page.url.endswith("/work")
