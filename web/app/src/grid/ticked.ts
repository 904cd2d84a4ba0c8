import { CompactSelection } from "@glideapps/glide-data-grid";
import type { Row } from "../api/type.ts";
import { GroupedRows } from "./grouped.ts";
import { headAt } from "./head.ts";
import type { GridRows } from "./gridrows.ts";
import type { Progress } from "../record/call.ts";

/**
 * The ticked records, by id: those listed or, with `all`, every record that the query finds except
 * those listed.
 */
export type Ticked = { all: boolean; ids: ReadonlySet<string> };

export const noneTicked: Ticked = { all: false, ids: new Set() };

const maxLeftOut = 1000; // records; when more are left out of all, those that stay are listed instead

export function countTicked({ all, ids }: Ticked, total: number): number {
  return all ? Math.max(0, total - ids.size) : ids.size;
}

/** The positions of the ticked records that were read, for the grid to draw. */
export function placesTicked({ all, ids }: Ticked, source: GridRows): CompactSelection {
  const total = source.total ?? 0;
  const places = [...ids]
    .map((id) => source.indexOf(id))
    .filter((index) => index >= 0 && index < total)
    .toSorted((a, b) => a - b);
  const slices: [number, number][] = [];
  for (const index of places) {
    const last = slices.at(-1);
    if (last && last[1] === index) last[1] = index + 1;
    else slices.push([index, index + 1]);
  }
  if (!all) return CompactSelection.create(slices);
  let rest = total > 0 ? CompactSelection.fromSingleSelection([0, total]) : CompactSelection.empty();
  for (const slice of slices) rest = rest.remove(slice);
  return rest;
}

/** What is ticked after the grid selected other positions. Reads rows that were not read yet. */
export async function tick(before: Ticked, next: CompactSelection, source: GridRows): Promise<Ticked> {
  const total = source.total ?? 0;
  if (next.length === 0) return noneTicked;
  if (next.length >= total) return { all: true, ids: new Set() };
  const shown = placesTicked(before, source);
  if (before.all && total - next.length <= maxLeftOut) {
    const left = Array.from({ length: total }, (_, index) => index).filter((index) => !next.hasIndex(index));
    return { all: true, ids: new Set(await idsOf(left, source)) };
  }
  const chosen = next.toArray();
  if (before.all) return { all: false, ids: new Set(await idsOf(chosen, source)) };
  const added = chosen.filter((index) => !shown.hasIndex(index));
  const removed = shown.toArray().filter((index) => !next.hasIndex(index));
  // One row instead of several is a new choice; otherwise rows are added to it and removed from it.
  const kept = removed.length > 1 || (removed.length > 0 && added.length > 0) ? [] : [...before.ids];
  const ids = new Set([
    ...kept,
    ...(kept.length > 0
      ? []
      : await idsOf(
          chosen.filter((index) => shown.hasIndex(index)),
          source,
        )),
    ...(await idsOf(added, source)),
  ]);
  for (const id of await idsOf(removed, source)) ids.delete(id);
  return { all: false, ids };
}

async function idsOf(places: number[], source: GridRows): Promise<string[]> {
  const ids: string[] = [];
  const indices = places.filter((place) => !headAt(source, place));
  for (let at = 0; at < indices.length;) {
    const first = indices[at] as number;
    let end = at + 1;
    while (indices[end] === first + end - at) end++;
    const known = indices.slice(at, end).map((index) => source.at(index)?.id);
    const found = known.every((id) => id !== undefined)
      ? known
      : (await source.range(first, first + end - at - 1)).map((row) => row.id);
    ids.push(...(found as string[]));
    at = end;
  }
  return ids;
}

/** The ticked records, in the order of the table. Reads all that were not read yet. */
export async function rowsTicked(
  { all, ids }: Ticked,
  source: GridRows,
  progress?: Progress,
  signal?: AbortSignal,
): Promise<Row[]> {
  const known = all ? [] : [...ids].map((id) => source.find(id));
  if (!all && known.every((row) => row !== undefined)) {
    return (known as Row[]).toSorted((a, b) => source.indexOf(a.id) - source.indexOf(b.id));
  }
  const rows = await (source instanceof GroupedRows
    ? source.all(progress, signal)
    : source.range(0, (source.total ?? 1) - 1, progress, signal));
  const seen = new Set<string>();
  return rows.filter((row) => {
    const wanted = ids.has(row.id) !== all && !seen.has(row.id);
    seen.add(row.id);
    return wanted;
  });
}
