import { expect, test } from "vitest";
import { english } from "../../src/locale/locale.ts";
import type { Field, FieldType, Table, View } from "../../src/api/type.ts";
import { viewTypes } from "../../src/api/type.ts";
import { initialConfig, viewKind } from "../../src/view/kind.ts";
import { offeredViews } from "../../src/view/permission.ts";
import { canSaveView } from "../../src/view/state.ts";
import { rowQuery } from "../../src/view/rowquery.ts";

const field = (id: string, type: FieldType) => ({ id, name: id, type, isPrimary: false, order: 0 }) as Field;
const table = (...fields: Field[]) => ({ id: "tbl_1", fields, views: [] }) as unknown as Table;

test("every type of view says what it shows, and starts with a suitable field", () => {
  const complete = table(
    field("state", "single_select"),
    field("made", "created_time"),
    field("day", "date"),
    field("file", "attachment"),
  );
  const shown = ["records", "records", "records", "records", "records", "chart", "entry"];
  expect(viewTypes.map((type) => viewKind(type).shows)).toEqual(shown);
  expect(initialConfig("chart", complete)).toEqual({
    chart: { kind: "bar", value: { fn: "count" }, groupBy: { fieldId: "state" } },
  });
  expect(initialConfig("grid", complete)).toEqual({});
  expect(initialConfig("kanban", complete)).toEqual({ stackFieldId: "state" });
  expect(initialConfig("gallery", complete)).toEqual({ coverFieldId: "file" });
  expect(initialConfig("calendar", complete)).toEqual({ startFieldId: "day" });
  expect(initialConfig("calendar", table(field("made", "created_time")))).toEqual({});
  expect(viewKind("nothing" as never)).toBe(viewKind("grid"));
});

test("a form is offered to members who may create records, and admins save a locked view", () => {
  const views = [
    { id: "a", type: "grid" },
    { id: "b", type: "form" },
  ] as View[];
  const shared = { ...table(), views };
  expect(offeredViews(shared, true)).toHaveLength(2);
  expect(offeredViews(shared, false).map((view) => view.id)).toEqual(["a"]);
  expect(offeredViews({ ...shared, views: [views[1]!] }, false)).toHaveLength(1);
  expect(canSaveView("editor", { access: "locked" } as View)).toBe(false);
  expect(canSaveView("creator", { access: "locked" } as View)).toBe(true);
  expect(canSaveView("viewer", {} as View)).toBe(false);
});

test("a query has the complete conditions and those of the view's position", () => {
  const days = table(field("name", "text"), field("day", "date"));
  const filters = [
    { fieldId: "name", op: "contains", value: "x" },
    { fieldId: "name", op: "contains" },
  ];
  const selection = { config: { startFieldId: "day" }, filters, sorts: [], search: "", clock: { locale: english } };
  expect(rowQuery(days, { type: "grid", ...selection })).toEqual({
    filters: [filters[0]],
    sorts: undefined,
    search: undefined,
  });
  expect(rowQuery(days, { type: "calendar", ...selection, position: "2025-02" }).filters).toHaveLength(2);
});
