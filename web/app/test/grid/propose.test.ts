import { expect, test } from "vitest";
import { propose, proposeType } from "../../src/grid/propose.ts";
import { context } from "../fieldsample.tsx";

test.each([
  ["number", ["1", "2.5", "-3", ""]],
  ["number", ["1,234.5", "7"]],
  ["number", ["1.234,5", "7,25"]],
  ["text", ["00123", "04711"]],
  ["currency", ["$1,200.00", "-$3"]],
  ["percent", ["10%", "12.5 %"]],
  ["date", ["2024-01-31", "2024-02-01"]],
  ["date", ["31/1/2024", "1/2/2024"]],
  ["text", ["31/1/2024", "1/31/2024"]],
  ["checkbox", ["TRUE", "false"]],
  ["email", ["a@example.com", "b@example.org"]],
  ["url", ["https://example.com/a"]],
  ["phone", ["+44 20 7946 0000"]],
  ["long_text", ["one\ntwo", "three"]],
  ["single_select", ["Tree", "Herb", "Tree", "Herb"]],
  ["text", ["Oak", "Elm", "Fir"]],
  ["text", ["", ""]],
])("a column becomes a field of type %s: %j", (type, cells) => {
  expect(proposeType(cells, context).type).toBe(type);
});

test("proposals have what their type needs, and names of their own", () => {
  const columns = [["€5", "€7"], ["a", "b", "a", "b"]];
  expect(propose(columns, ["Name", "Field 3"], (number) => `Field ${number}`, context)).toEqual([
    { name: "Field 4", type: "currency", config: { symbol: "€" } },
    { name: "Field 5", type: "single_select", config: { options: [{ name: "a" }, { name: "b" }] } },
  ]);
});
