// What is said of the mark that is being worked on: its severity, its category, or that it is none.

import { fill, h, keycap, unique } from "../dom.js";
import { named, t } from "../texts.js";
import { openGlossary } from "../work/dialogs.js";
import { categoryName, definition } from "./categories.js";

export class Panel {
  /** `told` has: marks, quote(mark), done(byMouse). */
  constructor(field, told) {
    Object.assign(this, { field, told });
    this.element = h("div", { class: "panel", role: "group", "aria-label": t("spans.panel"), onkeydown: (event) => this.key(event) });
    this.shown = null;
    this.opened = null;
    this.said = h("p", { class: "definition", "aria-hidden": "true" }); // each choice says its own to screen readers
    for (const sign of ["pointerover", "focusin"]) this.element.addEventListener(sign, (event) => this.define(event.target));
  }

  /** Say what a category means: the one that is pointed at, else the one that is chosen. */
  define(element) {
    const at = element?.closest?.(".chip")?.querySelector("[data-category]")?.dataset.category;
    const mark = this.told.marks.active;
    const category = at ?? (mark?.category || this.opened || "");
    const text = definition(this.field, category);
    fill(this.said, text && h("b", {}, categoryName(category)), text && `: ${text}`);
  }

  draw() {
    const mark = this.told.marks.active;
    const inside = this.element.contains(document.activeElement) ? document.activeElement.dataset?.part : null;
    if (mark !== this.shown) this.opened = null; // a category whose kinds are open, while none of them is chosen
    this.shown = mark;
    this.element.classList.toggle("open", Boolean(mark));
    if (!mark) {
      this.element.replaceChildren(h("p", { class: "hint" }, t("spans.hint")));
      return;
    }
    const [category, below] = mark.category.split("/");
    const chosen = this.field.categories.find(([name]) => name === (category || this.opened));
    fill(
      this.element,
      h("p", { class: "quote" }, t("spans.error", { number: this.told.marks.number(mark) }), ": ", this.told.quote(mark)),
      this.group("severity", t("spans.severity"), this.field.severities, mark.severity, (name, i) => [named("severity", name), String(i + 1)]),
      this.field.categories.length > 0 &&
        this.group("category", t("spans.category"), this.field.categories.map(([name]) => name), chosen?.[0], (name) => [named("category", name)]),
      chosen?.[1].length > 0 &&
        this.group("below", named("category", chosen[0]), chosen[1], below, (name) => [named("category", `${chosen[0]}/${name}`)], `${chosen[0]}/`),
      this.field.categories.length > 0 && this.said,
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", class: "small", "data-part": "done", onclick: () => this.told.done() }, t("spans.done"), " ", keycap("Enter")),
        h("button", { type: "button", class: "small quiet", "data-part": "remove", onclick: () => this.told.removed(mark) }, t("spans.remove"), " ", keycap("Del")),
        this.field.categories.length > 0 &&
          h("button", { type: "button", class: "small quiet", "data-part": "define", onclick: () => openGlossary(this.field) }, t("spans.definitions")),
      ),
    );
    this.define(null);
    if (inside) this.find(inside)?.focus();
  }

  group(part, title, names, current, texts, above = "") {
    const name = unique(part);
    return h(
      "fieldset",
      { class: `group ${part}` },
      h("legend", {}, title),
      h("div", { class: "chips" }, names.map((one, i) => {
        const [text, sign] = texts(one, i);
        const category = part === "severity" ? null : above + one;
        const input = h("input", {
          type: "radio",
          name,
          value: one,
          "data-part": part,
          "data-category": category,
          "aria-description": category && (definition(this.field, category) || null),
          checked: one === current,
          onclick: (event) => this.choose(part, one, event.detail > 0),
        });
        return h("label", { class: "chip", "data-level": part === "severity" ? this.told.level(one) : null }, input, h("span", {}, text), sign && keycap(sign));
      })),
    );
  }

  find(part) {
    const all = [...this.element.querySelectorAll(`[data-part="${part}"]`)];
    return all.find((one) => one.checked) ?? all[0];
  }

  choose(part, name, byMouse) {
    const mark = this.told.marks.active;
    if (!mark) return;
    if (part === "severity") this.told.marks.update(mark, { severity: name });
    if (part === "category") {
      const inner = this.field.categories.find(([one]) => one === name)[1];
      this.opened = name;
      // A category that has kinds of its own is not an answer yet.
      this.told.marks.update(mark, { category: inner.length ? "" : name });
    }
    if (part === "below") {
      const category = mark.category.split("/")[0] || this.opened;
      this.told.marks.update(mark, { category: `${category}/${name}` });
    }
    if (byMouse && this.isWhole(mark)) this.told.done(true);
  }

  isWhole(mark) {
    return Boolean(mark.severity) && (!this.field.categories.length || Boolean(mark.category));
  }

  /** Where to go on: what is not said yet. */
  focus() {
    const mark = this.told.marks.active;
    if (!mark) return;
    const part = !mark.severity ? "severity" : !this.field.categories.length || mark.category ? "done" : this.find("below") ? "below" : "category";
    this.find(part)?.focus();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const mark = this.told.marks.active;
    if (!mark) return;
    const taken = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    const isButton = event.target.tagName === "BUTTON";
    if (event.key === "Enter" && !isButton) {
      taken();
      this.told.done();
    } else if (event.key === "Escape") {
      taken();
      if (!mark.severity && !mark.category) this.told.removed(mark);
      else this.told.done();
    } else if (event.key === "Delete" || event.key === "Backspace") {
      taken();
      this.told.removed(mark);
    } else if (/^[1-9]$/.test(event.key) && this.field.severities[event.key - 1]) {
      taken();
      this.choose("severity", this.field.severities[event.key - 1], false);
      this.focus();
    } else if (event.key.length === 1 && event.key !== " " && this.jump(event)) {
      taken();
    }
  }

  /** A letter goes to the next choice that begins with it. */
  jump(event) {
    const part = event.target.dataset?.part === "below" ? "below" : "category";
    const choices = [...this.element.querySelectorAll(`[data-part="${part}"]`)];
    const at = choices.indexOf(document.activeElement);
    const wanted = event.key.toLowerCase();
    const found = [...choices.slice(at + 1), ...choices.slice(0, at + 1)].find((one) =>
      one.parentElement.textContent.trim().toLowerCase().startsWith(wanted),
    );
    if (!found) return false;
    found.focus();
    this.choose(part, found.value, false);
    return true;
  }
}
