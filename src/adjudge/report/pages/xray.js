// A word or a line that is pointed at lights up with all it is linked to, and is told in words below.
// Arrow keys go from word to word: up and down in a column, left and right along a link.
"use strict";
(() => {
  const telling = document.getElementById("telling");
  const linksOf = (element) => (element.dataset.links || "").split(" ").filter(Boolean);
  let drawing = null;

  const clear = () => {
    if (!drawing) return;
    drawing.classList.remove("busy");
    drawing.querySelectorAll(".on").forEach((element) => element.classList.remove("on"));
    drawing = null;
    telling.textContent = "";
  };

  const show = (element) => {
    clear();
    drawing = element.closest(".draw");
    const links = linksOf(element);
    element.classList.add("on");
    for (const link of links)
      drawing.querySelectorAll(`[data-links~="${link}"]`).forEach((other) => other.classList.add("on"));
    drawing.classList.add("busy");
    telling.textContent = element.dataset.tell;
  };

  const target = (event) => (event.target.closest ? event.target.closest(".draw [data-tell]") : null);
  // The page may also move below a mouse that lies still, as it does for arrow keys; that points at nothing.
  let mouse = "";
  document.addEventListener("mouseover", (event) => {
    const place = `${event.screenX} ${event.screenY}`;
    if (place === mouse) return;
    mouse = place;
    const element = target(event);
    if (element) show(element);
    else if (!document.activeElement.matches(".draw [data-tell]")) clear();
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
