// Somebody's work on a hit: which item is on the screen, what was answered, what goes on its way.

import { announce, h } from "../dom.js";
import { Shelf } from "../shelf.js";
import { t } from "../texts.js";
import { showFeedback } from "./feedback.js";
import { fetchSheet } from "./fetching.js";
import * as finish from "./finish.js";
import { ItemView } from "./item.js";
import { newer, refreshed } from "./newer.js";
import { newKey, Outbox } from "./outbox.js";
import { Saved } from "./saved.js";
import { Stopwatch } from "./stopwatch.js";

const AUTOSAVE = 300;
const TWICE = 400;
const FEEDBACK_PATIENCE = 8000;
const FORGOTTEN = 120 * 86_400;
const part = (id) => document.getElementById(id);

export class Desk {
  constructor(sheet, token) {
    this.shelf = new Shelf(`adjudge.${sheet.annotator.key}`);
    this.outbox = new Outbox(this.shelf, { token, person: sheet.annotator.key, name: sheet.annotator.name });
    this.watch = new Stopwatch(sheet.campaign.idle_seconds);
    this.saved = new Saved(this);
    this.trail = []; // what was answered since the page was opened, for undo
    this.view = null;
    this.lay(sheet);
    this.outbox.addEventListener("refused", ({ detail }) => this.refused(detail));
    this.outbox.addEventListener("status", ({ detail }) => {
      this.campaign.status = detail;
      this.saved.draw();
    });
    this.sweep();
    this.channel = globalThis.BroadcastChannel ? new BroadcastChannel(this.shelf.prefix) : null;
    this.channel?.addEventListener("message", ({ data }) => this.heard(data));
    addEventListener("pagehide", () => this.keepDraft());
    document.addEventListener("visibilitychange", () => document.hidden && this.keepDraft());
    this.outbox.flush();
  }

  /** Drafts that nobody came back to are not kept forever. */
  sweep() {
    for (const name of this.shelf.names("draft.")) {
      if (!(this.shelf.get(name)?.started > Date.now() / 1000 - FORGOTTEN)) this.shelf.delete(name);
    }
  }

  /** Put a hit on the desk; answers that are still on their way count as given. */
  lay(sheet) {
    Object.assign(this, { sheet, campaign: sheet.campaign, tasks: sheet.tasks, hits: sheet.hits, hit: sheet.hit });
    for (const entry of this.outbox.entries()) this.apply(entry);
    document.title = sheet.campaign.title;
    this.saved.draw();
  }

  apply({ kind, task, answer, seconds, key }) {
    const found = this.tasks.find((one) => one.id === task);
    if (!found) return null;
    found.answer = kind === "undo" ? null : answer;
    found.seconds = seconds ?? found.seconds;
    found.revision = key ?? found.revision;
    return found;
  }

  get open() {
    return this.tasks.find((task) => !task.answer) ?? null;
  }

  get answered() {
    return this.tasks.filter((task) => task.answer).length;
  }

  canVisit(task) {
    return task === this.task || task === this.open || (Boolean(task.answer) && this.campaign.corrections);
  }

  /** Begin where somebody was in this tab, else with the first item that is open. */
  begin() {
    const place = Number(session("at", this.shelf.prefix));
    const known = this.tasks.find((task) => task.id === place);
    const task = known && this.canVisit(known) ? known : this.open;
    const isOver = this.campaign.status === "closed" && this.sheet.next_stage;
    if (task && !isOver) this.show(task);
    else finish.show(this);
  }

  async load(hit) {
    this.leave();
    try {
      this.lay(await fetchSheet(hit));
      this.begin();
    } catch {
      this.saved.notice(t("boot.offline"));
      if (this.task) this.show(this.task);
    }
  }

  // One item

  show(task, { quietly = false } = {}) {
    this.leave();
    this.task = task;
    this.feedback = false;
    const draft = this.shelf.get(`draft.${task.id}`);
    const view = new ItemView(this.campaign, this.tasks, task, {
      changed: () => this.changed(),
      go: (other) => this.show(other),
      canVisit: (other) => this.canVisit(other),
    });
    view.set(task.answer);
    if (task.answer && view.hidden) view.reveal(false);
    this.baseline = JSON.stringify(view.value());
    if (draft?.answer) {
      view.set(draft.answer);
      if (draft.revealed && view.hidden) view.reveal(false);
    }
    this.started = draft?.started ?? Date.now() / 1000;
    this.after = draft?.after ?? task.revision; // what is typed here was typed in sight of that
    this.wasAnswered = Boolean(task.answer);
    this.view = view;
    this.shownAt = performance.now();
    finish.hide();
    part("main").replaceChildren(view.element);
    this.watch.start(draft?.seconds ?? task.seconds ?? 0);
    session("at", this.shelf.prefix, task.id);
    this.changed(false);
    if (view.neighbours.length > 1) view.current.scrollIntoView({ block: "start" });
    else scrollTo(0, 0);
    if (!quietly) view.heading.focus({ preventScroll: true });
    if (this.after !== task.revision) newer(this, task);
  }

  /** Nothing is shown any more: whoever loads the page again comes to the end, not to the last item. */
  end() {
    this.leave();
    this.task = null;
    session("at", this.shelf.prefix, "");
  }

  leave() {
    clearTimeout(this.timer);
    this.keepDraft();
    this.watch.stop();
    this.view = null;
  }

  get isChanged() {
    return this.view !== null && JSON.stringify(this.view.value()) !== this.baseline;
  }

  changed(told = true) {
    this.saved.draw();
    if (!told) return;
    this.saved.note("");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keepDraft(), AUTOSAVE);
  }

  keepDraft() {
    if (!this.view || this.feedback || (this.wasAnswered && !this.isChanged)) return;
    const draft = { answer: this.view.value(), seconds: this.watch.seconds, started: this.started, after: this.after, revealed: !this.view.hidden };
    this.shelf.set(`draft.${this.task.id}`, draft);
  }

  // Going on

  next() {
    const { view } = this;
    if (!view) return finish.goOn(this);
    const missing = this.feedback ? null : view.missing();
    if (missing) {
      missing.focus();
      this.saved.note(missing.text);
      return null;
    }
    if (view.hidden) {
      view.reveal();
      this.changed();
      announce(t(`revealed.${this.campaign.against}`));
      view.fields[1].widget.element.querySelector("input")?.focus({ preventScroll: true });
      return null;
    }
    if (this.feedback || (this.wasAnswered && !this.isChanged)) return this.goOn();
    // Where “no errors” is an answer, a key that was pressed twice must not give it.
    if (!this.isChanged && performance.now() - this.shownAt < TWICE) return null;
    return this.submit();
  }

  submit() {
    const { task, view } = this;
    const answer = view.value();
    const seconds = this.watch.seconds;
    const key = newKey();
    const told = this.outbox.add({ kind: "answer", key, task: task.id, answer, after: this.after, seconds, started: this.started });
    clearTimeout(this.timer);
    this.shelf.delete(`draft.${task.id}`);
    this.apply({ kind: "answer", task: task.id, answer, seconds, key });
    this.after = key;
    this.trail.push(task.id);
    this.channel?.postMessage({ task: task.id, answer, seconds, key });
    this.baseline = JSON.stringify(answer);
    if (task.tutorial) return this.awaitFeedback(told);
    announce(t("saved.announced"));
    return this.goOn();
  }

  goOn() {
    const place = this.tasks.indexOf(this.task);
    const onwards = this.tasks[place + 1];
    this.wasAnswered = true;
    const next = onwards && this.canVisit(onwards) ? onwards : this.open;
    if (next) this.show(next);
    else finish.show(this);
  }

  toOpen() {
    if (this.open) this.show(this.open);
  }

  back() {
    const place = this.view ? this.tasks.indexOf(this.task) : this.tasks.length;
    const before = this.tasks[place - 1];
    if (before && this.campaign.corrections) this.show(before);
  }

  /** Take the last answer back; it stays on the screen, to be given anew. */
  undo() {
    if (!this.campaign.corrections) return;
    const place = this.view ? this.tasks.indexOf(this.task) : this.tasks.length;
    const last = this.trail.pop();
    const task = this.tasks.find((one) => one.id === last) ?? this.tasks.slice(0, place).findLast((one) => one.answer);
    if (!task?.answer) return;
    this.leave();
    const { answer, seconds, revision } = task;
    const key = newKey();
    this.outbox.add({ kind: "undo", key, task: task.id, after: revision });
    this.apply({ kind: "undo", task: task.id, key });
    this.channel?.postMessage({ task: task.id, answer: null, key });
    this.shelf.set(`draft.${task.id}`, { answer, seconds: seconds ?? 0, started: Date.now() / 1000, after: key, revealed: true });
    this.show(task);
    this.saved.note(t("undone"));
  }

  // What comes from elsewhere

  async awaitFeedback(told) {
    this.feedback = true;
    this.watch.stop();
    this.saved.draw();
    const slow = new Promise((resolve) => {
      setTimeout(resolve, FEEDBACK_PATIENCE, null);
      this.outbox.addEventListener("change", () => this.outbox.state === "waiting" && resolve(null));
    });
    const said = await Promise.race([told.catch(() => null), slow]);
    if (this.feedback && this.view) showFeedback(this.view, said?.feedback ?? null);
  }

  /** Another tab answered. */
  heard({ task, answer, seconds, key }) {
    const found = this.apply({ kind: answer ? "answer" : "undo", task, answer, seconds, key });
    if (found && found === this.task && this.view && !this.feedback) {
      if (this.isChanged) newer(this, found);
      else {
        this.showAnew(found);
        this.saved.note(t("other-tab"));
      }
    }
    this.saved.draw();
  }

  /** Show what counts now; what lies here is no draft any more. */
  showAnew(task) {
    this.view = null;
    clearTimeout(this.timer);
    this.shelf.delete(`draft.${task.id}`); // the other tab did so too, but this one may not know it yet
    this.show(task, { quietly: true });
  }

  /** The server will not take an answer: it becomes a draft again, and somebody is told. */
  async refused({ entry, error }) {
    if (error.code === "newer") {
      await refreshed(this);
      newer(this, this.tasks.find((one) => one.id === entry.task), entry);
      return;
    }
    const task = this.tasks.find((one) => one.id === entry.task);
    if (task?.revision === entry.key) task.revision = entry.after ?? task.revision;
    if (entry.kind === "undo" || !task || error.code === "answered") {
      this.saved.notice(error.message);
      return;
    }
    task.answer = null;
    this.shelf.set(`draft.${task.id}`, { answer: entry.answer, seconds: entry.seconds, started: entry.started, after: entry.after, revealed: true });
    const number = this.tasks.indexOf(task) + 1;
    const go = h("button", { type: "button", class: "small", onclick: () => this.show(task) }, t("refused.go"));
    this.saved.notice(t("refused", { number, message: error.message }), go);
  }
}

/** What this tab alone remembers. */
function session(name, prefix, value) {
  try {
    if (value === undefined) return sessionStorage.getItem(prefix + name);
    sessionStorage.setItem(prefix + name, value);
  } catch {
    // Then every tab begins with the first item that is open.
  }
  return null;
}
