// What is shown, as an address: #segments?where=…&sort=…; segment_links.py writes the same from Python.

export const FIELDS = [
  "where",
  "sort",
  "order",
  "system",
  "baseline",
  "search",
  "regex",
  "within",
  "against",
  "show",
  "segment",
];
const CHOICES = {
  order: ["up", "down"],
  show: ["all", "different", "changed"],
  within: ["source", "reference", "output"],
  against: ["reference", "nothing"],
};
export const ANCHOR = "#segments";

export function parseView(hash) {
  if (hash !== ANCHOR && !hash.startsWith(`${ANCHOR}?`)) return null;
  const given = new URLSearchParams(hash.slice(ANCHOR.length + 1).replace(/\+/g, "%2B"));
  const view = {};
  for (const name of FIELDS) {
    const value = given.get(name) ?? "";
    view[name] = name in CHOICES && !CHOICES[name].includes(value) ? "" : value;
  }
  view.regex = view.regex === "1";
  if (view.show === "all") view.show = "";
  return view;
}

export function addressOf(view) {
  const parts = FIELDS.filter((name) => view[name]).map(
    (name) =>
      `${name}=${view[name] === true ? "1" : encodeURIComponent(String(view[name]).toWellFormed?.() ?? view[name])}`,
  );
  return ANCHOR + (parts.length ? `?${parts.join("&")}` : "");
}

// Systems as places: the one looked at and the one it is held against (−1: none).
export function systemsOf(view, systems) {
  const place = (name) => systems.indexOf(name);
  let baseline = view.baseline === "-" ? -1 : place(view.baseline);
  const isGiven = baseline >= 0 || view.baseline === "-";
  let system = place(view.system);
  if (system < 0) system = systems.findIndex((_, i) => i !== (isGiven ? baseline : 0));
  if (system < 0) system = 0;
  if (!isGiven) baseline = systems.findIndex((_, i) => i !== system);
  if (baseline === system) baseline = -1;
  return { system, baseline };
}
