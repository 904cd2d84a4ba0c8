import type { Field, FieldConfig, FieldType, Values } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import { fieldTypes } from "../field/facts.ts";
import { kindOf } from "../field/kind/index.ts";
import { type ColumnStyle, columnStyle, commaStyle, type NumberStyle, pointStyle } from "../field/number.ts";
import { isWritable, parse } from "../field/value.ts";
import { english, type Locale } from "../locale/locale.ts";
import { csvTextOf } from "../text/csv.ts";
import type { Refused } from "./run.ts";
import type { SheetRow } from "./sheet.ts";
import { escapedFormula } from "./write.ts";

/** Where a column of the file goes: a field that is there, a field to be made, or nowhere. */
export type Column =
  | { name: string; to: "field"; fieldId: string }
  | { name: string; to: "new"; type: FieldType; config?: FieldConfig }
  | { name: string; to: "skip" };

const looked = 500; // rows that a guess looks at

const filled = (rows: string[][], column: number, most = looked) =>
  rows
    .slice(0, most)
    .map((row) => (row[column] ?? "").trim())
    .filter((cell) => cell !== "");

/** A number's text without the currency's symbol or the percent sign, whichever field it is for. */
export const bare = (cell: string) =>
  cell
    .trim()
    .replace(/^([-+\u2212]?)\s*\p{Sc}\s*/u, "$1")
    .replace(/\s*[\p{Sc}%]$/u, "");

/** How the numbers of each column are written, as the column itself tells. */
export function columnStyles(rows: string[][], width: number): ColumnStyle[] {
  return Array.from({ length: width }, (_, index) =>
    columnStyle(
      rows.map((row) => row[index] ?? ""),
      bare,
    ),
  );
}

/**
 * The style that each column is read in. A column that can be read both ways follows the other
 * columns of the file when those agree, and otherwise the person's locale. A column whose values
 * contradict each other has no style until the person chooses one.
 */
export function decideStyles(
  found: ColumnStyle[],
  locale: NumberStyle,
  chosen: readonly (NumberStyle | undefined)[] = [],
): (NumberStyle | undefined)[] {
  const certain = new Set(found.flatMap((one) => (one.kind === "certain" ? [one.style] : [])));
  const usual = certain.size === 1 ? [...certain][0] : locale.decimal === "," ? commaStyle : pointStyle;
  return found.map(
    (one, index) => chosen[index] ?? (one.kind === "certain" ? one.style : one.kind === "conflict" ? undefined : usual),
  );
}

const guesses = fieldTypes
  .flatMap((type) => {
    const guessed = kindOf(type).csv?.guess;
    return guessed ? [{ type, ...guessed }] : [];
  })
  .toSorted((a, b) => a.rank - b.rank);
const fallback = guesses.at(-1)!.type; // which fits everything

/**
 * Guesses what type a column's values have. A guess is careful: one value that does not fit makes
 * it text.
 */
export function guess(rows: string[][], column: number, style: NumberStyle | undefined = pointStyle): FieldType {
  const cells = filled(rows, column);
  const found = cells.length > 0 ? guesses.find((one) => one.fits(cells, style)) : undefined;
  return found?.type ?? fallback;
}

/** A type's configuration as the values in the file ask for it. */
export function configFor(type: FieldType, rows: string[][], column: number): FieldConfig | undefined {
  return kindOf(type).csv?.config?.(filled(rows, column, rows.length));
}

/**
 * The first plan for a file: columns go to the fields of the same name, the others to new ones
 * where those may be made. No new field has the name of another one. Styles are those that
 * decideStyles found.
 */
export function planFor(
  header: string[],
  rows: string[][],
  fields: Field[],
  mayAdd: boolean,
  styles: (NumberStyle | undefined)[] = [],
  locale: Locale = english,
): Column[] {
  const free = new Set(fields.filter((field) => writable(field)).map((field) => field.id));
  const taken = new Set(fields.map((field) => field.name.toLowerCase()));
  return header.map((raw, index) => {
    const name = raw.trim() || csvTextOf(locale).unnamed(index + 1);
    const field = fields.find((one) => free.has(one.id) && one.name.toLowerCase() === name.toLowerCase());
    if (field) {
      free.delete(field.id);
      return { name, to: "field", fieldId: field.id };
    }
    if (!mayAdd) return { name, to: "skip" };
    let own = name;
    for (let copy = 2; taken.has(own.toLowerCase()); copy++) own = `${name} ${copy}`;
    taken.add(own.toLowerCase());
    return { name: own, to: "new", type: guess(rows, index, index in styles ? styles[index] : pointStyle) };
  });
}

/** The field that a column's values are read for; one that is still to be made is as it will be. */
export function targetOf(column: Column, index: number, fields: Field[], rows: string[][]): Field | undefined {
  if (column.to === "skip") return undefined;
  if (column.to === "field") return fields.find((field) => field.id === column.fieldId);
  const config = configFor(column.type, rows, index);
  return {
    id: "",
    name: column.name,
    type: column.type,
    isPrimary: false,
    order: index,
    ...(config ? { config } : {}),
  };
}

export const readsNumbers = (field: Field | undefined) => field !== undefined && kindOf(field.type).numeric === true;

/** Reports whether the field can be read from a file. */
export function writable(field: Field): boolean {
  const kind = kindOf(field.type);
  return isWritable(field) && kind.parse !== undefined && kind.csv !== undefined;
}

/** A cell as it was before it was made harmless for spreadsheets (see csv/write.ts). */
export function unescapeFormula(cell: string): string {
  return escapedFormula.test(cell) ? cell.slice(1) : cell;
}

export type Converted = { values: Values } | { reason: string };

/**
 * Reads one row of the file as a record, as typed input is read; numbers in the style of their
 * column.
 */
export function convert(
  row: string[],
  targets: (Field | undefined)[],
  context: Context,
  styles: (NumberStyle | undefined)[] = [],
): Converted {
  const values: Values = {};
  for (const [index, field] of targets.entries()) {
    const cell = unescapeFormula(row[index] ?? "");
    if (!field || cell.trim() === "") continue;
    const parsed = parse(cell, field, styles[index] ? { ...context, numbers: styles[index] } : context);
    if (parsed.error !== undefined) return { reason: `${field.name}: ${parsed.error}` };
    if (parsed.value !== null) values[field.name] = parsed.value;
  }
  return { values };
}

export type Checked = { ready: { line: number; values: Values }[]; refused: Refused[] };

/** Reads all rows before anything is made or written. */
export function check(
  rows: SheetRow[],
  targets: (Field | undefined)[],
  context: Context,
  styles: (NumberStyle | undefined)[],
): Checked {
  const checked: Checked = { ready: [], refused: [] };
  for (const { line, cells } of rows) {
    const converted = convert(cells, targets, context, styles);
    if ("reason" in converted) checked.refused.push({ line, reason: converted.reason });
    else checked.ready.push({ line, values: converted.values });
  }
  return checked;
}
