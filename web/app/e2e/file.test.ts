import { expect, test } from "vitest";
import { call, makeTable, rowsOf, stage, until } from "./stage.ts";

const at = stage();

type Stored = { id: string; name: string; size: number; type: string; url: string; thumbnailUrl?: string };

const filesOf = async (tableId: string) => ((await rowsOf(tableId))[0]?.fields.Plans ?? []) as Stored[];

test("files are added with progress, shown small, previewed, downloaded and removed; what is too large is told and not sent", async () => {
  const made = await makeTable("Ships", [{ name: "Name", type: "text" }, { name: "Plans", type: "attachment" }], [{ Name: "Solveig" }]);
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
    { name: "page.html", mimeType: "text/html", buffer: Buffer.from("<!doctype html><script>document.title = 'ran'</script>") },
  ]);
  const stored = await until(() => filesOf(made.table.id), (files) => files.length === 2);
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

  await chooser.setInputFiles({ name: "huge.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(26 * 1024 * 1024) });
  await page.getByText("huge.bin is larger than 25 MB, which is the most that is taken.").waitFor();
  await page.getByRole("button", { name: "Dismiss the failure of huge.bin" }).click();

  // A connection that is lost is told, and the file can be sent again.
  await page.route("**/uploads?name=*", (route) => route.abort("connectionreset"));
  await chooser.setInputFiles({ name: "late.txt", mimeType: "text/plain", buffer: Buffer.from("words") });
  await page.getByText("The connection was lost while late.txt was being sent. Try again.").waitFor();
  await page.unroute("**/uploads?name=*");
  await page.getByRole("button", { name: "Try again" }).click();
  expect((await until(() => filesOf(made.table.id), (files) => files.length === 3)).length).toBe(3);

  await page.getByRole("button", { name: "Remove deck.png" }).click();
  expect((await until(() => filesOf(made.table.id), (files) => files.length === 2)).some((file) => file.name === "deck.png")).toBe(false);
  await call("DELETE", `/bases/${made.baseId}`);
});
