import { expect, test } from "vitest";
import { newContext, noProblems, signIn } from "./browser.ts";
import { browserFixture, createTable, testService } from "./fixture.ts";
import { findings } from "./page.ts";

const fixture = browserFixture();

test("the application speaks the language that a person chose, in every part", async () => {
  const { page } = fixture;
  const { baseId, table } = await createTable("Ships", [{ name: "Name", type: "text" }], [{ Name: "Alma" }]);
  await page.goto("/settings/profile");
  await page.getByLabel("Language", { exact: true }).selectOption({ label: "Deutsch" });
  await page.getByRole("heading", { name: "Sprache, Datum und Zahlen" }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  expect(await findings(page)).toEqual([]);
  await page.screenshot({ path: "../../screenshots/language-de.png", fullPage: true });

  await page.goto(`/base/${baseId}/${table.id}`);
  await page.getByText("1 Datensatz", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.screenshot({ path: "../../screenshots/language-de-base.png" });
  await page.goto("/");
  await page.getByRole("button", { name: "Neue Base" }).first().waitFor();

  await page.goto("/settings/profile");
  await page.getByLabel("Sprache", { exact: true }).selectOption({ label: "Français" });
  await page.getByLabel("Langue", { exact: true }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("fr");
  await page.screenshot({ path: "../../screenshots/language-fr.png", fullPage: true });
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
  await page.screenshot({ path: "../../screenshots/language-fr-390.png", fullPage: true });
  expect(problems).toEqual(noProblems);
  await context.close();
});
