// A word or a line that is pointed at lights up with all it is linked to, and is told in words below.
// Arrow keys go from word to word: up and down in a column, left and right along a link. A sign of the legend shows its
// kind of links alone.
"use strict";
(() => {
  const telling = document.getElementById("telling");
  const articles = document.querySelectorAll("article");
  const THINGS = "article .words li, article .hit, article mark";
  const linksOf = (element) => (element.dataset.links || "").split(" ").filter(Boolean);
  let lit = null; // the segment something is pointed at in
  let kind = ""; // the kind of links that is shown alone

  const light = (article, selector) => {
    article.querySelectorAll(".on").forEach((element) => element.classList.remove("on"));
    article.classList.toggle("busy", Boolean(selector));
    if (selector) article.querySelectorAll(selector).forEach((element) => element.classList.add("on"));
  };
  const rest = (article) =>
    light(article, kind && [`.link.${kind}`, `.phrase.${kind}`, `mark.${kind}`, `.words .${kind}`, `.l-${kind}`, `.r-${kind}`].join());

  // Only the words of the drawing are told; a line and a word of the sentence lead to theirs.
  const wordOf = (element) => {
    if (element.matches("li")) return element;
    if (element.matches(".hit"))
      return element.closest("article").querySelector(`.words:not(.middle) [data-links="${element.dataset.links}"]`);
    const place = [...element.parentElement.children].indexOf(element);
    return document.getElementById(element.parentElement.dataset.words).children[place];
  };

  const clear = () => {
    if (!lit) return;
    rest(lit);
    lit = null;
    telling.textContent = "";
  };

  const show = (element) => {
    clear();
    lit = element.closest("article");
    const links = linksOf(element);
    light(lit, links.map((link) => `[data-links~="${link}"]`).join(", ") || ":not(*)");
    lit.classList.add("busy");
    element.classList.add("on");
    telling.textContent = wordOf(element).querySelector(".sr").textContent.slice(2);
  };

  const target = (event) => (event.target.closest ? event.target.closest(THINGS) : null);
  // The page may also move below a mouse that lies still, as it does for arrow keys; that points at nothing.
  let mouse = "";
  document.addEventListener("mouseover", (event) => {
    const place = `${event.screenX} ${event.screenY}`;
    if (place === mouse) return;
    mouse = place;
    const element = target(event);
    if (element) show(element);
    else if (!document.activeElement.matches(THINGS)) clear();
  });
  document.addEventListener("focusin", (event) => {
    const element = target(event);
    if (element) show(element);
    else clear();
  });
  document.addEventListener("focusout", clear);
  document.addEventListener("click", (event) => {
    const element = target(event);
    if (element && element.matches("li")) element.focus();
    else if (!element) clear();
  });

  document.querySelectorAll(".legend button").forEach((button) =>
    button.addEventListener("click", () => {
      kind = kind === button.dataset.kind ? "" : button.dataset.kind;
      document
        .querySelectorAll(".legend button")
        .forEach((other) => other.setAttribute("aria-pressed", String(other.dataset.kind === kind)));
      articles.forEach(rest);
    }));

  // Paper has no way to open what is folded.
  const folded = [];
  addEventListener("beforeprint", () =>
    document.querySelectorAll("article details:not([open])").forEach((part) => {
      part.open = true;
      folded.push(part);
    }));
  addEventListener("afterprint", () => folded.splice(0).forEach((part) => (part.open = false)));

  const sideways = (word, step) => {
    const columns = [...word.closest(".draw").querySelectorAll(".words")];
    const next = columns[columns.indexOf(word.parentElement) + step];
    if (!next) return null;
    const links = linksOf(word);
    return [...next.children].find((other) => linksOf(other).some((link) => links.includes(link)));
  };
  document.addEventListener("keydown", (event) => {
    const word = event.target.closest ? event.target.closest(".words li") : null;
    if (!word) return;
    const next = {
      ArrowDown: () => word.nextElementSibling,
      ArrowUp: () => word.previousElementSibling,
      ArrowLeft: () => sideways(word, -1),
      ArrowRight: () => sideways(word, 1),
      Home: () => word.parentElement.firstElementChild,
      End: () => word.parentElement.lastElementChild,
    }[event.key];
    if (event.key === "Escape") word.blur();
    if (!next) return;
    event.preventDefault();
    const found = next();
    if (!found) return;
    word.tabIndex = -1;
    found.tabIndex = 0;
    found.focus();
  });
})();
