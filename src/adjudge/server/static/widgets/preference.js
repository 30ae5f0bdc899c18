// Two translations side by side: which one is better?

import { h, keycap, reading, unique } from "../dom.js";
import { t } from "../texts.js";
import { LETTERS } from "./ranks.js";

const RANKS = { first: "1,2", second: "2,1", tie: "1,1" };

export function preference(field, screen) {
  const texts = screen.task.segments[0].candidates;
  const name = unique("preference");
  const inputs = {};

  const choice = (value, text, sign) => {
    inputs[value] = h("input", { type: "radio", name, value, onchange: () => changed() });
    return h("label", { class: "choice" }, inputs[value], h("span", {}, text), keycap(sign));
  };
  const cards = texts.map((text, i) =>
    h(
      "section",
      { class: "candidate" },
      h("h3", {}, t("candidate", { letter: LETTERS[i] })),
      reading(text, screen.campaign.target),
    ),
  );
  const element = h(
    "fieldset",
    { class: "field preference" },
    h("legend", { class: "sr-only" }, screen.question),
    h("p", { class: "question", "aria-hidden": "true" }, screen.question),
    h("div", { class: "candidates" }, cards),
    h(
      "div",
      { class: "choices" },
      choice("first", t("preference.first"), "1"),
      field.ties && choice("tie", t("preference.tie"), "0"),
      choice("second", t("preference.second"), "2"),
    ),
  );

  const chosen = () => Object.keys(inputs).find((value) => inputs[value].checked) ?? null;

  function changed() {
    show();
    screen.changed();
  }

  function show() {
    cards[0].classList.toggle("better", chosen() === "first");
    cards[1].classList.toggle("better", chosen() === "second");
  }

  function key(event) {
    const value = { 1: "first", 2: "second", 0: "tie" }[event.key];
    if (!inputs[value]) return false;
    inputs[value].checked = true;
    inputs[value].focus();
    changed();
    return true;
  }
  element.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && key(event)) event.preventDefault();
  });

  return {
    element,
    candidates: true,
    value: chosen,
    set: (given) => {
      // What the server keeps are ranks.
      const wanted = Array.isArray(given) ? Object.keys(RANKS).find((v) => RANKS[v] === String(given)) : given;
      for (const [value, input] of Object.entries(inputs)) input.checked = value === wanted;
      show();
    },
    missing: () => (chosen() ? null : { text: t("missing.choice"), focus: () => inputs.first.focus() }),
    key,
    keys: [
      ["1", t("preference.first")],
      ["2", t("preference.second")],
      ...(field.ties ? [["0", t("preference.tie")]] : []),
    ],
  };
}
