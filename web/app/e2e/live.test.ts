import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newContext, noProblems, openBrowser, type PageProblems, signIn } from "./browser.ts";
import {
  call,
  cellAt,
  clickCell,
  createTable,
  gridReady,
  rowsOf,
  setTestService,
  testService,
} from "./fixture.ts";
import { join } from "./join.ts";
import { openLine } from "./line.ts";
import { picture } from "./picture.ts";
import { startOwnService } from "./service.ts";

const widths = [220, 160];
const fields = [
  { name: "Name", type: "text" },
  { name: "Kind", type: "text" },
];
const away = Number(process.env.AWAY_SECONDS ?? 4);
const soon = 5000; // milliseconds, well below a poll; how soon exactly is printed

type Person = { page: Page; context: BrowserContext; problems: PageProblems };
let ada: Person;
let ben: Person;
let service: Awaited<ReturnType<typeof startOwnService>>;
let line: Awaited<ReturnType<typeof openLine>>; // of Ben
let close: () => Promise<void>;
const delays: Record<string, number> = {};

beforeAll(async () => {
  service = await startOwnService();
  setTestService(service.service);
  const browser = await openBrowser();
  close = () => browser.close();
  const first = await newContext(browser, testService());
  ada = { ...first, page: await signIn(first.context, testService().email, testService().password) };
  line = await openLine();
  const second = await newContext(browser, testService(), { proxy: line.server });
  ben = { ...second, page: await join(ada.page, second.context) };
});
afterAll(async () => {
  process.stdout.write(`drawn after (ms): ${JSON.stringify(delays)}\n`);
  await close?.();
  line?.close();
  setTestService(undefined);
  await service?.stop();
});

const grid = (page: Page) => page.getByTestId("data-grid-canvas");

type Wish = { what: string; page: Page; text: string; there?: boolean };
type At = [column: number, row: number];

/** Waits until the grid of a page says that it shows a text, or does not. */
async function shows({ what, page, text, there = true }: Wish) {
  const shown = () => grid(page).textContent();
  if (there) await expect.poll(shown, { timeout: 45_000, message: what }).toContain(text);
  else await expect.poll(shown, { timeout: 45_000, message: what }).not.toContain(text);
}

/**
 * Acts, waits until a cell of the grid is painted otherwise, and notes how long that took. The page
 * itself takes the time, so that a slow driver is not measured; the grid says only later, for screen
 * readers, what it has painted. Row -1 is the header.
 */
async function drawn(wish: Wish, at: At, act: () => Promise<unknown>) {
  const [column, row] = at;
  const place = await cellAt(wish.page, widths, column, row);
  const painted = wish.page.evaluate(({ x, y }) => {
    // The header is painted apart.
    const canvases = [...document.querySelectorAll<HTMLCanvasElement>("[data-testid=grid] canvas")];
    const pixels = () =>
      canvases
        .map((canvas) => {
          const box = canvas.getBoundingClientRect();
          return String(canvas.getContext("2d")!.getImageData(x - box.x - 50, y - box.y - 8, 120, 16).data);
        })
        .join();
    const before = pixels();
    return new Promise<number>((resolve) => {
      const end = Date.now() + 15_000;
      const look = () => {
        if (pixels() !== before || Date.now() > end) resolve(Date.now());
        else setTimeout(look, 5);
      };
      look();
    });
  }, place);
  await wish.page.evaluate(() => undefined); // it looks from now on
  const since = Date.now();
  await act();
  delays[wish.what] = (await painted) - since;
  await shows(wish);
}

/** Opens a cell, types a value into it, and returns what writes it. */
async function type(page: Page, column: number, row: number, value: string) {
  await clickCell(page, widths, column, row);
  await page.keyboard.type(value);
  return () => page.keyboard.press("Enter");
}

async function opened(name: string, rows: Record<string, unknown>[]) {
  const { baseId, table } = await createTable(name, fields, rows);
  for (const { page } of [ada, ben]) {
    const live = page.waitForResponse((response) => response.url().includes("/live"));
    await page.goto(`/base/${baseId}/${table.id}`);
    await gridReady(page);
    expect((await live).status()).toBe(200);
  }
  await ben.page.waitForTimeout(3500); // what was read while the stream began is read again
  return { baseId, table };
}

const pictures = async (name: string) => {
  await picture(ada.page, `${name}-ada`);
  await picture(ben.page, `${name}-ben`);
};

const requests = (page: Page, path: RegExp) => {
  const seen: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "GET" && path.test(new URL(request.url()).pathname)) seen.push(request.url());
  });
  return seen;
};

test("what one person does is drawn for the other", async () => {
  const { table } = await opened("Plants", [{ Name: "Oak", Kind: "Tree" }, { Name: "Fern" }]);
  const [a, b] = [ada.page, ben.page];
  const read = requests(b, /\/records$/);

  await drawn({ what: "update", page: b, text: "Oak of Ada" }, [0, 0], await type(a, 0, 0, "Oak of Ada"));
  await drawn({ what: "update back", page: a, text: "Herb of Ben" }, [1, 1], await type(b, 1, 1, "Herb of Ben"));
  expect(await grid(b).textContent()).toContain("Oak of Ada");
  expect(read, "rows that were read").toEqual([]);

  await drawn({ what: "creation", page: b, text: "Moss" }, [0, 2], () =>
    call("POST", `/tables/${table.id}/records`, { records: [{ fields: { Name: "Moss" } }] }),
  );
  await shows({ what: "creation, drawn for both", page: a, text: "Moss" });
  await b.getByText("3 records").waitFor();
  await pictures("created");

  const [, fern] = await rowsOf(table.id);
  await drawn({ what: "deletion", page: b, text: "Fern", there: false }, [0, 1], () =>
    call("DELETE", `/records/${fern!.id}`),
  );
  await b.getByText("2 records").waitFor();

  const name = table.fields.find((field) => field.name === "Name")!;
  await drawn({ what: "renamed field", page: b, text: "Species" }, [0, -1], () =>
    call("PATCH", `/fields/${name.id}`, { name: "Species" }),
  );
  await drawn({ what: "update after it", page: a, text: "Lichen" }, [0, 1], await type(b, 0, 1, "Lichen"));
  await call("POST", `/tables/${table.id}/fields`, { name: "Height", type: "number" });
  await shows({ what: "new field", page: b, text: "Height" });
  await pictures("renamed");
  await call("PATCH", `/tables/${table.id}`, { name: "Flora" });
  await b.getByRole("link", { name: "Flora" }).first().waitFor();
  for (const [what, delay] of Object.entries(delays)) expect(delay, what).toBeLessThan(soon);
});

test("after a restart of the service the stream goes on, and nothing is missed", { timeout: 240_000 }, async () => {
  const { table } = await opened("Rivers", [{ Name: "Nile" }, { Name: "Rhine" }]);
  const [a, b] = [ada.page, ben.page];
  const live = requests(b, /\/live$/);
  await drawn({ what: "before the restart", page: b, text: "Nile of Ada" }, [0, 0], await type(a, 0, 0, "Nile of Ada"));
  // Ben's page receives nothing for a while.
  await ben.context.route(/\/live/, (route) => route.abort());
  await service.restart();
  const [nile, rhine] = await rowsOf(table.id);
  await call("PATCH", `/records/${nile!.id}`, { fields: { Kind: "missed edit" } });
  await call("DELETE", `/records/${rhine!.id}`);
  await call("POST", `/tables/${table.id}/records`, { records: [{ fields: { Name: "Oder" } }] });
  await b.waitForTimeout(1500);
  expect(await grid(b).textContent()).not.toContain("missed edit");
  await ben.context.unroute(/\/live/);
  await shows({ what: "missed edit", page: b, text: "missed edit" });
  await shows({ what: "missed creation", page: b, text: "Oder" });
  await shows({ what: "missed deletion", page: b, text: "Rhine", there: false });
  expect(live.at(-1)).toContain("?cursor=");
  for (const { page } of [ada, ben]) await page.getByText("2 records").waitFor();
  await drawn({ what: "after the restart", page: b, text: "Nile again" }, [0, 0], await type(a, 0, 0, "Nile again"));
  await pictures("restarted");
  for (const { problems } of [ada, ben]) expect(problems).toEqual(noProblems);
});

test("a page that was away catches up without reading the table again", { timeout: 180_000 }, async () => {
  const rows = Array.from({ length: 200 }, (_, n) => ({ Name: `Lake ${n}` }));
  const { table } = await opened("Lakes at night", rows);
  const b = ben.page;
  await b.context().setOffline(true);
  line.cut();
  const all = await rowsOf(table.id);
  for (let second = 0; second < away; second++) {
    const row = all[second % 20]!;
    // oxlint-disable-next-line no-await-in-loop -- as time passes
    await call("PATCH", `/records/${row.id}`, { fields: { Kind: `seen ${second}` } });
    // oxlint-disable-next-line no-await-in-loop
    await b.waitForTimeout(1000);
  }
  expect(await grid(b).textContent(), "what happened while the page was away").not.toContain("seen");
  const read = requests(b, /\/records$/);
  const back = Date.now();
  line.restore();
  await b.context().setOffline(false);
  await shows({ what: "the last edit", page: b, text: `seen ${away - 1}` });
  delays["after being away"] = Date.now() - back;
  for (let second = Math.max(0, away - 20); second < away; second++)
    expect(await grid(b).textContent()).toContain(`seen ${second}`);
  // Records that were made or deleted may have the page read rows around them. Edits do not, then or later.
  await b.waitForTimeout(6000);
  expect(read, "rows that were read").toEqual([]);
});

test("people see who else is there, and which cell they have", async () => {
  await opened("Lakes", [{ Name: "Como" }, { Name: "Garda" }]);
  const [a, b] = [ada.page, ben.page];
  await b.getByRole("img", { name: /^Also here: / }).waitFor();
  await a.getByRole("img", { name: "Also here: Ben Okri" }).waitFor();
  const { painted } = await framed(a, [0, 1]);
  await clickCell(b, widths, 0, 1);
  delays.presence = await painted;
  expect(delays.presence, "a frame is drawn").toBeLessThan(soon);
  await pictures("present");
  // A person who leaves the base is not present any more.
  await b.goto("/");
  await a.getByRole("img", { name: /^Also here: / }).waitFor({ state: "detached" });
});

/** How long it takes until the frame of a cell is painted otherwise, from when this is asked on. */
async function framed(page: Page, [column, row]: At) {
  const place = await cellAt(page, widths, column, row);
  const painted = page.evaluate(({ x, y }) => {
    const canvas = document.querySelector<HTMLCanvasElement>("[data-testid=data-grid-canvas]")!;
    const box = canvas.getBoundingClientRect();
    const pixels = () => String(canvas.getContext("2d")!.getImageData(x - box.x, y - box.y - 19, 20, 38).data);
    const [before, since] = [pixels(), Date.now()];
    return new Promise<number>((resolve) => {
      const look = () => {
        if (pixels() !== before || Date.now() > since + 15_000) resolve(Date.now() - since);
        else setTimeout(look, 5);
      };
      look();
    });
  }, place);
  await page.evaluate(() => undefined); // it looks from now on
  return { painted };
}
