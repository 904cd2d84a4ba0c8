import type { Field } from "../api/type.ts";
import type { Context } from "../field/context.ts";
import { formatSummary, functionName, summaryOf, type SummaryFunction } from "../field/summary.ts";
import type { RowSource } from "../record/source.ts";
import { useTotals } from "../record/totals.ts";
import type { GridText } from "../text/grid.ts";
import { totalsOf } from "./footer.tsx";
import { canGroup } from "./group.ts";

type Results = Record<string, unknown>;

/** How the results of two groups become that of both. Of other functions, as an average, there is none. */
const joined: Partial<Record<string, (a: number, b: number) => number>> = {
  count: (a, b) => a + b,
  sum: (a, b) => a + b,
  min: Math.min,
  max: Math.max,
};

/** Puts the results of groups together: a card of several people stands in the column of each. */
export function join(one: Results | undefined, other: Results): Results {
  if (!one) return other;
  const both: Results = {};
  for (const [name, value] of Object.entries(other)) {
    const before = one[name];
    const combine = joined[/^\w+/.exec(name)![0]];
    if (typeof before === "number" && typeof value === "number") both[name] = combine?.(before, value);
    else both[name] = combine && (before ?? value);
  }
  return both;
}

/** A summary at the head of a column: of which field it is, and what it says. */
export type StackTotal = { field: Field; name: string; value: string };

/**
 * The summaries of the cards in each column, by the column's id, over all records that the source finds; of the fields
 * that a view has chosen a function of. Undefined while they are not known.
 */
export function useStackTotals(
  source: RowSource,
  stack: Field | undefined,
  idsOf: ((value: unknown) => string[]) | undefined,
  fields: readonly Field[],
  chosen: Record<string, string> | undefined,
): ReadonlyMap<string, Results> | undefined {
  const aggregates = totalsOf([...fields], chosen);
  const wanted = stack && canGroup(stack) && aggregates.length > 1 ? [{ aggregates, groupBy: [stack.id] }] : [];
  const groups = useTotals(source, wanted)?.totals[0]?.groups;
  if (!groups || !stack || !idsOf) return undefined;
  const columns = new Map<string, Results>();
  for (const { key, results } of groups)
    for (const id of idsOf(key[stack.name])) columns.set(id, join(columns.get(id), results));
  return columns;
}

/** What the head of a column says of the results for its cards. */
export function stackTotals(
  fields: readonly Field[],
  chosen: Record<string, string> | undefined,
  results: Results,
  context: Context,
  text: GridText,
): StackTotal[] {
  return fields.flatMap((field) => {
    const name: SummaryFunction | undefined = summaryOf(field, chosen);
    const value = name && formatSummary(field, name, results, context);
    return name && value ? [{ field, name: functionName(field, name, text, true), value }] : [];
  });
}
