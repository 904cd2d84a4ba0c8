import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { BaseContext, type OpenBase } from "../../src/access/base.ts";
import type { Field, Table } from "../../src/api/type.ts";
import { Conflicts } from "../../src/record/conflicts.tsx";
import { ConflictDialog } from "../../src/record/lazyconflict.ts";
import { Writer } from "../../src/record/writer.ts";
import { context, fieldOf } from "../fieldsample.tsx";

afterEach(cleanup);

test("a conflict is asked about once the cell is left, and takes no letter before", async () => {
  const name: Field = { ...fieldOf("text"), id: "fld_name", name: "Name", isPrimary: true };
  await ConflictDialog.preload();
  const writer = new Writer("tbl_1");
  let conflict: Writer["conflict"];
  let said: (() => void) | undefined;
  vi.spyOn(writer, "conflict", "get").mockImplementation(() => conflict);
  vi.spyOn(writer, "on").mockImplementation((events) => {
    said = events.conflict;
    return () => undefined;
  });
  const open = { people: context, names: { learn: () => undefined, want: () => undefined } } as unknown as OpenBase;
  render(
    <BaseContext.Provider value={open}>
      <input aria-label="cell" />
      <Conflicts table={{ fields: [name] } as Table} writer={writer} />
    </BaseContext.Provider>,
  );
  const cell = screen.getByRole("textbox", { name: "cell" });
  await userEvent.type(cell, "one ");
  conflict = {
    row: { id: "rec_1", version: 2, fields: { Name: "Oak" } },
    theirs: { fld_name: "Elm" },
    mine: { fld_name: "Ash" },
  };
  act(() => said?.());
  await userEvent.keyboard("two ");
  await new Promise((resolve) => setTimeout(resolve, 900));
  await userEvent.keyboard("three");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect((cell as HTMLInputElement).value).toBe("one two three");
  act(() => cell.blur());
  await waitFor(() => screen.getByRole("dialog", { name: /was also changed elsewhere/ }), { timeout: 3000 });
});
