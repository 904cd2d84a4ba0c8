import { expect, test } from "vitest";
import { browserFixture, call, gridReady, testService } from "./fixture.ts";

const fixture = browserFixture();

type Base = { name: string; tables: { id: string; name: string }[] };
type Records = { records: { fields: Record<string, unknown> }[] };

test("a base goes into an archive, comes back as another one, and is copied", async () => {
  const { page } = fixture;
  const { orgId } = testService();
  const { id } = (await call<{ id: string }>("POST", "/bases", { name: "Voyages", orgId })).body;
  const fields = [
    { name: "Name", type: "text" },
    { name: "Tons", type: "number" },
    { name: "Twice", type: "formula", config: { formula: "{Tons} * 2" } },
  ];
  const table = (await call<{ id: string }>("POST", `/bases/${id}/tables`, { name: "Ships", fields })).body.id;
  const ships = ["Aase", "Tove"].map((name, n) => ({ fields: { Name: name, Tons: 90 + n } }));
  const made = await call<{ records: { id: string }[] }>("POST", `/tables/${table}/records`, { records: ships });
  await call("POST", `/records/${made.body.records[0]!.id}/comments`, { text: "Sails on Monday" });

  await page.goto(`/base/${id}/${table}`);
  await gridReady(page);
  await page.getByRole("button", { name: "More", exact: true }).first().click();
  await page.getByRole("menuitem", { name: "Export the base to an archive" }).click();
  await page.getByText("The export has begun").waitFor();
  await page.getByRole("button", { name: /import/i }).first().click();
  const link = page.getByRole("link", { name: "Download Voyages.zip" });
  const [file] = await Promise.all([page.waitForEvent("download"), link.click({ timeout: 60_000 })]);

  await page.goto("/");
  await page.getByRole("button", { name: "New base" }).first().click();
  await page.getByRole("button", { name: "Import a base archive" }).click();
  await page.getByLabel("Archive", { exact: true }).setInputFiles(await file.path());
  await page.getByLabel("Base name").fill("Voyages again");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByText("It is all here").waitFor();
  await page.getByText("All is here as the manifest of the archive says: 2 records, 1 comment.").waitFor();
  await page.getByRole("button", { name: "Open the base" }).click();
  await page.getByRole("heading", { name: "Voyages again" }).waitFor();
  await gridReady(page);
  const back = /bas_\w+/.exec(page.url())![0];
  expect(await read(back)).toEqual(await read(id));
  const came = (await call<Base>("GET", `/bases/${back}`)).body.tables[0]!.id;
  const { records } = (await call<{ records: { id: string }[] }>("GET", `/tables/${came}/records`)).body;
  await page.goto(`/base/${back}/${came}?record=${records[0]!.id}`);
  await page.getByRole("tab", { name: "Comments" }).click();
  const thread = page.getByRole("list", { name: "Threads" });
  await thread.getByText("Sails on Monday").waitFor();
  await thread.getByText("with an import").waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Actions for the table Ships" }).click();
  await page.getByRole("menuitem", { name: "Duplicate table" }).click();
  await page.getByRole("button", { name: "Duplicate", exact: true }).click();
  await page.getByRole("button", { name: "Open the table" }).click();
  await page.getByRole("link", { name: "Ships copy" }).waitFor();
  await gridReady(page);
});

/** The records of the first table of a base, by the names of its fields. */
async function read(base: string): Promise<Record<string, unknown>[]> {
  const { tables } = (await call<Base>("GET", `/bases/${base}`)).body;
  const { records } = (await call<Records>("GET", `/tables/${tables[0]!.id}/records`)).body;
  return records.map((record) => record.fields);
}
