import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newContext, noProblems, openBrowser, type PageProblems, signIn } from "./browser.ts";
import { call, clickCell, createTable, gridReady, rowsOf, testService, until } from "./fixture.ts";
import { accept, join } from "./join.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const dark = process.env.SCREENSHOTS_DARK !== undefined;
const soon = 5000; // milliseconds, well below a poll; how soon exactly is printed

type Person = { page: Page; context: BrowserContext; problems: PageProblems };
let ada: Person;
let ben: Person;
const guest = `Ben ${Date.now()}`;
let browser: Browser;
const delays: Record<string, number> = {};

beforeAll(async () => {
  const service = testService();
  browser = await openBrowser();
  const first = await newContext(browser, service, { dark });
  ada = { ...first, page: await signIn(first.context, service.email, service.password) };
  const second = await newContext(browser, service, { dark });
  ben = { ...second, page: await join(ada.page, second.context, "guest", guest) };
});
afterAll(async () => {
  process.stdout.write(`in force after (ms): ${JSON.stringify(delays)}\n`);
  await browser?.close();
  for (const person of [ada, ben]) if (person) expect(person.problems).toEqual(noProblems);
});

const grid = (page: Page) => page.getByTestId("data-grid-canvas");

const pictures = (page: Page, name: string) =>
  picture(page, `${name}${dark ? "-dark" : ""}`, { settle: 400, narrow: true });

/** Acts, and notes how long it takes until the other page shows what follows. */
async function follows(what: string, act: () => Promise<unknown>, shown: () => Promise<unknown>) {
  await act();
  const since = Date.now();
  await shown();
  delays[what] = Date.now() - since;
  expect(delays[what], what).toBeLessThan(soon);
}

async function openShare() {
  await ada.page.getByRole("button", { name: "Share" }).click();
  const dialog = ada.page.getByRole("dialog", { name: "Share this base" });
  await dialog.getByRole("switch").waitFor();
  return dialog;
}

/** Restricts the open base of Ada's page; people of other tests may lose something by it. */
async function restrict() {
  const dialog = await openShare();
  await dialog.getByRole("switch").click();
  const restricted = dialog.getByText("Only the people and groups in this list");
  const question = ada.page.getByRole("alertdialog", { name: "Restrict this base?" });
  await restricted.or(question).first().waitFor();
  if (await question.isVisible()) await question.getByRole("button", { name: "Restrict" }).click();
  await restricted.waitFor();
  return dialog;
}

async function give(name: string, role: string) {
  const dialog = ada.page.getByRole("dialog", { name: "Share this base" });
  const option = await dialog.getByLabel("Person or group").locator("option", { hasText: name }).first().innerText();
  await dialog.getByLabel("Person or group").selectOption(option);
  await dialog.getByLabel("Role of the added").selectOption(role);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByLabel(`Role of ${name}`, { exact: true }).waitFor();
}

async function openPermissions(table: string) {
  await ada.page.getByRole("button", { name: `Actions for the table ${table}` }).click();
  await ada.page.getByRole("menuitem", { name: "Permissions" }).click();
  const dialog = ada.page.getByRole("dialog", { name: `Permissions of ${table}` });
  await dialog.getByLabel("Who may: Read").waitFor();
  return dialog;
}

/** Ben's page at an address, once it receives what happens. */
async function benAt(path: string) {
  const live = ben.page.waitForResponse((response) => response.url().includes("/live"));
  await ben.page.goto(path);
  await gridReady(ben.page);
  expect((await live).status()).toBe(200);
}

test("a guest sees what is given to them, and the page follows every change of it", async () => {
  const { baseId, table } = await createTable(
    "Crew",
    [
      { name: "Name", type: "text" },
      { name: "Salary", type: "number" },
      { name: "Note", type: "text" },
    ],
    [
      { Name: "Oak", Salary: 98765, Note: "Pays in shells" },
      { Name: "Elm", Salary: 4321, Note: "Sings" },
    ],
  );
  const path = `/base/${baseId}/${table.id}`;
  const [a, b] = [ada.page, ben.page];
  const [oak] = await rowsOf(table.id);
  await b.goto("/");
  await b.getByRole("heading", { name: /Welcome back/ }).waitFor();
  expect(await b.getByRole("link", { name: "Crew base" }).count()).toBe(0);
  await pictures(b, "home-of-guest");

  await a.goto(path);
  await gridReady(a);
  await restrict();
  await give(guest, "editor");
  await pictures(a, "share");
  expect(await findings(a)).toEqual([]);
  await a.keyboard.press("Escape");

  await b.reload();
  await b.getByRole("link", { name: "Crew base" }).first().waitFor();
  await benAt(path);
  await expect.poll(() => grid(b).textContent()).toContain("98765");
  for (const name of ["Add field", "Add table", "Actions for the table Crew"])
    expect(await b.getByRole("button", { name, exact: true }).count(), name).toBe(0);

  const permissions = await openPermissions("Crew");
  await permissions.getByLabel("State of Salary").selectOption("hidden");
  await permissions.getByLabel("State of Note").selectOption("read");
  await pictures(a, "table-permissions");
  expect(await findings(a)).toEqual([]);
  await permissions.getByRole("button", { name: "Review changes" }).click();
  await permissions.getByText(new RegExp(`${guest} would have .*Salary`)).first().waitFor();
  await pictures(a, "table-permissions-review");
  await follows(
    "hidden field",
    () => permissions.getByRole("button", { name: "Save permissions" }).click(),
    () => expect.poll(() => grid(b).textContent(), { timeout: 10_000 }).not.toMatch(/Salary|98765/),
  );
  expect(await grid(b).textContent()).toContain("Pays in shells");
  await expect.poll(() => grid(a).textContent()).toContain("98765");

  // A field that may not be written says so, in the grid and in the record.
  await pictures(b, "grid-with-lock");
  await clickCell(b, [220, 220], 1, 0);
  await b.keyboard.type("x");
  await b.getByText("You may read “Note”, but not edit it").first().waitFor({ state: "attached" });
  await b.getByText("Creators of the base decide who may write this field.").first().waitFor({ state: "attached" });
  await b.keyboard.press("Escape");
  await b.goto(`${path}?record=${oak!.id}`);
  const record = b.getByRole("dialog", { name: "Oak" });
  await record.getByLabel("Note").waitFor();
  expect(await record.getByLabel("Note").isEditable()).toBe(false);
  expect(await record.getByLabel("Name").isEditable()).toBe(true);
  await record.getByText("Creators of the base decide who may write this field.").waitFor();
  expect(await record.getByText("Salary").count()).toBe(0);
  await pictures(b, "record-with-lock");
  expect(await findings(b)).toEqual([]);
  await b.keyboard.press("Escape");
  await record.waitFor({ state: "detached" });
  expect((await rowsOf(table.id))[0]?.fields.Note).toBe("Pays in shells");

  await b.getByRole("searchbox", { name: /search/i }).first().fill("98765");
  await b.getByText("0 records").waitFor();
  await b.getByRole("searchbox", { name: /search/i }).first().fill("shells");
  await b.getByText("1 record", { exact: true }).waitFor();
  await b.getByRole("searchbox", { name: /search/i }).first().fill("");
  await b.getByText("2 records").waitFor();

  // What the table does not allow is not offered.
  const again = await openPermissions("Crew");
  expect(await again.getByLabel("State of Salary").inputValue()).toBe("hidden");
  await again.getByLabel("Who may: Create").selectOption("named");
  await again.getByRole("button", { name: "Review changes" }).click();
  await follows(
    "no more creation",
    () => again.getByRole("button", { name: "Save permissions" }).click(),
    () => b.getByRole("button", { name: "New record" }).waitFor({ state: "detached", timeout: 10_000 }),
  );
  await clickCell(b, [220, 220], 0, 0);
  await b.keyboard.type("Ash");
  await b.keyboard.press("Enter");
  await until(
    () => rowsOf(table.id),
    ([row]) => row?.fields.Name === "Ash",
  );

  const share = await openShare();
  await follows(
    "commenter",
    () => share.getByLabel(`Role of ${guest}`, { exact: true }).selectOption("commenter"),
    () => b.getByRole("button", { name: "Add view" }).waitFor({ state: "detached", timeout: 10_000 }),
  );
  await clickCell(b, [220, 220], 0, 0);
  await b.keyboard.type("Yew");
  await b.keyboard.press("Enter");
  await b.keyboard.press("Space");
  const read = b.getByRole("dialog", { name: "Ash" });
  await read.getByLabel("Name").waitFor();
  expect(await read.getByLabel("Name").isEditable()).toBe(false);
  expect(await read.getByRole("button", { name: "Delete record" }).count()).toBe(0);
  await read.getByRole("tab", { name: /Comments/ }).click();
  await read.getByRole("textbox").first().fill("Who pays in shells?");
  await read.getByRole("button", { name: "Comment", exact: true }).click();
  await read.getByText("Who pays in shells?").waitFor();
  await b.keyboard.press("Escape");

  await follows(
    "no more access",
    () => share.getByRole("button", { name: `Take the role of ${guest} away` }).click(),
    () => b.getByRole("heading", { name: "You no longer have access to this base" }).waitFor({ timeout: 10_000 }),
  );
  await pictures(b, "no-access");
  await b.goto("/");
  await b.getByRole("heading", { name: /Welcome back/ }).waitFor();
  expect(await b.getByRole("link", { name: "Crew base" }).count()).toBe(0);
});

test("a group is made, given a role, and deleted with what it gave", async () => {
  const { orgId } = testService();
  const { baseId, table } = await createTable("Boats", [{ name: "Name", type: "text" }], [{ Name: "Kestrel" }]);
  const [a, b] = [ada.page, ben.page];
  const name = `Crew ${Date.now()}`;
  await a.goto(`/org/${orgId}`);
  await a.getByRole("link", { name: "Groups" }).click();
  await a.getByRole("button", { name: "Create group" }).first().click();
  await a.getByLabel("Name of the group").fill(name);
  await a.getByRole("dialog").getByRole("button", { name: "Create group" }).click();
  await a.getByRole("button", { name: `Actions for ${name}` }).click();
  await a.getByRole("menuitem", { name: "Choose members" }).click();
  const members = a.getByRole("dialog", { name: `Members of ${name}` });
  await members.getByRole("searchbox").fill(guest);
  await members.getByText(guest).first().click();
  await pictures(a, "group-members");
  await members.getByRole("button", { name: "Save" }).click();
  await a.getByText(`1 member · ${guest}`).waitFor();
  expect(await findings(a)).toEqual([]);
  await pictures(a, "groups");

  await a.goto(`/base/${baseId}/${table.id}`);
  await gridReady(a);
  await restrict();
  await give(name, "viewer");
  await benAt(`/base/${baseId}/${table.id}`);
  expect(await b.getByRole("button", { name: "New record" }).count()).toBe(0);
  await a.getByLabel(`Role of ${name}`, { exact: true }).selectOption("editor");
  await b.getByRole("button", { name: "New record" }).waitFor();

  await a.goto(`/org/${orgId}/groups`);
  await a.getByRole("button", { name: `Actions for ${name}` }).click();
  await a.getByRole("menuitem", { name: "Delete group" }).click();
  const question = a.getByRole("alertdialog");
  await question.getByText(`${guest} would have no access`).waitFor();
  await pictures(a, "group-delete");
  await question.getByRole("button", { name: "Delete group" }).click();
  await b.getByRole("heading", { name: "You no longer have access to this base" }).waitFor();
  const groups = (await call<{ groups: { name: string }[] }>("GET", `/orgs/${orgId}/groups`)).body.groups;
  expect(groups.filter((group) => group.name === name)).toEqual([]);
});

test("a guest who is invited from a base has it when they arrive, and no other", async () => {
  const { baseId, table } = await createTable("Lights", [{ name: "Name", type: "text" }], [{ Name: "Skagen" }]);
  const email = `cleo.${Date.now()}@example.com`;
  await ada.page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(ada.page);
  const dialog = await openShare();
  await dialog.getByLabel("Invite a guest by e-mail").fill(email);
  await dialog.getByLabel("Role of the guest").selectOption("commenter");
  await dialog.getByRole("button", { name: "Invite" }).click();
  const { context, problems } = await newContext(browser, testService(), { dark });
  const page = await accept(context, email, "Cleo Larsen");
  await page.getByRole("main").getByRole("link").filter({ hasText: "Lights base" }).click();
  await gridReady(page);
  expect(await page.getByRole("button", { name: "New record" }).count()).toBe(0);
  type List = { bases: unknown[] };
  const { bases } = await page.evaluate(async () => (await (await fetch("/api/v1/bases")).json()) as List);
  expect(bases).toHaveLength(1);
  expect(problems).toEqual(noProblems);
  await context.close();
});

test("a workspace is shared, and a creator reveals the result of a hidden field", async () => {
  const { orgId } = testService();
  const [a, b] = [ada.page, ben.page];
  const name = `Yard ${Date.now()}`;
  const workspace = await call<{ id: string }>("POST", "/workspaces", { orgId, name });
  const { baseId, table } = await createTable(
    "Pay",
    [
      { name: "Name", type: "text" },
      { name: "Salary", type: "number" },
    ],
    [{ Name: "Oak", Salary: 1234 }],
  );
  const path = `/base/${baseId}/${table.id}`;
  const salary = table.fields.find((field) => field.name === "Salary")!.id;
  await call("PATCH", `/bases/${baseId}`, { workspaceId: workspace.body.id });
  await call("POST", `/tables/${table.id}/fields`, {
    name: "Tax",
    type: "formula",
    config: { formula: "{Salary} * 2" },
  });
  await call("PATCH", `/tables/${table.id}/permissions`, {
    fields: [{ fieldId: salary, read: { role: "creator" } }],
  });

  const share = async () => {
    await a.goto("/");
    await a.getByRole("button", { name: `Actions for ${name}` }).click();
    await a.getByRole("menuitem", { name: "Share workspace" }).click();
    const dialog = a.getByRole("dialog", { name: `Share ${name}` });
    await dialog.getByRole("switch").waitFor();
    return dialog;
  };
  const dialog = await share();
  await dialog.getByText("Nobody has a role of their own here.").waitFor();
  const option = await dialog.getByLabel("Person or group").locator("option", { hasText: guest }).first().innerText();
  await dialog.getByLabel("Person or group").selectOption(option);
  await dialog.getByLabel("Role of the added").selectOption("viewer");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await dialog.getByLabel(`Role of ${guest}`, { exact: true }).waitFor();
  await pictures(a, "share-workspace");
  expect(await findings(a)).toEqual([]);

  await benAt(path);
  await expect.poll(() => grid(b).textContent()).toContain("Oak");
  expect(await grid(b).textContent()).not.toMatch(/Tax|2468/);
  await a.goto(path);
  await gridReady(a);
  const permissions = await openPermissions("Pay");
  await permissions.getByRole("checkbox", { name: "Reveal the result of Tax" }).click();
  await pictures(a, "reveal");
  await permissions.getByRole("button", { name: "Review changes" }).click();
  await permissions.getByText("Tax: whoever sees this reads what creators read.").waitFor();
  await pictures(a, "reveal-review");
  expect(await findings(a)).toEqual([]);
  await follows(
    "revealed result",
    () => permissions.getByRole("button", { name: "Save permissions" }).click(),
    () => expect.poll(() => grid(b).textContent(), { timeout: 10_000 }).toMatch(/2,?468/),
  );
  expect(await grid(b).textContent()).not.toMatch(/Salary|1,?234/);

  const again = await share();
  await follows(
    "no more workspace",
    () => again.getByRole("button", { name: `Take the role of ${guest} away` }).click(),
    () => b.getByRole("heading", { name: "You no longer have access to this base" }).waitFor({ timeout: 10_000 }),
  );
});
