import { nameSet } from "./name.ts";

/** The tables of a base as a statement names them, and places in a statement. */

const plain = /^[a-z_][a-z0-9_]*$/i;

/** The words that SQL does not take for a name everywhere, as of PostgreSQL 17. */
const keywords = new Set(
  (
    "all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create " +
    "current_catalog current_date current_role current_time current_timestamp current_user default deferrable desc " +
    "distinct do else end except false fetch for foreign from grant group having in initially intersect into lateral " +
    "leading limit localtime localtimestamp not null offset on only or order placing primary references returning " +
    "select session_user some symmetric system_user table then to trailing true union unique user using variadic " +
    "when where window with " +
    "authorization binary collation concurrently cross current_schema freeze full ilike inner is isnull join left " +
    "like natural notnull outer overlaps right similar tablesample verbose " +
    "between bigint bit boolean char character coalesce dec decimal exists extract float greatest grouping inout int " +
    "integer interval json json_array json_arrayagg json_exists json_object json_objectagg json_query json_scalar " +
    "json_serialize json_table json_value least merge_action national nchar none normalize nullif numeric out " +
    "overlay position precision real row setof smallint substring time timestamp treat trim values varchar " +
    "xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize " +
    "xmltable"
  ).split(" "),
);

/** A name as it stands in SQL: in double quotes unless it is a plain word and no keyword. */
export function quoted(name: string): string {
  return plain.test(name) && !keywords.has(name.toLowerCase()) ? name : `"${name.replaceAll('"', '""')}"`;
}

type Table = { name: string; fields: readonly { name: string; type: string }[] };
export type SqlTable = { name: string; columns: string[] };

/**
 * The tables that a statement may name: the base's, and one for each link field. They get their
 * names in the order in which the service gives them (see tenancy/sqlquery/view.go).
 */
export function tablesOf(tables: readonly Table[]): SqlTable[] {
  const unique = nameSet();
  const names = tables.map(({ name }) => unique(name));
  const own = tables.map(({ fields }, index) => ({ name: quoted(names[index] ?? ""), columns: columnsOf(fields) }));
  const links = tables.flatMap(({ fields }, index) =>
    fields
      .filter(({ type }) => type === "link")
      .map((field) => ({
        name: quoted(unique(`${names[index] ?? ""}__${field.name}`)),
        columns: ["id", "linked_id", quoted("position")],
      })),
  );
  return [...own, ...links];
}

/** The columns of a table. Fields have their names; what every record has gives way to them. */
function columnsOf(fields: Table["fields"]): string[] {
  const unique = nameSet();
  const names = fields.map(({ name }) => unique(name));
  const ids = [unique("id"), unique("record_id")];
  const read = names.filter((_, index) => !["link", "button"].includes(fields[index]?.type ?? ""));
  return [...ids, ...read, unique("created_at"), unique("updated_at")].map(quoted);
}

/** The offset that an error of the service names, as in "line 2, column 3: …"; undefined if it names none. */
export function placeOf(message: string, statement: string): number | undefined {
  const match = /\bline (\d+), column (\d+): /.exec(message);
  if (!match) return undefined;
  const lines = statement.split("\n");
  const line = Math.min(Number(match[1]), lines.length) - 1;
  const before = lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0);
  // The service counts characters, and a text box counts halves of those beyond the first plane.
  const column = [...(lines[line] ?? "")].slice(0, Number(match[2]) - 1).join("").length;
  return before + column;
}

/** The end of the word that begins at an offset. */
export function wordEnd(statement: string, offset: number): number {
  const word = /^(?:"(?:[^"]|"")*"|[\p{L}\p{N}_$.]+|.)/u.exec(statement.slice(offset));
  return offset + (word?.[0].length ?? 0);
}
