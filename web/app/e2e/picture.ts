import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type { Page } from "playwright-core";

type Options = {
  fullPage?: boolean; // also what is scrolled to
  settle?: number; // milliseconds to wait before, until what moves stands still
  narrow?: boolean; // a second picture, as wide as a phone, whose name ends with -narrow
};

/** Saves a picture of the page for people to look at, in the folder that SCREENSHOTS names, or else does nothing. */
export async function picture(page: Page, name: string, { fullPage, settle = 0, narrow }: Options = {}) {
  if (!process.env.SCREENSHOTS) return;
  const folder = resolve(process.env.SCREENSHOTS);
  await mkdir(folder, { recursive: true });
  const save = async (file: string) => {
    await page.waitForTimeout(settle);
    await page.screenshot({ path: `${folder}/${file}.png`, fullPage });
  };
  await save(name);
  const size = page.viewportSize();
  if (!narrow || !size) return;
  await page.setViewportSize({ width: 390, height: 844 });
  await save(`${name}-narrow`);
  await page.setViewportSize(size);
}
