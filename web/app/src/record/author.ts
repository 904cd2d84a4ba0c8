import type { Author } from "../api/type.ts";
import type { Catalogue } from "../text/index.ts";

/** What the author of a change is called. */
export function nameOf(person: Author, text: Catalogue): string {
  return person ? (person.name ?? text.change.former) : text.name;
}

/** What a change was made with, by the id of its credential, unless it was made in the application. */
export function meansOf(credential: string, { change }: Catalogue): string | undefined {
  return change.by[credential.slice(0, 3)];
}
