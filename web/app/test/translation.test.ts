import { expect, test } from "vitest";
import { formatDate, parseDate } from "../src/field/date.ts";
import { account } from "../src/text/en/account.ts";
import { loadLanguage, translated } from "../src/text/translation.ts";
import { languages } from "../src/locale/locale.ts";
import { de } from "../src/text/de/index.ts";
import { fr } from "../src/text/fr/index.ts";

const english = import.meta.glob<Record<string, object>>("../src/text/en/*.ts", { eager: true });
const parts = Object.fromEntries(
  Object.entries(english).flatMap(([path, module]) => {
    const name = /(\w+)\.ts$/.exec(path)![1]!;
    const text = module[name === "index" ? "en" : name];
    return text ? [[name === "index" ? "main" : name, text]] : [];
  }),
);

/** Lists the places where two texts differ in what they say, and what they take. */
function differences(one: unknown, other: unknown, place: string): string[] {
  if (typeof one === "string")
    return typeof other === "string" && Boolean(other.trim()) === Boolean(one) ? [] : [`${place} is no text`];
  if (typeof one === "function") return typeof other === "function" ? [] : [`${place} is no function`];
  if (typeof one !== "object" || typeof other !== "object" || !one || !other)
    return one === other ? [] : [`${place} differs`];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) =>
    differences((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key], `${place}.${key}`),
  );
}

const translations = { de, fr };
test.each(Object.keys(translations) as (keyof typeof translations)[])("%s says all that English says", (language) => {
  const translation = translations[language];
  for (const name of Object.keys(translation) as (string & keyof typeof translation)[])
    expect(differences(parts[name], translation[name], name)).toEqual([]);
  expect(Object.keys(translation).length).toBeGreaterThan(20);
});

test("every language is loaded, and what is not loaded is English", async () => {
  const textOf = translated("account", account);
  const locale = { tag: "de-DE", firstDay: 1 };
  expect(textOf({ ...locale, language: "de" })).toBe(account);
  for (const language of Object.keys(languages) as (keyof typeof languages)[]) {
    await loadLanguage(language);
    const title = textOf({ ...locale, language }).preference.title;
    expect(title === account.preference.title, language).toBe(language === "en");
  }
});

const tags = Object.keys(languages) as (keyof typeof languages)[];
test.each(tags)("dates with names of months are read in %s", async (language) => {
  await loadLanguage(language);
  const locale = { tag: language, language, firstDay: 1 };
  for (let month = 1; month <= 12; month++) {
    const date = `2025-${String(month).padStart(2, "0")}-09`;
    const written = formatDate(date, "friendly", locale);
    expect(parseDate(written, "friendly", locale), written).toBe(date);
    expect(parseDate(formatDate(date, "friendly"), "friendly", locale)).toBe(date); // as in English
  }
});
