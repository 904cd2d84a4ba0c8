import { expect, test } from "vitest";
import { browserFixture, call, clickCell, createTable, gridReady, rowsOf, type Table, testService } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture("en-US");
const widths = [220, 160, 120];

const put = (text: string) => fixture.page.evaluate((plain) => navigator.clipboard.writeText(plain), text);

test("options, fields and tables are made by what is typed and pasted", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(
    "Plants",
    [
      { name: "Name", type: "text" },
      { name: "Kind", type: "single_select", config: { options: ["Tree"] } },
      { name: "Height", type: "number" },
    ],
    [{ Name: "Oak", Height: 30 }, { Name: "Mint" }],
  );
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const values = async (name: string) => (await rowsOf(table.id)).map((row) => row.fields[name]);
  const fields = async () => (await call<Table>("GET", `/tables/${table.id}`)).body.fields;

  await clickCell(page, widths, 1, 0);
  await page.keyboard.type("Urgent");
  await page.getByRole("option", { name: "Create “Urgent”" }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => values("Kind")).toEqual(["Urgent", null]);

  // A block that is wider than the table, with options that the field does not have.
  await put("Elm\tTree\t20\t31/1/2024\t$5\nSage\tHerb\t1\t1/2/2024\t$7.5\n");
  await clickCell(page, widths, 0, 0);
  await page.keyboard.press("Control+v");
  const offer = page.getByRole("dialog", { name: "Add 2 fields for what you paste?" });
  await offer.waitFor();
  const types = offer.getByLabel("Type");
  const chosen = await types.evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value));
  expect(chosen).toEqual(["date", "currency"]);
  await picture(page, "paste-fields-light-1280");
  expect(await findings(page)).toEqual([]);
  await offer.getByLabel("Name").last().fill("Price");
  await offer.getByRole("button", { name: "Add 2 fields and paste" }).click();
  const question = page.getByRole("alertdialog", { name: "Create an option?" });
  await question.getByText("Kind: Herb.").waitFor();
  await question.getByRole("button", { name: "Create option" }).click();
  await expect.poll(() => values("Kind")).toEqual(["Tree", "Herb"]);
  await expect.poll(() => values("Price")).toEqual([5, 7.5]);
  expect(await values("Field 4")).toEqual(["2024-01-31", "2024-02-01"]);
  expect((await fields()).map(({ type }) => type)).toEqual(["text", "single_select", "number", "date", "currency"]);

  // Ctrl+R copies the first cell of a range to its right.
  await clickCell(page, [220, 160, 120, 130], 2, 0);
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Control+r");
  await expect.poll(() => values("Price")).toEqual([20, 7.5]);
  expect(await values("Field 4")).toEqual(["2024-01-31", "2024-02-01"]);

  // Where there is no table, a paste offers one.
  const base = (await call<{ id: string }>("POST", "/bases", { name: "Nothing", orgId: testService().orgId })).body;
  await page.goto(`/base/${base.id}`);
  await page.getByText("This base has no tables yet").waitFor();
  await put("Name\tSince\nAda\t2024-01-31\nGrace\t2023-05-06\n");
  await page.locator("body").press("Control+v");
  const dialog = page.getByRole("dialog", { name: "Make a table of what you pasted" });
  await dialog.getByText("Since").first().waitFor();
  await dialog.getByRole("button", { name: /^Import/ }).click();
  await expect
    .poll(async () => (await call<{ tables: Table[] }>("GET", `/bases/${base.id}`)).body.tables[0]?.fields.length)
    .toBe(2);
});
