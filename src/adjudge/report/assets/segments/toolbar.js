// What stands above the list: systems, what is shown, how it is sorted, conditions, search, and what can be taken away.
import { ConditionField } from "./conditionfield.js";
import { button, element, visible } from "./dom.js";
import { inCondition } from "./complete.js";

const SHOWN = [
  ["", "All"],
  ["different", "Different"],
  ["changed", "Changed words"],
];
const AGAINST = [
  ["", "the baseline"],
  ["reference", "the reference"],
  ["nothing", "nothing"],
];
const WITHIN = [
  ["", "all texts"],
  ["source", "the source"],
  ["reference", "the references"],
  ["output", "the output"],
];

export class Toolbar {
  constructor(app) {
    this.app = app;
    const { catalogue } = app;
    const change = (name) => (event) => app.change({ [name]: event.target.value });
    this.system = this.#select(
      "System",
      change("system"),
      app.store.systems.map((name) => [name, name]),
    );
    this.baseline = this.#select("Baseline", change("baseline"), [
      ["-", "none"],
      ...app.store.systems.map((name) => [name, name]),
    ]);
    this.against = this.#select("Words against", change("against"), AGAINST);
    this.sort = this.#select("Sort by", (event) => app.change({ sort: event.target.value, order: "" }), []);
    this.order = button("", {
      class: "order",
      on: { click: () => app.change({ order: app.falling ? "up" : "down" }) },
    });
    this.sort.element.append(this.order);
    this.shown = element(
      "div",
      { class: "choices", role: "group", "aria-label": "Show" },
      SHOWN.map(([value, label]) =>
        button(label, { "data-show": value, on: { click: () => app.change({ show: value }) } }),
      ),
    );
    this.condition = new ConditionField(catalogue, (text, typing) => app.change({ where: text }, { typing }));
    this.search = element("input", {
      type: "search",
      id: "segments-search",
      "aria-describedby": "segments-search-error",
      autocomplete: "off",
      spellcheck: "false",
      dir: "auto",
      placeholder: "words in any text",
      on: {
        focus: () => app.helper.prepare(),
        input: () => app.change({ search: this.search.value }, { typing: true }),
        change: () => app.change({ search: this.search.value }),
      },
    });
    this.regex = button(".*", {
      class: "toggle",
      title: "regular expression",
      "aria-label": "Regular expression",
      on: { click: () => app.change({ regex: !app.view.regex }) },
    });
    this.within = this.#select("in", change("within"), WITHIN);
    this.searchError = element("p", { id: "segments-search-error", class: "error", role: "alert", hidden: true });
    this.status = element("p", { class: "status", role: "status" });
    this.stars = button("", {
      "aria-label": "Starred segments",
      on: { click: () => app.change({ where: app.view.where === "starred" ? "" : "starred" }) },
    });
    this.clear = button("Clear", { on: { click: () => app.change({ where: "", search: "", show: "", segment: "" }) } });
    this.element = element("div", { class: "toolbar" }, ...this.#rows());
  }

  #rows() {
    const { app } = this;
    const search = element(
      "div",
      { class: "field search" },
      element("label", { for: "segments-search" }, "Search"),
      element("span", { class: "together" }, this.search, this.regex, this.within.select),
      this.searchError,
    );
    return [
      element(
        "div",
        { class: "row" },
        this.system.element,
        this.baseline.element,
        this.against.element,
        this.sort.element,
      ),
      element("div", { class: "row" }, this.condition.element, search),
      element(
        "div",
        { class: "row last" },
        this.shown,
        this.status,
        this.clear,
        element("span", { class: "gap" }),
        this.stars,
        button("Export …", { on: { click: () => app.openExport() } }),
        button("Keys ?", { on: { click: () => app.openHelp() } }),
      ),
    ];
  }

  #select(label, listener, options) {
    const id = `segments-${label.toLowerCase().replace(/\W+/g, "-")}`;
    const select = element("select", { id, "aria-label": label, on: { change: listener } });
    fill(select, options);
    return { select, element: element("div", { class: "field" }, element("label", { for: id }, label), select) };
  }

  // Set everything as the view has it.
  show() {
    const { app } = this;
    const { view, store, system, baseline } = app;
    this.system.select.value = store.systems[system];
    this.baseline.select.value = baseline < 0 ? "-" : store.systems[baseline];
    for (const option of this.baseline.select.options) option.disabled = option.value === store.systems[system];
    this.against.select.value = view.against;
    fill(this.sort.select, sortOptions(app.catalogue, baseline >= 0));
    this.sort.select.value = app.sortName;
    this.order.hidden = app.sortName === "";
    this.order.textContent = app.falling ? "↓" : "↑";
    this.order.setAttribute("aria-label", app.falling ? "Falling; turn around" : "Rising; turn around");
    this.order.title = app.falling ? "falling" : "rising";
    for (const each of this.shown.children) {
      each.setAttribute("aria-pressed", String(each.dataset.show === view.show));
      each.disabled = each.dataset.show !== "" && baseline < 0;
    }
    this.condition.value = view.where;
    if (this.search.value !== view.search) this.search.value = view.search;
    this.regex.setAttribute("aria-pressed", String(view.regex));
    this.within.select.value = view.within;
    this.stars.setAttribute("aria-pressed", String(view.where === "starred"));
    this.#count();
  }

  #count() {
    const { app } = this;
    const stars = app.notes.stars.length;
    this.stars.textContent = `★ ${stars}`;
    this.stars.title = app.notes.kept
      ? "starred segments"
      : "starred segments; this browser does not keep them: export them";
    const [shown, all] = [app.list.size, app.store.size].map((count) => count.toLocaleString("en-US"));
    this.status.textContent = app.list.size === app.store.size ? `${all} segments` : `${shown} of ${all} segments`;
    this.clear.hidden = !(app.view.where || app.view.search || app.view.show);
  }

  refuseSearch(message) {
    this.searchError.hidden = message === "";
    this.searchError.textContent = message;
    this.search.setAttribute("aria-invalid", String(message !== ""));
  }
}

function fill(select, options) {
  const shape = JSON.stringify(options);
  if (select.dataset.shape === shape) return;
  select.dataset.shape = shape;
  select.replaceChildren(
    ...options.map((option) =>
      Array.isArray(option)
        ? element("option", { value: option[0] }, visible(option[1]))
        : element(
            "optgroup",
            { label: option.label },
            option.options.map(([value, label]) => element("option", { value }, visible(label))),
          ),
    ),
  );
}

// Names as the view's `sort` has them, by kind.
function sortOptions(catalogue, hasBaseline) {
  const named = (entry) =>
    catalogue.named(entry.name) === entry ? inCondition(entry.name) : `${entry.kind}:${inCondition(entry.name)}`;
  const group = (label, entries, prefix = "") => ({
    label,
    options: entries.map((entry) => [prefix + named(entry), prefix + (entry.title ?? entry.name)]),
  });
  const { score, class: classes, label } = catalogue.byKind;
  const own = catalogue.byKind.own.filter(({ name }) => ["id", "marked"].includes(name));
  const groups = [
    group("Scores", score),
    ...(hasBaseline ? [group("Difference to the baseline", [...score, ...classes], "Δ")] : []),
    group("Errors", classes),
    group("Labels", label),
    group("Other", own),
  ];
  return [["", "place in the test set"], ...groups.filter(({ options }) => options.length)];
}
