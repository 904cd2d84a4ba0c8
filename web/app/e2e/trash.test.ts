import { expect, test } from "vitest";
import { browserFixture, call, createTable, testService, until } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();
const nameOf = async (baseId: string) => (await call<{ name: string }>("GET", `/bases/${baseId}`)).body.name;
const status = async (baseId: string) => (await call("GET", `/bases/${baseId}`)).status;

test("a deleted base is restored, and another deleted for good, from the trash of the organization", async () => {
  const { page } = fixture;
  const kept = await createTable("Orchard", [{ name: "Name", type: "text" }], [{ Name: "Oak" }]);
  const gone = await createTable("Meadow", [{ name: "Name", type: "text" }], []);
  const [keptName, goneName] = [await nameOf(kept.baseId), await nameOf(gone.baseId)];
  const { orgId } = testService();
  for (const { baseId } of [kept, gone]) await call("DELETE", `/bases/${baseId}`);

  await page.goto(`/org/${orgId}/trash`);
  const restore = page.getByRole("button", { name: `Restore ${keptName}`, exact: true }).first();
  await restore.waitFor();
  await picture(page, "orgtrash");
  expect(await findings(page)).toEqual([]);
  await restore.click();
  await page.getByText(`“${keptName}” was restored`).waitFor();
  expect(await until(() => status(kept.baseId), (code) => code === 200)).toBe(200);

  await page.getByRole("button", { name: `Delete ${goneName} for good` }).first().click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete for good" }).click();
  await page.getByText(`“${goneName}” was deleted for good`).waitFor();
  const items = (await call<{ items: { id: string }[] }>("GET", `/orgs/${orgId}/trash?kinds=base`)).body.items;
  expect(items.map(({ id }) => id)).not.toContain(gone.baseId);
});

test("an organization is deleted, comes back as it was, and is deleted for good", async () => {
  const { page } = fixture;
  const name = `Harbour ${Date.now()}`;
  const { id: orgId } = (await call<{ id: string }>("POST", "/orgs", { name })).body;
  const { id: baseId } = (await call<{ id: string }>("POST", "/bases", { orgId, name: "Moorings" })).body;

  const remove = async () => {
    await page.goto(`/org/${orgId}`);
    await page.getByRole("button", { name: "Delete organization" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("An owner can restore it on the home page for 30 days.").waitFor();
    await question.getByRole("textbox").fill(name);
    await question.getByRole("button", { name: "Delete organization" }).click();
    await page.getByRole("region", { name: "Deleted organizations" }).waitFor();
  };
  await remove();
  expect(await status(baseId)).toBe(404);
  await picture(page, "deletedorg", { fullPage: true });
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: `Restore ${name}`, exact: true }).click();
  await page.getByRole("region", { name, exact: true }).getByText("Moorings").waitFor();
  expect(await status(baseId)).toBe(200);

  await remove();
  await page.getByRole("button", { name: `Delete ${name} for good` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete for good" }).click();
  await page.getByText(`“${name}” was deleted for good`).waitFor();
  expect((await call("POST", `/deleted-orgs/${orgId}/restore`)).status).toBe(404);
});
