// A text in which errors are marked: with the mouse, with a finger, and word by word (or letter by letter) from the
// keyboard. To screen readers it is a list of words of which some in a row are selected.

import { counted } from "../codepoints.js";
import { announce, h, tongue, unique } from "../dom.js";
import { t } from "../texts.js";
import { letters, words } from "../words.js";

export class Surface {
  /** `told` has: marks, level(severity), describe(mark), chosen() once something is selected, quick(digit). */
  constructor({ text, language, side, segment, missing, label, told }) {
    Object.assign(this, { text, language, side, segment, missing, told });
    this.count = counted(text);
    this.id = unique("surface");
    this.cursor = 0;
    this.anchor = null; // where a selection began, a number of a unit
    this.drag = null;
    this.element = h("div", {
      class: "reading surface",
      id: this.id,
      role: "listbox",
      tabindex: 0,
      "aria-multiselectable": "true",
      "aria-label": label,
      ...tongue(language),
      onkeydown: (event) => this.key(event) && (event.preventDefault(), event.stopPropagation()),
      onpointerdown: (event) => this.press(event),
      onpointermove: (event) => this.move(event),
      onpointerup: (event) => this.release(event),
      onpointercancel: () => this.abandon(),
      onfocus: () => this.draw(),
      onblur: () => { this.anchor = null; this.draw(); },
    });
    this.letterwise = false;
    this.split();
    told.marks.addEventListener("change", () => this.draw());
  }

  /** Select by letters, or by words. */
  by(letterwise) {
    const place = this.units[this.cursor]?.start ?? 0;
    this.letterwise = letterwise;
    this.split();
    this.cursor = Math.max(0, this.units.findIndex((unit) => unit.end > place));
    this.draw();
  }

  split() {
    const cut = this.letterwise ? letters : words;
    this.units = cut(this.text, this.language.code);
    if (this.missing) this.units.push({ start: null, end: null });
    this.anchor = null;
  }

  get mine() {
    return this.told.marks.on(this.side, this.segment);
  }

  /** The marks that cover a place, the shortest last. */
  covering(start, end) {
    const { units } = this.count;
    return this.mine
      .filter((mark) => mark.start !== null && units[mark.start] < end && units[mark.end] > start)
      .sort((a, b) => b.end - b.start - (a.end - a.start));
  }

  marksAt(number) {
    const unit = this.units[number];
    if (!unit) return [];
    return unit.start === null ? this.mine.filter((mark) => mark.start === null) : this.covering(unit.start, unit.end);
  }

  // Drawing

  draw() {
    const { units } = this.count;
    const edges = new Set(this.mine.flatMap((mark) => (mark.start === null ? [] : [units[mark.start], units[mark.end]])));
    const [from, to] = this.selection();
    const parts = [];
    let drawn = 0;
    this.units.forEach((unit, number) => {
      if (unit.start === null) {
        parts.push(this.gap(drawn, this.text.length, edges), " ", this.missingToken(number));
        drawn = this.text.length;
        return;
      }
      if (unit.start > drawn) parts.push(this.gap(drawn, unit.start, edges, number > from && number <= to));
      parts.push(this.option(number, unit, edges, number >= from && number <= to));
      drawn = unit.end;
    });
    if (drawn < this.text.length) parts.push(this.gap(drawn, this.text.length, edges));
    this.element.replaceChildren(...parts);
    const active = this.units.length ? `${this.id}-${this.cursor}` : null;
    if (active) this.element.setAttribute("aria-activedescendant", active);
  }

  option(number, { start, end }, edges, selected) {
    const marks = this.covering(start, end);
    const element = h("span", {
      role: "option",
      id: `${this.id}-${number}`,
      "data-unit": number,
      class: `unit ${selected ? "selected" : ""} ${number === this.cursor ? "cursor" : ""}`,
      "aria-selected": String(selected),
      "aria-label": marks.length ? `${this.text.slice(start, end)} (${marks.map((mark) => this.told.describe(mark)).join("; ")})` : null,
    });
    element.append(...this.pieces(start, end, edges));
    return element;
  }

  gap(start, end, edges, selected = false) {
    if (end <= start) return "";
    return h("span", { role: "presentation", class: `gap ${selected ? "selected" : ""}` }, ...this.pieces(start, end, edges));
  }

  /** A stretch of text, cut wherever a mark begins or ends. */
  pieces(start, end, edges) {
    const cuts = [start, ...[...edges].filter((edge) => edge > start && edge < end).sort((a, b) => a - b), end];
    return cuts.slice(1).map((to, i) => {
      const from = cuts[i];
      const marks = this.covering(from, to);
      const text = this.text.slice(from, to);
      if (!marks.length) return text;
      const begins = marks.filter((mark) => this.count.units[mark.start] === from);
      const active = marks.includes(this.told.marks.active);
      return h(
        "span",
        {
          class: `marked ${active ? "active" : ""} ${marks.length > 1 ? "overlapping" : ""}`,
          "data-level": Math.max(...marks.map((mark) => this.told.level(mark.severity))),
        },
        begins.map((mark) => badge(mark, this.told)),
        text,
      );
    });
  }

  missingToken(number) {
    const marks = this.mine.filter((mark) => mark.start === null);
    return h(
      "span",
      {
        role: "option",
        id: `${this.id}-${number}`,
        "data-unit": number,
        class: `unit missing ${number === this.cursor ? "cursor" : ""} ${marks.length ? "marked" : ""}`,
        "data-level": marks.length ? Math.max(...marks.map((mark) => this.told.level(mark.severity))) : null,
        "aria-selected": "false",
        lang: document.documentElement.lang,
        dir: "auto",
        "aria-label": [t("spans.missing-long"), ...marks.map((mark) => this.told.describe(mark))].join("; "),
      },
      marks.map((mark) => badge(mark, this.told)),
      t("spans.missing"),
    );
  }

  // Selecting

  /** The first and the last unit of what is selected; nothing is [0, -1]. */
  selection() {
    if (this.anchor === null) return [0, -1];
    const last = this.missing ? this.units.length - 2 : this.units.length - 1;
    return [Math.min(this.anchor, this.cursor, last), Math.min(Math.max(this.anchor, this.cursor), last)];
  }

  /** Mark what lies between two units. */
  mark(from, to, values = {}) {
    this.anchor = null;
    if (this.units[to].start === null) {
      if (from !== to) return this.mark(from, to - 1, values);
      return this.begin(null, null, values);
    }
    const { points } = this.count;
    return this.begin(points.get(this.units[from].start), points.get(this.units[to].end), values);
  }

  begin(start, end, values) {
    return this.told.marks.add({ start, end, side: this.side, segment: this.segment, ...values });
  }

  /** A mark that was just made: nothing is said of it yet, so that another word makes it longer. */
  fresh() {
    const { active } = this.told.marks;
    return active && !active.severity && !active.category && active.start !== null && this.mine.includes(active) ? active : null;
  }

  unitAt(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-unit]");
    if (found && this.element.contains(found)) return Number(found.dataset.unit);
    return null;
  }

  press(event) {
    if (event.button !== 0) return;
    const number = this.unitAt(event);
    if (number === null) return;
    event.preventDefault();
    this.element.focus({ preventScroll: true });
    this.element.setPointerCapture(event.pointerId);
    this.drag = { number, moved: false, shift: event.shiftKey };
    this.cursor = number;
    this.draw();
  }

  move(event) {
    if (!this.drag) return;
    const number = this.unitAt(event);
    if (number === null || (number === this.drag.number && !this.drag.moved)) return;
    this.drag.moved = true;
    this.anchor = this.drag.number;
    this.cursor = number;
    this.draw();
  }

  release() {
    if (!this.drag) return;
    const { number, moved, shift } = this.drag;
    this.drag = null;
    const fresh = this.fresh();
    if (moved) {
      const [from, to] = this.selection();
      if (fresh) this.told.marks.remove(fresh);
      if (to >= from) this.mark(from, to);
    } else {
      this.tap(number, fresh, shift);
    }
    this.told.chosen(false);
  }

  /** A word that is touched: it makes a new mark longer, opens a mark that is there, or begins one. */
  tap(number, fresh, shift) {
    const unit = this.units[number];
    const { points } = this.count;
    const marks = this.marksAt(number);
    if (fresh && unit.start !== null) {
      const [start, end] = [points.get(unit.start), points.get(unit.end)];
      if (fresh.start === start && fresh.end === end && !shift) this.told.marks.remove(fresh);
      else if (start >= fresh.start && end <= fresh.end) this.told.marks.update(fresh, { start, end });
      else this.told.marks.update(fresh, { start: Math.min(start, fresh.start), end: Math.max(end, fresh.end) });
    } else if (marks.length && unit.start !== null) {
      const at = marks.indexOf(this.told.marks.active);
      this.told.marks.activate(marks.at(at < 0 ? -1 : at - 1)); // once more goes on to the mark beneath
    } else {
      this.mark(number, number);
    }
  }

  abandon() {
    this.drag = null;
    this.anchor = null;
    this.draw();
  }

  // Keys

  key(event) {
    const { key, shiftKey } = event;
    const command = event.ctrlKey || event.metaKey;
    if (command && key.toLowerCase() === "a") {
      this.anchor = 0;
      this.cursor = Math.max(0, this.units.length - (this.missing ? 2 : 1));
      this.draw();
      return true;
    }
    if (command && key.toLowerCase() === "z") return this.told.marks.undo() || true;
    if (command || event.altKey) return false;
    const forward = this.element.dir === "rtl" || getComputedStyle(this.element).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const last = this.units.length - 1;
    if (key === "ArrowLeft" || key === "ArrowRight") return this.go(this.cursor + (key === forward ? 1 : -1), shiftKey);
    if (key === "ArrowUp" || key === "ArrowDown") return this.go(this.line(key === "ArrowUp" ? -1 : 1), shiftKey);
    if (key === "Home") return this.go(0, shiftKey);
    if (key === "End") return this.go(last, shiftKey);
    // Without a selection Enter goes on to the next item, and a digit may be meant for a score.
    if (key === " " || (key === "Enter" && this.anchor !== null)) return this.take();
    if (/^[1-9]$/.test(key) && this.anchor !== null) return this.quick(Number(key));
    if (key === "Delete" || key === "Backspace") return this.drop();
    if (key === "Escape" && this.anchor !== null) {
      this.abandon();
      return true;
    }
    return false;
  }

  go(number, extend) {
    const to = Math.min(Math.max(0, number), this.units.length - 1);
    if (!extend) this.anchor = null;
    else this.anchor ??= this.cursor;
    this.cursor = to;
    this.draw();
    const element = this.element.querySelector(`[data-unit="${to}"]`);
    element?.scrollIntoView({ block: "nearest" });
    const [from, until] = this.selection();
    if (until >= from) announce(this.text.slice(this.units[from].start, this.units[until].end));
    return true;
  }

  /** The unit above or below the cursor. */
  line(step) {
    const boxes = [...this.element.querySelectorAll("[data-unit]")].map((one) => one.getClientRects()[0]);
    const here = boxes[this.cursor];
    const middle = here.left + here.width / 2;
    const onward = (box) => (step > 0 ? box.top >= here.bottom - 2 : box.bottom <= here.top + 2);
    const tops = boxes.filter(onward).map((box) => box.top);
    if (!tops.length) return step > 0 ? this.units.length - 1 : 0;
    const top = step > 0 ? Math.min(...tops) : Math.max(...tops);
    let best = this.cursor;
    let nearest = Infinity;
    boxes.forEach((box, i) => {
      const distance = Math.abs(box.left + box.width / 2 - middle);
      if (Math.abs(box.top - top) < 4 && distance < nearest) [best, nearest] = [i, distance];
    });
    return best;
  }

  take(values) {
    const [from, to] = this.selection();
    const marks = this.marksAt(this.cursor);
    if (to >= from) this.mark(from, to, values);
    else if (marks.length && this.units[this.cursor].start !== null) {
      if (values) this.told.marks.update(marks.at(-1), values);
      this.told.marks.activate(marks.at(-1));
    } else this.mark(this.cursor, this.cursor, values);
    this.told.chosen(true);
    return true;
  }

  quick(digit) {
    const severity = this.told.severity(digit);
    return severity ? this.take({ severity }) : false;
  }

  drop() {
    const mark = this.marksAt(this.cursor).at(-1);
    if (!mark) return false;
    const said = this.told.describe(mark);
    this.told.marks.remove(mark);
    announce(t("spans.removed", { error: said }));
    return true;
  }
}

function badge(mark, told) {
  return h("sup", { class: "badge", "aria-hidden": "true" }, String(told.marks.number(mark)));
}
