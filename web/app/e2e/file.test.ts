import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { call, makeTable, rowsOf, stage, until } from "./fixture.ts";

const at = stage();

type Stored = { id: string; name: string; size: number; type: string; url: string; thumbnailUrl?: string };

const filesOf = async (tableId: string) => ((await rowsOf(tableId))[0]?.fields.Plans ?? []) as Stored[];

test("files are added, previewed, downloaded and removed; a file that is too large is refused unsent", async () => {
  const made = await makeTable(
    "Ships",
    [
      { name: "Name", type: "text" },
      { name: "Plans", type: "attachment" },
    ],
    [{ Name: "Solveig" }],
  );
  const { page } = at;
  const [row] = await rowsOf(made.table.id);
  await page.goto(`/base/${made.baseId}/${made.table.id}?record=${row?.id}`);
  const chooser = page.locator('input[type="file"]');
  await chooser.waitFor({ state: "attached" });

  // An image, drawn by the page itself, and a page that would run a script.
  const drawn = await page.evaluate(() => {
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
    { name: "deck.png", mimeType: "image/png", buffer: Buffer.from(drawn, "base64") },
    {
      name: "page.html",
      mimeType: "text/html",
      buffer: Buffer.from("<!doctype html><script>document.title = 'ran'</script>"),
    },
  ]);
  const stored = await until(
    () => filesOf(made.table.id),
    (files) => files.length === 2,
  );
  expect(stored.map((file) => [file.name, file.type]).toSorted()).toEqual([
    ["deck.png", "image/png"],
    ["page.html", "text/html"],
  ]);

  const small = page.getByRole("button", { name: "Show deck.png" }).locator("img");
  await expect.poll(() => small.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300);
  await page.getByRole("button", { name: "Show deck.png" }).click();
  const large = page.getByRole("dialog").getByRole("img", { name: "deck.png" });
  await expect.poll(() => large.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300);
  await page.keyboard.press("Escape");
  await large.waitFor({ state: "detached" });

  const waiting = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download page.html" }).click();
  expect((await waiting).suggestedFilename()).toBe("page.html");
  // Asked for by its address, it is stored and not shown either.
  const html = stored.find((file) => file.name === "page.html");
  const answer = await page.request.get(html?.url ?? "");
  expect(answer.headers()["content-disposition"]).toMatch(/^attachment/);
  expect(answer.headers()["content-security-policy"]).toContain("sandbox");
  expect(answer.headers()["content-type"]).toBe("application/octet-stream");

  await chooser.setInputFiles({
    name: "huge.bin",
    mimeType: "application/octet-stream",
    buffer: Buffer.alloc(26 * 1024 * 1024),
  });
  await page.getByText("huge.bin is larger than 25 MB, which is the most that is taken.").waitFor();
  await page.getByRole("button", { name: "Dismiss the failure of huge.bin" }).click();

  // A connection that is lost is told, and the file can be sent again.
  await page.route("**/uploads?name=*", (route) => route.abort("connectionreset"));
  await chooser.setInputFiles({ name: "late.txt", mimeType: "text/plain", buffer: Buffer.from("words") });
  await page.getByText("The connection was lost while late.txt was being sent. Try again.").waitFor();
  await page.unroute("**/uploads?name=*");
  await page.getByRole("button", { name: "Try again" }).click();
  expect(
    (
      await until(
        () => filesOf(made.table.id),
        (files) => files.length === 3,
      )
    ).length,
  ).toBe(3);

  await page.getByRole("button", { name: "Remove deck.png" }).click();
  expect(
    (
      await until(
        () => filesOf(made.table.id),
        (files) => files.length === 2,
      )
    ).some((file) => file.name === "deck.png"),
  ).toBe(false);
  await call("DELETE", `/bases/${made.baseId}`);
});

type Handed = { name: string; type: string; words: string };

/** Drops files on a control, or pastes them into it, as a browser would tell of it. */
async function hand(control: Locator, how: "drop" | "paste", files: Handed[]) {
  await control.evaluate(
    (element, [kind, list]) => {
      const transfer = new DataTransfer();
      for (const { name, type, words } of list) transfer.items.add(new File([words], name, { type }));
      const all = { bubbles: true, cancelable: true };
      if (kind === "paste")
        return element.dispatchEvent(new ClipboardEvent("paste", { ...all, clipboardData: transfer }));
      element.dispatchEvent(new DragEvent("dragover", { ...all, dataTransfer: transfer }));
      return element.dispatchEvent(new DragEvent("drop", { ...all, dataTransfer: transfer }));
    },
    [how, files] as const,
  );
}

/**
 * Lets the page send no faster than so many bytes in a second; the function that it returns takes
 * the limit away.
 */
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

test("an upload shows how far it is, can be stopped, and files are also dropped and pasted", async () => {
  const made = await makeTable(
    "Ships",
    [
      { name: "Name", type: "text" },
      { name: "Plans", type: "attachment" },
    ],
    [{ Name: "Solveig" }],
  );
  const { page } = at;
  const [row] = await rowsOf(made.table.id);
  await page.goto(`/base/${made.baseId}/${made.table.id}?record=${row?.id}`);
  const control = page.getByRole("group", { name: "Plans" });
  const chooser = control.locator('input[type="file"]');
  await chooser.waitFor({ state: "attached" });

  const free = await throttle(page, 400_000);
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
  const between = [...shown].filter((value) => value > 0 && value < 100);
  expect(between.length, [...shown].join()).toBeGreaterThan(2);
  expect([...shown]).toEqual([...shown].toSorted((a, b) => a - b));
  expect(
    (
      await until(
        () => filesOf(made.table.id),
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
  await free();

  await hand(control, "drop", [
    { name: "one.txt", type: "text/plain", words: "one" },
    { name: "two.txt", type: "text/plain", words: "two" },
  ]);
  await until(
    () => filesOf(made.table.id),
    (files) => files.length === 3,
  );
  await hand(control, "paste", [{ name: "three.txt", type: "text/plain", words: "three" }]);
  const names = (
    await until(
      () => filesOf(made.table.id),
      (files) => files.length === 4,
    )
  ).map((file) => file.name);
  expect(names.toSorted()).toEqual(["log.bin", "one.txt", "three.txt", "two.txt"]);

  // What a service that takes only some types answers.
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
  await hand(control, "drop", [{ name: "run.sh", type: "text/x-sh", words: "#!/bin/sh" }]);
  await page.getByRole("alert").getByText("which is not taken here; taken are image/*").waitFor();
  await page.unroute("**/uploads?name=*");
  await call("DELETE", `/bases/${made.baseId}`);
});

test("a form and the dialog create a record with its files, and none before they are uploaded", async () => {
  const made = await makeTable("Ships", [
    { name: "Name", type: "text", config: { required: true } },
    { name: "Plans", type: "attachment" },
  ]);
  const { page } = at;
  const view = (
    await call<{ id: string }>("POST", `/tables/${made.table.id}/views`, { type: "form", name: "Report a ship" })
  ).body;
  await page.goto(`/base/${made.baseId}/${made.table.id}?view=${view.id}`);
  await page.getByRole("textbox", { name: "Name" }).fill("Solveig");
  const chooser = page.locator('input[type="file"]');
  await chooser.waitFor({ state: "attached" });
  const free = await throttle(page, 300_000);
  await chooser.setInputFiles({
    name: "deck.bin",
    mimeType: "application/octet-stream",
    buffer: Buffer.alloc(600_000, 7),
  });
  await page.getByRole("progressbar", { name: "Uploading deck.bin" }).waitFor();
  await page.getByRole("main").getByRole("button", { name: "Submit" }).click();
  await page.getByText("Wait until the files have arrived, or take away those that have not.").waitFor();
  expect(await rowsOf(made.table.id)).toEqual([]);
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  await free();
  await page.getByText("Wait until the files have arrived").waitFor({ state: "detached" });
  await page.getByRole("main").getByRole("button", { name: "Submit" }).click();
  expect(
    (
      await until(
        () => filesOf(made.table.id),
        (files) => files.length === 1,
      )
    ).map((file) => file.name),
  ).toEqual(["deck.bin"]);
  await page.getByRole("button", { name: "Submit another" }).click();
  expect(await page.getByText("deck.bin").count()).toBe(0);

  // The dialog opens because a value is required.
  await page.goto(`/base/${made.baseId}/${made.table.id}`);
  await page.getByRole("toolbar").getByRole("button", { name: "New record" }).click();
  const dialog = page.getByRole("dialog", { name: "New record" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Freya");
  await hand(dialog.getByRole("group", { name: "Plans" }), "drop", [
    { name: "hull.txt", type: "text/plain", words: "hull" },
  ]);
  await dialog.getByRole("button", { name: "Remove hull.txt" }).waitFor();
  await dialog.getByRole("button", { name: "Create record" }).click();
  await dialog.waitFor({ state: "detached" });
  const rows = await rowsOf(made.table.id);
  expect(rows.map((row) => [row.fields.Name, (row.fields.Plans as Stored[])[0]?.name])).toEqual([
    ["Solveig", "deck.bin"],
    ["Freya", "hull.txt"],
  ]);
  await call("DELETE", `/bases/${made.baseId}`);
});
