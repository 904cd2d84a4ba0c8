type Listener = (tables?: ReadonlySet<string>) => unknown;
const listeners = new Set<Listener>();

/**
 * Has the rows of every view on the page read anew, or of those of some tables, because something
 * other than their own writer changed them.
 */
export function refreshRows(tables?: ReadonlySet<string>) {
  for (const listener of listeners) listener(tables);
}

/** Calls the listener when rows are to be read anew. Returns the way to stop. */
export function onRefreshRows(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
