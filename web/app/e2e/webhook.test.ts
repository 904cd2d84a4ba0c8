import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserFixture, call, createTable, rowsOf, until } from "./fixture.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();
const fields = [
  { name: "Name", type: "text" },
  { name: "Height", type: "number" },
];

type Change = { kind: string; record?: string; before?: Record<string, unknown>; after?: Record<string, unknown> };
type Message = { id: string; timestamp: string; signature: string; body: string; changes: Change[] };

const messages: Message[] = [];
const answers: number[] = []; // statuses of the next answers; then 204

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts).toString();
    const { data } = JSON.parse(body) as { data: { changes: Change[] } };
    messages.push({
      id: String(request.headers["webhook-id"]),
      timestamp: String(request.headers["webhook-timestamp"]),
      signature: String(request.headers["webhook-signature"]),
      body,
      changes: data.changes,
    });
    const status = answers.shift() ?? 204;
    response.writeHead(status).end(status === 204 ? undefined : "The shelf is full.");
  });
});
let address = "";
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});
afterAll(() => void server.close());

const arrived = async (count: number) => {
  await until(async () => messages.length, (length) => length >= count, 30_000);
  expect(messages).toHaveLength(count);
  return messages.at(-1)!;
};

const signatures = ({ id, timestamp, body }: Message, ...secrets: string[]) =>
  secrets.map((secret) => {
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });

test("a webhook is made, delivers, fails, is sent again, rotated, paused and deleted", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Plants", fields, [
    { Name: "Oak", Height: 1 },
    { Name: "Elm", Height: 2 },
  ]);
  const [oak, elm] = await rowsOf(table.id);
  await page.goto(`/base/${baseId}/${table.id}`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Webhooks" }).click();
  await page.waitForURL(`**/base/${baseId}/webhooks`);
  await page.getByRole("button", { name: "New webhook" }).click();
  const form = page.getByRole("dialog", { name: "New webhook" });
  await form.getByLabel("Name", { exact: true }).fill("Warehouse");
  await form.getByLabel("URL").fill("https://10.0.0.1/hook");
  await form.getByRole("button", { name: "New webhook" }).click();
  await form.getByText("must name a host on the internet").waitFor();
  await form.getByLabel("URL").fill(address);
  await form.getByLabel("Tables", { exact: true }).selectOption("Only some tables");
  await form.getByRole("checkbox", { name: "Plants" }).click();
  await form.getByRole("button", { name: "Add condition" }).click();
  await form.getByLabel("Field", { exact: true }).selectOption("Height");
  await form.getByLabel("Operator", { exact: true }).selectOption({ label: "is at least" });
  await form.getByLabel("Value", { exact: true }).fill("10");
  await form.getByRole("checkbox", { name: /^Send values/ }).click();
  await picture(page, "webhook-new");
  await form.getByRole("button", { name: "New webhook" }).click();
  const once = page.getByRole("dialog", { name: "The webhook was created" });
  const secret = (await once.getByLabel("Secret", { exact: true }).textContent()) ?? "";
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await picture(page, "webhook-secret");
  await once.getByRole("button", { name: "I have copied it" }).click();
  await page.getByText("Warehouse").waitFor();
  expect(await page.content()).not.toContain(secret);

  await call("PATCH", `/records/${oak?.id}`, { fields: { Height: 3 } }); // does not fit
  await call("PATCH", `/records/${elm?.id}`, { fields: { Height: 12 } });
  const first = await arrived(1);
  expect(first.changes).toHaveLength(1);
  expect(first.changes[0]).toMatchObject({
    kind: "updated",
    record: elm?.id,
    before: { Height: 2 },
    after: { Height: 12 },
  });
  expect(first.signature.split(" ")).toEqual(signatures(first, secret));

  answers.push(500);
  await call("PATCH", `/records/${elm?.id}`, { fields: { Height: 13 } });
  await arrived(2);
  await page.getByRole("button", { name: "Deliveries of Warehouse" }).click();
  const deliveries = page.getByRole("dialog", { name: "Deliveries of Warehouse" });
  await deliveries.getByText(/Answered 500/).waitFor();
  await deliveries.getByText("The shelf is full.").waitFor();
  await picture(page, "webhook-deliveries");
  const failed = deliveries.getByRole("listitem").first();
  await failed.getByRole("button", { name: /^Send/ }).click();
  const again = await arrived(3);
  expect(again.id).toBe(messages[1]?.id);
  await failed.getByText("Delivered", { exact: true }).waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Actions for Warehouse" }).click();
  await page.getByRole("menuitem", { name: "Rotate secret" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click();
  const rotated = page.getByRole("dialog", { name: "The webhook has a new secret" });
  const next = (await rotated.getByLabel("Secret", { exact: true }).textContent()) ?? "";
  await rotated.getByRole("button", { name: "I have copied it" }).click();
  await page.getByText(/The former secret signs until/).waitFor();
  await call("DELETE", `/records/${elm?.id}`);
  const last = await arrived(4);
  expect(last.changes[0]?.kind).toBe("deleted");
  expect(last.signature.split(" ")).toEqual(signatures(last, next, secret));

  answers.push(410);
  await call("PATCH", `/records/${oak?.id}`, { fields: { Height: 30 } });
  await page.getByText(/the receiver answered 410/).waitFor();
  await picture(page, "webhook-list");
  await page.getByRole("button", { name: "Enable", exact: true }).click();
  await arrived(6); // and what it did not want
  await page.getByText("Enabled", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Actions for Warehouse" }).click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await page.getByText("Paused", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Actions for Warehouse" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No webhooks yet").waitFor();
});
