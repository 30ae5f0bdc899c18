// The time somebody works on an item: a pause counts up to the idle limit, a page that is not seen does not count.

const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchmove", "input"];

export class Stopwatch {
  constructor(idleSeconds) {
    this.idle = idleSeconds * 1000;
    this.counted = 0;
    this.since = null; // the last sign of somebody; none while nobody can be there
    this.running = false;
    for (const sign of SIGNS) addEventListener(sign, () => this.note(), { capture: true, passive: true });
    document.addEventListener("visibilitychange", () => this.seen(!document.hidden));
    addEventListener("pagehide", () => this.seen(false));
    addEventListener("pageshow", () => this.seen(!document.hidden));
  }

  /** Begin with an item on which so many seconds were spent before. */
  start(seconds = 0) {
    this.counted = seconds * 1000;
    this.running = true;
    this.since = document.hidden ? null : performance.now();
  }

  stop() {
    this.seen(false);
    this.running = false;
  }

  /** What has been spent so far; asking is no sign of life. */
  get seconds() {
    return Math.round(this.counted + this.pending()) / 1000;
  }

  pending() {
    return this.since === null ? 0 : Math.min(performance.now() - this.since, this.idle);
  }

  note() {
    if (this.since === null) return;
    this.counted += this.pending();
    this.since = performance.now();
  }

  seen(visible) {
    if (!visible) {
      this.counted += this.pending();
      this.since = null;
    } else if (this.running && this.since === null) {
      this.since = performance.now();
    }
  }
}
