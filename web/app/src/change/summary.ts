import type { ChangeSet, SchemaChange } from "../api/type.ts";
import type { ChangeText } from "../text/change.ts";

const actions = ["created", "updated", "deleted", "restored"] as const;
const maxPhrases = 3; // phrases

const changesView = ({ object, does }: SchemaChange) => object === "view" && does === "updated";

/** What a change set did, as "Deleted the field Height, 3 records deleted in Airports". */
export function summary(
  { tables, schema, schemaCount }: Pick<ChangeSet, "tables" | "schema" | "schemaCount">,
  change: ChangeText,
): string {
  const did = tables.flatMap((table) =>
    actions.flatMap((action) => (table[action] > 0 ? change.did[action](table[action], table.name) : [])),
  );
  const linked = tables.flatMap(({ linked: count, name }) => (count > 0 ? change.did.linked(count, name) : []));
  const purged = schema.filter(({ object }) => object === "record").length;
  const objects = schema.filter((one) => one.object !== "record" && !changesView(one));
  // Views lose and regain fields that come and go. Like the other side of a link, that is worth
  // mentioning only if there is nothing else.
  const views = objects.length > 0 ? [] : schema.filter(changesView);
  const shaped = [...objects, ...views].map((one) => phrase(one, change.shaped));
  if (purged > 0) shaped.push(change.shaped.records(purged));
  const main = [...shaped, ...did];
  const phrases = main.length > 0 ? main : linked;
  if (phrases.length === 0) return change.nothing;
  const unlisted = schemaCount - schema.length;
  const shown = phrases.slice(0, phrases.length > maxPhrases || unlisted > 0 ? maxPhrases - 1 : maxPhrases);
  const more = phrases.length - shown.length + unlisted;
  if (more > 0) shown.push(change.more(more));
  return shown.join(", ");
}

const kinds = ["base", "table", "field", "view"] as const;

function phrase({ object, name, does, changed = [] }: SchemaChange, text: ChangeText["shaped"]): string {
  if (object === "column") return text.column(name);
  const kind = text.kinds[kinds.find((one) => one === object) ?? "table"];
  switch (does) {
    case "created":
      return text.created(kind, name);
    case "deleted":
      return text.deleted(kind, name);
    case "restored":
      return text.restored(kind, name);
    case "purged":
      return text.purged(kind, name);
    default:
      if (changed.includes("type")) return text.retyped(kind, name);
      return changed.length === 1 && changed[0] === "name" ? text.renamed(kind, name) : text.updated(kind, name);
  }
}
