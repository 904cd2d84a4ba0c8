import { expect, test } from "vitest";
import type { Filter, Table, View } from "../../src/api/type.ts";
import { viewsFilteringBy } from "../../src/field/usage.ts";
import { filterProblems, withoutBroken } from "../../src/view/filterproblem.ts";

const list: Filter[] = [
  { fieldId: "fld_a", op: "eq", value: "x" },
  { or: [{ fieldId: "fld_b", op: "eq", value: "y" }, { and: [{ fieldId: "fld_c", op: "gt", value: 1 }] }] },
];
const view = (filters: Filter[], extra: Partial<View> = {}): View =>
  ({ id: "viw_1", name: "One", type: "grid", config: { filters }, ...extra }) as View;

test("only invalid conditions are removed from a filter, with groups that become empty", () => {
  expect(withoutBroken(list, ["config.filters[0].op"])).toEqual([list[1]]);
  expect(withoutBroken(list, ["config.filters[1].or[1].and[0].value"])).toEqual([
    list[0],
    { or: [{ fieldId: "fld_b", op: "eq", value: "y" }] },
  ]);
  expect(withoutBroken(list, ["config.filters[1].or[0].fieldId", "config.filters[1].or[1].and[0].op"])).toEqual([
    list[0],
  ]);
});

test("only problems of its filter break a view", () => {
  expect(
    filterProblems(view(list, { problems: [{ path: "config.sorts[0].fieldId", message: "has no order" }] })),
  ).toEqual([]);
  const wrong = { path: "config.filters[0].op", message: "is not an operator" };
  expect(filterProblems(view(list, { problems: [wrong] }))).toEqual([wrong]);
  expect(filterProblems(view(list, { problems: [wrong], type: "form" }))).toEqual([]);
});

test("the views that filter by a field are found, also where it is nested", () => {
  const table = { views: [view(list), view([], { name: "Two" })] } as Table;
  expect(viewsFilteringBy(table, "fld_c")).toEqual(["One"]);
  expect(viewsFilteringBy(table, "fld_d")).toEqual([]);
});
