import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BaseContext, type OpenBase } from "../src/access/base.ts";
import { cache } from "../src/api/cache.ts";
import type { Linked } from "../src/api/type.ts";
import { PickRecords } from "../src/field/linkdialog.tsx";

afterEach(cleanup);
beforeEach(() => {
  cache.clear();
  Element.prototype.scrollIntoView = () => undefined;
});

const primary = { id: "fld_1", name: "Name", type: "text", isPrimary: true, order: 0 };
const trees = ["Oak", "Elm", "Old oak"];
const all = trees.map((name, index) => ({ id: `rec_${index}`, version: 1, fields: { Name: name } }));

function setup(selected: Linked[], multiple = true) {
  const onSave = vi.fn();
  vi.stubGlobal("fetch", async (request: Request) => {
    const wanted = new URL(request.url).searchParams.get("search")?.toLowerCase() ?? "";
    const records = all.filter((row) => row.fields.Name.toLowerCase().includes(wanted));
    return Response.json({ records, total: records.length, hasMore: false });
  });
  const base = { id: "bas_1", tables: [{ id: "tbl_1", name: "Trees", fields: [primary], views: [] }] };
  const open = { base, names: { learn: () => undefined, want: () => undefined } } as unknown as OpenBase;
  render(
    <QueryClientProvider client={cache}>
      <BaseContext.Provider value={open}>
        <PickRecords
          title="Link"
          tableId="tbl_1"
          selected={selected}
          multiple={multiple}
          format={(value) => String(value)}
          onClose={() => undefined}
          onSave={onSave}
        />
      </BaseContext.Provider>
    </QueryClientProvider>,
  );
  return { onSave, user: userEvent.setup() };
}

const shown = () => screen.getAllByRole("checkbox").map((box) => box.closest("li")?.textContent);

test("a search finds what is linked already, ticked", async () => {
  const { user } = setup([{ id: "rec_0", name: "Oak" }]);
  await user.type(screen.getByRole("searchbox"), "oak");
  await waitFor(() => expect(shown()).toEqual(["Oak", "Old oak"]));
  expect(screen.getAllByRole("checkbox").map((box) => box.getAttribute("aria-checked"))).toEqual(["true", "false"]);
});

test("Enter chooses what was searched for, the arrows another, and Enter again is done", async () => {
  const { onSave, user } = setup([]);
  await user.type(screen.getByRole("searchbox"), "elm{Enter}");
  await waitFor(() => expect((screen.getByRole("searchbox") as HTMLInputElement).value).toBe(""));
  await user.type(screen.getByRole("searchbox"), "oak");
  await waitFor(() => expect(shown()).toEqual(["Oak", "Old oak"]));
  await user.keyboard("{ArrowDown}{Enter}");
  await waitFor(() => expect((screen.getByRole("searchbox") as HTMLInputElement).value).toBe(""));
  await user.keyboard("{Enter}");
  expect(onSave).toHaveBeenCalledExactlyOnceWith([
    { id: "rec_1", name: "Elm" },
    { id: "rec_2", name: "Old oak" },
  ]);
});

test("where one record can be linked, Enter links it", async () => {
  const { onSave, user } = setup([{ id: "rec_0", name: "Oak" }], false);
  await user.type(screen.getByRole("searchbox"), "elm{Enter}");
  await waitFor(() => expect(onSave).toHaveBeenCalledExactlyOnceWith([{ id: "rec_1", name: "Elm" }]));
});
