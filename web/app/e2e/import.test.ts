import type { Page } from "playwright-core";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { browserFixture, call, createTable, rowsOf, type Table, testService } from "./fixture.ts";

const fixture = browserFixture();
const latin = (content: string) => Buffer.from(content, "latin1");

async function choose(page: Page, name: string, content: Buffer | string) {
  const buffer = typeof content === "string" ? Buffer.from(content) : content;
  await page.locator('input[type="file"]').setInputFiles({ name, mimeType: "text/csv", buffer });
}

/** Opens the import into a new base, which creates a table. */
async function importIntoNewBase(page: Page, name: string): Promise<string> {
  const { id } = (await call<{ id: string }>("POST", "/bases", { name, orgId: testService().orgId })).body;
  await page.goto(`/base/${id}`);
  await page.getByRole("button", { name: "Import a file" }).click();
  return id;
}

async function importIntoTable(page: Page, baseId: string, table: Table) {
  await page.goto(`/base/${baseId}/${table.id}`);
  await page.getByTestId("data-grid-canvas").waitFor();
  await page.getByRole("button", { name: "More actions" }).last().click();
  await page.getByRole("menuitem", { name: "Import a file" }).click();
}

const fieldsOf = async (tableId: string) =>
  (await call<Table>("GET", `/tables/${tableId}`)).body.fields.map((field) => field.name);
const onlyTable = async (baseId: string) =>
  (await call<{ tables: Table[] }>("GET", `/bases/${baseId}`)).body.tables[0]!;

test("a Windows-1252 file with decimal commas is detected, and both can be chosen", async () => {
  const { page } = fixture;
  const baseId = await importIntoNewBase(page, "Preise");
  await choose(page, "preise.csv", latin("Name;Preis;Menge\nZo\u00eb;\x801.234,50;1.000\nJos\u00e9;\x80-2,5;2.000\n"));
  expect(await page.getByLabel("Encoding").inputValue()).toBe("windows-1252");
  await page.getByText("Zoë · José").waitFor();
  expect(await page.getByLabel("Numbers in Menge").inputValue()).toBe("comma");
  await page.getByText("“1.000” can be read in two ways; the decimal sign is taken to be the comma.").waitFor();
  await page.getByLabel("Encoding").selectOption("utf-8");
  await page.getByText(/4 characters of the file cannot be read/).waitFor();
  await page.getByLabel("Encoding").selectOption("windows-1252");
  await page.getByLabel("Field: Preis").selectOption("new:currency");
  await page.getByLabel("Numbers in Menge").selectOption("point");
  await page.getByText("the decimal sign is taken to be the point.", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await page.getByText("Import finished").waitFor();
  const rows = await rowsOf((await onlyTable(baseId)).id);
  expect(rows.map((row) => row.fields)).toMatchObject([
    { Name: "Zoë", Preis: 1234.5, Menge: 1 },
    { Name: "José", Preis: -2.5, Menge: 2 },
  ]);
});

test("a file without a header is imported from its first row, and invalid rows are reported first", async () => {
  const { page } = fixture;
  const baseId = await importIntoNewBase(page, "Readings");
  await choose(page, "readings.csv", "2025-01-31,1.5\n2025-02-01,2.5\n2025-02-02,1,extra\n");
  const header = page.getByRole("checkbox", { name: "The first row holds the column names" });
  expect(await header.isChecked()).toBe(false);
  expect(await page.getByLabel("Field: Column 1").inputValue()).toBe("new:date");
  await page.getByText("extra").waitFor();
  await header.click();
  await page.getByRole("button", { name: "Import 2 rows" }).waitFor();
  await header.click();
  await page.getByLabel("Field: Column 3").selectOption("new:number");
  await page.getByRole("button", { name: "Import 3 rows" }).click();
  await page.getByText("1 row cannot be imported").waitFor();
  await page.getByText('Column 3: "extra" is not a number').waitFor();
  expect((await call<{ tables: Table[] }>("GET", `/bases/${baseId}`)).body.tables).toEqual([]);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByLabel("Field: Column 3").selectOption("new:text");
  await page.getByRole("button", { name: "Import 3 rows" }).click();
  await page.getByText("3 rows were imported. No row was refused.").waitFor();
});

test("a column whose numbers contradict each other needs a choice", async () => {
  const { page } = fixture;
  const baseId = await importIntoNewBase(page, "Sizes");
  await choose(page, "sizes.csv", 'Name,Size\na,"1,5"\nb,1.5\n');
  expect(await page.getByLabel("Field: Size").inputValue()).toBe("new:text");
  await page.getByLabel("Field: Size").selectOption("new:number");
  await page.getByText("“1.5” and “1,5” do not agree.", { exact: false }).waitFor();
  expect(await page.getByRole("button", { name: "Import 2 rows" }).isDisabled()).toBe(true);
  await page.getByLabel("Numbers in Size").selectOption("comma");
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await page.getByText('Size: "1.5" does not group its digits', { exact: false }).waitFor();
  await page.getByRole("button", { name: "Import the other row" }).click();
  await page.getByText("1 row was imported. 1 row was refused.").waitFor();
  expect((await rowsOf((await onlyTable(baseId)).id)).map((row) => row.fields)).toMatchObject([
    { Name: "a", Size: 1.5 },
  ]);
  // The imported rows can be removed, because others were refused.
  await page.getByRole("button", { name: "Take the import back" }).click();
  await page.getByText("The import was taken back").first().waitFor();
  expect((await call<{ tables: Table[] }>("GET", `/bases/${baseId}`)).body.tables).toEqual([]);
});

test("the order of day and month is shown, and asked where the file leaves it open", async () => {
  const { page } = fixture;
  const baseId = await importIntoNewBase(page, "Days");
  await choose(page, "open.csv", "Name,Day\na,4/3/2026\nb,5/6/2026\n");
  expect(await page.getByLabel("Field: Day").inputValue()).toBe("new:date");
  await page.getByText("No value tells the order of day and month, as in “4/3/2026”.").waitFor();
  expect(await page.getByRole("button", { name: "Import 2 rows" }).isDisabled()).toBe(true);
  await page.getByLabel("Dates in Day").selectOption("DMY");
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await page.getByText("2 rows were imported. No row was refused.").waitFor();
  const table = await onlyTable(baseId);
  expect((await rowsOf(table.id)).map((row) => row.fields.Day)).toEqual(["2026-03-04", "2026-06-05"]);

  // Another column of the file shows it.
  await page.getByRole("button", { name: "Done" }).click();
  await importIntoTable(page, baseId, table);
  await choose(page, "told.csv", "Name,Day,Paid\nc,4/3/2026,31/3/2026\n");
  expect(await page.getByLabel("Dates in Day").inputValue()).toBe("DMY");
  await page.getByRole("button", { name: "Import 1 row" }).click();
  await page.getByText("1 row was imported. No row was refused.").waitFor();
  expect((await rowsOf(table.id)).at(-1)?.fields).toMatchObject({ Day: "2026-03-04", Paid: "2026-03-31" });
});

test("options that an import would add are shown before anything is written", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Trees", [
    { name: "Name", type: "text" },
    { name: "Kind", type: "single_select", config: { options: ["Tree", "Herb"] } },
  ]);
  await importIntoTable(page, baseId, table);
  await choose(page, "trees.csv", "Name,Kind\nOak,tree\nMoss,Plant\nBasil,Herb\n");
  await page.getByRole("button", { name: "Import 3 rows" }).click();
  await page.getByText("1 option will be added").waitFor();
  await page.getByRole("listitem").filter({ hasText: "Kind Plant" }).waitFor();
  expect(await rowsOf(table.id)).toEqual([]);
  await page.getByRole("button", { name: "Import 3 rows" }).click();
  await page.getByText("3 rows were imported. No row was refused.").waitFor();
  expect((await rowsOf(table.id)).map((row) => row.fields.Kind)).toEqual(["Tree", "Plant", "Herb"]);
});

test("an import makes fields and updates records by one, and is taken back with both", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(
    "Stock",
    [
      { name: "Name", type: "text" },
      { name: "Code", type: "text", config: { unique: true } },
    ],
    [{ Name: "Bolt", Code: "A1" }],
  );
  const namesAndFields = async () => [
    await fieldsOf(table.id),
    (await rowsOf(table.id)).map((row) => row.fields.Name),
  ];
  const before = await namesAndFields();
  await importIntoTable(page, baseId, table);
  await choose(page, "stock.csv", "Name,Code,Colour\nScrew,A1,red\nNut,A2,blue\n");
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  // A code is taken, which the check does not know.
  await page.getByText("1 row was imported. 1 row was refused.").waitFor();
  expect(await namesAndFields()).toEqual([
    ["Name", "Code", "Colour"],
    ["Bolt", "Nut"],
  ]);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the rows that were left out" }).click();
  const left = await readFile(await (await download).path(), "utf8");
  expect(left).toContain("Name,Code,Colour,Reason\r\nScrew,A1,red,");
  await page.getByRole("button", { name: "Take the import back" }).click();
  await page.getByText("The import was taken back").first().waitFor();
  await expect.poll(namesAndFields).toEqual(before);

  await importIntoTable(page, baseId, table);
  await choose(page, "stock.ndjson", '{"Name":"Screw","Code":"A1"}\n{"Name":"Nut","Code":"A2"}\n');
  await page.getByLabel("Rows that are there already").selectOption({ label: "Update the record with the same Code" });
  expect(await page.getByLabel("Encoding").count()).toBe(0);
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await page.getByText("1 row was imported. 1 record was updated. No row was refused.").waitFor();
  expect(await namesAndFields()).toEqual([
    ["Name", "Code"],
    ["Screw", "Nut"],
  ]);
});

test("an import is refused if the fields have changed since it was checked", async () => {
  const { page } = fixture;
  const fields = [
    { name: "Name", type: "text" },
    { name: "Tons", type: "number" },
  ];
  const { baseId, table } = await createTable("Loads", fields);
  await importIntoTable(page, baseId, table);
  await choose(page, "loads.csv", "Name,Tons\nBolt,heavy\nNut,2\nPin,3\n");
  await page.getByRole("button", { name: "Import 3 rows" }).click();
  const begin = page.getByRole("button", { name: "Import the other 2 rows" });
  await begin.waitFor();
  const tons = table.fields.find((field) => field.name === "Tons");
  expect((await call("PATCH", `/fields/${tons?.id}`, { name: "Weight" })).status).toBe(200);
  await begin.click();
  await page.getByText("the field \"Tons\" was renamed \"Weight\"").waitFor();
  expect(await rowsOf(table.id)).toEqual([]);
});

test("an export keeps phone numbers as they are, and reports escaped texts", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(
    "Phones",
    [
      { name: "Name", type: "text" },
      { name: "Phone", type: "phone" },
    ],
    [{ Name: "=1+1", Phone: "+44 123" }],
  );
  await page.goto(`/base/${baseId}/${table.id}`);
  await page.getByTestId("data-grid-canvas").waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "More actions" }).last().click();
  await page.getByRole("menuitem", { name: "Export CSV" }).click();
  const stream = await (await download).createReadStream();
  const content = Buffer.concat(await stream.toArray()).toString();
  expect(content).toContain(`'=1+1,+44 123`);
  await page.getByText("1 text begins like a formula", { exact: false }).first().waitFor();
});

test("a spreadsheet of several sheets becomes as many tables", async () => {
  const { page } = fixture;
  const source = await createTable("Trees", [{ name: "Name", type: "text" }], [{ Name: "Oak" }, { Name: "Elm" }]);
  const herbs = { name: "Herbs", fields: [{ name: "Name", type: "text" }, { name: "Height", type: "number" }] };
  const { id: second } = (await call<{ id: string }>("POST", `/bases/${source.baseId}/tables`, herbs)).body;
  await call("POST", `/tables/${second}/records`, { records: [{ fields: { Name: "Mint", Height: 40 } }] });
  const job = (await call<{ id: string }>("POST", `/bases/${source.baseId}/exports`, { format: "xlsx" })).body.id;
  const { body: done } = await call<{ file: { url: string } }>("GET", `/jobs/${job}?wait=20`);
  const workbook = Buffer.from(await (await page.request.get(done.file.url)).body());

  const baseId = await importIntoNewBase(page, "Garden");
  await choose(page, "garden.xlsx", workbook);
  const others = page.getByRole("checkbox", { name: "Make a table of Herbs, too" });
  expect(await others.isChecked()).toBe(true);
  expect(await page.getByLabel("Table name").inputValue()).toBe("Trees");
  await page.getByRole("button", { name: "Import 2 rows" }).click();
  await page.getByText("3 rows were imported.").waitFor();
  const report = page.getByRole("status").filter({ hasText: "Import finished" });
  expect(await report.getByRole("listitem").allTextContents()).toEqual(["Trees2 rows", "Herbs1 row"]);
  const { tables } = (await call<{ tables: Table[] }>("GET", `/bases/${baseId}`)).body;
  expect(tables.map(({ name }) => name).toSorted()).toEqual(["Herbs", "Trees"]); // jobs run side by side
  const made = tables.find(({ name }) => name === "Herbs")!;
  expect((await rowsOf(made.id)).map(({ fields }) => fields)).toEqual([{ Name: "Mint", Height: 40 }]);
  await page.getByRole("button", { name: "Open the table" }).click();
  await page.getByTestId("data-grid-canvas").waitFor();
});
