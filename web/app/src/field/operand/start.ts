import type { Operand } from "../catalogue.ts";

/** A time as a distance from today. */
export type Relative = { unit: string; offset: number };

export const lastWeek: Relative = { unit: "day", offset: -7 };

const starts: Partial<Record<Operand, unknown>> = {
  boolean: true,
  texts: [],
  numbers: [],
  number_range: [],
  time_range: [],
  options: [],
  users: [],
  records: [],
};

/** What a condition compares with before anything was chosen. */
export function startValue(op: string, operand: Operand): unknown {
  return op === "is_within" ? lastWeek : starts[operand];
}
