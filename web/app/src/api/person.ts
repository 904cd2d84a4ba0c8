/**
 * Whose page this is. Cookies belong to the whole browser: when a session ends and another person
 * signs in, in this tab or beside it, requests of this page would go out under that person's name.
 * So the page belongs to the first person that it has read, tells the browser's other pages who
 * that is, and sends nothing once the session has ended or somebody else has signed in, until the
 * same person is seen again.
 */

const place = "rowhouse.person";

let bound: string | undefined;
let held = false;
const bindListeners = new Set<(personId: string) => void>();

function lastSignedIn(): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    return null; // Storage is off; then only this page's own answers tell.
  }
}

/** Takes note of who is signed in. Returns false when that is not the person whose page this is. */
export function bind(personId: string): boolean {
  const first = bound === undefined;
  bound ??= personId;
  if (bound !== personId) {
    held = true;
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
 * Holds all requests back, because nobody or somebody else may be signed in. Before anybody is
 * known there is nothing to hold.
 */
export function hold() {
  held = bound !== undefined;
}

/** Lets requests go again: the same person was seen. */
export function release() {
  held = false;
}

export function isHeld(): boolean {
  return held || otherSignedIn();
}

/**
 * Calls the listener when another of the browser's pages tells of another person. Returns the way
 * to stop.
 */
export function onOtherPerson(listener: () => void): () => void {
  const hear = (event: StorageEvent) => {
    if (event.key === place && otherSignedIn()) listener();
  };
  window.addEventListener("storage", hear);
  return () => window.removeEventListener("storage", hear);
}
