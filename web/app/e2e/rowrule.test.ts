import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newContext, noProblems, openBrowser, type PageProblems, signIn } from "./browser.ts";
import { call, createTable, gridReady, rowsOf, testService, today } from "./fixture.ts";
import { join } from "./join.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const soon = 5000; // milliseconds; how soon exactly is printed

let browser: Browser;
let ada: Page;
let ben: Page;
const problems: PageProblems[] = [];
const member = `Ben ${Date.now()}`;

beforeAll(async () => {
  const service = testService();
  browser = await openBrowser();
  const first = await newContext(browser, service);
  ada = await signIn(first.context, service.email, service.password);
  const second = await newContext(browser, service);
  ben = await join(ada, second.context, "editor", member);
  problems.push(first.problems, second.problems);
});
afterAll(async () => {
  await browser?.close();
  for (const one of problems) expect(one).toEqual(noProblems);
});

const grid = (page: Page) => page.getByTestId("data-grid-canvas");
const text = (page: Page) => grid(page).textContent();

test("people see and change only the records that name them, in every view, as soon as a rule says so", async () => {
  const { me } = await ben.evaluate(async () => ({ me: await (await fetch("/api/v1/me")).json() }));
  const { baseId, table } = await createTable(
    "Job",
    [
      { name: "Name", type: "text" },
      { name: "Owner", type: "user" },
      { name: "State", type: "single_select", config: { options: ["Open", "Done"] } },
      { name: "Day", type: "date" },
    ],
    [
      { Name: "Paint the door", Owner: me.id, State: "Open", Day: today() },
      { Name: "Secret audit", State: "Open", Day: today() },
    ],
  );
  const path = `/base/${baseId}/${table.id}`;
  const field = (name: string) => table.fields.find((one) => one.name === name)!.id;
  for (const [type, config] of [
    ["kanban", { stackFieldId: field("State") }],
    ["calendar", { startFieldId: field("Day") }],
    ["gallery", {}],
  ] as const)
    await call("POST", `/tables/${table.id}/views`, { type, name: `By ${type}`, config });
  await Promise.all([ada.goto(path), ben.goto(path)]);
  await Promise.all([gridReady(ada), gridReady(ben)]);
  await expect.poll(() => text(ben)).toContain("Secret audit");

  await ada.getByRole("button", { name: "Actions for the table Job" }).click();
  await ada.getByRole("menuitem", { name: "Permissions" }).click();
  const dialog = ada.getByRole("dialog", { name: "Permissions of Job" });
  await dialog.getByRole("button", { name: "Add a rule" }).click();
  const rule = dialog.getByRole("listitem", { name: "Rule 1" });
  expect(await rule.getByLabel("Compared with").inputValue()).toBe("person");
  await rule.getByLabel("What to say when a change is refused").fill("Only Ada hands jobs over.");
  await rule.scrollIntoViewIfNeeded();
  await picture(ada, "row-rule", { settle: 400 });
  expect(await findings(ada)).toEqual([]);
  await dialog.getByRole("button", { name: "Review changes" }).click();
  await dialog.getByText(`${member} would have only the records of row rules, now 1, instead of all records`).waitFor();
  await picture(ada, "row-rule-review", { settle: 400 });
  await dialog.getByRole("button", { name: "Save permissions" }).click();
  const since = Date.now();
  await expect.poll(() => text(ben), { timeout: soon, interval: 20 }).not.toContain("Secret audit");
  process.stdout.write(`a row rule is in force after ${Date.now() - since} ms\n`);
  await expect.poll(() => text(ben)).toContain("Paint the door");
  await picture(ben, "row-rule-member", { settle: 400 });

  for (const view of ["By kanban", "By calendar", "By gallery"]) {
    await ben.getByRole("link", { name: view }).first().click();
    await ben.getByText("Paint the door").first().waitFor();
    expect(await ben.getByText("Secret audit").count(), view).toBe(0);
    await picture(ben, `row-rule-${view.slice(3)}`, { settle: 400 });
  }
  const answers = await ben.evaluate(
    async ([tableId, base]) =>
      Promise.all(
        [`/tables/${tableId}/records/search?q=Secret`, `/bases/${base}/search?q=audit`, `/bases/${base}/trash`].map(
          async (one) => (await fetch(`/api/v1${one}`)).text(),
        ),
      ),
    [table.id, baseId],
  );
  expect(answers.join()).not.toContain("Secret audit");

  // A record that is given to Ben appears in the open page, and leaves it with another owner.
  await ben.goto(path);
  await gridReady(ben);
  const audit = (await rowsOf(table.id)).find((one) => one.fields["Name"] === "Secret audit")!;
  await call("PATCH", `/records/${audit.id}`, { fields: { Owner: me.id } });
  await expect.poll(() => text(ben), { timeout: soon }).toContain("Secret audit");
  await call("PATCH", `/records/${audit.id}`, { fields: { Owner: null } });
  await expect.poll(() => text(ben), { timeout: soon }).not.toContain("Secret audit");

  // Ada looks at the base as Ben.
  await ada.getByRole("button", { name: "Share" }).click();
  await ada.getByRole("button", { name: `See the base as ${member} does` }).click();
  await ada.getByText(`You see this base as ${member} does.`).waitFor();
  await gridReady(ada);
  await expect.poll(() => text(ada)).toContain("Paint the door");
  expect(await text(ada)).not.toContain("Secret audit");
  expect(await ada.getByRole("button", { name: "Add field" }).count()).toBe(0);
  await picture(ada, "view-as", { settle: 400 });
  expect(await findings(ada)).toEqual([]);
  await ada.getByRole("button", { name: "Back to yourself" }).click();
  await gridReady(ada);
  await expect.poll(() => text(ada)).toContain("Secret audit");
});
