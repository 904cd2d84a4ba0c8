import { expect, test } from "vitest";
import { browserFixture, call, createTable, gridReady } from "./fixture.ts";
import { findings } from "./page.ts";

const fixture = browserFixture();

test("a part that cannot be loaded says so, and is loaded when it is tried again", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Trips", [
    { name: "Name", type: "text" },
    { name: "Day", type: "date" },
  ]);
  await call("POST", `/tables/${table.id}/views`, {
    type: "calendar",
    name: "Days",
    config: { startFieldId: "Day" },
  });
  const parts = /assets\/(calendar|shortcutlist)-/;
  await page.route(parts, (route) => route.abort());
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);

  // In its place.
  await page.getByRole("link", { name: "Days" }).click();
  await page.getByText("This part could not be loaded").waitFor();
  expect(await findings(page)).toEqual([]);
  await page.unroute(parts);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Today" }).waitFor();

  // In a message, where nothing stands in its place.
  await page.route(parts, (route) => route.abort());
  await page.keyboard.press("?");
  const message = page.getByRole("region", { name: "Notifications" });
  await message.getByText("This part could not be loaded").waitFor();
  await page.unroute(parts);
  // What is urgent is read out elsewhere, so its message is hidden from assistive technology until it has the focus.
  await message.getByRole("button", { name: "Try again", includeHidden: true }).click();
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  fixture.problems.errors.length = 0; // the browser reports what was aborted
});
