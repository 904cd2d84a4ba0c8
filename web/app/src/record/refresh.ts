type Listener = (tables?: ReadonlySet<string>) => unknown;
const listeners = new Set<Listener>();

/**
 * Reads the rows of every view on the page again, or of the views of some tables, because something
 * other than their own writer changed them.
 */
export function refreshRows(tables?: ReadonlySet<string>) {
  for (const listener of listeners) listener(tables);
}

/** Calls the listener when rows must be read again. Returns the function to stop. */
export function onRefreshRows(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
