import { expect, test } from "vitest";
import { english } from "../../src/locale/locale.ts";
import type { Field, View } from "../../src/api/type.ts";
import { draftsOf, freeColor, savedRules, settled } from "../../src/view/colorrules.ts";
import { rowQuery } from "../../src/view/rowquery.ts";

const fields = [{ id: "name", name: "Name", type: "text" }] as Field[];
const has = (value?: string) => [{ fieldId: "name", op: "contains", value }];

test("a rule is saved as it was last complete, and one that never was is left out", () => {
  const view = { config: { colorRules: [{ filters: has("x"), color: "red" }] } } as View;
  const [draft] = draftsOf(view);
  const written = { ...draft!, rule: { filters: has(), color: "blue" } };
  const added = { key: "new", rule: { filters: has(), color: "green" } };
  expect(savedRules(settled([written, added], fields))).toEqual([{ filters: has("x"), color: "red" }]);
  const done = { ...added, rule: { filters: has("y"), color: "green" } };
  expect(savedRules(settled([done, written], fields)).map(({ color }) => color)).toEqual(["green", "red"]);
});

test("a rule that no longer fits is not saved until its conditions are changed", () => {
  const config = { colorRules: [{ filters: has("x"), color: "red" }] };
  const problems = [{ path: "config.colorRules[0].filters[0].value", message: "" }];
  const [draft] = draftsOf({ config, problems } as View);
  expect(savedRules(settled([draft!], fields))).toEqual([]);
  expect(savedRules(settled([{ ...draft!, broken: false }], fields))).toEqual(config.colorRules);
});

test("a new rule has a colour that no other has", () => {
  const drafts = ["red", "orange"].map((color) => ({ key: color, rule: { filters: [], color } }));
  expect(freeColor([])).toBe("red");
  expect(freeColor(drafts)).toBe("yellow");
});

test("records are read with the colours of the view as it is saved, except those of the past", () => {
  const table = { id: "t", fields } as Parameters<typeof rowQuery>[0];
  const saved = { id: "viw_1", config: { colorRules: [{ filters: has("x"), color: "red" }] } } as View;
  const selection = { type: "grid" as const, config: {}, filters: [], sorts: [], clock: { locale: english }, saved };
  expect(rowQuery(table, selection).colorsOf).toEqual({ view: "viw_1", rules: saved.config.colorRules });
  expect(rowQuery(table, { ...selection, asOf: "2025-01-01T00:00:00Z" }).colorsOf).toBeUndefined();
  expect(rowQuery(table, { ...selection, saved: { ...saved, config: {} } }).colorsOf).toBeUndefined();
});
