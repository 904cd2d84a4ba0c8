import type { Problem } from "../api/problem.ts";

/** A record of a refused request, or some of its fields. */
export type Place = { id: string; fieldIds: ReadonlySet<string> };

/** One record of a request, with the ids of the fields that it named. */
export type Asked = { id: string; fields: ReadonlyMap<string, string> }; // name → field id

const place = /^records\[(\d+)\](?:\.fields\.([^]+))?/;

/** Finds the values that a refusal names. An empty list means that it does not say. */
export function placesOf(problem: Problem, asked: readonly Asked[]): Place[] {
  const found = new Map<string, Set<string>>();
  for (const item of problem.items) {
    const match = place.exec(item.path);
    const record = match && asked[Number(match[1])];
    if (!record) continue;
    const rest = match[2] ?? "";
    // A path may go on behind the name, and a name may hold any character.
    const name = [...record.fields.keys()]
      .filter((one) => rest === one || rest.startsWith(`${one}.`) || rest.startsWith(`${one}[`))
      .toSorted((a, b) => b.length - a.length)[0];
    const fieldIds = found.get(record.id) ?? new Set<string>();
    for (const fieldId of name === undefined ? record.fields.values() : [record.fields.get(name) as string])
      fieldIds.add(fieldId);
    found.set(record.id, fieldIds);
  }
  return [...found].map(([id, fieldIds]) => ({ id, fieldIds }));
}
