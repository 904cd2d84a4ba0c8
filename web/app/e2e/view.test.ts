import { expect, test } from "vitest";
import { call, gridReady, makeTable, stage, until, type View } from "./fixture.ts";

const at = stage();

type Kept = View & { access?: string; problems?: unknown[]; config: { filters?: unknown[] } };

test("a view whose filter no longer fits shows nothing, is marked, and is repaired where it stands", async () => {
  const { page } = at;
  const fields = [
    { name: "Name", type: "text" },
    { name: "Kind", type: "text" },
  ];
  const { baseId, table } = await makeTable("Broken", fields, [
    { Name: "Open", Kind: "1" },
    { Name: "Secret", Kind: "2" },
  ]);
  const view = table.views[0]!;
  const kind = table.fields[1]!;
  await call("PATCH", `/views/${view.id}`, { config: { filters: [{ fieldId: kind.id, op: "eq", value: "1" }] } });

  // The change says beforehand what becomes of the view.
  const refused = await call<{ errors: { path: string }[] }>("PATCH", `/fields/${kind.id}`, { type: "number" });
  expect(refused.status).toBe(409);
  expect(refused.body.errors.map((one) => one.path)).toEqual([view.id]);
  expect((await call("PATCH", `/fields/${kind.id}`, { type: "number", discard: true })).status).toBe(200);

  await page.goto(`/base/${baseId}/${table.id}`);
  await page.getByText("This view shows nothing until its filter is repaired").waitFor();
  await page.getByRole("img", { name: "The filter of this view needs repair" }).first().waitFor();
  expect(await page.getByTestId("data-grid-canvas").count()).toBe(0);

  // What does not fit cannot be saved; without it the records are there again.
  await page.getByRole("button", { name: "Save filter" }).click();
  await page.getByText("must be a number", { exact: false }).first().waitFor();
  await page.getByRole("button", { name: "Remove conditions that do not fit" }).click();
  await page.getByRole("button", { name: "Save filter" }).click();
  await gridReady(page);
  await until(
    async () => (await call<Kept>("GET", `/views/${view.id}`)).body,
    (one) => one.problems === undefined && one.config.filters?.length === 0,
  );
});

test("a view becomes personal, and locked, from its menu", async () => {
  const { page } = at;
  const { baseId, table } = await makeTable("Access", [{ name: "Name", type: "text" }], [{ Name: "a" }]);
  const second = (await call<View>("POST", `/tables/${table.id}/views`, { type: "grid", name: "Second" })).body;
  await page.goto(`/base/${baseId}/${table.id}?view=${second.id}`);
  await gridReady(page);
  for (const [item, access, mark] of [
    ["Only me", "personal", "Personal view"],
    ["Locked", "locked", "Locked view"],
  ] as const) {
    await page.getByRole("button", { name: "Actions for the view Second" }).click();
    await page.getByRole("menuitem", { name: item }).click();
    await page.getByRole("img", { name: mark }).first().waitFor();
    expect((await call<Kept>("GET", `/views/${second.id}`)).body.access).toBe(access);
  }
});
