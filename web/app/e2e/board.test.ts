import { expect, test } from "vitest";
import { newContext, noProblems, signIn } from "./browser.ts";
import { browserFixture, call, createTable, testService, until, type View } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture("en-US");

test("the columns of a board have limits, which follow their options, and sums of their cards", async () => {
  const { page } = fixture;
  const service = testService();
  const options = ["Open", "Doing", "Done"].map((name) => ({ name }));
  const { baseId, table } = await createTable(
    "Work",
    [
      { name: "Name", type: "text" },
      { name: "State", type: "single_select", config: { options } },
      { name: "Hours", type: "number" },
    ],
    [
      { Name: "Roof", State: "Doing", Hours: 1200 },
      { Name: "Wall", State: "Doing", Hours: 34.5 },
      { Name: "Door", State: "Open", Hours: 3 },
    ],
  );
  const state = table.fields.find((field) => field.name === "State")!;
  const body = { type: "kanban", name: "Board", config: { stackFieldId: state.id } };
  const { id } = (await call<{ id: string }>("POST", `/tables/${table.id}/views`, body)).body;
  await page.goto(`/base/${baseId}/${table.id}?view=${id}`);
  const doing = page.getByRole("region", { name: "Doing" });
  await doing.getByText("Roof").waitFor();

  await doing.getByRole("button", { name: "Column Doing" }).click();
  await page.getByRole("menuitem", { name: "Hours" }).click();
  await doing.getByText("1,234.5").waitFor();
  await page.getByRole("region", { name: "Open" }).getByText("Sum · Hours").waitFor();

  await doing.getByRole("button", { name: "Column Doing" }).click();
  await page.getByRole("menuitem", { name: "Limit the cards…" }).click();
  const limit = page.getByLabel("At most this many cards");
  await limit.fill("none");
  await limit.press("Enter");
  await page.getByText("A limit is a whole number from 1 to 100000.").waitFor();
  await limit.fill("2");
  await limit.press("Enter");
  await doing.getByText("2/2").waitFor();

  // A third card is taken, and the column says that it has too many.
  await page.getByRole("button", { name: "Move Door" }).click();
  await page.getByRole("menuitem", { name: "Doing" }).click();
  await doing.getByText("3/2").waitFor();
  expect(await doing.getByText("3 of at most 2. Over its limit").count()).toBe(1);
  await doing.getByText("1,237.5").waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, "board-1440");

  const renamed = options.map(({ name }) => (name === "Doing" ? { name: "Under way", previousName: name } : { name }));
  await call("PATCH", `/fields/${state.id}`, { config: { options: renamed } });
  await page.getByRole("region", { name: "Under way" }).getByText("3/2").waitFor();
  const saved = await until(
    async () => (await call<View & { config: Record<string, unknown> }>("GET", `/views/${id}`)).body.config,
    (config) => JSON.stringify(config).includes("Under way"),
  );
  expect(saved.stackLimits).toEqual([{ fieldId: state.id, value: "Under way", limit: 2 }]);

  const narrow = await newContext(fixture.browser, service, { width: 390, height: 844, dark: true, locale: "en-US" });
  const phone = await signIn(narrow.context, service.email, service.password);
  await phone.goto(`/base/${baseId}/${table.id}?view=${id}`);
  await phone.getByRole("region", { name: "Under way" }).getByText("3/2").waitFor();
  await phone.getByText("1,237.5").waitFor();
  await picture(phone, "board-390");
  expect(await findings(phone)).toEqual([]);
  expect(narrow.problems).toEqual(noProblems);
  await narrow.context.close();
});
