import { expect, test } from "vitest";
import { newContext, noProblems, signIn } from "./browser.ts";
import { browserFixture, call, createTable, testService } from "./fixture.ts";
import { findings } from "./page.ts";
import { picture } from "./picture.ts";

const fixture = browserFixture();

test("the application speaks the language that a person chose, in every part", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Ships", [{ name: "Name", type: "text" }], [{ Name: "Alma" }]);
  await page.goto("/settings/profile");
  await page.getByLabel("Language", { exact: true }).selectOption({ label: "Deutsch" });
  await page.getByRole("heading", { name: "Sprache, Datum und Zahlen" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  expect(await findings(page)).toEqual([]);
  await picture(page, "language-de", { fullPage: true });

  await page.goto(`/base/${baseId}/${table.id}`);
  await page.getByText("1 Datensatz", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await picture(page, "language-de-base");
  await page.goto("/");
  await page.getByRole("button", { name: "Neue Base" }).first().waitFor();

  await page.goto("/settings/profile");
  await page.getByLabel("Sprache", { exact: true }).selectOption({ label: "Français" });
  await page.getByLabel("Langue", { exact: true }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("fr");
  await picture(page, "language-fr", { fullPage: true });
  await page.getByLabel("Langue", { exact: true }).selectOption("");
  await page.getByLabel("Language", { exact: true }).waitFor();
});

test("without a choice it is the first of the browser's languages that there are texts in", async () => {
  const service = testService();
  const languages = ["it-IT", "fr-CA", "en"];
  const narrow = { width: 390, height: 844, dark: true };
  const { context, problems } = await newContext(fixture.browser, service, { ...narrow, locale: "fr-CA", languages });
  const page = await signIn(context, service.email, service.password);
  await page.getByRole("button", { name: "Nouvelle base" }).first().waitFor();
  expect(await findings(page)).toEqual([]);
  await picture(page, "language-fr-390", { fullPage: true });
  expect(problems).toEqual(noProblems);
  await context.close();
});

test("forms and shared views are in the reader's language, and show formatted texts as they look", async () => {
  const service = testService();
  const { table } = await createTable(
    "Speisen",
    [
      { name: "Name", type: "text" },
      { name: "Rezept", type: "long_text", config: { format: "markdown" } },
    ],
    [{ Name: "Borschtsch", Rezept: "# Zutaten\n\n- **Rote Bete**\n- [x] Kohl\n\n[Quelle](https://example.com)" }],
  );
  const share = async (type: string, config: object) => {
    const view = await call<{ id: string }>("POST", `/tables/${table.id}/views`, { type, name: `Als ${type}`, config });
    return (await call<{ publicShareId: string }>("PUT", `/views/${view.body.id}/share`, {})).body.publicShareId;
  };
  const pages = { Rezept: { page: { title: "Schluss" } } };
  const form = await share("form", { requiredFields: ["Name"], formFields: pages });
  const gallery = await share("gallery", {});
  const narrow = { width: 390, height: 844, dark: true };
  for (const look of [{ width: 1440, height: 900 }, narrow]) {
    const { context, problems } = await newContext(fixture.browser, service, { ...look, locale: "de-DE" });
    const page = await context.newPage();
    await page.goto(`/share/${form}`);
    await page.getByText("(Pflicht)").waitFor();
    await page.getByText("Seite 1 von 2").waitFor();
    expect(await page.getByRole("button", { name: "Zurück" }).count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await picture(page, `language-form-${look.width}`, { fullPage: true });
    await page.getByLabel("Name").fill("Pelmeni");
    await page.getByRole("button", { name: "Weiter" }).click();
    await page.getByText("Seite 2 von 2").waitFor();
    await page.getByRole("button", { name: "Absenden" }).click();
    await page.getByText("Danke. Ihre Antwort wurde gesendet.").waitFor();

    await page.goto(`/share/${gallery}`);
    await page.getByText("Nur lesen").waitFor();
    expect(await page.locator("li strong", { hasText: "Rote Bete" }).count()).toBe(1);
    expect(await findings(page)).toEqual([]);
    await picture(page, `language-gallery-${look.width}`, { fullPage: true });
    await page.getByRole("link", { name: "Als Tabelle anzeigen" }).click();
    await page.getByRole("link", { name: "Quelle" }).waitFor();
    expect(await findings(page)).toEqual([]);
    await picture(page, `language-table-${look.width}`, { fullPage: true });
    expect(problems).toEqual(noProblems);
    await context.close();
  }
});
