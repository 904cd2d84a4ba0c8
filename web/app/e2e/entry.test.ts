import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newContext, signIn } from "./browser.ts";
import { browserFixture, call, createTable, mailedLink, rowsOf, type Table, testService, until } from "./fixture.ts";

const fixture = browserFixture();
const manyFields = Array.from({ length: 14 }, (_, n) => ({ name: `Note ${n + 1}`, type: "text" }));

const addView = async (table: Table, type: string, config: unknown = {}) => {
  const { id } = (await call<{ id: string }>("POST", `/tables/${table.id}/views`, { type, name: `The ${type}` })).body;
  expect((await call("PATCH", `/views/${id}`, { config })).status).toBe(200);
  return id;
};
const fieldId = (table: Table, name: string) => table.fields.find((field) => field.name === name)?.id ?? "";
const isFocusedInView = (page: Page, name: string) =>
  page.getByLabel(name, { exact: true }).evaluate((element) => {
    const box = element.getBoundingClientRect();
    return document.activeElement === element && box.top >= 0 && box.bottom <= innerHeight;
  });

test("the dialog of a new record shows an unreadable entry at its field, and sends nothing", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Parts", [
    { name: "Name", type: "text" },
    { name: "Size", type: "number" },
    { name: "State", type: "single_select", config: { options: ["Open"] } },
    ...manyFields,
  ]);
  const view = await addView(table, "kanban", { stackFieldId: fieldId(table, "State") });
  await page.goto(`/base/${baseId}/${table.id}?view=${view}`);
  await page.getByRole("button", { name: "Add a record: Open" }).click();
  const dialog = page.getByRole("dialog", { name: "New record" });
  await dialog.getByLabel("Name").fill("Bolt");
  await dialog.getByLabel("Size").fill("1,5");
  await dialog.getByRole("button", { name: "Create record" }).click();
  await dialog.getByText("“1,5” cannot be read as a number; write it as 1,234.5").waitFor();
  expect(await isFocusedInView(page, "Size")).toBe(true);
  expect(await rowsOf(table.id)).toEqual([]);
  await dialog.getByLabel("Size").fill("1,234.5");
  await dialog.getByRole("button", { name: "Create record" }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await rowsOf(table.id)).map((row) => row.fields)).toMatchObject([
    { Name: "Bolt", Size: 1234.5, State: "Open" },
  ]);
});

test.each([
  ["an empty required field", "", "This field is required"],
  ["an unreadable entry", "many", "“many” is not a number"],
])("a form that is sent with %s scrolls to the field and focuses it", async (_case, entry, message) => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Answers", [
    { name: "Name", type: "text" },
    { name: "Guests", type: "number" },
    ...manyFields,
  ]);
  const view = await addView(table, "form", { requiredFields: [fieldId(table, "Guests")] });
  await page.goto(`/base/${baseId}/${table.id}?view=${view}`);
  await page.getByLabel("Name", { exact: true }).fill("Ada");
  await page.locator("input").nth(1).fill(entry);
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText(message).waitFor();
  await until(
    () =>
      page
        .locator("input")
        .nth(1)
        .evaluate((input) => input === document.activeElement && input.getBoundingClientRect().top >= 0),
    Boolean,
  );
  expect(
    await page
      .locator("input")
      .nth(1)
      .evaluate((input) => input === document.activeElement && input.getBoundingClientRect().top >= 0),
  ).toBe(true);
  expect(await rowsOf(table.id)).toEqual([]);
});

test("the record panel formats numbers as the grid does, and shows them in full while editing", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(
    "Houses",
    [
      { name: "Name", type: "text" },
      { name: "Price", type: "currency", config: { symbol: "£", precision: 0 } },
    ],
    [{ Name: "Mill", Price: 186000.25 }],
  );
  const [row] = await rowsOf(table.id);
  await page.goto(`/base/${baseId}/${table.id}?record=${row?.id}`);
  const price = page.getByLabel("Price");
  await price.waitFor();
  expect(await price.inputValue()).toBe("£186,000");
  await price.focus();
  expect(await price.inputValue()).toBe("186000.25");
  await price.fill("£190,000");
  await price.blur();
  await until(
    () => rowsOf(table.id),
    ([now]) => now?.fields.Price === 190000,
  );
  expect(await price.inputValue()).toBe("£190,000");
});

test("numbers are formatted and parsed in the browser's locale, and sent as JSON numbers", async () => {
  const service = testService();
  const { table, baseId } = await createTable(
    "Häuser",
    [
      { name: "Name", type: "text" },
      { name: "Preis", type: "currency", config: { symbol: "€", precision: 2 } },
    ],
    [{ Name: "Mühle", Preis: 1234.5 }],
  );
  const [row] = await rowsOf(table.id);
  const { context } = await newContext(fixture.browser, service, { locale: "de-DE" });
  const page = await signIn(context, service.email, service.password);
  await page.goto(`/base/${baseId}/${table.id}?record=${row?.id}`);
  const price = page.getByLabel("Preis");
  await price.waitFor();
  expect(await price.inputValue()).toBe("€1.234,50");
  await price.focus();
  expect(await price.inputValue()).toBe("1234,5");
  await price.fill("1.234.567,89");
  await price.blur();
  await until(
    () => rowsOf(table.id),
    ([now]) => now?.fields.Preis !== 1234.5,
  );
  expect((await rowsOf(table.id))[0]?.fields.Preis).toBe(1234567.89);
  await price.fill("1.5");
  await price.blur();
  await page.getByText("“1.5” cannot be read as a number; write it as 1.234,5").waitFor();
  expect((await rowsOf(table.id))[0]?.fields.Preis).toBe(1234567.89);
  await context.close();
});

test("a kanban board does not move when dragging a card begins", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(
    "Jobs",
    [
      { name: "Name", type: "text" },
      { name: "State", type: "single_select", config: { options: ["Open", "Done"] } },
    ],
    [{ Name: "Paint", State: "Open" }],
  );
  const view = await addView(table, "kanban", { stackFieldId: fieldId(table, "State") });
  await page.goto(`/base/${baseId}/${table.id}?view=${view}`);
  const card = page.getByRole("listitem").filter({ hasText: "Paint" });
  await card.waitFor();
  const places = async () => {
    const boxes = await Promise.all(
      ["Open", "Done"].map((name) => page.getByRole("region", { name, exact: true }).boundingBox()),
    );
    return boxes.map((box) => [box?.x, box?.width]);
  };
  const before = await places();
  const from = (await card.boundingBox())!;
  await page.mouse.move(from.x + 20, from.y + from.height - 6);
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + from.height, { steps: 4 });
  await page.waitForTimeout(200);
  expect(await places()).toEqual(before);
  const to = (await page.getByRole("region", { name: "Done", exact: true }).boundingBox())!;
  await page.mouse.move(to.x + to.width / 2, to.y + 80, { steps: 6 });
  await page.mouse.up();
  const rows = await until(
    () => rowsOf(table.id),
    ([row]) => row?.fields.State === "Done",
  );
  expect(rows[0]?.fields.State).toBe("Done");
});

test("a linked record that another client renames shows its new name without a reload", async () => {
  const { page } = fixture;
  const authors = await createTable("Authors", [{ name: "Name", type: "text" }], [{ Name: "Ada" }]);
  const [ada] = await rowsOf(authors.table.id);
  const created = await call<{ id: string }>("POST", `/bases/${authors.baseId}/tables`, {
    name: "Books",
    fields: [{ name: "Name", type: "text" }],
  });
  // Only the application can create link fields, with its session.
  const link = { name: "Author", type: "link", config: { linkedTableId: authors.table.id } };
  const status = await page.evaluate(
    async ([path, body]) =>
      (await fetch(path!, { method: "POST", headers: { "Content-Type": "application/json" }, body: body! })).status,
    [`/api/v1/tables/${created.body.id}/fields`, JSON.stringify(link)],
  );
  expect(status).toBe(200);
  const books = (await call<Table>("GET", `/tables/${created.body.id}`)).body;
  expect(
    (await call("POST", `/tables/${books.id}/records`, { fields: { Name: "Notes", Author: [ada?.id] } })).status,
  ).toBe(200);
  const view = await addView(books, "gallery");
  await page.goto(`/base/${authors.baseId}/${books.id}?view=${view}`);
  await page.getByText("Ada", { exact: true }).waitFor();
  expect((await call("PATCH", `/records/${ada?.id}`, { fields: { Name: "Ada Lovelace" } })).status).toBe(200);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.getByText("Ada Lovelace", { exact: true }).waitFor();
});

test("the dialog of a new key closes only with its button", async () => {
  const { page } = fixture;
  await page.goto("/settings/keys");
  await page.getByRole("button", { name: "Create key" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Create an API key" });
  await dialog.getByLabel("Name", { exact: true }).fill("Kept");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const shown = page.getByRole("dialog", { name: "Your new key" });
  const value = await shown.getByLabel("Key", { exact: true }).textContent();
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await page.waitForTimeout(300);
  expect(await shown.getByLabel("Key", { exact: true }).textContent()).toBe(value);
  await shown.getByRole("button", { name: "I have copied it" }).click();
  await shown.waitFor({ state: "detached" });
});

test("the command palette finds tables of every base, members, and signing out", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(`Palette ${Date.now()}`, [{ name: "Name", type: "text" }]);
  await page.goto("/");
  const palette = page.getByRole("dialog", { name: "Command palette" });
  const search = async (query: string) => {
    await page.locator('html[data-ready="true"]').waitFor();
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill(query);
  };
  await search("Sign out");
  await palette.getByRole("option", { name: "Sign out" }).waitFor();
  await palette.getByRole("combobox").fill(testService().email);
  await palette.getByRole("option").first().click();
  await page.waitForURL(/\/org\/.*\/members/);
  await search(table.name);
  await palette.getByRole("option").first().click();
  await page.waitForURL(new RegExp(table.id));

  const name = `Board of ${table.name}`;
  const dashboard = await call<{ id: string }>("POST", `/bases/${baseId}/dashboards`, { name });
  await page.reload();
  await search(name);
  await palette.getByRole("option", { name }).first().click();
  await page.waitForURL(new RegExp(`/base/${baseId}/dashboard/${dashboard.body.id}`));
  await page.getByRole("heading", { name }).waitFor();
});

test("the command palette finds records by words in any order, and with a typo", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(`Found ${Date.now()}`, [
    { name: "Name", type: "text" },
    { name: "Note", type: "text" },
  ]);
  await call("POST", `/tables/${table.id}/records`, {
    records: [
      { fields: { Name: "Lighthouse", Note: "painted white and red" } },
      { fields: { Name: "Windmill", Note: "painted green" } },
    ],
  });
  await page.goto(`/base/${baseId}/${table.id}`);
  await page.locator('html[data-ready="true"]').waitFor();
  const palette = page.getByRole("dialog", { name: "Command palette" });
  await page.keyboard.press("Control+k");
  await palette.getByRole("combobox").fill("red painted");
  const option = palette.getByRole("option", { name: /Lighthouse/ });
  await option.waitFor();
  expect(await option.textContent()).toContain(table.name);
  expect(await option.textContent()).toContain("white and red");
  expect(await palette.getByRole("option", { name: /Windmill/ }).count()).toBe(0);
  await palette.getByRole("combobox").fill("lighthose");
  await option.waitFor();
  await option.click();
  await page.waitForURL(/record=rec_/);
});

test("the audit log names changed and deleted objects, with their ids", async () => {
  const { page } = fixture;
  const name = `Ledger ${Date.now()}`;
  const { baseId, table } = await createTable(name, [{ name: "Name", type: "text" }]);
  await call("PATCH", `/bases/${baseId}`, { name: `${name} renamed` });
  await call("DELETE", `/tables/${table.id}`);
  await page.goto(`/org/${testService().orgId}/audit`);
  const deleted = page.getByRole("listitem").filter({ hasText: "Delete table" }).filter({ hasText: table.id });
  await deleted.getByText(name, { exact: false }).first().waitFor();
  await deleted.getByText("no longer there", { exact: false }).waitFor();
  await page
    .getByRole("listitem")
    .filter({ hasText: "Update base" })
    .filter({ hasText: baseId })
    .getByText(`${name} renamed`)
    .waitFor();
});

/** Invites another person to the organization, who signs up in the page. Returns the address. */
async function inviteMember(page: Page, role: string, name: string): Promise<string> {
  const email = `${name.toLowerCase()}.${Date.now()}@example.com`;
  expect((await call("POST", `/orgs/${testService().orgId}/invitations`, { email, role })).status).toBe(200);
  await page.goto(await mailedLink(page, "/invitation", email));
  if (await page.getByRole("link", { name: /sign up|create/i }).count())
    await page
      .getByRole("link", { name: /sign up|create/i })
      .first()
      .click();
  await page.locator("input[name=name]").fill(name);
  await page.locator("input[type=password]").first().fill("correct horse battery staple");
  await page.locator("input[type=password]").first().press("Enter");
  await page.getByRole("heading", { name: new RegExp(`Welcome back, ${name}`) }).waitFor();
  return email;
}

test("forms are listed only for members who may create records", async () => {
  const { context } = await newContext(fixture.browser, testService());
  const page = await context.newPage();
  await inviteMember(page, "viewer", "Vera");
  const { baseId, table } = await createTable("Survey", [{ name: "Name", type: "text" }]);
  const view = await addView(table, "form");
  await page.goto(`/base/${baseId}/${table.id}`);
  await page.getByRole("navigation", { name: "Views" }).getByRole("link").first().waitFor();
  expect(await page.getByRole("link", { name: "The form" }).count()).toBe(0);
  // A shared link to the form says why it cannot be used.
  await page.goto(`/base/${baseId}/${table.id}?view=${view}`);
  await page.getByText("You may not create records in this table.").waitFor();
  await fixture.page.goto(`/base/${baseId}/${table.id}`);
  await fixture.page.getByRole("link", { name: "The form" }).waitFor();
  await context.close();
});

test("an edit never goes out under another person's name, and is sent once its author is back", async () => {
  const service = testService();
  const { context, problems } = await newContext(fixture.browser, service);
  const first = await context.newPage();
  const email = await inviteMember(first, "editor", "Quentin");
  await context.clearCookies();
  const page = await signIn(context, service.email, service.password);
  const { baseId, table } = await createTable("Diary", [{ name: "Name", type: "text" }], [{ Name: "Oak" }]);
  const [row] = await rowsOf(table.id);
  await page.goto(`/base/${baseId}/${table.id}?record=${row?.id}`);
  const name = page.getByRole("dialog", { name: "Oak" }).getByRole("textbox", { name: "Name" });
  await name.waitFor();
  await context.setOffline(true);
  await name.fill("Yew");
  await page.keyboard.press("Tab");
  await page.getByText("1 change is kept", { exact: false }).first().waitFor();

  // Another person signs in in the same browser.
  await first.close();
  await context.clearCookies();
  await context.setOffline(false);
  const other = await signIn(context, email, "correct horse battery staple");
  await other.getByRole("heading", { name: /Welcome back, Quentin/ }).waitFor();
  const dialog = page.getByRole("dialog", { name: /Somebody else has signed in|You have been signed out/ });
  await dialog.waitFor();
  await page
    .getByText(`This browser is signed in as ${email} now`, { exact: false })
    .or(page.getByRole("button", { name: "I have signed in", exact: true }))
    .first()
    .waitFor();
  const resume = page.getByRole("button", { name: "I have signed in", exact: true });
  if (await resume.count()) await resume.click();
  await page.getByText(`This browser is signed in as ${email} now`, { exact: false }).waitFor();
  await page.getByText("1 change of", { exact: false }).waitFor();
  expect((await rowsOf(table.id))[0]?.fields.Name).toBe("Oak");

  await context.clearCookies();
  const back = await signIn(context, service.email, service.password);
  await back.close();
  await page.getByRole("button", { name: "I have signed in again" }).click();
  expect(
    await until(
      () => rowsOf(table.id),
      ([now]) => now?.fields.Name === "Yew",
    ),
  ).toMatchObject([{ fields: { Name: "Yew" } }]);
  const { events } = (
    await call<{ events: { userId: string; action: string }[] }>(
      "GET",
      `/orgs/${service.orgId}/audit?subject=${table.id}`,
    )
  ).body;
  const me = (await call<{ id: string }>("GET", "/me")).body;
  expect(
    events.filter((event) => event.action.startsWith("update_record")).every((event) => event.userId === me.id),
  ).toBe(true);
  expect(problems.errors).toEqual([]);
  await context.close();
});
