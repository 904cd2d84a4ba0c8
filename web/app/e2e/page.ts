import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newContext, noProblems, openBrowser, type PageProblems, signIn } from "./browser.ts";
import { call, clickCell, createTable, rowsOf, type Table, testService } from "./fixture.ts";
import { picture } from "./picture.ts";

type Violation = { id: string; impact: string | null; nodes: { target: string[]; failureSummary?: string }[] };
type Axe = { run: (...options: unknown[]) => Promise<{ violations: Violation[] }> };

/**
 * Returns the serious and critical findings of axe, or of some of its rules. It runs over the
 * debugging protocol, which the content policy of the page does not restrict. A page that a popup
 * has just left hides its content for a moment, so that findings count when they last.
 */
export async function findings(page: Page, rules?: string[]): Promise<string[]> {
  await settled(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const first = await audit(page, rules);
  if (first.length === 0) return first;
  await page.waitForTimeout(lasting);
  await settled(page);
  return audit(page, rules);
}

const lasting = 1000; // milliseconds

async function audit(page: Page, rules?: string[]): Promise<string[]> {
  const found = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: Axe };
    // The focus guards of a popup pass the focus on at once.
    const scope = { include: [["html"]], exclude: [["[data-base-ui-focus-guard]"]] };
    return (await axe.run(scope, { resultTypes: ["violations"], ...(runOnly ? { runOnly } : {}) })).violations;
  }, rules);
  return found
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map(({ id, nodes }) => {
      const targets = nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary ?? ""}`);
      return `${id}: ${targets.join(" | ")}`;
    });
}

/** Waits until a page is drawn: two frames have passed, and every transition has ended. */
async function settled(page: Page) {
  await page.evaluate(async () => {
    const frames = (count: number): Promise<unknown> =>
      new Promise((drawn) => requestAnimationFrame(drawn)).then(() => count > 1 && frames(count - 1));
    await frames(2);
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map((one) => one.finished));
    await frames(1);
  });
}

type Action = (page: Page) => Promise<unknown>;
type Visit = [name: string, path: string, action?: Action];

const click =
  (name: string | RegExp): Action =>
  (page) =>
    page.getByRole("button", { name }).first().click();

/** Clicks a button and waits for the dialog or menu, whose code may have to be loaded first. */
const opens =
  (button: string, role: "dialog" | "menu", name?: string): Action =>
  async (page) => {
    await click(button)(page);
    await page.getByRole(role, name ? { name } : {}).waitFor();
  };

/** Writes a resolved thread on a record, and an open one with a mention and a reply. */
async function writeComments(recordId: string) {
  const me = (await call<{ id: string }>("GET", "/me")).body.id;
  const write = async (text: string, replyTo?: string) =>
    (await call<{ id: string }>("POST", `/records/${recordId}/comments`, { text, replyTo })).body.id;
  const done = await write("Is the height in metres?");
  await call("PUT", `/comments/${done}/resolution`, { resolved: true });
  const open = await write(`Somebody should look at the roots, @[Me](${me}).\nThey lift the pavement.`);
  await write("I will be there on Monday.", open);
}

async function visits(): Promise<Visit[]> {
  const { orgId } = testService();
  const bases = (await call<{ bases: { id: string; name: string }[] }>("GET", "/bases")).body.bases;
  const base = bases.find((one) => one.name.includes("Gable")) ?? bases[0]!;
  const tables = (await call<{ tables: Table[] }>("GET", `/bases/${base.id}`)).body.tables;
  const table = tables[0]!;
  const record = (await call<{ records: { id: string }[] }>("GET", `/tables/${table.id}/records?limit=1`)).body
    .records[0]!;
  const share = (await call<{ publicShareId: string }>("PUT", `/bases/${base.id}/share`, {})).body.publicShareId;
  const grid = `/base/${base.id}/${table.id}`;
  const empty = (await call<{ id: string }>("POST", "/bases", { name: "Empty base", orgId })).body;
  const contested = await createTable(
    "Plants",
    [
      { name: "Name", type: "text" },
      { name: "Kind", type: "single_select", config: { options: ["Tree", "Herb", "Moss"] } },
    ],
    [
      { Name: "Oak", Kind: "Tree" },
      { Name: "Elm", Kind: "Tree" },
    ],
  );
  const hooks = `/base/${contested.baseId}/webhooks`;
  const url = "http://127.0.0.1:9/hook"; // nobody listens there
  for (const body of [{ url, name: "Warehouse" }, { url, name: "Newsletter" }])
    await call("POST", `/bases/${contested.baseId}/webhooks`, body);
  const [contestedId = "", deletedId] = (await rowsOf(contested.table.id)).map(({ id }) => id);
  await call("DELETE", `/records/${deletedId}`);
  await writeComments(contestedId);
  return [
    ["home", "/"],
    ["home-new-base", "/", opens("New base", "dialog", "New base")],
    ["home-base-menu", "/", opens("Actions for Gable Street renovation", "menu")],
    [
      "palette",
      "/",
      async (page) => {
        await page.keyboard.press("Control+k");
        await page.getByRole("dialog", { name: "Command palette" }).waitFor();
      },
    ],
    [
      "shortcuts",
      "/",
      async (page) => {
        await page.keyboard.press("?");
        await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      },
    ],
    [
      "account-menu",
      "/",
      async (page) => {
        if ((page.viewportSize()?.width ?? 0) < 500) await opens("Open navigation", "dialog", "Navigation")(page);
        await page
          .getByRole("button", { name: /^Account: / })
          .first()
          .click();
        await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
      },
    ],
    ...tables.flatMap((one) =>
      one.views.map((view): Visit => [
        `view-${one.name}-${view.name}`.replaceAll(" ", "-").toLowerCase(),
        `/base/${base.id}/${one.id}?view=${view.id}`,
      ]),
    ),
    ["record", `${grid}?record=${record.id}`],
    [
      "record-history",
      `/base/${contested.baseId}/${contested.table.id}?record=${contestedId}`,
      async (page) => {
        await page.getByRole("tab", { name: "History" }).click();
        await page.getByRole("list", { name: "History" }).waitFor();
      },
    ],
    [
      "record-comments",
      `/base/${contested.baseId}/${contested.table.id}?record=${contestedId}`,
      async (page) => {
        await page.getByRole("tab", { name: "Comments" }).click();
        await page.getByRole("button", { name: "Show 1 resolved thread" }).click();
        await page.getByRole("button", { name: "Reply" }).first().click();
        await page.getByRole("textbox", { name: "Reply" }).pressSequentially("Thanks, @");
      },
    ],
    ["inbox", "/inbox"],
    ["notifications", "/settings/notifications"],
    ["changes", `/base/${contested.baseId}/changes`, (page) => page.getByText(/added to Plants/).first().waitFor()],
    ["changes-menu", grid, opens("More", "menu")],
    [
      "revert",
      `/base/${contested.baseId}/changes`,
      (page) => opens("Revert: 1 record deleted in Plants", "dialog", "Revert these changes?")(page),
    ],
    ["trash", `/base/${contested.baseId}/trash`, (page) => page.getByText("Elm").first().waitFor()],
    ["webhooks", hooks, (page) => page.getByText("Warehouse").first().waitFor()],
    ["webhook-form", hooks, opens("New webhook", "dialog", "New webhook")],
    ["webhook-deliveries", hooks, opens("Deliveries of Warehouse", "dialog", "Deliveries of Warehouse")],
    ["look-back", grid, opens("Look back", "dialog")],
    [
      "past",
      `${grid}?asOf=${encodeURIComponent(new Date().toISOString())}`,
      (page) => page.getByText("It is read-only.").waitFor(),
    ],
    [
      "conflict",
      `/base/${contested.baseId}/${contested.table.id}`,
      async (page) => {
        await page.getByTestId("data-grid-canvas").waitFor();
        await clickCell(page, [220, 160], 1, 0);
        await page.keyboard.type("Moss");
        await call("PATCH", `/records/${contestedId}`, { fields: { Name: "Oak", Kind: "Herb" } });
        await page.keyboard.press("Enter");
        await page.getByRole("dialog", { name: "was also changed elsewhere" }).waitFor();
      },
    ],
    [
      "filter",
      grid,
      async (page) => {
        await click("Filter")(page);
        await click("Add condition")(page);
        await click("Add group")(page);
      },
    ],
    ["fields-panel", grid, click("Fields")],
    [
      "new-field",
      grid,
      async (page) => {
        await page.getByTestId("data-grid-canvas").waitFor();
        await page.locator(".dvn-scroller").evaluate((scroller) => scroller.scrollTo(scroller.scrollWidth, 0));
        await page.waitForTimeout(200);
        await page.getByRole("button", { name: "Add field" }).click();
        await page.getByLabel("Type").selectOption("single_select");
        await click("Add option")(page);
      },
    ],
    [
      "new-formula",
      grid,
      async (page) => {
        await page.getByTestId("data-grid-canvas").waitFor();
        await page.locator(".dvn-scroller").evaluate((scroller) => scroller.scrollTo(scroller.scrollWidth, 0));
        await page.waitForTimeout(200);
        await page.getByRole("button", { name: "Add field" }).click();
        await page.getByLabel("Type").selectOption("formula");
        const formula = page.getByRole("combobox", { name: "Formula" });
        await formula.fill(`IF(LEN({${table.fields[0]?.name}}) > 8, "long", {Nmae})`);
        await page.getByText("there is no field").waitFor();
        await formula.press("End");
        await formula.pressSequentially(" & da");
        await page.getByRole("listbox", { name: "Fields and functions" }).waitFor();
      },
    ],
    [
      "share-menu",
      grid,
      async (page) => {
        await click("Share")(page);
        await page.getByRole("dialog", { name: "Share this base" }).waitFor();
      },
    ],
    [
      "table-permissions",
      grid,
      async (page) => {
        await page.getByRole("button", { name: /^Actions for the table / }).click();
        await page.getByRole("menuitem", { name: "Permissions" }).click();
        await page.getByLabel("Who may: Read").waitFor();
      },
    ],
    [
      "import",
      grid,
      async (page) => {
        await page.getByRole("button", { name: "More actions" }).last().click();
        await page.getByRole("menuitem", { name: "Import a file" }).click();
        await page.getByRole("dialog", { name: "Import a file" }).waitFor();
      },
    ],
    ["empty-base", `/base/${empty.id}`],
    ["api", `/base/${base.id}/api`],
    ["profile", "/settings/profile"],
    ["security", "/settings/security"],
    ["keys", "/settings/keys"],
    ["new-key", "/settings/keys", opens("Create key", "dialog", "Create an API key")],
    ["apps", "/settings/apps"],
    ["organization", `/org/${orgId}`],
    ["members", `/org/${orgId}/members`],
    ["invite", `/org/${orgId}/members`, opens("Invite people", "dialog", "Invite people")],
    ["groups", `/org/${orgId}/groups`],
    ["new-group", `/org/${orgId}/groups`, opens("Create group", "dialog", "Create group")],
    ["organization-keys", `/org/${orgId}/keys`],
    ["audit", `/org/${orgId}/audit`],
    ["missing", "/base/bas_00000000000000000000000000"],
    ["docs", "/docs", (page) => page.getByText("/api/v1/bases", { exact: true }).first().waitFor()],
    ["public-share", `/share/${share}`],
    ["public-share-dead", "/share/shr_00000000000000000000000000"],
  ];
}

/** Opens every page at one width, and looks at it in light and in dark. */
export function testPages(width: number) {
  describe(`every page at a width of ${width}`, () => {
    const fixture = {} as { browser: Browser; page: Page; problems: PageProblems };
    beforeAll(async () => {
      const service = testService();
      fixture.browser = await openBrowser();
      const height = width < 500 ? 844 : 820;
      const { context, problems } = await newContext(fixture.browser, service, { width, height });
      fixture.problems = problems;
      fixture.page = await signIn(context, service.email, service.password);
    });
    afterAll(() => fixture.browser?.close());

    test("has no serious axe findings, policy violations or external requests", { timeout: 900_000 }, async () => {
      const { page } = fixture;
      const failures: Record<string, string[]> = {};
      for (const [name, path, action] of await visits()) {
        await page.goto(path);
        await page.waitForLoadState("networkidle");
        try {
          await action?.(page);
        } catch (error) {
          failures[name] = [`could not be opened: ${String(error).slice(0, 200)}`];
        }
        await page.waitForTimeout(250); // what an action opens is loaded and takes the focus
        for (const colorScheme of ["dark", "light"] as const) {
          await page.emulateMedia({ colorScheme });
          const rules = colorScheme === "dark" ? ["color-contrast"] : undefined; // the others do not depend on colours
          const found = (await findings(page, rules)).map((one) => `${colorScheme}: ${one}`);
          await picture(page, `${name}-${colorScheme}-${width}`);
          if (found.length > 0) failures[name] = [...(failures[name] ?? []), ...found];
        }
        // On a phone window.innerWidth grows with a page that is too wide, so compare with the
        // width of the context.
        const pageWidth = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, window.innerWidth));
        if (pageWidth > width) failures[name] = [...(failures[name] ?? []), `the page is ${pageWidth} wide`];
      }
      expect(failures).toEqual({});
      expect(fixture.problems).toEqual(noProblems);
    });
  });
}
