// One item on the screen: its texts, what stands around it in the document, and the fields to be answered.

import { h, reading, unique } from "../dom.js";
import { languageName, t } from "../texts.js";
import { widgets } from "../widgets/index.js";
import { summary } from "./summary.js";

export class ItemView {
  /** `told` has: changed() when an answer changes, go(task) to look at another task, canVisit(task). */
  constructor(campaign, tasks, task, told) {
    Object.assign(this, { campaign, task, told });
    this.fields = campaign.fields.map((field) => {
      const widget = widgets[field.widget](field, {
        task,
        campaign,
        question: question(campaign, field),
        changed: () => told.changed(),
      });
      return { field, widget, frame: h("div", { class: "frame" }, widget.element) };
    });
    // Fluency is judged before anything is seen that the translation could be compared with.
    this.hidden = this.fields.length > 1 && this.fields[0].field.criterion === "fluency" && campaign.against !== "nothing";
    this.place = tasks.indexOf(task);
    this.neighbours = campaign.context === "document" ? tasks.filter((one) => one.run === task.run) : [task];
    this.heading = h(
      "h2",
      { tabindex: -1, class: "place", id: unique("item") },
      t("item", { number: this.place + 1, all: tasks.length }),
      task.tutorial && h("span", { class: "tag" }, t("tutorial")),
    );
    this.current = h("section", { class: "current", "aria-labelledby": this.heading.id });
    this.element = h("article", { class: `item ${campaign.protocol} ${this.isWide() ? "wide" : ""}` });
    this.draw();
  }

  /** Rows of source beside translation, where a document is read; else one text below the other. */
  isWide() {
    return this.campaign.against !== "nothing" && (this.campaign.context === "document" || this.task.segments.length > 1);
  }

  draw() {
    const at = this.neighbours.indexOf(this.task);
    this.current.replaceChildren(
      this.heading,
      ...this.texts(),
      ...this.visible().map(({ frame }) => frame),
      ...(this.hidden ? [this.veil()] : []),
    );
    this.element.replaceChildren(
      ...this.around(this.neighbours.slice(0, at), t("context.before")),
      this.current,
      ...this.around(this.neighbours.slice(at + 1), t("context.after")),
    );
  }

  visible() {
    return this.hidden ? this.fields.slice(0, 1) : this.fields;
  }

  veil() {
    const what = t(`veil.${this.campaign.against}`);
    return h("p", { class: "veil" }, what);
  }

  texts() {
    const own = this.fields.some(({ widget }) => widget.candidates);
    const surface = (side, i) => this.fields.map(({ widget }) => widget.surface?.(side, i)).find(Boolean);
    const { source, target } = this.campaign;
    const segments = this.task.segments;
    return [
      h(
        "div",
        { class: `texts ${segments.length > 1 ? "document" : ""}` },
        segments.map((segment, i) =>
          h(
            "div",
            { class: "segment" },
            !this.hidden && segment.source !== undefined && block("source", source, surface("source", i) ?? reading(segment.source, source), i),
            !this.hidden && segment.reference != null && block("reference", target, reading(segment.reference, target), i),
            !own && block("translation", target, surface("target", i) ?? reading(segment.candidates[0], target), i),
          ),
        ),
      ),
    ];
  }

  /** Segments before or after, smaller, with what was said of them. */
  around(tasks, label) {
    if (!tasks.length) return [];
    const { source, target, fields } = this.campaign;
    return [
      h(
        "section",
        { class: "context", "aria-label": label },
        h("h3", { class: "context-title" }, label),
        tasks.map((task) => {
          const said = task.answer ? summary(fields, task.answer) : "";
          const visit = said && this.told.canVisit(task);
          return h(
            "div",
            { class: "neighbour" },
            task.segments.map((segment) =>
              h(
                "div",
                { class: "segment" },
                segment.source !== undefined && reading(segment.source, source, { class: "source" }),
                segment.reference != null && reading(segment.reference, target, { class: "reference" }),
                reading(segment.candidates[0], target, { class: "translation" }),
              ),
            ),
            said && (visit
              ? h("button", { type: "button", class: "said", onclick: () => this.told.go(task), "aria-label": t("context.correct", { answer: said }) }, said)
              : h("span", { class: "said" }, said)),
          );
        }),
      ),
    ];
  }

  // Answers

  set(values) {
    for (const { field, widget } of this.fields) widget.set(values?.[field.name] ?? null);
  }

  value() {
    return Object.fromEntries(this.fields.map(({ field, widget }) => [field.name, widget.value()]));
  }

  /** What is missing first, of what can be seen. */
  missing() {
    for (const { widget } of this.visible()) {
      const found = widget.missing();
      if (found) return found;
    }
    return null;
  }

  /** Show what was held back; from now on fluency stays as it is. */
  reveal(moved = true) {
    this.hidden = false;
    const [{ widget, frame }] = this.fields;
    widget.lock(true);
    frame.append(
      h("p", { class: "hint locked" }, t(`locked.${this.campaign.against}`), " ",
        h("button", { type: "button", class: "quiet small", onclick: () => this.conceal() }, t("locked.change"))),
    );
    this.draw();
    if (!moved) return;
    this.current.querySelector(".block")?.scrollIntoView({ block: "nearest" });
    this.fields[1].frame.scrollIntoView({ block: "nearest" });
  }

  /** Back to the first question, without what it is judged against. */
  conceal() {
    this.hidden = true;
    const [{ widget, frame }] = this.fields;
    frame.querySelector(".locked")?.remove();
    widget.lock(false);
    this.draw();
    this.told.changed();
    frame.querySelector("input:checked")?.focus();
  }

  /** A key that was pressed somewhere on the page: for the field that has the focus, or the first that is open. */
  key(event) {
    const seen = this.visible();
    const inside = seen.find(({ frame }) => frame.contains(event.target));
    const marking = event.key.startsWith("Arrow") ? seen.find(({ widget }) => widget.surface) : null;
    const open = seen.find(({ widget }) => widget.missing()) ?? seen.at(-1);
    return [inside, marking, open, ...seen].filter(Boolean).some(({ widget }) => widget.key(event));
  }

  get keys() {
    return this.fields.flatMap(({ widget }) => widget.keys);
  }
}

function block(kind, language, body, i) {
  const name = languageName(language.code);
  const label = h("h3", { class: "label" }, t(kind), name && h("span", { class: "language" }, name));
  return h("section", { class: `block ${kind}` }, i === 0 ? label : null, body);
}

/** What is asked, by protocol, field and what there is to compare with; of a whole document in its own words. */
function question({ protocol, against, unit }, field) {
  if (field.criterion === "fluency") return t("ask.fluency");
  if (protocol === "comprehension") return t("ask.comprehension");
  const whole = unit === "document" ? ".document" : "";
  return t(`ask.${protocol}.${field.name}.${against}${whole}`);
}
