// Keys of the list. They work where the browser of segments has the focus, or nothing has it and the address leads here.

import { letTab } from "./card.js";

const FIELDS = "input, textarea, select, [contenteditable]";

export function listen(app) {
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const inside = app.place.contains(target);
    const nowhere = target === document.body && location.hash.startsWith("#segments");
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !(inside || nowhere)) return;
    if (target.matches?.(FIELDS)) {
      if (
        event.key === "Escape" ||
        (event.key === "Enter" && target.matches('input[type="text"], input[type="search"]'))
      ) {
        app.list.focus(app.list.current);
        event.preventDefault();
      }
      return;
    }
    const act = actions(app, target)[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  app.frame.addEventListener("focusin", ({ target }) => {
    const card = target.closest?.(".segment");
    if (!card) return;
    const position = app.list.positionOf(Number(card.dataset.segment));
    if (position < 0) return;
    const before = app.list.element(app.list.current);
    if (before) letTab(before, false);
    app.list.current = position;
    letTab(card, true);
  });
  app.frame.addEventListener("scroll", () => app.scrolled(), { passive: true });
}

function actions(app, target) {
  const { list } = app;
  const onCard = target.matches?.(".segment, .frame") || target === document.body;
  const segment = () => list.rows[list.current];
  const step = (by) => () => list.focus(isFresh(app) ? list.current : list.current + by);
  const all = {
    j: step(1),
    k: step(-1),
    PageDown: step(1),
    PageUp: step(-1),
    g: () => list.focus(0),
    G: () => list.focus(list.size - 1),
    "/": () => app.toolbar.search.focus(),
    f: () => app.toolbar.condition.input.focus(),
    "?": () => app.openHelp(),
  };
  if (list.size === 0) return { "/": all["/"], f: all.f, "?": all["?"] };
  if (onCard) all.Enter = () => app.toggleOpen(segment(), null);
  all.s = () => app.toggleStar(segment());
  all.c = () => {
    if (!app.opened.has(segment())) app.toggleOpen(segment(), null);
    list.show(list.current);
    list.element(list.current)?.querySelector("textarea")?.focus();
  };
  return all;
}

// Before any segment has the focus, the first key leads to the first one.
function isFresh(app) {
  return !document.activeElement?.closest?.(".segment");
}
