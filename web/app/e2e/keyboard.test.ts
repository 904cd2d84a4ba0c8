import { expect, test } from "vitest";
import { stage } from "./stage.ts";

const at = stage();

test("a menu of the first page opens by keys and by pointer, closes again, and gives the focus back", async () => {
  const { page } = at;
  await page.goto("/");
  const button = page.getByRole("button", { name: /^Account: / }).first();
  await button.focus();
  await page.keyboard.press("Enter");
  const item = page.getByRole("menuitem", { name: "Account settings" });
  await item.waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("menuitem");
  await page.keyboard.press("Escape");
  await item.waitFor({ state: "detached" });
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await button.getAttribute("aria-expanded")).toBe("false");
  await button.click();
  await item.waitFor();
  await button.click();
  await item.waitFor({ state: "detached" });
  await button.click();
  await item.click();
  await page.waitForURL(/\/settings\/profile$/);
});
