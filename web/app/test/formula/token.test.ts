import { execFileSync } from "node:child_process";
import { array, assert, constantFrom, pre, property, string } from "fast-check";
import { expect, test } from "vitest";
import { callAt, isClosed, reference, tokensOf } from "../../src/field/formula/token.ts";

const cut = (formula: string) =>
  tokensOf(formula)
    .filter(({ kind }) => kind !== "space")
    .map(({ kind, start, end }) => `${kind} ${formula.slice(start, end)}`);

test("the catalogue of functions is that of the documentation", () => {
  expect(() => execFileSync(process.execPath, ["dev/formula.mjs", "--check"], { stdio: "pipe" })).not.toThrow();
});

test("a formula is cut into its pieces", () => {
  expect(cut('IF({Unit \\} price} >= 1.5e3, "a\\"b", Größe) // end')).toEqual([
    "function IF",
    "operator (",
    "field {Unit \\} price}",
    "operator >=",
    "number 1.5e3",
    "operator ,",
    'text "a\\"b"',
    "operator ,",
    "name Größe",
    "operator )",
    "comment // end",
  ]);
  expect(cut("{Open\n'text")).toEqual(["field {Open", "text 'text"]);
  expect(cut('"\\d" & "x"')).toEqual(['text "\\d"', "operator &", 'text "x"']);
});

test("the pieces of any text are the text, without gaps", () => {
  const letters = constantFrom(..."ab1.{}()\"'\\/*,- \n+&é😀".match(/./gsu)!);
  assert(
    property(array(letters, { maxLength: 40 }), (parts) => {
      const formula = parts.join("");
      const tokens = tokensOf(formula);
      expect(tokens.map(({ start, end }) => formula.slice(start, end)).join("")).toBe(formula);
    }),
  );
});

test("a reference to any name is one piece that ends", () => {
  assert(
    property(string({ minLength: 1 }), (name) => {
      pre(!name.includes("\n"));
      const formula = reference(name);
      const tokens = tokensOf(formula);
      expect(tokens).toHaveLength(1);
      expect(isClosed(formula, tokens[0]!)).toBe(true);
    }),
  );
});

test.each([
  ["IF(|", "IF", 0],
  ["IF({a}, ROUND(1, |", "ROUND", 1],
  ["IF({a}, ROUND(1, 2), |", "IF", 2],
  ['IF("(,", |', "IF", 1],
  ["IF((1 + |", "IF", 0],
  ["sum(1) + |", undefined, 0],
])("the call around the caret in %s is %s", (written, name, argument) => {
  const found = callAt(written.replace("|", ""), written.indexOf("|"));
  expect(found).toEqual(name === undefined ? undefined : { name, argument });
});
