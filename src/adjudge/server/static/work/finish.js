// What comes after the last item: another part, or thanks.

import { announce, h } from "../dom.js";
import { t } from "../texts.js";
import { fetchSheet } from "./fetching.js";

const part = (id) => document.getElementById(id);
const marketplace = whereTo();
const AGAIN = 30_000;
let forward = null; // what Enter does on the page that is shown
let timer = null;

export function hide() {
  forward = null;
  clearTimeout(timer);
}

export function goOn() {
  forward?.();
}

/** The hit is done: wait until everything is with the server, then say what comes. */
export async function show(desk) {
  desk.end();
  desk.saved.draw();
  desk.saved.note("");
  page(h("p", { class: "lead", role: "status" }, t("end.sending")));
  const settled = await sent(desk);
  if (desk.view) return;
  if (!settled) page(h("h2", { tabindex: -1 }, t("end.waiting.title")), h("p", { class: "lead" }, t("end.waiting")));
  await sent(desk, true);
  if (desk.view) return;
  let sheet;
  try {
    sheet = await fetchSheet();
  } catch {
    sheet = desk.sheet;
  }
  if (!desk.view) told(desk, sheet);
}

/** What comes next, as the server sees it. */
function told(desk, sheet) {
  const left = sheet.hits.filter((hit) => hit.answered < hit.tasks);
  desk.sheet.completion = sheet.completion;
  desk.hits = sheet.hits;
  hide();
  if (sheet.next_stage) nextStage(desk, sheet);
  else if (left.length) partDone(desk, sheet, left[0]);
  else if (sheet.more_later) later(desk);
  else if (!sheet.hits.length) nothing();
  else allDone(desk, sheet);
}

function page(...content) {
  const shown = h("article", { class: "end" }, ...content);
  part("main").replaceChildren(shown);
  scrollTo(0, 0);
  shown.querySelector("h2")?.focus({ preventScroll: true });
}

function nothing() {
  page(h("h2", { tabindex: -1 }, t("end.nothing.title")), h("p", { class: "lead" }, t("end.nothing")));
}

function partDone(desk, sheet, next) {
  const done = sheet.hits.length - sheet.hits.filter((hit) => hit.answered < hit.tasks).length;
  forward = () => desk.load(next.id);
  page(
    h("h2", { tabindex: -1 }, t("end.part.title", { done, all: sheet.hits.length })),
    h("p", { class: "lead" }, t("end.part")),
    codes(sheet),
    h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", onclick: forward }, t("end.part.next")), look(desk)),
  );
}

/** Editing is done: the same person goes on to judge what others edited. */
function nextStage(desk, sheet) {
  forward = async () => {
    try {
      const response = await fetch("/api/next-stage", { method: "POST", headers: { "X-CSRF-Token": desk.outbox.token } });
      if (!response.ok) throw new TypeError(response.statusText);
      location.assign((await response.json()).next);
    } catch {
      desk.saved.notice(t("boot.offline"));
    }
  };
  page(
    h("div", { class: "tick-mark", "aria-hidden": "true" }, "✓"),
    h("h2", { tabindex: -1 }, t("end.stage.title")),
    h("p", { class: "lead" }, t(`end.stage.${sheet.next_stage.protocol}`)),
    h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", onclick: () => forward() }, t("end.part.next")), look(desk)),
  );
}

/** Others are still at work on what is to be judged: look again from time to time. */
function later(desk) {
  const again = async (asked = true) => {
    clearTimeout(timer);
    const sheet = await fetchSheet().catch(() => null);
    if (desk.view || forward !== again) return;
    const next = sheet?.hits.find((hit) => hit.answered < hit.tasks);
    if (next && !desk.tasks.length) location.reload(); // it begins with the instructions
    else if (next && asked) desk.load(next.id);
    else if (sheet && (next || !sheet.more_later)) told(desk, sheet);
    else timer = setTimeout(again, AGAIN, false);
  };
  forward = again;
  timer = setTimeout(again, AGAIN, false);
  page(
    h("h2", { tabindex: -1 }, t("end.later.title")),
    h("p", { class: "lead" }, t("end.later")),
    h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", onclick: () => again() }, t("end.later.again")), desk.tasks.length > 0 && look(desk)),
  );
}

function allDone(desk, sheet) {
  const count = sheet.hits.reduce((sum, hit) => sum + hit.tasks, 0);
  page(
    h("div", { class: "tick-mark", "aria-hidden": "true" }, "✓"),
    h("h2", { tabindex: -1 }, t("end.title")),
    h("p", { class: "lead" }, sheet.annotator.kind === "demo" ? t("end.demo") : t("end.thanks", { n: count })),
    codes(sheet),
    h("div", { class: "buttons" }, look(desk)),
  );
}

/** Where this window's code goes in the end, as the link said; a reload and a jump within the page keep it. */
function whereTo() {
  const said = new URLSearchParams(location.hash.slice(1));
  try {
    if (said.get("to")) sessionStorage.setItem("marketplace", said.toString());
    return Object.fromEntries(new URLSearchParams(sessionStorage.getItem("marketplace") ?? ""));
  } catch {
    return Object.fromEntries(said); // a frame may be allowed to keep nothing
  }
}

/** A form that sends a code back to the marketplace which shows this page in a frame. */
function submission(completion) {
  const { to, assignment, hit } = marketplace;
  const own = completion.find((one) => one.hit === hit) ?? (hit ? null : completion[0]);
  if (!to || !own) return null;
  const field = (name, value) => h("input", { type: "hidden", name, value });
  return h("form", { method: "post", action: to, class: "buttons" },
    field("assignmentId", assignment), field("hit", own.hit), field("code", own.code),
    h("button", { type: "submit", class: "primary" }, t("end.submit")));
}

/** The codes of what is done, each to be copied; named only where there are several. */
function codes({ completion = [] }) {
  if (!completion.length) return null;
  return h("div", { class: "codes" },
    h("p", {}, completion.length > 1 ? t("end.codes") : t("end.code")),
    completion.map(({ hit, code }) => {
      const copy = async ({ currentTarget }) => {
        await navigator.clipboard.writeText(code);
        currentTarget.textContent = t("end.copied");
        announce(t("end.copied"));
      };
      return h("div", { class: "code" },
        completion.length > 1 && h("span", { class: "hint" }, hit),
        h("code", { dir: "ltr" }, code),
        navigator.clipboard && h("button", { type: "button", onclick: copy, "aria-label": t("end.copy.label", { code }) }, t("end.copy")));
    }),
    submission(completion));
}

function look(desk) {
  if (!desk.campaign.corrections) return null;
  const first = () => desk.tasks[0] && desk.show(desk.tasks[0]);
  return h("button", { type: "button", onclick: first }, t("end.look"));
}

/** Whether everything is sent: within a moment, or whenever it will be. */
function sent(desk, patiently = false) {
  const { outbox } = desk;
  if (!outbox.count()) return Promise.resolve(true);
  return new Promise((resolve) => {
    const look = () => {
      if (outbox.count() && !desk.view) return;
      outbox.removeEventListener("change", look);
      resolve(true);
    };
    outbox.addEventListener("change", look);
    if (!patiently) setTimeout(() => { outbox.removeEventListener("change", look); resolve(outbox.count() === 0); }, 1500);
  });
}
