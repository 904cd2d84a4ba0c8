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
  type Table,
  testService,
  until,
} from "./fixture.ts";
import { join } from "./join.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();
const widths = [220, 160];
const fields = [
  { name: "Name", type: "text" },
  { name: "Tons", type: "number", config: { unique: true } },
];
const names = async (table: Table) => (await rowsOf(table.id)).map((row) => row.fields.Name);
const arrived = (all: unknown[]) => all.filter((name) => String(name).startsWith("Renamed")).length;
const list = (page: Page) => page.getByRole("dialog", { name: "Changes that are not saved" });

/** Types a value into the current cell, and goes to the one below. */
async function enter(page: Page, value: string) {
  await page.keyboard.type(value);
  await page.keyboard.press("Enter");
}

test("fifty edits of an hour offline arrive, and those that cannot are told with the reason", async () => {
  const rows = Array.from({ length: 50 }, (_, n) => ({ Name: `Ship ${n}`, Tons: n }));
  const { baseId, table } = await createTable("Ships", fields, rows);
  const service = testService();
  const { context, problems } = await newContext(fixture.browser, service);
  const page = await signIn(context, service.email, service.password);
  await page.clock.install();
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await clickCell(page, widths, 0, 0);
  await context.setOffline(true);
  for (let n = 0; n < 48; n++) {
    // oxlint-disable-next-line no-await-in-loop -- as a person types, who sees what was taken
    await enter(page, `Renamed ${n}`);
    // oxlint-disable-next-line no-await-in-loop
    await page.getByText(n === 0 ? "1 change is kept" : `${n + 1} changes are kept`).waitFor();
  }
  const at = await page.getByTestId("data-grid-canvas").boundingBox();
  await page.mouse.move(at!.x + 200, at!.y + 200);
  await page.mouse.wheel(0, -5000);
  await page.waitForTimeout(1000); // the grid scrolls smoothly, and cells are clicked where they end
  await clickCell(page, widths, 1, 0);
  await enter(page, "3"); // another ship has so many tons
  await clickCell(page, widths, 1, 5);
  await enter(page, "500");
  const state = page.getByRole("button", { name: /connection|changes/ });
  const kept = "No connection. 50 changes are kept.";
  await expect.poll(() => state.allTextContents(), { timeout: 45_000 }).toEqual([kept]);
  await picture(page, "offline");
  await page.getByRole("button", { name: /No connection/ }).click();
  await list(page).getByText("Waiting to be saved").waitFor();
  await picture(page, "offline-list");
  await page.keyboard.press("Escape");
  // Meanwhile somebody else deletes a record, and changes another.
  const [, first, second] = await rowsOf(table.id);
  await call("DELETE", `/records/${first!.id}`);
  await call("PATCH", `/records/${second!.id}`, { fields: { Name: "Theirs" } });
  await page.clock.fastForward("01:00:00");
  await context.setOffline(false);

  const question = page.getByRole("dialog", { name: "was also changed elsewhere" });
  await question.waitFor();
  await picture(page, "conflict");
  await question.getByRole("button", { name: "Use mine" }).click();
  expect(arrived(await until(() => names(table), (all) => arrived(all) === 47, 15_000))).toBe(47);
  await page.getByRole("button", { name: "2 changes were not accepted" }).click();
  const entries = list(page).getByRole("region", { name: "Not accepted" }).getByRole("listitem");
  expect(await entries.count()).toBe(2);
  const texts = (await entries.allTextContents()).join("\n");
  for (const part of ["Tons: 3", "Name: Renamed 1", "The record was deleted"]) expect(texts).toContain(part);
  const heavy = (await rowsOf(table.id)).filter((row) => row.fields.Tons === 500).map((row) => row.fields.Name);
  expect(heavy).toEqual(["Renamed 5"]);
  await picture(page, "refused-list");

  // What the person can do: give one up, and try the other again once nothing is in its way.
  await entries.filter({ hasText: "Name: Renamed 1" }).getByRole("button", { name: "Discard" }).click();
  const taken = (await rowsOf(table.id)).find((row) => row.fields.Tons === 3);
  if (taken) await call("PATCH", `/records/${taken.id}`, { fields: { Tons: 9999 } });
  await entries.first().getByRole("button", { name: "Try again" }).click();
  await list(page).getByText("All changes are saved.").waitFor();
  await page.keyboard.press("Escape");
  const ship = async () => (await rowsOf(table.id)).find((row) => row.fields.Name === "Renamed 0")?.fields.Tons;
  expect(await until(ship, (tons) => tons === 3)).toBe(3);
  expect(problems.violations).toEqual([]);
  await context.close();
});

test("a record made offline shows, takes values, and is made once", async () => {
  const { baseId, table } = await createTable("Piers", fields, [{ Name: "First", Tons: 1 }]);
  const { page, context } = fixture;
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await context.setOffline(true);
  await page.getByRole("button", { name: "New record" }).first().click();
  await page.getByText("2 records").waitFor();
  await clickCell(page, widths, 0, 1);
  await enter(page, "Second");
  await page.getByRole("button", { name: /No connection/ }).waitFor();
  await picture(page, "made-offline");
  await context.setOffline(false);
  const both = await until(
    () => names(table),
    (all) => all.length === 2 && all[1] === "Second",
  );
  expect(both).toEqual(["First", "Second"]);
  await page.getByText("2 records").waitFor();
});

/** Pastes ships with their tons over the only record of a new table, so that all others are new. */
async function paste(name: string, ships: [string, number][]) {
  const { baseId, table } = await createTable(name, fields, [{ Name: "First" }]);
  const { page } = fixture;
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  await clickCell(page, widths, 0, 0);
  await page.evaluate((text) => navigator.clipboard.writeText(text), ships.map((ship) => ship.join("\t")).join("\n"));
  await page.keyboard.press("Control+v");
  return { page, table };
}
const ships = Array.from({ length: 250 }, (_, n): [string, number] => [`Ship ${n}`, n]);
const allNames = async (table: Table) =>
  (await Promise.all([0, 100, 200].map((offset) => rowsOf(table.id, `?limit=100&offset=${offset}`))))
    .flat()
    .map((row) => row.fields.Name);

test("a value of a paste that is refused costs only its own row", async () => {
  const { page, table } = await paste(
    "Refused",
    ships.map(([name, tons]) => [name, tons === 120 ? 5 : tons]),
  );
  const all = await until(() => allNames(table), (list) => list.length >= 249, 20_000);
  expect(all).toEqual(ships.map(([name]) => name).filter((name) => name !== "Ship 120"));
  await page.getByRole("button", { name: "1 change was not accepted" }).click();
  await list(page).getByRole("region", { name: "Not accepted" }).getByText("Name: Ship 120").waitFor();
  await list(page).getByRole("button", { name: "Discard" }).first().click();
  await page.keyboard.press("Escape");
});

test("a request of a paste that fails costs no row", async () => {
  let sent = 0;
  await fixture.context.route(/\/records$/, (route) => {
    if (route.request().method() === "POST" && ++sent === 2) return route.fulfill({ status: 502 });
    return route.continue();
  });
  const { table } = await paste("Failed", ships);
  const all = await until(() => allNames(table), (list) => list.length >= 250, 20_000);
  await fixture.context.unroute(/\/records$/);
  expect(all).toEqual(ships.map(([name]) => name));
});

test("what a closed page left is sent for the same person, and for nobody else", { timeout: 240_000 }, async () => {
  const { baseId, table } = await createTable("Docks", fields, [{ Name: "First", Tons: 1 }]);
  const service = testService();
  const { context, problems } = await newContext(fixture.browser, service);
  const ben = await join(fixture.page, (await newContext(fixture.browser, service)).context);
  const cookies = await ben.context().cookies();
  const page = await signIn(context, service.email, service.password);
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const own = await context.cookies();
  await context.route(/\/records$/, (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.continue(),
  );
  await clickCell(page, widths, 0, 0);
  await enter(page, "Kept");
  await page.getByRole("button", { name: "No connection. 1 change is kept." }).waitFor();
  await page.close({ runBeforeUnload: false });
  await context.unroute(/\/records$/);

  // Somebody else uses the browser.
  await context.clearCookies();
  await context.addCookies(cookies);
  const theirs = await context.newPage();
  await theirs.goto(`/base/${baseId}/${table.id}`);
  await gridReady(theirs);
  await theirs.waitForTimeout(7000); // longer than until the second look
  expect(await theirs.getByRole("button", { name: /No connection|not accepted/ }).count()).toBe(0);
  expect(await names(table)).toEqual(["First"]);
  await theirs.close();

  await context.clearCookies();
  await context.addCookies(own);
  const again = await context.newPage();
  await again.goto(`/base/${baseId}/${table.id}`);
  await gridReady(again);
  expect(await until(() => names(table), ([name]) => name === "Kept", 15_000)).toEqual(["Kept"]);
  expect(problems.violations).toEqual(noProblems.violations);
  await context.close();
});
