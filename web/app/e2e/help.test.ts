import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newContext, noProblems } from "./browser.ts";
import { browserFixture, call, clickCell, gridReady, rowsOf, testService, type Table, until } from "./fixture.ts";
import { findings } from "./page.ts";

const fixture = browserFixture();
const widths = [220, 160, 160];

test("the help needs no session, finds a page, and has its own page for what is missing", async () => {
  const { context, problems } = await newContext(fixture.browser, testService());
  const page = await context.newPage();
  await page.goto("/help");
  await page.waitForURL("**/help/");
  await page.getByRole("heading", { name: /^Documentation/ }).waitFor();
  expect(await own(page)).toEqual([]);
  await page.keyboard.press("Control+k");
  await page.getByRole("searchbox").fill("upsert");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/help/reference/**");
  await page.getByRole("heading", { name: "Upsert" }).waitFor();
  const size = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(size).toBe(1280);

  await page.goto("/help/reference/formulas");
  await page.getByRole("switch").first().click();
  await expect.poll(() => page.evaluate(() => document.documentElement.className)).toContain("dark");
  await page.waitForTimeout(400); // the colours change by a transition
  expect(await own(page)).toEqual([]);

  const missing = await page.goto("/help/reference/nothing");
  expect(missing?.status()).toBe(404);
  await page.getByText("PAGE NOT FOUND").waitFor();
  expect(problems).toEqual(noProblems);
  await context.close();
});

test("the application leads to the help", async () => {
  const { page } = fixture;
  await page.goto("/");
  await page.getByRole("navigation").getByRole("link", { name: "Help", exact: true }).click();
  await page.waitForURL("**/help/");
});

/**
 * The findings of axe but for one of the theme of VitePress: its button to search is named "Search", and shows the keys
 * as well.
 */
async function own(page: Page): Promise<string[]> {
  return (await findings(page)).filter((one) => !one.startsWith("label-content-name-mismatch"));
}

/** The bold words of the tutorial are what the application calls things, in the order in which they are needed. */
async function labelsOf(tutorial: string): Promise<string[]> {
  const text = await readFile(new URL(`../../../docs/tutorial/${tutorial}.md`, import.meta.url), "utf8");
  return [...text.matchAll(/\*\*([^*]+)\*\*/g)].map((match) => (match[1] ?? "").replace(/\s+/g, " "));
}

test("the first-base tutorial works as its page says", async () => {
  const { page } = fixture;
  const left = await labelsOf("browser");
  /** Takes a label of the tutorial. It must be the next one that was not taken. */
  const next = (label: string) => {
    expect(left.shift()).toBe(label);
    return label;
  };
  const press = (label: string) => page.getByRole("button", { name: next(label), exact: true }).first().click();
  const fill = (label: string, value: string) => page.getByLabel(next(label), { exact: true }).fill(value);

  await page.goto("/");
  await press("New base");
  await fill("Base name", "Harbour");
  await press("Create base");
  await page.waitForURL(/\/base\//);
  await page.getByRole("button", { name: next("Add table"), exact: true }).last().click(); // the first one is a plus
  await fill("Table name", "Ships");
  await press("Create table");
  await gridReady(page);
  await expect.poll(() => page.getByTestId("data-grid-canvas").textContent()).toContain(next("Name"));

  await press("Add field");
  await fill("Name", "Kind");
  await page.getByLabel(next("Type")).selectOption({ label: "Single select" });
  await press("Add option");
  await page.getByLabel("Option name").last().fill("Ferry");
  await page.getByRole("button", { name: "Add option" }).click();
  await page.getByLabel("Option name").last().fill("Tug");
  await press("Create field");
  await page.getByRole("button", { name: "Create field" }).waitFor({ state: "detached" });
  await press("Add field");
  await page.getByLabel("Name", { exact: true }).fill("Tons");
  await page.getByLabel("Type").selectOption({ label: "Number" });
  await press("Create field");
  await page.getByRole("button", { name: "Create field" }).waitFor({ state: "detached" });

  const { baseId, table } = await openTable(page);
  const newRecord = next("New record");
  const ships = [
    ["Solveig", "Ferry", "4200"],
    ["Aase", "Tug", "90"],
    ["Ragna", "Tug", "130"],
  ];
  for (const [index, [name = "", kind = "", tons = ""]] of ships.entries()) {
    await page.getByRole("button", { name: newRecord }).first().click();
    await page.getByText(index === 0 ? "1 record" : `${index + 1} records`, { exact: true }).waitFor();
    await page.waitForTimeout(300); // the new row takes the selection
    await page.keyboard.type(name);
    await page.keyboard.press("Tab");
    await page.keyboard.type(kind);
    await page.getByRole("option", { name: kind }).waitFor();
    await page.keyboard.press("Enter");
    await clickCell(page, widths, 2, index);
    await page.keyboard.type(tons);
    await page.keyboard.press("Enter");
    const expected = { Name: name, Kind: kind, Tons: Number(tons) };
    const rows = await until(
      () => rowsOf(table.id),
      (list) => list[index]?.fields.Tons === expected.Tons,
    );
    expect(rows[index]?.fields).toMatchObject(expected);
  }

  await press("Filter");
  await press("Add condition");
  await page.getByLabel("Field", { exact: true }).selectOption({ label: "Kind" });
  await page.getByLabel("Operator").selectOption({ label: "is" });
  await page.getByLabel("Value").selectOption({ label: "Tug" });
  await page.getByText("2 records").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: next("Save to view") }).waitFor();
  await press("Reset");
  await page.getByText("3 records").waitFor();

  await press("Add view");
  await page.getByRole("menuitem", { name: "Kanban" }).click();
  await fill("View name", "By kind");
  await press("Create view");
  await page.waitForURL(/view=/);
  await page.getByText("Ragna").waitFor();
  await page.getByRole("link", { name: "Grid view" }).click();
  await gridReady(page);

  await clickCell(page, widths, 2, 0);
  await page.keyboard.type("42");
  await page.keyboard.press("Enter");
  await until(
    () => rowsOf(table.id),
    ([row]) => row?.fields.Tons === 42,
  );
  await page.keyboard.press("Control+z");
  const undone = await until(
    () => rowsOf(table.id),
    ([row]) => row?.fields.Tons === 4200,
  );
  expect(undone[0]?.fields.Tons).toBe(4200);
  await press("More");
  await page.getByRole("menuitem", { name: next("Recent changes") }).click();
  await page.waitForURL(`**/base/${baseId}/changes`);

  await press("Share");
  await press("Create public link");
  const link = await page.getByRole("textbox", { name: "Public link" }).inputValue();
  expect((await fetch(link)).status).toBe(200);
  await press("Stop sharing");
  await page.getByRole("alertdialog").getByRole("button", { name: "Stop sharing" }).click();
  await page.getByText("There is no public link.").waitFor();
  expect((await fetch(link)).status).toBe(404);
  expect(left).toEqual([]);
});

/** The table that a page shows. */
async function openTable(page: Page): Promise<{ baseId: string; table: Table }> {
  const [, baseId = "", tableId = ""] = /\/base\/([^/]+)\/([^/?]+)/.exec(page.url()) ?? [];
  return { baseId, table: (await call<Table>("GET", `/tables/${tableId}`)).body };
}
