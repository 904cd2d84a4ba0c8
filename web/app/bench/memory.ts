import { expect, test } from "vitest";
import { gridReady } from "../e2e/fixture.ts";
import { figure } from "./report.ts";
import type { Target } from "./target.ts";

const step = 3060; // pixels: 90 rows, fewer than a page, so that every page is read
const pause = 40; // milliseconds between two steps
const read = 0.95; // of the pages have to be read, so that the figure is of a table that was seen

/** Measures the memory of a page on which somebody has scrolled through a whole table. */
export function memory(at: Target, rows: number) {
  test("memory after all rows were in view", { timeout: 600_000 }, async () => {
    const { page } = at;
    const pages = new Set<string>();
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith("/records")) pages.add(searchParams.get("offset") ?? "");
    });
    const session = await page.context().newCDPSession(page);
    const heap = async () => {
      await session.send("HeapProfiler.collectGarbage");
      return (await session.send("Runtime.getHeapUsage")).usedSize / 1e6;
    };
    await page.goto(at.path);
    await gridReady(page);
    const before = await heap();
    await page.evaluate(
      async ({ by, wait }) => {
        const scroller = document.querySelector(".dvn-scroller");
        if (!scroller) throw new Error("there is nothing to scroll");
        while (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 1) {
          scroller.scrollTop += by;
          // oxlint-disable-next-line no-await-in-loop -- one step after the other
          await new Promise((resolve) => setTimeout(resolve, wait));
        }
      },
      { by: step, wait: pause },
    );
    await page.waitForTimeout(3000); // what nobody lists is let go
    const after = await heap();
    expect(pages.size).toBeGreaterThan((rows / 100) * read);
    figure("heap of the page with the first rows, MB", before);
    figure(`heap after ${rows} rows were in view, MB`, after);
  });
}
