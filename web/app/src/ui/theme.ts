import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark" | "system";

const key = "rowhouse.theme";
const dark = typeof matchMedia === "function" ? matchMedia("(prefers-color-scheme: dark)") : null;
const listeners = new Set<() => void>();

function chosenTheme(): Theme {
  try {
    const stored = localStorage.getItem(key);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    return "system"; // storage can be forbidden
  }
}

/** The theme shown now. */
function shownTheme(): "light" | "dark" {
  return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}

function apply() {
  const chosen = chosenTheme();
  document.documentElement.dataset.theme = chosen === "system" ? (dark?.matches ? "dark" : "light") : chosen;
  for (const listener of listeners) listener();
}

export function chooseTheme(theme: Theme) {
  try {
    if (theme === "system") localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // The choice then lasts as long as the page.
  }
  apply();
}

export function followSystemTheme() {
  dark?.addEventListener("change", apply);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useTheme(): { chosen: Theme; shown: "light" | "dark" } {
  const shown = useSyncExternalStore(subscribe, shownTheme);
  const chosen = useSyncExternalStore(subscribe, chosenTheme);
  return { chosen, shown };
}
