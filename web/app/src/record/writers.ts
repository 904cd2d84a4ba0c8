import type { Heard } from "./heard.ts";
import { Writer } from "./writer.ts";

const writers = new Map<string, Writer>();

/** The writer of a table. It outlives the page that shows the table, as its unsent edits must. */
export function writerOf(tableId: string): Writer {
  let writer = writers.get(tableId);
  if (!writer) {
    writer = new Writer(tableId);
    writers.set(tableId, writer);
  }
  return writer;
}

/** Passes on what the service tells of a table's records, if the page has shown the table. */
export function hearOf(tableId: string, changes: readonly Heard[]) {
  writers.get(tableId)?.hear(changes);
}

if (typeof window !== "undefined") {
  window.addEventListener("online", () => {
    for (const writer of writers.values()) writer.resume();
  });
  window.addEventListener("beforeunload", (event) => {
    if ([...writers.values()].some((writer) => writer.dirty)) event.preventDefault();
  });
}

/** Sends every table's waiting edits, after the person has signed in again. */
export function resumeAll() {
  for (const writer of writers.values()) writer.resume();
}

/** How many edits of all tables the service does not have yet. */
export function unsentCount(): number {
  return [...writers.values()].reduce((sum, writer) => sum + writer.status.count, 0);
}

/** Drops every table's waiting edits. */
export function discardAll() {
  for (const writer of writers.values()) writer.discard();
}

/** Waits until the service has every table's edits. Fails when there is no connection. */
export async function settleAll(): Promise<void> {
  await Promise.all([...writers.values()].map((writer) => writer.settle()));
}
