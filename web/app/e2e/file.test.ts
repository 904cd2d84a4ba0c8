import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { browserFixture, call, createTable, rowsOf, until } from "./fixture.ts";

const fixture = browserFixture();

type StoredFile = { id: string; name: string; size: number; type: string; url: string; thumbnailUrl?: string };

const filesOf = async (tableId: string) => ((await rowsOf(tableId))[0]?.fields.Plans ?? []) as StoredFile[];

test("files are added, previewed, downloaded and removed; a file that is too large is refused unsent", async () => {
  const created = await createTable(
    "Ships",
    [
      { name: "Name", type: "text" },
      { name: "Plans", type: "attachment" },
    ],
    [{ Name: "Solveig" }],
  );
  const { page } = fixture;
  const [row] = await rowsOf(created.table.id);
  await page.goto(`/base/${created.baseId}/${created.table.id}?record=${row?.id}`);
  const chooser = page.locator('input[type="file"]');
  await chooser.waitFor({ state: "attached" });

  // An image that the page draws, and an HTML page with a script.
  const image = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 300;
    const context = canvas.getContext("2d");
    if (context) {
      context.fillStyle = "teal";
      context.fillRect(0, 0, 300, 300);
    }
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  await chooser.setInputFiles([
    { name: "deck.png", mimeType: "image/png", buffer: Buffer.from(image, "base64") },
    {
      name: "page.html",
      mimeType: "text/html",
      buffer: Buffer.from("<!doctype html><script>document.title = 'ran'</script>"),
    },
  ]);
  const stored = await until(
    () => filesOf(created.table.id),
    (files) => files.length === 2,
  );
  expect(stored.map((file) => [file.name, file.type]).toSorted()).toEqual([
    ["deck.png", "image/png"],
    ["page.html", "text/html"],
  ]);

  const small = page.getByRole("button", { name: "Show deck.png" }).locator("img");
  await expect.poll(() => small.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(300);
  await page.getByRole("button", { name: "Show deck.png" }).click();
  const large = page.getByRole("dialog").getByRole("img", { name: "deck.png" });
  await expect.poll(() => large.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(300);
  await page.keyboard.press("Escape");
  await large.waitFor({ state: "detached" });

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download page.html" }).click();
  expect((await download).suggestedFilename()).toBe("page.html");
  // By its address, too, the file is downloaded and not shown.
  const html = stored.find((file) => file.name === "page.html");
  const response = await page.request.get(html?.url ?? "");
  expect(response.headers()["content-disposition"]).toMatch(/^attachment/);
  expect(response.headers()["content-security-policy"]).toContain("sandbox");
  expect(response.headers()["content-type"]).toBe("application/octet-stream");

  // The browser reads a file by its path at once; a buffer of that size takes it many seconds.
  const dir = await mkdtemp(join(tmpdir(), "rowhouse-file-"));
  const huge = join(dir, "huge.bin");
  await writeFile(huge, Buffer.alloc(26 * 1024 * 1024));
  await chooser.setInputFiles(huge);
  await page.getByText("huge.bin is larger than 25 MB, which is the most that is taken.").waitFor();
  await page.getByRole("button", { name: "Dismiss the failure of huge.bin" }).click();
  await rm(dir, { recursive: true });

  // A lost connection is reported, and the upload can be retried.
  await page.route("**/uploads?name=*", (route) => route.abort("connectionreset"));
  await chooser.setInputFiles({ name: "late.txt", mimeType: "text/plain", buffer: Buffer.from("words") });
  await page.getByText("The connection was lost while late.txt was being sent. Try again.").waitFor();
  await page.unroute("**/uploads?name=*");
  await page.getByRole("button", { name: "Try again" }).click();
  expect(
    (
      await until(
        () => filesOf(created.table.id),
        (files) => files.length === 3,
      )
    ).length,
  ).toBe(3);

  await page.getByRole("button", { name: "Remove deck.png" }).click();
  expect(
    (
      await until(
        () => filesOf(created.table.id),
        (files) => files.length === 2,
      )
    ).some((file) => file.name === "deck.png"),
  ).toBe(false);
  await call("DELETE", `/bases/${created.baseId}`);
});

type TestFile = { name: string; type: string; content: string };

/** Dispatches the events of dropping or pasting files to a control. */
async function transfer(control: Locator, how: "drop" | "paste", files: TestFile[]) {
  await control.evaluate(
    (element, [kind, list]) => {
      const data = new DataTransfer();
      for (const { name, type, content } of list) data.items.add(new File([content], name, { type }));
      const all = { bubbles: true, cancelable: true };
      if (kind === "paste") return element.dispatchEvent(new ClipboardEvent("paste", { ...all, clipboardData: data }));
      element.dispatchEvent(new DragEvent("dragover", { ...all, dataTransfer: data }));
      return element.dispatchEvent(new DragEvent("drop", { ...all, dataTransfer: data }));
    },
    [how, files] as const,
  );
}

/** Limits the upload speed of a page, in bytes per second. The result removes the limit. */
async function throttle(page: Page, bytes: number) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const limit = (uploadThroughput: number) =>
    session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await limit(bytes);
  return async () => {
    await limit(-1);
    await session.detach();
  };
}

test("an upload shows its progress and can be stopped, and files can be dropped and pasted", async () => {
  const created = await createTable(
    "Ships",
    [
      { name: "Name", type: "text" },
      { name: "Plans", type: "attachment" },
    ],
    [{ Name: "Solveig" }],
  );
  const { page } = fixture;
  const [row] = await rowsOf(created.table.id);
  await page.goto(`/base/${created.baseId}/${created.table.id}?record=${row?.id}`);
  const control = page.getByRole("group", { name: "Plans" });
  const chooser = control.locator('input[type="file"]');
  await chooser.waitFor({ state: "attached" });

  const unthrottle = await throttle(page, 400_000);
  await chooser.setInputFiles({
    name: "log.bin",
    mimeType: "application/octet-stream",
    buffer: Buffer.alloc(1_200_000, 7),
  });
  const bar = page.getByRole("progressbar", { name: "Uploading log.bin" });
  await bar.waitFor();
  const shown = new Set<number>();
  while (await bar.isVisible()) {
    const value = await bar
      .evaluate((element: HTMLProgressElement) => element.value, undefined, { timeout: 500 })
      .catch(() => undefined);
    if (value !== undefined) shown.add(value);
    await page.waitForTimeout(50);
  }
  const intermediate = [...shown].filter((value) => value > 0 && value < 100);
  expect(intermediate.length, [...shown].join()).toBeGreaterThan(2);
  expect([...shown]).toEqual([...shown].toSorted((a, b) => a - b));
  expect(
    (
      await until(
        () => filesOf(created.table.id),
        (files) => files.length === 1,
      )
    )[0]?.size,
  ).toBe(1_200_000);

  await chooser.setInputFiles({
    name: "stopped.bin",
    mimeType: "application/octet-stream",
    buffer: Buffer.alloc(2_000_000, 7),
  });
  await page.getByRole("button", { name: "Stop uploading stopped.bin" }).click();
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  await unthrottle();

  await transfer(control, "drop", [
    { name: "one.txt", type: "text/plain", content: "one" },
    { name: "two.txt", type: "text/plain", content: "two" },
  ]);
  await until(
    () => filesOf(created.table.id),
    (files) => files.length === 3,
  );
  await transfer(control, "paste", [{ name: "three.txt", type: "text/plain", content: "three" }]);
  const names = (
    await until(
      () => filesOf(created.table.id),
      (files) => files.length === 4,
    )
  ).map((file) => file.name);
  expect(names.toSorted()).toEqual(["log.bin", "one.txt", "three.txt", "two.txt"]);

  // The response of a service that accepts only some types.
  await page.route("**/uploads?name=*", (route) =>
    route.fulfill({
      status: 400,
      contentType: "application/problem+json",
      body: JSON.stringify({
        type: "about:blank",
        title: "Invalid request",
        status: 400,
        code: "file_type_refused",
        detail: `"run.sh" holds text/x-sh, which is not taken here; taken are image/*`,
      }),
    }),
  );
  await transfer(control, "drop", [{ name: "run.sh", type: "text/x-sh", content: "#!/bin/sh" }]);
  await page.getByRole("alert").getByText("which is not taken here; taken are image/*").waitFor();
  await page.unroute("**/uploads?name=*");
  await call("DELETE", `/bases/${created.baseId}`);
});

test("a form and the dialog create a record with its files, and none before they are uploaded", async () => {
  const created = await createTable("Ships", [
    { name: "Name", type: "text", config: { required: true } },
    { name: "Plans", type: "attachment" },
  ]);
  const { page } = fixture;
  const view = (
    await call<{ id: string }>("POST", `/tables/${created.table.id}/views`, { type: "form", name: "Report a ship" })
  ).body;
  await page.goto(`/base/${created.baseId}/${created.table.id}?view=${view.id}`);
  await page.getByRole("textbox", { name: "Name" }).fill("Solveig");
  const chooser = page.locator('input[type="file"]');
  await chooser.waitFor({ state: "attached" });
  const unthrottle = await throttle(page, 300_000);
  await chooser.setInputFiles({
    name: "deck.bin",
    mimeType: "application/octet-stream",
    buffer: Buffer.alloc(600_000, 7),
  });
  await page.getByRole("progressbar", { name: "Uploading deck.bin" }).waitFor();
  await page.getByRole("main").getByRole("button", { name: "Submit" }).click();
  await page.getByText("Wait until the files have arrived, or take away those that have not.").waitFor();
  expect(await rowsOf(created.table.id)).toEqual([]);
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  await unthrottle();
  await page.getByText("Wait until the files have arrived").waitFor({ state: "detached" });
  await page.getByRole("main").getByRole("button", { name: "Submit" }).click();
  expect(
    (
      await until(
        () => filesOf(created.table.id),
        (files) => files.length === 1,
      )
    ).map((file) => file.name),
  ).toEqual(["deck.bin"]);
  await page.getByRole("button", { name: "Submit another" }).click();
  expect(await page.getByText("deck.bin").count()).toBe(0);

  // The dialog opens because a value is required.
  await page.goto(`/base/${created.baseId}/${created.table.id}`);
  await page.getByRole("toolbar").getByRole("button", { name: "New record" }).click();
  const dialog = page.getByRole("dialog", { name: "New record" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Freya");
  await transfer(dialog.getByRole("group", { name: "Plans" }), "drop", [
    { name: "hull.txt", type: "text/plain", content: "hull" },
  ]);
  await dialog.getByRole("button", { name: "Remove hull.txt" }).waitFor();
  await dialog.getByRole("button", { name: "Create record" }).click();
  await dialog.waitFor({ state: "detached" });
  const rows = await rowsOf(created.table.id);
  expect(rows.map((row) => [row.fields.Name, (row.fields.Plans as StoredFile[])[0]?.name])).toEqual([
    ["Solveig", "deck.bin"],
    ["Freya", "hull.txt"],
  ]);
  await call("DELETE", `/bases/${created.baseId}`);
});
