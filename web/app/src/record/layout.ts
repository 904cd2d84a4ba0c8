import { updateView } from "../api/change.ts";
import type { ViewConfig } from "../api/type.ts";
import { complain } from "../ui/toast.ts";

/**
 * Saves layouts of views: a while after a change, together with those that follow it soon, and
 * before what a person does next reaches the service. Undo goes by the order in which it has them.
 */

const settle = 600; // milliseconds after the last change of a layout until it is saved

type Layout = { viewId: string; config: ViewConfig; saved: (config: ViewConfig) => void };

let waiting: Layout | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let saving: Promise<void> = Promise.resolve();

/** Has a change of a view's layout saved. Called back with all that was saved with it. */
export function saveLayout(viewId: string, change: ViewConfig, saved: Layout["saved"]) {
  if (waiting && waiting.viewId !== viewId) void layoutsSaved();
  waiting = { viewId, config: { ...waiting?.config, ...change }, saved };
  clearTimeout(timer);
  timer = setTimeout(() => void layoutsSaved(), settle);
}

/** Saves what waits, also where the page is leaving, and resolves when it is saved or was refused. */
export function layoutsSaved(leaving?: Event): Promise<void> {
  clearTimeout(timer);
  const due = waiting;
  waiting = undefined;
  if (due) saving = saving.then(() => save(due, !!leaving));
  return saving;
}

// A page that is closed or loaded again does not wait for the timer.
addEventListener("pagehide", layoutsSaved);

async function save({ viewId, config, saved }: Layout, keepalive: boolean) {
  try {
    // A key without a value is taken away; JSON would leave it out.
    const sent = Object.fromEntries(Object.entries(config).map(([key, value]) => [key, value ?? null]));
    await updateView({ viewId, body: { config: sent } }, { keepalive });
    saved(config);
  } catch (error) {
    complain(error);
  }
}
