import { type Language, type Locale, languageOf, type Preference, prefer } from "../locale/locale.ts";
import type { Translation } from "./part.ts";

// English comes with the code that shows it. Another language is one file, loaded before the first page.
const loaders: Partial<Record<Language, () => Promise<Translation>>> = {
  de: async () => (await import("./de/index.ts")).de,
  fr: async () => (await import("./fr/index.ts")).fr,
};
const loaded: Partial<Record<Language, Translation>> = {};

/** Loads the texts of a language. Where they cannot be loaded, those of English are shown. */
export async function loadLanguage(language: Language): Promise<void> {
  try {
    loaded[language] ??= await loaders[language]?.();
  } catch {
    // As without a connection; the next page tries again.
  }
}

/** Shows the application as a person chose, once the texts of their language are there. */
export async function applyPreference(preference: Preference & { id?: string }): Promise<void> {
  await loadLanguage(languageOf(preference));
  prefer(preference);
}

/** Finds the texts of one part in the language of a locale. */
export const translated =
  <Name extends keyof Translation>(name: Name, english: Translation[Name]) =>
  (locale: Locale): Translation[Name] =>
    loaded[locale.language]?.[name] ?? english;
