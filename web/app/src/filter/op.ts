import type { Field, Filter, Leaf } from "../api/type.ts";
import { kindOf, type Shape } from "../field/kind.ts";
import { text } from "../text/index.ts";

const empty = ["is_empty", "is_not_empty"];
const textual = ["contains", "not_contains", "eq", "neq", "starts_with", "ends_with", ...empty];
const ordered = ["eq", "neq", "gt", "gte", "lt", "lte", "between", ...empty];
const many = ["has_any", "has_all", "has_none", "is_exactly", ...empty];

/** The operators of each shape, the usual one first. */
const ops: Record<Shape, string[]> = {
  text: textual,
  number: ordered,
  bool: ["eq"],
  date: ["eq", "neq", "gt", "gte", "lt", "lte", "between", "is_within", ...empty],
  moment: ["eq", "neq", "gt", "gte", "lt", "lte", "between", "is_within", ...empty],
  choice: ["eq", "neq", "in", "not_in", ...empty],
  choices: many,
  user: many,
  link: many,
  attachment: empty,
  json: empty,
  none: [],
};

export function opsOf(field: Field): string[] {
  return ops[kindOf(field.type).shape];
}

export function canFilter(field: Field): boolean {
  return opsOf(field).length > 0;
}

export function canSort(field: Field): boolean {
  return !["link", "attachment", "json", "none"].includes(kindOf(field.type).shape);
}

export function opLabel(op: string, field: Field): string {
  const shape = kindOf(field.type).shape;
  const dated = shape === "date" || shape === "moment" ? text.filter.dateOp[op] : undefined;
  return dated ?? text.filter.op[op] ?? op;
}

/** What kind of input the value of a condition needs. */
export type Input = "none" | "text" | "number" | "range" | "bool" | "date" | "daterange" | "within" | "option" | "options" | "people" | "records";

export function inputOf(field: Field, op: string): Input {
  if (op === "is_empty" || op === "is_not_empty") return "none";
  switch (kindOf(field.type).shape) {
    case "number":
      return op === "between" ? "range" : "number";
    case "bool":
      return "bool";
    case "date":
    case "moment":
      return op === "between" ? "daterange" : op === "is_within" ? "within" : "date";
    case "choice":
      return op === "in" || op === "not_in" ? "options" : "option";
    case "choices":
      return "options";
    case "user":
      return "people";
    case "link":
      return "records";
    default:
      return "text";
  }
}

/** A condition on a field with its usual operator and nothing to compare with yet. */
export function leafFor(field: Field): Leaf {
  const op = opsOf(field)[0] ?? "is_not_empty";
  return { fieldId: field.id, op, value: startValue(field, op) };
}

/** The value that a condition begins with. */
export function startValue(field: Field, op: string): unknown {
  switch (inputOf(field, op)) {
    case "bool":
      return true;
    case "within":
      return { unit: "day", offset: -7 };
    case "options":
    case "people":
    case "records":
    case "range":
    case "daterange":
      return [];
    default:
      return undefined;
  }
}

function complete(leaf: Leaf): boolean {
  if (leaf.op === "is_empty" || leaf.op === "is_not_empty") return true;
  if (Array.isArray(leaf.value)) {
    if (leaf.op === "between") return leaf.value.length === 2 && leaf.value.every((part) => part !== undefined && part !== null && part !== "");
    return leaf.value.length > 0;
  }
  return leaf.value !== undefined && leaf.value !== null && leaf.value !== "";
}

/** The filter without the conditions that are still being written, and without the groups that this leaves empty. */
export function ready(filters: Filter[], fields: Field[]): Filter[] {
  const known = new Set(fields.flatMap((field) => [field.id, field.name]));
  const keep = (filter: Filter): Filter[] => {
    if ("and" in filter) {
      const and = filter.and.flatMap(keep);
      return and.length > 0 ? [{ and }] : [];
    }
    if ("or" in filter) {
      const or = filter.or.flatMap(keep);
      return or.length > 0 ? [{ or }] : [];
    }
    return complete(filter) && known.has(filter.fieldId) ? [filter] : [];
  };
  return filters.flatMap(keep);
}

export function countLeaves(filters: Filter[]): number {
  return filters.reduce((sum, filter) => sum + ("and" in filter ? countLeaves(filter.and) : "or" in filter ? countLeaves(filter.or) : 1), 0);
}
