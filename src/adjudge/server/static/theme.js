// Runs before the page is drawn: light or dark, and the size of text, as somebody chose them here before.
(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem("adjudge.theme");
    const size = localStorage.getItem("adjudge.size");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    if (/^[0-6]$/.test(size ?? "")) root.dataset.size = size;
  } catch {
    // A browser that keeps nothing shows what it likes best.
  }
})();
