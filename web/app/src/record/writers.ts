import type { Keep } from "./keep.ts";
import type { Writer } from "./writer.ts";

/**
 * The writers of the page, for code that only asks for them or waits for them. What makes a writer
 * is loaded with the first table, or when an earlier page may have left commands (see leftover.ts).
 */

const writers = new Map<string, Writer>();
const listeners = new Set<() => void>();
let keep: Keep | undefined;
let version = 0;

/** Notifies the listeners that a writer has other commands. */
export function writersChanged() {
  version++;
  for (const listener of listeners) listener();
}

/** The writer of a table, if the page has one. */
export const knownWriter = (tableId: string) => writers.get(tableId);

/** Adds the writer of a table. */
export function addWriter(tableId: string, writer: Writer) {
  writers.set(tableId, writer);
}

/** Says where the page keeps its commands. */
export function keepIn(place: Keep) {
  keep = place;
}

if (typeof window !== "undefined") window.addEventListener("online", resumeAll);

/** Calls the listener when a writer has other commands. Returns the way to stop. */
export function onWriters(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** A number that rises when a writer has other commands. */
export const writersVersion = () => version;

/** The writers of the page. */
export const allWriters = () => [...writers.values()];

/** Sends every table's waiting commands, after the person has signed in again. */
export function resumeAll() {
  for (const writer of writers.values()) writer.resume();
}

/** How many commands of all tables the service does not have yet, or a person has to decide before. */
export function unsentCount(): number {
  return allWriters().reduce((sum, { status, conflicts }) => sum + status.count + conflicts.length, 0);
}

/** How many commands of all tables are not done, also because the service refused them. */
export function unsavedCount(): number {
  return unsentCount() + allWriters().reduce((sum, { refused }) => sum + refused.length, 0);
}

/** Reports whether what waits outlives the page. */
export const isKept = () => keep?.works === true;

/** Drops every table's waiting commands. */
export async function discardAll(): Promise<void> {
  for (const writer of writers.values()) writer.discard();
  await keep?.settled();
}

/** Waits until the service has every table's commands. Fails when there is no connection. */
export async function settleAll(): Promise<void> {
  await Promise.all([...writers.values()].map((writer) => writer.settle()));
}
