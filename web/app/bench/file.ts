import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "vitest";
import { testService } from "../e2e/fixture.ts";
import type { Target } from "./target.ts";
import { figure } from "./report.ts";
import { call } from "./table.ts";

const lines = Number(process.env.LINES ?? 10_000);

/**
 * Measures the import and the export of a CSV file in the browser: the file that CSV names, or a
 * generated one.
 */
export function file(at: Target) {
  test("importing and exporting a file", async () => {
    const { page } = at;
    const dir = await mkdtemp(join(tmpdir(), "rowhouse-bench-"));
    const path = process.env.CSV ?? join(dir, "runways.csv");
    if (!process.env.CSV) await writeFile(path, runways(lines));
    const base = await call<{ id: string }>(testService(), "POST", "/bases", {
      name: "Imported",
      orgId: testService().orgId,
    });
    await page.goto(`/base/${base.id}`);
    await page.getByRole("button", { name: "Import a file" }).click();
    await page.locator('input[type="file"]').setInputFiles(path);
    const start = page.getByRole("button", { name: /^Import [\d,]+ rows$/ });
    const rows = Number(((await start.textContent()) ?? "").replace(/\D/g, ""));
    const began = Date.now();
    await start.click();
    await page.getByText("Import finished").waitFor({ timeout: 240_000 });
    const took = (Date.now() - began) / 1000;
    const summary = await page.getByText(/rows? (was|were) imported/).textContent();
    figure(`importing ${basename(path)}, ${((await stat(path)).size / 1e6).toFixed(1)} MB, ${rows} rows, s`, took);
    figure("what the report says", summary ?? "");
    await page.getByRole("button", { name: "Open the table" }).click();
    await page.getByText(/^[\d,]+ records$/).waitFor();
    const download = page.waitForEvent("download", { timeout: 240_000 });
    const requested = Date.now();
    await page.getByRole("button", { name: "More actions" }).last().click();
    await page.getByRole("menuitem", { name: "Export CSV" }).click();
    const saved = await (await download).path();
    figure("exporting it again, s", (Date.now() - requested) / 1000);
    figure("lines in the exported file", (await readFile(saved, "utf8")).trimEnd().split("\r\n").length);
    if (process.env.EXPORTED) await writeFile(process.env.EXPORTED, await readFile(saved));
    await rm(dir, { recursive: true });
  });
}

/** Returns a file like OurAirports' list of runways: 20 columns, mostly numbers, many empty. */
function runways(count: number): string {
  const runway = ["id", "airport_ref", "airport_ident", "length_ft", "width_ft", "surface", "lighted", "closed"];
  const end = ["ident", "latitude_deg", "longitude_deg", "elevation_ft", "heading_degT", "displaced_threshold_ft"];
  const header = [...runway, ...end.map((name) => `le_${name}`), ...end.map((name) => `he_${name}`)];
  const surfaces = ["ASPH-G", "GRVL", "TURF", "CON", "ASP", "GRS", "WATER"];
  const rows = Array.from({ length: count }, (_, n) => {
    const id = [200_000 + n, 6000 + n, `"K${n.toString(36).toUpperCase()}"`];
    const size = [(n * 7) % 9000, n % 200, `"${surfaces[n % surfaces.length]}"`, n % 2, 0, `"${(n % 18) + 1}R"`];
    const low = [(n % 90) + 0.125, -(n % 180) - 0.5, n % 4000, n % 360, ""];
    const high = [`${(n % 18) + 18}L`, (n % 90) + 0.25, -(n % 180) - 0.75, n % 4000, (n + 180) % 360, ""];
    const ends = n % 3 === 0 ? Array<string>(7).fill("") : [...low, ...high];
    return [...id, ...size, ...ends].join();
  });
  return [header.join(), ...rows].join("\n");
}
