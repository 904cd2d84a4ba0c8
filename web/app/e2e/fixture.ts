import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { newContext, noProblems, openBrowser, type PageProblems, signIn } from "./browser.ts";
import type { Service } from "./service.ts";

export type Field = { id: string; name: string; type: string; config?: Record<string, unknown> };
export type View = { id: string; name: string; type: string };
export type Table = { id: string; name: string; fields: Field[]; views: View[] };
export type Row = { id: string; fields: Record<string, unknown> };

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

let own: Service | undefined;

/** Has the tests of this file use a service of their own, until it is taken back by undefined. */
export function setTestService(service: Service | undefined) {
  own = service;
}

/** The service of this worker: the files that a worker runs share it, and no others use it. */
export function testService(): Service {
  if (own) return own;
  const services = inject("services");
  const service = services[Number(process.env.VITEST_POOL_ID ?? 1) - 1];
  if (!service) throw new Error(`there are ${services.length} services, and none for this worker`);
  return service;
}

/** Calls the REST API with a key, by default the key of the demonstration data. */
export async function call<T>(
  method: Method,
  path: string,
  body?: unknown,
  key = testService().apiKey,
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${testService().baseUrl}/api/v1${path}`, {
    method,
    headers: { "x-api-key": key, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as T };
}

/** Creates a base with one table for a test, and returns the table as the service describes it. */
export async function createTable(name: string, fields: unknown[], rows: Record<string, unknown>[] = []) {
  const base = (await call<{ id: string }>("POST", "/bases", { name: `${name} base`, orgId: testService().orgId }))
    .body;
  const created = await call<{ id: string }>("POST", `/bases/${base.id}/tables`, { name, fields });
  expect(created.status, JSON.stringify(created.body)).toBe(200);
  for (let start = 0; start < rows.length; start += 100) {
    const response = await call("POST", `/tables/${created.body.id}/records`, {
      records: rows.slice(start, start + 100).map((row) => ({ fields: row })),
    });
    expect(response.status, JSON.stringify(response.body)).toBe(200);
  }
  const table = (await call<Table>("GET", `/tables/${created.body.id}`)).body;
  return { baseId: base.id, table };
}

/** The day of a record that a calendar shows when it opens, which is on the present month. */
export const today = () => new Date().toISOString().slice(0, 10);

export async function rowsOf(tableId: string, query = ""): Promise<Row[]> {
  return (await call<{ records: Row[] }>("GET", `/tables/${tableId}/records${query}`)).body.records;
}

/** Reads until a condition holds or the time is up, and returns the last value. */
export async function until<T>(
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  timeout = 45_000,
  interval = 60,
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await read();
    if (holds(value) || Date.now() > end) return value;
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}

const marker = 52;
const header = 38;
const rowHeight = 34;

/** Returns a point inside a cell of the grid. `widths` are the widths of the columns, from the left. */
export async function cellAt(page: Page, widths: number[], column: number, row: number) {
  const box = await page.getByTestId("data-grid-canvas").boundingBox();
  if (!box) throw new Error("there is no grid");
  const left = widths.slice(0, column).reduce((sum, width) => sum + width, 0);
  return {
    x: box.x + marker + left + Math.min(60, (widths[column] ?? 100) / 2),
    y: box.y + header + rowHeight * row + rowHeight / 2,
  };
}

export async function clickCell(page: Page, widths: number[], column: number, row: number) {
  const at = await cellAt(page, widths, column, row);
  await page.mouse.click(at.x, at.y);
  await page.waitForTimeout(120); // the grid takes the focus with the next frame
}

export async function gridReady(page: Page) {
  await page.getByTestId("data-grid-canvas").waitFor();
  await page.getByText(/^[\d,]+ records?$/).waitFor();
  await page.waitForLoadState("networkidle");
}

/**
 * A browser for the tests of one file, with the owner of the demonstration data signed in. It has
 * the machine's locale unless one is given.
 */
export function browserFixture(locale?: string) {
  const fixture = {} as { browser: Browser; context: BrowserContext; page: Page; problems: PageProblems };
  beforeAll(async () => {
    const service = testService();
    fixture.browser = await openBrowser();
    Object.assign(fixture, await newContext(fixture.browser, service, { locale }));
    fixture.page = await signIn(fixture.context, service.email, service.password);
  });
  afterAll(async () => {
    await fixture.browser?.close();
    if (fixture.problems) expect(fixture.problems, "problems of the pages").toEqual(noProblems);
  });
  return fixture;
}

/** Waits until so many links to a path were mailed to an address, and returns the newest. */
export async function mailedLink(page: Page, path: string, email: string, count = 1): Promise<string> {
  const pattern = new RegExp(`${testService().baseUrl}${path}\\?token=[^"'\\s<&]+`, "g");
  const read = async () => {
    const mails = (await (await page.request.get("/dev/mailbox")).text()).split(/<(?:article|section|li)\b/);
    const links = mails.filter((mail) => mail.includes(email)).flatMap((mail) => mail.match(pattern) ?? []);
    return [...new Set(links)];
  };
  return (await until(read, (links) => links.length >= count))[0] ?? "";
}
