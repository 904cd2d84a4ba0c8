import { expect, test } from "vitest";
import { browserFixture, call, createTable, gridReady, rowsOf, until, type View } from "./fixture.ts";

const fixture = browserFixture();

type StoredView = View & { access?: string; problems?: unknown[]; config: { filters?: unknown[] } };

test("a view with an invalid filter shows nothing, is marked, and can be repaired in place", async () => {
  const { page } = fixture;
  const fields = [
    { name: "Name", type: "text" },
    { name: "Kind", type: "text" },
  ];
  const { baseId, table } = await createTable("Broken", fields, [
    { Name: "Open", Kind: "1" },
    { Name: "Secret", Kind: "2" },
  ]);
  const view = table.views[0]!;
  const kind = table.fields[1]!;
  await call("PATCH", `/views/${view.id}`, { config: { filters: [{ fieldId: kind.id, op: "eq", value: "1" }] } });

  // The service names the affected view before the change.
  const refused = await call<{ errors: { path: string }[] }>("PATCH", `/fields/${kind.id}`, { type: "number" });
  expect(refused.status).toBe(409);
  expect(refused.body.errors.map((one) => one.path)).toEqual([view.id]);
  expect((await call("PATCH", `/fields/${kind.id}`, { type: "number", discard: true })).status).toBe(200);

  await page.goto(`/base/${baseId}/${table.id}`);
  await page.getByText("This view shows nothing until its filter is repaired").waitFor();
  await page.getByRole("img", { name: "The filter of this view needs repair" }).first().waitFor();
  expect(await page.getByTestId("data-grid-canvas").count()).toBe(0);

  // The invalid condition cannot be saved. Without it, the records are shown again.
  await page.getByRole("button", { name: "Save filter" }).click();
  await page.getByText("must be a number", { exact: false }).first().waitFor();
  await page.getByRole("button", { name: "Remove conditions that do not fit" }).click();
  await page.getByRole("button", { name: "Save filter" }).click();
  await gridReady(page);
  await until(
    async () => (await call<StoredView>("GET", `/views/${view.id}`)).body,
    (one) => one.problems === undefined && one.config.filters?.length === 0,
  );
});

test("a view is made personal, and locked, from its menu", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Access", [{ name: "Name", type: "text" }], [{ Name: "a" }]);
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
    expect((await call<StoredView>("GET", `/views/${second.id}`)).body.access).toBe(access);
  }
});

test("a day of the calendar shows its entries whole, and an entry is dragged to another day", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(
    "Meetings",
    [
      { name: "Name", type: "text" },
      { name: "Day", type: "date" },
    ],
    [1, 2, 3, 4, 5].map((n) => ({ Name: `Meeting ${n}`, Day: "2026-05-13" })),
  );
  const made = await call<{ id: string }>("POST", `/tables/${table.id}/views`, { type: "calendar", name: "Days" });
  await call("PATCH", `/views/${made.body.id}`, { config: { startFieldId: table.fields[1]?.id } });
  await page.clock.setFixedTime(new Date("2026-05-20T12:00:00Z"));
  await page.goto(`/base/${baseId}/${table.id}?view=${made.body.id}`);
  const entry = page.getByRole("button", { name: "Meeting 4" });
  await entry.waitFor();
  const heights = await page
    .getByRole("button", { name: /^Meeting/ })
    .evaluateAll((entries) => entries.map((one) => [one.scrollHeight <= one.clientHeight, one.clientHeight > 18]));
  expect(heights).toEqual(heights.map(() => [true, true]));
  await page.getByRole("button", { name: "1 more" }).click();
  await page.getByRole("button", { name: "Meeting 5" }).waitFor();
  await entry.dragTo(page.getByRole("listitem", { name: "2026-05-15" }));
  const days = async () => (await rowsOf(table.id)).map((row) => row.fields.Day);
  const moved = await until(days, (now) => now[3] === "2026-05-15");
  expect(moved).toEqual(["2026-05-13", "2026-05-13", "2026-05-13", "2026-05-15", "2026-05-13"]);
});
