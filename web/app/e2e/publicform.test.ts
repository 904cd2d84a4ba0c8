import { expect, test } from "vitest";
import { newContext, noProblems } from "./browser.ts";
import { browserFixture, call, createTable, gridReady, rowsOf, testService, until } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();
const fields = [
  { name: "Name", type: "text" },
  { name: "Comes", type: "single_select", config: { options: ["Yes", "No"] } },
  { name: "Guests", type: "number" },
  { name: "Rating", type: "rating" },
  { name: "Note", type: "long_text" },
  { name: "Budget", type: "currency" },
];
const whole = { fullPage: true };

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
  await picture(page, "editor", whole);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Come to the party" }).waitFor();
  await picture(page, "member", whole);

  await page.getByRole("button", { name: "Share form" }).click();
  const dialog = page.getByRole("dialog", { name: "Share Reply" });
  await dialog.getByRole("button", { name: "Create public link" }).click();
  const link = await dialog.getByRole("textbox", { name: "Public link of the form" }).inputValue();
  await dialog.getByRole("checkbox", { name: "Other sites may show the form" }).click();
  await dialog.getByRole("textbox", { name: "Code to embed the form" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, "form-share", whole);
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
  await picture(guest, "public-dark-390", whole);
  await guest.getByLabel("Name").fill("Grace");
  await guest.getByRole("radio", { name: "Yes" }).check();
  await guest.getByLabel("How many of you?").fill("3");
  await guest.getByRole("radio", { name: "4" }).check();
  await picture(guest, "public-filled-dark-390", whole);
  expect(await guest.content()).not.toMatch(/Budget|73217321|Party base/);
  await guest.getByRole("button", { name: "Submit" }).click();
  await guest.getByText("See you there!").waitFor();
  expect(await findings(guest)).toEqual([]);
  await picture(guest, "sent-dark-390", whole);
  expect(problems).toEqual(noProblems);
  await guest.setViewportSize({ width: 1440, height: 900 });
  await guest.emulateMedia({ colorScheme: "light" });
  await guest.goto(link);
  await picture(guest, "public-light-1440", whole);
  await context.close();

  await page.getByText("2 records", { exact: true }).waitFor(); // without a reload
  const rows = await until(
    () => rowsOf(table.id),
    (now) => now.length === 2,
  );
  expect(rows.map((row) => row.fields)).toContainEqual(
    expect.objectContaining({ Name: "Grace", Comes: "Yes", Guests: 3, Rating: 4 }),
  );
  await picture(page, "grid", whole);
});

test("a form has pages, which are answered one after another, by members and by the public", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Course", fields.slice(0, 5));
  const form = await call<{ id: string }>("POST", `/tables/${table.id}/views`, {
    type: "form",
    name: "Sign up",
    config: { requiredFields: ["Name"] },
  });
  const address = `/base/${baseId}/${table.id}?view=${form.body.id}`;
  await page.goto(address);
  await page.getByRole("button", { name: "Edit form" }).click();
  await page.getByRole("button", { name: /^Guests/ }).click();
  await page.getByRole("button", { name: "A new page begins with this question" }).click();
  await page.getByLabel("Title of the page").fill("Your guests");
  await page.getByLabel("Text below the title").fill("For the catering");
  for (const [at, value] of ["Yes", "No"].entries()) {
    await page.getByRole("button", { name: "Add a condition" }).click();
    await page.getByLabel("Earlier question").nth(at).selectOption({ label: "Comes" });
    await page.getByLabel("Compared with").nth(at).selectOption(value);
  }
  await page.getByLabel("How many of the conditions").selectOption("Any of these holds");
  await page.getByRole("button", { name: /^Note/ }).click();
  await page.getByRole("button", { name: "A new page begins with this question" }).click();
  await page.getByLabel("Title of the page").fill("Last words");
  expect(await findings(page)).toEqual([]);
  await picture(page, "pages-editor", whole);
  // A page stays where it is when a question moves across its head.
  await page.getByRole("button", { name: "Move Rating" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.getByText("Rating is now question 4 of 5").waitFor();
  await page.getByRole("button", { name: "Page 3: Last words" }).waitFor();
  await page.getByRole("button", { name: "Save" }).click();

  await page.getByRole("heading", { name: "Sign up" }).nth(1).waitFor();
  await page.getByText("Page 1 of 2", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("This field is required").waitFor();
  await page.getByRole("textbox", { name: "Name" }).fill("Ada");
  await page.getByText("This field is required").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "Last words" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, "pages-member", whole);
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByRole("button", { name: /another/ }).waitFor();

  const share = await call<{ publicShareId: string }>("PUT", `/views/${form.body.id}/share`, {});
  const link = `${testService().baseUrl}/share/${share.body.publicShareId}`;
  for (const [name, size, colorScheme] of [
    ["light-1440", { width: 1440, height: 900 }, "light"],
    ["dark-390", { width: 390, height: 844 }, "dark"],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one person after another
    const { context, problems } = await newContext(fixture.browser, testService(), size);
    const guest = await context.newPage();
    await guest.emulateMedia({ colorScheme });
    await guest.goto(link);
    await guest.getByText("Page 1 of 2").waitFor();
    await guest.getByRole("button", { name: "Next" }).click();
    await guest.getByText("Page 1 of 2").waitFor(); // the name is required
    await guest.getByLabel("Name").fill("Grace");
    await guest.getByLabel("Comes").selectOption("No");
    await guest.getByText("Page 1 of 3").waitFor();
    await guest.keyboard.press("Tab");
    await guest.getByLabel("Name").press("Enter"); // goes on as Next does
    await guest.getByRole("heading", { name: "Your guests" }).waitFor();
    await guest.getByText("Page 2 of 3").waitFor();
    await guest.getByRole("spinbutton", { name: "Guests" }).fill("2");
    expect(await findings(guest)).toEqual([]);
    await picture(guest, `pages-public-${name}`, whole);
    await guest.getByRole("button", { name: "Back" }).click();
    await guest.getByLabel("Comes").selectOption("");
    await guest.getByRole("button", { name: "Next" }).click();
    await guest.getByText("Page 2 of 2").waitFor();
    await guest.getByLabel("Note").fill("See you");
    await guest.getByRole("button", { name: "Submit" }).click();
    await guest.getByText("Thank you").waitFor();
    expect(problems).toEqual(noProblems);
    await context.close();
    // oxlint-enable no-await-in-loop
  }
  const rows = await rowsOf(table.id);
  expect(rows.map((row) => [row.fields.Name, row.fields.Guests, row.fields.Note])).toEqual([
    ["Ada", null, null],
    ["Grace", null, "See you"], // the page of the guests was not asked for in the end
    ["Grace", null, "See you"],
  ]);
});

const filed = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.map(({ id, fields: { Name, Photos } }) => [id, Name, (Photos as { name: string }[]).map((one) => one.name)]);

test("a public form takes files and lets people change their answer, after a preview", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Repairs", [
    { name: "Name", type: "text" },
    { name: "Photos", type: "attachment" },
    { name: "Budget", type: "currency" },
  ]);
  const config = { hiddenFields: [table.fields.find(({ name }) => name === "Budget")?.id] };
  const view = { type: "form", name: "Report", config };
  const form = await call<{ id: string }>("POST", `/tables/${table.id}/views`, view);
  await page.goto(`/base/${baseId}/${table.id}?view=${form.body.id}`);
  await page.getByRole("button", { name: "Edit form" }).click();
  await page.getByRole("button", { name: /^Photos/ }).click();
  await page.getByLabel("Files of these types").selectOption("Images");
  await page.getByLabel("At most so many files").fill("2");
  await page.getByRole("checkbox", { name: "An answer is required" }).check();
  await page.getByRole("checkbox", { name: "People may change their answer" }).check();
  expect(await findings(page)).toEqual([]);
  await picture(page, "files-editor", whole);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Submit" }).waitFor();

  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Preview" }).click();
  const preview = await opened;
  await preview.getByText("This is a preview.", { exact: false }).waitFor();
  expect(await findings(preview)).toEqual([]);
  await preview.getByLabel("Name").fill("Ada");
  await preview.getByRole("button", { name: "Submit" }).click();
  await picture(preview, "preview-1280", whole);
  expect(await rowsOf(table.id)).toEqual([]);
  await preview.close();

  const share = await call<{ publicShareId: string }>("PUT", `/views/${form.body.id}/share`, {});
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const image = (name: string) => ({ name, mimeType: "image/png", buffer: png });
  const { context, problems } = await newContext(fixture.browser, testService(), { width: 390, height: 844 });
  const guest = await context.newPage();
  await guest.goto(`${testService().baseUrl}/share/${share.body.publicShareId}`);
  await guest.getByLabel("Name").fill("Grace");
  await guest.getByRole("button", { name: "Submit" }).click(); // the browser says that a file is missing
  const files = guest.locator("input[type=file]");
  await files.setInputFiles([image("roof.png"), image("door.png")]);
  await guest.getByRole("button", { name: "Remove door.png" }).waitFor();
  await files.setInputFiles([image("window.png")]);
  await guest.getByText("window.png: at most 2 can be sent.").waitFor();
  await guest.getByRole("button", { name: "Remove door.png" }).click();
  expect(await findings(guest)).toEqual([]);
  await picture(guest, "files-light-390", whole);
  await guest.getByRole("button", { name: "Submit" }).click();
  await guest.getByText("Thank you").waitFor();
  expect(await findings(guest)).toEqual([]);
  await picture(guest, "sent-light-390", whole);
  const answers = await rowsOf(table.id);
  expect(filed(answers)).toEqual([[answers[0]?.id, "Grace", ["roof.png"]]]);

  await guest.getByRole("link", { name: "the link to your answer" }).click();
  await guest.getByText("This is your answer as it is now.", { exact: false }).waitFor();
  expect(await guest.getByLabel("Name").inputValue()).toBe("Grace");
  await guest.setViewportSize({ width: 1440, height: 900 });
  await guest.emulateMedia({ colorScheme: "dark" });
  expect(await findings(guest)).toEqual([]);
  await files.setInputFiles([image("window.png")]);
  await guest.getByRole("button", { name: "Remove window.png" }).waitFor();
  await picture(guest, "change-dark-1440", whole);
  await guest.getByLabel("Name").fill("Grace H.");
  await guest.getByRole("button", { name: "Submit" }).click();
  await guest.getByText("Thank you").waitFor();
  expect(problems).toEqual(noProblems);
  await context.close();
  expect(filed(await rowsOf(table.id))).toEqual([[answers[0]?.id, "Grace H.", ["roof.png", "window.png"]]]);
});
