import { expect, test } from "vitest";
import type { Field, FieldType } from "../src/api/type.ts";
import type { Context } from "../src/field/context.ts";
import { fieldTypes } from "../src/field/facts.ts";
import { kindOf } from "../src/field/kind/index.ts";
import { entryBy } from "../src/field/kind.ts";
import { format, parse } from "../src/field/value.ts";
import { english } from "../src/locale/locale.ts";

const editText = (value: unknown, of: Field, context: Context) => entryBy(kindOf(of.type), value, of, context);

const people: Context = {
  locale: english,
  people: [{ id: "usr_1", name: "Ada Lovelace", email: "ada@example.com" }],
  nameOf: (id) => (id === "rec_1" ? "Notes" : undefined),
};
const field = (type: FieldType, config: Field["config"] = {}): Field => ({
  id: "fld_1",
  name: "F",
  type,
  isPrimary: false,
  order: 1,
  config,
});

test.each<[FieldType, Field["config"], string, unknown]>([
  ["text", {}, "  a  ", "a"],
  ["long_text", {}, "a\r\nb", "a\nb"],
  ["number", {}, "1,234.5", 1234.5],
  ["number", {}, "-7e3", -7000],
  ["currency", { symbol: "£" }, "£1,200.50", 1200.5],
  ["percent", {}, "25%", 25],
  ["rating", { max: 5 }, "4", 4],
  ["rating", { max: 5 }, "0", null],
  ["duration", {}, "1:30", 5400],
  ["duration", {}, "2h 5m", 7500],
  ["checkbox", {}, "yes", true],
  ["checkbox", {}, "", false],
  ["url", {}, "example.com/a", "https://example.com/a"],
  ["single_select", { options: [{ name: "Open" }] }, "open", "Open"],
  ["multi_select", { options: [{ name: "A" }, { name: "B" }] }, "b, A, b", ["B", "A"]],
  ["user", {}, "ada@example.com", "usr_1"],
  ["user", { multiple: true }, "Ada Lovelace", ["usr_1"]],
  ["json", {}, '{"a":[1]}', { a: [1] }],
  ["text", {}, "   ", null],
])("a field of type %s with %o parses %o as %o", (type, config, input, expected) => {
  expect(parse(input, field(type, config), people)).toEqual({ value: expected });
});

test.each<[FieldType, Field["config"], string]>([
  ["number", {}, "twelve"],
  ["number", {}, "1-2"],
  ["email", {}, "nobody"],
  ["rating", { max: 5 }, "6"],
  ["single_select", { options: [{ name: "Open" }] }, "Closed"],
  ["date", {}, "31st"],
  ["user", {}, "Somebody Else"],
  ["json", {}, "{"],
  ["auto_number", {}, "1"],
  ["created_time", {}, "2025-01-01"],
])("a field of type %s with %o refuses %o with a reason", (type, config, input) => {
  expect(parse(input, field(type, config), people).error).toMatch(/\w/);
});

test("the text for editing is parsed as the same value", () => {
  const values: [FieldType, unknown][] = [
    ["text", "a"],
    ["number", 0.1],
    ["number", 123456789.125],
    ["currency", -3.5],
    ["percent", 12.5],
    ["duration", 5400],
    ["date", "2025-01-31"],
    ["datetime", "2025-01-31T14:30:00Z"],
    ["json", { a: [1, null] }],
    ["checkbox", true],
  ];
  for (const [type, value] of values) {
    const one = field(type);
    expect(parse(editText(value, one, people), one, people), type).toEqual({ value });
  }
});

test("values are formatted for people", () => {
  expect(format(1782, field("number", { precision: 0 }), people)).toBe("1782");
  expect(format(-186000, field("currency", { symbol: "£", precision: 0 }), people)).toBe("-£186,000");
  expect(format(55, field("percent"), people)).toBe("55%");
  expect(format(["rec_1", "rec_2"], field("link"), people)).toBe("Notes, Untitled record");
  expect(format("usr_1", field("created_by"), people)).toBe("Ada Lovelace");
});

test("every type formats an empty value as nothing, and has a column width", () => {
  for (const type of fieldTypes) {
    expect(format(null, field(type), people), type).toBe("");
    expect(kindOf(type).width).toBeGreaterThan(50);
  }
});

test.each([undefined, 0, 1, 2, 5])("numbers with %s decimals are formatted as by Intl, rounded or not", (precision) => {
  const values = [
    0,
    1,
    7,
    999,
    1000,
    1234.5,
    1234567.891,
    0.1,
    1.005,
    2.675,
    0.1 + 0.2,
    1e-7,
    123456789012345680000,
    1e21,
    4.35,
    1 / 3,
    2 ** 53,
  ];
  for (let i = 1; i <= 500; i++) values.push(Number((Math.abs(Math.sin(i)) * 10 ** (i % 16)).toFixed(i % 7)));
  const digits =
    precision === undefined
      ? { maximumFractionDigits: 10 }
      : { minimumFractionDigits: precision, maximumFractionDigits: precision };
  const intl = new Intl.NumberFormat("en", { useGrouping: false, ...digits });
  const grouped = new Intl.NumberFormat("en", {
    minimumFractionDigits: precision ?? 2,
    maximumFractionDigits: precision ?? 2,
  });
  const config = precision === undefined ? {} : { precision };
  for (const value of [...values, ...values.filter(Boolean).map((value) => -value)]) {
    expect(format(value, field("number", config), people)).toBe(intl.format(value));
    expect(format(value, field("currency", config), people)).toBe(
      `${value < 0 ? "-" : ""}$${grouped.format(Math.abs(value))}`,
    );
  }
});
