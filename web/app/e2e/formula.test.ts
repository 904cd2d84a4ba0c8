import type { Page } from "playwright-core";
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
  until,
} from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();

const products = [
  { name: "Name", type: "text" },
  { name: "Unit price", type: "currency", config: { symbol: "€" } },
  { name: "Stock", type: "number" },
];
const goods = [
  { Name: "Tea", "Unit price": 4, Stock: 10 },
  { Name: "Coffee", "Unit price": 9, Stock: 0 },
  { Name: "Cocoa", "Unit price": 6, Stock: 3 },
];

const form = (page: Page) => page.getByRole("dialog", { name: "Add field" });
const editor = (page: Page) => page.getByRole("combobox", { name: "Formula" });

/** Opens the form of a new field, and chooses its type. */
async function newField(page: Page, name: string, type: string) {
  await page.locator(".dvn-scroller").evaluate((scroller) => scroller.scrollTo(scroller.scrollWidth, 0));
  await page.getByRole("button", { name: "Add field" }).click();
  await form(page).getByLabel("Name", { exact: true }).fill(name);
  await form(page).getByLabel("Type").selectOption(type);
}

async function create(page: Page) {
  await page.getByRole("button", { name: "Create field" }).click();
  await page.getByRole("button", { name: "Create field" }).waitFor({ state: "detached" });
  await page.waitForLoadState("networkidle");
}

/** The values of a field, in the order of the records. */
const valuesOf = async (tableId: string, name: string) => (await rowsOf(tableId)).map((row) => row.fields[name]);

const noFindings = async (page: Page) => expect(await findings(page)).toEqual([]);

test("a formula is written with completion, corrected, previewed, created, and changed", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Products", products, goods);
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await newField(page, "Worth", "formula");
  const input = editor(page);
  await input.click();

  // A field of two words is completed out of the words, and a function by its first letters.
  await page.keyboard.type("rou");
  const list = page.getByRole("listbox", { name: "Fields and functions" });
  await list.getByRole("option", { name: /^ROUND\(number/ }).waitFor();
  await picture(page, "formula-completion");
  await noFindings(page);
  await page.keyboard.press("Enter");
  expect(await input.inputValue()).toBe("ROUND()");
  await page.getByText("Rounds to digits behind the point, a half up.").waitFor();
  await page.keyboard.type("Unit pr");
  await list.getByRole("option", { name: /Unit price/ }).waitFor();
  await page.keyboard.press("Tab");
  expect(await input.inputValue()).toBe("ROUND({Unit price})");
  // Escape closes the list and not the form.
  await page.keyboard.type(" * sto");
  await list.waitFor();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  await page.keyboard.press("Control+Space");
  await list.waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await list.getByRole("option", { name: "Stock" }).click();
  expect(await input.inputValue()).toBe("ROUND({Unit price} * {Stock})");
  await page.getByText("Gives a number").waitFor();
  const preview = page.getByRole("table", { name: "First records" });
  await preview.getByRole("row", { name: "Tea 40" }).waitFor();
  await preview.getByRole("row", { name: "Cocoa 18" }).waitFor();
  await picture(page, "formula-editor-light");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForTimeout(400); // the colours change
  await picture(page, "formula-editor-dark");
  await noFindings(page);
  await page.emulateMedia({ colorScheme: "light" });
  await page.waitForTimeout(400);

  // What was inserted is taken back by a key.
  await page.keyboard.press("Control+z");
  expect(await input.inputValue()).not.toBe("ROUND({Unit price} * {Stock})");
  const mistakes = page.getByRole("list", { name: /mistake/ });
  await input.fill("ROUND({Unit prise} * {Stok}) + UPER(1 % 2)");
  await page.getByRole("list", { name: "4 mistakes" }).waitFor();
  expect(await page.locator(".decoration-wavy").allTextContents()).toEqual(["{Unit prise}", "{Stok}", "UPER", "%"]);
  await picture(page, "formula-mistakes");
  await input.fill("ROUND({Unit prise} * {Stok}) + UPER(1)");
  await mistakes.getByRole("button", { name: "Write “UPPER”" }).click();
  expect(await input.inputValue()).toBe("ROUND({Unit prise} * {Stok}) + UPPER(1)");
  await expect.poll(() => mistakes.getByRole("listitem").count()).toBe(2);
  expect(await input.getAttribute("aria-invalid")).toBe("true");
  await picture(page, "formula-error");
  await noFindings(page);
  await mistakes.getByRole("button", { name: "Go to line 1, column 22" }).click();
  const selected = await input.evaluate((node: HTMLTextAreaElement) =>
    node.value.slice(node.selectionStart, node.selectionEnd),
  );
  expect(selected).toBe("{Stok}");
  await mistakes.getByRole("button", { name: "Write “Unit price”" }).click();
  await mistakes.getByRole("button", { name: "Write “Stock”" }).click();
  await page.getByText("Gives text").waitFor();

  await page.getByRole("button", { name: "Functions", exact: true }).click();
  await page.getByLabel("Find a function").fill("remainder");
  await page.getByText("MOD(-7, 3) → 2").waitFor();
  await page.getByLabel("Find a function").fill("");
  // All functions scroll in their list, and the buttons stay in sight.
  const button = page.getByRole("button", { name: "Create field" });
  const inSight = await button.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2)?.closest("button") === node;
  });
  expect(inSight, "the button is in sight").toBe(true);
  await picture(page, "formula-functions");
  await noFindings(page);
  await page.getByRole("button", { name: "Hide functions" }).click();

  await input.fill("100 / {Stock}");
  await page.getByText("Gives a number").waitFor();
  await preview.getByRole("row", { name: /Coffee #ERROR: The formula divides by zero/ }).waitFor();
  await create(page);
  expect(await valuesOf(table.id, "Worth")).toEqual([
    10,
    { error: "division_by_zero", message: "The formula divides by zero or by an empty value." },
    expect.closeTo(33.33, 1),
  ]);
});

test("an error says why, and a computed cell is neither typed in, pasted into, filled nor cleared", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Rates", products, goods);
  await call("POST", `/tables/${table.id}/fields`, {
    name: "Share",
    type: "formula",
    config: { formula: "100 / {Stock}", precision: 1 },
  });
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const widths = [220, 130, 120, 160];
  const canvas = page.getByTestId("data-grid-canvas");
  await expect.poll(() => canvas.textContent()).toContain("#ERROR: The formula divides by zero");
  const box = (await canvas.boundingBox())!;
  await page.mouse.move(box.x + 52 + 470 + 60, box.y + 38 + 34 + 17);
  const tip = page.getByRole("tooltip");
  await tip.getByText("The formula divides by zero or by an empty value.").waitFor();
  await picture(page, "formula-cell-error");
  await page.mouse.move(box.x + 200, box.y + 600);
  await tip.waitFor({ state: "detached" });

  const before = await valuesOf(table.id, "Share");
  const refused = page.getByText("“Share” is computed and cannot be edited");
  const tries = [
    () => page.keyboard.press("7"),
    () => page.keyboard.press("Enter"),
    () => page.keyboard.press("Delete"),
  ];
  for (const attempt of tries) {
    await clickCell(page, widths, 3, 0);
    await attempt();
    await refused.first().waitFor();
    expect(await page.locator("#portal textarea, #portal input").count()).toBe(0);
    await page.getByRole("button", { name: "Close", includeHidden: true }).first().click();
    await refused.first().waitFor({ state: "detached" });
  }
  await clickCell(page, widths, 3, 0);
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Control+d");
  await refused.first().waitFor();
  await page.evaluate(() => navigator.clipboard.writeText("5"));
  await clickCell(page, widths, 3, 2);
  await page.keyboard.press("Control+v");
  const left = page.getByRole("dialog", { name: "1 cell was not pasted" });
  await left.getByText("“Share” is computed and cannot be edited").waitFor();
  await left.getByRole("button", { name: "Close" }).last().click();
  await left.waitFor({ state: "detached" });
  expect(await valuesOf(table.id, "Share")).toEqual(before);

  // What others and this page write is computed with at once.
  const [tea, coffee, cocoa] = (await rowsOf(table.id)) as [Row, Row, Row];
  await call("PATCH", `/records/${cocoa.id}`, { fields: { Stock: 16 } });
  await expect.poll(() => canvas.textContent()).toContain("Cocoa6166.25");
  await clickCell(page, widths, 2, 2);
  await page.keyboard.type("25", { delay: 80 });
  await page.keyboard.press("Enter");
  await expect.poll(() => canvas.textContent()).toContain("Cocoa6254");
  await page.goto(`/base/${baseId}/${table.id}?record=${coffee.id}`);
  const record = page.getByRole("dialog", { name: "Coffee" });
  await record.getByText("#ERROR: The formula divides by zero or by an empty value.").waitFor();
  await noFindings(page);
  await page.goto(`/base/${baseId}/${table.id}?record=${tea.id}`);
  const share = page.getByRole("dialog", { name: "Tea" }).getByLabel("Share");
  await share.press("1");
  await page.getByText("Its formula gives the values. Change the formula, or a field that it reads.").waitFor();
  expect(await share.inputValue()).toBe("10.0");

  // Errors are found by a condition, and numbers by their own.
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByLabel("Field", { exact: true }).selectOption("Share");
  await page.getByLabel("Operator", { exact: true }).selectOption({ label: "is greater than" });
  await page.getByLabel("Value", { exact: true }).fill("5");
  await page.getByText("1 record", { exact: true }).waitFor();
  await page.getByLabel("Operator", { exact: true }).selectOption({ label: "is an error" });
  await expect.poll(() => canvas.textContent()).toContain("Coffee");
  await page.getByText("1 record", { exact: true }).waitFor();
});

/** Makes products and orders of them, which are linked; only the application may make the link. */
async function createOrders(page: Page) {
  const { baseId, table } = await createTable(
    "Products",
    [...products, { name: "Kind", type: "single_select", config: { options: [{ name: "Drink", color: "green" }] } }],
    goods.map((one) => ({ ...one, Kind: "Drink" })),
  );
  const orders = (
    await call<{ id: string }>("POST", `/bases/${baseId}/tables`, {
      name: "Orders",
      fields: [{ name: "Title", type: "text" }],
    })
  ).body;
  await page.goto("/");
  const made = await page.evaluate(
    async ([path = "", linkedTableId]) => {
      const body = JSON.stringify({ name: "Products", type: "link", config: { linkedTableId } });
      const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body });
      return response.status;
    },
    [`/api/v1/tables/${orders.id}/fields`, table.id],
  );
  expect(made).toBe(200);
  const ids = (await rowsOf(table.id)).map(({ id }) => id);
  const records = [
    { fields: { Title: "First", Products: ids } },
    { fields: { Title: "Second", Products: ids.slice(0, 1) } },
    { fields: { Title: "Third" } },
  ];
  await call("POST", `/tables/${orders.id}/records`, { records });
  return { baseId, table, orders: orders.id };
}

test("a lookup, a rollup and a count are made by clicking, and are told of before what they read goes", async () => {
  const { page } = fixture;
  const { baseId, table, orders } = await createOrders(page);
  await page.goto(`/base/${baseId}/${orders}`);
  await gridReady(page);
  const canvas = page.getByTestId("data-grid-canvas");

  await newField(page, "Prices", "lookup");
  await form(page).getByLabel("Field of Products").selectOption("Unit price");
  const preview = form(page).getByRole("table", { name: "First records" });
  await preview.getByRole("row", { name: "First €4.00, €9.00, €6.00" }).waitFor();
  await create(page);
  expect((await valuesOf(orders, "Prices"))[0]).toEqual([4, 9, 6]);
  await expect.poll(() => canvas.textContent()).toContain("€4.00, €9.00, €6.00");

  await newField(page, "Kinds", "lookup");
  await form(page).getByLabel("Field of Products").selectOption("Kind");
  await create(page);

  await newField(page, "Total", "rollup");
  await form(page).getByLabel("Field of Products").selectOption("Name");
  const offered = form(page).getByLabel("Function").locator("option");
  expect(await offered.allTextContents()).not.toContain("SUM");
  await form(page).getByLabel("Field of Products").selectOption("Unit price");
  expect(await offered.allTextContents()).toContain("AVERAGE");
  await form(page).getByLabel("Function").selectOption("SUM");
  await form(page).getByRole("button", { name: "Add condition" }).click();
  await form(page).getByLabel("Field", { exact: true }).selectOption("Stock");
  await form(page).getByLabel("Operator", { exact: true }).selectOption({ label: "is greater than" });
  await form(page).getByLabel("Value", { exact: true }).fill("0");
  await preview.getByRole("row", { name: "First €10.00" }).waitFor();
  await picture(page, "formula-rollup");
  await noFindings(page);
  await create(page);
  expect(await valuesOf(orders, "Total")).toEqual([10, 4, 0]);
  await newField(page, "How many", "count");
  await preview.getByRole("row", { name: "First 3" }).waitFor();
  await create(page);
  expect(await valuesOf(orders, "How many")).toEqual([3, 1, 0]);
  await picture(page, "formula-linked");

  // What a record that is linked becomes shows without a reload.
  const coffee = (await rowsOf(table.id))[1];
  await call("PATCH", `/records/${coffee?.id}`, { fields: { Stock: 1 } });
  await expect.poll(() => canvas.textContent()).toContain("Drink, Drink, Drink19");
  await call("PATCH", `/records/${coffee?.id}`, { fields: { Stock: 0 } });
  await expect.poll(() => canvas.textContent()).toContain("Drink, Drink, Drink10");

  // Sums of prices are prices.
  const [first] = await rowsOf(orders);
  await page.goto(`/base/${baseId}/${orders}?record=${first?.id}`);
  const record = page.getByRole("dialog", { name: "First" });
  await record.getByText("Drink").first().waitFor();
  expect(await record.getByLabel("Total").inputValue()).toBe("€10.00");
  await picture(page, "formula-record");
  await noFindings(page);
  await page.keyboard.press("Escape");

  // The form of a rollup shows its settings.
  const fields = (await call<Table>("GET", `/tables/${orders}`)).body.fields;
  expect(fields.find(({ name }) => name === "Total")?.config).toMatchObject({ function: "SUM", resultType: "number" });
  await page.getByRole("button", { name: "Fields" }).click();
  await page.getByRole("button", { name: "Edit the field Total" }).click();
  expect(await page.getByLabel("Function").inputValue()).toBe("SUM");
  expect(await page.getByLabel("Value", { exact: true }).inputValue()).toBe("0");
  await page.getByLabel("Function").selectOption("MAX");
  await page.getByRole("button", { name: "Save field" }).click();
  await page.getByRole("button", { name: "Save field" }).waitFor({ state: "detached" });
  expect(await valuesOf(orders, "Total")).toEqual([6, 4, null]);

  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await page.getByRole("button", { name: "Fields" }).click();
  await page.getByRole("button", { name: "Edit the field Unit price" }).click();
  await page.getByLabel("Type").selectOption("text");
  await page.getByRole("button", { name: "Save field" }).click();
  const loss = page.getByRole("alert").filter({ hasText: "would show errors" });
  await loss.getByText("Orders · Total", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Save anyway" }).waitFor();
  expect(await loss.getByText("Nothing has been changed yet.").count()).toBe(1);
  await picture(page, "formula-retype");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const question = page.getByRole("alertdialog");
  await question.getByText("These fields compute from it").waitFor();
  expect(await question.textContent()).toContain("Orders · Prices, Orders · Total");
  await picture(page, "formula-delete");
  await question.getByRole("button", { name: "Delete field" }).click();
  await question.waitFor({ state: "detached" });

  await page.goto(`/base/${baseId}/${orders}`);
  await gridReady(page);
  await expect.poll(() => canvas.textContent()).toContain("#ERROR: A field that the formula reads was deleted");
  await page.getByRole("button", { name: "Fields" }).click();
  await page.getByRole("button", { name: "Edit the field Total" }).click();
  await page.getByText("This field has no values now: the field that it reads is gone.").waitFor();
});

test("the functions that a rollup offers are those that the service takes", async () => {
  const { page } = fixture;
  const { baseId, table, orders } = await createOrders(page);
  const kinds = { Ready: "checkbox", Due: "date", Span: "duration" };
  for (const [name, type] of Object.entries(kinds)) await call("POST", `/tables/${table.id}/fields`, { name, type });
  await page.goto(`/base/${baseId}/${orders}`);
  await gridReady(page);
  await newField(page, "Rolled", "rollup");
  const link = (await call<Table>("GET", `/tables/${orders}`)).body.fields.find(({ type }) => type === "link");
  const all = ["SUM", "AVERAGE", "MIN", "MAX", "COUNT", "COUNTA", "COUNTALL", "AND", "OR", "XOR", "ARRAYUNIQUE"];
  for (const name of ["Name", "Stock", "Kind", "Orders", ...Object.keys(kinds)]) {
    const source = form(page).getByLabel("Field of Products");
    await source.locator("option", { hasText: name }).waitFor({ state: "attached" });
    await source.selectOption(name);
    const offered = await form(page).getByLabel("Function").locator("option").allTextContents();
    for (const one of all) {
      const config = { linkFieldId: link?.id, fieldId: name, function: one };
      const made = { name: `${name} ${one}`, type: "rollup", config };
      const { status } = await call("POST", `/tables/${orders}/fields`, made);
      expect(offered.includes(one), `${one} of ${name}`).toBe(status === 200);
    }
  }
});

test("the time zone of a base is that of its formulas", async () => {
  const { page } = fixture;
  const { table } = await createTable(
    "Zoned",
    [
      { name: "Name", type: "text" },
      { name: "At", type: "datetime" },
    ],
    [{ Name: "a", At: "2026-05-01T12:00:00Z" }],
  );
  const config = { formula: "HOUR({At})" };
  await call("POST", `/tables/${table.id}/fields`, { name: "Hour", type: "formula", config });
  expect(await valuesOf(table.id, "Hour")).toEqual([12]);
  await page.goto("/");
  await page.getByRole("button", { name: "Actions for Zoned base" }).click();
  await page.getByRole("menuitem", { name: "Time zone" }).click();
  const dialog = page.getByRole("dialog", { name: "Time zone" });
  await dialog.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await picture(page, "formula-zone");
  await noFindings(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await until(() => valuesOf(table.id, "Hour"), ([hour]) => hour === 21)).toEqual([21]);
});
