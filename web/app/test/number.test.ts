import { NumberParser } from "@internationalized/number";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Field, FieldType } from "../src/api/type.ts";
import type { Context } from "../src/field/context.ts";
import { columnStyle, commaStyle, pointStyle, readNumber, styleOf } from "../src/field/number.ts";
import { kindOf } from "../src/field/kind/index.ts";
import { entryBy } from "../src/field/kind.ts";
import { format, parse } from "../src/field/value.ts";
import { english } from "../src/locale/locale.ts";

const editText = (value: unknown, of: Field, context: Context) => entryBy(kindOf(of.type), value, of, context);

const field = (type: FieldType, config: Field["config"] = {}): Field => ({
  id: "fld_1",
  name: "F",
  type,
  isPrimary: false,
  order: 1,
  config,
});
const inLocale = (locale: string): Context => ({ locale: { ...english, tag: locale }, people: [] });
const parseIn = (locale: string, input: string, type: FieldType = "number", config?: Field["config"]) =>
  parse(input, field(type, config), inLocale(locale));

test.each<[string, string, number]>([
  ["en", "1,234.5", 1234.5],
  ["en", "1,234", 1234],
  ["en", "1 234 567.5", 1234567.5],
  ["en", "-1,234,567", -1234567],
  ["en", ".5", 0.5],
  ["en", "2.5e3", 2500],
  ["en", "\u22127", -7],
  ["en-IN", "12,34,567.5", 1234567.5],
  ["en-IN", "1,234,567", 1234567],
  ["de", "1,5", 1.5],
  ["de", "1.234,56", 1234.56],
  ["de", "1.234", 1234],
  ["de-CH", "1’234.5", 1234.5],
  ["de-CH", "1'234.5", 1234.5],
  ["fr", "1\u202f234,5", 1234.5],
  ["fr", "1 234,5", 1234.5],
  ["sv", "\u22121 234,5", -1234.5],
  ["ar-EG", "١٬٢٣٤٫٥", 1234.5],
  ["fa", "۱۲", 12],
])("in %s, %s is %d", (locale, input, expected) => {
  expect(parseIn(locale, input)).toEqual({ value: expected });
});

test.each<[string, string]>([
  ["en", "1,5"],
  ["en", "1.234,56"],
  ["en", "1,23,456"],
  ["en", "1,234,56"],
  ["en", "0,123"],
  ["en", "1,234 567"],
  ["en", "1.234.567"],
  ["en", "1.5,"],
  ["en", "12 34"],
  ["en", "12 kg"],
  ["en", "25%"],
  ["de", "1.5"],
  ["de", "1,234.56"],
  ["de", "0.123"],
  ["de", "1.23"],
  ["fr", "1.5"],
  ["en", "9007199254740993"],
  ["en", "12345678901234567890"],
  ["en", "1e999"],
  ["en", "1e-999"],
])("in %s, %s is refused and named in the message", (locale, input) => {
  const parsed = parseIn(locale, input);
  expect(parsed.error).toContain(`“${input}”`);
  expect(parsed.value).toBeUndefined();
});

test("a refusal says how to write the number", () => {
  expect(parseIn("en", "1,5").error).toBe("“1,5” cannot be read as a number; write it as 1,234.5");
  expect(parseIn("de", "1.5").error).toBe("“1.5” cannot be read as a number; write it as 1.234,5");
});

test("amounts, percentages and durations use the same style, and a foreign symbol is refused", () => {
  expect(parseIn("de", "1.200,50 €", "currency", { symbol: "€" })).toEqual({ value: 1200.5 });
  expect(parseIn("en", "-£1,200.50", "currency", { symbol: "£" })).toEqual({ value: -1200.5 });
  expect(parseIn("en", "€12", "currency", { symbol: "£" }).error).toContain("€12");
  expect(parseIn("en", "$1,200")).toEqual({ value: 1200 });
  expect(parseIn("de", "12,5 %", "percent")).toEqual({ value: 12.5 });
  expect(parseIn("de", "1,5h", "duration")).toEqual({ value: 5400 });
  expect(parseIn("de", "1.5h", "duration").error).toMatch(/duration/);
  expect(parseIn("en", "1,5", "rating").error).toContain("1,5");
});

test("displayed and edited text is parsed as the same value, in every style", () => {
  const values = [0, 1.5, -1.5, 1234.5, 1234, -1234567.25, 1e21, 1e-7, 0.001, 123456789012345];
  for (const locale of [
    "en",
    "en-IN",
    "de",
    "de-CH",
    "de-AT",
    "fr",
    "es",
    "sv",
    "pt-BR",
    "ar-EG",
    "hi",
    "ja",
    "nonsense!",
  ]) {
    const context = inLocale(locale);
    for (const value of values) {
      const number = field("number");
      expect(parse(editText(value, number, context), number, context), `${locale}: ${value}`).toEqual({ value });
      if (Math.abs(value) < 1e-7 || value === 1e-7 || value >= 2 ** 53) continue;
      expect(parse(format(value, number, context), number, context), `${locale}: ${value}`).toEqual({ value });
      const amount = field("currency", { precision: 3, symbol: "€" });
      expect(parse(format(value, amount, context), amount, context), `${locale}: ${value}`).toEqual({ value });
    }
  }
  expect(format(186000.5, field("currency", { symbol: "€" }), inLocale("de"))).toBe("€186.000,50");
});

test("a column has the one style that its values agree on", () => {
  expect(columnStyle(["1,5", "2", "1.234,5"])).toEqual({ kind: "certain", style: commaStyle });
  expect(columnStyle(["1.5", "1,234", "n/a"])).toEqual({ kind: "certain", style: pointStyle });
  expect(columnStyle(["1", "20", ""])).toEqual({ kind: "either" });
  expect(columnStyle(["7", "1,234"])).toEqual({ kind: "ambiguous", example: "1,234" });
  expect(columnStyle(["1,5", "1.5"])).toEqual({ kind: "conflict", point: "1.5", comma: "1,5" });
});

test("no text is parsed as a different number than it says", () => {
  // An accepted text has the digits of its value, apart from group separators.
  const signs = ["", ",", ".", " ", "'"];
  for (const a of signs) {
    for (const b of signs) {
      for (const parts of [
        ["1", "5", "7"],
        ["12", "345", "678"],
        ["1", "234", "56"],
        ["0", "123", "4"],
        ["1", "2345", "678"],
      ]) {
        const input = `${parts[0]}${a}${parts[1]}${b}${parts[2]}`;
        for (const style of [pointStyle, commaStyle]) {
          const { value } = readNumber(input, style);
          if (value === undefined) continue;
          const expected = input
            .split(style.decimal)
            .map((part) => part.replace(/[^\d]/g, ""))
            .join(".");
          expect(value, input).toBe(Number(expected));
        }
      }
    }
  }
});

const locales = ["en", "en-IN", "de", "de-CH", "fr", "es", "sv", "pt-BR", "pl", "ar-EG", "fa", "hi", "bn", "ja"];

test("a number that Intl formats is parsed back, in agreement with NumberParser", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...locales),
      fc.integer({ min: -1e9, max: 1e9 }),
      fc.integer({ min: 0, max: 4 }),
      (locale, digits, decimals) => {
        const value = digits / 10 ** decimals;
        const formatted = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 }).format(value);
        const read = readNumber(formatted, styleOf(locale)).value;
        expect(read, `${formatted} in ${locale}`).toBe(value === 0 ? 0 : value);
        expect(new NumberParser(locale, { maximumFractionDigits: 4 }).parse(formatted)).toBe(read);
      },
    ),
    { numRuns: 400 },
  );
});

test("NumberParser agrees with every number that is parsed", () => {
  const style = styleOf("de");
  const parser = new NumberParser("de");
  const entry = fc.string({ unit: fc.constantFrom("1", "2", "0", ".", ",", "-", "+"), minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(entry, (input) => {
      const { value } = readNumber(input, style);
      if (value !== undefined) expect(parser.parse(input) + 0, input).toBe(value);
    }),
    { numRuns: 1000 },
  );
});
