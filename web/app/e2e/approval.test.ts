import { expect, test } from "vitest";
import { newContext, noProblems } from "./browser.ts";
import { browserFixture, createTable, testService } from "./fixture.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();

/** Calls a tool as an agent that cannot ask its person, and returns the text of the answer. */
async function callTool(name: string, args: Record<string, unknown>) {
  const response = await fetch(`${testService().baseUrl}/mcp`, {
    method: "POST",
    headers: {
      "x-api-key": testService().apiKey,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2025-06-18",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  return /^data: (.*)$/m.exec(await response.text())?.[1] ?? "";
}

test("a person approves a call of an agent on a page of the application", async () => {
  const service = testService();
  const { table } = await createTable(
    "Orders",
    [
      { name: "Name", type: "text" },
      { name: "State", type: "text" },
    ],
    Array.from({ length: 120 }, (_, i) => ({ Name: `Order ${i}`, State: "open" })),
  );
  const args = {
    tableId: table.id,
    filters: [{ fieldId: "State", op: "eq", value: "open" }],
    fields: { State: "closed" },
  };
  const asked = await callTool("update_records_where", args);
  expect(asked).toContain("confirmation_required");
  const link = /https?:[^\s"\\]*\/approve\/[\w-]+/.exec(asked)?.[0] ?? "";
  expect(link).toMatch(new RegExp(`^${service.baseUrl}/approve/`));

  const { context, problems } = await newContext(fixture.browser, service);
  const page = await context.newPage();
  await page.goto(link);
  await page.getByLabel("E-mail", { exact: false }).first().fill(service.email);
  await page.locator("#password").fill(service.password);
  await page.locator("#password").press("Enter");
  await page.getByRole("heading", { name: "Update records by filter?" }).waitFor();
  await page.getByText('in all records of the table "Orders"').waitFor();
  await page.getByText("At the moment that is 120 records.").waitFor();
  await page.getByText("State eq open").waitFor();
  await page.getByText("State: closed").waitFor();
  await picture(page, "approve", { fullPage: true });
  expect(await callTool("update_records_where", args)).toContain("confirmation_required");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("heading", { name: "Approved" }).waitFor();

  expect(await callTool("update_records_where", args)).toContain('\\"count\\":120');
  const rest = { ...args, filters: [{ fieldId: "State", op: "eq", value: "closed" }] };
  expect(await callTool("update_records_where", rest)).toContain("confirmation_required");
  await page.goto(link);
  await page.getByRole("button", { name: "Decline" }).click();
  await page.getByText("You have answered this question already.").waitFor();
  expect({ ...problems, errors: problems.errors.filter((error) => !error.includes("409")) }).toEqual(noProblems);
  await context.close();
});
