import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newContext, openPersistentContext } from "../e2e/browser.ts";
import { clickCell, gridReady, testService } from "../e2e/fixture.ts";
import type { Target } from "./target.ts";
import { drawnAt, scriptAt, scrollToEnd, spread, threadTime, type, watchText, watchDrawing, wheel } from "./measure.ts";
import { figure, percent } from "./report.ts";
import { call, nameOf } from "./table.ts";

const warmUps = 3; // openings that are not counted
const openings = 6;
const edits = 40;
const longFrame = 50; // milliseconds; a person notices a longer frame
const widths = [220, 120, 160];

/** Measures the grid: opening, scrolling and editing. */
export function grid(at: Target, rows: number) {
  test("opening the grid", async () => {
    const service = testService();
    const first = nameOf(0);
    // A browser that keeps its cache, as a person's does, and with it the compiled scripts.
    const dir = await mkdtemp(join(tmpdir(), "rowhouse-browser-"));
    const persistent = await openPersistentContext(dir, service);
    await persistent.addCookies(await at.page.context().cookies());
    const since = { script: [] as number[], navigation: [] as number[], work: [] as number[] };
    for (let turn = 0; turn <= warmUps + openings; turn++) {
      const page = await persistent.newPage();
      await watchDrawing(page, [first]);
      const busy = await threadTime(page);
      await page.goto(at.path);
      const [drawn, script, work] = [await drawnAt(page, first), await scriptAt(page), await busy()];
      // The first turns fill the caches of the browser and the service.
      if (turn > warmUps) {
        since.script.push(drawn - script);
        since.work.push(work);
        since.navigation.push(drawn);
      }
      await page.close();
    }
    await persistent.close();
    await rm(dir, { recursive: true, force: true });
    const cold: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const { context } = await newContext(at.browser, service);
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
    figure("frames while the wheel turns, ms", spread(wheeled), "p95 16.7");
    figure(
      "frames over 50 ms while the wheel turns",
      percent(wheeled.filter((length) => length > longFrame).length, wheeled.length),
      "2 %",
    );
    const { lengths } = await scrollToEnd(page, 10_000);
    figure("frames from there to the end in 10 s, ms", spread(lengths));
    figure(
      "frames over 50 ms on the way to the end",
      percent(lengths.filter((length) => length > longFrame).length, lengths.length),
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
        testService(),
        "GET",
        `/tables/${at.tableId}/records?offset=${rows - 1}&limit=1`,
      );
      const name = last.records[0]?.fields.Name ?? "";
      await watchText(page, name);
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
    const first: number[] = [];
    const later: number[] = [];
    await clickCell(page, widths, 0, 0);
    for (let turn = 0; turn < edits; turn++) {
      const name = `Edited ${turn} ${Date.now()}`;
      const [opens, ...others] = await type(page, name);
      first.push(opens!);
      later.push(...others);
      const answered = page.waitForResponse((response) => response.request().method() === "PATCH");
      const began = Date.now();
      await page.keyboard.press("Enter");
      await answered;
      times.push(Date.now() - began);
      const { records } = await call<{ records: { fields: { Name: string } }[] }>(
        testService(),
        "GET",
        `/tables/${at.tableId}/records?offset=${turn}&limit=1`,
      );
      expect(records[0]?.fields.Name).toBe(name);
      await page.waitForTimeout(150);
    }
    figure("a key that opens the editor is painted, ms", spread(first), "p95 50");
    figure("a key in the editor is painted, ms", spread(later), "p95 50");
    figure("an edit is on the server after Enter, ms", spread(times), "100");
  });
}
