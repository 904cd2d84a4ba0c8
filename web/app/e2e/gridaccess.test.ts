import { expect, test } from "vitest";
import { browserFixture, call, clickCell, createTable, gridReady } from "./fixture.ts";

const fixture = browserFixture();

type AxValue = { value?: unknown };
type AxNode = {
  ignored: boolean;
  role?: AxValue;
  name?: AxValue;
  description?: AxValue;
  properties?: { name: string; value: AxValue }[];
};

/** What assistive technology gets of the page, as the browser computes it. */
async function tree(): Promise<AxNode[]> {
  const session = await fixture.page.context().newCDPSession(fixture.page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes.filter((node) => !node.ignored) as AxNode[];
}

const property = (node: AxNode | undefined, name: string) =>
  node?.properties?.find((one) => one.name === name)?.value.value;

/** The element that has the focus: its role, its name, and what is said of it. */
async function focused() {
  const node = (await tree()).find((one) => property(one, "focused") === true && one.role?.value !== "RootWebArea");
  const place = await fixture.page.evaluate(() => {
    const at = document.activeElement;
    return [at?.closest("[aria-rowindex]")?.getAttribute("aria-rowindex"), at?.getAttribute("aria-colindex")].join(" ");
  });
  return {
    role: node?.role?.value,
    name: node?.name?.value,
    readonly: property(node, "readonly"),
    required: property(node, "required"),
    place,
  };
}

test("rows, columns, values and the selection are in the accessibility tree, as keys move through them", async () => {
  const fields = [
    { name: "Plant", type: "text", config: { required: true, description: "Its English name" } },
    { name: "Height", type: "number", config: { precision: 1 } },
    { name: "Kind", type: "single_select", config: { options: ["Tree", "Herb"] } },
    { name: "No", type: "auto_number" },
  ];
  const rows = [1, 2, 3].map((n) => ({ Plant: `Plant ${n}`, Height: n + 0.5, Kind: n === 1 ? "Tree" : "Herb" }));
  const { baseId, table } = await createTable("Garden", fields, rows);
  const sorts = [{ fieldId: table.fields[1]?.id, dir: "desc" }];
  await call("PATCH", `/views/${table.views[0]?.id}`, { config: { sorts } });
  const { page } = fixture;
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);

  const grid = page.locator("canvas [role=grid]");
  await expect
    .poll(async () => (await tree()).filter((node) => node.role?.value === "grid").map((node) => node.name?.value))
    .toEqual([`Garden, ${table.views[0]?.name}`]);
  await expect.poll(() => grid.getAttribute("aria-colcount")).toBe("4");
  expect(await grid.getAttribute("aria-rowcount")).toBe("5"); // the heads, three records, the row for a new one
  const heads = (await tree()).filter((node) => node.role?.value === "columnheader");
  expect(heads.map((node) => [node.name?.value, node.description?.value ?? ""])).toEqual([
    ["Plant", "Required. Its English name"],
    ["Height", ""],
    ["Kind", ""],
    ["No", expect.stringContaining("No")],
  ]);
  expect(await page.locator("canvas [aria-sort]").evaluateAll((all) => all.map((one) => one.textContent))).toEqual([
    "Height",
  ]);

  await clickCell(page, [220], 0, 0);
  await expect
    .poll(focused)
    .toEqual({ role: "rowheader", name: "Plant 3", readonly: false, required: true, place: "2 1" });
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect.poll(async () => Object.values(await focused()).slice(0, 3)).toEqual(["gridcell", "2.5", false]);
  await page.keyboard.press("End");
  await expect.poll(async () => (await focused()).readonly).toBe(true);
  expect((await focused()).place).toBe("3 4");

  // A range is marked as selected, and its size is said.
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowDown");
  await expect
    .poll(() => page.getByRole("status").allTextContents())
    .toEqual(expect.arrayContaining(["Selected 2 rows, 2 columns"]));
  await expect
    .poll(async () => (await tree()).filter((node) => property(node, "selected") === true).map((n) => n.name?.value))
    .toEqual(["Plant 3", "3.5", "Plant 2", "2.5"]);

  // An edit is a text box with the name of its field, and the cell says the new value.
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("F2");
  await expect.poll(async () => [(await focused()).role, (await focused()).name]).toEqual(["textbox", "Plant"]);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Oak");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await expect.poll(async () => [(await focused()).role, (await focused()).name]).toEqual(["rowheader", "Oak"]);
});
