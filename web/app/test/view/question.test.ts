import { expect, test } from "vitest";
import type { Field, ViewConfig } from "../../src/api/type.ts";
import { askedOf, pagesOf, questionsOf } from "../../src/view/question.ts";

const field = (id: string, type: string, more: Partial<Field> = {}) =>
  ({ id, name: id, type, order: 0, isPrimary: false, config: {}, ...more }) as Field;

const fields = [
  field("name", "text", { isPrimary: true }),
  field("comes", "checkbox", { order: 1 }),
  field("kind", "single_select", { order: 2 }),
  field("tags", "multi_select", { order: 3 }),
  field("note", "text", { order: 4 }),
];

const asked = (op: string, value: unknown, of: string, values: Record<string, unknown>, more: ViewConfig = {}) => {
  const config = { formFields: { note: { condition: [{ fieldId: of, op, value }] } }, ...more };
  return askedOf(questionsOf(fields, config), values).some((one) => one.field.id === "note");
};

// tenancy/form/condition_test.go has the same cases.
test.each([
  ["eq", "Soup", "kind", { kind: "Soup" }, true],
  ["eq", "Soup", "kind", {}, false],
  ["neq", "Soup", "kind", {}, true],
  ["contains", "AD", "name", { name: "Ada" }, true],
  ["not_contains", "AD", "name", { name: "Ada" }, false],
  ["has_any", ["A"], "tags", { tags: ["B", "A"] }, true],
  ["has_none", ["A"], "tags", { tags: ["B"] }, true],
  ["is_empty", undefined, "name", { name: "" }, true],
  ["is_not_empty", undefined, "tags", { tags: [] }, false],
  ["eq", false, "comes", {}, true],
  ["eq", true, "comes", { comes: true }, true],
])("%s %j of %s with %j", (op, value, of, values, holds) => {
  expect(asked(op, value, of, values)).toBe(holds);
});

test("an answer to what is not asked counts for nothing, and the order is that of the form", () => {
  const config: ViewConfig = {
    fieldOrder: ["kind", "name"],
    formFields: {
      name: { condition: [{ fieldId: "kind", op: "eq", value: "Soup" }] },
      note: { condition: [{ fieldId: "name", op: "is_not_empty" }] },
    },
  };
  const ids = (values: Record<string, unknown>) =>
    askedOf(questionsOf(fields, config), values).map((one) => one.field.id);
  expect(ids({ kind: "Soup", name: "Ada" })).toEqual(["kind", "name", "comes", "tags", "note"]);
  expect(ids({ kind: "Fish", name: "Ada" })).toEqual(["kind", "comes", "tags"]);
});

const is = (value: string) => ({ fieldId: "kind", op: "eq", value });

test("any of several conditions is enough where the form says so, and pages are asked for as a whole", () => {
  const config: ViewConfig = {
    fieldOrder: ["kind", "name", "note", "tags", "comes"],
    formFields: {
      name: { page: { title: "Who", condition: [is("Soup"), is("Fish")], match: "any" } },
      tags: { page: { condition: [is("Soup")] } },
    },
  };
  const pages = (values: Record<string, unknown>) =>
    pagesOf(askedOf(questionsOf(fields, config), values)).map((page) => page.map((one) => one.field.id));
  expect(pages({ kind: "Soup" })).toEqual([["kind"], ["name", "note"], ["tags", "comes"]]);
  expect(pages({ kind: "Fish" })).toEqual([["kind"], ["name", "note"]]);
  expect(pages({})).toEqual([["kind"]]);
});
