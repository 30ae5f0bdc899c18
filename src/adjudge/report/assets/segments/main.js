// The segment browser: reads what the page carries, and keeps list, tools and address to one view.
import { makeCard } from "./card.js";
import { catalogueOf } from "./catalogue.js";
import { ConditionError, parseCondition } from "./condition.js";
import { makeDetails } from "./details.js";
import { openExport, openHelp } from "./dialogs.js";
import { element, visible } from "./dom.js";
import { MeaningError, differing, predicate, sorted } from "./evaluate.js";
import { Helper, TooLongError } from "./helper.js";
import { listen } from "./keys.js";
import { VirtualList } from "./list.js";
import { Notes } from "./notes.js";
import { Store } from "./store.js";
import { Toolbar } from "./toolbar.js";
import { addressOf, parseView, systemsOf } from "./view.js";

const SEARCH_LIMIT = 2000; // milliseconds
const PRINTED = 200;

class App {
  constructor(section, store, helper) {
    Object.assign(this, { section, store, helper });
    this.catalogue = catalogueOf(store.document);
    this.notes = new Notes(store, storage());
    this.all = Int32Array.from({ length: store.size }, (_, i) => i);
    this.opened = new Set();
    this.unfolded = new Set();
    this.matches = null; // { key, hits, ranges }
    this.view = parseView(location.hash) ?? parseView("#segments");
    this.feed = element("div", { class: "feed", role: "feed", "aria-label": "Segments" });
    this.frame = element(
      "div",
      { class: "frame", tabindex: 0, role: "region", "aria-label": "List of segments" },
      this.feed,
    );
    this.empty = element("p", { class: "soft nothing", hidden: true }, "No segment fits.");
    this.paper = element("p", { class: "paper soft" });
    this.list = new VirtualList(this.frame, this.feed, {
      make: (...row) => makeCard(this, ...row),
      guess: () => this.#heights(),
    });
    this.toolbar = new Toolbar(this);
    this.place = section.querySelector(".browser");
    this.place.replaceChildren(this.toolbar.element, this.paper, this.frame, this.empty);
    this.place.setAttribute("aria-busy", "false");
    helper.load(store.textBytes, store.textStarts);
    addEventListener("hashchange", () => this.#followAddress());
    addEventListener("popstate", () => this.#followAddress());
    addEventListener("beforeprint", () => this.#print());
    addEventListener("afterprint", () => this.list.gather());
    listen(this);
  }

  async begin() {
    await this.apply();
    if (location.hash.startsWith("#segments")) this.#arrive();
  }

  // -- what is shown ---------------------------------------------------------------------------------------------

  change(changes, { typing = false } = {}) {
    const other = ["where", "search", "regex", "within", "show"].some((name) => name in changes);
    const view = { ...this.view, ...(other ? { segment: "" } : {}), ...changes };
    const goesOn = typing && this.typing; // what is written letter by letter is one step back
    this.typing = typing;
    if (addressOf(view) === addressOf(this.view)) return;
    this.view = view;
    this.#keepAddress(goesOn);
    clearTimeout(this.soon);
    if (typing && "search" in changes) this.soon = setTimeout(() => this.apply(), 150);
    else this.apply();
  }

  #keepAddress(replace) {
    try {
      history[replace ? "replaceState" : "pushState"](null, "", addressOf(this.view));
    } catch {
      // a page that may not change its address works all the same
    }
  }

  async #followAddress() {
    const view = parseView(location.hash || "#segments"); // back to where nothing was chosen yet
    if (!view || addressOf(view) === addressOf(this.view)) return;
    this.view = view;
    this.opened.clear();
    await this.apply();
    if (this.view === view) this.#arrive();
  }

  // Somebody came by a link: show the list, with the segment that it names.
  #arrive() {
    this.section.scrollIntoView();
    const segment = this.view.segment ? this.store.segmentOf(this.view.segment) : -1;
    const position = segment < 0 ? -1 : this.list.positionOf(segment);
    if (position >= 0) {
      this.opened.add(segment);
      this.list.renew(position);
      this.list.focus(position);
    } else this.frame.focus({ preventScroll: true });
  }

  get context() {
    return { store: this.store, notes: this.notes, system: this.system, baseline: this.baseline };
  }

  async apply({ top = true } = {}) {
    const began = performance.now();
    Object.assign(this, systemsOf(this.view, this.store.systems));
    this.#resolveSort();
    const wanted = this.view.search === "" ? null : `${this.view.regex} ${this.view.search}`;
    if (wanted === null) {
      this.matches = null;
      this.toolbar.refuseSearch("");
    } else if (this.matches?.key !== wanted && !(await this.#search(wanted))) return;
    const rows = this.#selected();
    this.list.setRows(rows, { top });
    this.empty.hidden = rows.length > 0;
    this.toolbar.show();
    this.#wantRanges();
    Object.assign(this.place.dataset, {
      milliseconds: (performance.now() - began).toFixed(1),
      shown: rows.length,
      searched: this.view.search,
    });
  }

  #resolveSort() {
    this.sortBy = null;
    this.sortName = "";
    if (this.view.sort === "") return;
    try {
      const tree = parseCondition(`${this.view.sort} != missing`, this.catalogue);
      const delta = tree.left.delta && this.baseline >= 0;
      if (tree.left.type !== "ref" || (tree.left.delta && !delta)) return;
      this.sortBy = tree.left;
      this.sortName = this.view.sort;
      const { type, higher } = this.sortBy.entry;
      this.falling = this.view.order
        ? this.view.order === "down"
        : type === "number" && (higher === false || this.sortBy.entry.name === "marked");
    } catch {
      // an address with a name that is not here is sorted as the test set is
    }
  }

  #selected() {
    let rows = this.all;
    const holds = this.#condition();
    if (holds) rows = rows.filter(holds);
    if (this.matches) rows = rows.filter(this.#hit());
    if (this.view.show && this.baseline >= 0) rows = rows.filter(differing(this.context));
    return this.sortBy ? sorted(rows, this.sortBy, this.falling, this.context) : rows;
  }

  // What the condition asks of a segment; while it is not understood, what the last one asked that was.
  #condition() {
    const { condition } = this.toolbar;
    condition.value = this.view.where;
    try {
      const tree = parseCondition(this.view.where, this.catalogue);
      const holds = tree && predicate(tree, this.context);
      this.understood = { tree, text: this.view.where };
      condition.refuse(null);
      return holds;
    } catch (error) {
      if (!(error instanceof ConditionError || error instanceof MeaningError)) throw error;
      condition.refuse(error, this.understood?.text ?? "");
    }
    try {
      return this.understood?.tree ? predicate(this.understood.tree, this.context) : null;
    } catch {
      return null; // what was understood needs a baseline that is gone
    }
  }

  // -- search ----------------------------------------------------------------------------------------------------

  async #search(key) {
    const { search: query, regex } = this.view;
    try {
      const { hits } = await this.helper.search("search", { query, regex }, SEARCH_LIMIT);
      if (this.view.search !== query || this.view.regex !== regex) return false; // somebody wrote on
      this.matches = { key, hits, ranges: new Map() };
      this.toolbar.refuseSearch("");
      return true;
    } catch (error) {
      if (this.view.search !== query || this.view.regex !== regex) return false;
      this.toolbar.refuseSearch(
        error instanceof TooLongError
          ? `This expression takes longer than ${SEARCH_LIMIT / 1000} seconds; the search was ended. Try a simpler one.`
          : `No regular expression: ${error.message}`,
      );
      this.toolbar.show();
      this.place.dataset.refused = this.view.search;
      return false;
    }
  }

  #hit() {
    const { store, view, system } = this;
    const { hits } = this.matches;
    const all = [
      ["source", 0],
      ...store.document.references.map((_, i) => ["reference", i]),
      ...store.systems.map((_, i) => ["output", i]),
    ];
    const columns = all
      .filter(([who, place]) => !view.within || (who === view.within && (who !== "output" || place === system)))
      .map(([who, place]) => store.texts(who, place))
      .filter(Boolean);
    return (segment) => columns.some((numbers) => hits[numbers[segment]] === 1);
  }

  scrolled() {
    clearTimeout(this.still);
    this.still = setTimeout(() => this.#wantRanges(), 80);
  }

  rangesOf(number) {
    const known = this.matches?.ranges.get(number);
    if (!known) return [];
    return Array.from({ length: known.length / 2 }, (_, i) => ({ start: known[2 * i], end: known[2 * i + 1] }));
  }

  // Where the search stands in the texts that are in sight is asked of the worker, for an expression may take its time.
  async #wantRanges() {
    if (!this.matches) return;
    const { ranges, hits, key } = this.matches;
    const shown = [...this.list.made.keys()].map((position) => this.list.rows[position]);
    const { references } = this.store.document;
    const columns = [
      this.store.texts("source"),
      ...references.map((_, i) => this.store.texts("reference", i)),
      ...this.store.systems.map((_, i) => this.store.texts("output", i)),
    ].filter(Boolean);
    const numbers = [...new Set(shown.flatMap((segment) => columns.map((column) => column[segment])))].filter(
      (number) => hits[number] && !ranges.has(number),
    );
    if (numbers.length === 0) return;
    for (const number of numbers) ranges.set(number, []);
    try {
      const answer = await this.helper.search(
        "ranges",
        { query: this.view.search, regex: this.view.regex, numbers },
        SEARCH_LIMIT,
      );
      if (this.matches?.key !== key) return;
      numbers.forEach((number, i) => ranges.set(number, answer.ranges[i]));
      this.list.renewAll();
    } catch {
      // without marks, then
    }
  }

  // -- one segment -----------------------------------------------------------------------------------------------

  details(segment) {
    return makeDetails(this, segment);
  }

  // How high a segment may be, by the length of its texts.
  #heights() {
    const { store, system, baseline } = this;
    const wide = Math.max(20, (this.frame.clientWidth - 160) / 8);
    const references = store.document.references.map((_, i) => store.texts("reference", i));
    const shown = [
      store.texts("source"),
      ...references,
      store.texts("output", system),
      baseline < 0 ? null : store.texts("output", baseline),
    ].filter(Boolean);
    return (segment) => {
      let lines = 0;
      for (const column of shown)
        lines += Math.max(1, Math.ceil(Math.min(2000, store.textLength(column[segment])) / wide));
      return 62 + 26 * lines;
    };
  }

  #renew(segment, focus = null) {
    const position = this.list.positionOf(segment);
    if (position < 0) return;
    const inside = this.list.element(position)?.contains(document.activeElement);
    this.list.renew(position);
    if (!inside) return;
    const card = this.list.element(position);
    (focus ? card.querySelector(focus) : card)?.focus({ preventScroll: true });
  }

  toggleOpen(segment, focus = ".more[aria-expanded]") {
    const opens = !this.opened.delete(segment);
    if (opens) this.opened.add(segment);
    this.#renew(segment, focus);
    this.list.current = Math.max(0, this.list.positionOf(segment));
    this.view = { ...this.view, segment: opens ? this.store.identifier(segment) : "" };
    this.#keepAddress(!opens);
  }

  unfold(number, segment) {
    this.unfolded.add(number);
    this.#renew(segment);
  }

  toggleStar(segment) {
    this.notes.star(segment, !this.notes.starred(segment));
    this.#renew(segment, document.activeElement?.classList.contains("star") ? ".star" : null);
    this.toolbar.show();
  }

  comment(segment, text) {
    this.notes.write(segment, text);
    this.toolbar.show();
  }

  notesChanged() {
    this.apply({ top: false });
  }

  openHelp() {
    openHelp();
  }

  openExport() {
    openExport(this);
  }

  #print() {
    const shown = this.list.spread(PRINTED);
    const where = this.view.where ? `, where ${this.view.where}` : "";
    const most = shown < this.list.size ? `; the first ${shown} are printed` : "";
    this.paper.textContent = visible(`${this.toolbar.status.textContent}${where}${most}.`);
  }
}

function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

async function begin() {
  const section = document.getElementById("segments");
  if (!section) return;
  const began = performance.now();
  const packed = (name) => document.getElementById(`segments-${name}`).textContent;
  try {
    const helper = new Helper(packed("worker"));
    const { columns, texts } = await helper.ask("unpack", { columns: packed("columns"), texts: packed("texts") });
    for (const name of ["columns", "texts"]) document.getElementById(`segments-${name}`).remove();
    const app = new App(section, new Store(columns, texts), helper);
    await app.begin();
    Object.assign(app.place.dataset, {
      opened: (performance.now() - began).toFixed(0),
      ready: performance.now().toFixed(0),
    });
  } catch (error) {
    section
      .querySelector(".browser")
      .replaceChildren(
        element("p", { class: "error", role: "alert" }, `The segments cannot be shown: ${error.message}`),
      );
  }
}

begin();
