import { tableOf } from "../access/base.ts";
import { cache } from "../api/cache.ts";
import { onBound } from "../api/person.ts";
import { baseQuery } from "../api/query.ts";
import type { Command, Place, Refused } from "./command.ts";
import type { Heard } from "./heard.ts";
import { Keep, type Kept } from "./keep.ts";
import { Writer } from "./writer.ts";

const firstLook = 600; // milliseconds until a page has shown what it was opened for
const secondLook = 5000; // milliseconds until a page that was just closed is surely gone

const writers = new Map<string, Writer>();
const listeners = new Set<() => void>();
let keep: Keep | undefined;
let version = 0;

function changed() {
  version++;
  for (const listener of listeners) listener();
}

/** The writer of a table. It outlives the page that shows the table, as its commands must. */
export function writerOf(tableId: string): Writer {
  let writer = writers.get(tableId);
  if (!writer) {
    const made: Writer = new Writer(tableId, undefined, {
      keep: (command, refused) => made.place && keep?.put(made.place, command, refused),
      drop: (seq) => keep?.drop(seq),
    });
    made.on({ status: changed, conflict: changed });
    writer = made;
    writers.set(tableId, writer);
  }
  return writer;
}

/** Passes on what the service tells of a table's records, if the page has shown the table. */
export function hearOf(tableId: string, changes: readonly Heard[]) {
  writers.get(tableId)?.hear(changes);
}

/** Reads the fields of a table anew. */
async function readFields({ baseId, tableId }: Place) {
  const base = await cache.fetchQuery({ ...baseQuery(baseId), staleTime: 0 });
  return tableOf(base, tableId)?.fields ?? [];
}

function take(list: readonly Kept[]) {
  for (const tableId of new Set(list.map((kept) => kept.tableId))) {
    const of = list.filter((kept) => kept.tableId === tableId);
    const writer = writerOf(tableId);
    const { orgId, baseId } = of[0] as Kept;
    const place = (writer.place ??= { orgId, baseId, tableId });
    const adopted = of.map(({ command, refused }): { command: Command; refused?: Refused } => ({ command, refused }));
    if (writer.names.known) writer.adopt(adopted);
    // Without the fields the service says what is wrong.
    else
      void readFields(place)
        .then((fields) => writer.know(fields, () => readFields(place)))
        .catch(() => undefined)
        .then(() => writer.adopt(adopted));
  }
}

/** Goes on with what the person has left on pages that are gone. */
async function adopt() {
  try {
    take((await keep?.adopt()) ?? []);
  } catch {
    // The browser's database cannot be read. What is on the page goes on without it.
  }
}

/** Keeps the commands of a person from now on. */
function keepFor(personId: string) {
  keep = new Keep(personId);
}

if (typeof window !== "undefined") {
  onBound((personId) => {
    keepFor(personId);
    for (const wait of [firstLook, secondLook]) setTimeout(() => void adopt(), wait);
  });
  window.addEventListener("online", () => {
    for (const writer of writers.values()) writer.resume();
    void adopt();
  });
  window.addEventListener("beforeunload", (event) => {
    const kept = keep?.safe === true && keep.works;
    if (!kept && [...writers.values()].some((writer) => writer.dirty)) event.preventDefault();
  });
}

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

/** How many commands of all tables the service does not have yet. */
export function unsentCount(): number {
  return [...writers.values()].reduce((sum, writer) => sum + writer.status.count, 0);
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
