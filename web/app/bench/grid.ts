import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { openKept, openWindow } from "../e2e/browser.ts";
import { clickCell, gridReady } from "../e2e/fixture.ts";
import type { Target } from "./target.ts";
import { drawnAt, scriptAt, scrollToEnd, spread, threadTime, want, watchDrawing, wheel } from "./measure.ts";
import { figure, percent } from "./report.ts";
import { call, nameOf } from "./table.ts";

const warm = 3; // openings that are not counted
const openings = 6;
const edits = 12;
const long = 50; // milliseconds of a frame that is felt
const widths = [220, 120, 160];

/** Measures the grid of the table at hand: opening, scrolling, editing. */
export function grid(at: Target, rows: number) {
  test("opening the grid", async () => {
    const service = inject("service");
    const first = nameOf(0);
    // A browser that keeps its files, as people have: it also keeps what it compiled.
    const dir = await mkdtemp(join(tmpdir(), "rowhouse-browser-"));
    const kept = await openKept(dir, service);
    await kept.addCookies(await at.page.context().cookies());
    const since = { script: [] as number[], navigation: [] as number[], work: [] as number[] };
    for (let turn = 0; turn <= warm + openings; turn++) {
      const page = await kept.newPage();
      await watchDrawing(page, [first]);
      const busy = await threadTime(page);
      await page.goto(at.path);
      const [drawn, script, work] = [await drawnAt(page, first), await scriptAt(page), await busy()];
      // The first turns fill the browser's cache, and the service's.
      if (turn > warm) {
        since.script.push(drawn - script);
        since.work.push(work);
        since.navigation.push(drawn);
      }
      await page.close();
    }
    await kept.close();
    await rm(dir, { recursive: true, force: true });
    const cold: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const { context } = await openWindow(at.browser, service);
      await context.addCookies(await at.page.context().cookies());
      const page = await context.newPage();
      await watchDrawing(page, [first]);
      await page.goto(at.path);
      cold.push((await drawnAt(page, first)) - (await scriptAt(page)));
      await context.close();
    }
    figure("first rows after the script arrived, ms", spread(since.script), "300");
    figure("first rows after the script arrived, nothing in the browser's cache, ms", spread(cold), "300");
    figure("first rows after the address was entered, ms", spread(since.navigation));
    figure("the page's thread at work until then, ms of processor time", spread(since.work));
  });

  test("scrolling", async () => {
    const { page } = at;
    await watchDrawing(page, []);
    await page.goto(at.path);
    await gridReady(page);
    await page.waitForTimeout(1000);
    const wheeled = await wheel(page, 200);
    figure("frames while the wheel turns, ms", spread(wheeled));
    figure(
      "frames over 50 ms while the wheel turns",
      percent(wheeled.filter((length) => length > long).length, wheeled.length),
      "2 %",
    );
    const { lengths } = await scrollToEnd(page, 10_000);
    figure("frames from there to the end in 10 s, ms", spread(lengths));
    figure(
      "frames over 50 ms on the way to the end",
      percent(lengths.filter((length) => length > long).length, lengths.length),
      "2 %",
    );
  });

  test("the last rows after a jump to the end", async () => {
    const { page } = at;
    const times: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      await page.reload();
      await gridReady(page);
      const last = await call<{ records: { fields: { Name: string } }[] }>(
        inject("service"),
        "GET",
        `/tables/${at.tableId}/records?offset=${rows - 1}&limit=1`,
      );
      const name = last.records[0]?.fields.Name ?? "";
      await want(page, name);
      const began = await page.evaluate(() => {
        const scroller = document.querySelector(".dvn-scroller")!;
        const now = performance.now();
        scroller.scrollTop = scroller.scrollHeight;
        return now;
      });
      times.push((await drawnAt(page, name)) - began);
    }
    figure("last rows after a jump to the end, ms", spread(times));
  });

  test("editing", async () => {
    const { page } = at;
    await page.reload();
    await gridReady(page);
    const times: number[] = [];
    await clickCell(page, widths, 0, 0);
    for (let turn = 0; turn < edits; turn++) {
      const name = `Edited ${turn} ${Date.now()}`;
      await page.keyboard.type(name);
      const answered = page.waitForResponse((response) => response.request().method() === "PATCH");
      const began = Date.now();
      await page.keyboard.press("Enter");
      await answered;
      times.push(Date.now() - began);
      const { records } = await call<{ records: { fields: { Name: string } }[] }>(
        inject("service"),
        "GET",
        `/tables/${at.tableId}/records?offset=${turn}&limit=1`,
      );
      expect(records[0]?.fields.Name).toBe(name);
      await page.waitForTimeout(150);
    }
    figure("an edit is on the server after Enter, ms", spread(times), "100");
  });
}
