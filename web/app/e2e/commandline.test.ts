import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { newContext, noProblems } from "./browser.ts";
import { browserFixture, testService } from "./fixture.ts";

const fixture = browserFixture();

/** A program that runs, with what it has said so far. */
function start(home: string, ...args: string[]) {
  const binary = resolve(process.env.ROWHOUSE_BINARY ?? "../../bin/rowhouse");
  const child: ChildProcess = spawn(binary, args, {
    env: { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: join(home, ".config") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<number | null>((done) => child.on("close", done));
  /** Waits until the program says something. */
  const says = async (what: RegExp) => {
    await expect.poll(() => said, { timeout: 30_000 }).toMatch(what);
    return what.exec(said)?.[1] ?? "";
  };
  return { says, ended, said: () => said };
}

async function fillSignIn(page: Page) {
  const service = testService();
  await page.getByLabel("E-mail", { exact: false }).first().fill(service.email);
  await page.locator("#password").fill(service.password);
  await page.locator("#password").press("Enter");
}

test("a person signs the command line in, in the browser and with a code", async () => {
  const service = testService();
  const home = await mkdtemp(join(tmpdir(), "rowhouse-login-"));
  const { context, problems } = await newContext(fixture.browser, service);
  try {
    const page = await context.newPage();
    const login = start(home, "login", "--no-browser", service.baseUrl);
    await page.goto(await login.says(/(http\S+\/oauth\/authorize\S+)/));
    await fillSignIn(page);
    await page.getByRole("heading", { name: "Allow Rowhouse command line access?" }).waitFor();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("You are signed in. Go back to the terminal").waitFor();
    expect(await login.ended, login.said()).toBe(0);

    // There is no display here, so the second sign-in gets a code by itself. The person mistypes it first.
    const other = start(home, "login", service.baseUrl, "--profile", "server");
    const code = await other.says(/type the code\s+(\S+)/);
    await page.goto(await other.says(/open\s+(http\S+\/device)\s/));
    await page.getByLabel("Code").fill("BCDF-GHJK");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("alert").filter({ hasText: "not valid" }).waitFor();
    await page.getByLabel("Code").fill(code.toLowerCase());
    await page.getByLabel("Code").press("Enter");
    await page.getByRole("heading", { name: "Allow Rowhouse command line access?" }).waitFor();
    await page.getByRole("note").getByText(code).waitFor();
    await page.getByLabel("Create, change and delete records").uncheck();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { name: "The device is connected" }).waitFor();
    expect(await other.ended, other.said()).toBe(0);

    const who = start(home, "whoami", "--output", "json");
    expect(await who.ended, who.said()).toBe(0);
    expect(who.said()).toContain("schema:write");
    expect(who.said()).not.toContain("data:write");

    // A key is created in the application, where a person is, and not by the program.
    const create = start(home, "key", "create", "--no-browser", "--name", "CI", "--scopes", "data:read");
    await page.goto(await create.says(/(http\S+\/settings\/keys\S+)/));
    const form = page.getByRole("dialog");
    await expect.poll(() => form.getByLabel("Name", { exact: false }).first().inputValue()).toBe("CI");
    expect(await form.getByRole("checkbox", { checked: true }).count()).toBe(1);
    await form.getByRole("button", { name: "Create" }).click();
    await page.getByText(/^rhk_\w{36}$/).waitFor();

    const denied = start(home, "login", service.baseUrl, "--device");
    await page.goto(await denied.says(/or open (http\S+user_code=\S+)/));
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("heading", { name: "The device gets no access" }).waitFor();
    expect(await denied.ended, denied.said()).toBe(3);
    // The page of the first sign-in asked for its icon at the address of the program.
    problems.externalRequests = problems.externalRequests.filter((url) => !url.startsWith("http://127.0.0.1:"));
    expect(problems).toEqual(noProblems);
  } finally {
    await context.close();
    await rm(home, { recursive: true, force: true });
  }
});
