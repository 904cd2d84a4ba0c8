import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeAll, expect, test, vi } from "vitest";
import type { FieldType } from "../src/api/type.ts";
import { loadControls } from "../src/field/control/index.ts";
import { factsOf, fieldTypes } from "../src/field/facts.ts";
import { kindOf } from "../src/field/kind/index.ts";
import { FieldControl } from "../src/record/control.tsx";
import { fieldOf, InBase, slowTimeout, samples } from "./fieldsample.tsx";

afterEach(cleanup);
beforeAll(async () => {
  await Promise.all([loadControls(), kindOf("attachment").Control.preload?.()]);
});

type Props = { type: FieldType; start?: unknown; disabled?: boolean; onChange?: (value: unknown) => void };

/** A control that keeps its value, as in a form. */
function Control({ type, start = null, disabled, onChange }: Props) {
  const [value, setValue] = useState(start);
  return (
    <InBase>
      <FieldControl
        field={fieldOf(type)}
        value={value}
        values={{ "The text": "a b" }}
        disabled={disabled}
        onChange={(next) => {
          setValue(next);
          onChange?.(next);
        }}
      />
    </InBase>
  );
}

/** Returns the text of a control, in its inputs and next to them. */
const displayedText = (container: HTMLElement) =>
  [...container.querySelectorAll("input, textarea")].map((one) => (one as HTMLInputElement).value).join(" ") +
  (container.textContent ?? "");

const sampleOf = (type: FieldType) => (type === "button" ? { value: null, shown: "Map" } : samples[type]);

test.each(fieldTypes)("the control of type %s is labelled with the field's name and shows the value", async (type) => {
  const { value, shown } = sampleOf(type);
  const { container } = render(<Control type={type} start={value} disabled={factsOf(type).readOnly} />);
  expect(await screen.findByText(`The ${type}`)).toBeTruthy();
  if (type === "attachment") await screen.findByText("a.png");
  else if (type === "checkbox") expect(screen.getByRole("checkbox").getAttribute("aria-checked")).toBe("true");
  else if (type === "rating") expect(screen.getByRole("radio", { checked: true }).ariaLabel).toBe("3 of 5");
  else if (type === "datetime") expect(displayedText(container)).toContain("2025-01-31T14:30");
  else if (type === "json") expect(displayedText(container)).toContain('"a": 1');
  else for (const part of shown.split(", ")) expect(displayedText(container)).toContain(part);
});

test.each<[FieldType, string, unknown]>([
  ["text", "  Hello ", "Hello"],
  ["long_text", "One\nTwo", "One\nTwo"],
  ["email", "ada@example.com", "ada@example.com"],
  ["url", "example.com", "https://example.com"],
  ["phone", "+44 20", "+44 20"],
  ["number", "1,234.5", 1234.5],
  ["currency", "€12", 12],
  ["percent", "25%", 25],
  ["duration", "1:30", 5400],
  ["json", '{"a":1}', { a: 1 }],
])("a value typed into the control of type %s is reported when it loses the focus", async (type, entry, value) => {
  const onChange = vi.fn();
  render(<Control type={type} onChange={onChange} />);
  const input = screen.getByRole("textbox");
  fireEvent.focus(input);
  fireEvent.input(input, { target: { value: entry } });
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.blur(input);
  expect(onChange).toHaveBeenCalledExactlyOnceWith(value);
});

test.each<[FieldType, string]>([
  ["email", "nobody"],
  ["number", "1,5"],
  ["number", "12345678901234567890"],
  ["currency", "$5 each"],
  ["percent", "many"],
  ["duration", "soon"],
  ["json", "{"],
])("the control of type %s keeps an unreadable entry and says why: %s", (type, entry) => {
  const onChange = vi.fn();
  render(<Control type={type} onChange={onChange} />);
  const input = screen.getByRole<HTMLInputElement>("textbox");
  fireEvent.input(input, { target: { value: entry } });
  fireEvent.blur(input);
  expect(onChange).not.toHaveBeenCalled();
  expect(input.value).toBe(entry);
  expect(input.getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByRole("alert").textContent).toMatch(/\w/);
});

test(
  "a checkbox, stars, a date and an option are reported at once",
  async () => {
    const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
    const taken: unknown[] = [];
    const onChange = (value: unknown) => taken.push(value);
    render(<Control type="checkbox" onChange={onChange} />);
    await user.click(screen.getByRole("checkbox"));
    cleanup();
    render(<Control type="rating" onChange={onChange} />);
    await user.click(screen.getByRole("radio", { name: "4 of 5" }));
    cleanup();
    render(<Control type="date" onChange={onChange} />);
    fireEvent.input(screen.getByLabelText("The date"), { target: { value: "2025-02-28" } });
    cleanup();
    render(<Control type="single_select" onChange={onChange} />);
    await user.click(screen.getByRole("button"));
    await user.click(await screen.findByRole("option", { name: "Done" }));
    cleanup();
    render(<Control type="user" onChange={onChange} />);
    await user.click(screen.getByRole("button"));
    await user.click(await screen.findByRole("option", { name: /Grace/ }));
    expect(taken).toEqual([true, 4, "2025-02-28", "Done", "usr_2"]);
  },
  slowTimeout,
);
