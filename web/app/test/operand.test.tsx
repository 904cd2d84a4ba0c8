import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { FieldType } from "../src/api/type.ts";
import { fieldTypes } from "../src/field/facts.ts";
import { kindOf } from "../src/field/kind/index.ts";
import { OperandEditor } from "../src/field/operand/index.tsx";
import { startValue } from "../src/field/operand/start.ts";
import { format } from "../src/field/value.ts";
import { operandOf, opsOf } from "../src/filter/op.ts";
import { context, fieldOf, InBase, slowTimeout } from "./fieldsample.tsx";

afterEach(cleanup);

type Props = { type: FieldType; op: string; onChange?: (value: unknown) => void };

function Operand({ type, op, onChange }: Props) {
  const field = fieldOf(type);
  const operand = operandOf(field, op);
  const [value, setValue] = useState(startValue(op, operand));
  return (
    <InBase>
      <OperandEditor
        kind={kindOf(type)}
        operand={operand}
        field={field}
        op={op}
        value={value}
        context={context}
        format={(one, of) => format(one, of, context)}
        onChange={(next) => {
          setValue(next);
          onChange?.(next);
        }}
      />
    </InBase>
  );
}

const pairs = fieldTypes.flatMap((type) => opsOf(fieldOf(type)).map((op): [FieldType, string] => [type, op]));

test.each(pairs)("a condition on %s with %s has an editor only if it has an operand", (type, op) => {
  const { container } = render(<Operand type={type} op={op} />);
  const editors = container.querySelectorAll("input, select, button");
  if (operandOf(fieldOf(type), op) === "none") expect(editors).toHaveLength(0);
  else expect(editors.length).toBeGreaterThan(0);
  expect(screen.queryByRole("alert")).toBeNull();
});

test.each<[FieldType, string, string, unknown]>([
  ["number", "gt", "1,234.5", 1234.5],
  ["currency", "eq", "€12", 12],
  ["percent", "lte", "25%", 25],
  ["duration", "gte", "1:30", 5400],
  ["auto_number", "eq", "7", 7],
  ["text", "in", 'a, "b, c"', ["a", "b, c"]],
  ["number", "in", "1, 2.5", [1, 2.5]],
])("a condition on %s with %s parses %s as the field does", (type, op, entry, value) => {
  const onChange = vi.fn();
  render(<Operand type={type} op={op} onChange={onChange} />);
  fireEvent.input(screen.getByRole("textbox"), { target: { value: entry } });
  expect(onChange).toHaveBeenLastCalledWith(value);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("an unreadable number is not used, and the reason is shown", () => {
  const onChange = vi.fn();
  render(<Operand type="number" op="eq" onChange={onChange} />);
  const input = screen.getByRole("textbox");
  fireEvent.input(input, { target: { value: "1,5" } });
  expect(onChange).not.toHaveBeenCalled();
  expect(input.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByRole("alert").textContent).toContain("“1,5”");
});

test("the ends of a range are set separately", () => {
  const onChange = vi.fn();
  render(<Operand type="number" op="between" onChange={onChange} />);
  fireEvent.input(screen.getByRole("textbox", { name: "From" }), { target: { value: "1" } });
  fireEvent.input(screen.getByRole("textbox", { name: "To" }), { target: { value: "9" } });
  expect(onChange).toHaveBeenLastCalledWith([1, 9]);
});

test("a date is absolute or relative to today, and a span ends or begins today", () => {
  const onChange = vi.fn();
  render(<Operand type="date" op="gt" onChange={onChange} />);
  fireEvent.change(screen.getByRole("combobox"), { target: { value: "ago" } });
  fireEvent.input(screen.getByRole("spinbutton"), { target: { value: "3" } });
  expect(onChange).toHaveBeenLastCalledWith({ unit: "day", offset: -3 });
  cleanup();
  render(<Operand type="datetime" op="is_within" onChange={onChange} />);
  fireEvent.change(screen.getByRole("combobox", { name: "Direction" }), { target: { value: "1" } });
  expect(onChange).toHaveBeenLastCalledWith({ unit: "day", offset: 7 });
});

test(
  "options and people are chosen from a list",
  async () => {
    const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
    const onChange = vi.fn();
    render(<Operand type="multi_select" op="has_any" onChange={onChange} />);
    await user.click(screen.getByRole("button"));
    await user.click(await screen.findByRole("option", { name: "Done" }));
    expect(onChange).toHaveBeenLastCalledWith(["Done"]);
    cleanup();
    render(<Operand type="created_by" op="has_any" onChange={onChange} />);
    await user.click(screen.getByRole("button"));
    await user.click(await screen.findByRole("option", { name: /Ada/ }));
    expect(onChange).toHaveBeenLastCalledWith(["usr_1"]);
  },
  slowTimeout,
);
