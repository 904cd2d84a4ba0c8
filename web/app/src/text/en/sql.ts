import { grouped } from "./number.ts";

/** The page on which a base is asked with SQL. */
export const sql = {
  body: "One SELECT over the tables of this base. It reads and never writes.",
  help: "What a statement may contain",
  statement: "SQL",
  run: "Run",
  runHint: "Ctrl+Enter runs the statement.",
  names: "Tables and columns",
  namesBody:
    "Names with spaces stand in double quotes; case does not matter. Each table also has id, to join on, and " +
    "record_id. A link field is a table of its own, with id and linked_id.",
  example: (table: string) => `select count(*) from ${table}`,
  tooLong: (over: number) => `The statement is ${grouped(over)} characters too long.`,
  result: "Result",
  empty: "No rows",
  chart: "Chart",
  table: "Table",
  copy: "Copy as CSV",
  copied: "Copied",
  failed: "The statement did not run",
  place: "Show the error",
  rows: (count: number, truncated: boolean, milliseconds: number) => {
    const rows = count === 1 ? "1 row" : `${grouped(count)} rows`;
    return `${truncated ? "The first " : ""}${rows} in ${grouped(milliseconds)} ms`;
  },
  more: "There are more rows. Add a LIMIT, filter, or group.",
};
