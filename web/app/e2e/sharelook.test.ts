import { expect, test } from "vitest";
import { newContext, noProblems } from "./browser.ts";
import { browserFixture, call, createTable, testService } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();

test("shared views are drawn as themselves, on a wide and a narrow page, in light and dark", async () => {
  const { table } = await createTable(
    "Jobs",
    [
      { name: "Name", type: "text" },
      { name: "State", type: "single_select", config: { options: ["Open", "Done", "Late"] } },
      { name: "Begins", type: "date" },
      { name: "Ends", type: "date" },
      { name: "Note", type: "long_text" },
      { name: "Cost", type: "number" },
    ],
    [
      { Name: "Paint the fence", State: "Open", Begins: "2026-11-03", Ends: "2026-11-05", Note: "Green.\nTwo coats." },
      { Name: "New roof", State: "Done", Begins: "2026-10-20", Ends: "2026-11-12", Cost: 800 },
      { Name: "Oil the gate", State: "Open", Begins: "2026-11-05", Ends: "2026-11-24", Cost: 15 },
      { Name: "Sweep the chimney", Begins: "2026-11-27" },
    ],
  );
  const days = { startFieldId: "Begins", endFieldId: "Ends" };
  const colors = {
    colorFieldId: "State",
    colorRules: [{ filters: [{ fieldId: "Cost", op: "gt", value: 100 }], color: "purple" }],
  };
  const aggregates = { [table.fields.find(({ name }) => name === "Cost")!.id]: "sum" };
  const stackLimits = [{ fieldId: "State", value: "Open", limit: 1 }];
  const views = [
    { type: "grid", config: { ...colors, groupBy: ["State"], aggregates }, look: "tfoot" },
    { type: "gallery", config: colors, look: ".share-cards" },
    { type: "kanban", config: { ...colors, stackFieldId: "State", stackLimits, aggregates }, look: ".share-board" },
    { type: "calendar", config: { ...colors, ...days }, look: ".share-calendar" },
    { type: "timeline", config: { ...colors, ...days, laneFieldId: "State" }, look: ".share-timeline" },
    {
      type: "chart",
      config: { chart: { kind: "bar", value: { fn: "count" }, groupBy: { fieldId: "State" } } },
      look: ".share-chart",
    },
  ];
  for (const dark of [false, true]) {
    const { context, problems } = await newContext(fixture.browser, testService(), { dark, width: 1440, height: 900 });
    const page = await context.newPage();
    for (const { type, config, look } of views) {
      const view = await call<{ id: string }>("POST", `/tables/${table.id}/views`, { type, config });
      const put = await call<{ publicShareId: string }>("PUT", `/views/${view.body.id}/share`, {});
      for (const [width, height] of [
        [1440, 900],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.goto(`${testService().baseUrl}/share/${put.body.publicShareId}?month=2026-11`);
        await page.locator(look).waitFor();
        if (type !== "chart") {
          await page.getByText("Paint the fence").first().waitFor();
          await page.locator(".purple:not(.tone):visible").first().waitFor();
        }
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([type, width, wider]).toEqual([type, width, 0]);
        expect(await findings(page)).toEqual([]);
        await picture(page, `share-${type}-${dark ? "dark" : "light"}-${width}`);
      }
      if (type === "grid") {
        await page.getByText("Sum 815").waitFor();
        continue;
      }
      await page.getByRole("link", { name: "Show as a table" }).click();
      await page.getByRole("rowheader", { name: "Paint the fence" }).waitFor();
      await page.getByRole("link", { name: /^Show as a / }).click();
      await page.locator(look).waitFor();
    }
    expect(problems).toEqual(noProblems);
    await context.close();
  }
});
