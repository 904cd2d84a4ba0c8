import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newContext, noProblems, openBrowser, type PageProblems, signIn } from "./browser.ts";
import { call, clickCell, createTable, gridReady, rowsOf, testService, today, until } from "./fixture.ts";
import { join } from "./join.ts";
import { picture } from "./picture.ts";

const dark = process.env.SCREENSHOTS_DARK !== undefined;
const soon = 5000; // milliseconds; how soon exactly is printed

type Person = { name: string; page: Page; id: string; key: string };
let browser: Browser;
let ada: Page;
const people: Person[] = [];
const problems: PageProblems[] = [];

beforeAll(async () => {
  const service = testService();
  browser = await openBrowser();
  const first = await newContext(browser, service, { dark });
  ada = await signIn(first.context, service.email, service.password);
  problems.push(first.problems);
  for (const [role, first] of [
    ["guest", "Gus"],
    ["editor", "Mia"],
  ] as const) {
    const { context, problems: own } = await newContext(browser, service, { dark });
    const name = `${first} ${Date.now()}`;
    const page = await join(ada, context, role, name);
    problems.push(own);
    const id = await page.evaluate(async () => ((await (await fetch("/api/v1/me")).json()) as { id: string }).id);
    people.push({ name, page, id, key: await keyOf(page) });
  }
});
afterAll(async () => {
  await browser?.close();
  for (const one of problems) expect(one).toEqual(noProblems);
});

/** Makes an API key in the application, as for an agent. */
async function keyOf(page: Page): Promise<string> {
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await dialog.getByLabel("Name", { exact: true }).fill("Agent");
  await dialog.getByRole("radio", { name: /AI assistant/ }).click();
  await dialog.getByRole("button", { name: "Create key" }).click();
  const shown = page.getByRole("dialog", { name: "Your new key" });
  const key = (await shown.getByLabel("Key", { exact: true }).textContent()) ?? "";
  await shown.getByRole("button", { name: "I have copied it" }).click();
  return key;
}

const grid = (page: Page) => page.getByTestId("data-grid-canvas");

const pictures = (page: Page, name: string) =>
  picture(page, `surface-${name}${dark ? "-dark" : ""}`, { settle: 400, narrow: true });

/** What nobody but creators may see on any page: names, values and fields. */
const secret = /Secret audit|Salary|98765|Vault/;

/** Checks what a page shows, with what it draws on canvases, which is in the accessible grid as well. */
async function shows(page: Page, what: string, seen?: string) {
  if (seen) await expect.poll(() => page.locator("body").innerText(), { timeout: 15_000 }).toContain(seen);
  expect(await page.locator("body").textContent(), what).not.toMatch(secret);
}

/** Calls a tool of an agent. */
async function tool(key: string, name: string, given: unknown): Promise<string> {
  const response = await fetch(`${testService().baseUrl}/mcp`, {
    method: "POST",
    headers: {
      "x-api-key": key,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
  });
  return response.text();
}

test("a guest and a member of a group see their own records everywhere, and take back what they did", async () => {
  const { orgId } = testService();
  const { baseId, table } = await createTable("Job", [
    { name: "Name", type: "text" },
    { name: "Owner", type: "user", config: { multiple: true } },
    { name: "State", type: "single_select", config: { options: ["Open", "Done"] } },
    { name: "Day", type: "date" },
    { name: "Salary", type: "number" },
  ]);
  const both = people.map(({ id }) => id);
  const group = (
    await call<{ id: string }>("POST", `/orgs/${orgId}/groups`, { name: `Crew ${Date.now()}`, members: both })
  ).body.id;
  await call("PATCH", `/bases/${baseId}/access`, {
    restricted: true,
    grants: [{ groupId: group, role: "editor" }],
  });
  const vault = await call<{ id: string }>("POST", `/bases/${baseId}/tables`, {
    name: "Vault",
    fields: [{ name: "Name", type: "text" }],
  });
  await call("PATCH", `/tables/${vault.body.id}/permissions`, { read: { role: "creator" } });
  const field = (name: string) => table.fields.find((one) => one.name === name)!.id;
  await call("PATCH", `/tables/${table.id}/permissions`, {
    fields: [{ fieldId: field("Salary"), read: { role: "creator" } }],
    rules: [
      {
        groupIds: [group],
        edit: true,
        delete: true,
        memo: "Only your own jobs.",
        filter: [{ fieldId: field("Owner"), op: "has_any", value: { me: true } }],
      },
    ],
  });
  await call("POST", `/tables/${table.id}/records`, {
    records: [
      { fields: { Name: "Paint the fence", Owner: both, State: "Open", Day: today(), Salary: 98765 } },
      { fields: { Name: "Secret audit", State: "Open", Day: today(), Salary: 98765 } },
    ],
  });
  const [fence, audit] = await rowsOf(table.id);
  await call("PATCH", `/records/${audit!.id}`, { fields: { State: "Done" } });
  await call("POST", `/records/${audit!.id}/comments`, { text: "Secret audit is late" });
  for (const [type, config] of [
    ["kanban", { stackFieldId: field("State") }],
    ["calendar", { startFieldId: field("Day") }],
    ["gallery", {}],
    ["form", {}],
  ] as const)
    await call("POST", `/tables/${table.id}/views`, { type, name: `By ${type}`, config });
  const path = `/base/${baseId}/${table.id}`;

  for (const { page, key, name } of people) {
    const who = name.split(" ")[0]!;
    await page.goto(path);
    await gridReady(page);
    await expect.poll(() => grid(page).textContent()).toContain("Paint the fence");
    await shows(page, `${who}: grid`);
    await pictures(page, `${who}-grid`);
    for (const view of ["By kanban", "By calendar", "By gallery"]) {
      await page.getByRole("link", { name: view }).first().click();
      await page.getByText("Paint the fence").first().waitFor();
      await shows(page, `${who}: ${view}`);
      await pictures(page, `${who}-${view.slice(3)}`);
    }
    await page.getByRole("link", { name: "By form" }).first().click();
    await page.getByText("State").first().waitFor();
    await shows(page, `${who}: form`);
    await pictures(page, `${who}-form`);

    await page.goto(`${path}?record=${fence!.id}`);
    const record = page.getByRole("dialog", { name: "Paint the fence" });
    await record.getByLabel("Name").waitFor();
    await record.getByRole("tab", { name: "History" }).click();
    await page.getByRole("list", { name: "History" }).locator("> li").first().waitFor();
    await shows(page, `${who}: record and its history`);
    await pictures(page, `${who}-record`);
    await page.goto(`${path}?record=${audit!.id}`);
    await gridReady(page);
    await shows(page, `${who}: a hidden record`);

    await page.goto(`/base/${baseId}/changes`);
    await page.getByRole("listitem").filter({ hasText: "Job" }).first().waitFor();
    await shows(page, `${who}: recent changes`, "Job");
    await pictures(page, `${who}-changes`);
    await page.goto(`/base/${baseId}/trash`);
    await shows(page, `${who}: trash`);
    await page.goto("/inbox");
    await page.getByRole("heading", { name: "Inbox" }).first().waitFor();
    await shows(page, `${who}: inbox`);

    await page.goto(path);
    await gridReady(page);
    await page.getByRole("searchbox", { name: /search/i }).first().fill("audit");
    await page.getByText("0 records").waitFor();
    await page.getByRole("searchbox", { name: /search/i }).first().fill("");
    await page.getByText("1 record", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog", { name: "Command palette" });
    await palette.getByRole("combobox").fill("Vault");
    await page.waitForTimeout(600);
    expect(await palette.getByRole("option", { name: /Vault/ }).count(), `${who}: palette`).toBe(0);
    await pictures(page, `${who}-palette`);
    await page.keyboard.press("Escape");

    const exported = await page.evaluate(
      async (id) => (await fetch(`/api/v1/tables/${id}/records/export`)).text(),
      table.id,
    );
    expect(exported).toContain("Paint the fence");
    expect(exported, `${who}: export`).not.toMatch(secret);
    const answers = await Promise.all([
      tool(key, "describe_base", { baseId }),
      tool(key, "query_records", { tableId: table.id }),
      tool(key, "list_change_sets", { baseId }),
      tool(key, "list_changes", { baseId, cursor: "earliest" }),
      tool(key, "search_base", { baseId, q: "fence" }),
      tool(key, "query_sql", { baseId, sql: 'select * from "Job"' }),
    ]);
    expect(answers[1]).toContain("Paint the fence");
    expect(answers.join(), `${who}: agent`).not.toMatch(secret);

    // They take back what they did.
    await clickCell(page, [220, 220], 0, 0);
    await page.keyboard.type(`By ${who}`);
    await page.keyboard.press("Enter");
    await until(
      () => rowsOf(table.id),
      ([row]) => row?.fields.Name === `By ${who}`,
    );
    await page.keyboard.press("Control+z");
    await until(
      () => rowsOf(table.id),
      ([row]) => row?.fields.Name === "Paint the fence",
    );
    expect((await rowsOf(table.id))[0]?.fields.Salary).toBe(98765);
  }

  // A change takes effect in both open pages.
  const begun = Date.now();
  await call("PATCH", `/records/${fence!.id}`, { fields: { Owner: null } });
  for (const { page } of people)
    await expect.poll(() => grid(page).textContent(), { timeout: soon, interval: 20 }).not.toContain("Paint the fence");
  const record = Date.now() - begun;
  await call("PATCH", `/records/${fence!.id}`, { fields: { Owner: both } });
  for (const { page } of people)
    await expect.poll(() => grid(page).textContent(), { timeout: soon, interval: 20 }).toContain("Paint the fence");
  const hidden = Date.now();
  await call("PATCH", `/tables/${table.id}/permissions`, {
    fields: [{ fieldId: field("Day"), read: { role: "creator" } }],
  });
  for (const { page } of people)
    await expect.poll(() => grid(page).textContent(), { timeout: soon, interval: 20 }).not.toContain("Day");
  process.stdout.write(`in force in two pages after (ms): record ${record}, field ${Date.now() - hidden}\n`);
});
