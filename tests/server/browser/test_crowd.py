"""A worker of a marketplace in a real browser: from the link to the code that is handed in."""

import served
from adjudge.human.crowd import completion_code, worker_name
from browsing import numbers


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
