import type { ChartConfig, ChartGroup, ChartKind, Field, Span, Table } from "../api/type.ts";
import { factsOf } from "../field/facts.ts";
import { hasLists, likeOf } from "../field/result.ts";
import { functionsOf, type SummaryFunction } from "../field/summary.ts";
import { maxGroups, type Totals } from "../record/totals.ts";

/** What the records of a chart are grouped by. */
export type Grouped = {
  field: Field;
  span: Span | undefined;
  /** How an aggregation is asked for it, and names it in its answer. */
  by: string;
  name: string;
};

/** What a chart draws of the records of a table. */
export type Chart = {
  kind: ChartKind;
  fn: SummaryFunction;
  /** The field of the values; undefined for the records themselves. */
  field: Field | undefined;
  /** How an aggregation names the value in its answer. */
  result: string;
  group: Grouped | undefined;
  series: Grouped | undefined;
  stacked: boolean;
  sort: NonNullable<ChartConfig["sort"]>;
  limit: number | undefined;
};

/** What has to be chosen before a chart can be drawn. */
export type Missing = "value" | "group";

const computed: readonly SummaryFunction[] = ["sum", "avg", "median", "min", "max"];

/** The functions that make a number of the values of a field, in the order of menus. */
export function valueFunctions(field: Field): SummaryFunction[] {
  const known = functionsOf(field);
  return known.filter((fn) =>
    computed.includes(fn) ? known.includes("avg") : fn === "count" || fn === "distinct",
  );
}

/** Reports whether a field has days, which are grouped by spans of time. */
export const isTimed = (field: Field) => factsOf(likeOf(field).type).operators.gt === "time" && !hasLists(field);

/** Reports whether records can be grouped by a field; by some of them, a record is in several groups. */
export function makesGroups({ type, ...field }: Field): boolean {
  if (type === "link" || type === "multi_select") return true;
  return factsOf(type).groupable && !hasLists({ type, ...field });
}

/** A group as a chart begins with it: times by their months. */
export const groupOf = (field: Field): ChartGroup =>
  isTimed(field) ? { fieldId: field.id, span: "month" } : { fieldId: field.id };

function grouped(table: Table, chosen: ChartGroup | undefined): Grouped | undefined {
  const field = table.fields.find(({ id }) => id === chosen?.fieldId);
  if (!field || !makesGroups(field)) return undefined;
  const span = isTimed(field) ? chosen?.span : undefined;
  if (!span) return { field, span, by: field.id, name: field.name };
  return { field, span, by: `${span}(${field.id})`, name: `${span}(${field.name})` };
}

/** Reads what a chart is to draw, as far as the fields of the table still fit. */
export function readChart(table: Table, config: ChartConfig | undefined): Chart | Missing {
  if (!config?.value) return "value";
  const { kind, value, stacked = false, limit } = config;
  const field = table.fields.find(({ id }) => id === value.fieldId);
  const fits = field ? valueFunctions(field).includes(value.fn as SummaryFunction) : value.fieldId === undefined;
  if (!fits) return "value";
  const number = kind === "number";
  const group = number ? undefined : grouped(table, config.groupBy);
  if (!number && !group) return "group";
  const series = number || kind === "pie" ? undefined : grouped(table, config.seriesBy);
  return {
    kind,
    fn: value.fn as SummaryFunction,
    field,
    result: field ? `${value.fn}(${field.name})` : "count",
    group,
    series: series?.by === group?.by ? undefined : series,
    stacked,
    sort: config.sort ?? { by: "group", dir: "asc" },
    limit,
  };
}

/** Reports whether what a function makes of two groups can be added. */
export const adds = (fn: SummaryFunction) => fn === "count" || fn === "sum";

/** How an order names a group: what has a span by its name, and a field by its id, as a name may be a result's too. */
const keyOf = ({ span, field, name }: Grouped) => (span ? name : field.id);

/** The aggregation that a chart draws. */
export function totalsFor({ fn, field, result, group, series, sort, limit }: Chart): Totals {
  const aggregates = [field ? { fn, fieldId: field.id } : { fn: "count" }];
  if (!group) return { aggregates };
  const by = [group, ...(series ? [series] : [])];
  const byValue = sort.by === "value" && !series;
  const [first, ...rest] = by.map((one) => ({ by: keyOf(one), dir: "asc" as "asc" | "desc" }));
  const byKey = { by: first!.by, dir: sort.by === "group" ? sort.dir : "asc" };
  return {
    aggregates,
    groupBy: by.map((one) => one.by),
    orderBy: [byValue ? { by: result, dir: sort.dir } : byKey, ...rest],
    limit: series ? maxGroups : limit,
  };
}
