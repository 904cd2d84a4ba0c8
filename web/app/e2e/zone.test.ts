import {
  type CalendarDate,
  now,
  parseDate,
  parseTime,
  toCalendarDate,
  toCalendarDateTime,
  toZoned,
} from "@internationalized/date";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newContext, noProblems, signIn } from "./browser.ts";
import {
  browserFixture,
  call,
  clickCell,
  createTable,
  gridReady,
  rowsOf,
  testService,
  until,
  type View,
} from "./fixture.ts";

const fixture = browserFixture();
const widths = [220, 130, 180, 180];
const dayIn = (zone: string) => toCalendarDate(now(zone));

/** A zone in which it is another day than in the browser's, and is for a while. */
function zoneAwayFrom(browser: string): string {
  const found = ["Pacific/Pago_Pago", "Pacific/Apia"].find(
    (zone) => dayIn(zone).compare(dayIn(browser)) !== 0 && now(zone).hour * 60 + now(zone).minute < 23 * 60 + 50,
  );
  return found ?? "Pacific/Honolulu";
}

/** The moment at which a clock in a zone shows a day and a time, as the service writes it. */
const momentAt = (day: CalendarDate, time: string, zone: string) =>
  toZoned(toCalendarDateTime(day, parseTime(time)), zone).toDate().toISOString();

/** A moment as a clock in a zone shows it, in the default format. */
function shownIn(moment: string, zone: string): string {
  const options = { timeZone: zone, dateStyle: "short", timeStyle: "short" } as const;
  return new Intl.DateTimeFormat("sv-SE", options).format(new Date(moment));
}

const named = (n: number) => `day ${n < 0 ? "minus" : "plus"} ${Math.abs(n)}`;

/** Waits until the grid shows the records of these names, and fails if it does not. */
async function shows(page: Page, names: string[], message: string) {
  const canvas = page.getByTestId("data-grid-canvas");
  const list = async () => ((await canvas.textContent()) ?? "").match(/day (?:minus|plus) \d/g) ?? [];
  await expect.poll(list, { message, timeout: 15_000 }).toEqual(names);
}

test.each(["Pacific/Kiritimati", "America/Santiago"])(
  "days and times are those of the base in a browser in %s",
  { timeout: 300_000 },
  async (timezoneId) => {
    const service = testService();
    const zone = zoneAwayFrom(timezoneId);
    const today = dayIn(zone);
    const rows = Array.from({ length: 17 }, (_, index) => {
      const day = today.add({ days: index - 8 });
      return { Name: named(index - 8), Day: day.toString(), At: momentAt(day, "23:30", zone) };
    });
    const names = rows.map(({ Name }) => Name);
    const { baseId, table } = await createTable("Days", [
      { name: "Name", type: "text" },
      { name: "Day", type: "date" },
      { name: "At", type: "datetime" },
      { name: "Made", type: "created_time" },
    ]);
    expect((await call("PATCH", `/bases/${baseId}`, { timeZone: zone })).status).toBe(200);
    const records = rows.map((fields) => ({ fields }));
    expect((await call("POST", `/tables/${table.id}/records`, { records })).status).toBe(200);
    const { context, problems } = await newContext(fixture.browser, service, { timezoneId });
    try {
      const page = await signIn(context, service.email, service.password);
      expect(await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)).toBe(timezoneId);
      await page.goto(`/base/${baseId}/${table.id}`);
      await gridReady(page);
      const canvas = page.getByTestId("data-grid-canvas");

      // Relative days.
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await page.getByRole("button", { name: "Add condition" }).click();
      const operator = page.getByLabel("Operator", { exact: true });
      const value = page.getByLabel("Value", { exact: true });
      for (const field of ["Day", "At"]) {
        await page.getByLabel("Field", { exact: true }).selectOption({ label: field });
        await operator.selectOption("eq");
        for (const [day, n] of [["today", 0], ["yesterday", -1], ["tomorrow", 1]] as const) {
          await value.first().selectOption(day);
          await shows(page, [named(n)], `${field} is ${day}`);
        }
        await operator.selectOption("is_within"); // the past seven days
        await shows(page, names.slice(1, 9), `${field} is within a week`);
      }
      await page.getByRole("button", { name: "Remove condition" }).click();
      await page.keyboard.press("Escape");
      await shows(page, names, "without a condition");

      // Typed days and times, in the grid and in the panel.
      await clickCell(page, widths, 1, 0);
      await page.keyboard.type("2026-01-31");
      await page.keyboard.press("Enter");
      await clickCell(page, widths, 2, 0);
      await page.keyboard.type("2026-01-31 23:30");
      await page.keyboard.press("Enter");
      const first = async () => (await rowsOf(table.id))[0]?.fields;
      const typed = { Day: "2026-01-31", At: momentAt(parseDate("2026-01-31"), "23:30", zone) };
      expect(await until(first, (fields) => fields?.At === typed.At)).toMatchObject(typed);
      const { id, createdTime } = (await rowsOf(table.id))[0] as unknown as { id: string; createdTime: string };
      const made = shownIn(createdTime, zone);
      for (const shown of ["2026-01-31 23:30", made]) await expect.poll(() => canvas.textContent()).toContain(shown);
      await page.goto(`/base/${baseId}/${table.id}?record=${id}`);
      const at = page.getByRole("dialog").getByLabel("At", { exact: true });
      await at.waitFor();
      expect(await at.inputValue()).toBe("2026-01-31T23:30");
      await page.getByRole("dialog").getByText(`Created ${made}`).waitFor();
      expect(await page.getByRole("dialog").getByLabel("Made").inputValue()).toBe(made);
      await at.fill("2026-02-01T00:15");
      await at.blur();
      const later = momentAt(parseDate("2026-02-01"), "00:15", zone);
      expect((await until(first, (fields) => fields?.At === later))?.At).toBe(later);

      // The calendar: its today, the days of moments, and a record that is made on a day.
      const view = (await call<View>("POST", `/tables/${table.id}/views`, { type: "calendar", name: "Calendar" })).body;
      await call("PATCH", `/views/${view.id}`, { config: { startFieldId: table.fields[2]?.id } });
      await page.goto(`/base/${baseId}/${table.id}?view=${view.id}`);
      const onToday = page.getByRole("listitem", { name: today.toString(), exact: true });
      await onToday.getByRole("button", { name: named(0) }).waitFor();
      const marked = page.locator("time.bg-accent");
      expect(await marked.evaluateAll((days) => days.map((one) => one.getAttribute("datetime")))).toEqual([
        today.toString(),
      ]);
      await onToday.hover();
      await page.getByRole("button", { name: `Add a record on ${today.toString()}` }).click();
      const dialog = page.getByRole("dialog", { name: "New record" });
      await dialog.getByLabel("Name", { exact: true }).fill("noon");
      expect(await dialog.getByLabel("At", { exact: true }).inputValue()).toBe(`${today.toString()}T12:00`);
      await dialog.getByRole("button", { name: "Create record" }).click();
      await onToday.getByRole("button", { name: "noon" }).waitFor();
      const last = (await rowsOf(table.id)).at(-1)?.fields;
      expect(last).toMatchObject({ Name: "noon", At: momentAt(today, "12:00", zone) });
      expect(problems, "problems of the pages").toEqual(noProblems);
    } finally {
      await context.close();
    }
  },
);
