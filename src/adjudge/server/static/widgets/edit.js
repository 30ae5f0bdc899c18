// The translation, to be corrected. Keys and actions are counted on the way; two other answers are possible.

import { h, keycap, reading, tongue, unique } from "../dom.js";
import { t } from "../texts.js";

const EDITED = "edited";
const FINE = "no corrections needed";
const UNABLE = "unable to correct";
const ACTIONS = ["insertions", "deletions", "pastes", "cuts", "undos", "moves"];

export function edit(field, screen) {
  const original = screen.task.segments[0].candidates[0];
  const id = unique("edit");
  const name = unique("state");
  let state = null;
  let keystrokes = 0;
  let actions = Object.fromEntries(ACTIONS.map((action) => [action, 0]));

  const area = h("textarea", {
    id,
    class: "reading",
    rows: 3,
    spellcheck: "false",
    autocomplete: "off",
    maxlength: 20000,
    ...tongue(screen.campaign.target),
    onkeydown: (event) => {
      if (["Control", "Shift", "Alt", "Meta", "AltGraph", "CapsLock"].includes(event.key)) return;
      if (event.key === "Enter") {
        // A segment is one line; Ctrl+Enter goes on, which is not an edit.
        if (!event.ctrlKey && !event.metaKey) event.preventDefault();
        return;
      }
      if (event.key !== "Tab" && event.key !== "Escape") keystrokes += 1;
    },
    // What an input method composes is one insertion, however many keys it took.
    oncompositionend: () => (actions.insertions += 1),
    oninput: (event) => {
      const action = event.isComposing ? null : actionOf(event.inputType ?? "");
      if (action) actions[action] += 1;
      area.value = area.value.includes("\n") ? area.value.replace(/\s*\n\s*/g, " ") : area.value;
      state = isChanged() ? EDITED : null;
      show();
      screen.changed();
    },
  });
  const box = (value, text) =>
    h("label", { class: "choice" }, h("input", { type: "checkbox", name, value, onchange: (event) => choose(event.target.checked ? value : null) }), h("span", {}, text));
  const boxes = h("div", { class: "choices" }, box(FINE, t("edit.fine")), box(UNABLE, t("edit.unable")));
  const before = h("details", { class: "before" }, h("summary", {}, t("edit.original")), reading(original, screen.campaign.target));
  const reset = h("button", { type: "button", class: "quiet", onclick: () => restore() }, t("edit.restore"));

  const element = h(
    "div",
    { class: "field edit" },
    h("div", { class: "question" }, h("label", { for: id }, screen.question)),
    area,
    h("div", { class: "beside" }, before, reset),
    boxes,
    h("p", { class: "hint" }, keycap("Ctrl"), " + ", keycap("Enter"), " ", t("help.next")),
  );

  const isChanged = () => plain(area.value) !== plain(original);

  function choose(value) {
    state = value ?? (isChanged() ? EDITED : null);
    show();
    screen.changed();
  }

  function restore() {
    area.value = original;
    actions.undos += 1;
    state = null;
    show();
    screen.changed();
    area.focus();
  }

  function show() {
    const other = state === FINE || state === UNABLE;
    area.readOnly = other;
    area.classList.toggle("aside", other);
    reset.hidden = !isChanged() || other;
    for (const input of boxes.querySelectorAll("input")) input.checked = input.value === state;
    fit();
  }

  function fit() {
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + 4}px`;
  }
  new ResizeObserver(() => requestAnimationFrame(fit)).observe(boxes);
  area.value = original;
  show();

  return {
    element,
    candidates: true,
    value: () => (state === null ? null : { state, text: state === EDITED ? area.value : original, keystrokes, actions: { ...actions } }),
    /** What a draft needs besides the answer: somebody may reload before anything is changed. */
    set: (given) => {
      state = given?.state ?? null;
      area.value = given?.text ?? original;
      keystrokes = given?.keystrokes ?? 0;
      actions = { ...actions, ...given?.actions };
      show();
    },
    missing: () => {
      if (state === EDITED && plain(area.value) === "") return { text: t("missing.empty"), focus: () => area.focus() };
      return state === null ? { text: t("missing.edit"), focus: () => area.focus() } : null;
    },
    key: (event) => {
      if (event.key.toLowerCase() !== "e") return false;
      area.focus();
      return true;
    },
    keys: [
      ["E", t("help.edit")],
      ["Ctrl & Enter", t("help.next")],
    ],
  };
}

function plain(text) {
  return text.split(/\s+/).filter(Boolean).join(" ");
}

/** Which action an input event was, by the names that browsers give them. */
function actionOf(type) {
  if (type === "insertFromPaste" || type === "insertFromPasteAsQuotation") return "pastes";
  if (type === "deleteByCut") return "cuts";
  if (type === "historyUndo" || type === "historyRedo") return "undos";
  if (type === "deleteByDrag") return null; // the drop that follows counts as the move
  if (type === "insertFromDrop") return "moves";
  if (type.startsWith("delete")) return "deletions";
  return type.startsWith("insert") ? "insertions" : null;
}
