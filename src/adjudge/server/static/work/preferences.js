// How the page looks and listens, remembered in this browser: size of text, light or dark, single keys.

import { h, unique } from "../dom.js";
import { t } from "../texts.js";

const SIZES = 7; // as many steps as base.css has
const USUAL = 2;
const root = document.documentElement;

function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(`adjudge.${name}`);
    else localStorage.setItem(`adjudge.${name}`, value);
  } catch {
    // It holds for as long as the page is open.
  }
}

function remembered(name) {
  try {
    return localStorage.getItem(`adjudge.${name}`);
  } catch {
    return null;
  }
}

let singleKeys = remembered("keys") !== "off";

/** Whether single letters are commands. */
export function listens() {
  return singleKeys;
}

export function size() {
  return Number(root.dataset.size ?? USUAL);
}

/** Make all text larger or smaller by so many steps. */
export function resize(steps) {
  const wanted = Math.min(SIZES - 1, Math.max(0, size() + steps));
  root.dataset.size = wanted;
  remember("size", wanted);
  return wanted;
}

export function theme() {
  return root.dataset.theme ?? "auto";
}

/** light, dark, or auto: as the system has it. */
export function setTheme(wanted) {
  if (wanted === "auto") delete root.dataset.theme;
  else root.dataset.theme = wanted;
  remember("theme", wanted === "auto" ? null : wanted);
}

/** Light if it is dark now, and dark if it is light. */
export function toggleTheme() {
  const dark = theme() === "dark" || (theme() === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  setTheme(dark ? "light" : "dark");
}

/** The controls of all that. */
export function controls() {
  const name = unique("theme");
  const shown = h("output", {}, percent());
  const step = (steps, text, sign) =>
    h("button", { type: "button", class: "small", "aria-label": text, onclick: () => { resize(steps); shown.textContent = percent(); } }, sign);
  return h(
    "div",
    { class: "preferences" },
    h("div", { class: "row", role: "group", "aria-label": t("size") }, h("span", {}, t("size")),
      h("span", { class: "steps" }, step(-1, t("size.smaller"), "A−"), shown, step(1, t("size.larger"), "A+"))),
    h("fieldset", { class: "row" }, h("legend", {}, t("theme")),
      ["auto", "light", "dark"].map((one) =>
        h("label", { class: "chip" }, h("input", { type: "radio", name, value: one, checked: theme() === one, onchange: () => setTheme(one) }), h("span", {}, t(`theme.${one}`))))),
    h("label", { class: "row check" },
      h("input", { type: "checkbox", checked: singleKeys, onchange: (event) => { singleKeys = event.target.checked; remember("keys", singleKeys ? null : "off"); } }),
      h("span", {}, t("keys.single"))),
  );
}

function percent() {
  return `${[80, 90, 100, 115, 130, 150, 180][size()]} %`;
}
