import { expect, test } from "vitest";
import { newContext, noProblems, signIn } from "./browser.ts";
import { browserFixture, call, createTable, testService } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();

test("numbers and dates are written as a person chose, in every browser of theirs", async () => {
  const { page } = fixture;
  const service = testService();
  const { baseId, table } = await createTable(
    "Invoices",
    [
      { name: "Name", type: "text" },
      { name: "Sum", type: "number", config: { thousands: true, precision: 2 } },
      { name: "Due", type: "date", config: { dateFormat: "local" } },
    ],
    [{ Name: "Oak", Sum: 1234567.5, Due: "2026-12-24" }],
  );
  const gallery = await call<{ id: string }>("POST", `/tables/${table.id}/views`, { type: "gallery", name: "Cards" });
  const cards = `/base/${baseId}/${table.id}?view=${gallery.body.id}`;
  await page.goto(cards);
  await page.getByText("1,234,567.50").waitFor();

  await page.goto("/settings/profile");
  const choice = page.getByLabel("Written as in");
  await choice.selectOption({ label: "German (Germany)" });
  await page.getByText("24.12.26, 18:30 · 1.234.567,89").waitFor();
  await picture(page, "preference", { fullPage: true });
  expect(await findings(page)).toEqual([]);
  await page.goto(cards);
  await page.getByText("1.234.567,50").waitFor();
  await page.getByText("24.12.2026").waitFor();

  const { context, problems } = await newContext(fixture.browser, service);
  const other = await signIn(context, service.email, service.password);
  await other.goto(cards);
  await other.getByText("1.234.567,50").waitFor();
  expect(problems).toEqual(noProblems);
  await context.close();

  const view = { type: "calendar", name: "Month", config: { startFieldId: "Due" } };
  const calendar = await call<{ id: string }>("POST", `/tables/${table.id}/views`, view);
  const firstDay = async (chosen: string) => {
    await page.goto("/settings/profile");
    await page.getByLabel("Weeks begin on").selectOption(chosen);
    await expect
      .poll(async () => page.evaluate(() => localStorage.getItem("rowhouse.locale")))
      .toContain(`"firstDay":"${chosen}"`);
    await page.goto(`/base/${baseId}/${table.id}?view=${calendar.body.id}`);
    return page.getByText(/^(Sun|Mon|Sat)$/).first().textContent();
  };
  expect(await firstDay("sunday")).toBe("Sun");
  expect(await firstDay("saturday")).toBe("Sat");
  expect(await firstDay("")).toBe("Mon"); // as in Germany

  await page.goto("/settings/profile");
  await choice.selectOption("");
  await page.getByText("12/24/26, 6:30 PM · 1,234,567.89").waitFor();
});
