type Listener = () => void;
const listeners = new Set<Listener>();

/**
 * Has the rows of every view on the page read anew, because something other than their own writer
 * changed them.
 */
export function refreshRows() {
  for (const listener of listeners) listener();
}

/** Calls the listener when rows are to be read anew. Returns the way to stop. */
export function onRefreshRows(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
