import { readFile, writeFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { browserFixture, call, gridReady, rowsOf, type Table, testService } from "./fixture.ts";

const fixture = browserFixture();

const quoted = (cell: string) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

test("a CSV file becomes a table, invalid rows are reported, and the export is safe for spreadsheets", async () => {
  const { page } = fixture;
  const dir = await mkdtemp(join(tmpdir(), "rowhouse-csv-"));
  const lines = ["Name,Score,Day,Active"];
  for (let n = 1; n <= 600; n++)
    lines.push(`"Person ${n}, ""x""",${n}.5,2025-01-${String((n % 28) + 1).padStart(2, "0")},${n % 2 ? "yes" : "no"}`);
  lines.push("=1+1,7.5,2025-02-01,yes", "Broken,not a number,2025-02-02,no", "-5 apples,-5,2025-02-03,no");
  const file = join(dir, "people.csv");
  await writeFile(file, lines.join("\n"));

  const base = (await call<{ id: string }>("POST", "/bases", { name: "Imported", orgId: testService().orgId })).body;
  await page.goto(`/base/${base.id}`);
  await page.getByRole("button", { name: "Import a file" }).click();
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByLabel("Table name").waitFor();
  expect(await page.getByLabel("Field: Day").inputValue()).toBe("new:date");
  expect(await page.getByLabel("Field: Active").inputValue()).toBe("new:checkbox");
  await page.getByLabel("Field: Score").selectOption("new:number");
  await page.getByRole("button", { name: "Import 603 rows" }).click();
  await page.getByText("1 row cannot be imported").waitFor();
  await page.getByRole("button", { name: "Import the other 602 rows" }).click();
  await page.getByText("Import finished").waitFor({ timeout: 60_000 });
  await page.getByText("602 rows were imported. 1 row was refused.").waitFor();
  await page.getByRole("cell", { name: "603" }).waitFor();
  await page.getByText('"not a number" is not a number').first().waitFor();
  await page.getByRole("button", { name: "Open the table" }).click();
  await gridReady(page);
  await page.getByText("602 records").waitFor();

  const table = (await call<{ tables: Table[] }>("GET", `/bases/${base.id}`)).body.tables[0]!;
  const odd = await rowsOf(table.id, `?search=${encodeURIComponent("=1+1")}`);
  expect(odd[0]?.fields).toMatchObject({ Name: "=1+1", Score: 7.5, Day: "2025-02-01", Active: true });

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "More actions" }).last().click();
  await page.getByRole("menuitem", { name: "Export CSV" }).click();
  const exported = await readFile(await (await download).path(), "utf8");
  const out = exported.replace(/^\ufeff/, "").trimEnd().split("\r\n");
  expect(out[0]).toBe("Name,Score,Day,Active");
  expect(out).toHaveLength(603);
  expect(exported).toContain('"Person 1, ""x""",1.5,2025-01-02,true');
  expect(exported).toContain(`'=1+1,7.5,2025-02-01,true`);
  expect(exported).toContain(`'-5 apples,-5,2025-02-03,false`);
});

test("an import of thousands of rows survives a lost connection, with every row once and in order", async () => {
  const { page } = fixture;
  const count = 4000;
  const dir = await mkdtemp(join(tmpdir(), "rowhouse-csv-"));
  const header = ["ident", "length_ft", "surface", "lighted", "le_latitude_deg", "note"];
  const surfaces = ["ASPH-G", "GRVL", "TURF", "-"];
  const lines = Array.from({ length: count }, (_, n) => [
    `K${n}`,
    String(n * 3),
    surfaces[n % 4],
    String(n % 2),
    n % 3 ? String(n / 8 - 90) : "",
    n % 50 ? "" : `=HYPERLINK("x";${n})`,
  ]);
  const file = join(dir, "runways.csv");
  const written = [header, ...lines].map((line) =>
    line.map((cell) => `"${(cell ?? "").replaceAll('"', '""')}"`).join(","),
  );
  await writeFile(file, written.join("\n"));

  const base = (await call<{ id: string }>("POST", "/bases", { name: "Runways", orgId: testService().orgId })).body;
  await page.goto(`/base/${base.id}`);
  await page.getByRole("button", { name: "Import a file" }).click();
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByLabel("Field: surface").selectOption("new:text");
  // The page loses the connection while it follows the import, and goes on when it is back.
  let lost = 0;
  await page.route("**/api/v1/jobs/*", (route) => (++lost <= 2 ? route.abort() : route.continue()));
  await page.getByRole("button", { name: "Import 4,000 rows" }).click();
  await page.getByText("4,000 rows were imported. No row was refused.").waitFor({ timeout: 60_000 });
  expect(lost).toBeGreaterThan(2);
  await page.unrouteAll();
  await page.getByRole("button", { name: "Open the table" }).click();
  await page.getByText("4,000 records").waitFor();

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "More actions" }).last().click();
  await page.getByRole("menuitem", { name: "Export CSV" }).click();
  const saved = await readFile(await (await download).path(), "utf8");
  expect(saved.replace(/^\ufeff/, "").trimEnd().split("\r\n")).toEqual(
    [header, ...lines].map((line) =>
      line.map((cell = "") => quoted(cell.startsWith("=") ? `'${cell}` : cell)).join(","),
    ),
  );
});
