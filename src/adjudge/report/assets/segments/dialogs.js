// Keys, and files to take away or bring along.
import { button, download, element, visible } from "./dom.js";
import { PROTOCOLS, asTable, campaignArchive } from "./export.js";
import { counted } from "./numbers.js";

const KEYS = [
  ["j  k", "next and previous segment (also Page Down and Page Up)"],
  ["g  G", "first and last segment"],
  ["Enter", "open or close a segment"],
  ["s", "star"],
  ["c", "comment"],
  ["/", "search"],
  ["f", "condition"],
  ["Esc", "from a field back to the list"],
  ["?", "these keys"],
];

function dialog(title, ...content) {
  const close = button("Close", { class: "close", on: { click: () => box.close() } });
  const box = element(
    "dialog",
    { class: "browser-dialog", "aria-label": title },
    element("h3", {}, title),
    ...content,
    close,
  );
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

const EXAMPLES = [
  "chrf < 40 and ter > 60",
  "Δchrf > 10",
  "domain = news or not starred",
  "system:B.chrf < 20",
  "20 < chrf < 40",
  "chrf - baseline.chrf > 5",
  "people = missing",
];
const ABOUT = [
  "Δ is the system's value less the baseline's. Names of scores, labels and classes are offered as you write.",
  "The list holds what is in sight: to look for words, use the search above it rather than the browser's own,",
  "unless 100 segments or fewer are left.",
].join(" ");

export function openHelp() {
  const rows = KEYS.map(([keys, meaning]) =>
    element("tr", {}, element("th", { scope: "row" }, element("kbd", {}, keys)), element("td", {}, meaning)),
  );
  const examples = EXAMPLES.map((example) => element("li", {}, element("code", {}, example)));
  dialog(
    "Keys",
    element("table", {}, element("tbody", {}, rows)),
    element("h3", {}, "Conditions"),
    element("ul", { class: "examples" }, examples),
    element("p", { class: "soft" }, ABOUT),
  );
}

export function openExport(app) {
  const { store, notes, list } = app;
  const name = fileName(store.document.name || "segments");
  const told = element("p", { role: "status", class: "soft" });
  const which = element(
    "select",
    { "aria-label": "Which segments", id: "segments-which" },
    element("option", { value: "notes" }, `with a star or a comment (${notes.segments.length})`),
    element("option", { value: "shown" }, `shown now (${list.size})`),
  );
  if (notes.segments.length === 0) which.value = "shown";
  const segments = () => (which.value === "notes" ? notes.segments : Array.from(list.rows));
  const guarded = (make) => () => {
    if (segments().length === 0) told.textContent = "There is no segment to export: give one a star (s).";
    else make();
  };
  const upload = element("input", {
    type: "file",
    accept: ".json,application/json",
    "aria-label": "File of stars",
    on: { change: () => bring(app, upload, told) },
  });
  dialog(
    "Export",
    element("p", {}, element("label", { for: "segments-which" }, "Segments "), which),
    element(
      "p",
      {},
      button("Table (TSV)", {
        on: {
          click: guarded(() => download(`${name}.tsv`, asTable(segments(), store, notes), "text/tab-separated-values")),
        },
      }),
    ),
    campaignForm(app, name, segments, guarded, told),
    element("h3", {}, "Stars and comments"),
    element(
      "p",
      { class: "soft" },
      notes.kept
        ? "This browser keeps them for this test set. As a file, others can open them in the same report."
        : "This browser does not keep them: save them as a file.",
    ),
    element(
      "p",
      {},
      button("Save as a file", {
        on: { click: () => download(`${name}.stars.json`, notes.file(), "application/json") },
      }),
      " ",
      element("label", {}, "Open a file ", upload),
    ),
    told,
  );
}

function campaignForm(app, title, segments, guarded, told) {
  const { store } = app;
  const field = (label, input) => element("label", { class: "field" }, label, input);
  const name = element("input", { type: "text", value: title, required: true, pattern: "[^\\/\\\\=]+" });
  const language = element("input", {
    type: "text",
    value: store.document.languages.filter(Boolean).join("-"),
    placeholder: "en-de",
    size: 7,
  });
  const protocol = element(
    "select",
    {},
    PROTOCOLS.map((each) => element("option", {}, each)),
  );
  const annotators = element("input", { type: "number", value: 2, min: 1, max: 1000, size: 4 });
  const both = element(
    "select",
    {},
    element("option", { value: "two" }, "the two compared"),
    element("option", { value: "all" }, "all"),
  );
  const make = guarded(() => {
    const chosen =
      both.value === "all"
        ? store.systems.map((_, place) => place)
        : [app.system, ...(app.baseline < 0 ? [] : [app.baseline])];
    const problem = campaignProblem(language.value.trim(), protocol.value, chosen);
    if (problem) {
      told.textContent = problem;
      return;
    }
    const options = {
      name: name.value.trim() || "segments",
      language: language.value.trim(),
      protocol: protocol.value,
      annotators: Math.max(1, Math.trunc(Number(annotators.value)) || 1),
      systems: chosen,
    };
    download(`${fileName(options.name)}.zip`, campaignArchive(segments(), store, options), "application/zip");
    told.textContent = `${counted(segments().length, "segment")} of ${counted(chosen.length, "system")}: unpack the archive, then adjudge human new campaign.toml`;
  });
  return element(
    "fieldset",
    {},
    element("legend", {}, "A campaign for people"),
    field("Name", name),
    field("Languages", language),
    field("Protocol", protocol),
    field("Annotators", annotators),
    field("Systems", both),
    button("Campaign (ZIP)", { on: { click: make } }),
  );
}

function campaignProblem(language, protocol, systems) {
  if (!/^[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*$/.test(language)) return "A campaign needs its languages, as in en-de.";
  if (["preference", "ranking"].includes(protocol) && systems.length < 2)
    return `${protocol} needs two systems: choose a baseline, or all systems.`;
  return "";
}

async function bring(app, upload, told) {
  try {
    const { taken, unknown, other } = app.notes.read(await upload.files[0].text());
    const parts = [`${counted(taken, "segment")} taken over`];
    if (unknown) parts.push(`${counted(unknown, "segment")} of the file not in this report`);
    if (other) parts.push("the file was made for other texts");
    told.textContent = `${parts.join("; ")}.`;
    app.notesChanged();
  } catch (error) {
    told.textContent = visible(error.message);
  }
}

const fileName = (text) =>
  text
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+|-+$/g, "")
    .slice(0, 60) || "segments";
