import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { openBrowser, openWindow, type Seen, signIn } from "./browser.ts";

export type Field = { id: string; name: string; type: string; config?: Record<string, unknown> };
export type View = { id: string; name: string; type: string };
export type Table = { id: string; name: string; fields: Field[]; views: View[] };
export type Row = { id: string; fields: Record<string, unknown> };

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** Calls the REST interface with a key; the demonstration's own unless another is given. */
export async function call<T>(
  method: Method,
  path: string,
  body?: unknown,
  key = inject("service").apiKey,
): Promise<{ status: number; body: T }> {
  const response = await fetch(`${inject("service").baseUrl}/api/v1${path}`, {
    method,
    headers: { "x-api-key": key, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as T };
}

/**
 * Makes a base of the test's own with one table, and returns both as the service describes them.
 */
export async function makeTable(name: string, fields: unknown[], rows: Record<string, unknown>[] = []) {
  const base = (await call<{ id: string }>("POST", "/bases", { name: `${name} base`, orgId: inject("service").orgId }))
    .body;
  const made = await call<{ id: string }>("POST", `/bases/${base.id}/tables`, { name, fields });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  for (let start = 0; start < rows.length; start += 100) {
    const written = await call("POST", `/tables/${made.body.id}/records`, {
      records: rows.slice(start, start + 100).map((one) => ({ fields: one })),
    });
    expect(written.status, JSON.stringify(written.body)).toBe(200);
  }
  const table = (await call<Table>("GET", `/tables/${made.body.id}`)).body;
  return { baseId: base.id, table };
}

export async function rowsOf(tableId: string, query = ""): Promise<Row[]> {
  return (await call<{ records: Row[] }>("GET", `/tables/${tableId}/records${query}`)).body.records;
}

/** Waits until a condition on the service holds. */
export async function until<T>(
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  patience = 8000,
  pause = 60,
): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    const value = await read();
    if (holds(value) || Date.now() > end) return value;
    await new Promise((go) => setTimeout(go, pause));
  }
}

const marker = 52;
const header = 38;
const rowHeight = 34;

/**
 * The middle of a cell of the grid, in the window. Widths are the columns' as they are shown, from
 * the left.
 */
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
  await page.waitForTimeout(120); // the grid takes the focus with the next frame; nobody types sooner
}

export async function gridReady(page: Page) {
  await page.getByTestId("data-grid-canvas").waitFor();
  await page.getByText(/^[\d,]+ records?$/).waitFor();
  await page.waitForLoadState("networkidle");
}

/** A browser for one file of tests, with the demonstration's owner signed in. */
export function stage() {
  const at = {} as { browser: Browser; context: BrowserContext; page: Page; seen: Seen };
  beforeAll(async () => {
    const service = inject("service");
    at.browser = await openBrowser();
    const opened = await openWindow(at.browser, service);
    at.context = opened.context;
    at.seen = opened.seen;
    at.page = await signIn(at.context, service.email, service.password);
  });
  afterAll(async () => {
    await at.browser?.close();
    if (!at.seen) return;
    expect(at.seen.violations, "violations of the content policy").toEqual([]);
    expect(at.seen.outside, "requests that left the origin").toEqual([]);
    expect(at.seen.errors, "errors in the page").toEqual([]);
  });
  return at;
}

/** The last link of a kind that was mailed to an address. */
export async function mailed(page: Page, path: string, email: string): Promise<string> {
  const wanted = new RegExp(`${inject("service").baseUrl}${path}\\?token=[^"'\\s<&]+`, "g");
  const read = async () => {
    const entries = (await (await page.request.get("/dev/mailbox")).text()).split(/<(?:article|section|li)\b/);
    return entries.filter((entry) => entry.includes(email)).flatMap((entry) => entry.match(wanted) ?? []);
  };
  return (await until(read, (links) => links.length > 0))[0] ?? "";
}
