import Papa from "papaparse";
import type { Field, Row } from "../api/type.ts";
import { kindOf } from "../field/kind.ts";
import { joinNames } from "../field/list.ts";
import { type Context, format } from "../field/value.ts";

/** A value as it stands in an exported file: numbers and dates in full, so that the same values come back by an import. */
export function cellText(value: unknown, field: Field, context: Context): string | number {
  const shape = kindOf(field.type).shape;
  if (value === null || value === undefined) return "";
  if (shape === "bool") return value === true ? "true" : "false";
  if (shape === "number" && typeof value === "number") {
    if (field.type === "duration")
      return format(value, { ...field, config: { ...field.config, format: "h:mm:ss" } }, context);
    return value;
  }
  if (shape === "date" || shape === "moment") return String(value);
  if (shape === "choices" && Array.isArray(value)) return joinNames(value.map(String));
  return format(value, field, context);
}

// What a spreadsheet runs: a text that begins with =, @, a tab or a carriage return, or with a sign and then anything
// but digits, as a phone number has. A text with apostrophes in front of such a beginning gets one more, so that the
// import can tell its own from it.
const formula = /^(?:[=@\t\r][^]|[+-](?![\d\s().,]*$)[^]|'+[=+\-@\t\r][^])/;
export const escapedFormula = /^'+[=+\-@\t\r][^]/;

export type Written = { content: string; defused: number };

/**
 * Writes rows as CSV. A text that a spreadsheet would run as a formula gets an apostrophe in front, which the import
 * takes away again, and is counted; all other values are written as they are.
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
