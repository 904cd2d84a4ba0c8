import { mkdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { newContext, noProblems } from "./browser.ts";
import { browserFixture, call, createTable, gridReady, rowsOf, testService, until } from "./fixture.ts";
import { findings } from "./page.ts";

const fixture = browserFixture();
const fields = [
  { name: "Name", type: "text" },
  { name: "Comes", type: "single_select", config: { options: ["Yes", "No"] } },
  { name: "Guests", type: "number" },
  { name: "Rating", type: "rating" },
  { name: "Note", type: "long_text" },
  { name: "Budget", type: "currency" },
];

/** Keeps a picture of the page for a person to look at, where SCREENSHOTS names a folder. */
async function picture(page: typeof fixture.page, name: string) {
  const folder = process.env.SCREENSHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

test("a form is made, shared, answered without an account, and the answer appears", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Party", fields, [{ Name: "Ada", Budget: 73217321 }]);
  const config = { hiddenFields: [table.fields.find(({ name }) => name === "Budget")?.id] };
  const form = await call<{ id: string }>("POST", `/tables/${table.id}/views`, { type: "form", name: "Reply", config });
  await page.goto(`/base/${baseId}/${table.id}?view=${form.body.id}`);
  await page.getByRole("button", { name: "Edit form" }).click();
  await page.getByLabel("Title", { exact: true }).fill("Come to the party");
  await page.getByLabel("Description").fill("We look forward to seeing you.");

  // The question on guests comes after the one whether somebody comes, and depends on it.
  await page.getByRole("button", { name: /^Comes/ }).click();
  await page.getByLabel("Question", { exact: true }).fill("Will you come?");
  await page.getByRole("checkbox", { name: "An answer is required" }).check();
  await page.getByRole("button", { name: /^Guests/ }).click();
  await page.getByLabel("Question", { exact: true }).fill("How many of you?");
  await page.getByLabel("Help below the question").fill("With children");
  await page.getByRole("button", { name: "Add a condition" }).click();
  await page.getByLabel("Earlier question").selectOption({ label: "Comes" });
  await page.getByLabel("Compared with").selectOption("Yes");
  await page.getByRole("button", { name: "Move Note" }).focus();
  await page.keyboard.press("ArrowUp");
  await page.getByText("Note is now question 4 of 5").waitFor();
  await page.getByRole("textbox", { name: "Message after sending" }).fill("See you there!");
  expect(await findings(page)).toEqual([]);
  await picture(page, "editor");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Come to the party" }).waitFor();
  await picture(page, "member");

  await page.getByRole("button", { name: "Share form" }).click();
  const dialog = page.getByRole("dialog", { name: "Share Reply" });
  await dialog.getByRole("button", { name: "Create public link" }).click();
  const link = await dialog.getByRole("textbox", { name: "Public link of the form" }).inputValue();
  await dialog.getByRole("checkbox", { name: "Other sites may show the form" }).click();
  await dialog.getByRole("textbox", { name: "Code to embed the form" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, "share");
  await page.keyboard.press("Escape");
  await page.goto(`/base/${baseId}/${table.id}?view=${table.views[0]?.id}`);
  await gridReady(page);

  const { context, problems } = await newContext(fixture.browser, testService(), { width: 390, height: 844 });
  const guest = await context.newPage();
  await guest.emulateMedia({ colorScheme: "dark" });
  await guest.goto(link);
  await guest.getByRole("heading", { name: "Come to the party" }).waitFor();
  await guest.getByText("How many of you?").waitFor({ state: "hidden" });
  expect(await findings(guest)).toEqual([]);
  await picture(guest, "public-dark-390");
  await guest.getByLabel("Name").fill("Grace");
  await guest.getByRole("radio", { name: "Yes" }).check();
  await guest.getByLabel("How many of you?").fill("3");
  await guest.getByRole("radio", { name: "4" }).check();
  await picture(guest, "public-filled-dark-390");
  expect(await guest.content()).not.toMatch(/Budget|73217321|Party base/);
  await guest.getByRole("button", { name: "Submit" }).click();
  await guest.getByText("See you there!").waitFor();
  expect(await findings(guest)).toEqual([]);
  await picture(guest, "sent-dark-390");
  expect(problems).toEqual(noProblems);
  await guest.setViewportSize({ width: 1440, height: 900 });
  await guest.emulateMedia({ colorScheme: "light" });
  await guest.goto(link);
  await picture(guest, "public-light-1440");
  await context.close();

  await page.getByText("2 records", { exact: true }).waitFor(); // without a reload
  const rows = await until(
    () => rowsOf(table.id),
    (now) => now.length === 2,
  );
  expect(rows.map((row) => row.fields)).toContainEqual(
    expect.objectContaining({ Name: "Grace", Comes: "Yes", Guests: 3, Rating: 4 }),
  );
  await picture(page, "grid");
});
