import { mkdir } from "node:fs/promises";
import { get } from "node:http";
import { dirname, resolve } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openBrowser, openWindow, signIn } from "./browser.ts";
import { call, type Table } from "./fixture.ts";

const pictures = resolve("../../screenshots");

type Violation = { id: string; impact: string | null; nodes: { target: string[]; failureSummary?: string }[] };

/**
 * What axe finds that is serious or worse. It is run through the debugger's protocol, which the
 * page's policy does not bind.
 */
async function findings(page: Page, source: string): Promise<string[]> {
  await page.evaluate(source);
  const found = await page.evaluate(async () => {
    const axe = (window as unknown as { axe: { run: (...options: unknown[]) => Promise<{ violations: Violation[] }> } })
      .axe;
    // The guards at the ends of a popup take the focus only to send it on at once; nobody ever
    // rests on one.
    return (
      await axe.run({ include: [["html"]], exclude: [["[data-base-ui-focus-guard]"]] }, { resultTypes: ["violations"] })
    ).violations;
  });
  return found
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map(
      (one) =>
        `${one.id}: ${one.nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary ?? ""}`).join(" | ")}`,
    );
}

type Act = (page: Page) => Promise<unknown>;
type Stop = [name: string, path: string, act?: Act];

const click =
  (name: string | RegExp): Act =>
  (page) =>
    page.getByRole("button", { name }).first().click();

/** Clicks, and waits for what opens, whose code may have to be loaded first. */
const opens =
  (button: string, role: "dialog" | "menu", name?: string): Act =>
  async (page) => {
    await click(button)(page);
    await page.getByRole(role, name ? { name } : {}).waitFor();
  };

async function stops(): Promise<Stop[]> {
  const { orgId } = inject("service");
  const bases = (await call<{ bases: { id: string; name: string }[] }>("GET", "/bases")).body.bases;
  const base = bases.find((one) => one.name.includes("Gable")) ?? bases[0]!;
  const tables = (await call<{ tables: Table[] }>("GET", `/bases/${base.id}`)).body.tables;
  const table = tables[0]!;
  const record = (await call<{ records: { id: string }[] }>("GET", `/tables/${table.id}/records?limit=1`)).body
    .records[0]!;
  const share = (await call<{ publicShareId: string }>("PUT", `/bases/${base.id}/share`, {})).body.publicShareId;
  const grid = `/base/${base.id}/${table.id}`;
  const empty = (await call<{ id: string }>("POST", "/bases", { name: "Empty base", orgId })).body;
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
      one.views.map((view): Stop => [
        `view-${one.name}-${view.name}`.replaceAll(" ", "-").toLowerCase(),
        `/base/${base.id}/${one.id}?view=${view.id}`,
      ]),
    ),
    ["record", `${grid}?record=${record.id}`],
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
      "share-menu",
      grid,
      async (page) => {
        await click("Share")(page);
        await page.getByRole("dialog", { name: "Share this base" }).waitFor();
      },
    ],
    [
      "import",
      grid,
      async (page) => {
        await page.getByRole("button", { name: "More actions" }).last().click();
        await page.getByRole("menuitem", { name: "Import CSV" }).click();
        await page.getByRole("dialog", { name: "Import a CSV file" }).waitFor();
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
    ["organization-keys", `/org/${orgId}/keys`],
    ["audit", `/org/${orgId}/audit`],
    ["missing", "/base/bas_00000000000000000000000000"],
    ["docs", "/docs", (page) => page.getByText("/api/v1/bases", { exact: true }).first().waitFor()],
    ["public-share", `/share/${share}`],
    ["public-share-dead", "/share/shr_00000000000000000000000000"],
  ];
}

/** How many bytes a file takes on its way, compressed by gzip. */
function transferred(url: string): Promise<number> {
  return new Promise((done, fail) => {
    get(url, { headers: { "Accept-Encoding": "gzip" } }, (answer) => {
      let size = 0;
      answer.on("data", (chunk: Buffer) => (size += chunk.length));
      answer.on("end", () => done(size));
    }).on("error", fail);
  });
}

const windows = [
  { dark: false, width: 1280 },
  { dark: true, width: 1280 },
  { dark: false, width: 390 },
  { dark: true, width: 390 },
];

describe.each(windows)("every page, dark $dark, $width wide", ({ dark, width }) => {
  const at = {} as { close: () => Promise<void>; page: Page; seen: Awaited<ReturnType<typeof openWindow>>["seen"] };
  beforeAll(async () => {
    const service = inject("service");
    const browser = await openBrowser();
    const { context, seen } = await openWindow(browser, service, { dark, width, height: width < 500 ? 844 : 820 });
    at.page = await signIn(context, service.email, service.password);
    at.seen = seen;
    at.close = () => browser.close();
  });
  afterAll(() => at.close?.());

  test(
    "shows itself without a serious finding of axe, a violation of the policy, or a request elsewhere",
    { timeout: 900_000 },
    async () => {
      const { source } = axe;
      const problems: Record<string, string[]> = {};
      for (const [name, path, act] of await stops()) {
        await at.page.goto(path);
        await at.page.waitForLoadState("networkidle");
        try {
          await act?.(at.page);
        } catch (error) {
          problems[name] = [`could not be brought about: ${String(error).slice(0, 200)}`];
        }
        await at.page.waitForLoadState("networkidle");
        await at.page.waitForTimeout(250);
        const file = `${pictures}/${name}-${dark ? "dark" : "light"}-${width}.png`;
        await mkdir(dirname(file), { recursive: true });
        await at.page.screenshot({ path: file });
        const found = await findings(at.page, source);
        // On a phone window.innerWidth grows along with a page that is too wide, so that the width
        // which was asked for counts.
        const wide = await at.page.evaluate(() => Math.max(document.documentElement.scrollWidth, window.innerWidth));
        if (wide > width) found.push(`the page is ${wide} wide`);
        if (found.length > 0) problems[name] = [...(problems[name] ?? []), ...found];
      }
      expect(problems).toEqual({});
      expect(at.seen).toEqual({ violations: [], outside: [], errors: [] });
    },
  );
});

test("the first page loads well below its limit of 200 kB, without the grid and menus", async () => {
  const service = inject("service");
  const browser = await openBrowser();
  const { context } = await openWindow(browser, service);
  const page = await signIn(context, service.email, service.password);
  const sizes = new Map<string, Promise<number>>();
  page.on("request", (request) => {
    if (/\.(js|css)(\?|$)/.test(request.url())) sizes.set(request.url(), transferred(request.url()));
  });
  await page.goto("/");
  await page.waitForLoadState("networkidle");
  const total = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0);
  expect([...sizes.keys()].filter((url) => /\/grid-/.test(url))).toEqual([]);
  expect(total).toBeGreaterThan(50_000);
  expect(total, [...sizes.keys()].join("\n")).toBeLessThanOrEqual(180_000);
  await browser.close();
});
