// A few labelled points. Where every point has words they stand in a list, the best on top; else in a row.

import { h, unique } from "../dom.js";
import { t } from "../texts.js";

export function scale(field, screen) {
  const name = unique("scale");
  const words = new Map(field.anchors);
  const points = Array.from({ length: field.high - field.low + 1 }, (_, i) => field.low + i);
  const listed = points.every((point) => words.has(point));
  let locked = false;

  const inputs = new Map(
    points.map((point) => [point, h("input", { type: "radio", name, value: point, onchange: () => screen.changed() })]),
  );
  const label = (point) =>
    h(
      "label",
      { class: "point" },
      inputs.get(point),
      h("span", { class: "number" }, String(point)),
      words.has(point) && h("span", { class: "words" }, t(words.get(point))),
    );
  const element = h(
    "fieldset",
    { class: `field scale ${listed ? "listed" : "row"}` },
    h("legend", { class: "question" }, screen.question),
    h("div", { class: "points" }, (listed ? points.toReversed() : points).map(label)),
  );
  element.style.setProperty("--points", String(points.length));

  const chosen = () => points.find((point) => inputs.get(point).checked) ?? null;

  function key(event) {
    const number = event.key === "0" ? 10 : Number(event.key);
    if (locked || !/^\d$/.test(event.key) || !inputs.has(number)) return false;
    inputs.get(number).checked = true;
    inputs.get(number).focus();
    screen.changed();
    return true;
  }
  element.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && key(event)) event.preventDefault();
  });

  return {
    element,
    value: chosen,
    set: (given) => {
      for (const [point, input] of inputs) input.checked = point === given;
    },
    missing: () =>
      chosen() === null
        ? { text: t("missing.point"), focus: () => inputs.get(listed ? points.at(-1) : points[0]).focus() }
        : null,
    /** Past answers are shown, and cannot be changed any more. */
    lock: (state) => {
      locked = state;
      element.disabled = state;
    },
    key,
    keys: [[`${field.low}–${field.high === 10 ? "9, 0" : field.high}`, t("help.choose-point")]],
  };
}
