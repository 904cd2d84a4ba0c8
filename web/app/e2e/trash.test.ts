import { expect, test } from "vitest";
import { browserFixture, call, createTable, testService, until } from "./fixture.ts";
import { findings } from "./page.ts";

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
  await page.screenshot({ path: "../../screenshots/orgtrash.png" });
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
