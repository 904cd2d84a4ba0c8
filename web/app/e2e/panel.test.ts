import type { Dialog } from "playwright-core";
import { expect, test } from "vitest";
import { browserFixture, call, clickCell, createTable, gridReady, rowsOf, until } from "./fixture.ts";
import type { Row, Table } from "./fixture.ts";

const fixture = browserFixture();
const fields = [
  { name: "Name", type: "text" },
  { name: "Notes", type: "long_text" },
  { name: "Day", type: "date" },
];

const stay = (question: Dialog) => question.dismiss();

async function opened(name: string) {
  const { page } = fixture;
  const { baseId, table } = await createTable(name, fields, [{ Name: "Oak", Notes: "old" }]);
  const record = (await rowsOf(table.id))[0] as Row;
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await page.goto(`/base/${baseId}/${table.id}?record=${record.id}`);
  const panel = page.getByRole("dialog", { name: "Oak" });
  await panel.waitFor();
  const notes = async () => (await rowsOf(table.id))[0]?.fields.Notes;
  return { page, baseId, table, record, panel, notes };
}

test("what is typed in the panel while somebody else writes the field is asked about", async () => {
  const { page, record, panel, notes } = await opened("Plants");
  const input = panel.getByLabel("Notes");
  await input.fill("mine");
  await call("PATCH", `/records/${record.id}`, { fields: { Notes: "theirs" } });
  await page.waitForTimeout(2500); // the page receives the change
  await page.keyboard.press("Tab");
  const question = page.getByRole("dialog", { name: "was also changed elsewhere" });
  await question.waitFor();
  expect(await notes()).toBe("theirs");
  await question.getByRole("button", { name: "Use mine" }).click();
  expect(await until(notes, (value) => value === "mine")).toBe("mine");

  // The next entry begins with what is there now.
  await input.fill("mine again");
  await page.keyboard.press("Tab");
  expect(await until(notes, (value) => value === "mine again")).toBe("mine again");
  expect(await question.count()).toBe(0);
});

test("an entry is taken when the panel is closed by a key, and when the page is left", async () => {
  const { page, record, panel, notes } = await opened("Shrubs");
  await panel.getByLabel("Notes").fill("by escape");
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  expect(await until(notes, (value) => value === "by escape")).toBe("by escape");

  await page.goto(`${page.url().split("?")[0]}?record=${record.id}`);
  await panel.getByLabel("Notes").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("by going back");
  // Where the browser has not kept the entry yet, the page asks before it is left, and a person stays.
  page.on("dialog", stay);
  await page.goBack({ timeout: 4_000 }).catch(() => undefined);
  expect(await until(notes, (value) => value === "by going back")).toBe("by going back");
  page.off("dialog", stay);
});

test("Back closes a record that was opened in the table, keeps what was typed, and stays there", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Sedges", fields, [{ Name: "Carex" }]);
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await clickCell(page, [220], 0, 0);
  await page.keyboard.press("Space");
  const panel = page.getByRole("dialog", { name: "Carex" });
  await panel.getByLabel("Notes").fill("typed before Back");
  await page.goBack();
  await panel.waitFor({ state: "detached" });
  expect(page.url()).toMatch(new RegExp(`/base/${baseId}/${table.id}$`));
  const notes = async () => (await rowsOf(table.id))[0]?.fields.Notes;
  expect(await until(notes, (value) => value === "typed before Back")).toBe("typed before Back");
  // Closing it by its button leaves no entry behind, so that Back leaves the table.
  await clickCell(page, [220], 0, 0);
  await page.keyboard.press("Space");
  await panel.getByRole("button", { name: "Close" }).click();
  await panel.waitFor({ state: "detached" });
  await page.goBack();
  await page.waitForURL((url) => !url.pathname.includes(table.id));
});

test("a record of another table in the address is not found in this one", async () => {
  const { page } = fixture;
  const other = await createTable("Mosses", [{ name: "Title", type: "text" }], [{ Title: "Sphagnum" }]);
  const { baseId, table } = await createTable("Sedges", fields, [{ Name: "Carex" }]);
  const [moss] = await rowsOf(other.table.id);
  await page.goto(`/base/${baseId}/${table.id}?record=${moss?.id}`);
  await page.getByRole("dialog").getByText("This record is not here").waitFor();
  expect(await page.getByRole("dialog").getByLabel("Notes").count()).toBe(0);
});

test("a dialog that asks for a name has the focus in it, and a view is made and undone at once", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Herbs", fields, [{ Name: "Thyme", Day: "2026-05-01" }]);
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await page.getByRole("button", { name: "Add view" }).click();
  await page.getByRole("menuitem", { name: "Calendar" }).click();
  const name = page.getByRole("dialog", { name: "Add view" }).getByRole("textbox");
  await expect.poll(() => name.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type("By day");
  await page.keyboard.press("Enter");
  const views = async () => (await call<Table>("GET", `/tables/${table.id}`)).body.views.map((view) => view.name);
  expect(await until(views, (names) => names.includes("By day"))).toContain("By day");
  await page.waitForURL(/view=/);
  await page.getByRole("dialog").waitFor({ state: "detached" }); // or the key is meant for its input
  await page.waitForLoadState("networkidle");
  await page.locator("body").press("Control+z");
  await page.getByText("Undid: Created the view By day").waitFor();
  expect(await until(views, (names) => !names.includes("By day"))).not.toContain("By day");
});

test("a table that somebody else deletes is left with a word", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Doomed", fields, [{ Name: "x" }]);
  await call("POST", `/bases/${baseId}/tables`, { name: "Other", fields: [{ name: "Name", type: "text" }] });
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await call("DELETE", `/tables/${table.id}`);
  await page.getByText("The table that was open has been deleted").waitFor();
});

test("the only ticked record is opened from the bar, and a form that was begun is not left unasked", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Ferns", fields, [{ Name: "Bracken" }, { Name: "Hart's tongue" }]);
  const made = await call<{ id: string }>("POST", `/tables/${table.id}/views`, { type: "form", name: "Enter" });
  const form = made.body.id;
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  await page.mouse.click(box.x + 26, box.y + 38 + 17);
  await page.getByRole("button", { name: "Open record" }).click();
  await page.getByRole("dialog", { name: "Bracken" }).waitFor();
  await page.keyboard.press("Escape");

  await page.goto(`/base/${baseId}/${table.id}?view=${form}`);
  const name = page.getByLabel("Name");
  await name.fill("Spleenwort");
  const views = page.getByRole("navigation", { name: "Views" });
  await views.getByRole("link").first().click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Cancel" }).click();
  expect(await name.inputValue()).toBe("Spleenwort");
  await views.getByRole("link").first().click();
  await question.getByRole("button", { name: "Discard" }).click();
  await gridReady(page);

  // What was sent leaves nothing to ask about.
  await page.goto(`/base/${baseId}/${table.id}?view=${form}`);
  await name.fill("Maidenhair");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByRole("button", { name: /another|again/i }).waitFor();
  await views.getByRole("link").first().click();
  await gridReady(page);
  expect((await rowsOf(table.id)).map((row) => row.fields.Name)).toContain("Maidenhair");
});
