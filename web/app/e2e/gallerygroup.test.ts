import { expect, test } from "vitest";
import { browserFixture, call, createTable } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();

test("a gallery has the groups of its view, which are folded and counted", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(
    "Plants",
    [
      { name: "Name", type: "text" },
      { name: "Kind", type: "single_select", config: { options: ["Tree", "Herb"] } },
      { name: "Seen", type: "datetime" },
    ],
    [
      ...Array.from({ length: 105 }, (_, n) => ({ Name: `Oak ${n}`, Kind: "Tree", Seen: "2026-11-03T08:15:00Z" })),
      { Name: "Mint", Kind: "Herb", Seen: "2026-11-03T21:40:00Z" },
      { Name: "Stone", Seen: "2026-11-04T10:00:00Z" },
    ],
  );
  const view = await call<{ id: string }>("POST", `/tables/${table.id}/views`, { type: "gallery", name: "Cards" });
  await page.goto(`/base/${baseId}/${table.id}?view=${view.body.id}`);
  await page.getByRole("button", { name: "Oak 0", exact: true }).waitFor();
  await page.getByRole("button", { name: "Group" }).click();
  await page.getByRole("button", { name: "Add group" }).click(); // by the first field that is not the primary one
  await page.keyboard.press("Escape");
  const heads = page.getByRole("heading", { level: 2 }).getByRole("button");
  await heads.first().waitFor();
  await page.reload(); // a page that goes away saves what has not been saved yet
  await expect.poll(() => heads.allTextContents()).toEqual(["Tree105"]); // the first hundred are read
  await page.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => heads.allTextContents()).toEqual(["Tree105", "Herb1", "(No Kind)1"]);
  await heads.first().click();
  await expect.poll(() => page.getByRole("button", { name: "Oak 0", exact: true }).count()).toBe(0);
  expect(await heads.first().getAttribute("aria-expanded")).toBe("false");
  await page.getByRole("button", { name: "Mint" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, "gallery-groups");
  await page.reload();
  await expect.poll(() => heads.first().getAttribute("aria-expanded")).toBe("false");

  // Moments stand with their days.
  await call("PATCH", `/views/${view.body.id}`, { config: { groupBy: ["Seen"] } });
  await page.reload();
  await expect.poll(() => heads.allTextContents()).toEqual(["2026-11-03106"]);
});
