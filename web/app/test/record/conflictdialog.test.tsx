import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { BaseContext, type OpenBase } from "../../src/access/base.ts";
import type { Field, FieldType, Table } from "../../src/api/type.ts";
import { ConflictDialog } from "../../src/record/conflictdialog.tsx";
import type { Conflict } from "../../src/record/conflict.ts";
import { Writer } from "../../src/record/writer.ts";
import { context, fieldOf, samples } from "../fieldsample.tsx";

afterEach(cleanup);

const name: Field = { ...fieldOf("text"), id: "fld_name", name: "Name", isPrimary: true };

function setup(fields: Field[], theirs: Conflict["theirs"], mine: Conflict["mine"]) {
  const conflict: Conflict = { row: { id: "rec_1", version: 2, fields: { Name: "Oak" } }, theirs, mine };
  const writer = new Writer("tbl_1");
  const resolve = vi.spyOn(writer, "resolve").mockReturnValue();
  const open = { people: context, names: { learn: () => undefined, want: () => undefined } } as unknown as OpenBase;
  const table = { fields: [name, ...fields] } as Table;
  render(
    <BaseContext.Provider value={open}>
      <ConflictDialog table={table} writer={writer} conflict={conflict} />
    </BaseContext.Provider>,
  );
  return { conflict, resolve };
}

const sides = (field: string) =>
  within(screen.getByRole("region", { name: field }))
    .getAllByRole("definition")
    .map((side) => side.textContent);

test("both values are shown under the name of each field that both have changed", () => {
  setup([fieldOf("number"), fieldOf("checkbox")], { fld_number: null, fld_checkbox: false }, {
    fld_number: 1234.5,
    fld_checkbox: true,
  });
  screen.getByRole("dialog", { name: "“Oak” was also changed elsewhere" });
  expect(screen.getAllByRole("region")).toHaveLength(2);
  expect(sides("The number")).toEqual(["Empty", "1234.5"]);
  expect(sides("The checkbox")).toEqual(["No", "Yes"]);
});

const written = Object.entries(samples).filter(([type]) => type !== "rating") as [FieldType, { value: unknown }][];

test.each(written)("a value of type %s is shown as people read it", (type, sample) => {
  const field = fieldOf(type);
  setup([field], { [field.id]: null }, { [field.id]: sample.value });
  const { shown } = samples[type as keyof typeof samples];
  const [, yours] = within(screen.getByRole("region", { name: field.name })).getAllByRole("definition");
  const labels = [...(yours?.querySelectorAll(".tone") ?? [])].map((label) => label.textContent);
  expect(labels.length > 0 ? labels.join(", ") : yours?.textContent).toBe(shown);
});

test("a rating is shown as stars", () => {
  const field = fieldOf("rating");
  setup([field], { [field.id]: 1 }, { [field.id]: 3 });
  expect(sides(field.name)).toEqual(["★★★★★", "★★★★★"]);
  screen.getByRole("img", { name: /3/ });
});

test.each([
  ["Keep saved version", "theirs"],
  ["Use mine", "mine"],
] as const)("“%s” ends the conflict with the values called %s", async (button, choice) => {
  const { conflict, resolve } = setup([], { fld_name: "Elm" }, { fld_name: "Ash" });
  await userEvent.click(screen.getByRole("button", { name: button }));
  expect(resolve).toHaveBeenCalledExactlyOnceWith(conflict, choice);
});

test("Esc and a key that somebody types choose nothing", async () => {
  const { resolve } = setup([], { fld_name: "Elm" }, { fld_name: "Ash" });
  await userEvent.keyboard("{Enter} {Escape}");
  expect(resolve).not.toHaveBeenCalled();
  screen.getByRole("dialog");
});
