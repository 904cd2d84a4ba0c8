import type { Page } from "playwright-core";

/** The summary of a distribution, in milliseconds. */
export type Spread = { count: number; p50: number; p95: number; worst: number };

export function spread(values: number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), worst: sorted.at(-1) ?? Number.NaN };
}

type Watched = Window & { drawn?: Record<string, number>; wanted?: string[] };

/**
 * Records when texts are first drawn on a canvas. Call it before the page is opened.
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

export async function watchText(page: Page, text: string) {
  await page.evaluate((wanted) => {
    const watched = window as Watched;
    watched.drawn = {};
    watched.wanted = [wanted];
  }, text);
}

/**
 * Returns when a text was first drawn, in milliseconds since the navigation began. It asks by the protocol of the
 * developer tools, because `page.waitForFunction` first has the page read a script of Playwright's, which takes 30 ms
 * of what is measured.
 */
export async function drawnAt(page: Page, text: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  const expression = `window.drawn?.[${JSON.stringify(text)}]`;
  for (const until = performance.now() + 20_000; performance.now() < until; ) {
    const { result } = await session.send("Runtime.evaluate", { expression });
    if (typeof result.value === "number") {
      await session.detach();
      return result.value;
    }
    await new Promise((resolve) => setTimeout(resolve, 16));
  }
  throw new Error(`${text} was not drawn`);
}

/**
 * Returns when the last of the page's own scripts had loaded, in milliseconds since the navigation
 * began.
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
 * Scrolls the grid from its position to its end in the given time, one step per frame, and returns
 * the lengths of the frames. The grid draws after each step, as after that of a wheel.
 */
export function scrollToEnd(page: Page, milliseconds: number): Promise<Frames> {
  return page.evaluate(async (duration) => {
    const scroller = document.querySelector(".dvn-scroller");
    if (!scroller) throw new Error("there is no grid");
    const from = scroller.scrollTop;
    const distance = scroller.scrollHeight - scroller.clientHeight - from;
    const lengths: number[] = [];
    await new Promise<void>((resolve) => {
      const began = performance.now();
      let last = began;
      const step = (now: number) => {
        if (now > last) lengths.push(now - last);
        last = now;
        const part = Math.min(1, (now - began) / duration);
        scroller.scrollTop = from + distance * part;
        if (part < 1) requestAnimationFrame(step);
        else resolve();
      };
      requestAnimationFrame(step);
    });
    return { lengths, end: scroller.scrollTop + scroller.clientHeight };
  }, milliseconds);
}

/** Turns the wheel over the middle of the grid and returns the lengths of the frames meanwhile. */
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
 * Starts to measure the work of the page. The returned function gives the processor time of the
 * page's main thread since then, in milliseconds.
 */
export async function threadTime(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return (metrics.find((one) => one.name === "TaskDuration")?.value ?? Number.NaN) * 1000;
  };
}

/**
 * Types a text, key by key, and returns for each key how long it took from the key until the editor had it and was
 * painted, in milliseconds.
 */
export async function type(page: Page, text: string): Promise<number[]> {
  const times: number[] = [];
  for (let end = 1; end <= text.length; end++) {
    await page.evaluate((expected) => {
      const watched = window as Window & { painted?: Promise<number> };
      watched.painted = new Promise((resolve) => {
        const pressed = ({ timeStamp }: KeyboardEvent) => {
          const look = () => {
            const editor = document.activeElement as HTMLInputElement | null;
            if (editor?.value !== expected) return void requestAnimationFrame(look);
            // A message that is sent before a frame is painted arrives after it.
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener("message", () => resolve(performance.now() - timeStamp), { once: true });
            port1.start();
            port2.postMessage(undefined);
          };
          requestAnimationFrame(look);
        };
        window.addEventListener("keydown", pressed, { capture: true, once: true });
      });
    }, text.slice(0, end));
    await page.keyboard.press(text[end - 1]!);
    times.push(await page.evaluate(() => (window as Window & { painted?: Promise<number> }).painted!));
  }
  return times;
}
