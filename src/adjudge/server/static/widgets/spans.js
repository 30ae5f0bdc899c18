// Errors marked in the translation, and in the source where the protocol asks for it.

import { announce, h, unique } from "../dom.js";
import { counted } from "../codepoints.js";
import { named, t } from "../texts.js";
import { categoryName } from "./categories.js";
import { Marks } from "./marks.js";
import { Panel } from "./span-panel.js";
import { Surface } from "./span-surface.js";

export function spans(field, screen) {
  const { task, campaign } = screen;
  const several = task.segments.length > 1;
  const marks = new Marks();
  let last = null; // the text that was worked on, where the keyboard goes back to

  const told = {
    marks,
    level: (severity) => level(field.severities, severity),
    describe,
    severity: (digit) => field.severities[digit - 1],
    quote,
    chosen: (byKey) => {
      last = surfaces.find(({ side, segment }) => side === marks.active?.side && segment === marks.active?.segment) ?? last;
      const whole = marks.active && panel.isWhole(marks.active);
      if (byKey && whole) done();
      else if (byKey && marks.active) panel.focus();
    },
    done,
    removed: (mark) => {
      announce(t("spans.removed", { error: describe(mark) }));
      marks.remove(mark);
      last?.element.focus({ preventScroll: true });
    },
  };
  const panel = new Panel(field, told);
  const surface = (side, segment) =>
    new Surface({
      text: side === "target" ? task.segments[segment].candidates[0] : task.segments[segment].source ?? "",
      language: side === "target" ? campaign.target : campaign.source,
      side,
      segment,
      missing: field.missing && side === "target",
      label: side === "target" ? t("spans.target") : t("spans.source"),
      told,
    });
  const surfaces = task.segments.flatMap((one, i) => [
    surface("target", i),
    ...(field.source && one.source !== undefined ? [surface("source", i)] : []),
  ]);

  const list = h("ol", { class: "errors" });
  const none = h("p", { class: "hint none" }, t("spans.none"));
  const name = unique("by");
  const by = (letterwise) => {
    for (const one of surfaces) one.by(letterwise);
  };
  const way = (letterwise, text) =>
    h("label", { class: "chip" }, h("input", { type: "radio", name, value: letterwise ? "letters" : "words", checked: !letterwise, onchange: () => by(letterwise) }), h("span", {}, text));
  const element = h(
    "div",
    { class: "field spans" },
    h("div", { class: "question" }, h("p", {}, screen.question),
      h("fieldset", { class: "group ways" }, h("legend", {}, t("spans.select")), way(false, t("spans.words")), way(true, t("spans.letters")))),
    panel.element,
    h("section", { class: "marked-errors", "aria-label": t("spans.list") }, none, list),
  );

  function done() {
    const said = marks.active ? describe(marks.active) : "";
    marks.activate(null);
    if (said) announce(said);
    last?.element.focus({ preventScroll: true });
  }

  function quote(mark) {
    if (mark.start === null) return t("spans.missing");
    const text = mark.side === "target" ? task.segments[mark.segment].candidates[0] : task.segments[mark.segment].source;
    const { units } = counted(text);
    return h("q", { dir: "auto", lang: (mark.side === "target" ? campaign.target : campaign.source).code || null }, text.slice(units[mark.start], units[mark.end]));
  }

  function describe(mark) {
    const kind = [mark.severity && named("severity", mark.severity), mark.category && categoryName(mark.category)].filter(Boolean);
    return `${t("spans.error", { number: marks.number(mark) })}${kind.length ? `: ${kind.join(", ")}` : ""}`;
  }

  function draw() {
    panel.draw();
    none.hidden = marks.list.length > 0;
    list.replaceChildren(
      ...marks.list.map((mark) =>
        h(
          "li",
          { class: mark === marks.active ? "active" : "", "data-level": told.level(mark.severity) },
          h(
            "button",
            { type: "button", class: "plain", onclick: () => { marks.activate(mark); told.chosen(true); panel.focus(); } },
            h("span", { class: "number" }, String(marks.number(mark))),
            h("span", { class: "what" }, quote(mark)),
            mark.side === "source" && h("span", { class: "kind" }, t("spans.in-source")),
            h("span", { class: "kind" }, [mark.severity ? named("severity", mark.severity) : t("spans.no-severity"), mark.category && categoryName(mark.category)].filter(Boolean).join(" · ")),
          ),
          h("button", { type: "button", class: "icon", "aria-label": t("spans.remove-one", { number: marks.number(mark) }), onclick: () => told.removed(mark) }, "×"),
        ),
      ),
    );
  }
  let seen = null;
  marks.addEventListener("change", ({ detail }) => {
    draw();
    // On a phone what is said of a mark covers the lower half of the screen.
    if (marks.active && marks.active !== seen && matchMedia("(max-width: 46em)").matches) {
      requestAnimationFrame(() => document.querySelector(".marked.active")?.scrollIntoView({ block: "nearest" }));
    }
    seen = marks.active;
    if (detail.told) screen.changed();
  });
  marks.changed(false);

  return {
    element,
    surface: (side, segment) => surfaces.find((one) => one.side === side && one.segment === segment)?.element,
    value: () => marks.list.map(({ segment, ...mark }) => (several ? { ...mark, segment } : mark)),
    set: (given) => marks.replace(given ?? []),
    missing: () => {
      const open = marks.list.find((mark) => !panel.isWhole(mark));
      if (!open) return null;
      const key = open.severity ? "missing.category" : "missing.severity";
      return {
        text: t(key, { number: marks.number(open) }),
        focus: () => {
          marks.activate(open);
          told.chosen(true);
          panel.focus();
        },
      };
    },
    key: (event) => {
      if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return false;
      surfaces[0].element.focus();
      return surfaces[0].key(event);
    },
    keys: [
      ["← → ↑ ↓", t("help.spans-move")],
      ["⇧ ← →", t("help.spans-extend")],
      ["Space", t("help.spans-mark")],
      [`1–${field.severities.length}`, t("help.spans-severity")],
      ["A–Z", t("help.spans-category")],
      ["Del", t("help.spans-remove")],
      ["Ctrl & Z", t("help.spans-undo")],
    ],
  };
}

/** How grave a severity is, from 1 to 3 by its place in the list; 0 where none is chosen yet. */
function level(severities, severity) {
  const place = severities.indexOf(severity);
  return place < 0 ? 0 : Math.max(1, 3 - (severities.length - 1 - place));
}
