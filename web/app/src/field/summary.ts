import type { Field } from "../api/type.ts";
import type { GridText } from "../text/grid.ts";
import { type Context, numbersIn } from "./context.ts";
import { factsOf } from "./facts.ts";
import { formatNumber } from "./format.ts";
import { hasLists, likeOf } from "./result.ts";
import { format } from "./value.ts";

/** What a column can show of its field: functions of the service, and what follows from its counts. */
export const functions = [
  "count",
  "empty",
  "percent_filled",
  "distinct",
  "sum",
  "avg",
  "median",
  "min",
  "max",
] as const;

export type SummaryFunction = (typeof functions)[number];

/** The functions that the service has for a field, in the order of menus. */
export function functionsOf(field: Field): SummaryFunction[] {
  const { aggregates, sortable } = factsOf(likeOf(field).type);
  const served = hasLists(field) ? [] : aggregates;
  return functions.filter((name) => {
    if (name === "empty" || name === "percent_filled") return served.includes("count");
    if (name === "distinct") return sortable && !hasLists(field) && served.includes("count");
    if (name === "median") return served.includes("avg");
    return served.includes(name);
  });
}

/** The function that a view shows of a field, unless the field has it no more. */
export function summaryOf(field: Field, chosen: Record<string, string> | undefined): SummaryFunction | undefined {
  return functionsOf(field).find((name) => name === chosen?.[field.id]);
}

/** What the service is asked for to know a summary. */
export function aggregateOf(field: Field, name: SummaryFunction): { fn: string; fieldId: string } {
  const fn = name === "empty" || name === "percent_filled" ? "count" : name;
  return { fn, fieldId: field.id };
}

/** How a function of a field is called, in full or where there is little room. */
export function functionName(field: Field, name: SummaryFunction, text: GridText, short = false): string {
  const { type } = likeOf(field);
  const brief = short ? (type === "checkbox" ? text.shortBoxFunctions : text.shortFunctions)[name] : undefined;
  if (brief !== undefined) return brief;
  if (type === "checkbox") return text.boxFunctions[name];
  const dated = factsOf(type).operators.gt === "time";
  return (dated ? text.dateFunctions : text.functions)[name];
}

/**
 * Writes a number that was computed from the values of a field, as the field writes its own. Only
 * sums have their thousands set apart: a plain number may be a year.
 */
export function formatComputed(value: number, field: Field, context: Context, grouped = false): string {
  const { type } = likeOf(field);
  const places = type === "duration" ? 0 : 2;
  const rounded = Math.round(value * 10 ** places) / 10 ** places;
  if (type === "currency" || type === "percent" || type === "duration") {
    const config = Number.isInteger(rounded) ? field.config : { ...field.config, precision: undefined };
    return format(rounded, type === "percent" ? { ...field, config } : field, context);
  }
  return formatNumber(rounded, undefined, numbersIn(context), grouped);
}

/** Writes a summary from the results for some records; "" where there is none. */
export function formatSummary(
  field: Field,
  name: SummaryFunction,
  results: Record<string, unknown>,
  context: Context,
): string {
  const count = results.count as number;
  const filled = results[`count(${field.name})`] as number | undefined;
  const whole = (value: number) => formatNumber(value, undefined, numbersIn(context), true);
  if (name === "empty") return filled === undefined ? "" : whole(count - filled);
  if (name === "percent_filled") {
    if (filled === undefined || count === 0) return "";
    return `${formatNumber(Math.round((1000 * filled) / count) / 10, undefined, numbersIn(context))}%`;
  }
  const value = results[`${name}(${field.name})`];
  if (value === null || value === undefined) return "";
  if (name === "count" || name === "distinct") return whole(value as number);
  if (typeof value === "number") return formatComputed(value, field, context, name === "sum");
  return format(value, field, context);
}
