import { expect, test } from "vitest";
import { newContext, noProblems, signIn } from "./browser.ts";
import { browserFixture, call, clickCell, createTable, gridReady, rowsOf, testService } from "./fixture.ts";
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

test("times are shown, typed and placed by the clock that a person chose", async () => {
  const { page } = fixture;
  const month = new Date().toISOString().slice(0, 7);
  const { baseId, table } = await createTable(
    "Calls",
    [
      { name: "Name", type: "text" },
      { name: "At", type: "datetime" },
      { name: "There", type: "datetime", config: { timeZone: "Europe/Oslo" } },
    ],
    [{ Name: "Kick-off", At: `${month}-15T20:00:00Z`, There: `${month}-15T20:00:00Z` }],
  );
  const gallery = await call<{ id: string }>("POST", `/tables/${table.id}/views`, { type: "gallery" });
  const days = { type: "calendar", config: { startFieldId: "At" } };
  const calendar = await call<{ id: string }>("POST", `/tables/${table.id}/views`, days);
  const cards = `/base/${baseId}/${table.id}?view=${gallery.body.id}`;
  await page.goto(cards);
  await page.getByText(`${month}-15 20:00`).waitFor();

  await page.goto("/settings/profile");
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await picture(page, "time-zone", { fullPage: true });
  await expect
    .poll(async () => page.evaluate(() => localStorage.getItem("rowhouse.locale")))
    .toContain(`"timeZone":"Asia/Tokyo"`);
  await page.goto(cards);
  await page.getByText(`${month}-16 05:00`).waitFor();
  await page.getByText(new RegExp(`^${month}-15 2[12]:00$`)).waitFor();

  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await clickCell(page, [200, 170], 1, 0);
  await page.keyboard.type(`${month}-18 06:30`);
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await rowsOf(table.id))[0]?.fields.At).toBe(`${month}-17T21:30:00.000Z`);
  await page.goto(`/base/${baseId}/${table.id}?view=${calendar.body.id}`);
  await page.getByRole("button", { name: /^Kick-off.*\b18\b.*6:30/ }).waitFor();
  await picture(page, "time-zone-calendar");

  await page.goto("/settings/profile");
  await page.getByLabel("Time zone").selectOption("");
  await expect
    .poll(async () => page.evaluate(() => localStorage.getItem("rowhouse.locale")))
    .toContain(`"timeZone":""`);
});
