import type { Field, FieldType } from "../../api/type.ts";
import { factsOf } from "../facts.ts";
import { likeOf } from "../result.ts";

/** What a value is to formulas. */
export type Base = "number" | "text" | "boolean" | "date" | "datetime";

const bases: Partial<Record<FieldType, Base>> = {
  number: "number",
  currency: "number",
  percent: "number",
  rating: "number",
  duration: "number",
  auto_number: "number",
  checkbox: "boolean",
  date: "date",
  datetime: "datetime",
  created_time: "datetime",
  last_modified_time: "datetime",
};

/** What the values of a field are to formulas; names are text. */
export const baseOf = (field: Field): Base => bases[likeOf(field).type] ?? "text";

/** The fields of a linked table that can be read, but for the one that is made. */
export function readableFields(fields: Field[], own: Field | undefined): Field[] {
  return fields.filter((one) => one.id !== own?.id && factsOf(one.type).holdsValues);
}

const ofNumbers = ["SUM", "AVERAGE"];
const ofOrdered = ["MIN", "MAX"];

/** Reports whether a function of rollups takes values of a field. */
export function takes(name: string, base: Base): boolean {
  if (ofNumbers.includes(name)) return base === "number" || base === "boolean";
  return !ofOrdered.includes(name) || base !== "text";
}

/** The function that a rollup of a field begins with. */
export function usualFunction(base: Base): string {
  return { number: "SUM", boolean: "OR", date: "MAX", datetime: "MAX", text: "ARRAYJOIN" }[base];
}
