// The field for conditions: completions while one writes, and what is wrong with what was written, where it stands.
import { completions } from "./complete.js";
import { button, element, visible } from "./dom.js";

export class ConditionField {
  // changed(text, typing) is called with what was written.
  constructor(catalogue, changed) {
    Object.assign(this, { catalogue, changed, offered: null, chosen: -1 });
    this.input = element("input", {
      type: "text",
      id: "segments-where",
      role: "combobox",
      "aria-expanded": false,
      "aria-controls": "segments-offers",
      "aria-autocomplete": "list",
      "aria-describedby": "segments-where-error",
      autocomplete: "off",
      spellcheck: "false",
      autocapitalize: "off",
      dir: "ltr",
      placeholder: this.#example(),
      on: {
        input: () => this.#typed(),
        focus: () => this.#offer(),
        click: () => this.#offer(),
        keydown: (event) => this.#key(event),
        blur: () => this.#close(),
        change: () => this.changed(this.input.value, false),
      },
    });
    this.offers = element("ul", {
      id: "segments-offers",
      role: "listbox",
      class: "offers",
      "aria-label": "Names",
      tabindex: -1,
      hidden: true,
    });
    this.error = element("p", { id: "segments-where-error", class: "error", role: "alert", hidden: true });
    this.element = element(
      "div",
      { class: "field condition" },
      element("label", { for: "segments-where" }, "Condition"),
      this.input,
      this.offers,
      this.error,
    );
  }

  #example() {
    const [first] = this.catalogue.byKind.score;
    const [label] = this.catalogue.byKind.label;
    const parts = [first && `${first.name} < 40`, label && `${label.name} = ${label.values[0] ?? "…"}`].filter(Boolean);
    return `e.g. ${visible(parts.join(" and ") || "starred")}`;
  }

  set value(text) {
    if (this.input.value !== text) this.input.value = text;
  }

  #typed() {
    this.changed(this.input.value, true);
    this.#offer();
  }

  #offer() {
    this.offered = completions(this.input.value, this.input.selectionStart, this.catalogue);
    this.chosen = -1;
    const items = this.offered.items.map((item, place) =>
      element(
        "li",
        {
          id: `segments-offer-${place}`,
          role: "option",
          "aria-selected": false,
          on: {
            mousedown: (event) => {
              event.preventDefault();
              this.#take(place);
            },
          },
        },
        element("span", {}, visible(item.label)),
        element("span", { class: "soft" }, ` ${item.about}`),
      ),
    );
    this.offers.replaceChildren(...items);
    this.#expanded(items.length > 0);
  }

  #expanded(open) {
    this.offers.hidden = !open;
    this.input.setAttribute("aria-expanded", String(open));
    if (!open) this.input.removeAttribute("aria-activedescendant");
  }

  #close() {
    this.#expanded(false);
  }

  get isOpen() {
    return !this.offers.hidden;
  }

  #key(event) {
    const count = this.offered?.items.length ?? 0;
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && this.isOpen && count) {
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.#choose(this.chosen < 0 && step < 0 ? count - 1 : (this.chosen + step + count) % count);
      event.preventDefault();
    } else if ((event.key === "Enter" || event.key === "Tab") && this.isOpen && this.chosen >= 0) {
      this.#take(this.chosen);
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === "Escape" && this.isOpen) {
      this.#close();
      event.stopPropagation();
    } else if (event.key === "Enter") this.#close();
  }

  #choose(place) {
    this.chosen = place;
    [...this.offers.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === place)));
    this.offers.children[place].scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", `segments-offer-${place}`);
  }

  #take(place) {
    const { from, to, items } = this.offered;
    this.#replace(from, to, items[place].insert);
    this.#offer();
  }

  #replace(from, to, text) {
    const { value } = this.input;
    this.input.value = value.slice(0, from) + text + value.slice(to);
    this.input.setSelectionRange(from + text.length, from + text.length);
    this.changed(this.input.value, true);
  }

  // What is wrong: a message with the place, near names to take instead, and which condition still stands.
  refuse(error, standing = "") {
    this.error.hidden = error === null;
    this.input.setAttribute("aria-invalid", String(error !== null));
    if (error === null) {
      this.error.replaceChildren();
      return;
    }
    const parts = [visible(error.message)];
    if (error.suggestions?.length) {
      parts.push("; did you mean ");
      error.suggestions.forEach((name, i) => {
        const text = visible(name);
        parts.push(
          i ? ", " : "",
          button(text, {
            class: "suggestion",
            on: {
              click: () => {
                this.#replace(error.position, error.position + error.length, `${name} `);
                this.input.focus();
              },
            },
          }),
        );
      });
      parts.push("?");
    }
    const place =
      error.position === undefined
        ? []
        : [element("code", { class: "where", "aria-hidden": true }, ...pointed(this.input.value, error))];
    const still = standing
      ? [element("span", { class: "soft" }, `Shown are still those of: ${visible(standing)}`)]
      : [];
    this.error.replaceChildren(...parts, ...place, ...still);
  }
}

function pointed(text, { position, length }) {
  const [from, to] = [position, Math.max(position + 1, position + length)];
  return [
    visible(text.slice(0, from)),
    element("mark", {}, visible(text.slice(from, to)) || " "),
    visible(text.slice(to)),
  ];
}
