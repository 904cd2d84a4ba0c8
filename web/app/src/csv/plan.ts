import type { Body, Field, FieldConfig, FieldType, Schemas } from "../api/type.ts";
import { factsOf } from "../field/facts.ts";
import { kindOf } from "../field/kind/index.ts";
import type { NumberStyle } from "../field/number.ts";
import { isWritable } from "../field/value.ts";
import { english, type Locale } from "../locale/locale.ts";
import { csvTextOf } from "../text/csv.ts";

/** How the service reads a file. */
export type Preview = Schemas["Reading"];
export type PreviewColumn = Preview["columns"][number];

/** Where a column of the file goes: a field that is there, a field to be made, or nowhere. */
export type Column =
  | { name: string; to: "field"; fieldId: string }
  | { name: string; to: "new"; type: FieldType }
  | { name: string; to: "skip" };

/** How a column is read where its values leave it open. */
export type Style = { decimal?: "point" | "comma"; dateOrder?: "DMY" | "MDY" };

/** The sheets of a file, or its tables, that are not the one that is shown. */
export const othersOf = ({ sheet, sheets = [] }: Preview) => sheets.filter((one) => one !== sheet);

/** The configuration of a new field that a column's values ask for. */
function configFor(type: FieldType, column: PreviewColumn | undefined): FieldConfig | undefined {
  if (type === "link") return column?.link && { linkedTableId: column.link.tableId };
  if (type === "currency" && column?.symbol) return { symbol: column.symbol };
  return column?.options?.length ? kindOf(type).csv?.config?.(column.options) : undefined;
}

/**
 * The first plan for a file: columns go to the fields of the same name, the others to new ones of
 * the type that the service proposes, where those may be made. No new field has the name of another
 * one.
 */
export function planFor(preview: Preview, fields: Field[], mayAdd: boolean, locale: Locale = english): Column[] {
  const free = new Set(fields.filter((field) => writable(field)).map((field) => field.id));
  const taken = new Set(fields.map((field) => field.name.toLowerCase()));
  return preview.columns.map((column, index) => {
    const name = column.name || csvTextOf(locale).unnamed(index + 1);
    const field = fields.find((one) => free.has(one.id) && one.name.toLowerCase() === name.toLowerCase());
    if (field) {
      free.delete(field.id);
      return { name, to: "field", fieldId: field.id };
    }
    if (!mayAdd) return { name, to: "skip" };
    let own = name;
    for (let copy = 2; taken.has(own.toLowerCase()); copy++) own = `${name} ${copy}`;
    taken.add(own.toLowerCase());
    return { name: own, to: "new", type: column.link ? "link" : (column.type as FieldType) };
  });
}

/** The field that a column's values are read for; one that is still to be made is as it will be. */
export function targetOf(
  column: Column,
  index: number,
  fields: Field[],
  read: PreviewColumn | undefined,
): Field | undefined {
  if (column.to === "skip") return undefined;
  if (column.to === "field") return fields.find((field) => field.id === column.fieldId);
  const config = configFor(column.type, read);
  return {
    id: "",
    name: column.name,
    type: column.type,
    isPrimary: false,
    order: index,
    ...(config ? { config } : {}),
  };
}

/** The order of day and month in which a field shows dates. */
const ownOrder: Record<string, Style["dateOrder"]> = { european: "DMY", us: "MDY" };

export const readsNumbers = (field: Field | undefined) => field !== undefined && kindOf(field.type).numeric === true;
export const readsDates = (field: Field | undefined) => field?.type === "date" || field?.type === "datetime";

/**
 * How a column is read: as the person chose, as the file shows, and otherwise as the locale writes
 * numbers and as the field shows dates. What is then open has no style, and the person is asked.
 * The order of dates is never taken from the locale.
 */
export function styleOf(
  read: PreviewColumn | undefined,
  target: Field | undefined,
  chosen: Style | undefined,
  locale: NumberStyle,
): Style {
  const usual = locale.decimal === "," ? "comma" : "point";
  const found = read?.numbers.found === "conflict" ? undefined : ((read?.numbers.style as Style["decimal"]) ?? usual);
  const order =
    read?.dates.found === "conflict"
      ? undefined
      : ((read?.dates.style as Style["dateOrder"]) ?? ownOrder[target?.config?.dateFormat ?? ""]);
  const decimal = chosen?.decimal ?? found;
  const dateOrder = chosen?.dateOrder ?? order;
  return { ...(decimal ? { decimal } : {}), ...(dateOrder ? { dateOrder } : {}) };
}

/** Reports whether a person has to choose how a column is read. */
export function isOpen(read: PreviewColumn | undefined, target: Field | undefined, style: Style): boolean {
  if (readsNumbers(target)) return style.decimal === undefined;
  return readsDates(target) && read?.dates.found !== "either" && style.dateOrder === undefined;
}

/** Reports whether the field can be read from a file. */
export function writable(field: Field): boolean {
  const kind = kindOf(field.type);
  return isWritable(field) && kind.csv !== undefined && field.type !== "attachment";
}

type Uses = NonNullable<Body<"import_table">["columns"]>;

/** What the request says of the columns. */
export function usesOf(columns: Column[], read: PreviewColumn[], styles: Style[]): Uses {
  return columns.map((column, index) => {
    if (column.to === "skip") return { skip: true };
    if (column.to === "field") return { field: column.fieldId, ...styles[index] };
    const config = configFor(column.type, read[index]);
    return { name: column.name, type: column.type, ...(config ? { config } : {}), ...styles[index] };
  });
}

/** The fields that records may be matched on, among those that columns go to. */
export function keysOf(targets: (Field | undefined)[]): Field[] {
  return targets.flatMap((field) => (field?.id && factsOf(field.type).upsertKey ? [field] : []));
}
