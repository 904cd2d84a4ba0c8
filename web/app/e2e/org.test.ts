import { expect, test } from "vitest";
import { browserFixture, call } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();

test("an owner gives an organization an icon, which its settings and the home page show", async () => {
  const { page } = fixture;
  const name = `Shipyard ${Date.now()}`;
  const { id } = (await call<{ id: string }>("POST", "/orgs", { name })).body;
  await page.goto(`/org/${id}`);
  await page.getByRole("button", { name: "Change icon" }).click();
  const dialog = page.getByRole("dialog", { name: "Icon" });
  await dialog.getByRole("button", { name: "⛵" }).click();
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Use this" }).click();
  await page.getByRole("main").getByText("⛵").waitFor();
  await picture(page, "orgicon");
  await page.goto("/");
  await page.getByRole("region", { name }).getByText("⛵").waitFor();
  await call("DELETE", `/orgs/${id}`);
});

test("a favourite base, and those that were opened last, come first on the home page", async () => {
  const { page } = fixture;
  const made: { id: string; name: string }[] = [];
  for (const name of ["Alder", "Birch", "Cedar", "Elder", "Fir", "Hazel", "Juniper"]) {
    const { id } = (await call<{ id: string }>("POST", "/bases", { name })).body;
    made.push({ id, name });
  }
  for (const { id } of [made[1]!, made[4]!]) {
    const opened = page.waitForResponse((response) => response.url().endsWith(`/bases/${id}/opened`));
    await page.goto(`/base/${id}`);
    await opened;
  }
  const star = page.getByRole("button", { name: "Favourite" });
  await star.click();
  await expect.poll(() => star.getAttribute("aria-pressed")).toBe("true");
  await page.goto(`/base/${made[6]!.id}`);
  await expect.poll(() => star.getAttribute("aria-pressed")).toBe("false");

  await page.goto("/");
  const listed = (name: string) => page.getByRole("region", { name, exact: true }).getByRole("link").allTextContents();
  await expect.poll(() => listed("Favourites")).toEqual(["FFir"]);
  await expect.poll(async () => (await listed("Opened last")).slice(0, 2)).toEqual(["JJuniper", "BBirch"]);
  expect(await findings(page)).toEqual([]);
  await picture(page, "ownbases");
  for (const { id } of made) await call("DELETE", `/bases/${id}`);
  await page.reload();
  await page.getByRole("heading", { name: /Welcome back/ }).waitFor();
  await expect.poll(() => page.getByRole("region", { name: "Favourites" }).count()).toBe(0);
});
