import { describe, expect, test } from "vitest";
import type { ChartConfig, Field, Table } from "../../src/api/type.ts";
import { type Chart, readChart, totalsFor } from "../../src/chart/chart.ts";
import { chartData, slicesOf } from "../../src/chart/data.ts";
import { english } from "../../src/locale/locale.ts";

const field = (id: string, name: string, type: Field["type"], config = {}): Field => ({
  ...({ order: 0, isPrimary: id === "fld_n", hidden: false } as Field),
  id,
  name,
  type,
  config,
});
const table = {
  id: "tbl_x",
  name: "Plants",
  fields: [
    field("fld_n", "Name", "text"),
    field("fld_k", "Kind", "single_select", { options: [{ name: "Tree", color: "green" }, { name: "Herb" }] }),
    field("fld_p", "Price", "number"),
    field("fld_d", "Day", "date"),
    field("fld_f", "File", "attachment"),
  ],
} as unknown as Table;
const context = { locale: english, people: [] };
const read = (config: Partial<ChartConfig>) => readChart(table, { kind: "bar", value: { fn: "count" }, ...config });
const chart = (config: Partial<ChartConfig>) => read(config) as Chart;
const byKind = { fieldId: "fld_k" };
const byMonth = { fieldId: "fld_d", span: "month" } as const;
const group = (key: Record<string, unknown>, results: Record<string, unknown>) => ({ key, results });

describe("what a chart needs", () => {
  test("nothing is drawn instead of a field that is gone, or does not fit", () => {
    expect(readChart(table, undefined)).toBe("value");
    expect(read({ value: { fn: "sum", fieldId: "fld_gone" }, groupBy: byKind })).toBe("value");
    expect(read({ value: { fn: "sum", fieldId: "fld_k" }, groupBy: byKind })).toBe("value");
    expect(read({ groupBy: { fieldId: "fld_f" } })).toBe("group");
    expect(read({ kind: "number" })).toMatchObject({ group: undefined, result: "count" });
  });

  test("one aggregation has its points", () => {
    const value = { fn: "sum", fieldId: "fld_p" };
    const sort = { by: "value", dir: "desc" } as const;
    expect(totalsFor(chart({ value, groupBy: byKind, sort, limit: 5 }))).toEqual({
      aggregates: [value],
      groupBy: ["fld_k"],
      orderBy: [{ by: "sum(Price)", dir: "desc" }],
      limit: 5,
    });
    expect(totalsFor(chart({ groupBy: byMonth, seriesBy: byKind }))).toMatchObject({
      groupBy: ["month(fld_d)", "fld_k"],
      orderBy: [
        { by: "month(Day)", dir: "asc" },
        { by: "fld_k", dir: "asc" },
      ],
    });
  });
});

test("options have their colours and their order, and each group a condition", () => {
  const groups = [group({ Kind: "Tree" }, { count: 2 }), group({ Kind: null }, { count: 1 })];
  const data = chartData(chart({ groupBy: byKind }), { groups, hasMore: true }, context);
  expect(data.groups).toEqual([
    { key: "Tree", label: "Tree", tone: "green", filter: { fieldId: "fld_k", op: "eq", value: "Tree" } },
    { key: null, label: "(No Kind)", tone: "gray", filter: { fieldId: "fld_k", op: "is_empty" } },
  ]);
  expect(data.values).toEqual([[2, 1]]);
  expect(data.more).toBe(true);
  expect(chartData(chart({ groupBy: byKind, limit: 2 }), { groups, hasMore: true }, context).more).toBe(false);
});

test("time passes evenly, and a sum of nothing is zero", () => {
  const groups = [
    group({ "month(Day)": "2024-12-01", Kind: "Herb" }, { count: 2 }),
    group({ "month(Day)": "2025-02-01", Kind: "Tree" }, { count: 3 }),
  ];
  const data = chartData(chart({ groupBy: byMonth, seriesBy: byKind }), { groups, hasMore: false }, context);
  expect(data.groups.map(({ label }) => label)).toEqual(["Dec 2024", "Jan 2025", "Feb 2025"]);
  expect(data.groups[2]?.filter).toEqual({ fieldId: "fld_d", op: "between", value: ["2025-02-01", "2025-02-28"] });
  expect(data.series.map(({ label }) => label)).toEqual(["Tree", "Herb"]);
  expect(data.values).toEqual([
    [0, 0, 3],
    [2, 0, 0],
  ]);
});

test("a pie has its largest slices, and the others as one", () => {
  const groups = Array.from({ length: 20 }, (_, at) => group({ Price: at }, { count: at }));
  const data = chartData(chart({ groupBy: { fieldId: "fld_p" } }), { groups, hasMore: false }, context);
  const slices = slicesOf(data, "count", (count) => `${count} others`);
  expect(slices).toHaveLength(12);
  expect(slices.at(-1)).toMatchObject({ point: { label: "8 others" }, value: 36 });
});
