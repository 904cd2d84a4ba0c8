// Runs before the first paint, so that a chosen theme never flashes the other one.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem("rowhouse.theme");
  } catch (_) {
    // Storage can be forbidden; the system's theme is then the one shown.
  }
  if (chosen !== "light" && chosen !== "dark")
    chosen = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  document.documentElement.dataset.theme = chosen;
})();
