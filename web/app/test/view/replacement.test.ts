import { expect, test } from "vitest";
import type { Field } from "../../src/api/type.ts";
import { bodyOf, formulaOf } from "../../src/view/replacement.ts";

const field: Field = { id: "fld_1", name: "Unit {price}", type: "text", order: 1 } as Field;

test("what is found and what replaces it stand for themselves in a formula", () => {
  expect(formulaOf({ field, find: '1.5 ("a")', with: "$\\" })).toBe(
    String.raw`REGEX_REPLACE({Unit \{price\}}, "(?i)1\\.5 \\(\"a\"\\)", "$\\")`,
  );
  expect(formulaOf({ field, find: "€", with: "$5" })).toBe(
    String.raw`REGEX_REPLACE({Unit \{price\}}, "(?i)€()", "$$15")`,
  );
});

test("records that the view finds are searched", () => {
  const filters = [{ fieldId: "fld_2", op: "is_empty" }];
  const body = bodyOf({ field, find: "x", with: "" }, { filters, search: "" });
  expect(body.filters).toEqual([...filters, { fieldId: "fld_1", op: "contains", value: "x" }]);
  expect(body.search).toBeUndefined();
});
