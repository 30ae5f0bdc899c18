// Errors that are marked: where, how severe, of which kind. Places are code points, as the server counts them.

const KEPT = 100;

export class Marks extends EventTarget {
  constructor() {
    super();
    this.list = [];
    this.active = null;
    this.before = [];
  }

  /** Begin a mark; it becomes the active one. */
  add(mark) {
    this.remember();
    const whole = { severity: "", category: "", ...mark };
    this.list.push(whole);
    this.sort();
    this.active = whole;
    this.changed();
    return whole;
  }

  update(mark, values) {
    this.remember();
    Object.assign(mark, values);
    this.sort();
    this.changed();
  }

  remove(mark) {
    this.remember();
    this.list = this.list.filter((one) => one !== mark);
    if (this.active === mark) this.active = null;
    this.changed();
  }

  /** Work on a mark, or on none; nothing about the answer changes. */
  activate(mark) {
    this.active = mark;
    this.changed(false);
  }

  /** Take the last step back; false where there is none. */
  undo() {
    const last = this.before.pop();
    if (!last) return false;
    this.list = JSON.parse(last);
    this.active = null;
    this.changed();
    return true;
  }

  remember() {
    this.before.push(JSON.stringify(this.list));
    if (this.before.length > KEPT) this.before.shift();
  }

  sort() {
    const side = { source: 1, target: 0 };
    this.list.sort(
      (a, b) =>
        a.segment - b.segment ||
        side[a.side] - side[b.side] ||
        (a.start ?? Infinity) - (b.start ?? Infinity) ||
        (b.end ?? 0) - (a.end ?? 0) ||
        0,
    );
  }

  on(side, segment) {
    return this.list.filter((mark) => mark.side === side && mark.segment === segment);
  }

  number(mark) {
    return this.list.indexOf(mark) + 1;
  }

  replace(list) {
    this.list = list.map((mark) => ({ segment: 0, side: "target", ...mark }));
    this.active = null;
    this.before = [];
    this.sort();
    this.changed(false);
  }

  changed(told = true) {
    this.dispatchEvent(new CustomEvent("change", { detail: { told } }));
  }
}
