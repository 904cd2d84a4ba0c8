import type { Field, StackLimit, ViewConfig } from "../api/type.ts";
import type { StackColumn } from "../field/kind.ts";

const maxStackLimit = 100_000;

/** The value of a column as limits name it: a person and an option by the id of the column. */
const valueOf = ({ id, value }: StackColumn) => (typeof value === "boolean" ? value : id || null);

/** How many cards a column should have at most. */
export function stackLimit(config: ViewConfig, stack: Field, column: StackColumn): number | undefined {
  const value = valueOf(column);
  return config.stackLimits?.find((one) => one.fieldId === stack.id && one.value === value)?.limit;
}

/** The limits of a board with another one for a column, or none. */
export function limited(
  config: ViewConfig,
  stack: Field,
  column: StackColumn,
  limit: number | undefined,
): StackLimit[] {
  const value = valueOf(column);
  const others = (config.stackLimits ?? []).filter((one) => one.fieldId !== stack.id || one.value !== value);
  return limit === undefined ? others : [...others, { fieldId: stack.id, value, limit }];
}

/** Reads a limit as it is entered; null where it is none that can be. */
export function readLimit(entry: string): number | null | undefined {
  const trimmed = entry.trim();
  if (trimmed === "") return undefined;
  const limit = /^\d{1,6}$/.test(trimmed) ? Number(trimmed) : 0;
  return limit >= 1 && limit <= maxStackLimit ? limit : null;
}
