import type { Field, FieldType, Filter, Leaf } from "../api/type.ts";
import type { Operand } from "../field/catalogue.ts";
import { factsOf } from "../field/facts.ts";
import { kindOf } from "../field/kind/index.ts";
import { startValue } from "../field/operand/start.ts";
import { hasLists, likeOf } from "../field/result.ts";
import type { Catalogue } from "../text/index.ts";

/** What finds lists by their values; lists of other types are found by whether they have any. */
const listOperators: Partial<Record<FieldType, Operand>> = { text: "texts", number: "numbers" };
const listOps = ["has_any", "has_all", "has_none", "is_exactly"];

/** The operators of a field; a computed field also has the operators of its values. */
function operatorsOf(field: Field): Record<string, Operand> {
  const own = factsOf(field.type).operators;
  const like = likeOf(field);
  if (like === field) return own;
  if (!hasLists(field)) return { ...factsOf(like.type).operators, ...own };
  const operand = listOperators[like.type];
  return { ...(operand && Object.fromEntries(listOps.map((op) => [op, operand]))), ...own };
}

/** The operators of a field, in the order of menus. */
export function opsOf(field: Field): string[] {
  return Object.keys(operatorsOf(field));
}

export function canFilter(field: Field): boolean {
  return opsOf(field).length > 0;
}

export function canSort(field: Field): boolean {
  // Lists are in the order of their values where these are texts or numbers.
  return factsOf(field.type).sortable && (!hasLists(field) || listOperators[likeOf(field).type] !== undefined);
}

/** What an operator of a field compares with. */
export function operandOf(field: Field, op: string): Operand {
  return operatorsOf(field)[op] ?? "none";
}

export function opLabel(op: string, field: Field, text: Catalogue): string {
  const dated = operandOf(field, op) === "time" ? text.filter.dateOp[op] : undefined;
  return dated ?? text.filter.op[op] ?? op;
}

/** A condition on a field with its usual operator and nothing to compare with yet. */
export function leafFor(field: Field): Leaf {
  const usual = hasLists(field) ? undefined : kindOf(likeOf(field).type).usualOp;
  const op = usual ?? opsOf(field)[0] ?? "is_not_empty";
  return { fieldId: field.id, op, value: startValue(op, operandOf(field, op)) };
}

function complete(leaf: Leaf): boolean {
  if (leaf.op === "is_empty" || leaf.op === "is_not_empty" || leaf.op === "is_error") return true;
  if (Array.isArray(leaf.value)) {
    if (leaf.op === "between")
      return leaf.value.length === 2 && leaf.value.every((part) => part !== undefined && part !== null && part !== "");
    return leaf.value.length > 0;
  }
  return leaf.value !== undefined && leaf.value !== null && leaf.value !== "";
}

/**
 * The filter without the conditions that are still being written, and without the groups that this
 * leaves empty.
 */
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
  return filters.reduce(
    (sum, filter) => sum + ("and" in filter ? countLeaves(filter.and) : "or" in filter ? countLeaves(filter.or) : 1),
    0,
  );
}
