import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { getToolUiResourceUri } from "@modelcontextprotocol/ext-apps/app-bridge";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserFixture, createTable, rowsOf, testService } from "./fixture.ts";
import { picture } from "./picture.ts";

// The page that clients of agents show next to a result, in a host of the official library.

const fixture = browserFixture();
const client = new Client({ name: "test", version: "1" });
// What a host lets a page do that asks for nothing.
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; connect-src 'none'";

let host = "";
let page = "";
const sent: string[] = [];

beforeAll(async () => {
  const { baseUrl, apiKey } = testService();
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), {
    requestInit: { headers: { "x-api-key": apiKey } },
  });
  await client.connect(transport);
  const read = await client.readResource({ uri: "ui://rowhouse/answer" });
  const content = read.contents[0];
  if (!content || !("text" in content)) throw new Error("the page has no text");
  expect(content.mimeType).toBe("text/html;profile=mcp-app");
  page = content.text.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`);
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: "error",
    build: { write: false, lib: { entry: "e2e/answerhost.ts", formats: ["iife"], name: "host" } },
  });
  const output = Array.isArray(built) ? built[0] : built;
  if (!output || !("output" in output)) throw new Error("the host was not built");
  host = output.output[0].code;
});

afterAll(() => client.close());

/** Calls a tool, and shows its answer in the page that the tool names. */
async function show(name: string, input: Record<string, unknown>) {
  const { tools } = await client.listTools();
  const tool = tools.find((one) => one.name === name);
  expect(getToolUiResourceUri(tool ?? {})).toBe("ui://rowhouse/answer");
  const result = await client.callTool({ name, arguments: input });
  await fixture.page.goto("about:blank");
  await fixture.page.addScriptTag({ content: host });
  await fixture.page.evaluate(
    async ([html, ...call]) => {
      const { show } = window as unknown as { show: (...given: unknown[]) => Promise<void> };
      await show(html, ...call);
    },
    [page, tool, input, result] as unknown[],
  );
  return fixture.page.frameLocator("iframe");
}

test("records are a table, groups are a chart, and a plan is applied by a press", async () => {
  await fixture.page.exposeFunction("callTool", (call: { name: string; arguments: Record<string, unknown> }) =>
    client.callTool(call),
  );
  await fixture.page.exposeFunction("receive", (text: string) => void sent.push(text));
  const trees = ["Oak", "Elm", "Fir", "Ash", "Yew", "Lime", "Pear"];
  const { table } = await createTable(
    "Trees",
    [
      { name: "Name", type: "text" },
      { name: "Height", type: "number" },
    ],
    trees.map((Name, index) => ({ Name: `<b>${Name}</b>`, Height: index })),
  );

  const records = await show("query_records", { tableId: table.id, sorts: [{ fieldId: "Height", dir: "asc" }] });
  await records.getByText("7 in all").waitFor();
  expect(await records.locator("tbody tr").count()).toBe(7);
  expect(await records.locator("tbody tr").first().textContent()).toContain("<b>Oak</b>0");

  const groups = await show("aggregate_records", {
    tableId: table.id,
    groupBy: ["Name"],
    aggregates: [{ fn: "sum", fieldId: "Height" }],
  });
  await groups.getByRole("listitem").first().waitFor();
  expect(await groups.getByRole("list", { name: "Answer" }).getByRole("listitem").count()).toBe(7);
  await groups.getByRole("button", { name: "Table", exact: true }).click();
  await groups.locator("tbody tr").first().waitFor();
  expect(await groups.locator("tbody tr").count()).toBe(7);

  const input = {
    tableId: table.id,
    filters: [{ fieldId: "Height", op: "gt", value: 4 }],
    fields: { Name: "Tall" },
    plan: true,
  };
  const plan = await show("update_records_where", input);
  await plan.getByText("Nothing has changed yet.").waitFor();
  expect(await plan.locator("dl").textContent()).toContain("Count2");
  expect(await plan.locator("tbody tr").first().textContent()).toMatch(/Name<b>Lime<\/b>Tall|Name<b>Pear<\/b>Tall/);
  await plan.getByRole("button", { name: "Do this" }).click();
  await plan.getByRole("status").getByText("Done").waitFor();
  expect((await rowsOf(table.id)).filter(({ fields }) => fields.Name === "Tall")).toHaveLength(2);
  expect(sent.join()).toContain("applied the plan");

  const stale = await show("delete_records_where", {
    tableId: table.id,
    filters: [{ fieldId: "Name", op: "eq", value: "Tall" }],
    plan: true,
  });
  await stale.getByText("Nothing has changed yet.").waitFor();
  await client.callTool({ name: "update_records_where", arguments: { ...input, plan: false, fields: { Height: 9 } } });
  await stale.getByRole("button", { name: "Do this" }).click();
  await stale.getByRole("alert").getByText("has moved").waitFor();
  expect(await rowsOf(table.id)).toHaveLength(7);
});

test.each([320, 640, 1200])("every row can be reached in a frame of %i pixels, by its name", async (width) => {
  await fixture.page.setViewportSize({ width, height: 800 });
  const { table } = await createTable(
    `Rows at ${width}`,
    [{ name: "Name", type: "text" }],
    Array.from({ length: 40 }, (_, index) => ({ Name: `Tree ${index + 1}` })),
  );
  for (const [format, limit] of [
    ["rows", 9],
    ["records", 9],
    ["rows", 40],
  ] as const) {
    const page = await show("query_records", { tableId: table.id, format, limit });
    const rows = page.locator("tbody tr");
    await rows.first().waitFor();
    expect(await rows.count()).toBe(limit);
    expect(await rows.first().textContent()).toBe("Tree 1");
    const last = rows.last();
    await last.scrollIntoViewIfNeeded();
    const box = await last.boundingBox();
    const frame = await fixture.page.locator("iframe").boundingBox();
    if (!box || !frame) throw new Error("the frame is not shown");
    expect(box.y + box.height).toBeLessThanOrEqual(frame.y + frame.height + 1);
    // Nine rows need no scrolling.
    if (limit === 9) expect((await rows.first().boundingBox())?.y).toBeGreaterThanOrEqual(frame.y);
    await picture(fixture.page, `answer-${width}-${format}-${limit}`);
  }
});
