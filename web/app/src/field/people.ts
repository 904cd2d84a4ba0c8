import type { Field } from "../api/type.ts";
import { toneOf } from "../ui/tone.ts";
import type { Context } from "./context.ts";
import { idOf } from "./list.ts";
import type { Choice } from "./picker.tsx";

type Known = Pick<Context, "people">;

function nameOf(id: string, { people }: Known): string {
  return people.find((person) => person.id === id)?.name ?? id;
}

/** The people in a user value with their names; the service may give ids or objects with names. */
export function peopleOf(value: unknown, known: Known): { id: string; name: string }[] {
  const items: unknown[] = Array.isArray(value) ? value : [value ?? ""].filter((one) => one !== "");
  return items.map((item) => {
    if (typeof item === "string") return { id: item, name: nameOf(item, known) };
    const id = idOf(item);
    const named = typeof item === "object" && item !== null && "name" in item && typeof item.name === "string";
    return { id, name: named ? (item as { name: string }).name : nameOf(id, known) };
  });
}

/** A user value as the service writes it: one id, or several for a field that takes several. */
export function userValue(ids: string[], field: Field): unknown {
  if (ids.length === 0) return null;
  return field.config?.multiple ? ids : ids[0];
}

/** The people to choose from. */
export function peopleChoices({ people }: Known): Choice[] {
  return people.map(({ id, name, email }) => ({ id, label: name, hint: email, tone: toneOf(id) }));
}
