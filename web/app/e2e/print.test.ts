import { expect, test } from "vitest";
import { browserFixture, call, createTable, gridReady } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();

test("a view is printed with its groups, sums and search", async () => {
  const { page, context } = fixture;
  const { baseId, table } = await createTable(
    "Orders",
    [
      { name: "Name", type: "text" },
      { name: "Region", type: "single_select", config: { options: ["North", "South"] } },
      { name: "Amount", type: "currency", config: { symbol: "$" } },
      { name: "Hidden", type: "number" },
    ],
    Array.from({ length: 120 }, (_, n) => ({
      Name: `Order ${n + 1}`,
      Region: n % 2 ? "South" : "North",
      Amount: n,
      Hidden: 73217321,
    })),
  );
  const field = (name: string) => table.fields.find((one) => one.name === name)!.id;
  await call("PATCH", `/views/${table.views[0]?.id}`, {
    config: { groupBy: ["Region"], hiddenFields: ["Hidden"], aggregates: { [field("Amount")]: "sum" } },
  });
  await context.addInitScript(() => {
    window.print = () => document.body.setAttribute("data-printed", "");
  });
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const opened = context.waitForEvent("page");
  await page.getByRole("button", { name: "More actions" }).last().click();
  await page.getByRole("menuitem", { name: "Print" }).click();
  const paper = await opened;
  await paper.locator("body[data-printed]").waitFor();
  expect(await paper.getByRole("rowheader").count()).toBe(2 + 120 + 1); // groups, records and sums
  expect(await paper.locator(".group").allTextContents()).toEqual(["North", "South"]);
  expect(await paper.locator("tfoot").textContent()).toContain("Sum $7,140.00");
  expect(await paper.content()).not.toMatch(/73217321|Hidden/);
  expect(await findings(paper)).toEqual([]);
  // As a printer has it: all of it on pages that are narrower than a screen, and the head of the table on each.
  await paper.emulateMedia({ media: "print" });
  await paper.setViewportSize({ width: 718, height: 1000 });
  expect(await paper.locator("tbody tr").nth(1).evaluate((row) => getComputedStyle(row).display)).toBe("table-row");
  await picture(paper, "print");
  await paper.close();

  await page.getByRole("searchbox", { name: "Search" }).fill("order 7");
  await expect.poll(() => page.getByText(/^\d+ records$/).textContent()).toBe("11 records");
  const again = context.waitForEvent("page");
  await page.getByRole("button", { name: "More actions" }).last().click();
  await page.getByRole("menuitem", { name: "Print" }).click();
  const found = await again;
  await found.getByText("Records that have “order 7”").waitFor();
  expect(await found.getByRole("rowheader", { name: /^Order / }).count()).toBe(11);
  await found.close();
});
