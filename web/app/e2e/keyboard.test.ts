import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserFixture, call, createTable, gridReady, rowsOf, type Table, until } from "./fixture.ts";

const fixture = browserFixture();

test("a menu opens by keyboard and pointer, closes again, and restores the focus", async () => {
  const { page } = fixture;
  await page.goto("/");
  const button = page.getByRole("button", { name: /^Account: / }).first();
  await button.focus();
  await page.keyboard.press("Enter");
  const item = page.getByRole("menuitem", { name: "Account settings" });
  await item.waitFor();
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("menuitem");
  await page.keyboard.press("Escape");
  await item.waitFor({ state: "detached" });
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await button.getAttribute("aria-expanded")).toBe("false");
  await button.click();
  await item.waitFor();
  await button.click();
  await item.waitFor({ state: "detached" });
  await button.click();
  await item.click();
  await page.waitForURL(/\/settings\/profile$/);
});

/** Presses Tab until an element with the name has the focus. */
async function tabTo(page: Page, name: RegExp, limit = 60) {
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return "";
      const labels = (element.getAttribute("aria-labelledby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent ?? "");
      // A styled checkbox has a native input next to it, which has the label.
      const input = (
        element.matches("input, textarea, select") ? element : element.parentElement?.querySelector("input")
      ) as HTMLInputElement | null;
      const own = element.matches("button, a, [role=menuitem]") ? element.textContent : "";
      return (
        element.getAttribute("aria-label") ??
        (labels.join(" ").trim() || own || (input?.labels?.[0]?.textContent ?? ""))
      );
    });
  for (let press = 0; press < limit; press++) {
    await page.keyboard.press("Tab");
    if (name.test(await focused())) {
      expect(
        await page.evaluate(() => document.activeElement?.matches(":focus-visible")),
        `the focus on ${name} can be seen`,
      ).toBe(true);
      return;
    }
  }
  throw new Error(`${name} is not reached by Tab`);
}

test("fields are created, edited and deleted by the keyboard alone", async () => {
  const { page } = fixture;
  const created = await createTable("Tasks", [{ name: "Name", type: "text" }], [{ Name: "x" }]);
  const fields = async () =>
    (await call<Table>("GET", `/tables/${created.table.id}`)).body.fields.map((field) => field.name);
  await page.goto(`/base/${created.baseId}/${created.table.id}`);
  await gridReady(page);
  await tabTo(page, /^\s*Fields/);
  await page.keyboard.press("Enter");
  await page.getByRole("switch", { name: "Name" }).waitFor();
  await tabTo(page, /Add field/);
  await page.keyboard.press("Enter");
  // The form focuses its first input when it opens.
  await page.getByLabel("Name", { exact: true }).waitFor();
  await page.waitForFunction(
    () => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent?.trim() === "Name",
  );
  await page.keyboard.type("Effort");
  await page.keyboard.press("Enter");
  expect(await until(fields, (names) => names.length === 2)).toEqual(["Name", "Effort"]);
  await page.getByRole("switch", { name: "Effort" }).waitFor();
  await tabTo(page, /Edit the field Effort/);
  await page.keyboard.press("Enter");
  await tabTo(page, /^\s*Delete\s*$/);
  await page.keyboard.press("Enter");
  await page.getByRole("alertdialog").waitFor();
  await tabTo(page, /Delete field/);
  await page.keyboard.press("Enter");
  expect(await until(fields, (names) => names.length === 1)).toEqual(["Name"]);
});

type AXNode = {
  role?: { value: string };
  name?: { value: string };
  properties?: { name: string; value: { value: unknown } }[];
  ignored: boolean;
};

test("every control of the record form has a name, a role and a state, and Tab reaches it", async () => {
  const { page } = fixture;
  const created = await createTable(
    "Everything",
    [
      { name: "Title", type: "text", config: { description: "What it is called", required: true } },
      { name: "Story", type: "long_text" },
      { name: "Mail", type: "email" },
      { name: "Amount", type: "number" },
      { name: "Done", type: "checkbox" },
      { name: "Due", type: "date" },
      { name: "State", type: "single_select", config: { options: ["Open", "Closed"] } },
      { name: "Tags", type: "multi_select", config: { options: ["Red", "Blue"] } },
      { name: "Stars", type: "rating", config: { max: 3 } },
      { name: "Who", type: "user" },
      { name: "Number", type: "auto_number" },
    ],
    [{ Title: "First", Done: true, State: "Open", Tags: ["Red"], Stars: 2 }],
  );
  const [row] = await rowsOf(created.table.id);
  await page.goto(`/base/${created.baseId}/${created.table.id}?record=${row?.id}`);
  await page.getByRole("dialog", { name: "First" }).getByRole("textbox", { name: "Title" }).waitFor();
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send("Accessibility.getFullAXTree")) as { nodes: AXNode[] };
  const descriptions = nodes
    .filter((node) => !node.ignored && node.role && node.name)
    .map((node) => {
      const state = (node.properties ?? []).filter(
        (one) =>
          ["checked", "required", "readonly", "hasPopup"].includes(one.name) &&
          one.value.value !== false &&
          one.value.value !== "false",
      );
      return [node.role?.value, node.name?.value, ...state.map((one) => `${one.name}=${String(one.value.value)}`)].join(
        " | ",
      );
    });
  for (const line of [
    "dialog | First",
    "heading | First",
    "textbox | Title | required=true",
    "textbox | Story",
    "textbox | Mail",
    "textbox | Amount",
    "checkbox | Done | checked=true",
    "Date | Due",
    "button | State Open | hasPopup=listbox",
    "button | Tags Red | hasPopup=listbox",
    "radiogroup | Stars",
    "radio | 2 of 3 | checked=true",
    "button | Who Choose… | hasPopup=listbox",
    "textbox | Number | readonly=true",
  ])
    expect(descriptions, line).toContain(line);
  for (const name of [/Title/, /Story/, /Mail/, /Amount/, /Done/, /Due/, /State/, /Tags/, /of 3/, /Who/, /Close/])
    await tabTo(page, name);
});
