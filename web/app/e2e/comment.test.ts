import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newContext, noProblems } from "./browser.ts";
import { browserFixture, call, createTable, gridReady, mailedLink, rowsOf, testService, until } from "./fixture.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();

/** Invites somebody to the organization, who signs up and joins. */
async function invite(page: Page, name: string, email: string) {
  const service = testService();
  await call("POST", `/orgs/${service.orgId}/invitations`, { email, role: "editor" });
  const { context, problems } = await newContext(fixture.browser, service);
  const theirs = await context.newPage();
  await theirs.goto(await mailedLink(page, "/invitation", email));
  const signUp = theirs.getByRole("link", { name: /sign up|create/i }).first();
  if (await signUp.count()) await signUp.click();
  await theirs.locator("input[name=name]").fill(name);
  const address = theirs.locator("input[type=email]");
  if ((await address.count()) && (await address.isEditable())) await address.fill(email);
  await theirs.locator("input[type=password]").first().fill("correct horse battery staple");
  await theirs.locator("input[type=password]").first().press("Enter");
  await theirs.getByRole("heading", { name: /Welcome back/ }).waitFor();
  return { context, problems, page: theirs };
}

test("a mention leads from the inbox to the record, and the thread to its end", async () => {
  const { page } = fixture;
  const stamp = Date.now(); // the test may run once more, in the same organization
  const [email, name] = [`hedy.${stamp}@example.com`, `Hedy${stamp} Lamarr`];
  const { baseId, table } = await createTable("Plants", [{ name: "Name", type: "text" }], [{ Name: "Oak" }]);
  const [record] = (await call<{ records: { id: string }[] }>("GET", `/tables/${table.id}/records`)).body.records;
  const hedy = await invite(page, name, email);

  await page.goto(`/base/${baseId}/${table.id}?record=${record?.id}`);
  await page.getByRole("tab", { name: "Comments" }).click();
  const panel = page.getByRole("dialog", { name: "Oak" });
  await panel.getByText("No comments yet").waitFor();
  await picture(page, "1-empty");
  const field = panel.getByRole("textbox", { name: "Write a comment" });
  await field.pressSequentially("Is this really an oak, @hed");
  await panel.getByRole("option", { name: new RegExp(name) }).waitFor();
  await picture(page, "2-completion");
  await page.keyboard.press("Escape"); // closes the list, and not the record
  await panel.getByRole("listbox").waitFor({ state: "detached" });
  await field.pressSequentially(`y${stamp}`);
  await page.keyboard.press("Enter");
  expect(await field.inputValue()).toBe(`Is this really an oak, @${name} `);
  await field.pressSequentially("?");
  await page.keyboard.press("Control+Enter");
  await panel.getByRole("list", { name: "Threads" }).getByText(`@${name}`).waitFor();
  await page.getByRole("tab", { name: "Comments (1)" }).waitFor();

  // She finds it in her inbox, and it leads her to the comment.
  await hedy.page.reload();
  await hedy.page.getByRole("link", { name: "Inbox, 1 unread" }).waitFor();
  await picture(hedy.page, "3-home");
  await hedy.page.getByRole("link", { name: "Inbox, 1 unread" }).click();
  await hedy.page.getByText("mentioned you").waitFor();
  await picture(hedy.page, "4-inbox");
  await hedy.page.getByText("mentioned you").click();
  await hedy.page.waitForURL(`**/base/${baseId}/${table.id}?record=${record?.id}&comment=cmt_*`);
  const theirs = hedy.page.getByRole("dialog", { name: "Oak" });
  await theirs.locator("[data-pointed]").getByText("Is this really an oak").waitFor();
  await hedy.page.locator('a[title="Inbox"][aria-label="Inbox"]').waitFor({ state: "attached" }); // nothing unread
  await theirs.getByRole("button", { name: "Reply" }).click();
  await theirs.getByRole("textbox", { name: "Reply" }).fill("It is.\nI counted the rings.");
  await hedy.page.keyboard.press("Control+Enter");
  await theirs.getByRole("list", { name: "Replies" }).getByText("I counted the rings.").waitFor();
  await picture(hedy.page, "5-thread");

  // The open record of the other shows the reply.
  await panel.getByText("I counted the rings.").waitFor();
  await panel.getByRole("button", { name: "Actions for the comment of", exact: false }).first().click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await panel.getByRole("textbox", { name: "Edit the comment" }).pressSequentially(" Or an elm?");
  await picture(page, "6-edit");
  await panel.getByRole("button", { name: "Save" }).click();
  await panel.getByText("? Or an elm?").waitFor();
  await panel.getByText("edited").waitFor();
  await panel.getByRole("button", { name: "Resolve thread" }).click();
  await panel.getByRole("button", { name: "Show 1 resolved thread" }).click();
  await panel.getByText(/^Resolved by/).waitFor();
  await picture(page, "7-resolved");
  await panel.getByRole("button", { name: "Open again" }).click();
  await panel.getByRole("list", { name: "Threads" }).getByText("Or an elm?").waitFor();
  await page.waitForLoadState("networkidle"); // the list that comes takes an open menu away
  await panel.getByRole("button", { name: "Actions for the comment of", exact: false }).first().click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await panel.getByText("This comment was deleted.").waitFor();
  await panel.getByText("I counted the rings.").waitFor();

  // She turns mails and the inbox off.
  await hedy.page.goto("/settings/notifications");
  const own = hedy.page.getByRole("group", { name: await orgName() });
  await own.getByRole("switch", { name: "In the inbox" }).click();
  await own.getByRole("switch", { name: "By e-mail" }).click();
  await picture(hedy.page, "8-settings");
  await until(
    () => hedy.page.evaluate(readSettings, testService().orgId),
    (settings) => !settings.inbox && !settings.mail,
  );
  expect(await hedy.page.evaluate(readSettings, testService().orgId)).toEqual({ inbox: false, mail: false });
  expect(hedy.problems).toEqual(noProblems);
  await hedy.context.close();
});

test("the grid shows which records are discussed, as it happens, and leads to the thread", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable(
    "Shrubs",
    [{ name: "Name", type: "text" }],
    [{ Name: "Box" }, { Name: "Holly" }, { Name: "Privet" }],
  );
  const [first, second] = await rowsOf(table.id);
  await page.goto(`/base/${baseId}/${table.id}`);
  await gridReady(page);
  const box = (await page.getByTestId("data-grid-canvas").boundingBox())!;
  /** Where the mark of a record is: in the top right corner of its row head. */
  const mark = (row: number) => ({ x: box.x + 52 - 11, y: box.y + 38 + row * 34 + 9 });
  const painted = (row: number) =>
    page.evaluate(({ x, y }) => {
      const canvas = document.querySelector<HTMLCanvasElement>("[data-testid=data-grid-canvas]")!;
      const at = canvas.getBoundingClientRect();
      return String(canvas.getContext("2d")!.getImageData(x - at.x - 8, y - at.y - 6, 16, 12).data);
    }, mark(row));
  const bare = await painted(0);
  expect(await painted(1)).toBe(bare);

  // Somebody else writes.
  const thread = await call<{ id: string }>("POST", `/records/${second?.id}/comments`, { text: "Too tall?" });
  await call("POST", `/records/${second?.id}/comments`, { text: "No.", replyTo: thread.body.id });
  const marked = until(
    () => painted(1),
    (now) => now !== bare,
  );
  expect(await marked).not.toBe(bare);
  expect(await painted(0)).toBe(bare);
  await picture(page, "9-grid");
  await page.mouse.click(mark(1).x, mark(1).y);
  await page.waitForURL(`**/base/${baseId}/${table.id}?record=${second?.id}&comment=${thread.body.id}`);
  const panel = page.getByRole("dialog", { name: "Holly" });
  await panel.locator("[data-pointed]").getByText("Too tall?").waitFor();
  await picture(page, "10-thread");
  expect(await page.getByText("1 selected").count()).toBe(0); // the row was not ticked

  // Here a thread is resolved, and its mark goes.
  await panel.getByRole("button", { name: "Resolve thread" }).click();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  const unmarked = until(
    () => painted(1),
    (now) => now === bare,
  );
  expect(await unmarked).toBe(bare);
  // A comment of the page's own marks its record too.
  await page.goto(`/base/${baseId}/${table.id}?record=${first?.id}`);
  await page.getByRole("tab", { name: "Comments" }).click();
  await page.getByRole("textbox", { name: "Write a comment" }).fill("Evergreen");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("list", { name: "Threads" }).getByText("Evergreen").waitFor();
  await page.keyboard.press("Escape");
  const own = until(
    () => painted(0),
    (now) => now !== bare,
  );
  expect(await own).not.toBe(bare);
});

async function orgName(): Promise<string> {
  const orgs = (await call<{ orgs: { id: string; name: string }[] }>("GET", "/orgs")).body.orgs;
  return orgs.find(({ id }) => id === testService().orgId)?.name ?? "";
}

async function readSettings(orgId: string) {
  const response = await fetch(`/api/v1/orgs/${orgId}/notifications`);
  return (await response.json()) as { inbox: boolean; mail: boolean };
}
