import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { newContext, signIn } from "./browser.ts";
import { browserFixture, call, createTable, rowsOf, testService } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture("en-US");
const dayWidth = 18; // pixels, in weeks
const day = (offset: number) => new Date(Date.now() + offset * 864e5).toISOString().slice(0, 10);
const written = (offset: number) =>
  new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(day(offset)));

/** Drags from a part of the width of a bar by some days. */
async function drag(bar: Locator, part: number, days: number) {
  const page = bar.page();
  const box = (await bar.boundingBox())!;
  const [x, y] = [box.x + box.width * part, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + (days * dayWidth) / 2, y, { steps: 3 });
  await page.mouse.move(x + days * dayWidth, y, { steps: 3 });
  await page.mouse.up();
}

test("bars are moved, resized and undone, and take along what depends on them", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(
    "Building",
    [
      { name: "Name", type: "text" },
      { name: "From", type: "date" },
      { name: "To", type: "date" },
      { name: "Trade", type: "single_select", config: { options: ["Wood", "Stone", "Glass"] } },
    ],
    [
      { Name: "Roof", From: day(0), To: day(6), Trade: "Wood" },
      { Name: "Windows", From: day(8), To: day(11), Trade: "Wood" },
      { Name: "Wall", From: day(2), To: day(5), Trade: "Stone" },
      { Name: "Garden" },
    ],
  );
  // Only the application can create link fields, with its session.
  const after = await page.evaluate(
    async ([path, body]) => {
      const headers = { "Content-Type": "application/json" };
      const answer = await fetch(path!, { method: "POST", headers, body: body! });
      return ((await answer.json()) as { id: string }).id;
    },
    [
      `/api/v1/tables/${table.id}/fields`,
      JSON.stringify({ name: "After", type: "link", config: { linkedTableId: table.id } }),
    ],
  );
  const ids = Object.fromEntries((await rowsOf(table.id)).map(({ id, fields }) => [fields.Name as string, id]));
  await call("PATCH", `/records/${ids.Windows}`, { fields: { After: [ids.Roof] } });
  const view = await call<{ id: string }>("POST", `/tables/${table.id}/views`, {
    type: "timeline",
    config: { startFieldId: "From", endFieldId: "To", laneFieldId: "Trade", dependsOnFieldId: after },
  });
  const daysOf = async (name: string) => {
    const { fields } = (await rowsOf(table.id)).find(({ id }) => id === ids[name])!;
    return [fields.From, fields.To];
  };
  /** Waits until a record has two days, and is drawn between them. */
  const between = async (name: string, from: number, to: number) => {
    await expect.poll(() => daysOf(name)).toEqual([day(from), day(to)]);
    await page.getByRole("button", { name: `${name}, ${written(from)} – ${written(to)}` }).waitFor();
  };
  await page.goto(`/base/${baseId}/${table.id}?view=${view.body.id}`);
  const bar = (name: string) => page.getByRole("button", { name: new RegExp(`^${name}, `) });
  await bar("Roof").waitFor();
  expect(await page.getByRole("region", { name: "Wood" }).getByRole("button").count()).toBe(2);
  expect(await findings(page)).toEqual([]);
  await picture(page, "timeline-light-1280");

  // As a whole, and at its end; each is undone at once.
  await drag(bar("Wall"), 0.5, 3);
  await between("Wall", 5, 8);
  await page.keyboard.press("Control+z");
  await between("Wall", 2, 5);
  await drag(bar("Wall"), 0.97, 2);
  await between("Wall", 2, 7);
  await page.keyboard.press("Control+z");
  await between("Wall", 2, 5);
  await drag(bar("Wall"), 0.03, -1);
  await between("Wall", 1, 5);

  // By keys.
  await bar("Wall").focus();
  await page.keyboard.press("Shift+ArrowRight");
  await between("Wall", 2, 6);
  await page.keyboard.press("Control+Shift+ArrowLeft");
  await between("Wall", 2, 5);

  // To another lane, with its days or without, by the mouse and by keys.
  const lane = (name: string) => page.getByRole("region", { name, exact: true });
  const tradeOf = (name: string) => async () =>
    (await rowsOf(table.id)).find(({ id }) => id === ids[name])!.fields.Trade;
  const [from, to] = [(await bar("Wall").boundingBox())!, (await lane("Wood").getByRole("heading").boundingBox())!];
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2 + dayWidth, from.y, { steps: 3 });
  await page.mouse.move(from.x + from.width / 2 + dayWidth, to.y + to.height / 2, { steps: 5 });
  await picture(page, "timeline-lane-1280");
  await page.mouse.up();
  await expect.poll(tradeOf("Wall")).toBe("Wood");
  await between("Wall", 3, 6);
  await lane("Wood").getByRole("button", { name: /^Wall, / }).waitFor();
  await page.keyboard.press("Control+z");
  await between("Wall", 2, 5);
  await expect.poll(tradeOf("Wall")).toBe("Stone");
  await bar("Wall").focus();
  await page.keyboard.press("Shift+ArrowUp");
  await expect.poll(tradeOf("Wall")).toBe("Wood");
  await lane("Wood").getByRole("button", { name: /^Wall, / }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Wall");
  await page.keyboard.press("Control+z");
  await expect.poll(tradeOf("Wall")).toBe("Stone");
  // To one without a bar, which has room for it.
  await bar("Wall").focus();
  await page.keyboard.press("Shift+ArrowDown");
  await lane("Glass").getByRole("button", { name: /^Wall, / }).waitFor();
  await expect.poll(tradeOf("Wall")).toBe("Glass");
  await page.keyboard.press("Control+z");
  await expect.poll(tradeOf("Wall")).toBe("Stone");

  // The windows wait for the roof.
  await drag(bar("Roof"), 0.5, 4);
  await page.getByRole("button", { name: "Move by 4 days as well" }).click();
  await between("Windows", 12, 15);
  await between("Roof", 4, 10);
  await bar("Roof").focus();
  await page.keyboard.press("Control+z");
  await between("Roof", 0, 6);
  await between("Windows", 8, 11);

  // A delay of the windows is a delay of all.
  await page.getByRole("button", { name: "Critical path" }).click();
  await page.getByText(`All of it ends on ${written(11)}.`).waitFor();
  await page.getByRole("button", { name: /^Windows, .*, critical$/ }).waitFor();
  await page.getByRole("button", { name: /^Wall, .*\d$/ }).waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, "timeline-critical-1280");
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findings(page)).toEqual([]);
  await picture(page, "timeline-critical-dark-1280");
  await page.emulateMedia({ colorScheme: "light" });

  // What has no days is listed, and is put on one.
  await page.getByRole("button", { name: /^Unscheduled/ }).click();
  await page.getByRole("button", { name: "Put Garden on today" }).click();
  await expect.poll(() => daysOf("Garden")).toEqual([day(0), null]);
  await bar("Garden").waitFor();
  await page.getByText("Every record has a start.").waitFor();

  await page.getByLabel("Scale").selectOption("Quarters");
  await bar("Roof").waitFor();
  expect(await findings(page)).toEqual([]);
  await bar("Roof").click();
  await page.getByRole("dialog", { name: "Roof" }).waitFor();

  const narrow = await newContext(fixture.browser, testService(), { width: 390, height: 844, locale: "en-US" });
  const phone = await signIn(narrow.context, testService().email, testService().password);
  await phone.goto(`/base/${baseId}/${table.id}?view=${view.body.id}`);
  await phone.getByRole("button", { name: /^Roof, / }).waitFor();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await findings(phone)).toEqual([]);
  await picture(phone, "timeline-light-390");
  await phone.getByRole("button", { name: "Critical path" }).click();
  await phone.getByText(/^All of it ends on/).waitFor();
  expect(await findings(phone)).toEqual([]);
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await picture(phone, "timeline-critical-390");
  await phone.getByRole("button", { name: "Critical path" }).click();

  // A finger that rests on a bar drags it; one that moves at once scrolls.
  const bare = phone.getByRole("button", { name: /^Wall, / });
  const fingers = await narrow.context.newCDPSession(phone);
  const touch = async (rest: number) => {
    await phone.getByRole("button", { name: "Today" }).click();
    const box = (await bare.boundingBox())!;
    const [x, y] = [box.x + Math.min(box.width / 2, 20), box.y + box.height / 2];
    const at = (by: number) => ({ touchPoints: [{ x: x + by, y }] });
    await fingers.send("Input.dispatchTouchEvent", { type: "touchStart", ...at(0) });
    await phone.waitForTimeout(rest);
    for (const days of [0.5, 1, 1.5, 2])
      await fingers.send("Input.dispatchTouchEvent", { type: "touchMove", ...at(days * dayWidth) });
    await fingers.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  await phone.getByLabel("Scale").selectOption("Weeks");
  await touch(0);
  expect(await daysOf("Wall")).toEqual([day(2), day(5)]);
  await touch(600);
  await expect.poll(() => daysOf("Wall")).toEqual([day(4), day(7)]);
  await narrow.context.close();
});
