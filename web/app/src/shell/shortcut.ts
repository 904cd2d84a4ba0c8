import { useEffect, useRef } from "react";

const apple = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** How the platform's command key is written. */
export const mod = apple ? "⌘" : "Ctrl";

function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/**
 * Runs the action on a key ("?", "mod+k"). A key without the command key does nothing while
 * somebody types.
 */
export function useShortcut(keys: string, action: () => void) {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    const wantsMod = keys.startsWith("mod+");
    const key = wantsMod ? keys.slice(4) : keys;
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.key.toLowerCase() !== key || event.altKey) return;
      if (wantsMod !== (event.metaKey || event.ctrlKey)) return;
      if (!wantsMod && typing(event.target)) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [keys]);
}
