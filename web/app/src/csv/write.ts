import Papa from "papaparse";
import type { Field, Row } from "../api/type.ts";
import { kindOf } from "../field/kind.ts";
import { type Context, format } from "../field/value.ts";

/** A value as it stands in an exported file: numbers and dates in full, so that the same values come back by an import. */
export function cellText(value: unknown, field: Field, context: Context): string | number {
  const shape = kindOf(field.type).shape;
  if (value === null || value === undefined) return "";
  if (shape === "bool") return value === true ? "true" : "false";
  if (shape === "number" && typeof value === "number") {
    if (field.type === "duration") return format(value, { ...field, config: { ...field.config, format: "h:mm:ss" } }, context);
    return value;
  }
  if (shape === "date" || shape === "moment") return String(value);
  return format(value, field, context);
}

// What begins a formula, with something behind it; with apostrophes in front too, so that one more or less can be told from the text's own.
const formula = /^'*[=+\-@\t\r][^]/;
export const escapedFormula = /^'+[=+\-@\t\r][^]/;

/**
 * Writes rows as CSV. A text that a spreadsheet would run as a formula (it begins with =, +, -, @, a tab or a carriage return)
 * gets an apostrophe in front, which the import takes away again; numbers are left as they are.
 */
export function writeRows(rows: (string | number)[][]): string {
  return Papa.unparse(rows, { escapeFormulae: formula, newline: "\r\n" });
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
