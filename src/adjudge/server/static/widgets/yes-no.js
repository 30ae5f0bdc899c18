// Yes or no, on two large buttons.

import { h, keycap, unique } from "../dom.js";
import { t } from "../texts.js";

export function yesNo(field, screen) {
  const name = unique("yes-no");
  const inputs = {};
  const choice = (value, text, sign) => {
    const input = h("input", { type: "radio", name, value: String(value), onchange: () => screen.changed() });
    inputs[value] = input;
    return h("label", { class: "choice" }, input, h("span", {}, text), keycap(sign));
  };
  const letters = { [t("yes.key")]: true, [t("no.key")]: false, 1: true, 2: false };
  const sign = (value) => (value ? t("yes.key") : t("no.key")).toUpperCase();
  const element = h(
    "fieldset",
    { class: "field yes-no" },
    h("legend", { class: "question" }, screen.question),
    h("div", { class: "choices" }, choice(true, t("yes"), sign(true)), choice(false, t("no"), sign(false))),
  );
  const chosen = () => (inputs.true.checked ? true : inputs.false.checked ? false : null);
  const set = (given) => {
    inputs.true.checked = given === true;
    inputs.false.checked = given === false;
  };

  function key(event) {
    const value = letters[event.key.toLowerCase()];
    if (value === undefined) return false;
    set(value);
    inputs[value].focus();
    screen.changed();
    return true;
  }
  element.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && key(event)) event.preventDefault();
  });

  return {
    element,
    value: chosen,
    set,
    missing: () => (chosen() === null ? { text: t("missing.yes-no"), focus: () => inputs.true.focus() } : null),
    key,
    keys: [
      [sign(true), t("yes")],
      [sign(false), t("no")],
    ],
  };
}
