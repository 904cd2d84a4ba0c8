import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { browserFixture, call, type Row, type Table, testService } from "./fixture.ts";

const fixture = browserFixture();
const count = 5000;

type Page = { records: Row[]; cursor?: string; total: number };

/** Every table of a base with its fields, views and records, without what says when they changed. */
async function dump(baseId: string) {
  const { tables } = (await call<{ tables: Table[] }>("GET", `/bases/${baseId}`)).body;
  const whole = await Promise.all(
    tables.map(async ({ id }) => {
      const { name, fields, views } = (await call<Table>("GET", `/tables/${id}`)).body;
      const records: [string, unknown][] = [];
      let cursor: string | undefined;
      do {
        // oxlint-disable-next-line no-await-in-loop -- each page names the next
        const answer = await call<Page>("GET", `/tables/${id}/records?limit=100${cursor ? `&cursor=${cursor}` : ""}`);
        const page = answer.body;
        records.push(...page.records.map((row): [string, unknown] => [row.id, row.fields]));
        cursor = page.cursor;
      } while (cursor);
      return { id, name, fields, views, records: Object.fromEntries(records) };
    }),
  );
  return whole;
}

test("an import, edits, deletions, a new type, and a deleted field and table are undone step by step", async () => {
  const { page } = fixture;
  const dir = await mkdtemp(join(tmpdir(), "rowhouse-undo-"));
  const file = join(dir, "runways.csv");
  const lines = Array.from({ length: count }, (_, n) => `K${n},${n % 10 ? n * 3 : "unknown"},${n % 7}`);
  await writeFile(file, ["ident,length,width", ...lines].join("\n"));
  const base = (await call<{ id: string }>("POST", "/bases", { name: "Runways", orgId: testService().orgId })).body;
  const empty = await dump(base.id);

  await page.goto(`/base/${base.id}`);
  await page.getByRole("button", { name: "Import a file" }).click();
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByLabel("Field: length").selectOption("new:text");
  await page.getByRole("button", { name: "Import 5,000 rows" }).click();
  await page.getByText("5,000 rows were imported. No row was refused.").waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: "Open the table" }).click();
  await page.getByText("5,000 records").waitFor();
  const imported = await dump(base.id);
  const table = imported[0]!;
  const ids = Object.keys(table.records);
  expect(ids.length).toBe(count);

  // What the application sends for these, in the person's session.
  const send = (method: string, path: string, body?: unknown, changeSet?: string) =>
    page.evaluate(
      async ([verb, url, json, set]) => {
        const headers: Record<string, string> = json === undefined ? {} : { "Content-Type": "application/json" };
        if (set !== undefined) headers["Change-Set"] = set;
        const request = { method: verb, headers, body: json };
        const answer = await fetch(`/api/v1${url}`, request);
        if (!answer.ok) throw new Error(`${verb} ${url}: ${await answer.text()}`);
      },
      [method, path, body === undefined ? undefined : JSON.stringify(body), changeSet] as const,
    );
  const field = (name: string) => table.fields.find((one) => one.name === name)!.id;
  for (const start of [0, 100]) {
    const records = ids.slice(start, start + 100).map((id) => ({ id, fields: { ident: `edited ${id}`, width: null } }));
    // oxlint-disable-next-line no-await-in-loop -- in one change set
    await send("PATCH", `/tables/${table.id}/records`, { records }, "edit");
  }
  for (const start of [100, 200, 300]) {
    // oxlint-disable-next-line no-await-in-loop -- in one change set
    await send("DELETE", `/tables/${table.id}/records`, { ids: ids.slice(start, start + 100) }, "delete");
  }
  await send("PATCH", `/fields/${field("length")}`, { type: "number", discard: true });
  await send("DELETE", `/fields/${field("width")}`);
  await send("DELETE", `/tables/${table.id}`);
  expect(await dump(base.id)).toEqual(empty);

  await page.goto(`/base/${base.id}`);
  await page.getByRole("button", { name: "Import a file" }).waitFor();
  for (const done of [
    /^Undid: Deleted the table/,
    /^Undid: Deleted the field width/,
    /^Undid: Changed the type of the field length/,
    /^Undid: 300 records deleted/,
    /^Undid: 200 records/,
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await page.keyboard.press("Control+z");
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await page.getByText(done).first().waitFor();
  }
  expect(await dump(base.id)).toEqual(imported);
  await page.keyboard.press("Control+z");
  await expect.poll(() => dump(base.id).then((tables) => tables.length), { timeout: 60_000 }).toBe(0);
});
