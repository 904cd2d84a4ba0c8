import { expect, test } from "vitest";
import {
  browserFixture,
  call,
  clickCell,
  createTable,
  gridReady,
  type Row,
  rowsOf,
  type Table,
  testService,
  until,
} from "./fixture.ts";

const fixture = browserFixture();

test("a link field is created and both sides show its links, and a key gets a clear 400", async () => {
  const { page } = fixture;
  const created = await createTable("Authors", [{ name: "Name", type: "text" }], [{ Name: "Ada" }, { Name: "Grace" }]);
  const books = (
    await call<{ id: string }>("POST", `/bases/${created.baseId}/tables`, {
      name: "Books",
      fields: [{ name: "Title", type: "text" }],
    })
  ).body;
  await call("POST", `/tables/${books.id}/records`, {
    records: [{ fields: { Title: "Notes" } }, { fields: { Title: "Compilers" } }],
  });

  const refused = await call<{ detail: string; code: string }>("POST", `/tables/${books.id}/fields`, {
    name: "Author",
    type: "link",
    config: { linkedTableId: created.table.id },
  });
  expect(refused.status).toBe(400);
  expect(refused.body.detail).toContain("only in the application");

  await page.goto(`/base/${created.baseId}/${books.id}`);
  await gridReady(page);
  await page.getByRole("button", { name: "Add field" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Author");
  await page.getByLabel("Type").selectOption("link");
  await page.getByLabel("Linked table").selectOption({ label: "Authors" });
  await page.getByRole("button", { name: "Create field" }).click();
  const table = await until(
    async () => (await call<Table>("GET", `/tables/${books.id}`)).body,
    (one) => one.fields.some((field) => field.type === "link"),
  );
  const link = table.fields.find((field) => field.type === "link");
  expect(link?.name).toBe("Author");

  await page.getByRole("button", { name: "Create field" }).waitFor({ state: "detached" });
  await page.waitForLoadState("networkidle");
  await clickCell(page, [220, 220], 1, 0);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Link records of Authors" });
  await dialog.getByRole("checkbox", { name: "Grace" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();

  const linked = await until(
    () => rowsOf(books.id),
    ([row]) => Array.isArray(row?.fields.Author),
  );
  const authors = await rowsOf(created.table.id);
  const grace = authors.find((row) => row.fields.Name === "Grace") as Row;
  expect(linked[0]?.fields.Author).toEqual([grace.id]);
  expect(Object.values(grace.fields)).toContainEqual([linked[0]?.id]);
  await expect.poll(() => page.getByTestId("data-grid-canvas").textContent()).toContain("Grace");

  // The other side of the link, in its record form.
  await page.goto(`/base/${created.baseId}/${created.table.id}?record=${grace.id}`);
  await page.getByRole("dialog", { name: "Grace" }).getByText("Notes").waitFor();
});

test("a button field opens its address with the record's values, and a key cannot create one", async () => {
  const { page } = fixture;
  const created = await createTable("Sites", [{ name: "Name", type: "text" }], [{ Name: "a b" }]);
  const refused = await call<{ detail: string }>("POST", `/tables/${created.table.id}/fields`, {
    name: "Go",
    type: "button",
    config: { label: "Go" },
  });
  expect(refused.status).toBe(400);
  await page.goto(`/base/${created.baseId}/${created.table.id}`);
  await gridReady(page);
  await page.getByRole("button", { name: "Add field" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Visit");
  await page.getByLabel("Type").selectOption("button");
  await page.getByLabel("Button label").fill("Visit site");
  await page.getByLabel("Address").fill(`${testService().baseUrl}/docs?q={Name}`);
  await page.getByRole("button", { name: "Create field" }).click();
  await page.getByRole("button", { name: "Create field" }).waitFor({ state: "detached" });
  await page.waitForLoadState("networkidle");
  const opened = page.context().waitForEvent("page");
  await clickCell(page, [220, 130], 1, 0);
  const site = await opened;
  await site.waitForURL(/docs\?q=a%20b$/);
  await site.close();
});

test("a field is renamed, gets options with colours, and is deleted after a confirmation", async () => {
  const { page } = fixture;
  const created = await createTable(
    "Tasks",
    [
      { name: "Name", type: "text" },
      { name: "State", type: "single_select", config: { options: ["Open"] } },
    ],
    [{ Name: "x", State: "Open" }],
  );
  await page.goto(`/base/${created.baseId}/${created.table.id}`);
  await gridReady(page);
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  const menu = async () => page.mouse.click(box.x + 52 + 220 + 80, box.y + 19, { button: "right" });
  await menu();
  await page.getByRole("menuitem", { name: "Edit field" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Status");
  await page.getByRole("textbox", { name: "Option name 1" }).fill("To do");
  await page.getByRole("button", { name: "Add option" }).click();
  await page.getByRole("textbox", { name: "Option name 2" }).fill("Done");
  await page.getByRole("button", { name: "Save field" }).click();
  const table = await until(
    async () => (await call<Table>("GET", `/tables/${created.table.id}`)).body,
    (one) => one.fields.some((field) => field.name === "Status"),
  );
  expect(((table.fields[1]?.config?.options ?? []) as { name: string }[]).map((option) => option.name)).toEqual([
    "To do",
    "Done",
  ]);
  expect((await rowsOf(created.table.id))[0]?.fields.Status).toBe("To do");
  await page.getByRole("button", { name: "Save field" }).waitFor({ state: "detached" });
  await menu();
  await page.getByRole("menuitem", { name: "Delete field" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete field" }).click();
  const after = await until(
    async () => (await call<Table>("GET", `/tables/${created.table.id}`)).body,
    (one) => one.fields.length === 1,
  );
  expect(after.fields.map((field) => field.name)).toEqual(["Name"]);
});

test("changing a field's type names the values that would be lost, and needs a confirmation", async () => {
  const { page } = fixture;
  const created = await createTable(
    "Parts",
    [
      { name: "Name", type: "text" },
      { name: "Size", type: "text" },
    ],
    [
      { Name: "a", Size: "12" },
      { Name: "b", Size: "1.5" },
      { Name: "c", Size: "large" },
    ],
  );
  const sizes = async () => (await rowsOf(created.table.id)).map((row) => row.fields.Size);
  await page.goto(`/base/${created.baseId}/${created.table.id}`);
  await gridReady(page);
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  await page.mouse.click(box.x + 52 + 220 + 80, box.y + 19, { button: "right" });
  await page.getByRole("menuitem", { name: "Edit field" }).click();
  const type = page.getByLabel("Type");
  expect(await type.locator("option", { hasText: "Link to a table" }).count()).toBe(0);
  await type.selectOption("number");
  await page.getByRole("button", { name: "Save field" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "cannot become" });
  await alert.waitFor();
  expect(await alert.textContent()).toContain("1 value cannot become “Number” and would be cleared");
  expect(await alert.textContent()).toContain("large");
  expect(await alert.textContent()).toContain("Nothing has been changed yet.");
  expect(await sizes()).toEqual(["12", "1.5", "large"]);
  // Another type withdraws the question. A select takes its options from the values and loses none.
  await type.selectOption("single_select");
  await page.getByText("the options are taken from the values").waitFor();
  await page.getByRole("button", { name: "Save field" }).click();
  await page.getByRole("button", { name: "Save field" }).waitFor({ state: "detached" });
  expect(await sizes()).toEqual(["12", "1.5", "large"]);
  const fields = (await call<Table>("GET", `/tables/${created.table.id}`)).body.fields;
  expect(fields[1]?.type).toBe("single_select");

  await page.mouse.click(box.x + 52 + 220 + 80, box.y + 19, { button: "right" });
  await page.getByRole("menuitem", { name: "Edit field" }).click();
  await type.selectOption("number");
  await page.getByRole("button", { name: "Save field" }).click();
  await page.getByRole("button", { name: "Save and lose these values" }).click();
  expect(await until(sizes, (values) => values[2] === null)).toEqual([12, 1.5, null]);
});

test("a loss that was shown is asked about anew once something else would be lost", async () => {
  const { page } = fixture;
  const created = await createTable(
    "Tickets",
    [
      { name: "Name", type: "text" },
      { name: "State", type: "single_select", config: { options: ["Open", "Held", "Done"] } },
    ],
    ["Open", "Held", "Held"].map((State, at) => ({ Name: `Ticket ${at}`, State })),
  );
  await page.goto(`/base/${created.baseId}/${created.table.id}`);
  await gridReady(page);
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  await page.mouse.click(box.x + 52 + 220 + 80, box.y + 19, { button: "right" });
  await page.getByRole("menuitem", { name: "Edit field" }).click();
  const save = page.getByRole("button", { name: "Save field" });
  const lose = page.getByRole("button", { name: "Save and lose these values" });
  await page.getByRole("button", { name: "Remove option Open" }).click();
  await save.click();
  await lose.waitFor();
  expect(await page.getByRole("alert").textContent()).toContain("1 record holds");

  await page.getByRole("button", { name: "Remove option Held" }).click();
  await save.click();
  await expect.poll(() => page.getByRole("alert").textContent()).toContain("3 records hold");
  await lose.click();
  const states = async () => (await rowsOf(created.table.id)).map((row) => row.fields.State);
  expect(await until(states, (values) => values.every((value) => value === null))).toEqual([null, null, null]);
});

test("the reason of a refusal leaves as soon as what was refused is changed", async () => {
  const { page } = fixture;
  const created = await createTable("Boats", [{ name: "Name", type: "text" }], [{ Name: "a" }]);
  await page.goto(`/base/${created.baseId}/${created.table.id}`);
  await gridReady(page);
  await page.getByRole("button", { name: "Add field" }).click();
  await page.getByLabel("Name", { exact: true }).fill("name");
  await page.getByRole("button", { name: "Create field" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "name" });
  await alert.waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Length");
  await alert.waitFor({ state: "detached" });
});

test("a formula of text becomes the primary field, and names the records of its table", async () => {
  const { page } = fixture;
  const fields = [
    { name: "Last", type: "text" },
    { name: "First", type: "text" },
  ];
  const { baseId, table } = await createTable("People", fields, [{ Last: "Hopper", First: "Grace" }]);
  const config = { formula: '{First} & " " & {Last}' };
  await call("POST", `/tables/${table.id}/fields`, { name: "Whole", type: "formula", config });
  const [row] = await rowsOf(table.id);

  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  await page.mouse.click(box.x + 52 + 220 + 220 + 160 - 14, box.y + 19);
  await page.getByRole("menuitem", { name: "Use as primary field" }).click();
  const named = await until(
    async () => (await call<Table>("GET", `/tables/${table.id}`)).body.fields,
    ([first]) => first?.name === "Whole",
  );
  expect(named.map(({ name }) => name)).toEqual(["Whole", "Last", "First"]);
  const drawn = () => page.getByTestId("data-grid-canvas").textContent();
  await expect.poll(drawn).toMatch(/Whole.*Last.*First.*Grace Hopper/su);
  await page.goto(`/base/${baseId}/${table.id}?record=${row?.id}`);
  await page.getByRole("dialog", { name: "Grace Hopper" }).waitFor();
});
