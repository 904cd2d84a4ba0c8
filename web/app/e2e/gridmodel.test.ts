import { expect, test } from "vitest";
import { newContext, signIn } from "./browser.ts";
import { browserFixture, call, createTable, gridReady, testService, until } from "./fixture.ts";
import { actions } from "./gridaction.ts";
import { GridSession, kinds, recordsOf, silentStream, size, endStream, widths } from "./gridsession.ts";
import { locales, type LocaleTag } from "./gridwriting.ts";
import { randomFrom } from "./tablemodel.ts";

const fixture = browserFixture();
// SEED=random draws a seed, which is printed; ACTIONS is how many actions run in each locale.
const seed = process.env.SEED === "random" ? Date.now() % 1_000_000_007 : Number(process.env.SEED ?? 20260418);
const count = Number(process.env.ACTIONS ?? 50);
const tags = (process.env.LOCALES?.split(",") ?? Object.keys(locales)) as LocaleTag[];

test.each(tags)(
  `after each of ${count} random actions in %s the table equals its model (SEED=${seed})`,
  { timeout: 900_000 },
  async (locale) => {
    process.stdout.write(`grid model: SEED=${seed} ACTIONS=${count} LOCALE=${locale}\n`);
    const random = randomFrom(seed);
    const service = testService();
    // High enough that messages lie below the rows.
    const { context } = await newContext(fixture.browser, service, { locale, height: 1200 });
    const page = await signIn(context, service.email, service.password);
    // The grid learns of changes only when the test says so, and never in the middle of an action.
    await page.addInitScript(silentStream);
    const rows = Array.from({ length: 6 }, (_, n) => ({ Name: `row ${n}`, Height: n, Kind: kinds[n % 3], Note: null }));
    const fields = [
      { name: "Name", type: "text" },
      { name: "Height", type: "number" },
      { name: "Kind", type: "single_select", config: { options: kinds } },
      { name: "Note", type: "long_text" },
      { name: "Day", type: "date" },
      { name: "Done", type: "checkbox" },
    ];
    const { baseId, table } = await createTable("Model", fields, rows);
    await call("PATCH", `/fields/${table.fields[3]?.id}`, { width: widths[3] });
    const grid = new GridSession(page, table, random, locale);
    try {
      for (const row of await recordsOf(table.id)) grid.model.rows.set(row.id, row.fields);
      await page.goto(`/base/${baseId}/${table.id}`);
      await gridReady(page);
      await until(
        async () => grid.shown.length,
        (shown) => shown > 0,
      );
      await grid.listed(() => page.evaluate(endStream)); // the first time, a page reads its rows a while later
      const total = actions.reduce((sum, [weight]) => sum + weight, 0);
      for (let index = 0; index < count; index++) {
        if (grid.shown.length < size.min) await grid.refresh();
        let drawn = random.below(total);
        const [, name, run] = actions.find(([weight]) => (drawn -= weight) < 0) as (typeof actions)[number];
        grid.log.push(`${index}: ${name}`);
        try {
          await run(grid);
        } catch (error) {
          throw new Error(`SEED=${seed} ${locale}: ${grid.log.slice(-12).join("\n")}`, { cause: error });
        }
        await grid.settled();
      }
      // Both are rare: a hundred actions may pass without one.
      if (count >= 1000) {
        expect(grid.questions, "edits of what another client had changed").toBeGreaterThan(0);
        expect(grid.reverts, "undos of what another client had changed").toBeGreaterThan(0);
      }
      await grid.refresh();
      const shown = page.getByTestId("data-grid-canvas");
      for (const values of grid.model.rows.values())
        if (values.Name) await expect.poll(() => shown.textContent()).toContain(String(values.Name));
    } finally {
      await grid.end();
      await context.close();
    }
  },
);
