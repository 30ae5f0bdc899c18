// Stars and comments of whoever reads: kept by this browser for this test set, and in a file that can be given on.

const FORMAT = "adjudge-stars";

export class Notes {
  // `storage` may be missing or full: then notes live as long as the page.
  constructor(store, storage) {
    this.store = store;
    this.storage = storage;
    this.key = `adjudge-segments-${store.document.fingerprint}`;
    this.entries = new Map(); // by segment: { star, comment }
    this.kept = true;
    try {
      this.#take(JSON.parse(storage?.getItem(this.key) ?? "{}"));
    } catch {
      this.kept = false;
    }
  }

  starred(segment) {
    return this.entries.get(segment)?.star ?? false;
  }

  comment(segment) {
    return this.entries.get(segment)?.comment ?? "";
  }

  get segments() {
    return [...this.entries.keys()].sort((a, b) => a - b);
  }

  get stars() {
    return this.segments.filter((segment) => this.starred(segment));
  }

  star(segment, star) {
    this.#put(segment, { star, comment: this.comment(segment) });
  }

  write(segment, comment) {
    this.#put(segment, { star: this.starred(segment), comment });
  }

  #put(segment, entry) {
    if (entry.star || entry.comment) this.entries.set(segment, entry);
    else this.entries.delete(segment);
    try {
      this.storage.setItem(this.key, JSON.stringify(this.#given()));
      this.kept = true;
    } catch {
      this.kept = false;
    }
  }

  #given() {
    return Object.fromEntries(
      this.segments.map((segment) => [this.store.identifier(segment), this.entries.get(segment)]),
    );
  }

  // How many notes were taken, and how many are of segments that are not here.
  #take(given) {
    let [taken, unknown] = [0, 0];
    if (typeof given !== "object" || given === null || Array.isArray(given))
      throw new Error("no stars are in this file");
    for (const [identifier, entry] of Object.entries(given)) {
      const segment = this.store.segmentOf(identifier);
      if (segment < 0) unknown++;
      else {
        this.entries.set(segment, {
          star: entry?.star === true,
          comment: typeof entry?.comment === "string" ? entry.comment : "",
        });
        taken++;
      }
    }
    return { taken, unknown };
  }

  file() {
    const head = {
      format: FORMAT,
      version: 1,
      test_set: this.store.document.name,
      fingerprint: this.store.document.fingerprint,
    };
    return JSON.stringify({ ...head, segments: this.#given() }, null, 1) + "\n";
  }

  // Notes of a file join those that are here; where both have one, the file's stands.
  read(text) {
    let given;
    try {
      given = JSON.parse(text);
    } catch {
      throw new Error("this is no file of stars: it is not JSON");
    }
    if (given?.format !== FORMAT) throw new Error("this is no file of stars that adjudge wrote");
    const result = this.#take(given.segments ?? {});
    for (const segment of this.segments) this.#put(segment, this.entries.get(segment));
    return { ...result, other: given.fingerprint !== this.store.document.fingerprint };
  }
}
