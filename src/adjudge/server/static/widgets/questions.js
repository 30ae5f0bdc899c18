// Questions on the text: choices, or a few words of one's own.

import { h, unique } from "../dom.js";
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
        autocomplete: "off", maxlength: 2000, oninput: () => screen.changed() });
      return {
        element: h("div", { class: "asked" }, h("label", { for: id }, number, legend), input),
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
        { class: "asked" },
        h("legend", {}, number, legend),
        one.choices.map((text, j) => h("label", { class: "option" }, inputs[j], h("span", { dir: "auto" }, text))),
      ),
      value: () => { const found = inputs.findIndex((input) => input.checked); return found < 0 ? null : found; },
      set: (given) => inputs.forEach((input, j) => (input.checked = j === given)),
      focus: () => inputs[0].focus(),
    };
  });

  const values = () => parts.map((part) => part.value());
  return {
    element: h("div", { class: "field questions" }, h("p", { class: "question" }, screen.question), parts.map((part) => part.element)),
    value: () => (values().every((value) => value === null) && parts.length ? null : values()),
    set: (given) => parts.forEach((part, i) => part.set(given?.[i] ?? null)),
    missing: () => {
      const open = values().findIndex((value) => value === null);
      return open < 0 ? null : { text: t("missing.question", { number: open + 1 }), focus: () => parts[open].focus() };
    },
    key: () => false,
    keys: [["Tab", t("help.questions")]],
  };
}
