import type { Author } from "../api/type.ts";
import type { ChangeText } from "../text/change.ts";
import type { Catalogue } from "../text/index.ts";

/** The name of the author of a change. */
export function nameOf(person: Author, text: Catalogue): string {
  return person ? (person.name ?? text.formerMember) : text.name;
}

/** The means of a change, by the id of its credential, unless it was made in the application. */
export function meansOf(credential: string, change: ChangeText): string | undefined {
  return change.by[credential.slice(0, 3)];
}
