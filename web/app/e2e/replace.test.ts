import { expect, test } from "vitest";
import { browserFixture, call, createTable, gridReady, rowsOf } from "./fixture.ts";
import { findings } from "./page.ts";

const fixture = browserFixture();

test("a text is found and replaced in all records of a view, and one undo takes it back", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(
    "Invoices",
    [
      { name: "Name", type: "text" },
      { name: "Number", type: "auto_number" },
      { name: "Note {old}", type: "long_text" },
    ],
    ["Acme Ltd.", "ACME Ltd. (2)", "Other"].map((Name) => ({ Name, "Note {old}": `${Name} pays $5` })),
  );
  await call("PATCH", `/views/${table.views[0]?.id}`, {
    config: { filters: [{ fieldId: "Number", op: "lt", value: 3 }] },
  });
  const names = async (field: string) => (await rowsOf(table.id)).map(({ fields }) => fields[field]);
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const open = async () => {
    await page.getByRole("button", { name: "More" }).last().click();
    await page.getByRole("menuitem", { name: "Find and replace" }).click();
    return page.getByRole("dialog", { name: "Find and replace" });
  };
  let dialog = await open();
  await dialog.getByLabel("Find", { exact: true }).fill("acme ltd.");
  await dialog.getByLabel("Replace with").fill("$5 & Co.");
  await dialog.getByText("2 records have it:").waitFor();
  expect(await dialog.getByRole("listitem").allInnerTexts()).toEqual([
    "Acme Ltd. → $5 & Co.",
    "ACME Ltd. (2) → $5 & Co. (2)",
  ]);
  expect(await findings(page)).toEqual([]);
  await dialog.getByLabel("Find", { exact: true }).fill("acme inc.");
  await dialog.getByText("No record has it.").waitFor();
  await dialog.getByLabel("Find", { exact: true }).fill("acme ltd.");
  await dialog.getByRole("button", { name: "Replace in 2 records" }).click();
  await page.getByText("Replaced in 2 records").waitFor();
  expect(await names("Name")).toEqual(["$5 & Co.", "$5 & Co. (2)", "Other"]);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(() => names("Name"), { timeout: 10_000 }).toEqual(["Acme Ltd.", "ACME Ltd. (2)", "Other"]);

  dialog = await open();
  await dialog.getByLabel("In the field").selectOption({ label: "Note {old}" });
  await dialog.getByLabel("Find", { exact: true }).fill(" pays $5");
  await dialog.getByRole("button", { name: "Replace in 2 records" }).click();
  await page.getByText("Replaced in 2 records").last().waitFor();
  expect(await names("Note {old}")).toEqual(["Acme Ltd.", "ACME Ltd. (2)", "Other pays $5"]);
});
