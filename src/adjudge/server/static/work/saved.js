// What stands around an item: how far somebody has come, whether everything is saved, what is missing.

import { h } from "../dom.js";
import { t } from "../texts.js";

const part = (id) => document.getElementById(id);

export class Saved {
  constructor(desk) {
    this.desk = desk;
    this.told = null; // a notice that stays until it is closed
    desk.outbox.addEventListener("change", () => this.draw());
    addEventListener("beforeunload", (event) => {
      const { outbox } = desk;
      if (outbox.count() && outbox.state !== "sending" && outbox.state !== "saved") event.preventDefault();
    });
  }

  draw() {
    const { desk } = this;
    if (!desk.tasks) return;
    this.drawState();
    this.drawBanner();
    const all = desk.tasks.length;
    part("progress").max = Math.max(1, all);
    part("progress").value = desk.answered;
    part("progress-text").textContent = t("progress", { done: desk.answered, all });
    const hit = desk.hits.findIndex((one) => one.id === desk.hit);
    part("part").hidden = desk.hits.length < 2 || hit < 0;
    part("part").textContent = t("part.of", { number: hit + 1, all: desk.hits.length });
    const { corrections } = desk.campaign;
    const place = desk.view ? desk.tasks.indexOf(desk.task) : all;
    part("back").hidden = !corrections;
    part("back").disabled = place === 0;
    part("undo").hidden = !corrections;
    part("undo").disabled = !desk.trail.length && !desk.tasks.slice(0, place).some((task) => task.answer);
    part("overview").hidden = !all;
    const open = desk.view && desk.wasAnswered && desk.open && desk.open !== desk.task;
    part("to-open").hidden = !open;
    part("footer").hidden = !desk.view;
    part("next-text").textContent = this.nextText();
  }

  nextText() {
    const { desk } = this;
    if (!desk.view || desk.feedback) return t("next");
    if (desk.view.hidden) return t("next.reveal");
    if (desk.wasAnswered) return desk.isChanged ? t("next.correct") : t("next");
    const [only] = desk.campaign.fields;
    if (desk.campaign.fields.length === 1 && only.widget === "spans" && !desk.view.value()[only.name].length) return t("next.no-errors");
    return t("next.save");
  }

  drawState() {
    const { outbox, shelf } = this.desk;
    const n = outbox.count();
    const state = n === 0 && outbox.state !== "withdrawn" ? "saved" : outbox.state === "saved" ? "sending" : outbox.state;
    const chip = part("saved");
    const text = { saved: t("saved.saved"), sending: t("saved.sending") }[state] ?? t("saved.waiting", { n });
    if (chip.dataset.state !== state || chip.lastElementChild.textContent !== text) {
      chip.dataset.state = state;
      chip.lastElementChild.textContent = text;
      // What is as it should be is not spoken each time.
      chip.setAttribute("aria-live", state === "saved" || state === "sending" ? "off" : "polite");
    }
    part("keeps-nothing").hidden = shelf.lasting;
  }

  drawBanner() {
    const { outbox, campaign, sheet } = this.desk;
    const n = outbox.count();
    const status = campaign.status === "running" && outbox.state === "paused" ? "paused" : campaign.status;
    let said = null;
    if (["signed-out", "someone-else", "withdrawn"].includes(outbox.state)) said = ["bad", t(`banner.${outbox.state}`, { n })];
    else if (status === "closed") said = ["warn", t("banner.closed")];
    else if (status === "paused") said = ["warn", t("banner.paused")];
    else if (n && outbox.state === "waiting") said = ["warn", t("banner.waiting", { n })];
    else if (sheet.annotator.kind === "demo") said = ["calm", t("banner.demo")];
    const banner = part("banner");
    const text = said?.[1] ?? "";
    if (banner.textContent !== text) banner.textContent = text;
    banner.className = `banner ${said?.[0] ?? ""}`;
    banner.hidden = !said;
  }

  /** What is missing before somebody can go on; spoken at once. */
  note(text) {
    if (part("note").textContent !== text) part("note").textContent = text;
  }

  /** Something to be read and closed. */
  notice(text, ...more) {
    const close = h("button", { type: "button", class: "icon", "aria-label": t("close"), onclick: () => box.remove() }, "×");
    const box = h("div", { class: "notice", role: "alert" }, h("p", {}, text), ...more, close);
    part("notices").replaceChildren(box);
  }
}
