// What opens over the page: instructions, keys, looks, and the overview of one's answers.

import { h, keycap, prose } from "../dom.js";
import { t } from "../texts.js";
import { controls } from "./preferences.js";
import { summary } from "./summary.js";

/** A dialog that closes by its button, by Escape and by a click beside it; it is made anew each time. */
export function open(title, ...content) {
  const dialog = h(
    "dialog",
    { "aria-label": title, onclose: () => dialog.remove(), onclick: (event) => event.target === dialog && dialog.close() },
    h(
      "div",
      { class: "sheet" },
      h("header", {}, h("h2", {}, title), h("button", { type: "button", class: "icon", "aria-label": t("close"), onclick: () => dialog.close() }, "×")),
      ...content,
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

export function isOpen() {
  return document.querySelector("dialog[open]") !== null;
}

export function openInstructions(campaign) {
  return open(
    t("instructions"),
    campaign.instructions && h("div", { class: "prose own" }, prose(campaign.instructions)),
    h("div", { class: "prose" }, prose(t(`guide.${campaign.protocol}`))),
  );
}

export function openPreferences() {
  return open(t("preferences"), controls());
}

export function openHelp(fieldKeys, corrections) {
  const caps = (keys) => keys.split(" ").map((one) => (one === "&" ? "+ " : [keycap(one === "Space" ? t("key.space") : one), " "]));
  const line = ([keys, text]) => h("div", {}, h("dt", {}, caps(keys)), h("dd", {}, text));
  const general = [
    ["Enter", t("help.next")],
    ...(corrections ? [["B", t("help.back")], ["U", t("help.undo")], ["O", t("help.overview")]] : []),
    ["I", t("help.instructions")],
    ["+", t("help.larger")],
    ["-", t("help.smaller")],
    ["D", t("help.dark")],
    ["?", t("help.help")],
    ["Esc", t("help.close")],
  ];
  return open(
    t("help"),
    h("h3", {}, t("help.this")),
    h("dl", { class: "keys" }, fieldKeys.map(line)),
    h("h3", {}, t("help.everywhere")),
    h("dl", { class: "keys" }, general.map(line)),
    h("p", { class: "hint" }, t("help.single")),
  );
}

/** All items of this part with what was said of them, and the other parts. */
export function openOverview(desk) {
  const { campaign, tasks, hits, hit } = desk;
  const dialog = open(
    t("overview"),
    h("p", { class: "hint" }, t("overview.who", { name: desk.sheet.annotator.name }), " ", campaign.corrections ? t("overview.hint") : t("overview.fixed")),
    h(
      "ol",
      { class: "overview" },
      tasks.map((task, i) => {
        const said = task.answer ? summary(campaign.fields, task.answer) : task === desk.task ? t("overview.current") : t("overview.open");
        return h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: `${task.answer ? "done" : "open"} ${task === desk.task ? "here" : ""}`,
              disabled: !desk.canVisit(task),
              "aria-current": task === desk.task ? "step" : null,
              onclick: () => { dialog.close(); desk.show(task); },
            },
            h("b", {}, String(i + 1)),
            h("span", {}, said),
          ),
        );
      }),
    ),
    hits.length > 1 && h(
      "nav",
      { class: "parts", "aria-label": t("parts") },
      h("h3", {}, t("parts")),
      hits.map((one, i) =>
        h(
          "button",
          { type: "button", class: "small", disabled: one.id === hit, onclick: () => { dialog.close(); desk.load(one.id); } },
          t("part", { number: i + 1 }), " ", h("span", { class: "hint" }, `${one.answered}/${one.tasks}`),
        ),
      ),
    ),
  );
  dialog.querySelector(".here, .open:not(:disabled)")?.scrollIntoView({ block: "nearest" });
  return dialog;
}
