import { expect, test } from "vitest";
import { browserFixture, call, clickCell, createTable, gridReady } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture("en-US");
const widths = [220, 160, 220, 200, 150];

test("records are coloured by a select, and addresses are links", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(
    "People",
    [
      { name: "Name", type: "text" },
      { name: "State", type: "single_select", config: { options: [{ name: "Open", color: "green" }, "Late"] } },
      { name: "Site", type: "url" },
      { name: "Mail", type: "email" },
      { name: "Phone", type: "phone" },
    ],
    [
      {
        Name: "Ada",
        State: "Open",
        Site: "https://example.com/ada",
        Mail: "ada@example.com",
        Phone: "+44 20 7946 0958",
      },
      { Name: "Grace", State: "Late" },
      { Name: "Alan" },
    ],
  );
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  const config = async () =>
    (await call<{ config: Record<string, unknown> }>("GET", `/views/${table.views[0]?.id}`)).body.config.colorFieldId;
  const menu = () => page.mouse.click(box.x + 52 + 220 + 60, box.y + 19, { button: "right" });
  await menu();
  await page.getByRole("menuitem", { name: "Colour records by this field" }).click();
  await expect.poll(config).toBe(table.fields[1]!.id);
  await picture(page, "coloured-light-1280");
  expect(await findings(page)).toEqual([]);
  await menu();
  await page.getByRole("menuitem", { name: "Stop colouring records" }).click();
  await expect.poll(config).toBeFalsy();

  // With Ctrl, or from the menu, which the keyboard opens too.
  await page.evaluate(() => {
    const opened: unknown[] = [];
    Object.assign(window, { opened, open: (address: unknown) => void opened.push(address) });
  });
  await page.keyboard.down("Control");
  await clickCell(page, widths, 2, 0);
  await page.keyboard.up("Control");
  await clickCell(page, widths, 2, 0);
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Open link" }).click();
  const opened = () => page.evaluate(() => (window as unknown as { opened: unknown[] }).opened);
  await expect.poll(opened).toEqual(["https://example.com/ada", "https://example.com/ada"]);
  await clickCell(page, widths, 0, 0);
  await page.keyboard.press(" ");
  const panel = page.getByRole("dialog");
  const links = panel.getByRole("link", { name: /^Open: / });
  await expect.poll(() => links.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href))).toEqual([
    "https://example.com/ada",
    "mailto:ada@example.com",
    "tel:+442079460958",
  ]);
});
