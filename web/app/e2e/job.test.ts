import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { browserFixture, call, type Table, testService, until } from "./fixture.ts";

const fixture = browserFixture();
const rows = 10_000;

/** Drops a file on the open base. */
const drop = (content: string, name: string) =>
  fixture.page.evaluate(
    ({ text, called }) => {
      const carried = new DataTransfer();
      carried.items.add(new File([text], called, { type: "text/csv" }));
      const target = document.querySelector("#content h1")!.closest("header")!.nextElementSibling!;
      const init = { dataTransfer: carried, bubbles: true, cancelable: true };
      for (const kind of ["dragover", "drop"]) target.dispatchEvent(new DragEvent(kind, init));
    },
    { text: content, called: name },
  );

type Job = { state: string; tableId: string };
const latestJob = async () =>
  (await call<{ jobs: Job[] }>("GET", `/orgs/${testService().orgId}/jobs?limit=1`)).body.jobs[0]!;

test("a dropped file is imported although its page is closed, and comes out again", async () => {
  const { id } = (await call<{ id: string }>("POST", "/bases", { name: "Shop", orgId: testService().orgId })).body;
  await fixture.page.goto(`/base/${id}`);
  await fixture.page.getByRole("button", { name: "Imports and exports" }).waitFor();
  const lines = Array.from({ length: rows }, (_, n) => `Order ${n},${n},2024-01-${10 + (n % 20)}`);
  await drop(["Name,Amount,Day", ...lines].join("\n"), "orders.csv");
  await fixture.page.getByRole("dialog", { name: "Import a file" }).getByText("Order 0 · Order 1").waitFor();
  const begun = fixture.page.waitForResponse(
    (response) => response.url().endsWith("/imports") && !response.request().postData()?.includes("dryRun"),
  );
  await fixture.page.getByRole("button", { name: "Import 10,000 rows" }).click();
  await begun;
  await fixture.page.goto("about:blank");
  const latest = await until(latestJob, ({ state }) => state === "done");
  expect(latest.state).toBe("done");

  const table = latest.tableId;
  const fields = (await call<Table>("GET", `/tables/${table}`)).body.fields;
  expect(fields.map(({ name, type }) => `${name} ${type}`)).toEqual(["Name text", "Amount number", "Day date"]);
  await fixture.page.goto(`/base/${id}/${table}`);
  await fixture.page.getByTestId("data-grid-canvas").waitFor();
  await fixture.page.getByRole("button", { name: "More actions" }).last().click();
  await fixture.page.getByRole("menuitem", { name: "Export to NDJSON" }).click();
  await fixture.page.getByText("The export has begun").waitFor();
  await fixture.page.getByRole("button", { name: /import/i }).first().click();
  const link = fixture.page.getByRole("link", { name: "Download orders.ndjson" });
  const [file] = await Promise.all([fixture.page.waitForEvent("download"), link.click({ timeout: 60_000 })]);
  const exported = await readFile(await file.path(), "utf8");
  expect(exported.trim().split("\n")).toHaveLength(rows);
});
