import { expect, test } from "vitest";
import { newContext, noProblems, signIn } from "./browser.ts";
import { browserFixture, createTable, gridReady, rowsOf, testService, until } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture("en-US");

const before = "# Plan\n* one\n* two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";

async function notesTable(Notes: string) {
  const { baseId, table } = await createTable(
    "Notes",
    [
      { name: "Name", type: "text" },
      { name: "Notes", type: "long_text", config: { format: "markdown" } },
    ],
    [{ Name: "Roof", Notes }],
  );
  const [row] = await rowsOf(table.id);
  return { table, path: `/base/${baseId}/${table.id}?record=${row!.id}` };
}

const notesOf = async (tableId: string) => (await rowsOf(tableId))[0]?.fields.Notes;

test("long texts are edited as they look, and what was not edited stays as it was written", async () => {
  const { page } = fixture;
  const { table, path } = await notesTable(before);
  await page.goto(path);
  const notes = page.getByRole("textbox", { name: "Notes" });
  await notes.getByRole("heading", { name: "Plan" }).waitFor();
  await notes.getByText("| 1 | 2 |").waitFor(); // a table is shown as it is written

  // A look changes nothing.
  await notes.getByText("two").click();
  await page.getByLabel("Name", { exact: true }).focus();
  await page.waitForTimeout(500);
  expect(await notesOf(table.id)).toBe(before);

  await notes.getByText("two").click();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("three ");
  await page.keyboard.press("Control+b");
  await page.keyboard.type("2 * 3");
  await page.getByLabel("Name", { exact: true }).focus();
  const after = before.replace("\n* one\n* two\n", "\n\n- one\n- two\n- three **2 \\* 3**\n");
  expect(
    await until(
      () => notesOf(table.id),
      (text) => text === after,
    ),
  ).toBe(after);
  await page.getByRole("toolbar", { name: "Formatting" }).getByRole("button", { name: "Bold" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, "richtext");
});

test("the toolbar formats, links are checked, and the text can be edited as Markdown", async () => {
  const { page } = fixture;
  const { table, path } = await notesTable("nails");
  await page.goto(path);
  const notes = page.getByRole("textbox", { name: "Notes" });
  const bar = page.getByRole("toolbar", { name: "Formatting" });
  await notes.getByText("nails").click();
  await bar.getByRole("button", { name: "Checklist" }).click();
  await page.keyboard.press("Control+a");
  await bar.getByRole("button", { name: "Link", exact: true }).click();
  const address = page.getByLabel("Address of the link");
  await address.fill("javascript:alert(1)");
  await address.press("Enter");
  await page.getByText("A link begins with https://").waitFor();
  await address.fill("example.com/nails");
  await address.press("Enter");
  await notes.getByRole("link", { name: "nails" }).waitFor();
  await notes.getByRole("checkbox").check();
  await page.getByLabel("Name", { exact: true }).focus();
  const linked = "- [x] [nails](https://example.com/nails)";
  expect(
    await until(
      () => notesOf(table.id),
      (text) => text === linked,
    ),
  ).toBe(linked);

  await page.getByRole("button", { name: "Edit as Markdown" }).click();
  const written = page.getByRole("textbox", { name: "Notes" });
  expect(await written.inputValue()).toBe(linked);
  await written.fill(`${linked}\n\n<b>kept</b>`);
  await page.getByRole("button", { name: "Edit formatted" }).click();
  await notes.getByText("<b>kept</b>").waitFor();
  await until(
    () => notesOf(table.id),
    (text) => text === `${linked}\n\n<b>kept</b>`,
  );

  // The panel is left while the text is edited: nothing is lost.
  await notes.getByText("<b>kept</b>").click();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  await page.keyboard.type(" today");
  await page.keyboard.press("Escape");
  await until(
    () => notesOf(table.id),
    (text) => String(text).includes("today"),
  );
  expect(await notesOf(table.id)).toContain("<b>kept</b>");
});

test("a field of long texts becomes one of formatted texts in its dialog", async () => {
  const { page } = fixture;
  const fields = [
    { name: "Name", type: "text" },
    { name: "Notes", type: "long_text" },
  ];
  const { baseId, table } = await createTable("Plain", fields, [{ Name: "Roof", Notes: "**Buy** nails" }]);
  const [row] = await rowsOf(table.id);
  await page.goto(`/base/${baseId}/${table.id}?record=${row!.id}`);
  const notes = page.getByRole("textbox", { name: "Notes" });
  await notes.waitFor();
  expect(await notes.inputValue()).toBe("**Buy** nails");
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  await page.mouse.click(box.x + 52 + 220 + 80, box.y + 19, { button: "right" });
  await page.getByRole("menuitem", { name: "Edit field" }).click();
  await page.getByLabel("Format").selectOption({ label: "Formatted text (Markdown)" });
  await page.getByRole("button", { name: "Save field" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.goto(`/base/${baseId}/${table.id}?record=${row!.id}`);
  await notes.locator("strong", { hasText: "Buy" }).waitFor();
});

test("formatted texts fit a phone, in the dark", async () => {
  const service = testService();
  const narrow = { width: 390, height: 844, dark: true, locale: "en-US" };
  const { context, problems } = await newContext(fixture.browser, service, narrow);
  const page = await signIn(context, service.email, service.password);
  const { path } = await notesTable("# Plan\n\nBuy **two** `nails`\n\n- [ ] today\n- [x] yesterday\n\n> so it is");
  await page.goto(path);
  await page.getByRole("textbox", { name: "Notes" }).getByText("Plan").waitFor();
  await picture(page, "richtext-390");
  expect(await findings(page)).toEqual([]);
  expect(problems).toEqual(noProblems);
  await context.close();
});
