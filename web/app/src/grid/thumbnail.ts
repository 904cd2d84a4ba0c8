import { here } from "../field/file.ts";

type Listener = (column: number, row: number) => void;
type Kept = { image: HTMLImageElement; ready: boolean; wanted: [number, number][] };

// Images in the order in which they were last wanted; the oldest go first.
const kept = new Map<string, Kept>();
const maxKept = 400;
const listeners = new Set<Listener>();

/** Calls the listener when an image that a cell wanted has loaded. Returns the function to stop. */
export function onThumbnail(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The small image at an address when it is there. Otherwise it is fetched, and the cell is notified. */
export function thumbnail(address: string, column: number, row: number): HTMLImageElement | undefined {
  const known = kept.get(address);
  if (known) {
    kept.delete(address);
    kept.set(address, known);
    if (!known.ready) known.wanted.push([column, row]);
    return known.ready ? known.image : undefined;
  }
  const fresh: Kept = { image: new Image(), ready: false, wanted: [[column, row]] };
  kept.set(address, fresh);
  if (kept.size > maxKept) kept.delete(kept.keys().next().value as string);
  fresh.image.src = here(address);
  fresh.image.decode().then(
    () => {
      fresh.ready = true;
      for (const [column, row] of fresh.wanted.splice(0)) for (const listener of listeners) listener(column, row);
    },
    () => undefined, // its address has expired, or it is gone: the name is shown instead
  );
  return undefined;
}
