import { expect, test } from "vitest";
import { newContext, noProblems } from "./browser.ts";
import { browserFixture, call, createTable, gridReady, rowsOf, testService } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();
const fields = [
  { name: "Name", type: "text" },
  { name: "Kind", type: "single_select", config: { options: ["Tree", "Herb"] } },
  { name: "Cost", type: "number" },
];

test("a view is shared with a password, read without an account, and closed", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Plants", fields, [
    { Name: "Oak", Kind: "Tree", Cost: 73217321 },
    { Name: "Elm", Kind: "Tree", Cost: 5 },
    { Name: "Mint", Kind: "Herb", Cost: 7 },
  ]);
  const config = { hiddenFields: ["Cost"], filters: [{ fieldId: "Kind", op: "eq", value: "Tree" }] };
  await call("PATCH", `/views/${table.views[0]?.id}`, { name: "Trees", config });
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await page.getByRole("button", { name: "Actions for the view Trees" }).click();
  await page.getByRole("menuitem", { name: "Share view" }).click();
  const dialog = page.getByRole("dialog", { name: "Share Trees" });
  await dialog.getByRole("button", { name: "Create public link" }).click();
  const link = await dialog.getByRole("textbox", { name: "Public link of the view" }).inputValue();
  await dialog.getByLabel("Password").fill("six quiet boats");
  await dialog.getByRole("button", { name: "Set password" }).click();
  await dialog.getByText("Readers need the password.").waitFor();
  expect(await findings(page)).toEqual([]);

  const { context, problems } = await newContext(fixture.browser, testService(), { width: 390, height: 844 });
  const reader = await context.newPage();
  await reader.goto(link);
  await reader.getByLabel("This link needs a password").fill("six loud boats");
  await reader.getByRole("button", { name: "Open" }).click();
  await reader.getByText("That is not the password of this link.").waitFor();
  expect(await findings(reader)).toEqual([]);
  await reader.getByLabel("This link needs a password").fill("six quiet boats");
  await reader.keyboard.press("Enter");
  await reader.getByRole("heading", { name: "Trees" }).waitFor();
  expect(await reader.getByRole("rowheader").allTextContents()).toEqual(["Oak", "Elm"]);
  expect(await reader.content()).not.toMatch(/Mint|73217321|Cost|Plants base/);
  await reader.getByRole("searchbox").fill("elm");
  await reader.keyboard.press("Enter");
  await reader.waitForURL(/q=elm/);
  expect(await reader.getByRole("rowheader").allTextContents()).toEqual(["Elm"]);
  expect(await findings(reader)).toEqual([]);

  await dialog.getByRole("button", { name: "Stop sharing" }).click();
  await dialog.getByText("This view is not shared.").waitFor();
  expect((await reader.goto(link))?.status()).toBe(404);
  expect(problems).toEqual(noProblems);
  await context.close();
});

test("readers of a shared view change its records and add one, where it lets them", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Orchard", fields, [
    { Name: "Oak", Kind: "Tree", Cost: 73217321 },
    { Name: "Mint", Kind: "Herb", Cost: 7 },
  ]);
  const config = { hiddenFields: ["Cost"], filters: [{ fieldId: "Kind", op: "eq", value: "Tree" }] };
  await call("PATCH", `/views/${table.views[0]?.id}`, { name: "Trees", config });
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await page.getByRole("button", { name: "Actions for the view Trees" }).click();
  await page.getByRole("menuitem", { name: "Share view" }).click();
  const dialog = page.getByRole("dialog", { name: "Share Trees" });
  await dialog.getByRole("button", { name: "Create public link" }).click();
  const link = await dialog.getByRole("textbox", { name: "Public link of the view" }).inputValue();
  await dialog.getByText("Not opened yet").waitFor();
  await dialog.getByRole("checkbox", { name: "Let readers change and add records" }).click();
  const shared = async () => (await call<{ edit: boolean }>("GET", `/views/${table.views[0]?.id}/share`)).body.edit;
  await expect.poll(shared).toBe(true);
  expect(await findings(page)).toEqual([]);
  await picture(page, "shareedit-dialog");

  for (const [name, size, colorScheme] of [
    ["wide", { width: 1440, height: 900 }, "light"],
    ["narrow", { width: 390, height: 844 }, "dark"],
  ] as const) {
    const { context, problems } = await newContext(fixture.browser, testService(), size);
    const reader = await context.newPage();
    await reader.emulateMedia({ colorScheme });
    await reader.goto(link);
    await picture(reader, `shareedit-list-${name}`);
    expect(await findings(reader)).toEqual([]);
    await reader.getByRole("link", { name: /^Edit (Oak|Ash)/ }).click();
    await reader.getByLabel("Name").fill(`Ash ${name}`);
    await picture(reader, `shareedit-record-${name}`);
    expect(await findings(reader)).toEqual([]);
    await reader.getByRole("button", { name: "Save" }).click();
    await reader.getByText("Saved.").waitFor();
    await reader.getByRole("link", { name: "New record" }).click();
    await reader.getByLabel("Name").fill(`Elm ${name}`);
    await reader.getByRole("button", { name: "Save" }).click();
    await reader.getByRole("rowheader", { name: `Elm ${name}` }).waitFor();
    expect(await reader.content()).not.toMatch(/Mint|73217321|Cost|Orchard base/);
    expect(problems).toEqual(noProblems);
    await context.close();
  }
  const rows = await rowsOf(table.id);
  const names = rows.map(({ fields }) => `${String(fields.Name)} ${String(fields.Kind)} ${String(fields.Cost)}`);
  expect(names.toSorted()).toEqual([
    "Ash narrow Tree 73217321",
    "Elm narrow Tree null",
    "Elm wide Tree null",
    "Mint Herb 7",
  ]);
  await page.reload();
  await page.getByRole("button", { name: "Actions for the view Trees" }).click();
  await page.getByRole("menuitem", { name: "Share view" }).click();
  await dialog.getByText("Opened 2 times").waitFor();
});
