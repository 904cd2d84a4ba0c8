import type { Field, FieldConfig, FieldType, Values } from "../api/type.ts";
import { parseDate, parseMoment } from "../field/date.ts";
import { kindOf } from "../field/kind.ts";
import { type Context, optionsOf, parse } from "../field/value.ts";
import { text } from "../text/index.ts";
import { escapedFormula } from "./write.ts";

/** Where a column of the file goes: a field that is there, a field to be made, or nowhere. */
export type Column =
  | { name: string; to: "field"; fieldId: string }
  | { name: string; to: "new"; type: FieldType; config?: FieldConfig }
  | { name: string; to: "skip" };

const looked = 500; // rows that a guess looks at
const fewOptions = 12;

const filled = (rows: string[][], column: number) => rows.slice(0, looked).map((row) => (row[column] ?? "").trim()).filter((cell) => cell !== "");

/** Guesses what type a column's values have. A guess is careful: one value that does not fit makes it text. */
export function guess(rows: string[][], column: number): FieldType {
  const cells = filled(rows, column);
  if (cells.length === 0) return "text";
  const every = (test: (cell: string) => boolean) => cells.every(test);
  // 0 and 1 could mean no and yes; as numbers they come back as they were.
  if (every((cell) => /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(cell))) return "number";
  if (every((cell) => /^(true|false|yes|no)$/i.test(cell))) return "checkbox";
  if (every((cell) => /^\d{4}-\d{2}-\d{2}$/.test(cell) && parseDate(cell) !== undefined)) return "date";
  if (every((cell) => /\d:\d/.test(cell) && parseMoment(cell) !== undefined)) return "datetime";
  if (every((cell) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell))) return "email";
  if (every((cell) => /^https?:\/\//i.test(cell))) return "url";
  if (every((cell) => cell.length <= 40)) {
    const distinct = new Set(cells);
    if (cells.length >= 20 && distinct.size <= fewOptions && distinct.size < cells.length / 4) return "single_select";
  }
  return cells.some((cell) => cell.includes("\n") || cell.length > 120) ? "long_text" : "text";
}

/** A type's configuration as the values in the file ask for it. */
export function configFor(type: FieldType, rows: string[][], column: number): FieldConfig | undefined {
  if (type !== "single_select" && type !== "multi_select") return undefined;
  const names = new Set<string>();
  for (const row of rows) {
    const cell = (row[column] ?? "").trim();
    for (const name of type === "multi_select" ? cell.split(",").map((part) => part.trim()) : [cell]) if (name) names.add(name);
  }
  return { options: [...names].slice(0, 1000).map((name) => ({ name })) };
}

/** The first plan for a file: columns go to the fields of the same name, the others to new ones where those may be made. */
export function planFor(header: string[], rows: string[][], fields: Field[], mayAdd: boolean): Column[] {
  const free = new Set(fields.filter((field) => writable(field)).map((field) => field.id));
  return header.map((raw, index) => {
    const name = raw.trim() || `Column ${index + 1}`;
    const field = fields.find((one) => free.has(one.id) && one.name.toLowerCase() === name.toLowerCase());
    if (field) {
      free.delete(field.id);
      return { name, to: "field", fieldId: field.id };
    }
    if (!mayAdd) return { name, to: "skip" };
    const type = guess(rows, index);
    return { name, to: "new", type };
  });
}

export function writable(field: Field): boolean {
  const kind = kindOf(field.type);
  return !kind.readOnly && !["none", "link", "attachment"].includes(kind.shape);
}

/** A cell as it was before it was made harmless for spreadsheets (see csv/write.ts). */
export function unescapeFormula(cell: string): string {
  return escapedFormula.test(cell) ? cell.slice(1) : cell;
}

export type Converted = { values: Values } | { reason: string };

/** Reads one row of the file as a record. A number with a comma, a date in another order and the like are read as typed input is. */
export function convert(row: string[], targets: (Field | undefined)[], context: Context): Converted {
  const values: Values = {};
  for (const [index, field] of targets.entries()) {
    const cell = unescapeFormula(row[index] ?? "");
    if (!field || cell.trim() === "") continue;
    const parsed = parse(cell, field, context);
    if (parsed.error !== undefined) return { reason: `${field.name}: ${parsed.error}` };
    if (parsed.value !== null) values[field.name] = parsed.value;
  }
  return { values };
}

export function columnLabel(column: Column, fields: Field[]): string {
  if (column.to === "skip") return text.base.csv.skip;
  if (column.to === "new") return text.base.csv.newField(text.field.kind[column.type]);
  return fields.find((field) => field.id === column.fieldId)?.name ?? column.name;
}

/** Reports whether a select field lacks options that the file has. */
export function missingOptions(field: Field, rows: string[][], column: number): string[] {
  const known = new Set(optionsOf(field).map((option) => option.name.toLowerCase()));
  return (configFor(field.type, rows, column)?.options ?? []).map((option) => option.name).filter((name) => !known.has(name.toLowerCase()));
}
