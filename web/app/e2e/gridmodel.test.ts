import { expect, test } from "vitest";
import { browserFixture, createTable, gridReady, until } from "./fixture.ts";
import { actions } from "./gridaction.ts";
import { GridSession, kinds, recordsOf, silentStream, size, tellAnew } from "./gridsession.ts";
import { randomFrom } from "./tablemodel.ts";

const fixture = browserFixture();
// SEED=random draws a seed, which is printed; ACTIONS is how many actions run.
const seed = process.env.SEED === "random" ? Date.now() % 1_000_000_007 : Number(process.env.SEED ?? 20260418);
const count = Number(process.env.ACTIONS ?? 500);

test(
  `after each of ${count} random actions the table equals its model (SEED=${seed})`,
  { timeout: 600_000 },
  async () => {
    process.stdout.write(`grid model: SEED=${seed} ACTIONS=${count}\n`);
    const random = randomFrom(seed);
    const { page } = fixture;
    // The grid learns of changes only when the test says so, and never in the middle of an action.
    await page.addInitScript(silentStream);
    const rows = Array.from({ length: 6 }, (_, n) => ({ Name: `row ${n}`, Height: n, Kind: kinds[n % 3], Note: null }));
    const fields = [
      { name: "Name", type: "text" },
      { name: "Height", type: "number" },
      { name: "Kind", type: "single_select", config: { options: kinds } },
      { name: "Note", type: "text" },
    ];
    const { baseId, table } = await createTable("Model", fields, rows);
    const grid = new GridSession(page, table, random);
    for (const row of await recordsOf(table.id)) grid.model.rows.set(row.id, row.fields);
    await page.goto(`/base/${baseId}/${table.id}`);
    await gridReady(page);
    await until(
      async () => grid.shown.length,
      (shown) => shown > 0,
    );
    await grid.listed(() => page.evaluate(tellAnew)); // the first time, a page reads its rows a while later
    const total = actions.reduce((sum, [weight]) => sum + weight, 0);
    for (let index = 0; index < count; index++) {
      if (grid.shown.length < size.min) await grid.refresh();
      let drawn = random.below(total);
      const [, name, run] = actions.find(([weight]) => (drawn -= weight) < 0) as (typeof actions)[number];
      grid.log.push(`${index}: ${name}`);
      try {
        await run(grid);
      } catch (error) {
        throw new Error(`SEED=${seed}: ${grid.log.slice(-12).join("\n")}`, { cause: error });
      }
      await grid.settled();
    }
    if (process.env.SEED === undefined && process.env.ACTIONS === undefined) {
      expect(grid.questions, "edits of what another client had changed").toBeGreaterThan(0);
      expect(grid.reverts, "undos of what another client had changed").toBeGreaterThan(0);
    }
    await grid.refresh();
    const shown = page.getByTestId("data-grid-canvas");
    for (const values of grid.model.rows.values())
      if (values.Name) await expect.poll(() => shown.textContent()).toContain(String(values.Name));
  },
);
