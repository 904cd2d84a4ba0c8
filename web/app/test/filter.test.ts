import { expect, test } from "vitest";
import type { Field, Filter, Table } from "../src/api/type.ts";
import { isHidden, orderFields } from "../src/view/state.ts";
import { buttonAddress } from "../src/field/button.ts";
import { fieldTypes } from "../src/field/facts.ts";
import { operandEditors } from "../src/field/operand/index.tsx";
import { countLeaves, leafFor, operandOf, opsOf, ready } from "../src/filter/op.ts";
import { english } from "../src/locale/locale.ts";
import { snippet, requestOf, mcpConfiguration } from "../src/base/code/snippet.ts";
import { calendarFilters, daysOf } from "../src/view/month.ts";

const field = (id: string, overrides: Partial<Field> = {}): Field => ({
  id,
  name: id,
  type: "text",
  isPrimary: false,
  order: 0,
  ...overrides,
});

const button = (url: string) => field("b", { type: "button", config: { url } });

test("a new condition on a filterable type has an operator and an editor", () => {
  for (const type of fieldTypes) {
    const one = field("a", { type });
    for (const op of opsOf(one)) expect(operandEditors[operandOf(one, op)], `${type} ${op}`).toBeTypeOf("function");
    if (opsOf(one).length > 0) expect(opsOf(one)).toContain(leafFor(one).op);
  }
});

test("incomplete conditions, and groups without a complete one, are not sent", () => {
  const fields = [field("a"), field("n", { type: "number" })];
  const filters: Filter[] = [
    { fieldId: "a", op: "contains" },
    { fieldId: "a", op: "eq", value: "" },
    { fieldId: "a", op: "is_empty" },
    { or: [{ fieldId: "n", op: "between", value: [1, undefined] }] },
    { or: [{ fieldId: "n", op: "eq", value: 0 }, { and: [{ fieldId: "gone", op: "eq", value: 1 }] }] },
  ];
  expect(ready(filters, fields)).toEqual([
    { fieldId: "a", op: "is_empty" },
    { or: [{ fieldId: "n", op: "eq", value: 0 }] },
  ]);
  expect(countLeaves(filters)).toBe(6);
});

test("the primary field leads, then a view's order, then the rest; a view's hidden fields win", () => {
  const fields = [
    field("p", { isPrimary: true }),
    field("a", { order: 1 }),
    field("b", { order: 2, hidden: true }),
    field("c", { order: 3 }),
  ];
  expect(orderFields(fields, ["c", "a", "p"]).map((one) => one.id)).toEqual(["p", "c", "a", "b"]);
  expect(fields.filter((one) => isHidden(one, {})).map((one) => one.id)).toEqual(["b"]);
  expect(fields.filter((one) => isHidden(one, { hiddenFields: ["p", "c"] })).map((one) => one.id)).toEqual(["c"]);
});

test("a button opens only web addresses, with escaped values", () => {
  expect(buttonAddress(button("https://example.com/?q={Name}&x={Gone}"), { Name: "a&b c" })).toBe(
    "https://example.com/?q=a%26b%20c&x={Gone}",
  );
  expect(buttonAddress(button("javascript:alert(1)"), {})).toBeUndefined();
  expect(buttonAddress(button("{Name}"), { Name: "javascript:alert(1)" })).toBeUndefined();
});

test("the code examples name the real table, and quote for the shell", () => {
  const table = { id: "tbl_1", name: "T", views: [], fields: [field("It's", { isPrimary: true, name: "It's" })] };
  const curl = snippet("curl", requestOf("create", table), "https://rowhouse.example");
  expect(curl).toContain("https://rowhouse.example/api/v1/tables/tbl_1/records");
  expect(curl).toContain(`"It'\\''s": "Example"`);
  expect(snippet("python", requestOf("create", table), "https://rowhouse.example")).toContain(`"It's": "Example"`);
  expect(snippet("go", requestOf("list", table), "https://rowhouse.example")).toContain("http.NewRequest");
  expect(JSON.parse(mcpConfiguration("https://rowhouse.example", "k"))).toMatchObject({
    mcpServers: { rowhouse: { url: "https://rowhouse.example/mcp" } },
  });
});

test("a calendar requests the records of all weeks of a month", () => {
  const table = { fields: [field("Day", { type: "date" }), field("End", { type: "date" })] } as unknown as Table;
  const [day, end] = table.fields.map((one) => one.id);
  expect(calendarFilters(table, {}, "2025-02-11", english)).toEqual([]);
  expect(calendarFilters(table, { startFieldId: day }, "2025-02-11", english)).toEqual([
    { fieldId: day, op: "between", value: ["2025-01-27", "2025-03-02"] },
  ]);
  const [first, last] = calendarFilters(table, { startFieldId: day, endFieldId: end }, "2025-02-11", english);
  expect(first).toEqual({ fieldId: day, op: "lte", value: "2025-03-02" });
  expect(last).toMatchObject({ or: [{ fieldId: end, op: "gte", value: "2025-01-27" }, {}] });
});

test("a month has whole weeks from Monday", () => {
  expect(daysOf("2025-02", 1)).toHaveLength(35);
  expect(daysOf("2027-02", 1)).toHaveLength(28);
  expect(daysOf("2025-06", 1)[0]).toBe("2025-05-26");
  expect(daysOf("2025-06", 0)).toHaveLength(35); // it begins on a Sunday
  expect(daysOf("2025-06", 6)[0]).toBe("2025-05-31");
});
