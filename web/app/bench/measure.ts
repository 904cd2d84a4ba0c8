import type { Page } from "playwright-core";

/** What a distribution is told by: milliseconds. */
export type Spread = { count: number; p50: number; p95: number; worst: number };

export function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), worst: sorted.at(-1) ?? Number.NaN };
}

type Watched = Window & { drawn?: Record<string, number>; wanted?: string[] };

/**
 * Notes when texts are first drawn on a canvas, from the page's first moment on. To be called
 * before the page is opened.
 */
export async function watchDrawing(page: Page, wanted: string[]) {
  await page.addInitScript((texts) => {
    const watched = window as Watched;
    watched.drawn = {};
    watched.wanted = texts;
    const draw = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      if (watched.wanted?.includes(text)) watched.drawn![text] ??= performance.now();
      return draw.call(this, text, ...rest);
    };
  }, wanted);
}

export async function want(page: Page, text: string) {
  await page.evaluate((wanted) => {
    const watched = window as Watched;
    watched.drawn = {};
    watched.wanted = [wanted];
  }, text);
}

/** When a text was first drawn, in milliseconds since the page's navigation began. */
export async function drawnAt(page: Page, text: string): Promise<number> {
  const found = await page.waitForFunction((wanted) => (window as Watched).drawn?.[wanted], text, {
    polling: 16,
    timeout: 20_000,
  });
  return (await found.jsonValue()) ?? Number.NaN;
}

/**
 * When the last of the page's own scripts had arrived and they could begin to run, in milliseconds
 * since the page's navigation began.
 */
export function scriptAt(page: Page): Promise<number> {
  return page.evaluate(() => {
    const scripts = [...document.querySelectorAll<HTMLScriptElement>('script[type="module"][src]')];
    return Math.max(
      ...scripts.map(
        ({ src }) =>
          (performance.getEntriesByName(src)[0] as PerformanceResourceTiming | undefined)?.responseEnd ?? Number.NaN,
      ),
    );
  });
}

export type Frames = { lengths: number[]; end: number };

/**
 * Scrolls the grid from where it is to its end in the given time, a step with every frame, and
 * returns how long the frames were. A step is taken as a wheel's would be: the grid draws after it.
 */
export function scrollToEnd(page: Page, milliseconds: number): Promise<Frames> {
  return page.evaluate(async (duration) => {
    const scroller = document.querySelector(".dvn-scroller");
    if (!scroller) throw new Error("there is no grid");
    const from = scroller.scrollTop;
    const way = scroller.scrollHeight - scroller.clientHeight - from;
    const lengths: number[] = [];
    await new Promise<void>((done) => {
      const began = performance.now();
      let last = began;
      const step = (now: number) => {
        if (now > last) lengths.push(now - last);
        last = now;
        const part = Math.min(1, (now - began) / duration);
        scroller.scrollTop = from + way * part;
        if (part < 1) requestAnimationFrame(step);
        else done();
      };
      requestAnimationFrame(step);
    });
    return { lengths, end: scroller.scrollTop + scroller.clientHeight };
  }, milliseconds);
}

/**
 * Turns the wheel a number of times over the grid's middle and returns how long the frames were
 * meanwhile.
 */
export async function wheel(page: Page, turns: number): Promise<number[]> {
  const box = await page.getByTestId("data-grid-canvas").boundingBox();
  if (!box) throw new Error("there is no grid");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.evaluate(() => {
    const watched = window as unknown as { lengths: number[]; stop: boolean };
    watched.lengths = [];
    watched.stop = false;
    let last = performance.now();
    const step = (now: number) => {
      if (now > last) watched.lengths.push(now - last);
      last = now;
      if (!watched.stop) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  for (let turn = 0; turn < turns; turn++) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(16);
  }
  return page.evaluate(() => {
    const watched = window as unknown as { lengths: number[]; stop: boolean };
    watched.stop = true;
    return watched.lengths;
  });
}

/**
 * Begins to count the page's work. The function that it returns says how long the page's thread was
 * at work since, in milliseconds of processor time.
 */
export async function threadTime(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find((one) => one.name === "TaskDuration")?.value ?? Number.NaN) * 1000;
  };
}
