import { tableOf } from "../access/base.ts";
import { cache } from "../api/cache.ts";
import { onBound } from "../api/person.ts";
import { baseQuery } from "../api/query.ts";
import type { Place } from "./command.ts";
import { goOn } from "./goon.ts";
import type { Received } from "./received.ts";
import { Keep, type Kept } from "./keep.ts";
import { takeEntries } from "../ui/leave.ts";
import { Writer } from "./writer.ts";
import { addWriter, keepIn, knownWriter, unsavedCount, writersChanged } from "./writers.ts";

/** Makes the writers of the page, keeps their commands, and adopts those that closed pages left. */

const firstLook = 600; // milliseconds until a page has shown what it was opened for
const secondLook = 5000; // milliseconds until a page that was just closed is surely gone

let keep: Keep | undefined;
const going = new Map<string, Promise<void>>(); // what earlier looks found continues first, by table

/** The writer of a table. It outlives the page that shows the table, as its commands must. */
export function writerOf(tableId: string): Writer {
  const known = knownWriter(tableId);
  if (known) return known;
  const writer: Writer = new Writer(tableId, undefined, {
    keep: (command, refused) => writer.place && keep?.put(writer.place, command, refused),
    drop: (seq) => keep?.drop(seq),
  });
  writer.on({ status: writersChanged, conflict: writersChanged });
  addWriter(tableId, writer);
  return writer;
}

/** Passes on changes of a table's records that the service sent, if the page has shown the table. */
export function passOn(tableId: string, changes: readonly Received[]) {
  knownWriter(tableId)?.receive(changes);
}

/** Reads the fields of a table again. */
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
    const before = going.get(tableId) ?? Promise.resolve();
    going.set(tableId, before.then(() => goOn(writer, of, () => readFields(place))));
  }
}

/** Continues what the person has left on pages that are gone. */
async function adopt() {
  try {
    take((await keep?.adopt()) ?? []);
  } catch {
    // The browser's database cannot be read. The page continues without it.
  }
}

if (typeof window !== "undefined") {
  onBound((personId) => {
    keep = new Keep(personId);
    keepIn(keep);
    for (const wait of [firstLook, secondLook]) setTimeout(() => void adopt(), wait);
  });
  window.addEventListener("online", () => void adopt());
  window.addEventListener("beforeunload", (event) => {
    takeEntries();
    const kept = keep?.safe === true && keep.works;
    if (!kept && unsavedCount() > 0) event.preventDefault();
  });
}
