// A list of any length of which only what is in sight is made. Short ones are made whole, so that the browser's own search
// and screen readers have all of it.

const WHOLE = 100;
const MARGIN = 600; // pixels above and below that are made beforehand

export class VirtualList {
  // make(segment, position, size) makes an element; guess() a function that says how high that of a segment may be.
  constructor(frame, feed, { make, guess }) {
    Object.assign(this, { frame, feed, make, guess });
    this.rows = new Int32Array(0);
    this.made = new Map(); // by position
    this.current = 0;
    this.whole = false;
    this.printed = false;
    frame.addEventListener("scroll", () => this.#later(), { passive: true });
    new ResizeObserver(() => this.#resized()).observe(frame);
  }

  get size() {
    return this.rows.length;
  }

  setRows(rows, { top = true } = {}) {
    const seen = this.rows[this.current];
    this.rows = rows;
    this.#clear();
    const guess = this.guess();
    this.heights = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) this.heights[i] = guess(rows[i]);
    this.#sum();
    this.whole = rows.length <= WHOLE;
    const again = top ? -1 : rows.indexOf(seen);
    this.current = Math.max(0, again);
    this.frame.scrollTop = again > 0 ? this.tops[again] : 0;
    this.draw();
  }

  #clear() {
    for (const element of this.made.values()) element.remove();
    this.made.clear();
  }

  #sum() {
    const tops = new Float64Array(this.heights.length + 1);
    for (let i = 0; i < this.heights.length; i++) tops[i + 1] = tops[i] + this.heights[i];
    this.tops = tops;
  }

  // The row that lies at a height: the last that begins at it or above.
  #at(height) {
    let [low, high] = [0, this.size - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= height) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  #later() {
    this.frameRequest ??= requestAnimationFrame(() => {
      this.frameRequest = null;
      this.draw();
    });
  }

  #resized() {
    if (this.frame.clientWidth === this.width) return this.#later();
    this.width = this.frame.clientWidth;
    return this.#later();
  }

  draw() {
    if (this.printed) return; // the frame is as high as the paper now, and all of it in sight
    if (this.size === 0) {
      this.#place(0, -1);
      return;
    }
    const top = this.frame.scrollTop;
    const first = this.whole ? 0 : this.#at(top - MARGIN);
    const last = this.whole ? this.size - 1 : this.#at(top + this.frame.clientHeight + MARGIN);
    const anchor = this.#at(top);
    const inside = top - this.tops[anchor];
    this.#keep(first, last);
    if (this.#measure(first, last)) {
      this.#place(first, last);
      const wanted = this.tops[anchor] + inside;
      if (Math.abs(wanted - top) >= 1) this.frame.scrollTop = wanted;
      if (!this.whole && this.tops[last + 1] < this.frame.scrollTop + this.frame.clientHeight && last < this.size - 1)
        this.#later();
    }
  }

  // Elements of the rows from first to last, and no others; the focus does not get lost with a row.
  #keep(first, last) {
    for (const [position, element] of this.made) {
      if (position >= first && position <= last) continue;
      if (element.contains(document.activeElement)) this.frame.focus({ preventScroll: true });
      element.remove();
      this.made.delete(position);
    }
    let next = this.feed.firstElementChild;
    for (let position = first; position <= last; position++) {
      let element = this.made.get(position);
      if (!element) {
        element = this.make(this.rows[position], position, this.size);
        this.made.set(position, element);
        this.feed.insertBefore(element, next);
      } else next = element.nextElementSibling;
    }
    this.#place(first, last);
  }

  #place(first, last) {
    this.feed.style.paddingTop = `${this.tops?.[first] ?? 0}px`;
    this.feed.style.paddingBottom = last < 0 ? "0" : `${this.tops[this.size] - this.tops[last + 1]}px`;
  }

  #measure(first, last) {
    let changed = false;
    for (let position = first; position <= last; position++) {
      const height = this.made.get(position).getBoundingClientRect().height;
      if (height > 0 && Math.abs(height - this.heights[position]) > 0.5) {
        this.heights[position] = height;
        changed = true;
      }
    }
    if (changed) this.#sum();
    return changed;
  }

  element(position) {
    return this.made.get(position) ?? null;
  }

  positionOf(segment) {
    return this.rows.indexOf(segment);
  }

  // Make a row again, as something about it changed.
  renew(position) {
    const old = this.made.get(position);
    if (!old) return;
    const element = this.make(this.rows[position], position, this.size);
    old.replaceWith(element);
    this.made.set(position, element);
    this.draw();
  }

  renewAll() {
    for (const position of [...this.made.keys()]) this.renew(position);
  }

  // Bring a row into sight, whole where it fits.
  show(position) {
    for (let tries = 0; tries < 4; tries++) {
      const [top, height] = [this.tops[position], this.heights[position]];
      const view = this.frame.clientHeight;
      const { scrollTop } = this.frame;
      if (top < scrollTop || height > view) this.frame.scrollTop = top;
      else if (top + height > scrollTop + view) this.frame.scrollTop = top + height - view;
      this.draw();
      if (this.tops[position] === top && this.heights[position] === height) break;
    }
  }

  focus(position) {
    if (this.size === 0) return;
    this.current = Math.max(0, Math.min(position, this.size - 1));
    this.show(this.current);
    this.element(this.current)?.focus({ preventScroll: true });
  }

  // On paper there is no scrolling: as many as fit on some pages.
  spread(most) {
    this.#clear();
    this.printed = true;
    const shown = Math.min(most, this.size);
    for (let position = 0; position < shown; position++) {
      const element = this.make(this.rows[position], position, this.size);
      this.made.set(position, element);
      this.feed.append(element);
    }
    Object.assign(this.feed.style, { paddingTop: "0", paddingBottom: "0" });
    return shown;
  }

  gather() {
    this.printed = false;
    this.#clear();
    this.draw();
  }
}
