import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { cache } from "../../src/api/cache.ts";
import type { Field, FieldType } from "../../src/api/type.ts";
import { configFacts } from "../../src/field/config/facts.ts";
import type { Context } from "../../src/field/context.ts";
import { loadControls } from "../../src/field/control/index.ts";
import { LookupConfig, RollupConfig } from "../../src/field/formula/linked.tsx";
import { type ConfigDraft, isBox, type Label, type Pen } from "../../src/field/kind.ts";
import { kindOf } from "../../src/field/kind/index.ts";
import { canServe, format, isWritable, parse } from "../../src/field/value.ts";
import { Conditions } from "../../src/filter/conditions.tsx";
import { canSort, leafFor, operandOf, opsOf } from "../../src/filter/op.ts";
import { SortPanel } from "../../src/filter/sort.tsx";
import { layOver } from "../../src/grid/clip.ts";
import { FieldControl } from "../../src/record/control.tsx";
import { context as open, fieldOf, InBase } from "../fieldsample.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});
beforeAll(loadControls);

/** A base whose service answers nothing. */
function InService({ children }: { children: ReactNode }) {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  return (
    <QueryClientProvider client={cache}>
      <InBase>{children}</InBase>
    </QueryClientProvider>
  );
}

const failed = { error: "division_by_zero", message: "It divides by zero." };
const sources = (["currency", "percent", "duration", "rating", "single_select", "date", "link", "text"] as const).map(
  (type) => fieldOf(type),
);
const computed = (type: FieldType, config: Field["config"]): Field => ({ ...fieldOf(type), config });
const share = { ...computed("formula", { format: "percent", resultType: "number" }), id: "fld_share" };
const nested = { ...computed("lookup", { fieldId: "fld_currency", resultType: "list of number" }), id: "fld_nested" };
const context: Context = { ...open, fieldOf: (id) => [...sources, nested, share].find((one) => one.id === id) };

/** What is drawn in a cell: a text, or labels with their tones. */
function drawn(value: unknown, field: Field) {
  let found: unknown;
  const pen = {
    text: (shown: string, look?: { danger?: boolean }) => (found = look?.danger ? { shown, ...look } : shown),
    labels: (labels: Label[]) => (found = labels.map(({ label, tone }) => `${label} ${tone ?? "plain"}`)),
    stars: (count: number, max: number) => (found = `${count}/${max}`),
  };
  kindOf(field.type).cell.draw?.(pen as unknown as Pen, value, field, context);
  return found;
}

test.each<[string, string, unknown, string]>([
  ["fld_currency", "list of number", [4, 9.5], "€4.00, €9.50"],
  ["fld_currency", "list of number", [4, null, 9.5], "€4.00, €9.50"],
  ["fld_text", "list of text", [null, null], ""],
  ["fld_percent", "list of number", [12.5], "12.5%"],
  ["fld_duration", "list of number", [5400], "1:30"],
  ["fld_date", "list of date", ["2026-05-01"], "2026-05-01"],
  ["fld_text", "list of text", ["a", "b"], "a, b"],
  ["fld_nested", "list of number", [4], "€4.00"],
  ["fld_gone", "list of number", [4], "4"],
  ["fld_currency", "number", 4, "€4.00"],
  ["fld_date", "date", "2026-05-01", "2026-05-01"],
])("a lookup of %s is shown as its field shows it", (fieldId, resultType, value, shown) => {
  const field = computed("lookup", { fieldId, resultType });
  expect(format(value, field, context)).toBe(shown);
  expect(drawn(value, field)).toBe(shown);
});

test.each<[FieldType, Field["config"], unknown, string]>([
  ["formula", { format: "currency", symbol: "kr ", precision: 0 }, 1234, "kr 1,234"],
  ["formula", { format: "percent" }, 0.07, "7%"],
  ["formula", { format: "percent", precision: 1 }, 1 / 3, "33.3%"],
  ["formula", { format: "duration" }, 5401, "1:30:01"],
  ["formula", { format: "number", precision: 1 }, 2, "2.0"],
  ["rollup", { format: "number", function: "SUM", fieldId: "fld_currency" }, 4, "4"],
  ["rollup", { format: "percent", function: "SUM", fieldId: "fld_currency" }, 0.5, "50%"],
  ["rollup", { function: "SUM", fieldId: "fld_share" }, 0.5, "50%"],
  ["lookup", { fieldId: "fld_share" }, 0.125, "12.5%"],
  ["formula", { thousands: true, negative: "parentheses" }, -1234.5, "(1,234.5)"],
  ["formula", { format: "currency", thousands: false, negative: "minus" }, -1234, "-$1234.00"],
  ["rollup", { function: "SUM", fieldId: "fld_currency", negative: "parentheses" }, -4, "(€4.00)"],
  ["count", { thousands: true }, 1234, "1,234"],
])("a number that a %s of %j computes is shown in its format", (type, config, value, shown) => {
  const field = computed(type, { ...config, resultType: "number" });
  expect(format(value, field, context)).toBe(shown);
  expect(drawn(value, field)).toBe(shown);
});

test("computed numbers below zero are red where their field says so", () => {
  const field = computed("formula", { negative: "red", resultType: "number" });
  expect(drawn(-4, field)).toEqual({ shown: "-4", danger: true });
  expect(drawn(4, field)).toBe("4");
});

test("a format is chosen for computed numbers, with the symbol of a currency", () => {
  const onChange = vi.fn();
  const table = { id: "tbl_1", name: "Orders", fields: [{ ...fieldOf("link"), id: "fld_link" }], views: [] };
  const linked = { id: "tbl_2", name: "Lines", fields: [fieldOf("currency")], views: [] };
  const panel = (config: ConfigDraft) => (
    <InService>
      <RollupConfig
        config={{ linkFieldId: "fld_link", fieldId: "fld_currency", function: "SUM", ...config }}
        onChange={onChange}
        field={undefined}
        retyped={false}
        limits={configFacts("rollup").config}
        tables={[table, linked] as never}
        table={table as never}
        kindOf={kindOf}
        Conditions={() => null}
        Sorts={() => null}
      />
    </InService>
  );
  const { rerender } = render(panel({}));
  expect(screen.queryByLabelText("Currency symbol")).toBeNull();
  fireEvent.change(screen.getByLabelText("Format"), { target: { value: "currency" } });
  expect(onChange).toHaveBeenLastCalledWith({ format: "currency" });
  rerender(panel({ format: "currency" }));
  fireEvent.input(screen.getByLabelText("Currency symbol"), { target: { value: "kr" } });
  expect(onChange).toHaveBeenLastCalledWith({ symbol: "kr" });
  fireEvent.change(screen.getByLabelText("Format"), { target: { value: "" } });
  expect(onChange).toHaveBeenLastCalledWith({ format: undefined });
});

test("a lookup is told an order and a limit, unless its link takes one record", () => {
  const onChange = vi.fn();
  const link = { ...fieldOf("link"), id: "fld_link" };
  const linked = { id: "tbl_2", name: "Lines", fields: [fieldOf("text"), fieldOf("date")], views: [] };
  const panel = (config: ConfigDraft, multiple: boolean) => {
    const fields = [{ ...link, config: { ...link.config, multiple } }];
    const table = { id: "tbl_1", name: "Orders", fields, views: [] };
    return (
      <InService>
        <LookupConfig
          config={{ linkFieldId: "fld_link", fieldId: "fld_text", ...config }}
          onChange={onChange}
          field={undefined}
          retyped={false}
          limits={configFacts("lookup").config}
          tables={[table, linked] as never}
          table={table as never}
          kindOf={kindOf}
          Conditions={() => null}
          Sorts={SortPanel}
        />
      </InService>
    );
  };
  const { rerender } = render(panel({}, true));
  expect(screen.getByText("No sort. They are in the order of the link.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Add sort" }));
  expect(onChange).toHaveBeenLastCalledWith({ sorts: [{ fieldId: "fld_text", dir: "asc" }] });
  rerender(panel({ sorts: [{ fieldId: "fld_text", dir: "asc" }] }, true));
  fireEvent.click(screen.getByRole("button", { name: "Remove sort" }));
  expect(onChange).toHaveBeenLastCalledWith({ sorts: undefined });
  fireEvent.input(screen.getByLabelText("At most"), { target: { value: "3" } });
  expect(onChange).toHaveBeenLastCalledWith({ limit: 3 });
  rerender(panel({}, false));
  expect(screen.queryByLabelText("At most")).toBeNull();
});

test("a lookup of numbers has a style of its own, and begins with that of its source", () => {
  const onChange = vi.fn();
  const linked = { id: "tbl_2", name: "Lines", fields: [fieldOf("text"), fieldOf("currency")], views: [] };
  const link = { ...fieldOf("link"), id: "fld_link" };
  const table = { id: "tbl_1", name: "Orders", fields: [link], views: [] };
  const panel = (config: ConfigDraft) => (
    <InService>
      <LookupConfig
        config={{ linkFieldId: "fld_link", ...config }}
        onChange={onChange}
        field={undefined}
        retyped={false}
        limits={configFacts("lookup").config}
        tables={[table, linked] as never}
        table={table as never}
        kindOf={kindOf}
        Conditions={() => null}
        Sorts={() => null}
      />
    </InService>
  );
  const { rerender } = render(panel({ fieldId: "fld_text" }));
  expect(screen.queryByRole("checkbox", { name: /1,234,567/ })).toBeNull();
  rerender(panel({ fieldId: "fld_currency" }));
  const thousands = screen.getByRole("checkbox", { name: /1,234,567/ });
  expect(thousands.getAttribute("aria-checked")).toBe("true"); // as those of a currency
  fireEvent.click(thousands);
  expect(onChange).toHaveBeenLastCalledWith({ thousands: false });
});

test("names that are looked up are labels, and options keep their colours", () => {
  const options = computed("lookup", { fieldId: "fld_single_select", resultType: "list of text" });
  expect(drawn(["Open", "Open"], options)).toEqual(["Open green", "Open green"]);
  const option = computed("lookup", { fieldId: "fld_single_select", resultType: "text" });
  expect(drawn("Open", option)).toEqual(["Open green"]);
  const names = computed("lookup", { fieldId: "fld_link", resultType: "list of text" });
  expect(drawn(["Oslo", null], names)).toEqual(["Oslo plain"]);
});

test.each<[string, string, number, unknown]>([
  ["SUM", "fld_currency", 10, "€10.00"],
  ["COUNT", "fld_currency", 3, "3"],
  ["MAX", "fld_rating", 4, "4/5"],
  ["AVERAGE", "fld_rating", 3.5, "3.5"],
])("a rollup by %s of %s of %s is drawn as %s", (name, fieldId, value, shown) => {
  const field = computed("rollup", { fieldId, function: name, resultType: "number" });
  expect(drawn(value, field)).toBe(shown);
  const align = kindOf("rollup").cell.align;
  expect(typeof align === "function" && align(field)).toBe("right");
});

test("an error is drawn as one, true as a box, and neither is read from a text", () => {
  const field = computed("formula", { resultType: "number" });
  expect(drawn(failed, field)).toEqual({ shown: "#ERROR", danger: true });
  expect(isBox(kindOf("formula"), true)).toBe(true);
  expect(isBox(kindOf("formula"), failed)).toBe(false);
  expect(isWritable(field)).toBe(false);
  expect(parse("1", field, context).error).toBeTruthy();
});

test.each<[string | undefined, string[], boolean]>([
  ["number", ["gt", "between", "is_error"], true],
  ["text", ["contains", "starts_with", "is_error"], true],
  ["boolean", ["eq", "is_empty", "is_error"], true],
  ["date", ["is_within", "is_error"], true],
  ["list of text", ["has_any", "is_exactly", "is_error"], true],
  ["list of date", ["is_empty", "is_error"], false],
  [undefined, ["is_empty", "is_error"], true],
])("values of the type %s are found and sorted by their operators", (resultType, ops, sorted) => {
  const field = computed("formula", { resultType });
  for (const op of ops) expect(opsOf(field)).toContain(op);
  expect(operandOf(field, "is_error")).toBe("none");
  expect(canSort(field)).toBe(sorted);
  expect(opsOf(field)).toContain(leafFor(field).op);
});

test("views are built on computed dates and truths, and not on lists of them", () => {
  expect(canServe(computed("formula", { resultType: "date" }), "start")).toBe(true);
  expect(canServe(computed("formula", { resultType: "boolean" }), "stack")).toBe(true);
  expect(canServe(computed("lookup", { resultType: "list of date" }), "start")).toBe(false);
  expect(canServe(computed("formula", { resultType: "number" }), "start")).toBe(false);
});

test("conditions of a rollup take numbers of computed fields and days by their dates, and hand over whole ones", () => {
  const onChange = vi.fn();
  const total = { ...computed("formula", { resultType: "number" }), id: "fld_total", name: "Total" };
  const table = { id: "tbl_1", name: "Orders", fields: [total, fieldOf("date")], views: [] };
  render(
    <InBase>
      <Conditions table={table as never} filters={[]} onChange={onChange} />
    </InBase>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Add condition" }));
  expect(onChange).toHaveBeenLastCalledWith([]); // nothing to compare with yet
  fireEvent.input(screen.getByRole("textbox"), { target: { value: "1,234.5" } });
  expect(onChange).toHaveBeenLastCalledWith([{ fieldId: "fld_total", op: "eq", value: 1234.5 }]);
  fireEvent.change(screen.getByLabelText("Field"), { target: { value: "fld_date" } });
  expect(screen.queryByText("is within")).toBeNull();
  expect(screen.queryByText("today")).toBeNull();
  fireEvent.input(screen.getByLabelText("Value"), { target: { value: "2026-05-01" } });
  expect(onChange).toHaveBeenLastCalledWith([{ fieldId: "fld_date", op: "eq", value: "2026-05-01" }]);
});

test("a paste leaves computed cells alone and names them", () => {
  const total = { ...computed("formula", { resultType: "number" }), id: "fld_total", name: "Total" };
  const row = { id: "rec_1", version: 1, fields: { "The text": "a", Total: 3 } };
  const block = layOver([["b", "4"]], undefined, {
    fields: [fieldOf("text"), total],
    column: 0,
    rows: [row as never],
    context,
  });
  expect(block.edits.map(({ fields }) => fields)).toEqual([{ fld_text: "b" }]);
  expect(block.left).toHaveLength(1);
  expect([...new Set(block.left.map((cell) => cell.field.name))]).toEqual(["Total"]);
});

test("the control of a computed field says why it cannot be edited, and what an error is", () => {
  const onChange = vi.fn();
  const field = { ...computed("formula", { resultType: "number" }), name: "Total" };
  const control = (value: unknown) => (
    <InBase>
      <FieldControl field={field} value={value} values={{}} onChange={onChange} />
    </InBase>
  );
  const { rerender } = render(control(3));
  expect(screen.queryByRole("status")).toBeNull();
  fireEvent.keyDown(screen.getByLabelText("Total"), { key: "4" });
  expect(screen.getByRole("status").textContent).toContain("Its formula gives the values");
  rerender(control(failed));
  expect(screen.getByRole("status").textContent).toBe("#ERROR: It divides by zero.");
  expect(onChange).not.toHaveBeenCalled();
});
