// Answers on their way. Each is kept in the browser until the server says that it has it, and they are sent in order,
// under a key of their own: sent twice, one counts once. Tabs take turns.

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 60_000;
const PATIENCE = 20_000;

/** What the state of the box can be: saved, sending, waiting, paused, signed-out, someone-else, withdrawn. */
export class Outbox extends EventTarget {
  constructor(shelf, { token, person, name }) {
    super();
    this.shelf = shelf;
    this.token = token;
    this.person = person;
    this.name = name;
    this.state = "saved";
    this.waits = 0;
    this.timer = null;
    this.listeners = new Map();
    addEventListener("online", () => this.flush());
    addEventListener("offline", () => this.count() && this.become("waiting"));
    document.addEventListener("visibilitychange", () => document.hidden || this.flush());
    addEventListener("storage", (event) => event.key?.startsWith(`${shelf.prefix}out.`) && this.elsewhere());
  }

  names() {
    return this.shelf.names("out.");
  }

  count() {
    return this.names().length;
  }

  /** What is still to be sent, the oldest first. */
  entries() {
    return this.names().map((name) => this.shelf.get(name)).filter(Boolean);
  }

  /** Keep an answer (or an undo) and send it; resolves with the server's word once it has it. */
  add(entry) {
    const last = this.names().at(-1)?.split(".")[1] ?? "0";
    const order = Math.max(Date.now(), Number(last) + 1);
    const whole = { key: newKey(), ...entry };
    const told = new Promise((resolve, reject) => this.listeners.set(whole.key, { resolve, reject }));
    told.catch(() => {});
    this.shelf.set(`out.${String(order).padStart(15, "0")}.${whole.key}`, whole);
    this.flush();
    return told;
  }

  /** Send what there is; safe to call at any time. */
  async flush() {
    clearTimeout(this.timer);
    if (this.sending) {
      this.again = true;
      return;
    }
    this.sending = true;
    try {
      do {
        this.again = false;
        await inTurn(`${this.shelf.prefix}sending`, () => this.sendAll());
      } while (this.again);
    } finally {
      this.sending = false;
    }
  }

  async sendAll() {
    for (let name = this.names()[0]; name; name = this.names()[0]) {
      const entry = this.shelf.get(name);
      if (!entry) {
        this.shelf.delete(name);
        continue;
      }
      if (this.state === "saved") this.become("sending");
      const outcome = await this.send(entry);
      if (outcome.later) {
        this.become(outcome.later);
        this.wait(outcome.after);
        return;
      }
      this.waits = 0;
      const listener = this.listeners.get(entry.key);
      this.listeners.delete(entry.key);
      this.shelf.delete(name);
      this.changed();
      if (outcome.refused) {
        listener?.reject(outcome.refused);
        this.dispatchEvent(new CustomEvent("refused", { detail: { entry, error: outcome.refused } }));
      } else {
        if (this.state === "paused") this.dispatchEvent(new CustomEvent("status", { detail: "running" }));
        listener?.resolve(outcome.said);
      }
    }
    this.become("saved");
  }

  /** One try: what the server said, why it refuses, or that it is to be tried later. */
  async send(entry, fresh = true) {
    const { kind, ...body } = entry;
    let response;
    let said;
    try {
      response = await fetch(kind === "undo" ? "/api/undo" : "/api/answers", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRF-Token": this.token },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(PATIENCE),
      });
      said = await response.json();
    } catch {
      return { later: "waiting" };
    }
    if (response.ok) return { said };
    const error = { status: response.status, code: "", message: "", ...said.error };
    if (error.status === 401) return { later: "signed-out" };
    if (error.status === 403 && error.code === "csrf") {
      const renewed = fresh ? await this.renew() : "signed-out";
      return renewed ? { later: renewed } : this.send(entry, false);
    }
    if (error.status === 403) return { later: error.code === "withdrawn" ? "withdrawn" : "signed-out" };
    if (error.status === 423) {
      this.renew(); // it may also be closed for good
      return { later: "paused" };
    }
    if (error.status === 429 || error.status >= 500) {
      return { later: "waiting", after: Number(response.headers.get("Retry-After")) * 1000 };
    }
    return { refused: error };
  }

  /** The token belongs to the cookie; where somebody opened the link again, there is a new one of each. */
  async renew() {
    try {
      const response = await fetch("/api/me", { signal: AbortSignal.timeout(PATIENCE) });
      if (response.status === 401) return "signed-out";
      if (!response.ok) return "waiting";
      const { annotator, csrf, status } = await response.json();
      // The same person may have gone on to another campaign in another tab.
      if (annotator.key !== this.person) return annotator.name === this.name ? "signed-out" : "someone-else";
      this.token = csrf;
      this.dispatchEvent(new CustomEvent("status", { detail: status }));
      return null;
    } catch {
      return "waiting";
    }
  }

  wait(least = 0) {
    const backOff = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.waits) * (0.75 + Math.random() / 2);
    this.waits += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), Math.max(backOff, least || 0));
  }

  /** Another tab put something in, or sent something of ours. */
  elsewhere() {
    const left = new Set(this.entries().map((entry) => entry.key));
    for (const [key, listener] of this.listeners) {
      if (left.has(key)) continue;
      listener.resolve({ again: true });
      this.listeners.delete(key);
    }
    if (!left.size && !this.sending) this.state = "saved";
    this.changed();
  }

  become(state) {
    this.state = state;
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}

/** One tab at a time, where the browser can say so; where not, the keys keep answers from counting twice. */
async function inTurn(name, work) {
  if (navigator.locks) return navigator.locks.request(name, work);
  return work();
}

/** A key for something that is sent; the revision of its task from then on. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}
