import { expect, test } from "vitest";
import { browserFixture, createTable } from "./fixture.ts";

const fixture = browserFixture();

test("a base is asked with SQL, and an error shows its place", async () => {
  const { page } = fixture;
  const { baseId } = await createTable(
    "Plants",
    [
      { name: "Name", type: "text" },
      { name: "Height", type: "number" },
    ],
    [
      { Name: "Oak", Height: 30 },
      { Name: "Elm", Height: 20 },
    ],
  );
  await page.goto(`/base/${baseId}/changes`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "SQL" }).click();
  await page.waitForURL(`**/base/${baseId}/sql`);
  const editor = page.getByLabel("SQL", { exact: true });
  await editor.fill("select name, height * 2 as double from plants order by height");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("status").getByText(/^2 rows in/).waitFor();
  expect(await page.locator("tbody tr").allTextContents()).toEqual(["Elm40", "Oak60"]);
  await page.getByRole("button", { name: "Chart" }).click();
  await page.getByRole("listitem").getByText("Elm").waitFor();
  expect(await page.getByRole("list", { name: "Result" }).getByRole("listitem").allTextContents()).toEqual([
    "Elm40",
    "Oak60",
  ]);
  await page.getByRole("button", { name: "Table", exact: true }).click();
  await editor.fill("select nmae from plants");
  await editor.press("Control+Enter");
  await page.getByRole("alert").getByText('did you mean "Name"?').waitFor();
  await page.getByRole("button", { name: "Show the error" }).click();
  expect(await page.evaluate(() => document.getSelection()?.toString())).toBe("nmae");
});
