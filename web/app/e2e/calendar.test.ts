import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { newContext, noProblems, signIn } from "./browser.ts";
import { browserFixture, call, createTable, rowsOf, testService } from "./fixture.ts";
import { join } from "./join.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture("en-GB");
const now = new Date("2026-05-13T09:20:00Z"); // a Wednesday
const hour = 48; // pixels

type Stored = { id: string; config: { calendarScale?: string } };

/** A table of meetings with an end, and a calendar of it. */
async function meetings(rows: Record<string, unknown>[]) {
  const { baseId, table } = await createTable(
    "Meeting",
    [
      { name: "Name", type: "text" },
      { name: "From", type: "datetime" },
      { name: "To", type: "datetime" },
      { name: "Kind", type: "single_select", config: { options: ["Client", "Team", "Own"] } },
    ],
    rows,
  );
  const view = await call<Stored>("POST", `/tables/${table.id}/views`, {
    type: "calendar",
    name: "Calendar",
    config: { startFieldId: "From", endFieldId: "To", colorFieldId: "Kind" },
  });
  const path = `/base/${baseId}/${table.id}?view=${view.body.id}`;
  const timesOf = async (name: string) => {
    const row = (await rowsOf(table.id)).find(({ fields }) => fields.Name === name);
    return [row?.fields.From, row?.fields.To].map((moment) =>
      typeof moment === "string" ? moment.replace(".000Z", "Z") : null,
    );
  };
  /** Waits until a record has its two moments. */
  const stands = async (name: string, from: string, to: string | null) => {
    await expect.poll(() => timesOf(name), { timeout: 10_000 }).toEqual([from, to]);
  };
  return { baseId, table, viewId: view.body.id, path, timesOf, stands };
}

async function open(page: Page, path: string, scale?: "Week" | "Day") {
  await page.clock.setFixedTime(now);
  await page.goto(path);
  if (scale) await page.getByRole("button", { name: scale, exact: true }).click();
}

const entry = (page: Page, name: string) => page.getByRole("button", { name: new RegExp(`^${name} ?, `) });

/** Drags from a place in an element by some pixels, with stops on the way. */
async function drag(what: Locator, [px, py]: [number, number], [dx, dy]: [number, number]) {
  const page = what.page();
  const box = (await what.boundingBox())!;
  const [x, y] = [box.x + box.width * px, box.y + box.height * py];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx / 2, y + dy / 2, { steps: 3 });
  await page.mouse.move(x + dx, y + dy, { steps: 3 });
  await page.mouse.up();
}

const columnWidth = async (page: Page) => (await page.locator("[data-hours]").first().boundingBox())!.width;

const week = [
  { Name: "Planning", From: "2026-05-11T09:00:00Z", To: "2026-05-11T10:30:00Z", Kind: "Team" },
  { Name: "Review", From: "2026-05-13T10:00:00Z", To: "2026-05-13T11:00:00Z", Kind: "Client" },
  { Name: "Overlap", From: "2026-05-13T10:30:00Z", To: "2026-05-13T12:00:00Z", Kind: "Own" },
  { Name: "Third", From: "2026-05-13T10:45:00Z", To: "2026-05-13T11:30:00Z", Kind: "Team" },
  { Name: "Call", From: "2026-05-14T14:10:00Z", Kind: "Client" },
  { Name: "Quick", From: "2026-05-14T13:30:00Z", To: "2026-05-14T13:45:00Z", Kind: "Own" },
  { Name: "Night shift", From: "2026-05-14T22:00:00Z", To: "2026-05-15T02:00:00Z", Kind: "Team" },
  { Name: "Conference", From: "2026-05-12T08:00:00Z", To: "2026-05-14T17:00:00Z", Kind: "Client" },
];

test("a calendar shows a month, a week or a day, and keeps that", async () => {
  const { page } = fixture;
  const { path, viewId } = await meetings(week);
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, path);
  await entry(page, "Review").waitFor();
  await page.getByRole("heading", { name: "May 2026" }).waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, "calendar-month-light-1440");
  // What takes several days is one bar.
  const day = (await page.getByRole("listitem", { name: "2026-05-12" }).boundingBox())!;
  const conference = (await entry(page, "Conference").boundingBox())!;
  expect(conference.width).toBeGreaterThan(day.width * 2.8);

  await page.getByRole("button", { name: "Week", exact: true }).click();
  await page.getByRole("heading", { name: /May 11 – 17, 2026/ }).waitFor();
  expect(await page.getByRole("button", { name: "Week", exact: true }).getAttribute("aria-pressed")).toBe("true");
  const kept = async () => (await call<Stored>("GET", `/views/${viewId}`)).body.config.calendarScale;
  await expect.poll(kept).toBe("week");
  await entry(page, "Third").waitFor();
  const boxes = await Promise.all(["Review", "Overlap", "Third"].map((name) => entry(page, name).boundingBox()));
  const [review, overlap, third] = boxes.map((box) => box!);
  expect(review!.height).toBeCloseTo(hour - 1, 0);
  expect(overlap!.y - review!.y).toBeCloseTo(hour / 2, 0);
  expect(overlap!.x).toBeGreaterThanOrEqual(review!.x + review!.width);
  expect(third!.x).toBeGreaterThanOrEqual(overlap!.x + overlap!.width);
  expect(await entry(page, "Night shift").count()).toBe(2);
  expect(await page.locator("[data-now]").count()).toBe(1);
  // It begins with the morning.
  const eight = await page.getByRole("group", { name: "Records by their hours" }).evaluate((box) => box.scrollTop);
  expect(eight).toBe(8 * hour - 12);
  expect(await findings(page)).toEqual([]);
  await picture(page, "calendar-week-light-1440");

  await page.getByRole("button", { name: "Next week" }).click();
  await page.getByRole("heading", { name: /May 18 – 24, 2026/ }).waitFor();
  await expect.poll(() => entry(page, "Review").count()).toBe(0);
  await page.getByRole("button", { name: "Today" }).click();
  await page.getByRole("button", { name: "Day", exact: true }).click();
  await page.getByRole("heading", { name: "Wednesday, May 13, 2026" }).waitFor();
  await expect.poll(() => entry(page, "Planning").count()).toBe(0);
  await entry(page, "Review").waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, "calendar-day-light-1440");
  await page.getByRole("button", { name: "Previous day" }).click();
  await page.getByRole("heading", { name: "Tuesday, May 12, 2026" }).waitFor();
  // A page that is opened again shows what the view keeps.
  await expect.poll(kept).toBe("day");
  await page.reload();
  await page.getByRole("heading", { name: "Wednesday, May 13, 2026" }).waitFor();
});

test("entries are dragged to another hour and made longer, by mouse and by keys", async () => {
  const { page } = fixture;
  const { path, stands } = await meetings(week);
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, path, "Week");
  const width = await columnWidth(page);

  // To another day and hour: it stays as long as it was, and one undo brings both ends back.
  await drag(entry(page, "Planning"), [0.4, 0.3], [width, 2.5 * hour]);
  await stands("Planning", "2026-05-12T11:30:00Z", "2026-05-12T13:00:00Z");
  await page.keyboard.press("Control+z");
  await stands("Planning", "2026-05-11T09:00:00Z", "2026-05-11T10:30:00Z");
  // One that has no end gets none, and snaps to a quarter of an hour.
  await drag(entry(page, "Call"), [0.4, 0.3], [0, -hour]);
  await stands("Call", "2026-05-14T13:15:00Z", null);
  // Escape gives a drag up.
  const box = (await entry(page, "Review").boundingBox())!;
  await page.mouse.move(box.x + 10, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 10, box.y + 100, { steps: 4 });
  await picture(page, "calendar-drag-light-1440");
  await page.keyboard.press("Escape");
  await page.mouse.up();
  expect(await page.getByRole("dialog", { name: "Review" }).count()).toBe(0);

  // The lower edge.
  await drag(entry(page, "Planning"), [0.5, 0.97], [0, 1.25 * hour]);
  await stands("Planning", "2026-05-11T09:00:00Z", "2026-05-11T11:45:00Z");
  await drag(entry(page, "Call"), [0.5, 0.97], [0, hour / 2]);
  await stands("Call", "2026-05-14T13:15:00Z", "2026-05-14T14:45:00Z");
  await stands("Review", "2026-05-13T10:00:00Z", "2026-05-13T11:00:00Z");

  // What takes whole days stands over the hours, and its last day is dragged.
  await drag(entry(page, "Conference"), [0.99, 0.5], [width, 0]);
  await stands("Conference", "2026-05-12T08:00:00Z", "2026-05-15T17:00:00Z");
  await drag(entry(page, "Conference"), [0.5, 0.5], [-width, 0]);
  await stands("Conference", "2026-05-11T08:00:00Z", "2026-05-14T17:00:00Z");

  // By keys; the entry keeps the focus, also where the calendar turns to follow it.
  await entry(page, "Planning").focus();
  await page.keyboard.press("Shift+ArrowDown");
  await stands("Planning", "2026-05-11T09:15:00Z", "2026-05-11T12:00:00Z");
  await page.keyboard.press("Control+Shift+ArrowUp");
  await stands("Planning", "2026-05-11T09:15:00Z", "2026-05-11T11:45:00Z");
  await page.keyboard.press("Shift+ArrowRight");
  await stands("Planning", "2026-05-12T09:15:00Z", "2026-05-12T11:45:00Z");
  await page.keyboard.press("Shift+ArrowLeft");
  await stands("Planning", "2026-05-11T09:15:00Z", "2026-05-11T11:45:00Z");
  await page.keyboard.press("Shift+ArrowLeft");
  await stands("Planning", "2026-05-10T09:15:00Z", "2026-05-10T11:45:00Z");
  await page.getByRole("heading", { name: /May 4 – 10, 2026/ }).waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.firstElementChild?.textContent), { timeout: 5000 })
    .toBe("Planning, May 10, 2026, 09:15 – 11:45");
  expect(await page.getByText("Planning: May 10, 2026, 09:15 – 11:45").count()).toBe(1);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Planning" }).waitFor();
  await page.keyboard.press("Escape");

  // In a month: days by drag, the last day by the right edge, and both by keys.
  await page.getByRole("button", { name: "Month", exact: true }).click();
  await page.getByRole("heading", { name: "May 2026" }).waitFor();
  await entry(page, "Review").dragTo(page.getByRole("listitem", { name: "2026-05-19" }));
  await stands("Review", "2026-05-19T10:00:00Z", "2026-05-19T11:00:00Z");
  const cell = (await page.getByRole("listitem", { name: "2026-05-19" }).boundingBox())!;
  await drag(entry(page, "Review"), [0.98, 0.5], [2 * cell.width, 0]);
  await stands("Review", "2026-05-19T10:00:00Z", "2026-05-21T11:00:00Z");
  await entry(page, "Review").focus();
  await page.keyboard.press("Shift+ArrowUp");
  await stands("Review", "2026-05-12T10:00:00Z", "2026-05-14T11:00:00Z");
  await page.keyboard.press("Control+Shift+ArrowLeft");
  await stands("Review", "2026-05-12T10:00:00Z", "2026-05-13T11:00:00Z");
});

test("a click on an empty hour or day makes a record there", async () => {
  const { page } = fixture;
  const { path, table, stands } = await meetings([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, path, "Week");
  const friday = page.locator("[data-hours]").nth(4);
  await friday.click({ position: { x: 40, y: 14.6 * hour } });
  const dialog = page.getByRole("dialog", { name: "New record" });
  await dialog.getByLabel("Name", { exact: true }).fill("Clicked");
  expect(await dialog.getByLabel("From", { exact: true }).inputValue()).toBe("2026-05-15T14:30");
  await dialog.getByRole("button", { name: "Create record" }).click();
  await entry(page, "Clicked").waitFor();
  await stands("Clicked", "2026-05-15T14:30:00Z", null);

  // A drag over hours gives it an end.
  const box = (await friday.boundingBox())!;
  await page.mouse.move(box.x + 40, box.y + 10 * hour + 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 40, box.y + 11.75 * hour, { steps: 4 });
  await page.mouse.up();
  await dialog.getByLabel("Name", { exact: true }).fill("Drawn");
  await dialog.getByRole("button", { name: "Create record" }).click();
  await stands("Drawn", "2026-05-15T10:00:00Z", "2026-05-15T11:45:00Z");

  await page.getByRole("button", { name: "Add a record on 2026-05-12" }).click();
  expect(await dialog.getByLabel("From", { exact: true }).inputValue()).toBe("2026-05-12T12:00");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Month", exact: true }).click();
  await page.getByRole("listitem", { name: "2026-05-20" }).click();
  expect(await dialog.getByLabel("From", { exact: true }).inputValue()).toBe("2026-05-20T12:00");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect((await rowsOf(table.id)).length).toBe(2);
});

test("a week of dates has their days as columns", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(
    "Trip",
    [
      { name: "Name", type: "text" },
      { name: "Out", type: "date" },
      { name: "Back", type: "date" },
    ],
    [
      { Name: "Oslo", Out: "2026-05-12", Back: "2026-05-14" },
      { Name: "Bergen", Out: "2026-05-13" },
    ],
  );
  const config = { startFieldId: "Out", endFieldId: "Back", calendarScale: "week" };
  const view = await call<Stored>("POST", `/tables/${table.id}/views`, { type: "calendar", config });
  await page.setViewportSize({ width: 1280, height: 820 });
  await open(page, `/base/${baseId}/${table.id}?view=${view.body.id}`);
  await entry(page, "Oslo").waitFor();
  expect(await page.locator("[data-hours]").count()).toBe(0);
  const daysOf = async (name: string) => {
    const { fields } = (await rowsOf(table.id)).find((row) => row.fields.Name === name)!;
    return [fields.Out, fields.Back];
  };
  const cell = (await page.getByRole("listitem", { name: "2026-05-13" }).boundingBox())!;
  await drag(entry(page, "Oslo"), [0.98, 0.5], [cell.width, 0]);
  await expect.poll(() => daysOf("Oslo")).toEqual(["2026-05-12", "2026-05-15"]);
  await drag(entry(page, "Bergen"), [0.5, 0.5], [2 * cell.width, 0]);
  await expect.poll(() => daysOf("Bergen")).toEqual(["2026-05-15", null]);
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Day", exact: true }).click();
  await entry(page, "Oslo").waitFor();
  await expect.poll(() => entry(page, "Bergen").count()).toBe(0);
});

test("who may not edit drags nothing, and chooses a scale for themselves", async () => {
  const { page } = fixture;
  const { baseId, path, viewId, timesOf } = await meetings(week);
  const { context, problems } = await newContext(fixture.browser, testService(), { locale: "en-US" });
  const guest = `Reader ${Date.now()}`;
  await page.setViewportSize({ width: 1280, height: 820 });
  const reader = await join(page, context, "guest", guest);
  const { id } = await reader.evaluate(async () => (await (await fetch("/api/v1/me")).json()) as { id: string });
  const given = await call("PATCH", `/bases/${baseId}/access`, { grants: [{ userId: id, role: "viewer" }] });
  expect(given.status, JSON.stringify(given.body)).toBe(200);
  await open(reader, path, "Week");
  await entry(reader, "Planning").waitFor();
  const width = await columnWidth(reader);
  await drag(entry(reader, "Planning"), [0.4, 0.3], [width, hour]);
  await entry(reader, "Third").focus();
  await reader.keyboard.press("Shift+ArrowDown");
  await reader.keyboard.press("Control+Shift+ArrowDown");
  expect(await reader.locator("[data-part]").count()).toBe(0);
  expect(await reader.getByRole("button", { name: /^Add a record on/ }).count()).toBe(0);
  await reader.locator("[data-hours]").nth(6).click({ position: { x: 40, y: 12 * hour } });
  await reader.waitForTimeout(300);
  expect(await reader.getByRole("dialog", { name: "New record" }).count()).toBe(0);
  expect(await timesOf("Planning")).toEqual(["2026-05-11T09:00:00Z", "2026-05-11T10:30:00Z"]);
  expect(await timesOf("Third")).toEqual(["2026-05-13T10:45:00Z", "2026-05-13T11:30:00Z"]);
  expect((await call<Stored>("GET", `/views/${viewId}`)).body.config.calendarScale).toBeUndefined();
  expect(problems).toEqual(noProblems);
  await context.close();
});

test("a calendar is used on a narrow screen, and by finger", async () => {
  const { path, stands, viewId } = await meetings(week);
  const look = { width: 390, height: 844, dark: true, locale: "en-US" };
  const { context, problems } = await newContext(fixture.browser, testService(), look);
  const phone = await signIn(context, testService().email, testService().password);
  await open(phone, path);
  await entry(phone, "Review").waitFor();
  const fits = async (name: string) => {
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await findings(phone)).toEqual([]);
    await picture(phone, `calendar-${name}-dark-390`);
  };
  await fits("month");
  await phone.getByRole("button", { name: "Week", exact: true }).click();
  await entry(phone, "Third").waitFor();
  await fits("week");
  await phone.getByRole("button", { name: "Day", exact: true }).click();
  await expect.poll(() => entry(phone, "Planning").count()).toBe(0);
  await fits("day");

  // A finger that rests on an entry drags it; one that moves at once scrolls.
  const fingers = await context.newCDPSession(phone);
  const touch = async (rest: number) => {
    const box = (await entry(phone, "Overlap").boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + 12];
    const at = (by: number) => ({ touchPoints: [{ x, y: y + by }] });
    await fingers.send("Input.dispatchTouchEvent", { type: "touchStart", ...at(0) });
    await phone.waitForTimeout(rest);
    for (const part of [0.25, 0.5, 0.75, 1])
      await fingers.send("Input.dispatchTouchEvent", { type: "touchMove", ...at(part * hour) });
    await fingers.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  await touch(600);
  await stands("Overlap", "2026-05-13T11:30:00Z", "2026-05-13T13:00:00Z");
  await touch(0);
  await phone.waitForTimeout(300);
  await stands("Overlap", "2026-05-13T11:30:00Z", "2026-05-13T13:00:00Z");
  expect((await call<Stored>("GET", `/views/${viewId}`)).body.config.calendarScale).toBe("day");
  expect(problems).toEqual(noProblems);
  await context.close();
});
