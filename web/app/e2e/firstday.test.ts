import type { Cookie, Page } from "playwright-core";
import { expect, test } from "vitest";
import { newContext, noProblems } from "./browser.ts";
import { browserFixture, type Table, testService } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture("en-US");

const regions = ["North", "South", "East", "West"];
const header = ["Customer", "Region", "Amount", "Quantity", "Ordered", "Paid", "E-mail", "Site"];
/** A sheet as a spreadsheet puts it into the clipboard. */
const sheet = [
  header,
  ...Array.from({ length: 500 }, (_, n) => [
    `Customer ${n + 1}`,
    regions[n % 4] ?? "",
    `$${(n + 1) * 2}.50`,
    String(n % 12),
    `2026-${String((n % 12) + 1).padStart(2, "0")}-${String((n % 28) + 1).padStart(2, "0")}`,
    n % 3 ? "TRUE" : "FALSE",
    `customer${n + 1}@example.com`,
    `https://example.com/${n + 1}`,
  ]),
]
  .map((row) => row.join("\t"))
  .join("\n");

type Described = { tables: Table[] };

/** Reads with the session of the page. */
const read = <T>(page: Page, path: string) =>
  page.evaluate(async (address) => (await fetch(`/api/v1${address}`)).json(), path) as Promise<T>;

/** Presses a button of which the page has one, as it says. */
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();

async function pasteNowhere(page: Page, text: string) {
  await page.evaluate((plain) => navigator.clipboard.writeText(plain), text);
  await page.locator("body").press("Control+v");
  return page.getByRole("dialog", { name: "Make a table of what you pasted" });
}

test("a newcomer pastes a sheet, links, groups, draws and shares it on the first day", async () => {
  const { context, problems } = await newContext(fixture.browser, testService(), {
    width: 1440,
    height: 900,
    locale: "en-US",
  });
  const page = await context.newPage();
  await page.goto("/sign-up");
  await page.getByLabel("Name", { exact: false }).first().fill("New Comer");
  await page.locator("input[type=email]").fill(`first.${Date.now()}@example.com`);
  await page.locator("input[type=password]").first().fill("correct horse battery staple");
  await page.getByLabel(/organi[sz]ation/i).fill("First day");
  await page.getByLabel(/organi[sz]ation/i).press("Enter");
  await page.getByRole("heading", { name: /Welcome back/ }).waitFor();
  await press(page, "New base");
  await page.getByLabel("Base name").fill("Sales");
  await press(page, "Create base");
  await page.getByText("This base has no tables yet").waitFor();
  const baseId = new URL(page.url()).pathname.split("/")[2] ?? "";

  // A sheet of 500 rows is pasted onto nothing, and becomes a table of the right types.
  const dialog = await pasteNowhere(page, sheet);
  await dialog.getByLabel("Field: Customer").waitFor();
  const types = await Promise.all(header.map((name) => dialog.getByLabel(`Field: ${name}`).inputValue()));
  expect(types).toEqual([
    "new:text",
    "new:single_select",
    "new:currency",
    "new:number",
    "new:date",
    "new:checkbox",
    "new:email",
    "new:url",
  ]);
  await picture(page, "firstday-paste-light-1440");
  expect(await findings(page)).toEqual([]);
  await dialog.getByLabel("Table name").fill("Orders");
  await press(page, "Import 500 rows");
  await page.getByText("500 rows were imported. No row was refused.").waitFor();
  await press(page, "Open the table");
  await page.getByText("500 records").waitFor();

  // Another table, and a link to it.
  const described = () => read<Described>(page, `/bases/${baseId}`);
  await page.getByRole("button", { name: "Add table" }).click();
  await page.getByRole("menuitem", { name: "Add table" }).click();
  await page.getByLabel("Table name").fill("Depots");
  await press(page, "Create table");
  await expect.poll(async () => (await described()).tables.map(({ name }) => name)).toEqual(["Orders", "Depots"]);
  await page.getByRole("link", { name: "Orders" }).click();
  await page.getByText("500 records").waitFor();
  await press(page, "Add field");
  await page.getByLabel("Name", { exact: true }).fill("Depot");
  await page.getByLabel("Type").selectOption("link");
  await page.getByLabel("Linked table").selectOption({ label: "Depots" });
  await press(page, "Create field");
  await expect
    .poll(async () => (await described()).tables.map(({ fields }) => fields.at(-1)?.type))
    .toEqual(["link", "link"]);

  // Groups by region with the sum of each.
  const canvas = page.getByTestId("data-grid-canvas");
  const box = (await canvas.boundingBox())!;
  await page.mouse.move(box.x + 400, box.y + 200);
  await page.mouse.wheel(-3000, 0); // a new field is scrolled into view
  await page.waitForTimeout(300);
  await page.mouse.click(box.x + 52 + 220 + 60, box.y + 19, { button: "right" });
  await page.getByRole("menuitem", { name: "Group by this field" }).click();
  await expect.poll(() => canvas.locator("td").allTextContents()).toContain(
    "Region: North, 125 records, unfolded",
  );
  await page.getByRole("button", { name: "Summarize Amount" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Sum", exact: true }).press("Enter");
  await page.getByText("$250,750.00").waitFor();
  await picture(page, "firstday-groups-light-1440");
  expect(await findings(page)).toEqual([]);

  // Large orders are red.
  await press(page, "Colours");
  await press(page, "Add rule");
  const rule = page.getByRole("listitem", { name: "Rule 1" });
  await rule.getByLabel("Field").selectOption({ label: "Amount" });
  await rule.getByLabel("Operator").selectOption({ label: "is at least" });
  await rule.getByLabel("Value").fill("900");
  type Config = { config: { colorRules?: unknown[] } };
  const view = (await described()).tables[0]?.views[0]?.id;
  await expect.poll(async () => (await read<Config>(page, `/views/${view}`)).config.colorRules?.length).toBe(1);
  await picture(page, "firstday-colours-light-1440");
  await page.keyboard.press("Escape");

  // A chart, and a dashboard with it.
  await press(page, "Add view");
  await page.getByRole("menuitem", { name: "Chart" }).click();
  await press(page, "Create view");
  await page.getByRole("figure", { name: "Number of records by Region" }).waitFor();
  await press(page, /^Chart settings/);
  await page.getByLabel("Shows").selectOption("Amount");
  await page.getByRole("figure", { name: "Sum of Amount by Region" }).waitFor();
  await page.keyboard.press("Escape");
  await picture(page, "firstday-chart-light-1440");
  await page.getByRole("button", { name: "Add table" }).click();
  await page.getByRole("menuitem", { name: "Add dashboard" }).click();
  await page.getByLabel("Dashboard name").fill("Overview");
  await press(page, "Create dashboard");
  await press(page, "Edit layout");
  await press(page, "Add tile");
  await page.getByRole("menuitem", { name: "Chart", exact: true }).click();
  await press(page, "Done");
  await page.getByRole("figure", { name: "Sum of Amount by Region" }).waitFor();
  await picture(page, "firstday-dashboard-light-1440");
  expect(await findings(page)).toEqual([]);
  const dashboard = page.url();

  // The grid is shared with a password, and read by somebody without an account.
  await page.getByRole("link", { name: "Orders" }).click();
  await page.getByRole("link", { name: "Grid view" }).click();
  await press(page, "Actions for the view Grid view");
  await page.getByRole("menuitem", { name: "Share view" }).click();
  const share = page.getByRole("dialog", { name: "Share Grid view" });
  await share.getByRole("button", { name: "Create public link" }).click();
  const link = await share.getByRole("textbox", { name: "Public link of the view" }).inputValue();
  await share.getByLabel("Password").fill("six quiet boats");
  await share.getByRole("button", { name: "Set password" }).click();
  await share.getByText("Readers need the password.").waitFor();
  await page.keyboard.press("Escape");

  const [orders] = (await described()).tables;
  const cookies = await context.cookies();
  await context.close();
  expect(problems).toEqual(noProblems);
  for (const look of looks) {
    await showMade(look, cookies, { groups: `/base/${baseId}/${orders?.id}`, dashboard });
    await showShared(look, link);
  }
});

// The other ways of looking at what was made: on a phone, and in the dark.
const looks = [
  { name: "dark-390", width: 390, height: 844, dark: true, locale: "en-US" },
  { name: "light-390", width: 390, height: 844, dark: false, locale: "en-US" },
  { name: "dark-1440", width: 1440, height: 900, dark: true, locale: "en-US" },
];
type Look = (typeof looks)[number];

async function showMade(look: Look, cookies: Cookie[], pages: { groups: string; dashboard: string }) {
  const { context, problems } = await newContext(fixture.browser, testService(), look);
  await context.addCookies(cookies);
  const page = await context.newPage();
  await page.goto(pages.groups);
  await page.getByTestId("data-grid-canvas").waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, `firstday-groups-${look.name}`);
  await page.goto(pages.dashboard);
  await page.getByRole("figure", { name: "Sum of Amount by Region" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, `firstday-dashboard-${look.name}`);
  await context.close();
  expect(problems).toEqual(noProblems);
}

/** Reads the shared view in a window that knows nobody. */
async function showShared(look: Look, link: string) {
  const { context, problems } = await newContext(fixture.browser, testService(), look);
  const page = await context.newPage();
  await page.goto(link);
  await page.getByLabel("This link needs a password").fill("six quiet boats");
  await page.keyboard.press("Enter");
  await page.getByRole("rowheader", { name: "Customer 1", exact: true }).waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, `firstday-shared-${look.name}`);
  await context.close();
  expect(problems).toEqual(noProblems);
}
