import { expect, test } from "vitest";
import type { Field, Filter } from "../src/api/type.ts";
import { isHidden, orderFields } from "../src/base/state.ts";
import { kinds } from "../src/field/kind.ts";
import { countLeaves, inputOf, leafFor, opsOf, ready } from "../src/filter/op.ts";
import { buttonAddress } from "../src/record/button.ts";
import { snippet, requestOf, mcpConfiguration } from "../src/base/code/snippet.ts";
import { daysBetween, pageOf, step } from "../src/view/month.ts";

const field = (id: string, over: Partial<Field> = {}): Field => ({ id, name: id, type: "text", isPrimary: false, order: 0, ...over });

const button = (url: string) => field("b", { type: "button", config: { url } });

test("every type that can be filtered begins with a condition whose input it knows", () => {
  for (const kind of kinds) {
    const one = field("a", { type: kind.type });
    for (const op of opsOf(one)) expect(inputOf(one, op), `${kind.type} ${op}`).toMatch(/^[a-z]+$/);
    if (opsOf(one).length > 0) expect(opsOf(one)).toContain(leafFor(one).op);
  }
});

test("conditions that are still being written, and the groups that this leaves empty, are not sent", () => {
  const fields = [field("a"), field("n", { type: "number" })];
  const filters: Filter[] = [
    { fieldId: "a", op: "contains" },
    { fieldId: "a", op: "eq", value: "" },
    { fieldId: "a", op: "is_empty" },
    { or: [{ fieldId: "n", op: "between", value: [1, undefined] }] },
    { or: [{ fieldId: "n", op: "eq", value: 0 }, { and: [{ fieldId: "gone", op: "eq", value: 1 }] }] },
  ];
  expect(ready(filters, fields)).toEqual([{ fieldId: "a", op: "is_empty" }, { or: [{ fieldId: "n", op: "eq", value: 0 }] }]);
  expect(countLeaves(filters)).toBe(6);
});

test("a view's order comes first, unknown fields last, the primary one always leads; its own list of hidden fields wins over the fields' defaults", () => {
  const fields = [field("p", { isPrimary: true }), field("a", { order: 1 }), field("b", { order: 2, hidden: true }), field("c", { order: 3 })];
  expect(orderFields(fields, ["c", "a", "p"]).map((one) => one.id)).toEqual(["p", "c", "a", "b"]);
  expect(fields.filter((one) => isHidden(one, {})).map((one) => one.id)).toEqual(["b"]);
  expect(fields.filter((one) => isHidden(one, { hiddenFields: ["p", "c"] })).map((one) => one.id)).toEqual(["c"]);
});

test("a button opens web addresses only, with values escaped", () => {
  expect(buttonAddress(button("https://example.com/?q={Name}&x={Gone}"), { Name: "a&b c" })).toBe("https://example.com/?q=a%26b%20c&x={Gone}");
  expect(buttonAddress(button("javascript:alert(1)"), {})).toBeUndefined();
  expect(buttonAddress(button("{Name}"), { Name: "javascript:alert(1)" })).toBeUndefined();
});

test("the examples name the real table, and quote what a shell would read", () => {
  const table = { id: "tbl_1", name: "T", views: [], fields: [field("It's", { isPrimary: true, name: "It's" })] };
  const curl = snippet("curl", requestOf("create", table), "https://rowhouse.example");
  expect(curl).toContain("https://rowhouse.example/api/v1/tables/tbl_1/records");
  expect(curl).toContain(`"It'\\''s": "Example"`);
  expect(snippet("python", requestOf("create", table), "https://rowhouse.example")).toContain(`"It's": "Example"`);
  expect(snippet("go", requestOf("list", table), "https://rowhouse.example")).toContain("http.NewRequest");
  expect(JSON.parse(mcpConfiguration("https://rowhouse.example", "k"))).toMatchObject({ mcpServers: { rowhouse: { url: "https://rowhouse.example/mcp" } } });
});

test("a month's page has whole weeks from Monday, and steps over the year", () => {
  expect(pageOf({ year: 2025, month: 2 })).toHaveLength(35);
  expect(pageOf({ year: 2027, month: 2 })).toHaveLength(28);
  expect(pageOf({ year: 2025, month: 6 })[0]).toBe("2025-05-26");
  expect(step({ year: 2025, month: 12 }, 1)).toEqual({ year: 2026, month: 1 });
  expect(step({ year: 2025, month: 1 }, -1)).toEqual({ year: 2024, month: 12 });
  expect(daysBetween("2025-02-27", "2025-03-01")).toEqual(["2025-02-27", "2025-02-28", "2025-03-01"]);
});
