// Questions on the text: choices, or a few words of one's own.

import { h, keycap, unique } from "../dom.js";
import { t } from "../texts.js";

export function questions(field, screen) {
  const asked = screen.task.questions ?? [];
  const language = screen.campaign.target;

  const parts = asked.map((one, i) => {
    const legend = h("span", { dir: "auto" }, one.question);
    const number = h("span", { class: "number", "aria-hidden": "true" }, String(i + 1));
    if (!one.choices?.length) {
      const id = unique("answer");
      const input = h("input", { type: "text", id, class: "words", dir: "auto", lang: language.code || null,
        autocomplete: "off", maxlength: 2000, oninput: () => screen.changed(),
        onkeydown: (event) => event.key === "Enter" && !event.isComposing && !event.ctrlKey && !event.metaKey && onwards(i) && event.preventDefault() });
      return {
        element: h("div", { class: "asked", onfocusin: () => point(i) }, h("label", { for: id }, number, legend), input),
        value: () => input.value.trim() || null,
        set: (given) => (input.value = given ?? ""),
        focus: () => input.focus(),
      };
    }
    const name = unique("choice");
    const inputs = one.choices.map((_, j) =>
      h("input", { type: "radio", name, value: j, onchange: () => screen.changed() }),
    );
    return {
      element: h(
        "fieldset",
        { class: "asked", onfocusin: () => point(i) },
        h("legend", {}, number, legend),
        one.choices.map((text, j) => h("label", { class: "option" }, inputs[j], h("span", { dir: "auto" }, text), j < 9 && keycap(String(j + 1)))),
      ),
      value: () => { const found = inputs.findIndex((input) => input.checked); return found < 0 ? null : found; },
      set: (given) => inputs.forEach((input, j) => (input.checked = j === given)),
      focus: () => (inputs.find((input) => input.checked) ?? inputs[0]).focus(),
      choose: (j) => {
        if (!inputs[j]) return false;
        inputs[j].checked = true;
        inputs[j].focus();
        return true;
      },
    };
  });

  let at = 0; // the question that digits answer

  function point(i) {
    at = i;
    parts.forEach((part, j) => part.element.classList.toggle("at", i === j));
  }

  /** To the next question that is open, if there is one. */
  function onwards(i) {
    const next = parts.map((_, n) => (i + 1 + n) % parts.length).find((j) => j !== i && parts[j].value() === null);
    if (next === undefined) return false;
    parts[next].focus();
    return true;
  }

  function key(event) {
    if (!/^[1-9]$/.test(event.key) || event.target.closest("input[type=text]")) return false;
    const i = element.contains(event.target) ? at : Math.max(0, values().findIndex((value) => value === null));
    if (!parts[i]?.choose?.(Number(event.key) - 1)) return false;
    screen.changed();
    onwards(i);
    return true;
  }

  const values = () => parts.map((part) => part.value());
  const element = h(
    "div",
    { class: "field questions" },
    h("div", { class: "question" }, h("p", {}, screen.question),
      h("p", { class: "hint keys-hint" }, asked.some((one) => one.choices?.length) && [keycap("1"), "–", keycap("9"), " ", t("help.questions-choose"), " · "], keycap("Enter"), " ", t("help.questions-next"))),
    parts.map((part) => part.element),
  );
  element.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && key(event)) event.preventDefault();
  });
  if (parts.length) point(0);

  return {
    element,
    value: () => (values().every((value) => value === null) && parts.length ? null : values()),
    set: (given) => parts.forEach((part, i) => part.set(given?.[i] ?? null)),
    missing: () => {
      const open = values().findIndex((value) => value === null);
      return open < 0 ? null : { text: t("missing.question", { number: open + 1 }), focus: () => parts[open].focus() };
    },
    key,
    keys: [
      ["1–9", t("help.questions-choose")],
      ["Enter", t("help.questions-next")],
      ["Tab", t("help.questions")],
    ],
  };
}
