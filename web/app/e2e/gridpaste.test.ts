import { expect, test } from "vitest";
import { browserFixture, clickCell, createTable, gridReady, rowsOf, until } from "./fixture.ts";

const fixture = browserFixture("en-US");
const fields = [
  { name: "Name", type: "text" },
  { name: "Day", type: "date" },
  { name: "Price", type: "number" },
  { name: "Kind", type: "single_select", config: { options: ["Tree", "Herb"] } },
];

async function open(rows: Record<string, unknown>[]) {
  const { baseId, table } = await createTable("Plants", fields, rows);
  await fixture.page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(fixture.page);
  return table;
}

const put = (text: string) => fixture.page.evaluate((plain) => navigator.clipboard.writeText(plain), text);

test("a paste onto an empty table makes its records, and needs no click before", async () => {
  const table = await open([]);
  const { page } = fixture;
  await page.getByText("No records yet").waitFor();
  await put("Oak\t1/4/2024\t1.234,56\tTree\nThyme\t12/31/2023\t7\tHerb\n");
  await page.keyboard.press("Control+v");
  const rows = await until(
    () => rowsOf(table.id),
    (now) => now.length === 2,
  );
  expect(rows.map((row) => row.fields)).toMatchObject([
    { Name: "Oak", Day: "2024-01-04", Price: 1234.56, Kind: "Tree" },
    { Name: "Thyme", Day: "2023-12-31", Price: 7, Kind: "Herb" },
  ]);
});

test("what a paste cannot take is listed by cell with the reason, and the rest is pasted", async () => {
  const table = await open([{ Name: "Oak" }, { Name: "Elm", Kind: "Tree" }, { Name: "Fir", Price: 3 }]);
  const { page } = fixture;
  await clickCell(page, [220, 130, 120, 160], 1, 0);
  await put("25/4/2024\t1,5\tTree\n4/25/2024\ttall\tShrub\n3/4/2024\t2,5\tHerb\n");
  await page.keyboard.press("Control+v");
  // Without the option that the paste would make.
  await page.getByRole("alertdialog", { name: "Create an option?" }).getByRole("button", { name: "Cancel" }).click();
  const list = page.getByRole("dialog", { name: "3 cells were not pasted" });
  await list.waitFor();
  expect(await list.getByRole("listitem").allTextContents()).toEqual([
    "PriceRow 2“tall” is not a number",
    "KindRow 2“Shrub” is not an option; the options are Tree, Herb",
    "DayRow 3“3/4/2024” may begin with the day, as “25/4/2024” does, or with the month, as “4/25/2024” does",
  ]);
  await list.getByRole("button", { name: "Close" }).last().click();
  await list.waitFor({ state: "detached" });
  const rows = await until(
    () => rowsOf(table.id),
    (now) => now[2]?.fields.Price === 2.5,
  );
  expect(rows.map(({ fields: { Day, Price, Kind } }) => [Day, Price, Kind])).toEqual([
    ["2024-04-25", 1.5, "Tree"],
    ["2024-04-25", null, "Tree"],
    [null, 2.5, "Herb"],
  ]);
});
