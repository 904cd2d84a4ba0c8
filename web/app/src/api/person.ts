/**
 * Whose page this is. Cookies belong to the whole browser: when a session ends and another person
 * signs in, in this tab or another, requests of this page would go out under that person's name. So
 * the page belongs to the first person that it has read and publishes it to the browser's other
 * pages. Once the session has ended or somebody else has signed in, it sends nothing until it sees
 * the same person again.
 */

const place = "rowhouse.person";

let bound: string | undefined;
let paused = false;
const bindListeners = new Set<(personId: string) => void>();

function lastSignedIn(): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null; // Storage is off; then only this page's own responses show it.
  }
}

/** Notes who is signed in. Returns false when that is not the page's person. */
export function bind(personId: string): boolean {
  const first = bound === undefined;
  bound ??= personId;
  if (bound !== personId) {
    paused = true;
    return false;
  }
  if (first) for (const listener of bindListeners) listener(personId);
  try {
    localStorage.setItem(place, personId);
  } catch {
    // See lastSignedIn.
  }
  return true;
}

/** Calls the listener once it is known whose page this is. */
export function onBound(listener: (personId: string) => void) {
  if (bound !== undefined) listener(bound);
  else bindListeners.add(listener);
}

/** Reports whether another person has signed in in this browser since this page was read. */
export function otherSignedIn(): boolean {
  const last = lastSignedIn();
  return bound !== undefined && last !== null && last !== bound;
}

/**
 * Pauses all requests, because nobody or somebody else may be signed in. Before anybody is known
 * there is nothing to pause.
 */
export function hold() {
  paused = bound !== undefined;
}

/** Resumes requests: the same person was seen. */
export function release() {
  paused = false;
}

export function isPaused(): boolean {
  return paused || otherSignedIn();
}

/**
 * Calls the listener when another of the browser's pages reports another person. Returns the
 * function to stop.
 */
export function onOtherPerson(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === place && otherSignedIn()) listener();
  };
  window.addEventListener("storage", onStorage);
  return () => window.removeEventListener("storage", onStorage);
}
