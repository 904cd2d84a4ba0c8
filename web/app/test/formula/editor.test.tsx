import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cache } from "../../src/api/cache.ts";
import type { Table } from "../../src/api/type.ts";
import { configFacts } from "../../src/field/config/facts.ts";
import { FormulaConfig } from "../../src/field/formula/formula.tsx";
import { kindOf } from "../../src/field/kind/index.ts";
import type { ConfigDraft } from "../../src/field/kind.ts";
import { fieldOf, InBase } from "../fieldsample.tsx";

const name = { ...fieldOf("text"), id: "fld_name", name: "Name", isPrimary: true };
const price = { ...fieldOf("number"), id: "fld_price", name: "Unit price" };
const press = { ...fieldOf("button"), id: "fld_press", name: "Unit press" };
const table = { id: "tbl_1", name: "Products", fields: [name, price, press], views: [] } as unknown as Table;

type Answer = { formula: string; answer: (body: unknown) => void };
let asked: Answer[] = [];

const json = (body: unknown) =>
  new Response(JSON.stringify(body), { headers: { "Content-Type": "application/json" } });

/** The service, whose answers to checks the test gives one by one. */
beforeEach(() => {
  cache.clear();
  asked = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "GET") return json({ records: [{ id: "rec_1", fields: { Name: "Tea" } }], total: 1 });
    const { formula } = (await request.json()) as { formula: string };
    return new Promise<Response>((resolve) => asked.push({ formula, answer: (body) => resolve(json(body)) }));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const gives = (value: unknown) => ({ type: "number", problems: [], values: [{ recordId: "rec_1", value }] });
const wrong = (...problems: object[]) => ({ problems, values: [] });

function Form({ start = "", onFormula }: { start?: string; onFormula?: (formula: string) => void }) {
  const [config, setConfig] = useState<ConfigDraft>({ formula: start });
  return (
    <QueryClientProvider client={cache}>
      <InBase>
        <FormulaConfig
          config={config}
          onChange={(change) => {
            setConfig((now) => ({ ...now, ...change }));
            onFormula?.(change.formula ?? "");
          }}
          retyped={false}
          limits={configFacts("formula").config}
          table={table}
          tables={[table]}
          kindOf={kindOf}
          Conditions={() => null}
          Sorts={() => null}
        />
      </InBase>
    </QueryClientProvider>
  );
}

const editor = () => screen.getByRole<HTMLTextAreaElement>("combobox", { name: "Formula" });
const options = () => screen.queryAllByRole("option").map((one) => one.textContent);
const checks = async (count: number) => {
  await waitFor(() => expect(asked).toHaveLength(count), { timeout: 3000 });
  return asked[count - 1]!;
};

test("fields and functions are offered, chosen with the keyboard, and those without values are not", async () => {
  const user = userEvent.setup({ delay: null });
  render(<Form />);
  expect(editor().getAttribute("aria-expanded")).toBe("false");
  await user.type(editor(), "uni");
  expect(options()[0]).toContain("Unit price");
  expect(options().join()).not.toContain("Unit press");
  expect(editor().getAttribute("aria-expanded")).toBe("true");
  const active = () => document.getElementById(editor().getAttribute("aria-activedescendant") ?? "");
  expect(active()?.getAttribute("aria-selected")).toBe("true");
  expect(active()?.textContent).toContain("Unit price");
  await user.keyboard("{ArrowDown}");
  expect(active()?.textContent).toContain("ARRAYUNIQUE");
  await user.keyboard("{ArrowDown}{Enter}");
  expect(editor().value).toBe("{Unit price}");
  expect(options()).toEqual([]);
  await user.keyboard(" * abs");
  await user.keyboard("{Tab}");
  expect(editor().value).toBe("{Unit price} * ABS()");
  expect(editor().selectionStart).toBe(editor().value.length - 1);
  expect(screen.getByText("The number without its sign.")).toBeTruthy();
});

test("Escape closes the list alone, and Enter is then a new line", async () => {
  const user = userEvent.setup({ delay: null });
  const onKeyDown = vi.fn();
  document.addEventListener("keydown", onKeyDown);
  render(<Form />);
  await user.type(editor(), "sum");
  onKeyDown.mockClear();
  await user.keyboard("{Escape}");
  expect(options()).toEqual([]);
  expect(onKeyDown).not.toHaveBeenCalled(); // a dialog would close
  await user.keyboard("{Enter}");
  expect(editor().value).toBe("sum\n");
  await user.keyboard("{Control>} {/Control}");
  expect(options().length).toBeGreaterThan(80);
  document.removeEventListener("keydown", onKeyDown);
});

test("an input method composes undisturbed, and is offered something when it is done", () => {
  render(<Form />);
  const input = editor();
  input.focus();
  fireEvent.compositionStart(input);
  fireEvent.input(input, { target: { value: "ab" }, isComposing: true });
  expect(options()).toEqual([]);
  fireEvent.compositionEnd(input);
  expect(options()[0]).toContain("ABS");
  // The key that ends the next composition chooses nothing from the list.
  fireEvent.keyDown(input, { key: "Enter", isComposing: true });
  expect(editor().value).toBe("ab");
});

test("only a field that there is has the colour of one", () => {
  render(<Form start="{Unit price} + {Unit prise} + {Unit pri" />);
  const coloured = [...document.querySelectorAll("[aria-hidden] > .text-\\(--tone-blue-ink\\)")];
  expect(coloured.map((one) => one.textContent)).toEqual(["{Unit price}"]);
});

test("mistakes stand under their letters, and a suggestion is applied with one press", async () => {
  const user = userEvent.setup({ delay: null });
  render(<Form start="{Unit prise} * 2" />);
  const message = 'there is no field "Unit prise", did you mean "Unit price"?';
  const check = await checks(1);
  await act(async () => check.answer(wrong({ line: 1, column: 1, length: 12, message })));
  const list = await screen.findByRole("list", { name: "1 mistake" });
  expect(within(list).getByRole("listitem").textContent).toContain(`Line 1, column 1: ${message}`);
  expect(editor().getAttribute("aria-invalid")).toBe("true");
  const underlined = document.querySelectorAll(".decoration-wavy");
  expect([...underlined].map((one) => one.textContent)).toEqual(["{Unit prise}"]);
  await user.click(within(list).getByRole("button", { name: "Write “Unit price”" }));
  expect(editor().value).toBe("{Unit price} * 2");
  expect(document.querySelectorAll(".decoration-wavy")).toHaveLength(0);
  const next = await checks(2);
  expect(next.formula).toBe("{Unit price} * 2");
  await act(async () => next.answer(gives(8)));
  expect(await screen.findByText("Gives a number")).toBeTruthy();
  await waitFor(() => expect(screen.getByRole("row", { name: "Tea 8" })).toBeTruthy());
});

test("keys are gathered to one check, and an answer to an earlier text is dropped", async () => {
  render(<Form />);
  for (const value of ["1", "1 ", "1 +", "1 + 1"]) fireEvent.input(editor(), { target: { value } });
  const first = await checks(1);
  expect(first.formula).toBe("1 + 1");
  fireEvent.input(editor(), { target: { value: "1 + 2" } });
  const second = await checks(2);
  await act(async () => second.answer(gives(3)));
  await screen.findByRole("row", { name: /3/ });
  await act(async () => first.answer(gives(2)));
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(screen.queryByRole("row", { name: /2$/ })).toBeNull();
  expect(screen.getByRole("row", { name: /3$/ })).toBeTruthy();
});

test("an error is shown with its reason, and the functions can be found", async () => {
  const user = userEvent.setup({ delay: null });
  render(<Form start="1 / 0" />);
  const check = await checks(1);
  await act(async () => check.answer(gives({ error: "division_by_zero", message: "It divides by zero." })));
  expect(await screen.findByText("#ERROR: It divides by zero.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Functions" }));
  await user.type(screen.getByRole("searchbox"), "workdays included");
  await user.click(screen.getByRole("button", { name: "Insert WORKDAY_DIFF(start, end, [holidays])" }));
  expect(editor().value).toContain("WORKDAY_DIFF()");
});
