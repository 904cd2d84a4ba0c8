import type { Field } from "../api/type.ts";

/** What an operand names of the person who reads, as a row rule writes it. */
export type Personal = { me: true } | { my: "email" | "groups" };

/** What a field with an operator can be compared with of the person who reads. */
export function personalOf(field: Field, op: string): Personal | undefined {
  switch (field.type) {
    case "user":
    case "created_by":
    case "last_modified_by":
      return op === "has_any" || op === "has_none" ? { me: true } : undefined;
    case "single_select":
      return op === "in" || op === "not_in" ? { my: "groups" } : undefined;
    case "multi_select":
      return op === "has_any" || op === "has_none" ? { my: "groups" } : undefined;
    case "text":
    case "long_text":
    case "email":
      return op === "eq" || op === "neq" ? { my: "email" } : undefined;
    default:
      return undefined;
  }
}

export const isPersonal = (value: unknown): value is Personal =>
  typeof value === "object" && value !== null && ("me" in value || "my" in value);

const computed = ["formula", "lookup", "rollup", "count", "link"];

/** Whether a row rule may compare a field: its values are of the record itself, and not computed. */
export const isRuleField = (field: Field): boolean => !computed.includes(field.type);
