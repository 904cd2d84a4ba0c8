import Papa from "papaparse";
import type { Field, Row } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import { isEmpty } from "../field/kind.ts";
import { kindOf } from "../field/kind/index.ts";
import { format } from "../field/value.ts";

/**
 * A value as it stands in an exported file: numbers and dates in full, so that the same values come
 * back by an import.
 */
function cellText(value: unknown, field: Field, context: Context): string | number {
  if (isEmpty(value)) return "";
  return kindOf(field.type).csv?.write?.(value, field, context) ?? format(value, field, context);
}

// What a spreadsheet runs: a text that begins with =, @, a tab or a carriage return, or with a sign
// and then anything but digits, as a phone number has. A text with apostrophes in front of such a
// beginning gets one more, so that the import can tell its own from it.
const formula = /^(?:[=@\t\r][^]|[+-](?![\d\s().,]*$)[^]|'+[=+\-@\t\r][^])/;
export const escapedFormula = /^'+[=+\-@\t\r][^]/;

export type Written = { content: string; defused: number };

/**
 * Writes rows as CSV. A text that a spreadsheet would run as a formula gets an apostrophe in front,
 * which the import takes away again, and is counted; all other values are written as they are.
 */
export function writeRows(rows: (string | number)[][]): Written {
  let defused = 0;
  for (const cell of rows.flat()) if (typeof cell === "string" && formula.test(cell)) defused++;
  return { content: Papa.unparse(rows, { escapeFormulae: formula, newline: "\r\n" }), defused };
}

export function recordLines(rows: Row[], fields: Field[], context: Context): (string | number)[][] {
  return rows.map((row) => fields.map((field) => cellText(row.fields[field.name], field, context)));
}

/** Hands a text to the browser as a file to be saved. */
export function saveFile(name: string, content: string) {
  const address = URL.createObjectURL(new Blob(["\ufeff", content], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
