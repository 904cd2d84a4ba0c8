import type { TableChange } from "../api/type.ts";
import type { Catalogue } from "../text/index.ts";

const actions = ["created", "updated", "deleted", "restored"] as const;
const most = 3; // phrases

/** What a change set did, as "3 records deleted in Airports". */
export function summary(tables: readonly TableChange[], { change }: Catalogue): string {
  const did = tables.flatMap((table) =>
    actions.flatMap((action) => (table[action] > 0 ? change.did[action](table[action], table.name) : [])),
  );
  const linked = tables.flatMap(({ linked: count, name }) => (count > 0 ? change.did.linked(count, name) : []));
  // The other side of a link is not worth a word, unless it is all there is.
  const phrases = did.length > 0 ? did : linked;
  if (phrases.length === 0) return change.nothing;
  const shown = phrases.slice(0, phrases.length > most ? most - 1 : most);
  if (shown.length < phrases.length) shown.push(change.more(phrases.length - shown.length));
  return shown.join(", ");
}
