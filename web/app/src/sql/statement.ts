/** The names of a base as SQL writes them, and places in a statement. */

const plain = /^[a-z_][a-z0-9_]*$/i;

/** A name as it stands in SQL: in double quotes unless it is a plain word. */
export function quoted(name: string): string {
  return plain.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

type Table = { name: string; fields: readonly { name: string; type: string }[] };
export type SqlTable = { name: string; columns: string[] };

/** The tables that a statement may name: those of the base, and one for each link field. */
export function tablesOf(tables: readonly Table[]): SqlTable[] {
  const own = tables.map(({ name, fields }) => ({
    name: quoted(name),
    columns: [
      "id",
      "record_id",
      ...fields.filter(({ type }) => type !== "link" && type !== "button").map((field) => quoted(field.name)),
      "created_at",
      "updated_at",
    ],
  }));
  const links = tables.flatMap(({ name, fields }) =>
    fields
      .filter(({ type }) => type === "link")
      .map((field) => ({ name: quoted(`${name}__${field.name}`), columns: ["id", "linked_id", "position"] })),
  );
  return [...own, ...links];
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

/** A value of a result as text. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
