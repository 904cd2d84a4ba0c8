import type { Problem } from "../api/problem.ts";

/** A record of a refused request, or some of its fields, and why if the service says so. */
export type Place = { id: string; fieldIds: ReadonlySet<string>; message?: string };

/** One record of a request, with the ids of the fields that it named. */
export type Asked = { id: string; fields: ReadonlyMap<string, string> }; // name → field id

const place = /^(?:records|ids)\[(\d+)\](?:\.fields\.([^]+))?/;

/**
 * Finds the values that a refusal names. An empty list means that it does not say, or names a record
 * of several values and not which of them.
 */
export function placesOf(problem: Problem, asked: readonly Asked[]): Place[] {
  const found = new Map<string, Required<Place> & { fieldIds: Set<string> }>();
  for (const item of problem.items) {
    const match = place.exec(item.path);
    const record = match && asked[Number(match[1])];
    if (!record) continue;
    const rest = match[2] ?? "";
    // A path may go on behind the name, and a name may hold any character.
    const name = [...record.fields.keys()]
      .filter((one) => rest === one || rest.startsWith(`${one}.`) || rest.startsWith(`${one}[`))
      .toSorted((a, b) => b.length - a.length)[0];
    const of = found.get(record.id) ?? { id: record.id, fieldIds: new Set<string>(), message: item.message };
    for (const fieldId of name === undefined ? record.fields.values() : [record.fields.get(name) as string])
      of.fieldIds.add(fieldId);
    found.set(record.id, of);
  }
  return [...found.values()];
}

/** All values of the records asked for. */
export const everywhere = (asked: readonly Asked[]): Place[] =>
  asked.map(({ id, fields }) => ({ id, fieldIds: new Set(fields.values()) }));
