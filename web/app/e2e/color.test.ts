import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserFixture, call, cellAt, clickCell, createTable, gridReady, rowsOf, today } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture("en-US");
const widths = [220, 130, 160, 130];

/** What is drawn at the left edge of a row of the grid. */
async function strip(page: Page, row: number): Promise<string> {
  const { x, y } = await cellAt(page, widths, 0, row);
  const png = await page.screenshot({ clip: { x: x - 60 + 3, y, width: 1, height: 1 } });
  return png.toString("base64");
}

test("records have the colours of a view's rules, which follow an edit", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(
    "Coloured",
    [
      { name: "Name", type: "text" },
      { name: "Hours", type: "number" },
      { name: "State", type: "single_select", config: { options: ["Open", "Done"] } },
      { name: "Day", type: "date" },
    ],
    [
      { Name: "Roof", Hours: 12, State: "Open", Day: today() },
      { Name: "Door", Hours: 2, State: "Open", Day: today() },
      { Name: "Fence", Hours: 3, State: "Done", Day: today() },
    ],
  );
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const view = table.views[0]!.id;
  const plain = await strip(page, 1);

  // Two rules; the first that a record meets counts.
  await page.getByRole("button", { name: "Colours" }).click();
  for (const [place, hours] of [
    [1, "10"],
    [2, "2"],
  ] as const) {
    await page.getByRole("button", { name: "Add rule" }).click();
    const rule = page.getByRole("listitem", { name: `Rule ${place}` });
    await rule.getByLabel("Field").selectOption({ label: "Hours" });
    await rule.getByLabel("Operator").selectOption({ label: "is at least" });
    await rule.getByLabel("Value").fill(hours);
  }
  await page.getByRole("listitem", { name: "Rule 2" }).getByRole("radio", { name: "blue" }).click();
  const rules = async () =>
    (await call<{ config: { colorRules?: { color: string }[] } }>("GET", `/views/${view}`)).body.config.colorRules;
  await expect.poll(async () => (await rules())?.map(({ color }) => color)).toEqual(["red", "blue"]);
  expect(await findings(page)).toEqual([]);
  await picture(page, "colour-rules-light-1280");
  await page.keyboard.press("Escape");
  await expect.poll(async () => (await strip(page, 0)) !== (await strip(page, 1))).toBe(true);
  const [red, blue] = [await strip(page, 0), await strip(page, 1)];
  expect(new Set([red, blue, plain]).size).toBe(3);

  // The service decides what an edit has changed.
  await clickCell(page, widths, 1, 1);
  await page.keyboard.type("20");
  await page.keyboard.press("Enter");
  await clickCell(page, widths, 1, 0);
  await expect.poll(() => strip(page, 1)).toBe(red);
  // Edits of others have colours too.
  const fence = (await rowsOf(table.id)).find(({ fields }) => fields.Name === "Fence")!;
  await call("PATCH", `/records/${fence.id}`, { fields: { Hours: 1 } });
  await expect.poll(() => strip(page, 2)).toBe(plain);

  // The other order gives other colours, and cards have them as well.
  await page.getByRole("button", { name: "Colours" }).click();
  await page.getByRole("button", { name: "Move rule 2 up" }).click();
  await page.keyboard.press("Escape");
  await expect.poll(() => strip(page, 0)).toBe(blue);
  const config = (await call<{ config: object }>("GET", `/views/${view}`)).body.config;
  const calendar = await call<{ id: string }>("POST", `/tables/${table.id}/views`, {
    type: "calendar",
    config: { ...config, startFieldId: "Day" },
  });
  await page.goto(`/base/${baseId}/${table.id}?view=${calendar.body.id}`);
  await expect.poll(() => page.getByRole("button", { name: "Roof" }).getAttribute("data-tone")).toBe("blue");
  expect(await page.getByRole("button", { name: "Fence" }).getAttribute("data-tone")).toBeNull();
  expect(await findings(page)).toEqual([]);
});
